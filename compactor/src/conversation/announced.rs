//! What a session was told about itself, by the attachments in its records.

use rustc_hash::FxHashSet;

use crate::transcript::{Index, Kind};

/// The types of the attachments in some records.
pub(super) struct Announced<'a>(FxHashSet<&'a str>);

/// Those of `records`.
pub(super) fn of<'a>(index: &'a Index, records: &[usize]) -> Announced<'a> {
    let entries = records.iter().map(|record| &index.entries()[*record]);
    let attachments = entries.filter(|entry| entry.kind == Kind::Attachment);
    Announced(
        attachments
            .filter_map(|entry| entry.detail.map(|detail| index.text(detail)))
            .collect(),
    )
}

impl Announced<'_> {
    pub(super) fn has(&self, kind: &str) -> bool {
        self.0.contains(kind)
    }
}
