//! What a packet is made of, as data: texts with names and times, open items, facts.

use std::fmt;

use outcrop_loader::tokens::Family;
use serde::Serialize;

use crate::sessions::time::{milliseconds, rfc3339};

/// What kind of text a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A file of the memory folder.
    Memory,
    /// A handoff.
    Handoff {
        /// Somebody took it already, so what it calls open is not open any more.
        consumed: bool,
    },
}

/// A text with its name and time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// What kind of text it is.
    pub kind: Kind,
    /// How it is named where it is quoted, such as `memory/cart.md`.
    pub name: String,
    /// When it was written, in milliseconds since 1970.
    pub time: i64,
    /// The text.
    pub text: String,
}

/// What kind of open item it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ItemKind {
    /// Of the last to-do list.
    Todo,
    /// Of the task list.
    Task,
    /// The file of a plan.
    Plan,
    /// What the user asked last; it may be done.
    Request,
}

/// An open item of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What kind of item.
    pub kind: ItemKind,
    /// Its text.
    pub text: String,
    /// Its status, where it has one.
    pub status: Option<String>,
    /// The record that holds it.
    pub uuid: Option<String>,
    /// The record's line, from 1.
    pub line: u32,
}

/// What a session left open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    /// The session's id.
    pub session: String,
    /// When it ended, in milliseconds since 1970.
    pub time: i64,
    /// What is open.
    pub items: Vec<Item>,
}

/// A plain fact: the branch, the permission mode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// What it is.
    pub name: &'static str,
    /// Its value.
    pub value: String,
}

/// What a packet is made of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sources {
    /// The time, in milliseconds since 1970.
    pub now: i64,
    /// The directory of the project, so that handoffs of others are told apart.
    pub project: String,
    /// Facts, in order.
    pub facts: Vec<Fact>,
    /// Memory files and handoffs.
    pub documents: Vec<Document>,
    /// Sessions, the newest first.
    pub threads: Vec<Thread>,
    /// What was not read, and why.
    pub not_read: Vec<Reason>,
}

/// What is asked of a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The most tokens that it may have.
    pub tokens: u64,
    /// The most UTF-16 units that it may have.
    pub units: usize,
    /// By which tokens are counted.
    pub family: Family,
    /// A clean rebuild: nothing that stood in a transcript counts, nor handoffs, which are drafted
    /// from them.
    pub forge: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            tokens: super::TOKENS,
            units: usize::MAX,
            family: Family::NEWEST,
            forge: false,
        }
    }
}

/// Where something stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(untagged)]
pub enum Source {
    /// In a document.
    File {
        /// Its name.
        file: String,
        /// The line, from 1.
        line: u32,
    },
    /// In a session.
    Session {
        /// Its id.
        session: String,
        /// The record.
        #[serde(skip_serializing_if = "Option::is_none")]
        uuid: Option<String>,
        /// The record's line, from 1.
        line: u32,
    },
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { file, line } => write!(f, "{file}:{line}"),
            Self::Session { session, line, .. } => write!(f, "session {session}:{line}"),
        }
    }
}

/// Words that stand somewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Quote {
    /// The words, as they stand there.
    pub text: String,
    /// Whether the sentence goes on there.
    pub is_cut: bool,
    /// What kind of open item it is, where it is one of a session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<ItemKind>,
    /// The item's status, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Where.
    pub source: Source,
    /// The day from which it is, such as `2026-09-01`.
    pub date: String,
}

impl fmt::Display for Quote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let goes_on = if self.is_cut { "…" } else { "" };
        let (text, source, date) = (&self.text, &self.source, &self.date);
        write!(f, "“{text}”{goes_on} ({source}, {date})")
    }
}

/// Why the packet is as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// A stable name.
    pub code: &'static str,
    /// In words.
    pub text: String,
}

impl Reason {
    /// A reason.
    #[must_use]
    pub fn new(code: &'static str, text: impl Into<String>) -> Self {
        Self {
            code,
            text: text.into(),
        }
    }
}

/// The time in a handoff's name, `2026-09-01_101500_slug.md`, in milliseconds since 1970. The name
/// tells no time zone; it is taken as UTC.
#[must_use]
pub fn time_of_name(name: &str) -> Option<i64> {
    let (day, rest) = (name.get(..10)?, name.get(10..17)?);
    let clock = rest.strip_prefix('_')?;
    let part = |from: usize| clock.get(from..from + 2);
    milliseconds(&format!("{day}T{}:{}:{}Z", part(0)?, part(2)?, part(4)?))
}

/// The day of a time.
pub(super) fn date(time: i64) -> String {
    let mut text = rfc3339(time).unwrap_or_default();
    text.truncate(10);
    text
}

/// The first moment of a day that is written such as `2026-09-01`.
pub(super) fn midnight(date: &str) -> Option<i64> {
    milliseconds(&format!("{date}T00:00:00Z"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_handoffs_tell_their_time() {
        let time = time_of_name("2026-09-01_101500_the-mill.md").unwrap();
        assert_eq!(date(time), "2026-09-01");
        assert_eq!(
            time - midnight("2026-09-01").unwrap(),
            (10 * 60 + 15) * 60_000
        );
        for name in [
            "notes.md",
            "2026-13-01_101500.md",
            "2026-09-01_996000_x.md",
            "é",
        ] {
            assert_eq!(time_of_name(name), None, "{name}");
        }
    }
}
