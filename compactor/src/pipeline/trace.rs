//! What a stage did to each block.

use serde::{Deserialize, Serialize};

/// The five stages, in their order (paper.md 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StageKind {
    /// Results that are over their tool's limit are cut.
    Budget,
    /// Steps that nothing needs any more are taken out.
    Snip,
    /// Old results lose their content.
    Microcompact,
    /// Spans are folded into outlines.
    Collapse,
    /// What is left is summarised.
    Summary,
}

impl StageKind {
    /// All of them, in their order.
    pub const ALL: [Self; 5] = [
        Self::Budget,
        Self::Snip,
        Self::Microcompact,
        Self::Collapse,
        Self::Summary,
    ];

    /// Its name in output and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Budget => "budget",
            Self::Snip => "snip",
            Self::Microcompact => "microcompact",
            Self::Collapse => "collapse",
            Self::Summary => "summary",
        }
    }
}

/// What happened to a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// The stage would have changed it, but it is protected.
    Kept,
    /// Its text was cut; part of it stands.
    Trimmed,
    /// Its content is gone; a stub that names it stands.
    Cleared,
    /// It stands in a fold, an outline in its place.
    Folded,
    /// A summary stands for it.
    Summarised,
    /// It is gone.
    Dropped,
}

/// Why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// It holds a pinned text.
    Pinned,
    /// It is what the user asked for last.
    LastRequest,
    /// The result was over the limit of its tool.
    OverLimit,
    /// The results of one message were over their common limit.
    OverMessageLimit,
    /// The file was read or written again later.
    Superseded,
    /// The call failed, and succeeded later.
    Retried,
    /// The same call had the same result later.
    Repeated,
    /// A later call of this tool tells the state that it told.
    Outdated,
    /// A thought whose message lost all else.
    LeftAlone,
    /// It is old.
    Old,
    /// It stands before the boundary.
    BeforeBoundary,
}

/// Where the text of a changed block can be found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "recover", rename_all = "lowercase")]
pub enum Recover {
    /// In the transcript, at the change's line.
    Transcript,
    /// In a file to which the client wrote a result that was too long (fact C3.1). The client
    /// deletes such files after a time (fact I81).
    File {
        /// As the stub in the transcript names it.
        path: String,
    },
    /// Nowhere: it was made for this request.
    Nowhere,
}

/// What a stage did to one block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The record's number in the index.
    #[serde(skip)]
    pub record: Option<usize>,
    /// The record's uuid.
    pub uuid: Option<String>,
    /// The record's line in the transcript, from 1.
    pub line: Option<u32>,
    /// Which block of the record's message, from 0.
    pub block: usize,
    /// What happened.
    pub action: Action,
    /// Why.
    pub why: Why,
    /// The line of the later call that made this one needless.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_line: Option<u32>,
    /// Its tokens before.
    pub tokens_before: u64,
    /// Its tokens after; 0 where something else stands for it.
    pub tokens_after: u64,
    /// Where its text can be found.
    #[serde(flatten)]
    pub recover: Recover,
}

/// What a stage did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StageTrace {
    /// Which stage.
    pub stage: StageKind,
    /// Whether it is switched on.
    pub enabled: bool,
    /// Whether it changed anything.
    pub fired: bool,
    /// The tokens of the context before it.
    pub tokens_before: u64,
    /// The tokens of the context after it. Behind a summary the recorded usage counts no more, so
    /// that they can be fewer than the changes tell.
    pub tokens_after: u64,
    /// The tokens of the markers, outlines or summaries that it put in.
    pub tokens_added: u64,
    /// Each block that it touched, in the order of the context.
    pub changes: Vec<Change>,
}

impl StageTrace {
    /// What it freed. It is passed on to what comes next, since the last recorded usage was counted
    /// before (paper.md 3.1).
    #[must_use]
    pub fn tokens_freed(&self) -> u64 {
        self.tokens_before.saturating_sub(self.tokens_after)
    }

    /// How many blocks had this happen to them.
    #[must_use]
    pub fn count(&self, action: Action) -> usize {
        let changes = self.changes.iter();
        changes.filter(|change| change.action == action).count()
    }
}
