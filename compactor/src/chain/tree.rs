//! The children of records.

use rustc_hash::FxHashMap;

use crate::transcript::{Entry, Id, Index, Kind};

/// Whether a record can be part of the chain.
pub(super) fn is_linked(entry: &Entry) -> bool {
    entry.uuid.is_some() && entry.flags.alone && entry.kind != Kind::Other
}

/// Whether a record is part of the talk itself, not of a sub-agent's.
pub(super) fn is_talk(entry: &Entry) -> bool {
    matches!(entry.kind, Kind::User | Kind::Assistant) && is_linked(entry) && !entry.flags.sidechain
}

/// The children of each record, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Tree {
    children: FxHashMap<Id, Vec<usize>>,
}

impl Tree {
    pub(super) fn of(index: &Index) -> Self {
        let mut tree = Self::default();
        for (number, entry) in index.entries().iter().enumerate() {
            if index.counts(number)
                && is_linked(entry)
                && let Some(parent) = super::walk::parent(index, number)
                && Some(parent) != entry.uuid
            {
                tree.children.entry(parent).or_default().push(number);
            }
        }
        tree
    }

    pub(super) fn children(&self, entry: &Entry) -> &[usize] {
        entry
            .uuid
            .and_then(|uuid| self.children.get(&uuid))
            .map_or(&[], Vec::as_slice)
    }

    /// Whether a record stands below another.
    pub(super) fn is_below(&self, index: &Index, record: usize, above: usize) -> bool {
        let entries = index.entries();
        let mut at = record;
        // No chain is longer than the file; a circle is.
        for _ in 0..entries.len() {
            let parent = super::walk::parent(index, at);
            match parent.and_then(|parent| index.by_uuid(parent)) {
                Some(parent) if parent == above => return true,
                Some(parent) => at = parent,
                None => return false,
            }
        }
        false
    }

    /// All records below one that `goes_on` lets through, itself left out, each before its own
    /// children.
    pub(super) fn below(
        &self,
        index: &Index,
        from: usize,
        goes_on: impl Fn(&Entry) -> bool,
    ) -> Vec<usize> {
        let entries = index.entries();
        let mut found = Vec::new();
        let mut seen = vec![false; entries.len()];
        let mut waiting = vec![from];
        seen[from] = true;
        while let Some(record) = waiting.pop() {
            if record != from {
                found.push(record);
            }
            for child in self.children(&entries[record]).iter().rev() {
                if goes_on(&entries[*child]) && !std::mem::replace(&mut seen[*child], true) {
                    waiting.push(*child);
                }
            }
        }
        found
    }
}
