//! Messages as who said what: passages with their speaker, calls with their results.

use std::borrow::Cow;
use std::ops::Range;

use rustc_hash::FxHashMap;
use serde_json::value::RawValue;

use super::aside::Aside;
use super::finding::Place;
use super::input::each_text;
use super::spoken::Spoken;
use super::voices;
use crate::conversation::{Block, From, Role};
use crate::transcript::record::{self, Content};
use crate::transcript::{Index, Kind};
use crate::turns::Turn;

/// Whose words a passage holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Voice {
    /// The user's own.
    User,
    /// The model's answer.
    Assistant,
    /// What the model thought.
    Thought,
    /// A text in a call's input.
    Call,
    /// What a tool answered.
    Result,
    /// What the client put in, or what the user pasted: shown, not said.
    Shown,
    /// The client's note that the user interrupted.
    Interrupt,
}

impl Voice {
    /// Whether user or model chose the words, rather than a program or a file.
    pub(super) const fn names(self) -> bool {
        matches!(self, Self::User | Self::Assistant | Self::Call)
    }
}

/// A text and who said it.
#[derive(Debug)]
pub(super) struct Passage<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) voice: Voice,
    /// Its place, among [`Talk::spots`].
    pub(super) spot: usize,
    /// The key of a text in a call's input.
    pub(super) key: Cow<'a, str>,
}

/// The place of one block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    message: usize,
    block: usize,
    pub(super) record: Option<usize>,
    role: Role,
    pub(super) turn: u32,
}

/// A call and its result.
#[derive(Debug)]
pub(super) struct Call<'a> {
    pub(super) id: &'a str,
    pub(super) tool: &'a str,
    /// Its input, as JSON.
    pub(super) input: &'a RawValue,
    /// The texts of its input, among the passages.
    texts: Range<usize>,
    pub(super) spot: usize,
    pub(super) result: Option<Answer<'a>>,
}

/// What a tool answered.
#[derive(Debug)]
pub(super) struct Answer<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) is_error: bool,
    /// The user stopped the call or refused it (fact I39).
    pub(super) is_interrupted: bool,
    pub(super) spot: usize,
}

impl Answer<'_> {
    pub(super) fn failed(&self) -> bool {
        self.is_error || exit_code(&self.text).is_some_and(|code| code != 0)
    }
}

/// The code in the `Exit code N` line of a failed command (fact C3.3).
fn exit_code(text: &str) -> Option<u32> {
    let rest = text.strip_prefix("Exit code ")?;
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    rest[..end].parse().ok()
}

/// Messages as who said what.
#[derive(Debug, Default)]
pub(super) struct Talk<'a> {
    /// In the order of the messages.
    pub(super) passages: Vec<Passage<'a>>,
    pub(super) spots: Vec<Spot>,
    /// In the order in which they were made.
    pub(super) calls: Vec<Call<'a>>,
}

