//! What a request holds while the stages work on it.

use crate::conversation::{Block, Conversation, Placed, Role};
use crate::transcript::record;
use crate::transcript::{Entry, Id, Index};

use super::calls::At;
use super::folds::Folds;
use super::held::{Held, HeldMessage, PERSISTED, holds, is_request, tokens_of};
use super::size::Sizer;
use super::summary::Boundary;
use super::trace::{Action, Change, Recover, StageKind, Why};

/// The recorded usage from which tokens are counted on: all that was sent and answered until then,
/// the fixed parts included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Anchor {
    /// The record that holds it.
    pub record: usize,
    /// The first record of the same answer. The client estimates what follows it, although the
    /// usage has the rest of the answer, too.
    pub first: usize,
    /// Its tokens (fact C4.4).
    pub usage: u64,
}

/// What is known of a context beside its messages.
#[derive(Debug, Clone, Default)]
pub struct Start {
    /// The last recorded usage. Without it everything is estimated (fact C4.7).
    pub anchor: Option<Anchor>,
    /// Tokens of what is sent beside the messages: system prompt and tools. An anchor holds them
    /// already; they count where it does not. The client's own estimate leaves them out.
    pub fixed: u64,
    /// Texts that must survive verbatim.
    pub pins: Vec<String>,
}

/// The messages of one request, with the tokens of each block.
///
/// Messages are in the order in which they are sent. [`Context::joined`] is what is sent.
pub struct Context<'t> {
    index: &'t Index,
    sizer: Box<dyn Sizer + 't>,
    /// The messages.
    pub messages: Vec<HeldMessage>,
    /// Tokens beside those of the blocks: what the anchor holds more, or less, than the blocks
    /// before it.
    rest: i64,
    fixed: u64,
    /// What was folded.
    pub folds: Folds,
    /// Where a summary cut.
    pub boundary: Option<Boundary>,
    pins: Vec<String>,
    anchor: Option<Anchor>,
}

impl<'t> Context<'t> {
    /// The context of a request that holds `conversation`, whose records stand in `index`.
    #[must_use]
    pub fn of(
        conversation: Conversation,
        index: &'t Index,
        start: Start,
        sizer: impl Sizer + 't,
    ) -> Self {
        let mut sizer: Box<dyn Sizer + 't> = Box::new(sizer);
        let messages: Vec<HeldMessage> = conversation
            .messages
            .into_iter()
            .map(|message| HeldMessage {
                role: message.role,
                blocks: message
                    .blocks
                    .into_iter()
                    .map(|Placed { block, from }| Held {
                        tokens: sizer.block(&block),
                        block,
                        from,
                        made: None,
                        protected: None,
                        fold: None,
                    })
                    .collect(),
                joins: false,
            })
            .collect();
        let mut context = Self {
            index,
            sizer,
            messages,
            rest: signed(start.fixed),
            fixed: start.fixed,
            folds: Folds::default(),
            boundary: None,
            pins: start.pins,
            anchor: None,
        };
        context.protect();
        if let Some(anchor) = start.anchor {
            context.anchor_at(anchor);
        }
        context
    }

    /// The anchor counts everything up to its answer's first record; what follows is estimated
    /// (fact C4.5).
    fn anchor_at(&mut self, anchor: Anchor) {
        let is_first = |held: &Held| held.from.is_some_and(|from| from.record == anchor.first);
        let messages = self.messages.iter().enumerate();
        let mut places = messages.filter_map(|(number, message)| {
            Some((number, message.blocks.iter().rposition(is_first)?))
        });
        let Some((message, block)) = places.next_back() else {
            return;
        };
        let before: u64 = self.messages[..message].iter().map(tokens_of).sum();
        let within = &self.messages[message].blocks[..=block];
        let within: u64 = within.iter().map(|held| held.tokens).sum();
        self.rest = signed(anchor.usage) - signed(before + within);
        self.anchor = Some(anchor);
    }

    /// Marks what no stage may change: pinned texts, the last request, and what the client makes
    /// anew with every request.
    fn protect(&mut self) {
        let mut last = None;
        for (number, message) in self.messages.iter().enumerate() {
            if message.blocks.iter().any(|held| self.is_request(held)) {
                last = Some(number);
            }
        }
        let index = self.index;
        let pins = &self.pins;
        for (number, message) in self.messages.iter_mut().enumerate() {
            for held in &mut message.blocks {
                held.protected = if Some(number) == last && is_request(index, held) {
                    Some(Why::LastRequest)
                } else if pins.iter().any(|pin| holds(&held.block, pin)) {
                    Some(Why::Pinned)
                } else {
                    None
                };
            }
        }
    }

    /// Whether a block is what the user asked for in their own words.
    #[must_use]
    pub fn is_request(&self, held: &Held) -> bool {
        is_request(self.index, held)
    }

