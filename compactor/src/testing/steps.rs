//! A session as plain data.

/// What happens in a session, in order.
#[derive(Debug, Clone)]
pub struct Session {
    /// The steps.
    pub steps: Vec<Step>,
    /// The file ends in the middle of a record.
    pub torn: bool,
}

/// One step.
#[derive(Debug, Clone)]
pub enum Step {
    /// The user asks.
    Prompt {
        /// What.
        text: String,
        /// Its content is a list of blocks.
        listed: bool,
        /// With a picture.
        image: bool,
    },
    /// The model answers, and its calls get their results.
    Answer {
        /// What it thinks first.
        thinking: Option<String>,
        /// What it says.
        text: Option<String>,
        /// What it calls, all at once. Without text and calls it says something short.
        calls: Vec<MadeCall>,
        /// Results come in the opposite order.
        reversed: bool,
    },
    /// The client attaches a text.
    Attachment {
        /// Its type.
        kind: &'static str,
        /// The text.
        text: String,
        /// It goes into a system message.
        system: bool,
    },
    /// A note that the client puts in as the user's.
    Note(String),
    /// The conversation is compacted.
    Compaction {
        /// What stands for it.
        summary: String,
        /// The last answer is kept.
        keep: bool,
    },
    /// The user goes back by so many prompts, if there are so many since the last compaction.
    Rewind(usize),
    /// A sub-agent works, in the same file.
    Sidechain(String),
    /// A record beside the chain.
    Side(&'static str),
    /// A result without call.
    OrphanResult(String),
    /// The service refuses a request.
    ApiError,
    /// The turn ends, which the client notes.
    TurnEnd,
    /// A line that is no record.
    Garbage(&'static str),
}

/// A call with its result.
#[derive(Debug, Clone)]
pub struct MadeCall {
    /// The tool.
    pub name: &'static str,
    /// Its input, as JSON.
    pub input: String,
    /// What it gave; nothing where it was cut off.
    pub result: Option<MadeResult>,
}

/// What a call gave.
#[derive(Debug, Clone)]
pub struct MadeResult {
    /// The text.
    pub text: String,
    /// It failed.
    pub is_error: bool,
    /// Its content is a list of blocks.
    pub listed: bool,
    /// With a picture.
    pub image: bool,
}
