//! Groups as messages (facts C2, I70).

use outcrop_loader::javascript::trim;

use super::groups::{Attached, Between, Group, Said};
use super::pairs::Pairs;
use super::{Block, Message, Placed, Resumed, Role, Speaker, attachments, instructions};
use crate::transcript::record::{self, Content};

/// The messages of some groups.
pub(super) fn of(mut groups: Vec<Group>, speaker: &Speaker<'_>, resumed: &Resumed) -> Vec<Message> {
    if !speaker.resume.attachments_rendered {
        begin_with_instructions(&mut groups, resumed);
    }
    let mut messages = Vec::new();
    let mut pairs = Pairs::default();
    for group in groups {
        match group {
            Group::Answer { mut blocks, .. } => {
                if pairs.is_open() {
                    add_between(&mut messages, Between::default(), &mut pairs, speaker);
                }
                pairs.answer(&mut blocks);
                // Calls stand last: results must follow them.
                blocks.sort_by_key(|placed| placed.call().is_some());
                messages.push(Message {
                    role: Role::Assistant,
                    blocks,
                });
            }
            Group::User(between) => add_between(&mut messages, between, &mut pairs, speaker),
        }
    }
    messages
}

fn add_between(
    messages: &mut Vec<Message>,
    mut between: Between,
    pairs: &mut Pairs,
    speaker: &Speaker<'_>,
) {
    let has_results = pairs.wants(&between);
    let begins_with_call = between.attached.first().is_some_and(|piece| piece.is_call);
    let has_record = !between.records.is_empty();
    let mut told = Vec::new();
    let mut before = Vec::new();
    if between.continues {
        told.extend(take_last(messages, Role::System).unwrap_or_default());
        before.extend(take_last(messages, Role::User).unwrap_or_default());
    } else if begins_with_call && !has_results {
        messages.push(Message {
            role: Role::User,
            blocks: vec![between.attached.remove(0).placed],
        });
    }
    let says_more = !before.is_empty();
    told.append(&mut between.told);
    let fixed = before.len();
    let mut blocks = user_blocks(before, between, speaker);
    if blocks.is_empty() && !has_record {
        // Where nobody spoke, a user message says it, in one pair of tags.
        blocks.extend(together(&mut told));
    }
    pairs.user(&mut blocks, fixed, speaker);
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

/// The blocks of a user message: what stands there already, then what records say and attachments
/// add. Attachments go up to the last record with results before them.
fn user_blocks(before: Vec<Placed>, between: Between, speaker: &Speaker<'_>) -> Vec<Placed> {
    let mut joined = Joined::behind(before);
    let is_only = between.records.len() == 1;
    let mut attached = between.attached.into_iter().peekable();
    for (number, record) in between.records.into_iter().enumerate() {
        while let Some(piece) = attached.next_if(|piece| piece.behind <= number) {
            joined.attach(piece, speaker);
        }
        joined.say(record, is_only);
    }
    for piece in attached {
        joined.attach(piece, speaker);
    }
    let mut blocks = joined.blocks;
    if blocks.len() > 1 {
        blocks.retain(|placed| !placed.is_blank());
    }
    blocks
}

/// Blocks of one message, as they are put together one after the other.
struct Joined {
    blocks: Vec<Placed>,
    /// Those that stood there already.
    fixed: usize,
    ends_in_text: bool,
    has_said: bool,
}

impl Joined {
    fn behind(blocks: Vec<Placed>) -> Self {
        Self {
            fixed: blocks.len(),
            ends_in_text: blocks.last().is_some_and(Placed::is_text),
            has_said: !blocks.is_empty(),
            blocks,
        }
    }

    /// A line break goes between texts of two records, and results come first, but a record alone
    /// keeps its order.
    fn say(&mut self, mut record: Said, is_only: bool) {
        if record.stands_for_empty && (!is_only || !self.blocks.is_empty()) {
            record.blocks = vec![Placed {
                block: Block::text(String::new()),
                from: None,
            }];
        }
        if let (true, true, Some(last)) = (
            self.ends_in_text,
            record.begins_in_text,
            self.blocks.last_mut(),
        ) {
            end_line(last);
        }
        let has_more = self.blocks.len() > self.fixed || self.has_said;
        self.blocks.append(&mut record.blocks);
        self.ends_in_text = record.ends_in_text;
        if has_more {
            self.blocks[self.fixed..].sort_by_key(|placed| placed.answered().is_none());
            if let Some(last) = self.blocks.last() {
                self.ends_in_text = last.is_text();
            }
        }
        self.has_said = true;
    }

    /// Into a result that stands last; else behind what stands there.
    fn attach(&mut self, piece: Attached, speaker: &Speaker<'_>) {
        let mut placed = Some(piece.placed);
        match self.blocks.last_mut() {
            Some(last) if piece.is_beside => {
                if let Some(placed) = &placed {
                    break_line(last, placed);
                }
            }
            Some(last) if last.answered().is_some() => {
                placed = placed.and_then(|placed| put_into(last, placed, speaker));
            }
            _ => {}
        }
        self.blocks.extend(placed);
        self.ends_in_text = self.blocks.last().is_some_and(Placed::is_text);
    }
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
pub(super) fn bare(mut placed: Placed) -> Placed {
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
        let first = between
            .attached
            .iter()
            .take_while(|piece| piece.behind == 0);
        let at = first.count();
        between.attached.insert(at, Attached::new(placed));
    }
}
