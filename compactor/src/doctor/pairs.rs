//! Findings in calls and results: which of them a resume does not send.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Scene;
use super::cure::Cure;
use super::finding::{About, Finding, Level};
use crate::transcript::{Id, Kind};

/// A call or a result of the records that count.
#[derive(Clone, Copy)]
struct Half {
    /// Its place among these records.
    place: usize,
    record: usize,
    block: usize,
    id: Id,
    is_call: bool,
}

/// What is wrong with calls and results.
pub(super) fn find(scene: &Scene<'_>) -> Vec<Finding> {
    let unread = unread(scene);
    let halves = halves(scene);
    let mut calls: FxHashMap<Id, Vec<Half>> = FxHashMap::default();
    let mut results: FxHashMap<Id, Vec<Half>> = FxHashMap::default();
    for half in &halves {
        let of = if half.is_call {
            &mut calls
        } else {
            &mut results
        };
        of.entry(half.id).or_default().push(*half);
    }
    let sent = |half: &Half| scene.sent.contains(&(half.record, half.block));
    let any_sent = |of: &FxHashMap<Id, Vec<Half>>, id: Id| {
        of.get(&id).is_some_and(|halves| halves.iter().any(sent))
    };
    let mut findings = Vec::new();
    let mut push = |about: About, level: Level, half: &Half| {
        let mut finding = scene.finding(about, level, half.record);
        finding.block = Some(half.block);
        finding.id = Some(scene.index.text(half.id).to_owned());
        let cure = match about {
            About::MisplacedToolResult => place(scene, half, calls.get(&half.id)),
            _ => None,
        };
        findings.push(finding.with(cure.unwrap_or(Cure::DropBlock {
            record: half.record,
            block: half.block,
        })));
    };
    for half in &halves {
        let is_answered = results.contains_key(&half.id);
        if unread.contains(&half.id) && !sent(half) {
            // Its other half is there, on a line that is told of by itself.
            continue;
        }
        match (half.is_call, sent(half)) {
            (true, _) if !is_answered && is_at_end(scene, half) => {
                push(About::EndsInToolCall, Level::Notice, half);
            }
            (true, false) if !is_answered => push(About::OrphanToolCall, Level::Error, half),
            (true, false) if any_sent(&calls, half.id) => {
                push(About::DuplicateToolCall, Level::Error, half);
            }
            (false, false) if !calls.contains_key(&half.id) => {
                push(About::OrphanToolResult, Level::Error, half);
            }
            (false, false) if any_sent(&results, half.id) => {
                push(About::DuplicateToolResult, Level::Warning, half);
            }
            (false, false) => push(About::MisplacedToolResult, Level::Error, half),
            (true, _) | (false, true) => {}
        }
    }
    findings
}

fn halves(scene: &Scene<'_>) -> Vec<Half> {
    let index = scene.index;
    let mut halves = Vec::new();
    for (place, record) in scene.chain.records.iter().enumerate() {
        let entry = &index.entries()[*record];
        for (block, piece) in index.pieces(entry).iter().enumerate() {
            let is_call = entry.kind == Kind::Assistant && index.is(piece.kind, "tool_use");
            let is_result = entry.kind == Kind::User && index.is(piece.kind, "tool_result");
            if let Some(id) = piece.tool.filter(|_| is_call || is_result) {
                halves.push(Half {
                    place,
                    record: *record,
                    block,
                    id,
                    is_call,
                });
            }
        }
    }
    halves
}

/// Where a result belongs: behind the answer that made its call.
fn place(scene: &Scene<'_>, result: &Half, calls: Option<&Vec<Half>>) -> Option<Cure> {
    let index = scene.index;
    let entries = index.entries();
    let walk = &scene.chain.walk;
    let on_walk = |record: usize| walk.iter().position(|at| *at == record);
    let call = calls?.first()?;
    let entry = &entries[result.record];
    let pieces = index.pieces(entry);
    let is_alone = pieces
        .iter()
        .all(|piece| index.is(piece.kind, "tool_result"));
    let is_moved = |record: usize| scene.chain.kept.contains(&record);
    on_walk(result.record)?;
    let mut at = on_walk(call.record)?;
    let message = entries[call.record].message;
    let is_own = |record: &usize| {
        entries[*record].kind == Kind::Assistant && entries[*record].message == message
    };
    while message.is_some() && walk.get(at + 1).is_some_and(is_own) {
        at += 1;
    }
    let (behind, next) = (walk[at], walk.get(at + 1).copied());
    let hangs_there = next.is_none_or(|next| scene.parent(next) == Some(behind));
    // In a walk with gaps, or where it hangs there already, its place tells nothing.
    let can_go = is_alone
        && hangs_there
        && scene.chain.faults.is_empty()
        && scene.parent(result.record) != Some(behind)
        && next != Some(result.record)
        && !is_moved(result.record)
        && !is_moved(behind)
        && !next.is_some_and(is_moved);
    can_go.then_some(Cure::Move {
        record: result.record,
        behind,
        next,
    })
}

/// Calls and results in records that the client does not read.
fn unread(scene: &Scene<'_>) -> FxHashSet<Id> {
    let entries = scene.index.entries().iter();
    entries
        .filter(|entry| !entry.flags.readable)
        .flat_map(|entry| scene.index.pieces(entry))
        .filter_map(|piece| piece.tool)
        .collect()
}

/// Whether nothing but its own answer, other results of that, and notes follow a call.
fn is_at_end(scene: &Scene<'_>, call: &Half) -> bool {
    let index = scene.index;
    let entries = index.entries();
    let message = entries[call.record].message;
    let records = scene.chain.records.iter();
    let own: FxHashSet<Id> = records
        .clone()
        .filter(|record| message.is_some() && entries[**record].message == message)
        .flat_map(|record| index.pieces(&entries[*record]))
        .filter_map(|piece| piece.tool)
        .collect();
    records.skip(call.place + 1).all(|record| {
        let entry = &entries[*record];
        match entry.kind {
            Kind::Assistant => message.is_some() && entry.message == message,
            Kind::User => index
                .pieces(entry)
                .iter()
                .all(|piece| piece.tool.is_some_and(|id| own.contains(&id))),
            _ => true,
        }
    })
}
