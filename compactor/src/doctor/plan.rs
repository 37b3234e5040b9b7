//! From findings to what is done about them: actions, and the edits that they are.

use std::collections::BTreeMap;
use std::io;

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use super::action::{Action, ActionKind};
use super::cure::Cure;
use super::finding::About;
use super::{Examination, Options, uuid};
use crate::transcript::record::Compaction;
use crate::transcript::write::{Changes, Edit, ItemChange, Json};
use crate::transcript::{Id, Index, Kind, Source, Transcript};

/// How careful a plan is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Care {
    /// Records of which nothing is left go.
    Free,
    /// They stay, with a text that says what was there.
    KeepRecords,
    /// … and boundaries stay as they are.
    KeepBoundaries,
    /// … and nothing is relinked that was not dropped.
    KeepLinks,
}

/// What is done in one round.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub edits: Vec<Edit>,
    /// Each with the place of its record.
    pub actions: Vec<(u64, Action)>,
    /// The uuids of records that go.
    pub dropped: Vec<String>,
}

/// What is done to one record.
#[derive(Debug, Default)]
struct Change {
    items: Changes,
    gone: BTreeMap<usize, Option<About>>,
    sets: Vec<(Vec<&'static str>, String)>,
    goes: bool,
}

struct Planner<'a, S> {
    transcript: &'a Transcript<S>,
    index: &'a Index,
    care: Care,
    changes: BTreeMap<usize, Change>,
    plan: Plan,
    /// Uuids of several records, or on which the last boundary relies.
    fixed: FxHashSet<Id>,
    /// Records that go, with what hangs on them.
    removed: FxHashMap<Id, Option<Id>>,
}

/// What to do about the findings of `examination`.
pub(super) fn of<S: Source>(
    transcript: &Transcript<S>,
    examination: &Examination,
    live: &[usize],
    options: &Options,
    care: Care,
) -> io::Result<Plan> {
    let index = transcript.index();
    let mut planner = Planner {
        transcript,
        index,
        care,
        changes: BTreeMap::new(),
        plan: Plan::default(),
        fixed: fixed(transcript)?,
        removed: FxHashMap::default(),
    };
    let mut relinks = Vec::new();
    for finding in &examination.findings {
        let about = Some(finding.about);
        match &finding.cure {
            Cure::Relink {
                record,
                to: Some(to),
            } if options.relink && care != Care::KeepLinks => {
                relinks.push((*record, *to, finding.about));
            }
            Cure::Move {
                record,
                behind,
                next,
            } => {
                // By itself: what else is found is looked at again.
                if care == Care::Free && planner.place(*record, *behind, *next, about) {
                    return planner.edits();
                }
                if let Some(block) = finding.block {
                    let record = *record;
                    planner.take(&Cure::DropBlock { record, block }, about);
                }
            }
            cure => planner.take(cure, about),
        }
    }
    if options.strip_thinking {
        planner.strip_thinking(live);
    }
    planner.empty_records();
    planner.follow_removed();
    for (record, to, about) in relinks {
        let to = index.entries()[to].uuid.and_then(|to| planner.survivor(to));
        planner.relink(record, to, Some(about));
    }
    planner.edits()
}

/// Uuids whose records must stay: those of several records, and those that the last boundary
/// names.
fn fixed<S: Source>(transcript: &Transcript<S>) -> io::Result<FxHashSet<Id>> {
    let index = transcript.index();
    let mut seen: FxHashSet<Id> = FxHashSet::default();
    let mut fixed: FxHashSet<Id> = FxHashSet::default();
    for entry in index.entries() {
        if let Some(uuid) = entry.uuid
            && (!seen.insert(uuid) || index.text(uuid).is_empty())
        {
            fixed.insert(uuid);
        }
    }
    let mut boundaries = index
        .entries()
        .iter()
        .filter(|entry| entry.kind == Kind::System && index.is(entry.detail, "compact_boundary"));
    if let Some(last) = boundaries.next_back() {
        fixed.extend(last.uuid);
        let compaction = transcript.record(last)?.compaction.unwrap_or_default();
        let names = names_of(compaction);
        fixed.extend(names.iter().filter_map(|name| index.find(name)));
    }
    Ok(fixed)
}

fn names_of(compaction: Compaction) -> Vec<String> {
    let mut names = Vec::new();
    if let Some(segment) = compaction.segment {
        names.extend([segment.head, segment.anchor, segment.tail]);
    }
    if let Some(kept) = compaction.messages {
        names.push(kept.anchor);
        names.extend(kept.uuids.unwrap_or_default());
    }
    names
}

