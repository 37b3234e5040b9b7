//! The largest results of a session, those that it holds twice, and its pictures.

use std::io;

use outcrop_loader::tokens::Model;
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::context::Counts;
use super::walk::Walk;
use crate::conversation;
use crate::pipeline::{Counted, IMAGE, Sizer};
use crate::transcript::record::{Block, Content, Image};
use crate::transcript::{Id, Kind, Piece, Source, Transcript};

/// Shorter results are not compared, in UTF-16 units: two such are no news.
const WORTH_COMPARING: u32 = 400;

/// Where a block stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Spot {
    /// The line.
    pub line: u32,
    /// The record's uuid.
    pub uuid: Option<String>,
    /// The turn.
    pub turn: Option<usize>,
    /// The next request holds it.
    pub is_now: bool,
}

/// A result of a tool.
#[derive(Debug, Clone, Serialize)]
pub struct ResultRow {
    /// Where it stands.
    #[serde(flatten)]
    pub spot: Spot,
    /// The tool; none where the call is not there.
    pub tool: Option<String>,
    /// What the call was about.
    pub target: Option<String>,
    /// Its tokens, counted.
    pub tokens: u64,
    /// It reports a failure.
    pub is_error: bool,
}

/// A result that stands several times in the session, word for word.
#[derive(Debug, Clone, Serialize)]
pub struct Duplicate {
    /// Its tokens, each time.
    pub tokens: u64,
    /// The tokens of all but the first.
    pub wasted: u64,
    /// The same, of what the next request holds.
    pub wasted_now: u64,
    /// All calls were reads of one file: it was read again although it had not changed.
    pub is_unchanged_read: bool,
    /// Where, in order.
    pub places: Vec<ResultRow>,
}

/// A picture.
#[derive(Debug, Clone, Serialize)]
pub struct ImageRow {
    /// Where it stands.
    #[serde(flatten)]
    pub spot: Spot,
    /// The tool whose result holds it.
    pub tool: Option<String>,
    /// What that call was about.
    pub target: Option<String>,
    /// `image/png` …
    pub media_type: String,
    /// Its bytes, as the base64 tells.
    pub bytes: u64,
}

/// A result as the index knows it.
#[derive(Clone, Copy)]
struct Found {
    record: usize,
    block: usize,
    piece: Piece,
}

pub(super) struct Results<'a, S> {
    transcript: &'a Transcript<S>,
    walk: &'a Walk,
    counts: &'a Counts,
    sizer: Counted,
    found: Vec<Found>,
}

impl<'a, S: Source> Results<'a, S> {
    /// All results of a session.
    pub(super) fn of(
        transcript: &'a Transcript<S>,
        walk: &'a Walk,
        counts: &'a Counts,
        model: Model,
    ) -> Self {
        let index = transcript.index();
        let kind = index.find("tool_result");
        let mut found = Vec::new();
        for record in walk.records() {
            let entry = &index.entries()[record];
            if kind.is_none() || entry.kind != Kind::User {
                continue;
            }
            let pieces = index.pieces(entry).iter().copied().enumerate();
            let results = pieces.filter(|(_, piece)| piece.kind == kind);
            found.extend(results.map(|(block, piece)| Found {
                record,
                block,
                piece,
            }));
        }
        Self {
            transcript,
            walk,
            counts,
            sizer: Counted::of(model.family),
            found,
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.found.len()
    }

    /// The `limit` largest.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub(super) fn largest(&mut self, limit: usize) -> io::Result<Vec<ResultRow>> {
        let mut largest = self.found.clone();
        largest.sort_by_key(|found| std::cmp::Reverse(found.piece.chars));
        largest.truncate(limit);
        let rows: io::Result<Vec<ResultRow>> =
            largest.into_iter().map(|found| self.row(found)).collect();
        let mut rows = rows?;
        rows.sort_by_key(|row| std::cmp::Reverse(row.tokens));
        Ok(rows)
    }

    fn row(&mut self, found: Found) -> io::Result<ResultRow> {
        let tokens = match self.counts.tokens.get(&(found.record, found.block)) {
            Some(tokens) => *tokens,
            None => match self.block(found)? {
                Some(block) => self.sizer.block(&conversation::Block::Read(block)),
                None => 0,
            },
        };
        Ok(self.row_of(found, tokens))
    }

    fn row_of(&self, found: Found, tokens: u64) -> ResultRow {
        let index = self.transcript.index();
        let call = found.piece.tool;
        ResultRow {
            spot: spot(self.transcript, self.walk, found.record),
            tool: call.and_then(|call| self.walk.tool(index, call).map(str::to_owned)),
            target: call.and_then(|call| self.walk.target(self.transcript, call)),
            tokens,
            is_error: found.piece.is_error,
        }
    }

    fn block(&self, found: Found) -> io::Result<Option<Block>> {
        let entry = &self.transcript.index().entries()[found.record];
        let Content::Blocks(blocks) = self.transcript.record(entry)?.content else {
            return Ok(None);
        };
        Ok(blocks.into_iter().nth(found.block))
    }

