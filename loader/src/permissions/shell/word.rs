//! A word of a command.

use super::Unclear;

/// A word of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::permissions) struct Word {
    /// Its text without quotes; variables stand as they are written.
    pub(in crate::permissions) text: String,
    /// Where it begins in its command's text.
    pub(in crate::permissions) start: usize,
    /// It was written without any quote or backslash.
    pub(in crate::permissions) bare: bool,
    /// What the shell replaces in it, but for `~`, known variables and patterns.
    pub(in crate::permissions) unclear: Option<Unclear>,
    /// It holds an unquoted `*`, `?` or `[`.
    pub(in crate::permissions) pattern: bool,
    /// It begins with an unquoted `~`.
    pub(in crate::permissions) tilde: bool,
    /// It is a variable that the command set before, and `text` is its value.
    pub(in crate::permissions) told: bool,
    /// The plain variables in it, in order.
    pub(in crate::permissions) variables: Vec<String>,
}

impl Word {
    /// Whether it is an option.
    pub(in crate::permissions) fn is_option(&self) -> bool {
        self.text.starts_with('-') && self.text.len() > 1
    }
}
