//! From a record to its root, and to the notes below it.

use super::links::{Links, Parent, is_boundary, is_linked, named_parent};
use super::{ChainFault, ChainFaultKind};
use crate::transcript::{Index, Kind};

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

/// The walk from the session's start: a boundary is gone back over to the record that it follows.
/// What the last boundary keeps stands where it was written, not behind the summary.
pub(super) fn whole(index: &Index, walk: &[usize], kept: &[usize]) -> Vec<usize> {
    let mut seen = vec![false; index.entries().len()];
    for record in kept {
        seen[*record] = true;
    }
    let walk = walk.iter().copied();
    let last: Vec<usize> = walk.filter(|record| !seen[*record]).collect();
    seen.fill(false);
    for record in &last {
        seen[*record] = true;
    }
    let mut first = last.first().copied();
    let mut parts = vec![last];
    while let Some(before) = first.and_then(|record| before_boundary(index, record)) {
        let mut part = Vec::new();
        let mut at = Some(before);
        while let Some(record) = at.filter(|record| !std::mem::replace(&mut seen[*record], true)) {
            part.push(record);
            at = above(index, record);
        }
        if part.is_empty() {
            break;
        }
        part.reverse();
        first = part.first().copied();
        parts.push(part);
    }
    parts.into_iter().rev().flatten().collect()
}

/// The record that a boundary follows.
fn before_boundary(index: &Index, record: usize) -> Option<usize> {
    let entry = &index.entries()[record];
    let named = entry.logical_parent;
    match named.and_then(|uuid| index.by_uuid(uuid)) {
        None if is_boundary(index, entry) => talk_before(index, record),
        found => found,
    }
}

/// The parent of a record; where it is missing, the record of the talk before it in the file.
fn above(index: &Index, record: usize) -> Option<usize> {
    let parent = named_parent(index, record)?;
    index.by_uuid(parent).or_else(|| talk_before(index, record))
}

fn talk_before(index: &Index, record: usize) -> Option<usize> {
    let is_talk = |number: &usize| {
        let entry = &index.entries()[*number];
        entry.kind != Kind::Other && !entry.flags.sidechain && index.counts(*number)
    };
    (0..record).rev().find(is_talk)
}
