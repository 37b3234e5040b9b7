//! `lint` and `rule`.

use std::path::PathBuf;

use clap::ValueEnum;
use outcrop_loader::lint::Severity;

use super::configured::Configured;
use super::{ClientFlags, Counting};

/// Find what is wrong with the instruction files of a directory.
///
/// Looks at everything that a session started there may receive: what it starts with, its rules, and
/// what reads below the directory bring. Each finding says what actually happens, and what it costs.
#[derive(Debug, clap::Args)]
#[command(
    args_override_self = true,
    after_help = "\
Exit codes: 0 nothing of severity warning or error, 1 something, 2 wrong usage.
With --diff: 0 no change, 1 changes.

Examples:
  outcrop lint
  outcrop lint packages/web
  outcrop lint CLAUDE.md .claude/rules/api.md --format concise
  outcrop lint --diff
  outcrop rule L101"
)]
pub(crate) struct Lint {
    /// Directories in which a session starts, or files of the current directory's session.
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,
    /// Look at the whole repository: a session at its root, and one in each directory with settings of its
    /// own.
    #[arg(long, conflicts_with = "paths", help_heading = "What is looked at")]
    pub(crate) all: bool,
    /// Print only what is found in files that differ from a commit, by default the last, or are new.
    #[arg(
        long,
        value_name = "REV",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "HEAD",
        help_heading = "What is looked at"
    )]
    pub(crate) changed: Option<String>,
    /// Take the text of the file --path from standard input, and print what is found in it.
    #[arg(
        long,
        requires = "path",
        conflicts_with_all = ["fix", "changed", "all"],
        help_heading = "What is looked at"
    )]
    pub(crate) stdin: bool,
    /// The file of --stdin. It need not be there.
    #[arg(
        long,
        value_name = "FILE",
        requires = "stdin",
        help_heading = "What is looked at"
    )]
    pub(crate) path: Option<PathBuf>,
    /// Do not tell the findings of this file, as --write-baseline made it; by default that of outcrop.toml.
    #[arg(long, value_name = "FILE", help_heading = "What is looked at")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write all findings into a file, by which they are known from then on, and print none.
    ///
    /// An older baseline is replaced, by what is found now; no other file is.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["baseline", "fix", "diff", "changed", "stdin"],
        help_heading = "What is looked at"
    )]
    pub(crate) write_baseline: Option<PathBuf>,
    /// How findings are printed.
    #[arg(
        long,
        value_name = "FORM",
        default_value = "human",
        help_heading = "Output"
    )]
    pub(crate) format: Format,
    /// Print only findings that are at least so bad.
    #[arg(
        long,
        value_name = "SEVERITY",
        default_value = "info",
        help_heading = "Output"
    )]
    pub(crate) min_severity: AtLeast,
    /// Make the fixes that keep what is delivered, in the files themselves.
    ///
    /// Files are changed below the directories that are linted, or those that are named; each whole or not
    /// at all, and none that changed meanwhile. What then is found is printed.
    #[arg(long, help_heading = "Fixes")]
    pub(crate) fix: bool,
    /// With --fix or --diff, make also fixes that are likely meant.
    #[arg(long, help_heading = "Fixes")]
    pub(crate) unsafe_fixes: bool,
    /// Print what --fix would change as a unified diff, and write nothing.
    #[arg(long, help_heading = "Fixes", conflicts_with = "fix")]
    pub(crate) diff: bool,
    /// Exit with 0 whatever is found.
    #[arg(long, help_heading = "Output")]
    pub(crate) exit_zero: bool,
    #[command(flatten)]
    pub(crate) configured: Configured,
    #[command(flatten)]
    pub(crate) counting: Counting,
    #[command(flatten)]
    pub(crate) client: ClientFlags,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Each with its lines.
    Human,
    /// One line each.
    Concise,
    /// One JSON document, as with --json.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Annotations of GitHub's workflows.
    Github,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AtLeast {
    /// Everything.
    Info,
    /// Warnings and errors.
    Warning,
    /// Errors.
    Error,
}

impl AtLeast {
    pub(crate) fn severity(self) -> Severity {
        match self {
            Self::Info => Severity::Info,
            Self::Warning => Severity::Warning,
            Self::Error => Severity::Error,
        }
    }
}

/// Explain a rule of `lint`, or list all.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  outcrop rule L101
  outcrop rule import-missing
  outcrop rule --list")]
pub(crate) struct Rule {
    /// The rule's id or name.
    #[arg(value_name = "RULE", required_unless_present = "list")]
    pub(crate) rule: Option<String>,
    /// List all rules.
    #[arg(long, conflicts_with = "rule")]
    pub(crate) list: bool,
}

/// Tell an editor what is wrong, while one writes.
///
/// A language server over standard input and output: findings as diagnostics, hover and definition of
/// imports, and fixes as code actions. Editors start it; it reads files and writes none.
#[derive(Debug, clap::Args)]
pub(crate) struct Lsp {
    #[command(flatten)]
    pub(crate) configured: Configured,
}
