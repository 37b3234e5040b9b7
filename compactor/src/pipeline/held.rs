//! Messages and blocks as a context holds them.

use crate::conversation::{Block, From, Role};
use crate::transcript::Index;
use crate::transcript::record;
use crate::turns::is_prompt;

use super::folds::FoldId;
use super::trace::{StageKind, Why};

/// A block as the context holds it.
#[derive(Debug, Clone)]
pub struct Held {
    /// What it holds now.
    pub block: Block,
    /// The record that it came from; a changed block keeps it.
    pub from: Option<From>,
    /// Its tokens.
    pub tokens: u64,
    /// The stage that made or changed it.
    pub made: Option<StageKind>,
    /// Why no stage may change it.
    pub protected: Option<Why>,
    /// The fold for which it stands.
    pub fold: Option<FoldId>,
}

impl Held {
    /// A text that a stage puts in.
    #[must_use]
    pub fn made(by: StageKind, text: String, tokens: u64) -> Self {
        Self {
            block: Block::Read(record::Block::Text(text)),
            from: None,
            tokens,
            made: Some(by),
            protected: None,
            fold: None,
        }
    }

    /// The id of a call.
    #[must_use]
    pub fn call(&self) -> Option<&str> {
        match &self.block {
            Block::Read(record::Block::ToolUse { id, .. }) => Some(id),
            _ => None,
        }
    }

    /// The id of the call that a result answers.
    #[must_use]
    pub fn answers(&self) -> Option<&str> {
        match &self.block {
            Block::Read(record::Block::ToolResult { id, .. }) | Block::ClientResult(id, _) => {
                Some(id)
            }
            _ => None,
        }
    }

    /// Whether it is a thought.
    #[must_use]
    pub fn is_thought(&self) -> bool {
        match &self.block {
            Block::Read(record::Block::Thinking { .. }) => true,
            Block::Read(record::Block::Other { kind, .. }) => kind == "redacted_thinking",
            _ => false,
        }
    }

    /// Whether the client makes it anew with every request: it came from no record and no stage.
    /// The result that stands where a call got none is not: it stays with its call.
    #[must_use]
    pub fn is_anew(&self) -> bool {
        self.from.is_none() && self.made.is_none() && self.answers().is_none()
    }
}

/// A message as the context holds it.
#[derive(Debug, Clone)]
pub struct HeldMessage {
    /// Who speaks.
    pub role: Role,
    /// What, in order.
    pub blocks: Vec<Held>,
    /// A stage took away what stood between it and the message before: they are sent as one if
    /// they have one role.
    pub joins: bool,
}

impl HeldMessage {
    /// Whether the model said it. What the client puts in the place of an answer is none.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        let by_model = |held: &Held| matches!(held.block, Block::Read(_));
        self.role == Role::Assistant && self.blocks.iter().any(by_model)
    }
}

/// The tokens of a message.
#[must_use]
pub fn tokens_of(message: &HeldMessage) -> u64 {
    message.blocks.iter().map(|held| held.tokens).sum()
}

/// How texts begin that the client puts among the user's (facts I36, I38, I39, C8.3).
const NOT_OWN: &[&str] = &[
    "<command-",
    "<local-command-",
    "<bash-",
    "<task-notification>",
    "<system-reminder>",
    "[Request interrupted",
];

/// Whether a text of a user record is one that the client put there.
pub(crate) fn is_of_client(text: &str) -> bool {
    NOT_OWN.iter().any(|start| text.starts_with(start))
}

/// Whether a text of a user record is in the user's own words.
pub(crate) fn is_own_words(text: &str) -> bool {
    !is_of_client(text) && !text.trim().is_empty()
}

/// Whether a block is what the user asked for in their own words.
pub(crate) fn is_request(index: &Index, held: &Held) -> bool {
    if held.made.is_some() {
        return false;
    }
    let own = match held.from {
        // The new prompt, or instructions, which are needed as well.
        None => true,
        Some(from) => {
            let entry = index.entries().get(from.record);
            entry.is_some_and(|entry| is_prompt(index, entry))
        }
    };
    own && match &held.block {
        Block::Read(record::Block::Text(text)) => is_own_words(text),
        Block::Read(record::Block::Image(_)) => true,
        _ => false,
    }
}

/// Whether a block holds a text byte for byte.
#[must_use]
pub fn holds(block: &Block, text: &str) -> bool {
    match block {
        Block::Read(block) => read_holds(block, text),
        Block::Framed { text: whole, .. } => whole.contains(text),
        Block::Client(_) | Block::ClientResult(..) => false,
    }
}

fn read_holds(block: &record::Block, text: &str) -> bool {
    match block {
        record::Block::Text(whole) => whole.contains(text),
        record::Block::ToolResult { content, .. } => match content {
            record::Content::Missing => false,
            record::Content::Text(whole) => whole.contains(text),
            record::Content::Blocks(blocks) => blocks.iter().any(|block| read_holds(block, text)),
        },
        record::Block::ToolUse { input, .. } => {
            // Texts stand in it as JSON has them.
            serde_json::to_string(text).is_ok_and(|json| {
                json.get(1..json.len() - 1)
                    .is_some_and(|inner| input.get().contains(inner))
            })
        }
        _ => false,
    }
}

/// How the stub begins that stands for a result which the client wrote to a file (fact C3.1).
pub(crate) const PERSISTED: &str = "<persisted-output>";
