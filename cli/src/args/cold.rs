//! What was typed for the commands about the cold store.

use std::path::PathBuf;

use clap::ValueEnum;

/// Where the store is.
#[derive(Debug, clap::Args)]
pub(crate) struct Stored {
    /// The folder of the store [default: $XDG_DATA_HOME/outcrop/archive, else
    /// HOME/.local/share/outcrop/archive].
    #[arg(long, value_name = "DIR")]
    pub(crate) archive_dir: Option<PathBuf>,
}

/// Keep sessions in a store of Outcrop's own, before the client deletes them.
///
/// Each with all that belongs to it: transcript, sub-agents, stored results, file checkpoints. What
/// grew since is added to; what was changed is kept beside what it was. Nothing is taken out of the
/// store, and nothing of the client's is changed. Without anything to archive, it lists what the
/// client deletes soon and what is not kept yet, and writes nothing.
#[derive(Debug, clap::Args)]
#[command(
    args_override_self = true,
    after_help = "\
Exit codes: 0 when all is done, 1 when --verify finds damage, 2 on wrong usage or when something
could not be read or written.

Examples:
  outcrop archive
  outcrop archive last
  outcrop archive --expiring 7
  outcrop archive --all --dry-run
  outcrop archive --verify"
)]
pub(crate) struct Archive {
    /// Transcripts, ids of sessions or their beginnings, or `last`.
    #[arg(value_name = "SESSION", conflicts_with_all = ["all", "older", "expiring"])]
    pub(crate) sessions: Vec<String>,
    /// The sessions of every project.
    #[arg(long, conflicts_with_all = ["older", "expiring"])]
    pub(crate) all: bool,
    /// The sessions of every project to which nothing was written for so many days.
    #[arg(long, value_name = "DAYS", conflicts_with = "expiring")]
    pub(crate) older: Option<u32>,
    /// The sessions of every project of which the client deletes something within so many days.
    #[arg(long, value_name = "DAYS")]
    pub(crate) expiring: Option<u32>,
    /// Show what would be archived, and write nothing.
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
    /// Read files whose length and time are as they were, too, and mend what of them is damaged in
    /// the store.
    #[arg(long)]
    pub(crate) recheck: bool,
    /// List the sessions in the store.
    #[arg(long, conflicts_with_all = ["sessions", "all", "older", "expiring", "dry_run", "recheck"])]
    pub(crate) list: bool,
    /// Read everything in the store, and compare it with its digests.
    #[arg(
        long,
        conflicts_with_all = ["sessions", "all", "older", "expiring", "dry_run", "recheck", "list"]
    )]
    pub(crate) verify: bool,
    #[command(flatten)]
    pub(crate) stored: Stored,
    /// The time from which days are told, such as 2026-09-01T10:00:00Z.
    #[arg(long, value_name = "TIME", hide = true)]
    pub(crate) now: Option<String>,
}

/// Search the store of archived sessions, or restore one.
///
/// The last resort, when a session is gone. A search prints where the words stand, with a little
/// text around them, which may be a secret that was said; it never hands anything to a session by
/// itself. A restoration writes files with the bytes that they had, and none over another.
#[derive(Debug, clap::Args)]
#[command(
    args_override_self = true,
    after_help = "\
Exit codes: 0 when something is found or restored, 1 when nothing is found, 2 on wrong usage or
when something could not be read or written.

Examples:
  outcrop recall 'migration of orders'
  outcrop recall --regex 'ORD-[0-9]{4}' --role assistant --since 2026-09-01
  outcrop recall --restore 3f2a9c1d
  outcrop recall --restore 3f2a9c1d --to /tmp/old"
)]
pub(crate) struct Recall {
    /// The text to find.
    #[arg(
        value_name = "PATTERN",
        required_unless_present = "restore",
        conflicts_with = "restore"
    )]
    pub(crate) pattern: Option<String>,
    /// The pattern is a regular expression.
    #[arg(short = 'E', long, conflicts_with = "restore")]
    pub(crate) regex: bool,
    /// Capital letters and small ones are the same.
    #[arg(short, long, conflicts_with = "restore")]
    pub(crate) ignore_case: bool,
    /// Only sessions of this project: its directory, or a part of the name of its folder.
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,
    /// Only what was said from this day or time on, such as 2026-09-01 or 2026-09-01T10:00:00Z.
    #[arg(long, value_name = "TIME", value_parser = time, conflicts_with = "restore")]
    pub(crate) since: Option<i64>,
    /// Only what was said before this day or time.
    #[arg(long, value_name = "TIME", value_parser = time, conflicts_with = "restore")]
    pub(crate) until: Option<i64>,
    /// Only what this one said; can be given several times.
    #[arg(long, value_name = "ROLE", conflicts_with = "restore")]
    pub(crate) role: Vec<Role>,
    /// How many places are shown, those of the sessions changed last first; 0 is all.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "20",
        conflicts_with = "restore"
    )]
    pub(crate) limit: usize,
    /// Restore this session: its id or the beginning of it.
    #[arg(long, value_name = "SESSION")]
    pub(crate) restore: Option<String>,
    /// Below this folder [default: the client's configuration folder, where the files then count
    /// as new, so that the client does not delete them at once].
    #[arg(long, value_name = "DIR", requires = "restore")]
    pub(crate) to: Option<PathBuf>,
    /// As the session was archived the so many-th time [default: the last].
    #[arg(long, value_name = "NUMBER", requires = "restore")]
    pub(crate) generation: Option<u64>,
    /// Show what would be restored, and write nothing.
    #[arg(short = 'n', long, requires = "restore")]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) stored: Stored,
}

/// A day, which begins at midnight in UTC, or a time.
fn time(text: &str) -> Result<i64, String> {
    use outcrop_compactor::sessions::time::milliseconds;
    let day = || milliseconds(&format!("{text}T00:00:00Z"));
    milliseconds(text).or_else(day).ok_or_else(|| {
        "a day such as 2026-09-01, or a time such as 2026-09-01T10:00:00Z".to_owned()
    })
}

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Role {
    /// The user.
    User,
    /// The model.
    Assistant,
    /// Tools: their results.
    Tool,
    /// The client: summaries, reminders, titles.
    System,
    /// Files as they were before the client changed them.
    File,
}
