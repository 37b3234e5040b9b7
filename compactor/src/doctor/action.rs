//! What a repair does, as data.

use serde::Serialize;

use super::finding::About;

/// One thing that a repair does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Action {
    /// What.
    #[serde(flatten)]
    pub kind: ActionKind,
    /// The line in the source, from 1.
    pub line: u32,
    /// The record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// What it mends; none where it was asked for, or follows from another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<About>,
}

/// What a repair does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "action", rename_all = "kebab-case")]
pub enum ActionKind {
    /// A line goes: nothing of it is a record that the client reads.
    DropLine,
    /// A line is written anew as so many records, each on a line of its own; others go.
    RewriteLine {
        /// Records that stay.
        records: usize,
        /// Records that the client does not read, and that would lead it elsewhere.
        dropped: usize,
    },
    /// `\r` before line breaks goes.
    DropReturns,
    /// A record goes.
    DropRecord,
    /// A copy of a record goes; another one stays.
    DropCopy,
    /// A block goes, by its number from 0.
    DropBlock {
        /// Which one.
        block: usize,
    },
    /// A block becomes a text.
    ReplaceBlock {
        /// Which one.
        block: usize,
        /// The text.
        by: String,
    },
    /// A value of a block is written anew.
    SetInBlock {
        /// Which block.
        block: usize,
        /// The key of the value.
        key: &'static str,
    },
    /// A value of a record is written anew.
    Set {
        /// The key of the value.
        key: &'static str,
    },
    /// A record gets another parent.
    Relink {
        /// The parent's uuid; none where it becomes a root.
        to: Option<String>,
    },
}
