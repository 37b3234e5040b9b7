//! What the next request holds, by category.

use std::collections::BTreeMap;
use std::io;

use outcrop_loader::client::Client;
use outcrop_loader::tokens::Model;
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::category::Category;
use super::walk::Walk;
use crate::chain::Chain;
use crate::conversation::{Block, Conversation, Placed, Resumed};
use crate::pipeline::{Counted, IMAGE, Sizer};
use crate::sessions::counted;
use crate::transcript::record::{self, Content};
use crate::transcript::{Source, Transcript};
use crate::window;

/// What the next request holds.
#[derive(Debug, Clone, Serialize)]
pub struct Holding {
    /// Its tokens: the recorded usage with what came after it; where there is none, or it is not
    /// that of these texts, what was counted.
    pub tokens: u64,
    /// The last recorded usage, from which tokens are counted on (fact C4.5).
    pub anchor: Option<Anchored>,
    /// What the transcript's texts come to.
    pub counted: u64,
    /// What is sent beside them: system prompt, tools, and what the client words itself. None
    /// where no usage tells it.
    pub not_in_transcript: Option<u64>,
    /// The categories, largest first.
    pub categories: Vec<Share>,
    /// The tokenizer of the counted texts.
    pub tokenizer: &'static str,
}

/// The usage from which tokens are counted on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Anchored {
    /// The line of the answer that carries it.
    pub line: u32,
    /// What that request sent.
    pub sent: u64,
    /// What it was answered.
    pub output: u64,
    /// What came after it, counted.
    pub after: u64,
    /// It is less than the texts that it should count: another conversation's, or a stand-in's.
    pub is_too_small: bool,
}

/// The share of one category.
#[derive(Debug, Clone, Serialize)]
pub struct Share {
    /// What it is.
    pub category: Category,
    /// Its tokens.
    pub tokens: u64,
    /// How many blocks.
    pub blocks: usize,
    /// Of calls and results, each tool's part, largest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolShare>,
}

/// The part of one tool.
#[derive(Debug, Clone, Serialize)]
pub struct ToolShare {
    /// The tool.
    pub tool: String,
    /// Its tokens.
    pub tokens: u64,
    /// How many blocks.
    pub blocks: usize,
}

#[derive(Default)]
struct Sum {
    tokens: u64,
    blocks: usize,
    tools: BTreeMap<String, (u64, usize)>,
}

/// The tokens of what was counted, block by block.
#[derive(Default)]
pub(super) struct Counts {
    /// By record and block.
    pub tokens: FxHashMap<(usize, usize), u64>,
    /// By turn and category.
    turns: FxHashMap<usize, BTreeMap<Category, u64>>,
}

/// What of one turn the next request holds, of one category.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TurnShare {
    /// What it is.
    pub category: Category,
    /// Its tokens.
    pub tokens: u64,
}

impl Counts {
    /// What of a turn the next request holds, the largest first.
    pub(super) fn of_turn(&self, turn: usize) -> Vec<TurnShare> {
        let shares = self.turns.get(&turn).into_iter().flatten();
        let mut shares: Vec<TurnShare> = shares
            .map(|(category, tokens)| TurnShare {
                category: *category,
                tokens: *tokens,
            })
            .collect();
        shares.sort_by_key(|share| std::cmp::Reverse(share.tokens));
        shares
    }
}

/// Counts what the next request holds.
///
/// # Errors
///
/// When the source cannot be read.
pub(super) fn holding<S: Source>(
    transcript: &Transcript<S>,
    chain: &Chain,
    walk: &Walk,
    client: &Client,
    model: Model,
) -> io::Result<(Holding, Counts)> {
    let conversation = Conversation::of(transcript, chain, client, &Resumed::default())?;
    let records = counted(transcript, chain);
    let anchor = window::anchor(&records, &client.behaviour.counting);
    let position = chain.records.iter().enumerate();
    let position: FxHashMap<usize, usize> = position.map(|(at, record)| (*record, at)).collect();
    let is_after = |record: usize| {
        anchor.is_some_and(|anchor| position.get(&record).is_some_and(|at| *at > anchor.record))
    };
    let mut adding = Adding {
        transcript,
        walk,
        sizer: Counted::of(model.family),
        turn: None,
        sums: BTreeMap::new(),
        counts: Counts::default(),
    };
    let (mut before, mut after) = (0, 0);
    for placed in conversation
        .messages
        .iter()
        .flat_map(|message| &message.blocks)
    {
        let Some(from) = placed.from else {
            continue;
        };
        let tokens = adding.add(placed, from.record, from.block);
        match is_after(from.record) {
            true => after += tokens,
            false => before += tokens,
        }
    }
    let anchored = anchor.map(|anchor| Anchored {
        line: transcript.index().entries()[chain.records[anchor.record]]
            .place
            .line,
        sent: anchor.usage.total().saturating_sub(anchor.usage.output),
        output: anchor.usage.output,
        after,
        is_too_small: anchor.usage.total() < before,
    });
    let rest = anchored
        .filter(|anchored| !anchored.is_too_small)
        .map(|anchored| anchored.sent.saturating_add(anchored.output) - before);
    let holding = Holding {
        tokens: (before + after).saturating_add(rest.unwrap_or(0)),
        anchor: anchored,
        counted: before + after,
        not_in_transcript: rest,
        categories: shares(adding.sums),
        tokenizer: model.family.name(),
    };
    Ok((holding, adding.counts))
}

