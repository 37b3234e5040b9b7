//! Blocks of one answer, and results of calls made at once, that the walk passes by
//! (facts C1.5, I70).

use rustc_hash::{FxHashMap, FxHashSet};

use super::leaf::is_talk;
use crate::transcript::{Id, Index, Kind};

/// Adds to the records of each answer its other blocks, and behind them the results of calls that
/// hang on them.
pub(super) fn add(index: &Index, has: impl Fn(usize) -> bool, records: &mut Vec<usize>) {
    let entries = index.entries();
    let present: FxHashSet<usize> = records.iter().copied().collect();
    // The last record of each answer in the walk: what is added stands behind it.
    let mut last: FxHashMap<Id, usize> = FxHashMap::default();
    for record in records.iter() {
        if let (Kind::Assistant, Some(message)) = (entries[*record].kind, entries[*record].message)
        {
            last.insert(message, *record);
        }
    }
    let mut answer_of: FxHashMap<Id, Id> = FxHashMap::default();
    let mut blocks: FxHashMap<Id, Vec<usize>> = FxHashMap::default();
    let mut results: FxHashMap<Id, Vec<usize>> = FxHashMap::default();
    for (number, entry) in entries.iter().enumerate() {
        if !has(number) || !is_talk(entry) {
            continue;
        }
        match (entry.kind, entry.message, entry.uuid) {
            (Kind::Assistant, Some(message), Some(uuid)) if last.contains_key(&message) => {
                answer_of.insert(uuid, message);
                if !present.contains(&number) {
                    blocks.entry(message).or_default().push(number);
                }
            }
            _ => {}
        }
    }
    for (number, entry) in entries.iter().enumerate() {
        if entry.kind == Kind::User
            && is_talk(entry)
            && !present.contains(&number)
            && let Some(answer) = entry.parent.and_then(|parent| answer_of.get(&parent))
            && index
                .pieces(entry)
                .iter()
                .any(|piece| index.is(piece.kind, "tool_result"))
            && has(number)
        {
            results.entry(*answer).or_default().push(number);
        }
    }
    if blocks.is_empty() && results.is_empty() {
        return;
    }
    let mut whole = Vec::with_capacity(records.len() + blocks.len() + results.len());
    for record in records.drain(..) {
        whole.push(record);
        let message = entries[record].message;
        if let Some(message) = message
            && last.get(&message) == Some(&record)
        {
            whole.extend(blocks.remove(&message).unwrap_or_default());
            whole.extend(results.remove(&message).unwrap_or_default());
        }
    }
    *records = whole;
}
