//! What a boundary cuts off and what it keeps (facts C7.7, I35, I70).

use std::io;

use rustc_hash::FxHashSet;

use super::tree::is_linked;
use super::{Chain, ChainFault, ChainFaultKind};
use crate::transcript::record::Compaction;
use crate::transcript::{Index, Kind, Source, Transcript};

/// The messages before a boundary that it keeps.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Preserved {
    /// Their records, in order.
    pub records: Vec<usize>,
    /// They stand before the summary instead of behind it: the boundary itself is their anchor.
    pub before_summary: bool,
}

/// The records of the walk that count, the kept ones put in their place.
pub(super) fn cut<S: Source>(
    transcript: &Transcript<S>,
    chain: &mut Chain,
) -> io::Result<Vec<usize>> {
    let index = transcript.index();
    let entries = index.entries();
    let is_boundary = |record: &usize| {
        entries[*record].kind == Kind::System
            && index.is(entries[*record].detail, "compact_boundary")
    };
    let Some(at) = chain.walk.iter().rposition(is_boundary) else {
        return Ok(chain.walk.clone());
    };
    let boundary = chain.walk[at];
    chain.boundary = Some(boundary);
    let records = chain.walk[at + 1..].to_vec();
    let record = transcript.record(&entries[boundary])?;
    let Some(compaction) = record.compaction else {
        return Ok(records);
    };
    let (anchor, kept) = match kept(index, &compaction) {
        Ok(Some(found)) => found,
        Ok(None) => return Ok(records),
        Err(uuid) => {
            let kind = ChainFaultKind::KeptMessagesMissing { uuid };
            chain.faults.push(ChainFault::new(boundary, kind));
            return Ok(records);
        }
    };
    let anchor = index.find(&anchor).and_then(|uuid| index.by_uuid(uuid));
    let place = match anchor {
        Some(anchor) if anchor != boundary => records.iter().position(|record| *record == anchor),
        _ => None,
    };
    chain.preserved = Preserved {
        records: kept.clone(),
        before_summary: anchor == Some(boundary),
    };
    let names: FxHashSet<usize> = kept.iter().copied().collect();
    let (before, behind) = records.split_at(place.map_or(0, |place| place + 1));
    let others = |records: &[usize]| -> Vec<usize> {
        let other = records.iter().filter(|record| !names.contains(record));
        other.copied().collect()
    };
    Ok([others(before), kept, others(behind)].concat())
}

/// The anchor and the records that a boundary keeps, or the uuid that led nowhere.
fn kept(index: &Index, compaction: &Compaction) -> Result<Option<(String, Vec<usize>)>, String> {
    let find = |uuid: &str| index.find(uuid).and_then(|uuid| index.by_uuid(uuid));
    if let Some(messages) = &compaction.messages {
        let records = messages.uuids.iter().filter_map(|uuid| find(uuid));
        return Ok(Some((messages.anchor.clone(), records.collect())));
    }
    let Some(segment) = &compaction.segment else {
        return Ok(None);
    };
    let entries = index.entries();
    let head = find(&segment.head).ok_or_else(|| segment.head.clone())?;
    let mut at = find(&segment.tail).ok_or_else(|| segment.tail.clone())?;
    let mut records = vec![at];
    while at != head {
        let parent = entries[at].parent.and_then(|uuid| index.by_uuid(uuid));
        at = parent
            .filter(|parent| is_linked(&entries[*parent]) && records.len() <= entries.len())
            .ok_or_else(|| segment.head.clone())?;
        records.push(at);
    }
    records.reverse();
    Ok(Some((segment.anchor.clone(), records)))
}
