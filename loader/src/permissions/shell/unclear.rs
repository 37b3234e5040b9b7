//! Forms of the shell that cannot be told before a command runs (cases perm-bash-unclear,
//! perm-unclear-*).

/// What makes a command too much for a check before it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::permissions) enum Unclear {
    /// `$(…)` or backquotes in a word.
    Substitution,
    /// `<(…)` or `>(…)`.
    Process,
    /// `${…}`.
    Expansion,
    /// `$X`.
    Variable,
    /// `$X` that the command set before.
    Told,
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
    /// `X=~` or `X=a\ b` by itself.
    Escaped,
    /// A line that goes on inside a word.
    Continued,
    /// `A=(…)`, `a[0]=…`, `declare -a`.
    Array,
    /// `export X=$(…)` and the like.
    Declared,
    /// `X=$(…) command`.
    Assigned,
    /// `eval`, `exec`, `trap` and the like.
    Evaluated,
    /// A redirection of a whole loop.
    Redirected,
    /// A line break and `#` inside quotes.
    QuotedComment,
    /// White space outside ASCII.
    WhiteSpace,
    /// `$'…'` or `$"…"`.
    Quoted,
    /// `$((…))` with more than numbers, or in quotes.
    Arithmetic,
}

impl Unclear {
    /// The form in words.
    pub(in crate::permissions) const fn what(self) -> &'static str {
        match self {
            Self::Substitution => "a command substitution",
            Self::Process => "a process substitution",
            Self::Expansion => "a variable in braces",
            Self::Variable | Self::Told => "a variable",
            Self::Braces => "a brace expansion",
            Self::Subshell => "a subshell",
            Self::Group => "a group in braces or double parentheses",
            Self::Case => "a case statement",
            Self::Function => "a function definition",
            Self::Select => "a select statement",
            Self::HereDocument => "a here-document with an unquoted delimiter",
            Self::Assignments => "several assignments without a command",
            Self::Escaped => "an assigned value with a backslash or ~",
            Self::Continued => "a word that goes on in the next line",
            Self::Array => "an array",
            Self::Declared => "a declaration with a command substitution",
            Self::Assigned => "a variable set by a command substitution",
            Self::Evaluated => "a command that runs its words in this shell",
            Self::Redirected => "a redirection of a whole loop",
            Self::QuotedComment => "a quoted line that begins with #",
            Self::WhiteSpace => "white space outside ASCII",
            Self::Quoted => "a quote that begins with $",
            Self::Arithmetic => "arithmetic",
        }
    }

    /// Whether the client then looks at no path of the command, so that neither rules for paths nor
    /// protected files bind it. `newer` is the reading from 2.1.285 on.
    pub(in crate::permissions) const fn hides_paths(self, newer: bool) -> bool {
        match self {
            Self::Told | Self::Assigned => false,
            Self::Subshell
            | Self::QuotedComment
            | Self::Declared
            | Self::Evaluated
            | Self::WhiteSpace => !newer,
            _ => true,
        }
    }
}
