//! From a record to its root, and to the notes below it.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::links::{Links, Parent, is_boundary, is_linked, named_parents};
use super::{ChainFault, ChainFaultKind};
use crate::transcript::{Id, Index, Kind};

/// How much older than a record with a missing parent the record may be at which the walk goes
/// on, in milliseconds.
const GAP: i64 = 5_000;

/// From a record to its root by parents, root first.
pub(super) fn up(links: &Links<'_>, leaf: usize, faults: &mut Vec<ChainFault>) -> Vec<usize> {
    let mut seen = vec![false; links.index.entries().len()];
    seen[leaf] = true;
    let mut walk = vec![leaf];
    let mut at = leaf;
    let mut by_time = None;
    loop {
        let next = match links.parent(at) {
            Parent::Root => None,
            Parent::Record(next) if !seen[next] => Some(next),
            Parent::Record(to) => {
                let goes_on = fallback(links, at, &seen, &mut by_time);
                faults.push(ChainFault::new(at, ChainFaultKind::Cycle { to, goes_on }));
                goes_on
            }
            Parent::Missing(uuid) => {
                let goes_on = fallback(links, at, &seen, &mut by_time);
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

/// Records by time; of several with one time, the first comes last. Those of sub-agents stand by
/// themselves.
#[derive(Default)]
struct ByTime {
    main: BTreeSet<(i64, Reverse<usize>)>,
    side: BTreeSet<(i64, Reverse<usize>)>,
}

impl ByTime {
    fn of(links: &Links<'_>) -> Self {
        let mut by_time = Self::default();
        for (number, entry) in links.index.entries().iter().enumerate() {
            if let Some(time) = entry.time
                && is_linked(entry)
                && links.has(number)
            {
                by_time
                    .like(entry.flags.sidechain)
                    .insert((time, Reverse(number)));
            }
        }
        by_time
    }

    fn like(&mut self, sidechain: bool) -> &mut BTreeSet<(i64, Reverse<usize>)> {
        match sidechain {
            true => &mut self.side,
            false => &mut self.main,
        }
    }
}

/// Where the client goes on when a parent is missing: at the newest record that is not newer and
/// at most five seconds older, whatever branch it is of.
fn fallback(
    links: &Links<'_>,
    record: usize,
    seen: &[bool],
    by_time: &mut Option<ByTime>,
) -> Option<usize> {
    let cut = &links.index.entries()[record];
    let time = cut.time?;
    let by_time = by_time.get_or_insert_with(|| ByTime::of(links));
    let records = by_time.like(cut.flags.sidechain);
    let oldest = (time.saturating_sub(GAP), Reverse(usize::MAX));
    loop {
        let newest = *records.range(oldest..=(time, Reverse(0))).next_back()?;
        if !seen[newest.1.0] {
            return Some(newest.1.0);
        }
        // The walk never comes back.
        records.remove(&newest);
    }
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
    let named = named_parents(index);
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
            at = above(index, &named, record);
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
fn above(index: &Index, named: &[Option<Id>], record: usize) -> Option<usize> {
    let parent = named[record]?;
    index.by_uuid(parent).or_else(|| talk_before(index, record))
}

fn talk_before(index: &Index, record: usize) -> Option<usize> {
    let is_talk = |number: &usize| {
        let entry = &index.entries()[*number];
        entry.kind != Kind::Other && !entry.flags.sidechain && index.counts(*number)
    };
    (0..record).rev().find(is_talk)
}