impl<'a> Talk<'a> {
    pub(super) fn of(
        index: &Index,
        turns: &[Turn],
        aside: &'a Aside,
        messages: &'a [impl Spoken],
    ) -> Self {
        let records = turns.iter().flat_map(|turn| {
            let number = u32::try_from(turn.number).unwrap_or(u32::MAX);
            turn.records.iter().map(move |record| (*record, number))
        });
        let turns: FxHashMap<usize, u32> = records.collect();
        let mut talk = Self::default();
        let mut open = FxHashMap::default();
        for (number, message) in messages.iter().enumerate() {
            let first = talk.passages.len();
            let mut answered = Vec::new();
            for (place, (block, from)) in message.blocks().enumerate() {
                let spot = talk.spots.len();
                let before = talk.spots.last().map_or(0, |spot| spot.turn);
                // Not in the transcript: the new prompt stands last.
                let is_new = from.is_none()
                    && number + 1 == messages.len()
                    && message.role() == Role::User
                    && matches!(block, Block::Read(record::Block::Text(_)));
                let record = from.map(|from| from.record);
                let known = record.and_then(|record| turns.get(&record)).copied();
                talk.spots.push(Spot {
                    message: number,
                    block: place,
                    record,
                    role: message.role(),
                    turn: known.unwrap_or(before + u32::from(is_new)),
                });
                let texts = talk.passages.len();
                talk.take(index, aside, block, spot, is_new);
                let texts = texts..talk.passages.len();
                talk.take_call(block, from, spot, texts, &mut open, &mut answered);
            }
            let is_stopped = |passage: &Passage<'_>| {
                passage.voice == Voice::Interrupt && passage.text.contains("for tool use")
            };
            if talk.passages[first..].iter().any(is_stopped) {
                for call in answered {
                    let result = talk
                        .calls
                        .get_mut(call)
                        .and_then(|call| call.result.as_mut());
                    if let Some(answer) = result.filter(|answer| answer.is_error) {
                        answer.is_interrupted = true;
                    }
                }
            }
        }
        talk
    }

    /// The place of a block as it is told.
    pub(super) fn place(&self, index: &Index, spot: usize) -> Place {
        let spot = &self.spots[spot];
        let entry = spot.record.and_then(|record| index.entries().get(record));
        Place {
            uuid: entry
                .and_then(|entry| entry.uuid)
                .map(|uuid| index.text(uuid).to_owned()),
            line: entry.map(|entry| entry.place.line),
            role: spot.role.name(),
            turn: spot.turn,
            message: spot.message,
            block: spot.block,
        }
    }

    /// A text of a call's input, by its key.
    pub(super) fn input(&self, call: &Call<'_>, key: &str) -> Option<&str> {
        let mut texts = self.passages[call.texts.clone()].iter();
        let found = texts.find(|passage| passage.key == key);
        found.map(|passage| &*passage.text)
    }

    /// The record that a block stands in.
    pub(super) fn record(&self, spot: usize) -> Option<usize> {
        self.spots[spot].record
    }

    /// The first block of a record.
    pub(super) fn spot_of(&self, record: usize) -> Option<usize> {
        let mut spots = self.spots.iter();
        spots.position(|spot| spot.record == Some(record))
    }

    fn push(&mut self, text: &'a str, voice: Voice, spot: usize) {
        if !text.is_empty() {
            self.passages.push(Passage {
                text: Cow::Borrowed(text),
                voice,
                spot,
                key: Cow::Borrowed(""),
            });
        }
    }

    fn take(
        &mut self,
        index: &Index,
        aside: &'a Aside,
        block: &'a Block,
        spot: usize,
        is_new: bool,
    ) {
        let block = match block {
            Block::Read(block) => block,
            Block::Framed { text, .. } => {
                return self.push_of_user(index, aside, text, spot, is_new);
            }
            Block::Client(_) | Block::ClientResult(..) => return,
        };
        match block {
            record::Block::Text(text) => match self.spots[spot].role {
                Role::Assistant => self.push(text, Voice::Assistant, spot),
                _ => self.push_of_user(index, aside, text, spot, is_new),
            },
            record::Block::Thinking { text, .. } => self.push(text, Voice::Thought, spot),
            record::Block::ToolUse { input, .. } => {
                each_text(input, |key, text| {
                    self.passages.push(Passage {
                        text,
                        voice: Voice::Call,
                        spot,
                        key,
                    });
                });
            }
            record::Block::ToolResult { content, .. } => match content {
                Content::Missing => {}
                Content::Text(text) => self.push(text, Voice::Result, spot),
                Content::Blocks(blocks) => {
                    for block in blocks {
                        if let record::Block::Text(text) = block {
                            self.push(text, Voice::Result, spot);
                        }
                    }
                }
            },
            record::Block::Image(_) | record::Block::Other { .. } => {}
        }
    }

    /// Adds a text that stands on the user's side, part by part.
    fn push_of_user(
        &mut self,
        index: &Index,
        aside: &'a Aside,
        text: &'a str,
        spot: usize,
        is_new: bool,
    ) {
        let record = self.spots[spot].record;
        let entry = record.and_then(|record| index.entries().get(record));
        let is_own = entry.map_or(is_new, |entry| {
            entry.kind == Kind::User && !entry.flags.meta && !entry.flags.summary
        });
        if is_own {
            for (part, voice) in voices::parts(text) {
                self.push(part, voice, spot);
            }
            return;
        }
        let queued = record.and_then(|record| aside.queued.get(&record));
        let prompts = queued.into_iter().flatten();
        let said: Vec<&str> = prompts
            .map(String::as_str)
            .filter(|prompt| text.contains(prompt))
            .collect();
        for prompt in &said {
            self.push(prompt, Voice::User, spot);
        }
        if said.is_empty() {
            self.push(text, Voice::Shown, spot);
        }
    }

    fn take_call(
        &mut self,
        block: &'a Block,
        from: Option<From>,
        spot: usize,
        texts: Range<usize>,
        open: &mut FxHashMap<&'a str, usize>,
        answered: &mut Vec<usize>,
    ) {
        match block {
            Block::Read(record::Block::ToolUse { id, name, input }) => {
                open.insert(id, self.calls.len());
                self.calls.push(Call {
                    id,
                    tool: name,
                    input,
                    texts,
                    spot,
                    result: None,
                });
            }
            Block::Read(record::Block::ToolResult {
                id,
                content,
                is_error,
            }) => {
                // A result that stands in no record is the client's stand-in for a missing one.
                let is_made = from.is_none() && matches!(content, Content::Missing);
                if let Some(number) = open.get(id.as_str()).filter(|_| !is_made) {
                    answered.push(*number);
                    self.calls[*number].result = Some(Answer {
                        text: whole(content),
                        is_error: *is_error,
                        is_interrupted: false,
                        spot,
                    });
                }
            }
            _ => {}
        }
    }
}

/// The texts of a result, one below the other.
fn whole(content: &Content) -> Cow<'_, str> {
    let texts: Vec<&str> = content.texts().collect();
    match texts.as_slice() {
        [one] => Cow::Borrowed(*one),
        _ => Cow::Owned(texts.join("\n")),
    }
}
