//! Groups as messages (facts C2, I70).

use outcrop_loader::javascript::trim;

use super::groups::{Attached, Between, Group};
use super::{Block, Message, Placed, Resumed, Role, Speaker, attachments, instructions};
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
    let mut told = Vec::new();
    let mut before = Vec::new();
    if between.continues {
        told.extend(take_last(messages, Role::System).unwrap_or_default());
        before.extend(take_last(messages, Role::User).unwrap_or_default());
    } else if between.begins_with_call && !has_results {
        messages.push(Message {
            role: Role::User,
            blocks: vec![between.attached.remove(0).placed],
        });
    }
    let says_more = !before.is_empty();
    told.append(&mut between.told);
    let mut blocks = user_blocks(before, between, speaker);
    if blocks.is_empty() && !has_record {
        // Where nobody spoke, a user message says it, in one pair of tags.
        blocks.extend(together(&mut told));
    }
    if !blocks.is_empty() || has_record || says_more {
        messages.push(Message {
            role: Role::User,
            blocks,
        });
    }
    let is_first =
        speaker.tells_effort && !messages.iter().any(|message| message.role == Role::System);
    if !told.is_empty() || is_first {
        let bare_unless_kept = |placed| {
            if speaker.keeps_tags {
                placed
            } else {
                bare(placed)
            }
        };
        messages.push(Message {
            role: Role::System,
            blocks: told.into_iter().map(bare_unless_kept).collect(),
        });
    }
}

/// The blocks of the last message, taken away if that is of a role.
fn take_last(messages: &mut Vec<Message>, role: Role) -> Option<Vec<Placed>> {
    let last = messages.pop_if(|message| message.role == role)?;
    Some(last.blocks)
}

/// The blocks of a user message: what stands there already, then results, then what attachments
/// add, then the texts of records, then what was typed meanwhile.
fn user_blocks(before: Vec<Placed>, between: Between, speaker: &Speaker<'_>) -> Vec<Placed> {
    let is_result = |placed: &Placed| placed.answered().is_some();
    let has_results = between.has_results() || before.iter().any(is_result);
    let result_before = before.iter().rev().find_map(Placed::answered);
    let result_before = result_before.map(str::to_owned);
    let (mut results, texts) = merged(between.records);
    let mut blocks = before;
    blocks.append(&mut results);
    let mut closed = rustc_hash::FxHashSet::default();
    for mut attached in between.attached {
        if attached.behind.is_none() {
            attached.behind.clone_from(&result_before);
        }
        // Into the last result before it, unless something stands behind that already.
        let result = attached.behind.as_deref().and_then(|id| {
            let at = blocks
                .iter()
                .position(|placed| placed.answered() == Some(id))?;
            let next = blocks.get(at + 1);
            next.is_none_or(is_result).then_some(at)
        });
        let behind = attached.behind.clone().unwrap_or_default();
        if attached.is_beside {
            closed.insert(behind.clone());
        }
        let result = result.filter(|_| !closed.contains(&behind));
        if let Some(result) = result {
            let left = put_into(&mut blocks[result], attached.placed, speaker);
            blocks.extend(left);
            continue;
        }
        let placed = match blocks.last_mut() {
            Some(last) if attached.is_beside => {
                break_line(last, &attached.placed);
                Some(attached.placed)
            }
            _ => Some(attached.placed),
        };
        blocks.extend(placed);
    }
    let queued = between.queued.into_iter().map(bare);
    let (before, behind): (Vec<_>, Vec<_>) = match has_results {
        true => (Vec::new(), queued.collect()),
        false => (queued.collect(), Vec::new()),
    };
    for mut part in [before, texts, behind] {
        if let (Some(last), Some(first)) = (blocks.last_mut(), part.first()) {
            break_line(last, first);
        }
        blocks.append(&mut part);
    }
    if blocks.len() > 1 {
        blocks.retain(|placed| !placed.is_blank());
    }
    blocks
}

