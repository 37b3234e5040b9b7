//! From a record to its root, and to the notes below it.

use super::tree::{Tree, is_linked};
use super::{ChainFault, ChainFaultKind};
use crate::transcript::{Id, Index, Kind};

/// How much older than a record with a missing parent the record may be at which the walk goes
/// on, in milliseconds.
const GAP: i64 = 5_000;

/// The uuid of a record's parent. Records of progress stand for their own parents, where they
/// stand before their children in the file.
pub(super) fn parent(index: &Index, record: usize) -> Option<Id> {
    let entries = index.entries();
    let mut parent = entries[record].parent?;
    let mut child = record;
    while index.by_uuid(parent).is_none()
        && let Some(progress) = index.progress(parent)
        && progress < child
    {
        child = progress;
        parent = entries[progress].parent?;
    }
    Some(parent)
}

/// From a record to its root by parents, root first.
pub(super) fn up(index: &Index, leaf: usize, faults: &mut Vec<ChainFault>) -> Vec<usize> {
    let mut seen = vec![false; index.entries().len()];
    seen[leaf] = true;
    let mut walk = vec![leaf];
    let mut at = leaf;
    while let Some(uuid) = parent(index, at) {
        let found = index.by_uuid(uuid);
        let next = match found {
            Some(next) if !seen[next] => Some(next),
            _ => {
                let goes_on = fallback(index, at, &seen);
                let kind = match found {
                    Some(to) => ChainFaultKind::Cycle { to, goes_on },
                    None => ChainFaultKind::MissingParent {
                        parent: index.text(uuid).to_owned(),
                        goes_on,
                    },
                };
                faults.push(ChainFault::new(at, kind));
                goes_on
            }
        };
        let Some(next) = next else {
            break;
        };
        seen[next] = true;
        walk.push(next);
        at = next;
    }
    walk.reverse();
    walk
}

/// Where the client goes on when a parent is missing: at the newest record that is not newer and
/// at most five seconds older, whatever branch it is of.
fn fallback(index: &Index, record: usize, seen: &[bool]) -> Option<usize> {
    let entries = index.entries();
    let cut = &entries[record];
    let time = cut.time?;
    let mut best: Option<(i64, usize)> = None;
    for (number, entry) in entries.iter().enumerate() {
        let Some(other) = entry.time else {
            continue;
        };
        let counts = other <= time
            && time - other <= GAP
            && entry.flags.sidechain == cut.flags.sidechain
            && !seen[number]
            && is_linked(entry)
            && index.counts(number);
        // Of several with one time, the first.
        if counts && best.is_none_or(|(newest, _)| other > newest) {
            best = Some((other, number));
        }
    }
    best.map(|(_, number)| number)
}

/// Attachments and notes of the system that hang below the leaf: they are part of the talk, too.
pub(super) fn notes_below(index: &Index, tree: &Tree, leaf: usize) -> Vec<usize> {
    tree.below(index, leaf, |entry| {
        !entry.flags.sidechain
            && match entry.kind {
                Kind::Attachment => true,
                Kind::System => !index.is(entry.detail, "compact_boundary"),
                _ => false,
            }
    })
}
