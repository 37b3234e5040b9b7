//! How a client counts its context, and which models compact by themselves.

/// What of it changed between versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counting {
    /// The newer models that are compacted before their window is full (fact C4.8;
    /// docs/facts-sessions.md 251).
    pub compacted: Compacted,
    /// They are so with the wide window, too; before, only [`WIDE_LINE`] is.
    pub wide_are_compacted: bool,
    /// A usage of which nothing was sent does not count (docs/facts-sessions.md 234).
    pub passes_over_empty_usage: bool,
    /// Of an answer that took several rounds at the service the last one counts, not their sum
    /// (docs/facts-sessions.md 235).
    pub last_round_counts: bool,
    /// What `CLAUDE_CODE_AUTO_COMPACT_WINDOW` and `CLAUDE_CODE_MAX_OUTPUT_TOKENS` may be.
    pub numbers: Numbers,
    /// `CLAUDE_CODE_AUTO_COMPACT_WINDOW` takes `150k` and `0.2m`.
    pub window_has_units: bool,
    /// With one answer the block limit compacts, too; before, it ends the turn (fact C4.10).
    pub single_answer_compacts: bool,
    /// The text of a document counts by its length; before, as a document of any size
    /// (docs/facts-sessions.md 226).
    pub measures_document_texts: bool,
    /// Attachments count by what the transcript says they contributed; before, by what the client
    /// makes of them anew (docs/facts-sessions.md 227).
    pub measures_rendered: bool,
}

/// The line of models that all clients compact with the wide window, too.
pub const WIDE_LINE: &str = "claude-sonnet-5";

/// Some of the newer models, by parts of their names in small letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compacted {
    /// Those that hold one of these.
    Lines(&'static [&'static str]),
    /// Those that hold none of these, unknown names too.
    AllBut(&'static [&'static str]),
}

/// How a number in a variable is written. What follows it counts for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// As digits.
    Digits,
    /// With a point and an exponent: `1.5e5`.
    Decimal,
    /// Also with `_` and `,` in it.
    Separated,
}

impl Counting {
    /// That of 2.1.197, the oldest version that was asked.
    pub(super) const OLDEST: Self = Self {
        compacted: Compacted::Lines(&[WIDE_LINE]),
        wide_are_compacted: false,
        passes_over_empty_usage: false,
        last_round_counts: false,
        numbers: Numbers::Digits,
        window_has_units: false,
        single_answer_compacts: false,
        measures_document_texts: false,
        measures_rendered: false,
    };
}
