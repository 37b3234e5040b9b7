//! The records of a chain as what they say.

use std::io;

use super::{Block, ClientText, From, Placed, attachments};
use crate::chain::Resume;
use crate::transcript::record::{self, Content, Record};
use crate::transcript::{Entry, Id, Index, Kind, Source, Transcript};

/// What one record says.
#[derive(Debug)]
pub(super) enum Item {
    /// Blocks of an answer.
    Answer {
        /// What joins the records of one answer.
        id: AnswerId,
        blocks: Vec<Placed>,
    },
    /// What a user record says.
    User {
        results: Vec<Placed>,
        others: Vec<Placed>,
        /// Whether it is talk, not a note of the client's own.
        is_talk: bool,
    },
    /// What an attachment adds to a user message.
    Attached(Vec<Placed>),
    /// What an attachment adds to a system message.
    Told(Vec<Placed>),
    /// A prompt that was typed while the model worked.
    Queued(Vec<Placed>),
}

/// What joins the records of one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnswerId {
    /// The message's own id.
    Message(Id),
    /// None, which joins nothing, unless the client takes it for one id.
    None,
    /// Made by this reader.
    Made,
}

/// The items of some records, in their order.
pub(super) fn read<S: Source>(
    transcript: &Transcript<S>,
    records: &[usize],
    client: &Resume,
) -> io::Result<Vec<Item>> {
    let index = transcript.index();
    let mut items = Vec::with_capacity(records.len());
    for number in records {
        let entry = &index.entries()[*number];
        if !may_say_something(index, entry) {
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
                blocks: placed(record.content, from),
            }),
            Kind::User => items.extend(user(record, client, from)),
            Kind::System => {
                let text = record.system_text.unwrap_or_default();
                items.push(Item::User {
                    results: Vec::new(),
                    others: vec![Placed {
                        block: Block::Read(record::Block::Text(text)),
                        from: Some(from(0)),
                    }],
                    is_talk: false,
                });
            }
            Kind::Attachment => {
                let kind = entry.detail.map_or("", |detail| index.text(detail));
                items.extend(attachments::item(kind, record, client, from));
            }
            Kind::Other => {}
        }
    }
    Ok(items)
}

/// Whether a record can reach the model at all (facts C1.8, I36, I70).
fn may_say_something(index: &Index, entry: &Entry) -> bool {
    match entry.kind {
        Kind::User | Kind::Attachment => true,
        Kind::Assistant => !(entry.flags.api_error && index.is(entry.model, "<synthetic>")),
        Kind::System => index.is(entry.detail, "local_command") && !entry.flags.display_only,
        Kind::Other => false,
    }
}

/// What a user record says; nothing where it has no content.
fn user(record: Record, client: &Resume, from: impl Fn(usize) -> From) -> Option<Item> {
    let only_an_empty_block = match &record.content {
        Content::Missing => return None,
        Content::Blocks(blocks) if blocks.is_empty() && !client.sends_empty_content => return None,
        Content::Blocks(blocks) => {
            matches!(&blocks[..], [record::Block::Text(text)] if text.is_empty())
        }
        Content::Text(_) => false,
    };
    if only_an_empty_block {
        return Some(Item::User {
            results: Vec::new(),
            others: vec![Placed {
                block: Block::Client(ClientText::NoContent),
                from: Some(from(0)),
            }],
            is_talk: true,
        });
    }
    let is_result =
        |placed: &Placed| matches!(placed.block, Block::Read(record::Block::ToolResult { .. }));
    let (results, others) = placed(record.content, from)
        .into_iter()
        .partition(is_result);
    Some(Item::User {
        results,
        others,
        is_talk: true,
    })
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
