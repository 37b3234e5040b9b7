//! What a repair does with a finding.

/// A way to do away with a finding. Records are numbers in the index of the file as it then is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Cure {
    /// Nothing helps, or nothing is needed.
    #[default]
    None,
    /// The line is written anew.
    Line,
    /// A block goes; with the last one its record.
    DropBlock { record: usize, block: usize },
    /// A text comes in the place of a block, or of a block inside a result.
    PutText {
        record: usize,
        block: usize,
        inside: Option<usize>,
        text: String,
    },
    /// A value of a block is set.
    SetInBlock {
        record: usize,
        block: usize,
        key: &'static str,
        value: String,
    },
    /// A value of a record is set.
    Set {
        record: usize,
        path: &'static [&'static str],
        value: String,
    },
    /// A record goes; what hangs on it hangs on its parent then.
    DropRecord { record: usize },
    /// A copy goes; another one stays.
    DropCopy { record: usize },
    /// A result is linked behind its call; what stood there hangs on it then, and what hung on it
    /// on its old parent.
    Move {
        record: usize,
        behind: usize,
        next: Option<usize>,
    },
    /// A record gets another parent, where the user asks for it.
    Relink { record: usize, to: Option<usize> },
}
