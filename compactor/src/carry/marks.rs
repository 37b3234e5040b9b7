//! Marks on claims of the model whose evidence is not carried over, or never was any.

use rustc_hash::FxHashMap;

use crate::loss::{Claim, Doubt, Finding};
use crate::transcript::Index;

/// The claims of each record, with their marks.
#[derive(Debug, Default)]
pub(super) struct Marks {
    by_record: FxHashMap<usize, Vec<(String, String)>>,
}

impl Marks {
    pub(super) fn of(claims: &[Finding<Claim>], index: &Index) -> Self {
        let mut marks = Self::default();
        for claim in claims {
            let uuid = claim
                .place
                .uuid
                .as_deref()
                .and_then(|uuid| index.find(uuid));
            let Some(record) = uuid.and_then(|uuid| index.by_uuid(uuid)) else {
                continue;
            };
            let line = claim.what.evidence.as_ref().and_then(|place| place.line);
            let at = line.map_or(String::new(), |line| format!(", line {line}"));
            let mark = match claim.what.why {
                Doubt::Interrupted => format!("[unproven: the call was stopped{at}]"),
                Doubt::Failed => format!("[unproven: the call failed{at}]"),
                Doubt::Dropped | Doubt::Cleared => format!("[evidence not carried over{at}]"),
                Doubt::NoCall => "[unproven: no call came before]".to_owned(),
            };
            let of_record = marks.by_record.entry(record).or_default();
            of_record.push((claim.what.text.clone(), mark));
        }
        marks
    }

    /// A text of a record with a mark behind each of its claims.
    pub(super) fn put(&self, record: usize, text: &str) -> String {
        let mut marked = text.to_owned();
        for (claim, mark) in self.by_record.get(&record).into_iter().flatten() {
            let Some(at) = marked.find(claim.as_str()) else {
                continue;
            };
            let end = at + claim.len();
            if !marked[end..].starts_with(" [") {
                let next = marked[end..].chars().next();
                let space = next
                    .filter(|next| !next.is_whitespace())
                    .map_or("", |_| " ");
                marked.insert_str(end, &format!(" {mark}{space}"));
            }
        }
        marked
    }
}
