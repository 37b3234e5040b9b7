//! Which records of a transcript count: from the leaf to the root, and from the last boundary on.

mod boundary;
mod fault;
mod leaf;
mod siblings;

use std::io;

use rustc_hash::FxHashMap;

use crate::transcript::{Entry, Id, Index, Kind, Source, Transcript};

pub use boundary::Preserved;
pub use fault::{ChainFault, ChainFaultKind};
pub use leaf::LeafReason;

/// How a client version chooses and walks. See `docs/client-versions.md`.
pub use outcrop_loader::client::Resume;

/// Which records count.
#[derive(Debug, Default)]
pub struct Chain {
    /// The record from which the walk began; none in a transcript without conversation.
    pub leaf: Option<usize>,
    /// Why this one.
    pub reason: LeafReason,
    /// From the root to the leaf, by parents alone.
    pub walk: Vec<usize>,
    /// What counts: the walk behind its last boundary, with the messages that the boundary keeps
    /// and the results of parallel calls.
    pub records: Vec<usize>,
    /// The boundary that cuts the walk.
    pub boundary: Option<usize>,
    /// What the boundary kept of the messages before it.
    pub preserved: Preserved,
    /// Leaves of other branches, in the order of the file.
    pub other_leaves: Vec<usize>,
    /// What is wrong with the walk.
    pub faults: Vec<ChainFault>,
}

impl Chain {
    /// Follows the records of `transcript` as a client that resumes it does.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn of<S: Source>(transcript: &Transcript<S>, client: &Resume) -> io::Result<Self> {
        let index = transcript.index();
        let tree = Tree::of(index);
        let mut chain = Self::default();
        let Some((leaf, reason)) = leaf::choose(index, &tree, client) else {
            return Ok(chain);
        };
        chain.leaf = Some(leaf);
        chain.reason = reason;
        chain.walk = walk(index, leaf, &mut chain.faults);
        chain.other_leaves = leaf::others(index, &chain.walk);
        chain.records = boundary::cut(transcript, &mut chain)?;
        siblings::add(index, &mut chain.records);
        Ok(chain)
    }

    /// The records that a walk reaches which stops at the first missing parent, as the number
    /// that is safe whatever the client does (fact C7.6: the client goes on at the record before).
    #[must_use]
    pub fn strict_reach(&self) -> usize {
        let gap = self
            .faults
            .iter()
            .filter(|fault| matches!(fault.kind, ChainFaultKind::MissingParent { .. }))
            .filter_map(|fault| self.walk.iter().position(|record| *record == fault.record))
            .max();
        self.walk.len() - gap.unwrap_or(0)
    }
}

/// Whether a record can be part of the chain: it stands alone on its line, has a uuid, and is not
/// a sub-agent's.
pub(crate) fn is_linked(entry: &Entry) -> bool {
    entry.uuid.is_some() && entry.flags.alone && !entry.flags.sidechain
}

/// Whether a record is part of the talk itself.
pub(crate) fn is_talk(entry: &Entry) -> bool {
    matches!(entry.kind, Kind::User | Kind::Assistant) && is_linked(entry)
}

/// The children of each record, in the order of the file.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    children: FxHashMap<Id, Vec<usize>>,
}

impl Tree {
    fn of(index: &Index) -> Self {
        let mut tree = Self::default();
        for (number, entry) in index.entries().iter().enumerate() {
            // Of several records with one uuid, the last counts.
            let counts = entry.uuid.and_then(|uuid| index.by_uuid(uuid)) == Some(number);
            if counts
                && is_linked(entry)
                && let Some(parent) = entry.parent.record()
                && Some(parent) != entry.uuid
            {
                tree.children.entry(parent).or_default().push(number);
            }
        }
        tree
    }

    fn children(&self, entry: &Entry) -> &[usize] {
        entry
            .uuid
            .and_then(|uuid| self.children.get(&uuid))
            .map_or(&[], Vec::as_slice)
    }

    /// Whether a record stands below another.
    fn is_below(&self, index: &Index, record: usize, above: usize) -> bool {
        let entries = index.entries();
        let mut at = record;
        // No chain is longer than the file; a circle is.
        for _ in 0..entries.len() {
            let parent = entries[at].parent.record();
            match parent.and_then(|parent| index.by_uuid(parent)) {
                Some(parent) if parent == above => return true,
                Some(parent) => at = parent,
                None => return false,
            }
        }
        false
    }

    /// All records below one, itself left out.
    fn below(&self, index: &Index, from: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut seen = vec![false; index.entries().len()];
        let mut waiting = vec![from];
        seen[from] = true;
        while let Some(record) = waiting.pop() {
            for child in self.children(&index.entries()[record]) {
                if !std::mem::replace(&mut seen[*child], true) {
                    found.push(*child);
                    waiting.push(*child);
                }
            }
        }
        found
    }
}

/// From a record to its root by parents, root first.
fn walk(index: &Index, leaf: usize, faults: &mut Vec<ChainFault>) -> Vec<usize> {
    let entries = index.entries();
    let mut seen = vec![false; entries.len()];
    let mut walk = Vec::new();
    let mut at = Some(leaf);
    while let Some(record) = at {
        if std::mem::replace(&mut seen[record], true) {
            let from = walk.last().copied().unwrap_or(record);
            faults.push(ChainFault::new(from, ChainFaultKind::Cycle { to: record }));
            break;
        }
        walk.push(record);
        let Some(parent) = entries[record].parent.record() else {
            break;
        };
        at = index.by_uuid(parent);
        if at.is_none() {
            let previous = entries[..record].iter().rposition(is_linked);
            let kind = ChainFaultKind::MissingParent {
                parent: index.text(parent).to_owned(),
                previous,
            };
            faults.push(ChainFault::new(record, kind));
            at = previous;
        }
    }
    walk.reverse();
    walk
}
