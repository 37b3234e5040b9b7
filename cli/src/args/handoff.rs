//! What was typed for `handoff`.

use std::path::PathBuf;

use clap::Subcommand;
use jiff::{SignedDuration, Span, SpanRelativeTo};

/// Leave a note for the next session, and take what earlier ones left.
///
/// Handoffs are files `YYYY-MM-DD_HHMMSS_slug.md` in one folder. Any number of sessions may write
/// and take them at once: no file takes the place of another, and each is taken once.
#[derive(Debug, clap::Args)]
#[command(
    args_override_self = true,
    after_help = "\
Exit codes: 0 whatever is found, 2 on wrong usage.

Examples:
  outcrop handoff write
  outcrop handoff write last --edit
  outcrop handoff list
  outcrop handoff take --session-age 48h
  outcrop handoff clean --yes"
)]
pub(crate) struct Handoff {
    /// The folder of handoffs [default: `handoffs` in the client's configuration folder].
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    #[command(subcommand)]
    pub(crate) what: What,
}

#[derive(Debug, Subcommand)]
pub(crate) enum What {
    Write(Write),
    List(List),
    Take(Take),
    Clean(Clean),
}

/// Write a handoff: a draft from the session's transcript and from git, or a text of one's own.
///
/// The draft has five sections: session summary, what changed, what remains, key decisions,
/// current context. Each statement names the line of the transcript that it stands on. Nothing of
/// it is judged or worded anew. Secrets are left out.
#[derive(Debug, clap::Args)]
#[command(
    args_override_self = true,
    after_help = "\
SESSION is the path of a transcript, a session's id, the unique beginning of one, or `last`.

Examples:
  outcrop handoff write --dry-run
  outcrop handoff write 3f2a9c1d --edit
  outcrop handoff write --stdin --title \"Deploy fix\" < note.md"
)]
pub(crate) struct Write {
    /// The session [default: last].
    #[arg(value_name = "SESSION")]
    pub(crate) session: Option<String>,
    /// Take the text from standard input in place of a draft.
    #[arg(long)]
    pub(crate) stdin: bool,
    /// Open the text in $VISUAL or $EDITOR before it is written.
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) edit: bool,
    /// Print the text and write nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// What the session was about, for the name [default: its title or last request, or the first
    /// heading of the text].
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// Leave secrets in.
    #[arg(long)]
    pub(crate) no_redact: bool,
}

/// List the handoffs that wait, the oldest first.
#[derive(Debug, clap::Args)]
#[command(args_override_self = true)]
pub(crate) struct List {
    /// List those that were taken as well.
    #[arg(long)]
    pub(crate) all: bool,
}

/// Print all handoffs that wait as one text, the oldest first, and mark each as taken.
///
/// A handoff is taken by renaming it to `…_done.md`, so that one of several takers gets it. Its
/// text stays on the disk. The single file of older set-ups, `context-handoff.md` in the client's
/// configuration folder, is taken too, unless --dir names another folder.
#[derive(Debug, clap::Args)]
#[command(
    args_override_self = true,
    after_help = "\
Examples:
  outcrop handoff take
  outcrop handoff take --peek --session-age 48h"
)]
pub(crate) struct Take {
    /// Print them and take none.
    #[arg(long)]
    pub(crate) peek: bool,
    /// Only those that are younger, such as `48h` or `7d`.
    #[arg(long, value_name = "AGE", value_parser = age)]
    pub(crate) session_age: Option<SignedDuration>,
}

/// Remove handoffs that were taken long ago.
///
/// Shows which ones; --yes removes them. One that was not taken is never removed.
#[derive(Debug, clap::Args)]
#[command(args_override_self = true)]
pub(crate) struct Clean {
    /// Remove them.
    #[arg(long)]
    pub(crate) yes: bool,
    /// How many days one is kept after it was taken.
    #[arg(
        long,
        value_name = "DAYS",
        default_value_t = 7,
        value_parser = clap::value_parser!(u32).range(..=36_500)
    )]
    pub(crate) days: u32,
}

/// A time such as `48h`, `7d`, `1h 30m`.
fn age(text: &str) -> Result<SignedDuration, String> {
    let wrong = |_| "give a time such as 48h or 7d".to_owned();
    let span: Span = text.parse().map_err(wrong)?;
    let days = SpanRelativeTo::days_are_24_hours();
    let age = span.to_duration(days).map_err(wrong)?;
    match age.is_negative() {
        true => Err("an age is not negative".to_owned()),
        false => Ok(age),
    }
}
