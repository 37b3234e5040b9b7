//! The records of a chain as what they say.

use std::io;

use super::{Block, ClientText, From, Placed, Speaker, attachments};
use crate::transcript::record::{self, Content, Record};
use crate::transcript::{Entry, Flags, Id, Index, Kind, Source, Transcript};

/// What one record says.
#[derive(Debug)]
pub(super) enum Item {
    /// Blocks of an answer.
    Answer {
        /// What joins the records of one answer.
        id: AnswerId,
        blocks: Vec<Placed>,
    },
    /// An answer that reports an error of the service: it is not sent, but it ends the turn.
    Error,
    /// Such an answer that does not end the talk.
    EarlierError,
    /// What a user record says.
    User {
        blocks: Vec<Placed>,
        /// Whether it is talk, not a note of the client's own.
        is_talk: bool,
        /// Whether the client put it in.
        is_meta: bool,
        /// Whether it is the summary of a compaction.
        is_summary: bool,
    },
    /// What an attachment adds to a user message.
    Attached {
        pieces: Vec<Placed>,
        /// The first piece is a pretended call of a tool.
        is_call: bool,
        /// It stands beside results, and is not put into one.
        is_beside: bool,
    },
    /// What an attachment adds to a system message.
    Told(Vec<Placed>),
    /// An attachment that says nothing, but stands there.
    Silent,
    /// A prompt that was typed while the model worked.
    Queued(Vec<Placed>),
}

/// What joins the records of one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum AnswerId {
    /// The message's own id.
    Message(Id),
    /// None, which joins nothing, unless the client takes it for one id.
    None,
    /// Made by the client when it resumes.
    Made,
}

/// The items of some records, in their order.
pub(super) fn read<S: Source>(
    transcript: &Transcript<S>,
    records: &[usize],
    speaker: &Speaker<'_>,
) -> io::Result<Vec<Item>> {
    let index = transcript.index();
    let mut items = Vec::with_capacity(records.len());
    for number in records {
        let entry = &index.entries()[*number];
        if entry.flags.api_error && index.is(entry.model, "<synthetic>") {
            items.push(Item::Error);
            continue;
        }
        if !may_say_something(index, entry, speaker) {
            continue;
        }
        let record = transcript.record(entry)?;
        let from = |block| From {
            record: *number,
            block,
        };
        match entry.kind {
            Kind::Assistant => items.push(Item::Answer {
                id: entry.message.map_or(AnswerId::None, AnswerId::Message),
                blocks: answer(record, speaker, from),
            }),
            Kind::User => items.extend(user(record, entry.flags, speaker, from)),
            Kind::System => items.push(Item::User {
                blocks: vec![Placed {
                    block: record
                        .system_text
                        .map_or(Block::Client(ClientText::NoContent), Block::text),
                    from: Some(from(0)),
                }],
                is_talk: false,
                is_meta: false,
                is_summary: false,
            }),
            Kind::Attachment => {
                let kind = entry.detail.map_or("", |detail| index.text(detail));
                let resume = speaker.resume;
                let tells_tasks = !resume.attachments_rendered || !speaker.takes_system_messages;
                let item = attachments::item(kind, record, resume, tells_tasks, from);
                items.push(item.unwrap_or(Item::Silent));
            }
            Kind::Other => {}
        }
    }
    Ok(items)
}

/// Whether a record can reach the model at all (facts C1.8, I36, I70).
fn may_say_something(index: &Index, entry: &Entry, speaker: &Speaker<'_>) -> bool {
    match entry.kind {
        Kind::User | Kind::Assistant | Kind::Attachment => true,
        Kind::System => {
            let is_shown = entry.flags.display_only && speaker.resume.attachments_rendered;
            index.is(entry.detail, "local_command") && !is_shown
        }
        Kind::Other => false,
    }
}

/// The blocks of an answer's record.
fn answer(record: Record, speaker: &Speaker<'_>, from: impl Fn(usize) -> From) -> Vec<Placed> {
    if matches!(&record.content, Content::Blocks(blocks) if blocks.is_empty()) {
        return vec![Placed {
            block: Block::Client(ClientText::NoContent),
            from: Some(from(0)),
        }];
    }
    let mut blocks = placed(record.content, from);
    for placed in &mut blocks {
        // An older name of the tool is not sent any more.
        if let Block::Read(record::Block::ToolUse { name, .. }) = &mut placed.block {
            let renamed = speaker.resume.renamed_tools;
            if let Some((_, new)) = renamed.iter().find(|(old, _)| old == name) {
                (*new).clone_into(name);
            }
        }
    }
    blocks
}

/// What a user record says; nothing where it has no content.
fn user(
    record: Record,
    flags: Flags,
    speaker: &Speaker<'_>,
    from: impl Fn(usize) -> From,
) -> Option<Item> {
    let only_an_empty_block = match &record.content {
        Content::Missing => return None,
        Content::Blocks(blocks) if blocks.is_empty() && !speaker.resume.sends_empty_content => {
            return None;
        }
        Content::Blocks(blocks) => {
            matches!(&blocks[..], [record::Block::Text(text)] if text.is_empty())
        }
        Content::Text(_) => false,
    };
    let is_notice = speaker.resume.attachments_rendered
        && record.origin.as_deref() == Some("task-notification");
    let blocks = if only_an_empty_block {
        vec![Placed {
            block: Block::Client(ClientText::NoContent),
            from: Some(from(0)),
        }]
    } else {
        placed(record.content, from)
    };
    Some(Item::User {
        blocks: blocks
            .into_iter()
            .map(without_images_of_errors)
            .map(|placed| if is_notice { framed(placed) } else { placed })
            .collect(),
        is_talk: true,
        is_meta: flags.meta,
        is_summary: flags.summary,
    })
}

/// The client's words around the notice that a task ended, in UTF-16 units
/// (docs/facts-sessions.md 178).
const NOTICE_FRAME: u32 = 531;

/// A text in the client's words about notices.
fn framed(mut placed: Placed) -> Placed {
    if let Block::Read(record::Block::Text(text)) = &mut placed.block {
        placed.block = Block::Framed {
            text: std::mem::take(text),
            frame: NOTICE_FRAME,
        };
    }
    placed
}

/// A result that reports a failure keeps its texts only (docs/facts-sessions.md 168).
fn without_images_of_errors(mut placed: Placed) -> Placed {
    if let Block::Read(record::Block::ToolResult {
        content: Content::Blocks(blocks),
        is_error: true,
        ..
    }) = &mut placed.block
    {
        blocks.retain(|block| matches!(block, record::Block::Text(_)));
    }
    placed
}

/// The blocks of a content, each with its place.
pub(super) fn placed(content: Content, from: impl Fn(usize) -> From) -> Vec<Placed> {
    let blocks = match content {
        Content::Missing => Vec::new(),
        Content::Text(text) => vec![record::Block::Text(text)],
        Content::Blocks(blocks) => blocks,
    };
    let numbered = blocks.into_iter().enumerate();
    numbered
        // What has no type, or is a text without text, is no block.
        .filter(|(_, block)| {
            !matches!(block, record::Block::Other { kind, .. } if kind.is_empty() || kind == "text")
        })
        .map(|(number, block)| Placed {
            block: Block::Read(block),
            from: Some(from(number)),
        })
        .collect()
}

/// A block that the client words itself.
pub(super) fn client_text(text: ClientText) -> Placed {
    Placed {
        block: Block::Client(text),
        from: None,
    }
}
