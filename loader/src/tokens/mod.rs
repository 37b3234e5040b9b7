//! Counts of tokens, offline.
//!
//! ```
//! use outcrop_loader::tokens::{Counter, Family, Kind};
//!
//! let mut counter = Counter::new(Family::ClaudeV4_8);
//! let content = counter.content("hello, world");
//! assert_eq!((content.count, content.kind), (4, Kind::Reconstructed));
//! assert_eq!(counter.message("hello, world").count, 10);
//! ```
//!
//! No tokenizer of Claude 3 and later is published. The counts of its families are those of a
//! public reconstruction that agrees with recorded answers of the service on nearly every text
//! (fact T2), so they say [`Kind::Reconstructed`].

mod claude;
mod estimate;
mod model;
#[cfg(feature = "tiktoken")]
mod tiktoken;

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use thiserror::Error;

pub use model::Model;

/// A tokenizer: models of one family count alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Claude 3 to Opus 4.6.
    ClaudeV3,
    /// Opus 4.7.
    ClaudeV4_7,
    /// Opus 4.8 and later: the vocabulary of Opus 4.7 with another frame.
    ClaudeV4_8,
    /// The vocabulary of another vendor, for comparison.
    #[cfg(feature = "tiktoken")]
    O200k,
    /// An older one of the same vendor.
    #[cfg(feature = "tiktoken")]
    Cl100k,
    /// From the number of characters alone: free, and rough.
    Estimate,
}

impl Family {
    /// All families.
    pub const ALL: &'static [Self] = &[
        Self::ClaudeV3,
        Self::ClaudeV4_7,
        Self::ClaudeV4_8,
        #[cfg(feature = "tiktoken")]
        Self::O200k,
        #[cfg(feature = "tiktoken")]
        Self::Cl100k,
        Self::Estimate,
    ];

    /// The family of the newest models.
    pub const NEWEST: Self = Self::ClaudeV4_8;

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeV3 => "claude-v3",
            Self::ClaudeV4_7 => "claude-v4.7",
            Self::ClaudeV4_8 => "claude-v4.8",
            #[cfg(feature = "tiktoken")]
            Self::O200k => "o200k",
            #[cfg(feature = "tiktoken")]
            Self::Cl100k => "cl100k",
            Self::Estimate => "estimate",
        }
    }

    /// What one message of a user costs beyond its content, in tokens (fact T3). Of other
    /// vendors' vocabularies none is known, so 0.
    #[must_use]
    pub fn frame(self) -> u64 {
        self.traits().map_or(0, |traits| u64::from(traits.frame))
    }

    /// How its counts are known.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self {
            Self::Estimate => Kind::Estimate,
            Self::ClaudeV3 | Self::ClaudeV4_7 | Self::ClaudeV4_8 => Kind::Reconstructed,
            #[cfg(feature = "tiktoken")]
            Self::O200k | Self::Cl100k => Kind::Exact,
        }
    }

    fn traits(self) -> Option<claude::Traits> {
        match self {
            Self::ClaudeV3 => Some(claude::V3),
            Self::ClaudeV4_7 => Some(claude::V4_7),
            Self::ClaudeV4_8 => Some(claude::V4_8),
            _ => None,
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for Family {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// No family has this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no tokenizer `{0}`")]
pub struct UnknownFamily(pub String);

impl FromStr for Family {
    type Err = UnknownFamily;

    fn from_str(name: &str) -> Result<Self, UnknownFamily> {
        let mut families = Self::ALL.iter().copied();
        let found = families.find(|family| family.name() == name);
        found.ok_or_else(|| UnknownFamily(name.to_owned()))
    }
}

/// How a count is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// By the vendor's own vocabulary.
    Exact,
    /// By a reconstruction that agrees with recorded counts (fact T2).
    Reconstructed,
    /// Roughly.
    Estimate,
}

/// A count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Tokens {
    /// How many tokens.
    pub count: u64,
    /// How that is known.
    pub kind: Kind,
}

/// Counts texts of one family. It keeps buffers from text to text; make one for each thread.
#[derive(Clone, Debug)]
pub struct Counter {
    family: Family,
    claude: Option<claude::Claude>,
}

impl Counter {
    /// A counter; of a vocabulary of another vendor the tables are built at its first text.
    #[must_use]
    pub fn new(family: Family) -> Self {
        Self {
            family,
            claude: family.traits().map(claude::Claude::new),
        }
    }

    /// What it counts.
    #[must_use]
    pub fn family(&self) -> Family {
        self.family
    }

    /// The tokens of a text as the content of one message, the message's frame left out. For the
    /// Claude families this includes what the text's own end and beginning cost there: an empty
    /// text costs 1 up to Opus 4.7 (fact T3).
    pub fn content(&mut self, text: &str) -> Tokens {
        let kind = self.family.kind();
        let count = match (&mut self.claude, self.family) {
            (Some(claude), _) => u64::from(claude.content(text)),
            #[cfg(feature = "tiktoken")]
            (None, Family::O200k | Family::Cl100k) => return tiktoken::count(self.family, text),
            (None, _) => estimate::count(text),
        };
        Tokens { count, kind }
    }

    /// The tokens of a text that stands within a message, between blank lines. Such parts and what
    /// stands between them add up to the whole, but where a part begins or ends with white space.
    pub fn part(&mut self, text: &str) -> Tokens {
        match &mut self.claude {
            Some(claude) => Tokens {
                count: u64::from(claude.part(text)),
                kind: self.family.kind(),
            },
            None => self.content(text),
        }
    }

    /// The tokens of one message of a user that holds just this text, its frame included.
    pub fn message(&mut self, text: &str) -> Tokens {
        let content = self.content(text);
        Tokens {
            count: content.count + self.family.frame(),
            ..content
        }
    }
}
