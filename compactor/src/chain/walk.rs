//! From a record to its root, and to the notes below it.

use super::links::{Links, Parent, is_linked};
use super::{ChainFault, ChainFaultKind};
use crate::transcript::Kind;

/// How much older than a record with a missing parent the record may be at which the walk goes
/// on, in milliseconds.
const GAP: i64 = 5_000;

/// From a record to its root by parents, root first.
pub(super) fn up(links: &Links<'_>, leaf: usize, faults: &mut Vec<ChainFault>) -> Vec<usize> {
    let mut seen = vec![false; links.index.entries().len()];
    seen[leaf] = true;
    let mut walk = vec![leaf];
    let mut at = leaf;
    loop {
        let next = match links.parent(at) {
            Parent::Root => None,
            Parent::Record(next) if !seen[next] => Some(next),
            Parent::Record(to) => {
                let goes_on = fallback(links, at, &seen);
                faults.push(ChainFault::new(at, ChainFaultKind::Cycle { to, goes_on }));
                goes_on
            }
            Parent::Missing(uuid) => {
                let goes_on = fallback(links, at, &seen);
                let parent = links.index.text(uuid).to_owned();
                let kind = ChainFaultKind::MissingParent { parent, goes_on };
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
fn fallback(links: &Links<'_>, record: usize, seen: &[bool]) -> Option<usize> {
    let entries = links.index.entries();
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
            && links.has(number);
        // Of several with one time, the first.
        if counts && best.is_none_or(|(newest, _)| other > newest) {
            best = Some((other, number));
        }
    }
    best.map(|(_, number)| number)
}

/// Attachments and notes of the system that hang below the leaf: they are part of the talk, too.
pub(super) fn notes_below(links: &Links<'_>, leaf: usize) -> Vec<usize> {
    links.below(leaf, |entry| {
        matches!(entry.kind, Kind::Attachment | Kind::System) && !entry.flags.sidechain
    })
}