struct Adding<'a, S> {
    transcript: &'a Transcript<S>,
    walk: &'a Walk,
    sizer: Counted,
    /// The turn of the block that is added.
    turn: Option<usize>,
    sums: BTreeMap<Category, Sum>,
    counts: Counts,
}

impl<S: Source> Adding<'_, S> {
    /// Adds one block, and gives its tokens.
    fn add(&mut self, placed: &Placed, record: usize, block: usize) -> u64 {
        let index = self.transcript.index();
        let entry = &index.entries()[record];
        let category = Category::of(self.transcript, entry, placed);
        self.turn = self.walk.turn(record);
        let tokens = self.sizer.block(&placed.block);
        let counted = self.counts.tokens.entry((record, block)).or_default();
        *counted += tokens;
        let images = images_in(&placed.block) * IMAGE;
        let mut own = tokens.saturating_sub(images);
        if category != Category::Images {
            self.sum(Category::Images, images, usize::from(images > 0), None);
        } else {
            own = tokens;
        }
        match &placed.block {
            Block::Read(record::Block::ToolResult { id, content, .. }) => {
                let tool = index.find(id).and_then(|id| self.walk.tool(index, id));
                let piece = index.pieces(entry).get(block);
                let own_units = piece.map_or(u64::MAX, |piece| u64::from(piece.chars));
                // Older models are told what attachments add in the last result (fact C2.2).
                let added = share_beyond(own_units, units_of(content), own);
                self.sum(Category::Reminders, added, usize::from(added > 0), None);
                self.sum(category, own - added, 1, tool);
            }
            Block::Read(record::Block::ToolUse { name, .. }) => {
                self.sum(category, own, 1, Some(name));
            }
            _ => self.sum(category, own, 1, None),
        }
        tokens
    }

    fn sum(&mut self, category: Category, tokens: u64, blocks: usize, tool: Option<&str>) {
        if blocks == 0 {
            return;
        }
        let sum = self.sums.entry(category).or_default();
        sum.tokens += tokens;
        sum.blocks += blocks;
        if let Some(turn) = self.turn {
            let of_turn = self.counts.turns.entry(turn).or_default();
            *of_turn.entry(category).or_default() += tokens;
        }
        if let Some(tool) = tool {
            let (tool_tokens, tool_blocks) = sum.tools.entry(tool.to_owned()).or_default();
            *tool_tokens += tokens;
            *tool_blocks += blocks;
        }
    }
}

/// Of the tokens of a text, those that its units beyond its own come to.
fn share_beyond(own: u64, all: u64, tokens: u64) -> u64 {
    match all.checked_sub(own) {
        Some(beyond) if beyond > 0 => tokens.saturating_mul(beyond) / all.max(1),
        _ => 0,
    }
}

fn units_of(content: &Content) -> u64 {
    match content {
        Content::Missing => 0,
        Content::Text(text) => crate::pipeline::units(text),
        Content::Blocks(blocks) => {
            let texts = blocks.iter().filter_map(|block| match block {
                record::Block::Text(text) => Some(crate::pipeline::units(text)),
                _ => None,
            });
            texts.sum()
        }
    }
}

/// The images within a result.
fn images_in(block: &Block) -> u64 {
    match block {
        Block::Read(record::Block::ToolResult {
            content: Content::Blocks(blocks),
            ..
        }) => {
            let images = blocks
                .iter()
                .filter(|block| matches!(block, record::Block::Image(_)));
            images.count() as u64
        }
        _ => 0,
    }
}

fn shares(sums: BTreeMap<Category, Sum>) -> Vec<Share> {
    let mut shares: Vec<Share> = sums
        .into_iter()
        .map(|(category, sum)| {
            let tools = sum.tools.into_iter();
            let mut tools: Vec<ToolShare> = tools
                .map(|(tool, (tokens, blocks))| ToolShare {
                    tool,
                    tokens,
                    blocks,
                })
                .collect();
            tools.sort_by_key(|tool| std::cmp::Reverse(tool.tokens));
            Share {
                category,
                tokens: sum.tokens,
                blocks: sum.blocks,
                tools,
            }
        })
        .collect();
    shares.sort_by_key(|share| std::cmp::Reverse(share.tokens));
    shares
}
