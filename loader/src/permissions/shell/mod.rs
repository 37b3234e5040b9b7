//! A shell command as the client's permission check sees it: simple commands with their words and
//! redirections, and what in it cannot be told before it runs.
//!
//! Own code, since the kept parsers do not fit: `tree-sitter-bash` needs a C compiler, and
//! `brush-parser` brings some seventy crates (caches, logging) for a syntax tree of which this needs
//! the words. `tools/bash.rs` answers another question (which commands are reads) with the
//! client's other, narrower reader.

mod reader;
mod unclear;
mod word;

pub(super) use unclear::Unclear;
pub(super) use word::Word;

/// How a simple command stands in the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// In the list itself, or in the parts of `if`, `for`, `while`.
    Plain,
    /// In parentheses, braces, `case`, a function or the like.
    Grouped,
    /// In `$( )`, backquotes or `<( )`; the output goes into a word.
    Substituted,
}

/// Where a redirection leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// `<`.
    Input,
    /// `>`, `>>`, `&>` and the like.
    Output,
}

/// A redirection from or to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Redirect {
    pub(super) direction: Direction,
    pub(super) target: Word,
}

/// `NAME=value` before a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Assignment {
    pub(super) name: String,
    pub(super) value: Word,
    /// It is `NAME+=value`.
    pub(super) appends: bool,
}

/// A simple command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Simple {
    /// As it is written, without redirections.
    pub(super) text: String,
    pub(super) assignments: Vec<Assignment>,
    pub(super) words: Vec<Word>,
    pub(super) redirects: Vec<Redirect>,
    pub(super) standing: Standing,
}

/// A whole command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Script {
    /// Its simple commands in order; what is substituted into a command stands before it.
    pub(super) commands: Vec<Simple>,
    /// What in it cannot be told, in order, each once.
    pub(super) unclear: Vec<Unclear>,
    /// Some of it runs in the background.
    pub(super) background: bool,
    /// It is no complete command: an open quote or bracket, or nested too deeply.
    pub(super) broken: bool,
}

impl Script {
    /// Reads a command. Every text gives a script.
    pub(super) fn read(text: &str) -> Self {
        reader::read(text)
    }

    /// Whether it holds such a form.
    pub(super) fn has(&self, what: Unclear) -> bool {
        self.unclear.contains(&what)
    }
}