    /// What the records are from which the blocks came.
    #[must_use]
    pub fn index(&self) -> &'t Index {
        self.index
    }

    /// The record of a block.
    #[must_use]
    pub fn entry(&self, held: &Held) -> Option<&'t Entry> {
        self.index.entries().get(held.from?.record)
    }

    /// The usage from which tokens are counted on.
    #[must_use]
    pub fn anchor(&self) -> Option<Anchor> {
        self.anchor
    }

    /// The texts that must survive verbatim.
    #[must_use]
    pub fn pins(&self) -> &[String] {
        &self.pins
    }

    /// The tokens of the whole request.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        let blocks: u64 = self.messages.iter().map(tokens_of).sum();
        u64::try_from(signed(blocks).saturating_add(self.rest)).unwrap_or(0)
    }

    /// The tokens of the texts that a stage put in.
    #[must_use]
    pub fn added_by(&self, stage: StageKind) -> u64 {
        if matches!(stage, StageKind::Budget | StageKind::Microcompact) {
            // They only change what is there.
            return 0;
        }
        let blocks = self.messages.iter().flat_map(|message| &message.blocks);
        let added = blocks.filter(|held| held.made == Some(stage));
        added.map(|held| held.tokens).sum()
    }

    /// The tokens of what is sent beside the messages, as they were given.
    #[must_use]
    pub fn fixed(&self) -> u64 {
        self.fixed
    }

    /// From here on all messages are estimated: the recorded usage is that of another conversation
    /// (fact C4.13).
    pub fn forget_usage(&mut self) {
        self.rest = signed(self.fixed);
    }

    /// The tokens of a block.
    pub fn size(&mut self, block: &Block) -> u64 {
        self.sizer.block(block)
    }

    /// A text that a stage puts in, with its tokens.
    pub fn text(&mut self, by: StageKind, text: String) -> Held {
        let tokens = self.sizer.text(&text);
        Held::made(by, text, tokens)
    }

    /// Puts another block in the place of one, if that is smaller: gives the change with its size.
    pub fn replace(
        &mut self,
        at: At,
        by: StageKind,
        block: Block,
        mut change: Change,
    ) -> Option<Change> {
        change.tokens_after = self.size(&block);
        if change.tokens_after >= change.tokens_before {
            return None;
        }
        let held = &mut self.messages[at.message].blocks[at.block];
        held.block = block;
        held.tokens = change.tokens_after;
        held.made = Some(by);
        Some(change)
    }

    /// What a stage did to a block, for the trace.
    #[must_use]
    pub fn change(&self, held: &Held, action: Action, why: Why) -> Change {
        let entry = self.entry(held);
        let tokens_after = if action == Action::Kept {
            held.tokens
        } else {
            0
        };
        Change {
            record: held.from.map(|from| from.record),
            uuid: entry
                .and_then(|entry| entry.uuid)
                .map(|uuid| self.index.text(uuid).to_owned()),
            line: entry.map(|entry| entry.place.line),
            block: held.from.map_or(0, |from| from.block),
            action,
            why,
            by_line: None,
            tokens_before: held.tokens,
            tokens_after,
            recover: recover(held),
        }
    }

    /// The messages as they are sent: those that a stage brought together are one. A system message
    /// between them that says nothing does not part them.
    #[must_use]
    pub fn joined(&self) -> Vec<(Role, Vec<&Held>)> {
        let mut joined: Vec<(Role, Vec<&Held>)> = Vec::with_capacity(self.messages.len());
        for message in &self.messages {
            let is_said = |(role, blocks): &&mut (Role, Vec<&Held>)| {
                *role != Role::System || !blocks.is_empty() || message.role == Role::System
            };
            match joined.iter_mut().rev().find(is_said) {
                Some((role, blocks)) if message.joins && *role == message.role => {
                    blocks.extend(&message.blocks);
                }
                _ => joined.push((message.role, message.blocks.iter().collect())),
            }
        }
        joined
    }
}

fn signed(tokens: u64) -> i64 {
    i64::try_from(tokens).unwrap_or(i64::MAX)
}

fn recover(held: &Held) -> Recover {
    if let Block::Read(record::Block::ToolResult {
        content: record::Content::Text(text),
        ..
    }) = &held.block
        && text.starts_with(PERSISTED)
        && let Some(path) = persisted_path(text)
    {
        return Recover::File {
            path: path.to_owned(),
        };
    }
    if held.from.is_some() {
        Recover::Transcript
    } else {
        Recover::Nowhere
    }
}

/// The path in the stub of a persisted result: what follows the last `: ` of its line.
fn persisted_path(stub: &str) -> Option<&str> {
    let line = stub
        .lines()
        .take(4)
        .find(|line| line.contains("tool-results/") || line.contains("tool-results\\"))?;
    let path = line.rsplit_once(": ").map_or(line, |(_, path)| path).trim();
    (!path.is_empty()).then_some(path)
}

impl Context<'_> {
    /// Pins that no message holds.
    #[must_use]
    pub fn missing_pins(&self) -> Vec<String> {
        let held = |pin: &&String| {
            let mut blocks = self.messages.iter().flat_map(|message| &message.blocks);
            blocks.any(|held| holds(&held.block, pin))
        };
        self.pins.iter().filter(|pin| !held(pin)).cloned().collect()
    }

    /// The uuid of the first record in a message.
    #[must_use]
    pub fn uuid(&self, blocks: &[&Held]) -> Option<&str> {
        let uuid = blocks.iter().find_map(|held| self.entry(held)?.uuid);
        uuid.map(|uuid: Id| self.index.text(uuid))
    }
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context")
            .field("messages", &self.messages)
            .field("rest", &self.rest)
            .finish_non_exhaustive()
    }
}
