//! Blocks of one answer, and results of calls made at once, that the walk passes by
//! (facts C1.5, I70; docs/facts-sessions.md 157 to 160).

use rustc_hash::{FxHashMap, FxHashSet};

use super::Resume;
use super::leaf::is_talk;
use crate::transcript::{Entry, Id, Index, Kind};

/// Adds to the records of each answer its other blocks, and behind them the results of calls that
/// hang on them, with what hangs below these.
pub(super) fn add(
    index: &Index,
    has: impl Fn(usize) -> bool,
    client: &Resume,
    records: &mut Vec<usize>,
) {
    let entries = index.entries();
    let present: FxHashSet<usize> = records.iter().copied().collect();
    let mut on_walk: FxHashSet<Id> = FxHashSet::default();
    for record in records.iter() {
        if entries[*record].kind == Kind::Assistant {
            on_walk.extend(entries[*record].message);
        }
    }
    // Blocks of these answers, by uuid, on the walk and off it.
    let mut answer_of: FxHashMap<Id, Id> = FxHashMap::default();
    let mut blocks: FxHashMap<Id, Vec<usize>> = FxHashMap::default();
    for (number, entry) in entries.iter().enumerate() {
        if let (Kind::Assistant, Some(message), Some(uuid)) =
            (entry.kind, entry.message, entry.uuid)
            && on_walk.contains(&message)
            && has(number)
            && is_talk(entry)
        {
            answer_of.insert(uuid, message);
            if !present.contains(&number) {
                blocks.entry(message).or_default().push(number);
            }
        }
    }
    let is_result = |entry: &Entry| {
        entry.kind == Kind::User
            && is_talk(entry)
            && index
                .pieces(entry)
                .iter()
                .any(|piece| index.is(piece.kind, "tool_result"))
    };
    let mut results: FxHashMap<Id, Vec<usize>> = FxHashMap::default();
    // What hangs below a result or a block off the walk, by the uuid that it can hang on.
    let mut below: FxHashMap<Id, Id> = FxHashMap::default();
    for number in blocks.values().flatten() {
        if let (Some(uuid), Some(message)) = (entries[*number].uuid, entries[*number].message) {
            below.insert(uuid, message);
        }
    }
    let calls: FxHashSet<Id> = entries
        .iter()
        .filter(|entry| {
            let pieces = index.pieces(entry).iter();
            entry.kind == Kind::Assistant
                && pieces
                    .into_iter()
                    .any(|piece| index.is(piece.kind, "tool_use"))
        })
        .filter_map(|entry| entry.message)
        .collect();
    // What of the walk hangs below an answer, and answers between whose blocks attachments stand.
    let mut hanging: FxHashMap<usize, Id> = FxHashMap::default();
    let mut parted: FxHashSet<Id> = FxHashSet::default();
    if client.attachments_rendered {
        // So can what hangs below blocks on the walk of answers with calls, and below results.
        let mut answer = None;
        let mut attached: FxHashSet<Id> = FxHashSet::default();
        for record in records.iter() {
            let entry = &entries[*record];
            match (entry.kind, entry.uuid, answer) {
                (Kind::Assistant, uuid, _) => {
                    answer = entry.message.filter(|message| calls.contains(message));
                    if let (Some(uuid), Some(message)) = (uuid, answer) {
                        below.insert(uuid, message);
                        if attached.contains(&message) {
                            parted.insert(message);
                        }
                    }
                }
                (kind, Some(uuid), Some(answer)) if is_result(entry) || is_note(index, entry) => {
                    below.insert(uuid, answer);
                    hanging.insert(*record, answer);
                    if kind == Kind::Attachment {
                        attached.insert(answer);
                    }
                }
                (Kind::User, ..) => {
                    answer = None;
                    attached.clear();
                }
                _ => {}
            }
        }
    }
    for (number, entry) in entries.iter().enumerate() {
        if present.contains(&number) || !has(number) {
            continue;
        }
        let Some(parent) = entry.parent else {
            continue;
        };
        let answer = match (is_result(entry), answer_of.get(&parent), below.get(&parent)) {
            (true, Some(answer), _) => answer,
            (true, None, Some(answer)) if client.attachments_rendered => answer,
            (false, _, Some(answer)) if client.attachments_rendered && is_note(index, entry) => {
                answer
            }
            _ => continue,
        };
        results.entry(*answer).or_default().push(number);
        if let Some(uuid) = entry.uuid {
            below.insert(uuid, *answer);
        }
    }
    // Results that the walk has itself are brought in order with the others, with newer clients also
    // what hangs below them, and all of it where an attachment parts an answer.
    let mut walked: FxHashMap<Id, Vec<usize>> = FxHashMap::default();
    let own = records.iter().filter(|_| client.attachments_rendered);
    for record in own {
        let entry = &entries[*record];
        let parent = entry.parent.filter(|_| is_result(entry));
        let direct = parent.and_then(|parent| answer_of.get(&parent));
        if let Some(answer) = direct.or(hanging.get(record)) {
            walked.entry(*answer).or_default().push(*record);
        }
    }
    walked.retain(|answer, _| results.contains_key(answer) || parted.contains(answer));
    if blocks.is_empty() && results.is_empty() && walked.is_empty() {
        return;
    }
    let moved: FxHashSet<usize> = walked.values().flatten().copied().collect();
    let mut last: FxHashMap<Id, usize> = FxHashMap::default();
    for record in records.iter() {
        if let (Kind::Assistant, Some(message)) = (entries[*record].kind, entries[*record].message)
        {
            last.insert(message, *record);
        }
    }
    let mut whole = Vec::with_capacity(records.len() + blocks.len() + results.len());
    for record in records.drain(..) {
        if !moved.contains(&record) {
            whole.push(record);
        }
        let Some(message) = entries[record]
            .message
            .filter(|message| last.get(message) == Some(&record))
        else {
            continue;
        };
        whole.extend(blocks.remove(&message).unwrap_or_default());
        let mut found = results.remove(&message).unwrap_or_default();
        let mut own = walked.remove(&message).unwrap_or_default();
        if client.attachments_rendered {
            found.append(&mut own);
            found.sort_unstable();
        } else {
            // Of one time, in the order of their calls.
            let call = |record: usize| {
                entries[record]
                    .parent
                    .and_then(|parent| index.by_uuid(parent))
            };
            found.sort_by_key(|record| (entries[*record].time, call(*record), *record));
            found.append(&mut own);
        }
        whole.append(&mut found);
    }
    *records = whole;
}

/// Whether a record is put in by the client below a result.
fn is_note(index: &Index, entry: &Entry) -> bool {
    !entry.flags.sidechain
        && match entry.kind {
            Kind::Attachment => true,
            Kind::System => index.is(entry.detail, "local_command"),
            Kind::User => entry.flags.meta,
            _ => false,
        }
}
