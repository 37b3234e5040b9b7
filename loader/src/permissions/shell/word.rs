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
    /// It was written with a backslash outside quotes.
    pub(in crate::permissions) escaped: bool,
    /// What the shell replaces in it, but for `~`, `$HOME` and patterns. Of a variable that the
    /// command set before, `text` is the value.
    pub(in crate::permissions) unclear: Option<Unclear>,
    /// It holds an unquoted `*`, `?` or `[`.
    pub(in crate::permissions) pattern: bool,
    /// It begins with an unquoted `~`.
    pub(in crate::permissions) tilde: bool,
    /// The plain variables in it, in order.
    pub(in crate::permissions) variables: Vec<String>,
}

impl Word {
    /// Marks what the shell replaces in it. A substitution by itself may be told, so that
    /// anything else goes before it.
    pub(in crate::permissions) fn mark(&mut self, what: Unclear) {
        if matches!(self.unclear, None | Some(Unclear::Substitution)) {
            self.unclear = Some(what);
        }
    }

    /// Whether it is an option.
    pub(in crate::permissions) fn is_option(&self) -> bool {
        self.text.starts_with('-') && self.text.len() > 1
    }
}
