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
        results,
        mut attached,
        texts,
        queued,
        told,
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
    let attached = attached.into_iter().flatten();
    let mut blocks: Vec<Placed> = results.into_iter().chain(attached).chain(texts).collect();
    let has_results = blocks
        .iter()
        .any(|placed| matches!(placed.block, Block::Read(record::Block::ToolResult { .. })));
    let mut told = told;
    if has_results {
        blocks.extend(queued.into_iter().map(bare));
    } else {
        told.extend(queued);
    }
    if !blocks.is_empty() {
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
