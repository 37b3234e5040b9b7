//! A carry-over: a new, shortened session made from an old one, which a client can resume.
//!
//! Neither a summary nor the last lines: what must hold on is picked from the old session word for
//! word, with its last turns, and all tool noise is left out (facts/carrying.md, "Refined
//! carry-over").
//!
//! ```text
//! transcript ─▶ chain ─▶ said (who said what) ─▶ notes (what must hold on) ─┐
//!                        loss (files, open items, claims) ─────────────────┼─▶ select (what fits)
//!                                                                          │        │
//!                        written ◀── compose (messages) ◀──────────────────┴────────┘
//!                           │
//!                        check (read again)
//! ```
//!
//! The messages alternate: first a short one of the user that says where they come from, then what
//! was decided and done, then what the user said that still holds, with the last turns behind it.

mod asked;
mod check;
mod clean;
mod compose;
mod forms;
mod marks;
mod notes;
mod plan;
mod said;
mod select;
mod told;
mod verdict;
mod written;

use std::io;

use outcrop_loader::client::Client;
use outcrop_loader::tokens::Family;

pub use check::check;
pub use clean::Around;
pub(crate) use clean::shorten_paths;
pub(crate) use forms::of_user as said_of_user;
pub use plan::{Plan, Planned, Question};
pub use verdict::{Fate, Reason, Verdict};
pub use written::{Identity, lines};

use crate::chain::Chain;
use crate::conversation::{Conversation, Message, Resumed};
use crate::loss::Loss;
use crate::transcript::{Source, Transcript};
use crate::turns;

/// The tokens that a carry-over has at most, unless another number is given (facts/carrying.md).
pub const TARGET: u64 = 48_000;
/// How many of the last turns it keeps, unless another number is given.
pub const TAIL: usize = 12;

/// What is asked of a carry-over.
#[derive(Debug, Clone)]
pub struct Options {
    /// The most tokens that it may have.
    pub target: u64,
    /// How many of the last turns are kept, as far as they fit. The last request always is.
    pub tail: usize,
    /// What must be there word for word: uuids of records, or texts that stand in the session.
    pub pins: Vec<String>,
    /// What must not be there: uuids of records, or texts; each sentence or turn that holds one
    /// is left out.
    pub excludes: Vec<String>,
    /// By which paths are shortened.
    pub around: Around,
    /// Secrets are taken out.
    pub redacts: bool,
    /// By which tokens are counted.
    pub family: Family,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            target: TARGET,
            tail: TAIL,
            pins: Vec::new(),
            excludes: Vec::new(),
            around: Around::default(),
            redacts: true,
            family: Family::NEWEST,
        }
    }
}

/// Why there is no carry-over.
#[derive(Debug, thiserror::Error)]
pub enum CarryError {
    /// The transcript could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The user asked nothing in it.
    #[error("the session holds no request of the user, so there is nothing to carry on with")]
    NoRequest,
    /// A pin or an exclude is neither a record nor a text of the session.
    #[error("{what} `{text}`: neither the uuid of a record nor a text of the session")]
    Unknown {
        /// `--pin` or `--exclude`.
        what: &'static str,
        /// The text.
        text: String,
    },
    /// What is excluded must be there.
    #[error("--exclude `{0}` would leave out the last request or a pin, which always stay")]
    Excludes(String),
    /// What must be there is more than the target.
    #[error(
        "the last request and the pins alone take {needed} tokens of {target}; \
         give a larger --target or fewer pins"
    )]
    TooSmall {
        /// What they take, in tokens.
        needed: u64,
        /// The target, in tokens.
        target: u64,
    },
}

/// Plans the carry-over of the session that a chain ends. Nothing is written.
///
/// # Errors
///
/// When the transcript cannot be read, or what is asked for cannot be.
pub fn plan<S: Source>(
    transcript: &Transcript<S>,
    chain: &Chain,
    client: &Client,
    options: &Options,
) -> Result<Plan, CarryError> {
    let index = transcript.index();
    let turns = turns::of(index, chain, &client.behaviour.resume);
    let said = said::Said::read(transcript, chain, &turns)?;
    let conversation = Conversation::of(transcript, chain, client, &Resumed::default())?;
    let nothing: [Message; 0] = [];
    let loss = Loss::of(transcript, &turns, &conversation.messages, &nothing)?;
    let session = select::Session {
        transcript,
        chain,
        turns: &turns,
        said: &said,
        loss: &loss,
        notes: notes::find(&said),
        marks: marks::Marks::of(&loss.claims_without_evidence, index),
        options,
    };
    select::plan(&session)
}
