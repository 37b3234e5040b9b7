//! Groups as messages (facts C2, I70).

use super::groups::{Attached, Between, Group};
use super::{Block, ClientText, Message, Placed, Resumed, Role, Speaker, attachments};
use crate::transcript::record::{self, Content};

/// The messages of some groups.
pub(super) fn of(mut groups: Vec<Group>, speaker: &Speaker<'_>, resumed: &Resumed) -> Vec<Message> {
    if !speaker.resume.attachments_rendered {
        begin_with_instructions(&mut groups, resumed);
    }
    let mut messages = Vec::new();
    for group in groups {
        match group {
            Group::Answer { mut blocks, .. } => {
                // Calls stand last: results must follow them.
                blocks.sort_by_key(|placed| placed.call().is_some());
                messages.push(Message {
                    role: Role::Assistant,
                    blocks,
                });
            }
            Group::User(between) => add_between(&mut messages, between, speaker),
        }
    }
    messages
}

fn add_between(messages: &mut Vec<Message>, mut between: Between, speaker: &Speaker<'_>) {
    let has_results = between.has_results();
    let has_record = !between.records.is_empty();
    if between.begins_with_call && !has_results {
        messages.push(Message {
            role: Role::User,
            blocks: vec![between.attached.remove(0).placed],
        });
    }
    let mut told = std::mem::take(&mut between.told);
    let continues = between.continues;
    let mut units = if has_results {
        behind_results(between)
    } else {
        before_texts(between)
    };
    if units.iter().all(Vec::is_empty) && !has_record {
        // Where nobody spoke, a user message says it, in tags.
        units.extend(told.drain(..).map(|placed| vec![placed]));
    }
    let blocks = joined(units);
    match messages.last_mut() {
        Some(message) if continues && message.role == Role::User => message.blocks.extend(blocks),
        _ if !blocks.is_empty() || has_record => messages.push(Message {
            role: Role::User,
            blocks,
        }),
        _ => {}
    }
    let is_first =
        speaker.tells_effort && !messages.iter().any(|message| message.role == Role::System);
    if !told.is_empty() || is_first {
        messages.push(Message {
            role: Role::System,
            blocks: told.into_iter().map(bare).collect(),
        });
    }
}

/// What attachments add, then what was typed meanwhile, then what records say. What is one record
/// stays one list: texts of two records are told apart.
fn before_texts(between: Between) -> Vec<Vec<Placed>> {
    let attached = between
        .attached
        .into_iter()
        .map(|attached| vec![attached.placed]);
    let queued = between.queued.into_iter().map(|placed| vec![bare(placed)]);
    attached.chain(queued).chain(between.records).collect()
}

/// Results first, then what attachments add, then the texts of the records, then what was typed
/// meanwhile. A record alone keeps its order.
fn behind_results(between: Between) -> Vec<Vec<Placed>> {
    let is_result = |placed: &Placed| placed.answered().is_some();
    let mut results = Vec::new();
    let mut others = Vec::new();
    let holders = between
        .records
        .iter()
        .filter(|record| record.iter().any(is_result))
        .count();
    for record in between.records {
        if holders == 1 && record.iter().any(is_result) {
            results.push(record);
            continue;
        }
        let (result, other): (Vec<_>, Vec<_>) = record.into_iter().partition(is_result);
        results.push(result);
        others.push(other);
    }
    results.retain(|record| !record.is_empty());
    for attached in between.attached {
        let last = results.last_mut().and_then(|record| record.last_mut());
        match last {
            Some(last) if !attached.is_beside && is_result(last) => {
                if let Some(placed) = put_into(last, attached.placed) {
                    results.push(vec![placed]);
                }
            }
            _ => results.push(vec![attached.placed]),
        }
    }
    let queued = between.queued.into_iter().map(|placed| vec![bare(placed)]);
    results.into_iter().chain(others).chain(queued).collect()
}

/// Puts a text behind a result's own; gives back what is none.
fn put_into(result: &mut Placed, placed: Placed) -> Option<Placed> {
    let text = match &placed.block {
        Block::Read(record::Block::Text(text)) | Block::Framed { text, .. } => text,
        _ => return Some(placed),
    };
    let Block::Read(record::Block::ToolResult { content, .. }) = &mut result.block else {
        return Some(placed);
    };
    match content {
        Content::Missing => *content = Content::Text(text.clone()),
        Content::Text(own) if own.is_empty() => own.clone_from(text),
        Content::Text(own) => {
            own.truncate(own.trim_end_matches('\n').len());
            own.push_str("\n\n");
            own.push_str(text);
        }
        Content::Blocks(blocks) => {
            if let Some(record::Block::Text(own)) = blocks.last_mut() {
                own.push('\n');
            }
            blocks.push(record::Block::Text(text.clone()));
        }
    }
    None
}

/// The blocks of several records as those of one message: a line break goes between texts of two
/// records, and blank texts go where there is another block (docs/facts.md).
fn joined(units: Vec<Vec<Placed>>) -> Vec<Placed> {
    let mut blocks: Vec<Placed> = Vec::new();
    for unit in units {
        if unit.first().is_some_and(Placed::is_text)
            && let Some(Block::Read(record::Block::Text(text))) =
                blocks.last_mut().map(|placed| &mut placed.block)
        {
            text.push('\n');
        }
        blocks.extend(unit);
    }
    if blocks.len() > 1 {
        blocks.retain(|placed| !placed.is_blank());
    }
    blocks
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
        Some(text) => Block::text(text.clone()),
        None => Block::Client(ClientText::Instructions),
    };
    let placed = Placed { block, from: None };
    if !matches!(groups.first(), Some(Group::User(_))) {
        groups.insert(0, Group::User(Between::default()));
    }
    if let Some(Group::User(between)) = groups.first_mut() {
        between.attached.insert(0, Attached::new(placed));
    }
}