/// The blocks of several records, one after the other: results come first, but a record alone
/// keeps its order; a line break goes between texts of two records. Gives what belongs before and
/// what belongs behind the attachments.
fn merged(records: Vec<Vec<Placed>>) -> (Vec<Placed>, Vec<Placed>) {
    let is_result = |placed: &Placed| placed.answered().is_some();
    let mut holders = records.iter().filter(|record| record.iter().any(is_result));
    let is_one = holders.next().is_some() && holders.next().is_none();
    let mut head = Vec::new();
    let mut texts: Vec<Placed> = Vec::new();
    let mut ends_in_text = false;
    for record in records {
        let begins_with_text = record.first().is_some_and(Placed::is_text);
        let ends = record.last().is_some_and(Placed::is_text);
        if record.iter().any(is_result) && is_one {
            head = record;
            continue;
        }
        let (mut results, mut others): (Vec<_>, Vec<_>) = record.into_iter().partition(is_result);
        if let (true, true, Some(last)) = (ends_in_text, begins_with_text, texts.last_mut()) {
            end_line(last);
        }
        // Merged records end in their texts, whatever stood last before.
        ends_in_text = ends || (!head.is_empty() && !others.is_empty());
        head.append(&mut results);
        texts.append(&mut others);
    }
    (head, texts)
}

/// Ends the line of a text if a text follows.
fn break_line(last: &mut Placed, next: &Placed) {
    if next.is_text() {
        end_line(last);
    }
}

fn end_line(placed: &mut Placed) {
    if let Block::Read(record::Block::Text(text)) = &mut placed.block {
        text.push('\n');
    }
}

/// Puts a text behind a result's own; gives back what is none.
fn put_into(result: &mut Placed, placed: Placed, speaker: &Speaker<'_>) -> Option<Placed> {
    let text = match &placed.block {
        Block::Read(record::Block::Text(text)) => text.clone(),
        Block::Framed { text, .. } => format!("<system-reminder>\n{text}\n</system-reminder>"),
        _ => return Some(placed),
    };
    let Block::Read(record::Block::ToolResult { content, .. }) = &mut result.block else {
        return Some(placed);
    };
    match content {
        Content::Missing => *content = Content::Text(text),
        Content::Text(own) => {
            let mut parts = vec![trim(own), trim(&text)];
            parts.retain(|part| !part.is_empty());
            *own = parts.join("\n\n");
        }
        Content::Blocks(_) if !speaker.resume.attachments_rendered => return Some(placed),
        Content::Blocks(blocks) => {
            if let Some(record::Block::Text(own)) = blocks.last_mut() {
                own.push('\n');
            }
            blocks.push(record::Block::Text(text));
        }
    }
    None
}

/// What is told, as one text of a user message.
fn together(told: &mut Vec<Placed>) -> Option<Placed> {
    let first = told.first()?.from;
    let mut text = String::new();
    let mut frame = 0;
    let mut before = None;
    for placed in told.drain(..) {
        let record = placed.from.map(|from| from.record);
        let own = match bare(placed).block {
            Block::Read(record::Block::Text(own)) => own,
            Block::Framed {
                text: own,
                frame: around,
            } => {
                frame += around;
                own
            }
            _ => continue,
        };
        if !text.is_empty() {
            text.push_str(if record.is_some() && record == before {
                "\n"
            } else {
                "\n\n"
            });
        }
        text.push_str(&own);
        before = record;
    }
    let block = match frame {
        0 => Block::text(format!("<system-reminder>\n{text}\n</system-reminder>")),
        _ => Block::Framed { text, frame },
    };
    Some(Placed { block, from: first })
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
    let placed = instructions::first(resumed.instructions.as_deref());
    if !matches!(groups.first(), Some(Group::User(_))) {
        groups.insert(0, Group::User(Between::default()));
    }
    if let Some(Group::User(between)) = groups.first_mut() {
        between.attached.push(Attached::new(placed));
    }
}
