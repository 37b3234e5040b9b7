//! A carry-over as it would be written, as plain data.

use std::collections::BTreeMap;

use serde::Serialize;

use super::verdict::{Fate, Reason, Verdict};
use crate::conversation::Role;

/// One message of the new session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    /// Who speaks.
    pub role: Role,
    /// Its texts, one block each.
    pub blocks: Vec<String>,
}

/// A question to ask the new session, and what of the old one its answer must hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Question {
    /// The question.
    pub question: &'static str,
    /// What the answer must hold, in the session's own words; empty where it says nothing.
    pub expected: Vec<String>,
}

/// What a carry-over would hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The messages: they alternate, and the first is the user's, and short.
    pub messages: Vec<Planned>,
    /// Their tokens, frames included.
    pub tokens: u64,
    /// The most that there may be.
    pub target: u64,
    /// How many of the last turns are carried over.
    pub tail: usize,
    /// What became of each record of the chain, and of those before the boundary of which
    /// something is carried over, in the order of the session.
    pub verdicts: Vec<Verdict>,
    /// Three questions for the new session.
    pub questions: Vec<Question>,
    /// How many secrets of each kind were taken out.
    pub redacted: BTreeMap<String, usize>,
}

impl Plan {
    /// How many records met each fate, by their first reason.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<(Fate, Reason), usize> {
        let mut counts = BTreeMap::new();
        for verdict in &self.verdicts {
            if let Some(reason) = verdict.reasons.first() {
                *counts.entry((verdict.fate, *reason)).or_default() += 1;
            }
        }
        counts
    }
}
