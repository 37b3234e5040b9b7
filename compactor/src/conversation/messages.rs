//! Groups as messages (facts C2, I70).

use super::groups::{Between, Group};
use super::{Block, ClientText, Message, Placed, Resumed, Role, Speaker, attachments};
use crate::transcript::record;

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

fn add_between(messages: &mut Vec<Message>, between: Between, speaker: &Speaker<'_>) {
    let has_results = between.has_results();
    let Between {
        records,
        mut attached,
        queued,
        mut told,
        continues,
    } = between;
    if speaker.resume.splits_first_piece
        && !has_results
        && attached.first().is_some_and(|pieces| pieces.len() == 2)
    {
        messages.push(Message {
            role: Role::User,
            blocks: vec![attached[0].remove(0)],
        });
    }
    let has_record = !records.is_empty();
    let mut units = in_order(records, attached, has_results);
    if has_results {
        units.extend(queued.into_iter().map(|placed| vec![bare(placed)]));
    } else {
        told.extend(queued);
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

/// Results, then what attachments add, then what else users say; a record alone keeps its order.
/// What is one record stays one list: texts of two records are told apart.
fn in_order(
    records: Vec<Vec<Placed>>,
    attached: Vec<Vec<Placed>>,
    has_results: bool,
) -> Vec<Vec<Placed>> {
    let attached = attached.into_iter().flatten().map(|placed| vec![placed]);
    if !has_results || records.len() == 1 {
        let is_result =
            |record: &Vec<Placed>| record.iter().any(|placed| placed.answered().is_some());
        let (results, others): (Vec<_>, Vec<_>) = records.into_iter().partition(is_result);
        return results.into_iter().chain(attached).chain(others).collect();
    }
    let mut results = Vec::new();
    let mut others = Vec::new();
    for record in records {
        let (result, other): (Vec<_>, Vec<_>) = record
            .into_iter()
            .partition(|placed| placed.answered().is_some());
        results.push(result);
        others.push(other);
    }
    results.into_iter().chain(attached).chain(others).collect()
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
        between.attached.insert(0, vec![placed]);
    }
}
