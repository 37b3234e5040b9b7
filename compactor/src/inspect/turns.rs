//! How a context grew, turn by turn.

use std::io;

use serde::Serialize;

use super::context::{Counts, TurnShare};
use super::walk::{Walk, target};
use crate::chain::{Chain, is_boundary};
use crate::pipeline::short;
use crate::transcript::record::{Block, Content};
use crate::transcript::{Index, Kind, Piece, Source, Transcript};

/// How much of a prompt is kept, in characters.
const PROMPT: usize = 200;

/// One turn.
#[derive(Debug, Clone, Serialize)]
pub struct TurnRow {
    /// Its number, from 1.
    pub turn: usize,
    /// The line of its prompt; of what stands before the first, the first line.
    pub line: Option<u32>,
    /// When it began, in milliseconds since 1970.
    #[serde(serialize_with = "crate::sessions::time::serialize")]
    pub time: Option<i64>,
    /// Its prompt, in the beginning; none where nobody asked.
    pub prompt: Option<String>,
    /// The tokens of the context after it, as its last answer reports; none where none does.
    pub tokens: Option<u64>,
    /// What it added to the turn before. None where one of both is not known, and after a
    /// compaction.
    pub growth: Option<i64>,
    /// Compactions before it since the session began.
    pub compactions: usize,
    /// What of it the next request holds, by category, the largest first.
    pub now: Vec<TurnShare>,
    /// Its largest block.
    pub largest: Option<Largest>,
}

impl TurnRow {
    /// The tokens of what the next request holds of it.
    #[must_use]
    pub fn tokens_now(&self) -> u64 {
        self.now.iter().map(|share| share.tokens).sum()
    }
}

/// The largest block of a turn.
#[derive(Debug, Clone, Serialize)]
pub struct Largest {
    /// The line of its record.
    pub line: u32,
    /// What it is: a tool, or the kind of block or attachment.
    pub name: String,
    /// What it is about.
    pub target: Option<String>,
    /// Its UTF-16 units.
    pub units: u64,
}

/// A compaction.
#[derive(Debug, Clone, Serialize)]
pub struct CompactionRow {
    /// The line of its boundary.
    pub line: u32,
    /// The turn in which, or after which, it happened.
    pub turn: usize,
    /// An answer came after it within that turn.
    pub is_within: bool,
    /// `auto` or `manual`.
    pub trigger: Option<String>,
    /// The tokens before it, as the client says (fact C6.5).
    pub pre_tokens: Option<u64>,
    /// The tokens of the messages after it, as newer clients say.
    pub post_tokens: Option<u64>,
    /// How many messages it says that it kept; none where it does not say.
    pub kept: Option<usize>,
}

/// The turns and compactions of a session. The largest blocks are told only of turns that are
/// `shown`.
///
/// # Errors
///
/// When the source cannot be read.
pub(super) fn rows<S: Source>(
    transcript: &Transcript<S>,
    chain: &Chain,
    walk: &Walk,
    counts: &Counts,
    shown: impl Fn(usize) -> bool,
) -> io::Result<(Vec<TurnRow>, Vec<CompactionRow>)> {
    let index = transcript.index();
    let entries = index.entries();
    let mut rows = Vec::with_capacity(walk.turns.len());
    let mut compactions = Vec::new();
    // The tokens after the turn before. What a compaction leaves is told without system prompt
    // and tools, so that nothing can be compared with it.
    let mut before: Option<u64> = None;
    for turn in &walk.turns {
        let mut tokens = None;
        let mut until_compaction = (None, None);
        let first_compaction = compactions.len();
        for record in &turn.records {
            let entry = &entries[*record];
            if is_boundary(index, entry) {
                if tokens.is_some() {
                    until_compaction = (tokens, growth(tokens.take(), before));
                }
                let row = compaction(transcript, chain, *record, turn.number)?;
                before = None;
                compactions.push(row);
            } else if let Some(usage) = entry.usage.filter(|_| is_answer(index, *record)) {
                tokens = Some(usage.total());
                for row in &mut compactions[first_compaction..] {
                    row.is_within = true;
                }
            }
        }
        let (tokens, growth) = match tokens {
            Some(_) => {
                let growth = growth(tokens, before);
                before = tokens;
                (tokens, growth)
            }
            None => until_compaction,
        };
        let first = turn.prompt.or(turn.records.first().copied());
        rows.push(TurnRow {
            turn: turn.number,
            line: first.map(|record| entries[record].place.line),
            time: first.and_then(|record| entries[record].time),
            prompt: match turn.prompt.filter(|_| shown(turn.number)) {
                Some(record) => prompt(transcript, record)?,
                None => None,
            },
            tokens,
            growth,
            compactions: turn.compactions,
            now: counts.of_turn(turn.number),
            largest: match shown(turn.number) {
                true => largest(transcript, walk, &turn.records)?,
                false => None,
            },
        });
    }
    Ok((rows, compactions))
}