impl<S: Source> Planner<'_, S> {
    fn change(&mut self, record: usize) -> &mut Change {
        self.changes.entry(record).or_default()
    }

    fn act(&mut self, record: usize, about: Option<About>, kind: ActionKind) {
        let place = self.index.entries()[record].place;
        let action = Action {
            kind,
            line: place.line,
            record: uuid(self.index, record),
            about,
        };
        self.plan.actions.push((place.offset, action));
    }

    fn take(&mut self, cure: &Cure, about: Option<About>) {
        match cure {
            Cure::None | Cure::Line | Cure::Relink { .. } | Cure::Move { .. } => {}
            Cure::DropBlock { record, block } => {
                self.change(*record).gone.insert(*block, about);
            }
            Cure::PutText {
                record,
                block,
                inside,
                text,
            } => {
                let put = ItemChange::Put(text_block(text));
                let put = match inside {
                    Some(inside) => ItemChange::Inside("content", Changes::from([(*inside, put)])),
                    None => put,
                };
                self.change(*record).items.insert(*block, put);
                let by = text.clone();
                self.act(
                    *record,
                    about,
                    ActionKind::ReplaceBlock { block: *block, by },
                );
            }
            Cure::SetInBlock {
                record,
                block,
                key,
                value,
            } => {
                let set = ItemChange::Set(key, value.clone());
                self.change(*record).items.insert(*block, set);
                let kind = ActionKind::SetInBlock { block: *block, key };
                self.act(*record, about, kind);
            }
            Cure::Set {
                record,
                path,
                value,
            } => {
                let is_kept = path.first() == Some(&"compactMetadata") && path.len() > 1;
                if is_kept && matches!(self.care, Care::KeepBoundaries | Care::KeepLinks) {
                    return;
                }
                let sets = &mut self.change(*record).sets;
                sets.push((path.to_vec(), value.clone()));
                let key = path.last().copied().unwrap_or_default();
                self.act(*record, about, ActionKind::Set { key });
            }
            Cure::DropRecord { record } => self.empty(*record, about),
            Cure::DropCopy { record } => {
                self.change(*record).goes = true;
                self.act(*record, about, ActionKind::DropCopy);
            }
        }
    }

    /// Takes out what was thought before the last answer.
    fn strip_thinking(&mut self, live: &[usize]) {
        let index = self.index;
        let answers = live
            .iter()
            .copied()
            .filter(|record| index.entries()[*record].kind == Kind::Assistant);
        let answers: Vec<usize> = answers.collect();
        let Some(last) = answers.last() else {
            return;
        };
        let message = index.entries()[*last].message;
        for record in &answers {
            let entry = &index.entries()[*record];
            if record == last || (message.is_some() && entry.message == message) {
                continue;
            }
            for (block, piece) in index.pieces(entry).iter().enumerate() {
                if index.is(piece.kind, "thinking") || index.is(piece.kind, "redacted_thinking") {
                    self.change(*record).gone.entry(block).or_insert(None);
                }
            }
        }
    }

    /// Records of which no block is left go, others lose these blocks.
    fn empty_records(&mut self) {
        let records: Vec<usize> = self.changes.keys().copied().collect();
        for record in records {
            let gone = self.change(record).gone.clone();
            let count = self.index.pieces(&self.index.entries()[record]).len();
            if gone.is_empty() {
                continue;
            }
            if gone.len() == count {
                let about = gone.values().next().copied().flatten();
                self.empty(record, about);
                continue;
            }
            for (block, about) in gone {
                self.change(record).items.insert(block, ItemChange::Drop);
                self.act(record, about, ActionKind::DropBlock { block });
            }
        }
    }

    /// A record of which nothing is left goes, or says what was there.
    fn empty(&mut self, record: usize, about: Option<About>) {
        let entry = &self.index.entries()[record];
        let free = entry.uuid.filter(|uuid| !self.fixed.contains(uuid));
        if self.care == Care::Free
            && let Some(uuid) = free
        {
            if !std::mem::replace(&mut self.change(record).goes, true) {
                self.removed.insert(uuid, entry.parent);
                self.plan.dropped.extend(super::uuid(self.index, record));
                self.act(record, about, ActionKind::DropRecord);
            }
            return;
        }
        let what = about.map_or("a thought", About::what);
        let by = format!("[removed by outcrop: {what}]");
        let blocks = self.index.pieces(entry).len();
        let content = format!("[{}]", text_block(&by));
        if entry.has_message {
            let change = self.change(record);
            change.items.clear();
            change.sets.push((vec!["message", "content"], content));
        } else {
            let role = if entry.kind == Kind::User {
                "user"
            } else {
                "assistant"
            };
            let message = format!(r#"{{"role":"{role}","content":{content}}}"#);
            self.change(record).sets.push((vec!["message"], message));
        }
        for block in 0..blocks.max(1) {
            let by = by.clone();
            self.act(record, about, ActionKind::ReplaceBlock { block, by });
        }
    }

    /// The nearest of a record and those above it that stays.
    fn survivor(&self, uuid: Id) -> Option<Id> {
        let mut at = Some(uuid);
        let mut seen = FxHashSet::default();
        while let Some(uuid) = at
            && let Some(above) = self.removed.get(&uuid)
        {
            if !seen.insert(uuid) {
                return None;
            }
            at = *above;
        }
        at
    }

    /// What named a record that goes names the one above it.
    fn follow_removed(&mut self) {
        if self.removed.is_empty() {
            return;
        }
        for (record, entry) in self.index.entries().iter().enumerate() {
            let goes = self.changes.get(&record).is_some_and(|change| change.goes);
            if goes {
                continue;
            }
            if let Some(parent) = entry.parent.filter(|uuid| self.removed.contains_key(uuid)) {
                let to = self.survivor(parent);
                self.relink(record, to, None);
            }
            let others = [
                ("logicalParentUuid", entry.logical_parent),
                ("leafUuid", entry.leaf),
            ];
            for (key, uuid) in others {
                if let Some(uuid) = uuid.filter(|uuid| self.removed.contains_key(uuid)) {
                    let value = self.json_of(self.survivor(uuid));
                    self.change(record).sets.push((vec![key], value));
                    self.act(record, None, ActionKind::Set { key });
                }
            }
        }
    }

    fn json_of(&self, uuid: Option<Id>) -> String {
        let uuid = uuid.map(|uuid| self.index.text(uuid));
        Value::from(uuid).to_string()
    }

    fn relink(&mut self, record: usize, to: Option<Id>, about: Option<About>) {
        let goes = self.changes.get(&record).is_some_and(|change| change.goes);
        if goes || to.is_some_and(|to| self.index.entries()[record].uuid == Some(to)) {
            return;
        }
        let value = self.json_of(to);
        self.change(record).sets.push((vec!["parentUuid"], value));
        let to = to.map(|to| self.index.text(to).to_owned());
        self.act(record, about, ActionKind::Relink { to });
    }

    /// Links a result behind its call. Tells whether it can be moved.
    fn place(
        &mut self,
        record: usize,
        behind: usize,
        next: Option<usize>,
        about: Option<About>,
    ) -> bool {
        let entries = self.index.entries();
        let (Some(uuid), Some(answer)) = (entries[record].uuid, entries[behind].uuid) else {
            return false;
        };
        if self.fixed.contains(&uuid) || self.fixed.contains(&answer) {
            return false;
        }
        self.changes.clear();
        self.plan = Plan::default();
        let above = entries[record].parent;
        for (child, entry) in entries.iter().enumerate() {
            if entry.parent == Some(uuid) && child != record && Some(child) != next {
                self.relink(child, above, about);
            }
        }
        self.relink(record, Some(answer), about);
        if let Some(next) = next {
            self.relink(next, Some(uuid), about);
        }
        true
    }

    fn edits(mut self) -> io::Result<Plan> {
        for (record, change) in std::mem::take(&mut self.changes) {
            let entry = &self.index.entries()[record];
            let start = entry.place.offset;
            let end = start + u64::from(entry.place.length);
            if change.goes {
                let edit = Edit::cut(line_around(self.transcript.source(), start, end)?);
                self.plan.edits.push(edit);
                continue;
            }
            if change.items.is_empty() && change.sets.is_empty() {
                continue;
            }
            let mut json = Json::new(self.transcript.json(entry)?);
            json.change(&["message", "content"], &change.items);
            for (path, value) in &change.sets {
                json.set(path, value);
            }
            self.plan.edits.push(Edit {
                range: start..end,
                text: json.into_text().into_bytes(),
            });
        }
        Ok(self.plan)
    }
}

fn text_block(text: &str) -> String {
    format!(r#"{{"type":"text","text":{}}}"#, Value::from(text))
}

/// The line that a record stands on, with the white space around it and its end.
fn line_around<S: Source>(source: &S, start: u64, end: u64) -> io::Result<std::ops::Range<u64>> {
    let byte = |at: u64| -> io::Result<u8> {
        let mut byte = [0; 1];
        source.read_at(at, &mut byte)?;
        Ok(byte[0])
    };
    let is_blank = |byte: u8| matches!(byte, b' ' | b'\t' | b'\r');
    let (mut from, mut to) = (start, end);
    while from > 0 && is_blank(byte(from - 1)?) {
        from -= 1;
    }
    while to < source.length() && is_blank(byte(to)?) {
        to += 1;
    }
    if to < source.length() && byte(to)? == b'\n' {
        to += 1;
    }
    Ok(from..to)
}
