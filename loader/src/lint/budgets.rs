//! From which sizes on something is told. Every number that a rule compares with stands here.

/// Sizes, as plain data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budgets {
    /// Tokens that the start of a session may deliver. By default 20,000, a tenth of the narrow
    /// window. The client's own warnings about the sum count characters: see
    /// [`total_warning`].
    pub start_tokens: u64,
    /// UTF-16 units of a file, alone or with what it imports. By default 40,000, above which the
    /// client warns where the window is narrow (fact I16).
    pub file_characters: usize,
    /// Tokens of a file below which its sections are not looked at.
    pub sectioned_file_tokens: u64,
    /// The share of a file, in percent, that one section may be.
    pub section_percent: u64,
    /// Characters of a text that stands in two files.
    pub duplicate_characters: usize,
    /// Lines of a drawing of a directory tree.
    pub tree_lines: usize,
    /// File names in a listing.
    pub listed_files: usize,
    /// Tokens of an imported README, changelog or lock file.
    pub imported_document_tokens: u64,
    /// The share of the trigger of compaction, in percent, that what no compaction removes may
    /// be.
    pub floor_percent: u64,
    /// The share of the memory index's limits, in percent, up to which its form does not matter.
    pub memory_percent: usize,
    /// Days for which sessions are kept.
    pub retention_days: u64,
}

impl Default for Budgets {
    fn default() -> Self {
        Self {
            start_tokens: 20_000,
            file_characters: file_warning(NARROW),
            sectioned_file_tokens: 2_000,
            section_percent: 60,
            duplicate_characters: 200,
            tree_lines: 20,
            listed_files: 15,
            imported_document_tokens: 1_500,
            floor_percent: 80,
            memory_percent: 50,
            retention_days: 7,
        }
    }
}

/// The narrow window, in tokens.
const NARROW: u32 = 200_000;

/// From how many UTF-16 units of one file on the client warns at its start, by the model's window
/// in tokens (fact I16).
#[must_use]
pub const fn file_warning(window: u32) -> usize {
    if window > NARROW { 150_000 } else { 40_000 }
}

/// From how many UTF-16 units of all files on, from client 2.1.332 at the latest (fact I17).
#[must_use]
pub const fn total_warning(window: u32) -> usize {
    if window > NARROW { 150_000 } else { 120_000 }
}
