//! A shell command as the client's permission check sees it: simple commands with their words and
//! redirections, and what in it cannot be told before it runs.
//!
//! Own code, since the kept parsers do not fit: `tree-sitter-bash` needs a C compiler, and
//! `brush-parser` brings some seventy crates (caches, logging) for a syntax tree of which this needs
//! the words. `tools/bash.rs` answers another question (which commands are reads) with the
//! client's other, narrower reader.

mod reader;
mod word;

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

/// What makes a command too much for a check before it runs (case perm-bash-unclear).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unclear {
    /// `$(…)` or backquotes in a word.
    Substitution,
    /// `<(…)` or `>(…)`.
    Process,
    /// `${…}`.
    Expansion,
    /// `$X`.
    Variable,
    /// `{a,b}`.
    Braces,
    /// `( … )`.
    Subshell,
    /// `{ …; }` or `(( … ))`.
    Group,
    /// `case`.
    Case,
    /// A function.
    Function,
    /// `select`.
    Select,
    /// A here-document whose text the shell replaces in.
    HereDocument,
    /// Several assignments without a command.
    Assignments,
    /// A line break and `#` inside quotes.
    QuotedComment,
    /// `$'…'`, `$((…))`: not tried.
    Other,
}

impl Unclear {
    /// The form in words.
    pub(super) const fn what(self) -> &'static str {
        match self {
            Self::Substitution => "a command substitution",
            Self::Process => "a process substitution",
            Self::Expansion => "a variable in braces",
            Self::Variable => "a variable",
            Self::Braces => "a brace expansion",
            Self::Subshell => "a subshell",
            Self::Group => "a group in braces or double parentheses",
            Self::Case => "a case statement",
            Self::Function => "a function definition",
            Self::Select => "a select statement",
            Self::HereDocument => "a here-document with an unquoted delimiter",
            Self::Assignments => "several assignments without a command",
            Self::QuotedComment => "a quoted line that begins with #",
            Self::Other => "a form that was not tried",
        }
    }
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
    /// What is unclear in its own words, but for variables whose value is known.
    pub(super) unclear: Option<Unclear>,
}

/// A whole command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Script {
    /// Its simple commands in order; what is substituted into a command stands before it.
    pub(super) commands: Vec<Simple>,
    /// The first thing that is unclear.
    pub(super) unclear: Option<Unclear>,
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

    /// Whether some part stands in a group.
    pub(super) fn is_grouped(&self) -> bool {
        let grouped = |simple: &Simple| simple.standing == Standing::Grouped;
        self.commands.iter().any(grouped)
    }
}
