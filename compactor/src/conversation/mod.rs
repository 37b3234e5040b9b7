//! What a resumed session sends: records of a transcript as messages and blocks.
//!
//! [`Conversation::of`] follows the assembly rule that was observed (fact I70). Each block knows
//! the record that it came from; blocks that the client words itself and that no transcript holds
//! are [`Block::Client`].

mod announced;
mod attachments;
mod groups;
mod instructions;
mod items;
pub mod logged;
mod messages;
mod pairs;
mod prompt;
mod silent;
mod speaker;
mod told;

use std::io;

use outcrop_loader::client::Client;

use crate::chain::{Chain, Resume};
use crate::transcript::record::{self, Record};
use crate::transcript::{Source, Transcript};
use speaker::Speaker;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// `user`.
    User,
    /// `assistant`.
    Assistant,
    /// `system`, between other messages: what newer models are told beside the talk (fact C2.1).
    System,
}

impl Role {
    /// As the service names it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
        }
    }
}

/// Where a block came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct From {
    /// The record's number in the index.
    pub record: usize,
    /// Which block of its message, or which piece of its attachment.
    pub block: usize,
}

/// One block of a message.
#[derive(Debug, Clone)]
pub struct Placed {
    /// What it holds.
    pub block: Block,
    /// The record that it stands in; none where the client makes it.
    pub from: Option<From>,
}

/// What a block holds.
#[derive(Debug, Clone)]
pub enum Block {
    /// What stands in the transcript.
    Read(record::Block),
    /// What an attachment holds, in words of the client's that the transcript lacks.
    Framed {
        /// What it holds, part by part.
        text: String,
        /// The length of the client's words, in UTF-16 units.
        frame: u32,
    },
    /// A text that the client words itself.
    Client(ClientText),
    /// The result of the call with this id, worded by the client, as of a failure.
    ClientResult(String, ClientText),
}

impl Block {
    /// A text.
    #[must_use]
    pub fn text(text: String) -> Self {
        Self::Read(record::Block::Text(text))
    }
}

/// Texts that the client words itself and that are in no transcript. Their words are the
/// client's; this tells which one it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientText {
    /// The block of instruction files, and with older clients the date (fact C2.3).
    Instructions,
    /// That instruction files are gone.
    InstructionsGone,
    /// How the session is told to sign its commits.
    Attribution,
    /// The answer that stands where a prompt got none (fact C7.6).
    NoResponse,
    /// The result of a call at the end that got none (fact C7.6).
    CallInterrupted,
    /// The result of a call whose own stands elsewhere.
    ResultMissing,
    /// What stands where a result without its call was all there was.
    ResultDropped,
    /// What stands where a call that was made twice was all there was.
    CallDropped,
    /// What stands for a prompt that is one empty block.
    NoContent,
    /// That the talk is to go on (docs/facts-sessions.md 205).
    GoOn,
    /// What is told of the session when the talk goes on: the working directory and the like.
    Environment,
    /// Which model it is.
    Model,
    /// Which tools can be looked up.
    DeferredTools,
    /// Which agents there are.
    Agents,
    /// Which skills there are.
    Skills,
    /// That the session plans no longer.
    PlanLeft,
    /// How many tokens there are; to older models with each prompt.
    TotalTokens,
    /// The date.
    Date,
}

impl ClientText {
    /// Its name in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::InstructionsGone => "instructions-gone",
            Self::Attribution => "attribution",
            Self::NoResponse => "no-response",
            Self::CallInterrupted => "call-interrupted",
            Self::ResultMissing => "result-missing",
            Self::ResultDropped => "result-dropped",
            Self::CallDropped => "call-dropped",
            Self::NoContent => "no-content",
            Self::GoOn => "go-on",
            Self::Environment => "environment",
            Self::Model => "model",
            Self::DeferredTools => "deferred-tools",
            Self::Agents => "agents",
            Self::Skills => "skills",
            Self::PlanLeft => "plan-left",
            Self::TotalTokens => "total-tokens",
            Self::Date => "date",
        }
    }
}

/// One message.
#[derive(Debug, Clone)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What, in order. A system message can be empty: it then only carries the effort.
    pub blocks: Vec<Placed>,
}

/// What a session sends when it is resumed.
#[derive(Debug, Clone, Default)]
pub struct Conversation {
    /// The messages, in order.
    pub messages: Vec<Message>,
}

/// An instruction file as a session receives it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
pub struct Instruction {
    /// Its path.
    pub path: String,
    /// What it contributes.
    #[serde(default)]
    pub content: String,
}

/// What of the resuming session decides the messages.
#[derive(Debug, Clone, Default)]
pub struct Resumed {
    /// The new prompt; without one, the messages as they stand before it.
    pub prompt: Option<String>,
    /// The instruction files that a session there receives now; none where that is not known.
    pub instructions: Option<Vec<Instruction>>,
    /// The model that is asked; by default that of the last answer.
    pub model: Option<String>,
}

/// What the attachment of a type adds to the messages; nothing where it says nothing.
pub(crate) fn attached(kind: &str, record: Record, client: &Resume, number: usize) -> Vec<Placed> {
    let from = |block| From {
        record: number,
        block,
    };
    match attachments::item(kind, record, client, !client.attachments_rendered, from) {
        Some(
            items::Item::Attached { pieces, .. }
            | items::Item::Told(pieces)
            | items::Item::Queued(pieces),
        ) => pieces,
        _ => Vec::new(),
    }
}

impl Conversation {
    /// The messages that a client sends which resumes `transcript`.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn of<S: Source>(
        transcript: &Transcript<S>,
        chain: &Chain,
        client: &Client,
        resumed: &Resumed,
    ) -> io::Result<Self> {
        let index = transcript.index();
        let speaker = Speaker::of(index, &chain.records, client, resumed);
        let mut items = items::read(transcript, &chain.records, &speaker)?;
        silent::drop(&mut items, &speaker);
        let mut groups = groups::of(items, &speaker);
        groups::drop_foreign_thoughts(&mut groups, index, &speaker);
        if let Some(prompt) = &resumed.prompt {
            let told = announced::of(index, &chain.records);
            let known = instructions::announced(transcript, &chain.records)?;
            let now = resumed.instructions.as_deref();
            let block = now.and_then(|now| instructions::told(known.as_deref(), now));
            prompt::add(&mut groups, prompt, &told, &speaker, block);
        }
        Ok(Self {
            messages: messages::of(groups, &speaker, resumed),
        })
    }
}
