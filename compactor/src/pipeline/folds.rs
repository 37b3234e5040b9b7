//! What collapse took out of a context, so that it can be put back exactly.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::context::Context;
use super::held::{Held, HeldMessage};
use super::json::Whole;
use super::trace::StageKind;
use crate::conversation::{Block, From, Role};
use crate::transcript::record;

/// The name of a fold: it is made of what the fold holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FoldId(String);

impl fmt::Display for FoldId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A span of a conversation, taken out of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Fold {
    /// The line that stands for it.
    pub outline: String,
    /// Its tokens.
    pub tokens: u64,
    messages: Vec<FoldedMessage>,
    /// The last message went on behind the span.
    splits: bool,
    /// What the next message's `joins` was, if folding changed it.
    next_joined: Option<bool>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct FoldedMessage {
    role: String,
    joins: bool,
    blocks: Vec<FoldedBlock>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct FoldedBlock {
    record: Option<usize>,
    block: usize,
    tokens: u64,
    made: Option<StageKind>,
    content: Box<RawValue>,
}

/// All folds of a context, by name. It can be kept beside the transcript, which stays as it is.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Folds(BTreeMap<FoldId, Fold>);

impl Folds {
    /// A fold.
    #[must_use]
    pub fn get(&self, id: &FoldId) -> Option<&Fold> {
        self.0.get(id)
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&FoldId, &Fold)> {
        self.0.iter()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A span on its way into a fold.
pub(crate) struct Folding {
    id: FoldId,
    fold: Fold,
}

impl Folding {
    /// The fold of some messages; nothing where one of their blocks cannot be written down.
    pub(crate) fn of(
        messages: &[HeldMessage],
        splits: bool,
        next_joined: Option<bool>,
    ) -> Option<Self> {
        let folded = messages.iter().map(|message| {
            let blocks = message.blocks.iter().map(|held| {
                let Block::Read(block) = &held.block else {
                    return None;
                };
                let content = serde_json::value::to_raw_value(&Whole(block)).ok()?;
                Some(FoldedBlock {
                    record: held.from.map(|from| from.record),
                    block: held.from.map_or(0, |from| from.block),
                    tokens: held.tokens,
                    made: held.made,
                    content,
                })
            });
            Some(FoldedMessage {
                role: message.role.name().to_owned(),
                joins: message.joins,
                blocks: blocks.collect::<Option<_>>()?,
            })
        });
        let messages = folded.collect::<Option<Vec<_>>>()?;
        let tokens = messages
            .iter()
            .flat_map(|message| &message.blocks)
            .map(|block| block.tokens)
            .sum();
        let fold = Fold {
            outline: String::new(),
            tokens,
            messages,
            splits,
            next_joined,
        };
        let written = serde_json::to_vec(&fold).ok()?;
        let id = FoldId(blake3::hash(&written).to_hex()[..16].to_owned());
        Some(Self { id, fold })
    }

    pub(crate) fn id(&self) -> &FoldId {
        &self.id
    }

    pub(crate) fn tokens(&self) -> u64 {
        self.fold.tokens
    }

    /// Puts the fold away under its outline.
    pub(crate) fn keep(mut self, outline: String, folds: &mut Folds) -> FoldId {
        self.fold.outline = outline;
        folds.0.insert(self.id.clone(), self.fold);
        self.id
    }
}

impl Fold {
    /// The messages, as they were. Nothing that is folded is protected.
    #[must_use]
    pub fn messages(&self) -> Vec<HeldMessage> {
        let messages = self.messages.iter().map(|message| HeldMessage {
            role: match message.role.as_str() {
                "assistant" => Role::Assistant,
                "system" => Role::System,
                _ => Role::User,
            },
            joins: message.joins,
            blocks: message
                .blocks
                .iter()
                .map(|folded| Held {
                    block: Block::Read(record::Block::read(&folded.content)),
                    from: folded.record.map(|record| From {
                        record,
                        block: folded.block,
                    }),
                    tokens: folded.tokens,
                    made: folded.made,
                    protected: None,
                    fold: None,
                })
                .collect(),
        });
        messages.collect()
    }
}

impl Context<'_> {
    /// Puts the span of a fold back in the place of its outline, exactly as it was. Tells whether
    /// there was such an outline.
    pub fn expand(&mut self, id: &FoldId) -> bool {
        let stands_for = |message: &HeldMessage| {
            message
                .blocks
                .first()
                .is_some_and(|held| held.fold.as_ref() == Some(id))
        };
        let Some(at) = self.messages.iter().position(stands_for) else {
            return false;
        };
        let Some(fold) = self.folds.get(id) else {
            return false;
        };
        let mut messages = fold.messages();
        if let Some(next) = self.messages.get_mut(at + 1) {
            next.joins = fold.next_joined.unwrap_or(next.joins);
            if fold.splits
                && let Some(last) = messages.last_mut()
            {
                last.blocks.append(&mut next.blocks);
                self.messages.remove(at + 1);
            }
        }
        self.messages.splice(at..=at, messages);
        true
    }
}
