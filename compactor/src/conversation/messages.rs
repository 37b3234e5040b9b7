//! Groups as messages (facts C2, I70).

use super::groups::{Between, Group};
use super::{Block, ClientText, Message, Placed, Resumed, Role, attachments};
use crate::chain::Resume;
use crate::transcript::record;

/// The messages of some groups, and of the new prompt.
pub(super) fn of(groups: Vec<Group>, client: &Resume, resumed: &Resumed) -> Vec<Message> {
    let mut messages = Vec::new();
    let mut groups = groups;
    if !client.attachments_rendered {
        begin_with_instructions(&mut groups, resumed);
    }
    for group in groups {
        match group {
            Group::Answer { mut blocks, .. } => {
                // Calls stand last: results must follow them.
                blocks.sort_by_key(|placed| {
                    matches!(placed.block, Block::Read(record::Block::ToolUse { .. }))
                });
                messages.push(Message {
                    role: Role::Assistant,
                    blocks,
                });
            }
            Group::User(between) => add_between(&mut messages, between, client),
        }
    }
    messages
}

fn add_between(messages: &mut Vec<Message>, between: Between, client: &Resume) {
    let Between {
        has_record,
        results,
        mut attached,
        texts,
        queued,
        mut told,
    } = between;
    if client.splits_first_piece
        && results.is_empty()
        && attached.first().is_some_and(|pieces| pieces.len() == 2)
    {
        messages.push(Message {
            role: Role::User,
            blocks: vec![attached[0].remove(0)],
        });
    }
    // What joins must be told apart: results, pieces of attachments and records.
    let has_results = !results.is_empty();
    let results = results.into_iter().map(|placed| vec![placed]);
    let attached = attached.into_iter().flatten().map(|placed| vec![placed]);
    let mut units: Vec<Vec<Placed>> = results.chain(attached).chain(texts).collect();
    if has_results {
        units.extend(queued.into_iter().map(|placed| vec![bare(placed)]));
    } else {
        told.extend(queued);
    }
    let blocks = joined(units);
    if !blocks.is_empty() || has_record {
        messages.push(Message {
            role: Role::User,
            blocks,
        });
    }
    let is_first =
        client.tells_effort && !messages.iter().any(|message| message.role == Role::System);
    if !told.is_empty() || is_first {
        messages.push(Message {
            role: Role::System,
            blocks: told.into_iter().map(bare).collect(),
        });
    }
}

/// The blocks of several records as those of one message: a line break goes between texts of two
/// records, and blank texts go where there is another block (docs/facts.md).
fn joined(units: Vec<Vec<Placed>>) -> Vec<Placed> {
    let mut blocks: Vec<Placed> = Vec::new();
    for unit in units {
        let begins_with_text = unit.first().is_some_and(is_text);
        if begins_with_text
            && let Some(Placed {
                block: Block::Read(record::Block::Text(text)),
                ..
            }) = blocks.last_mut()
        {
            text.push('\n');
        }
        blocks.extend(unit);
    }
    let is_blank = |placed: &Placed| match &placed.block {
        Block::Read(record::Block::Text(text)) => outcrop_loader::javascript::trim(text).is_empty(),
        _ => false,
    };
    if blocks.len() > 1 {
        blocks.retain(|placed| !is_blank(placed));
    }
    blocks
}

fn is_text(placed: &Placed) -> bool {
    matches!(
        placed.block,
        Block::Read(record::Block::Text(_)) | Block::Client(_)
    )
}

/// A block without the tags of a reminder.
fn bare(mut placed: Placed) -> Placed {
    if let Block::Read(record::Block::Text(text)) = &mut placed.block {
        *text = attachments::bare(text).to_owned();
    }
    placed
}

/// Older clients put the instruction files before everything else (fact C2.3).
fn begin_with_instructions(groups: &mut Vec<Group>, resumed: &Resumed) {
    let block = match &resumed.instructions {
        Some(text) => Block::Read(record::Block::Text(text.clone())),
        None => Block::Client(ClientText::Instructions),
    };
    let placed = Placed { block, from: None };
    if !matches!(groups.first(), Some(Group::User(_))) {
        groups.insert(0, Group::User(Between::default()));
    }
    if let Some(Group::User(between)) = groups.first_mut() {
        between.attached.insert(0, vec![placed]);
    }
}
