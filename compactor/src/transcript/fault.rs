//! What is wrong with the bytes of a transcript.

use serde::Serialize;

/// A fault at one place. Reading goes on behind it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The line, from 1.
    pub line: u32,
    /// The first byte concerned, from the start of the file.
    pub offset: u64,
    /// What it is.
    #[serde(flatten)]
    pub kind: FaultKind,
}

/// The kinds of fault that bytes alone show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "about", rename_all = "kebab-case")]
pub enum FaultKind {
    /// The file begins with a byte-order mark, which is passed over.
    Bom,
    /// Lines end in `\r\n`; the first of them.
    CarriageReturns,
    /// A run of NUL bytes, as a crash leaves it.
    NulBlock {
        /// How many.
        bytes: u64,
    },
    /// A line with nothing on it.
    BlankLine,
    /// The last line stops in the middle of a record. While the session runs this can be a write
    /// in progress.
    TornLine,
    /// A line that is no record, or no longer one from here on.
    Garbage {
        /// Why, in the JSON reader's words.
        detail: String,
    },
    /// Two records without a line break between them. The client reads the first
    /// (docs/facts-sessions.md 215).
    TwoRecordsOnOneLine,
    /// Bytes that are no UTF-8; they are read as U+FFFD.
    InvalidUtf8,
    /// Half of a surrogate pair, as cutting a text inside an emoji leaves it; read as U+FFFD. The
    /// service refuses requests that hold one.
    LoneSurrogate,
    /// JSON, but no object.
    NotARecord,
}

impl FaultKind {
    /// Whether it harms nothing: such places are notices.
    #[must_use]
    pub fn is_notice(&self) -> bool {
        matches!(self, Self::Bom | Self::CarriageReturns | Self::BlankLine)
    }
}