fn growth(now: Option<u64>, before: Option<u64>) -> Option<i64> {
    let signed = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
    Some(signed(now?) - signed(before?))
}

fn is_answer(index: &Index, record: usize) -> bool {
    let entry = &index.entries()[record];
    entry.kind == Kind::Assistant && !index.is(entry.model, "<synthetic>")
}

fn compaction<S: Source>(
    transcript: &Transcript<S>,
    chain: &Chain,
    record: usize,
    turn: usize,
) -> io::Result<CompactionRow> {
    let entry = &transcript.index().entries()[record];
    let compaction = transcript.record(entry)?.compaction.unwrap_or_default();
    let named = compaction.messages.and_then(|kept| kept.uuids);
    let kept = match chain.boundary == Some(record) && !chain.kept.is_empty() {
        true => Some(chain.kept.len()),
        false => named.map(|uuids| uuids.len()),
    };
    Ok(CompactionRow {
        line: entry.place.line,
        turn,
        is_within: false,
        trigger: compaction.trigger,
        pre_tokens: compaction.pre_tokens,
        post_tokens: compaction.post_tokens,
        kept,
    })
}

fn prompt<S: Source>(transcript: &Transcript<S>, record: usize) -> io::Result<Option<String>> {
    let read = transcript.record(&transcript.index().entries()[record])?;
    let text = match read.content {
        Content::Text(text) => Some(text),
        Content::Blocks(blocks) => blocks.into_iter().find_map(|block| match block {
            Block::Text(text) => Some(text),
            _ => None,
        }),
        Content::Missing => None,
    };
    Ok(text.map(|text| short(&text, PROMPT)))
}

/// The units of a block as the index knows them; a picture counts as nothing here.
fn units(piece: &Piece) -> u64 {
    u64::from(piece.chars)
}

fn largest<S: Source>(
    transcript: &Transcript<S>,
    walk: &Walk,
    records: &[usize],
) -> io::Result<Option<Largest>> {
    let index = transcript.index();
    let mut largest: Option<(u64, usize, Option<usize>)> = None;
    let mut offer = |units: u64, record: usize, block: Option<usize>| {
        if units > 0 && largest.is_none_or(|(most, ..)| units > most) {
            largest = Some((units, record, block));
        }
    };
    for record in records {
        let entry = &index.entries()[*record];
        if entry.kind == Kind::Attachment {
            offer(u64::from(entry.chars), *record, None);
        }
        for (block, piece) in index.pieces(entry).iter().enumerate() {
            offer(units(piece), *record, Some(block));
        }
    }
    let Some((units, record, block)) = largest else {
        return Ok(None);
    };
    let entry = &index.entries()[record];
    let piece = block.and_then(|block| index.pieces(entry).get(block));
    let text = |id: Option<_>| id.map_or("", |id| index.text(id));
    let (name, target) = match piece {
        None => (text(entry.detail).to_owned(), None),
        Some(piece) => match (text(piece.kind), piece.tool) {
            ("tool_use", Some(_)) => (
                text(piece.name).to_owned(),
                own_target(transcript, record, block),
            ),
            ("tool_result", Some(call)) => (
                walk.tool(index, call).unwrap_or("tool_result").to_owned(),
                walk.target(transcript, call),
            ),
            ("text", _) => (kind_of_text(entry).to_owned(), None),
            (kind, _) => (kind.to_owned(), None),
        },
    };
    Ok(Some(Largest {
        line: entry.place.line,
        name,
        target,
        units,
    }))
}

fn kind_of_text(entry: &crate::transcript::Entry) -> &'static str {
    match entry.kind {
        Kind::Assistant => "answer",
        _ if entry.flags.summary => "summary",
        _ if entry.flags.meta => "note",
        _ => "prompt",
    }
}

fn own_target<S: Source>(
    transcript: &Transcript<S>,
    record: usize,
    block: Option<usize>,
) -> Option<String> {
    let read = transcript
        .record(&transcript.index().entries()[record])
        .ok()?;
    let Content::Blocks(blocks) = read.content else {
        return None;
    };
    match blocks.get(block?)? {
        Block::ToolUse { input, .. } => target(input.get()),
        _ => None,
    }
}
