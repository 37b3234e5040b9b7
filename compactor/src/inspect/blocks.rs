//! The blocks of one turn.

use std::io;

use outcrop_loader::tokens::Model;
use serde::Serialize;

use super::category::Category;
use super::results::{Spot, spot};
use super::walk::{Walk, target};
use crate::chain::Resume;
use crate::chain::is_boundary;
use crate::conversation::{Block, From, Placed, attached};
use crate::pipeline::{Counted, Sizer, short};
use crate::transcript::record::{self, Content, Record};
use crate::transcript::{Entry, Kind, Source, Transcript};

/// How much of a text is kept, in characters.
const WORDS: usize = 200;

/// One block of a turn.
#[derive(Debug, Clone, Serialize)]
pub struct BlockRow {
    /// Where it stands.
    #[serde(flatten)]
    pub spot: Spot,
    /// Which block of its record, from 0.
    pub block: usize,
    /// What it is.
    pub category: Category,
    /// The tool of a call or result, or the type of an attachment.
    pub name: Option<String>,
    /// What a call is about, or how a text begins.
    pub about: Option<String>,
    /// Its tokens, counted.
    pub tokens: u64,
    /// A result that reports a failure.
    pub is_error: bool,
    /// It marks a compaction.
    pub is_boundary: bool,
}

/// The blocks of a turn, in order.
///
/// # Errors
///
/// When the source cannot be read.
pub(super) fn rows<S: Source>(
    transcript: &Transcript<S>,
    walk: &Walk,
    records: &[usize],
    client: &Resume,
    model: Model,
) -> io::Result<Vec<BlockRow>> {
    let index = transcript.index();
    let mut sizer = Counted::of(model.family);
    let mut rows = Vec::new();
    for number in records {
        let entry = &index.entries()[*number];
        if entry.kind == Kind::Other {
            continue;
        }
        let spot = spot(transcript, walk, *number);
        if entry.kind == Kind::System && !index.is(entry.detail, "local_command") {
            if is_boundary(index, entry) {
                rows.push(BlockRow {
                    spot,
                    block: 0,
                    category: Category::Other,
                    name: Some("compact_boundary".to_owned()),
                    about: None,
                    tokens: 0,
                    is_error: false,
                    is_boundary: true,
                });
            }
            continue;
        }
        let record = transcript.record(entry)?;
        for placed in blocks(transcript, *number, record, client) {
            let category = Category::of(transcript, entry, &placed);
            let tokens = sizer.block(&placed.block);
            let (name, about) = told(transcript, walk, entry, &placed.block);
            rows.push(BlockRow {
                spot: spot.clone(),
                block: placed.from.map_or(0, |from| from.block),
                category,
                name,
                about,
                tokens,
                is_error: matches!(
                    placed.block,
                    Block::Read(record::Block::ToolResult { is_error: true, .. })
                ),
                is_boundary: false,
            });
        }
    }
    Ok(rows)
}

/// The blocks that a record says.
fn blocks<S: Source>(
    transcript: &Transcript<S>,
    number: usize,
    record: Record,
    client: &Resume,
) -> Vec<Placed> {
    let index = transcript.index();
    let entry = &index.entries()[number];
    let blocks = match entry.kind {
        Kind::Attachment => {
            let kind = entry.detail.map_or("", |detail| index.text(detail));
            return attached(kind, record, client, number);
        }
        Kind::System => record
            .system_text
            .map(record::Block::Text)
            .into_iter()
            .collect(),
        _ => match record.content {
            Content::Missing => Vec::new(),
            Content::Text(text) => vec![record::Block::Text(text)],
            Content::Blocks(blocks) => blocks,
        },
    };
    let numbered = blocks.into_iter().enumerate();
    numbered
        .map(|(block, read)| Placed {
            block: Block::Read(read),
            from: Some(From {
                record: number,
                block,
            }),
        })
        .collect()
}

/// The tag of a reminder, which says nothing of it.
const TAG: &str = "<system-reminder>";

/// The name of a block, and what it is about.
fn told<S: Source>(
    transcript: &Transcript<S>,
    walk: &Walk,
    entry: &Entry,
    block: &Block,
) -> (Option<String>, Option<String>) {
    let index = transcript.index();
    let attachment = entry.detail.filter(|_| entry.kind == Kind::Attachment);
    let attachment = attachment.map(|kind| index.text(kind).to_owned());
    let words = |text: &str| {
        let text = text.trim_start().trim_start_matches(TAG);
        Some(short(text, WORDS)).filter(|text| !text.is_empty())
    };
    let block = match block {
        Block::Read(block) => block,
        Block::Framed { text, .. } => return (attachment, words(text)),
        Block::Client(text) | Block::ClientResult(_, text) => {
            return (Some(text.name().to_owned()), None);
        }
    };
    match block {
        record::Block::Text(text) | record::Block::Thinking { text, .. } => {
            (attachment, words(text))
        }
        record::Block::ToolUse { name, input, .. } => (Some(name.clone()), target(input.get())),
        record::Block::ToolResult { id, .. } => {
            let call = index.find(id);
            let tool = call.and_then(|call| walk.tool(index, call));
            let about = call.and_then(|call| walk.target(transcript, call));
            (tool.map(str::to_owned), about)
        }
        record::Block::Image(image) => (Some(image.media_type.clone()), None),
        record::Block::Other { kind, .. } => (Some(kind.clone()), None),
    }
}
