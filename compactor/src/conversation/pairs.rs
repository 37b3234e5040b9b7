//! Calls and results that have no other half (fact C7.6).

use rustc_hash::FxHashSet;

use super::items::{AnswerId, Item, client_text};
use super::{Block, ClientText, Placed};
use crate::chain::Resume;
use crate::transcript::record;

/// Takes away calls without result and results without call. Where the talk ends in an open call,
/// newer clients answer it instead.
pub(super) fn mend(items: &mut Vec<Item>, client: &Resume) {
    let mut calls = FxHashSet::default();
    let mut answered = FxHashSet::default();
    for placed in items.iter().flat_map(blocks) {
        match &placed.block {
            Block::Read(record::Block::ToolUse { id, .. }) => {
                calls.insert(id.clone());
            }
            Block::Read(record::Block::ToolResult { id, .. }) => {
                answered.insert(id.clone());
            }
            _ => {}
        }
    }
    let ends_open = ends_in_open_call(items, &answered);
    if client.answers_open_calls && !ends_open.is_empty() {
        let results = ends_open.iter().map(|id| Placed {
            block: Block::Read(record::Block::ToolResult {
                id: id.clone(),
                content: record::Content::Missing,
                is_error: true,
            }),
            from: None,
        });
        let results = results.collect();
        answered.extend(ends_open);
        items.push(Item::User {
            results,
            others: Vec::new(),
            is_talk: true,
        });
    }
    let mut seen = FxHashSet::default();
    for item in items.iter_mut() {
        let keep = |placed: &Placed| match &placed.block {
            Block::Read(record::Block::ToolUse { id, .. }) => answered.contains(id),
            Block::Read(record::Block::ToolResult { id, .. }) => calls.contains(id),
            _ => true,
        };
        match item {
            Item::Answer { blocks, .. } => blocks.retain(keep),
            Item::User { results, .. } => results.retain(|placed| {
                let Block::Read(record::Block::ToolResult { id, .. }) = &placed.block else {
                    return true;
                };
                keep(placed) && seen.insert(id.clone())
            }),
            _ => {}
        }
    }
    // An answer that says nothing is none, also where it only thought at the end.
    items.retain(|item| !matches!(item, Item::Answer { blocks, .. } if blocks.is_empty()));
    drop_empty_end(items);
    if ends_with_prompt(items) {
        if client.tells_to_go_on && ends_behind_prompt(items) {
            items.push(Item::User {
                results: Vec::new(),
                others: vec![client_text(ClientText::GoOn)],
                is_talk: true,
            });
        }
        items.push(Item::Answer {
            id: AnswerId::Made,
            blocks: vec![client_text(ClientText::NoResponse)],
        });
    }
}

fn blocks(item: &Item) -> &[Placed] {
    match item {
        Item::Answer { blocks, .. } => blocks,
        Item::User { results, .. } => results,
        Item::Attached(blocks) | Item::Told(blocks) | Item::Queued(blocks) => blocks,
    }
}

/// The calls of the last answer that have no result, if nobody spoke after it.
fn ends_in_open_call(items: &[Item], answered: &FxHashSet<String>) -> Vec<String> {
    let mut open = Vec::new();
    for item in items.iter().rev() {
        match item {
            Item::Answer { blocks, .. } => {
                let calls = blocks.iter().filter_map(|placed| match &placed.block {
                    Block::Read(record::Block::ToolUse { id, .. }) => Some(id.clone()),
                    _ => None,
                });
                let calls = calls.filter(|id| !answered.contains(id));
                open.splice(0..0, calls);
            }
            Item::User { .. } => break,
            _ => {}
        }
    }
    open
}

/// Answers at the end that hold only thoughts go (fact C7.6).
fn drop_empty_end(items: &mut Vec<Item>) {
    let Some(last) = items
        .iter()
        .rposition(|item| matches!(item, Item::Answer { .. }))
    else {
        return;
    };
    let Item::Answer { id, .. } = &items[last] else {
        return;
    };
    let id = *id;
    let is_thought = |placed: &Placed| {
        matches!(&placed.block, Block::Read(record::Block::Thinking { .. }))
            || matches!(&placed.block, Block::Read(record::Block::Other { kind, .. }) if kind == "redacted_thinking")
    };
    let same = |item: &Item| matches!(item, Item::Answer { id: other, .. } if *other == id && id != AnswerId::None);
    let only_thoughts = items
        .iter()
        .enumerate()
        .filter(|(number, item)| *number == last || same(item))
        .all(|(_, item)| blocks(item).iter().all(is_thought));
    if only_thoughts
        && items[last + 1..]
            .iter()
            .all(|item| !matches!(item, Item::User { .. }))
    {
        let mut number = 0;
        items.retain(|item| {
            let goes = number == last || same(item);
            number += 1;
            !goes
        });
    }
}

fn ends_with_prompt(items: &[Item]) -> bool {
    for item in items.iter().rev() {
        match item {
            Item::Answer { .. } => return false,
            Item::User { is_talk: true, .. } => return true,
            _ => {}
        }
    }
    false
}

/// Whether the last user record is a result, or has something behind it.
fn ends_behind_prompt(items: &[Item]) -> bool {
    match items.last() {
        Some(Item::User { results, .. }) => !results.is_empty(),
        _ => true,
    }
}
