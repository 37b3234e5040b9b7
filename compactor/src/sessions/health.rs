//! Whether a session can be gone on with, in one word.

use serde::Serialize;

use crate::chain::Chain;
use crate::transcript::{FaultKind, Index, Kind};

/// The state of a transcript. `doctor` says what exactly is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Health {
    /// Nothing is wrong with it.
    Ok,
    /// The last line stops in the middle of a record, perhaps because it is being written.
    Torn,
    /// A line within it cannot be read.
    Damaged,
    /// A link between records leads nowhere, or round in a circle.
    Gap,
    /// Nobody said anything.
    Empty,
    /// The client does not resume it.
    Refused,
}

impl Health {
    /// That of a transcript: the worst of what is wrong with it.
    #[must_use]
    pub fn of(index: &Index, chain: &Chain) -> Self {
        if chain.refused.is_some() || chain.leaf.is_none() {
            let is_talk = |kind| matches!(kind, Kind::User | Kind::Assistant);
            let has_talk = index.entries().iter().any(|entry| is_talk(entry.kind));
            return if has_talk { Self::Refused } else { Self::Empty };
        }
        if !chain.faults.is_empty() {
            return Self::Gap;
        }
        let faults = index
            .faults()
            .iter()
            .filter(|fault| !fault.kind.is_notice());
        let of = faults.map(|fault| match fault.kind {
            FaultKind::TornLine => Self::Torn,
            _ => Self::Damaged,
        });
        of.max().unwrap_or(Self::Ok)
    }

    /// What is wrong, in a few words; nothing where nothing is.
    #[must_use]
    pub fn phrase(self) -> Option<&'static str> {
        Some(match self {
            Self::Ok => return None,
            Self::Torn => "its last line is cut off",
            Self::Damaged => "a line of it cannot be read",
            Self::Gap => "a link between its records leads nowhere",
            Self::Empty => "nobody said anything in it",
            Self::Refused => "the client does not resume it",
        })
    }

    /// As one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Torn => "torn",
            Self::Damaged => "damaged",
            Self::Gap => "gap",
            Self::Empty => "empty",
            Self::Refused => "refused",
        }
    }
}
