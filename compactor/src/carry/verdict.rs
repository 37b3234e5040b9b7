//! What became of each record, and why.

use serde::Serialize;

/// Why a record is carried over, or is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The user pinned it.
    Pinned,
    /// The user's last request.
    LastRequest,
    /// One of the last turns.
    Tail,
    /// The user forbids or demands.
    Constraint,
    /// The user corrects what was done.
    Correction,
    /// Who the user is.
    Identity,
    /// What the user prefers.
    Preference,
    /// What was promised.
    Promise,
    /// A decision with its reason.
    Decision,
    /// What is done and what is not.
    Checkpoint,
    /// The summary of an earlier compaction.
    Summary,
    /// The user excluded it.
    Excluded,
    /// It would have been carried over, but the target has no room.
    OverTarget,
    /// Words between calls, or a turn that is done with.
    Expired,
    /// A call of a tool.
    ToolCall,
    /// What a tool answered.
    ToolResult,
    /// What the model thought.
    Thinking,
    /// A picture.
    Image,
    /// The work of a sub-agent.
    SubAgent,
    /// An error of the service.
    ApiError,
    /// What the client put in: reminders, hooks, instruction files, its own commands.
    OfTheClient,
}

impl Reason {
    /// Its name in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pinned => "pinned",
            Self::LastRequest => "last-request",
            Self::Tail => "tail",
            Self::Constraint => "constraint",
            Self::Correction => "correction",
            Self::Identity => "identity",
            Self::Preference => "preference",
            Self::Promise => "promise",
            Self::Decision => "decision",
            Self::Checkpoint => "checkpoint",
            Self::Summary => "summary",
            Self::Excluded => "excluded",
            Self::OverTarget => "over-target",
            Self::Expired => "expired",
            Self::ToolCall => "tool-call",
            Self::ToolResult => "tool-result",
            Self::Thinking => "thinking",
            Self::Image => "image",
            Self::SubAgent => "sub-agent",
            Self::ApiError => "api-error",
            Self::OfTheClient => "of-the-client",
        }
    }
}

/// How much of a record is carried over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// Its texts, whole but for noise in them.
    Kept,
    /// Sentences of it.
    Part,
    /// Nothing.
    Dropped,
}

/// What became of one record of the chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// The record's number in the index.
    #[serde(skip)]
    pub record: usize,
    /// Its uuid.
    pub uuid: Option<String>,
    /// Its line in the transcript, from 1.
    pub line: u32,
    /// The turn, from 1.
    pub turn: usize,
    /// How much is carried over.
    pub fate: Fate,
    /// Why; of several reasons all, the strongest first.
    pub reasons: Vec<Reason>,
}