    /// Results that stand several times, the most wasteful first; only the `limit` first are told
    /// with their places. Gives also how many there are, and what they waste.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub(super) fn duplicates(&mut self, limit: usize) -> io::Result<(Vec<Duplicate>, usize)> {
        // Only results of one size can be the same.
        let mut by_size: FxHashMap<(u32, u32), Vec<Found>> = FxHashMap::default();
        for found in &self.found {
            let piece = &found.piece;
            if piece.chars >= WORTH_COMPARING || piece.images > 0 {
                let same = by_size.entry((piece.chars, piece.images)).or_default();
                same.push(*found);
            }
        }
        let mut groups: Vec<Vec<Found>> = Vec::new();
        for same in by_size.into_values().filter(|same| same.len() > 1) {
            let mut by_hash: FxHashMap<blake3::Hash, Vec<Found>> = FxHashMap::default();
            for found in same {
                let hash = hash(self.block(found)?);
                by_hash.entry(hash).or_default().push(found);
            }
            groups.extend(by_hash.into_values().filter(|group| group.len() > 1));
        }
        for group in &mut groups {
            group.sort_by_key(|found| self.transcript.index().entries()[found.record].place.line);
        }
        let wasted = |group: &Vec<Found>| {
            let size = group.first().map_or(0, |found| {
                u64::from(found.piece.chars) + u64::from(found.piece.images) * 4 * IMAGE
            });
            size * (group.len() as u64 - 1)
        };
        groups.sort_by_key(|group| {
            let first = group.first().map(|found| found.record);
            (std::cmp::Reverse(wasted(group)), first)
        });
        let count = groups.len();
        groups.truncate(limit);
        let mut duplicates = Vec::with_capacity(groups.len());
        for group in groups {
            let Some(first) = group.first() else {
                continue;
            };
            let tokens = self.row(*first)?.tokens;
            let places: Vec<ResultRow> = group
                .iter()
                .map(|found| self.row_of(*found, tokens))
                .collect();
            let now = places.iter().filter(|row| row.spot.is_now).count() as u64;
            let is_read = |row: &ResultRow| {
                row.tool.as_deref() == Some("Read") && row.target == places[0].target
            };
            duplicates.push(Duplicate {
                tokens,
                wasted: tokens * (places.len() as u64 - 1),
                wasted_now: tokens * now.saturating_sub(1),
                is_unchanged_read: places.iter().all(is_read),
                places,
            });
        }
        Ok((duplicates, count))
    }
}

/// The pictures of a session, in order; of those beyond `limit` only the number is told.
///
/// # Errors
///
/// When the source cannot be read.
pub(super) fn images<S: Source>(
    transcript: &Transcript<S>,
    walk: &Walk,
    limit: usize,
) -> io::Result<(Vec<ImageRow>, usize)> {
    let index = transcript.index();
    let mut rows = Vec::new();
    let mut count = 0;
    for record in walk.records() {
        let entry = &index.entries()[record];
        let pieces = index.pieces(entry);
        let here: usize = pieces.iter().map(|piece| piece.images as usize).sum();
        count += here;
        if here == 0 || rows.len() >= limit {
            continue;
        }
        let Content::Blocks(blocks) = transcript.record(entry)?.content else {
            continue;
        };
        for (block, piece) in blocks.into_iter().zip(pieces) {
            let call: Option<Id> = piece.tool;
            for image in images_of(block) {
                rows.push(ImageRow {
                    spot: spot(transcript, walk, record),
                    tool: call.and_then(|call| walk.tool(index, call).map(str::to_owned)),
                    target: call.and_then(|call| walk.target(transcript, call)),
                    bytes: bytes_of(&image.data),
                    media_type: image.media_type,
                });
            }
        }
    }
    rows.truncate(limit);
    Ok((rows, count))
}

/// Where a record stands.
pub(super) fn spot<S: Source>(transcript: &Transcript<S>, walk: &Walk, record: usize) -> Spot {
    let index = transcript.index();
    let entry = &index.entries()[record];
    Spot {
        line: entry.place.line,
        uuid: entry.uuid.map(|uuid| index.text(uuid).to_owned()),
        turn: walk.turn(record),
        is_now: walk.is_now(record),
    }
}

fn images_of(block: Block) -> Vec<Image> {
    match block {
        Block::Image(image) => vec![image],
        Block::ToolResult {
            content: Content::Blocks(blocks),
            ..
        } => blocks.into_iter().flat_map(images_of).collect(),
        _ => Vec::new(),
    }
}

/// The bytes that a text in base64 stands for.
fn bytes_of(base64: &str) -> u64 {
    let length = base64.trim_end_matches('=').len() as u64;
    length * 3 / 4
}

fn hash(block: Option<Block>) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    match block {
        Some(Block::ToolResult {
            content: Content::Text(text),
            ..
        }) => {
            hasher.update(text.as_bytes());
        }
        Some(Block::ToolResult {
            content: Content::Blocks(blocks),
            ..
        }) => {
            for block in blocks {
                match block {
                    Block::Text(text) => hasher.update(text.as_bytes()),
                    Block::Image(image) => hasher.update(image.data.as_bytes()),
                    Block::Other { raw, .. } => hasher.update(raw.get().as_bytes()),
                    _ => &mut hasher,
                };
            }
        }
        _ => {}
    }
    hasher.finalize()
}
