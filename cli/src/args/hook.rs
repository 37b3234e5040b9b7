//! What was typed for `hook`.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

/// Take an event of the client; for use as a hook in its settings.
///
/// Each ends within three seconds, and always with exit code 0, so that no session ever waits or
/// fails for it. Errors go to standard error, and to a log where one is asked for.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
`outcrop hook install --print` shows what belongs into the client's settings; docs/hooks.md tells
what each does and costs.")]
pub(crate) struct Hook {
    #[command(subcommand)]
    pub(crate) event: HookEvent,
}

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum HookEvent {
    SessionStart(SessionStart),
    Prompt(Prompt),
    Stop(Stop),
    InstructionsLoaded(InstructionsLoaded),
    Install(Install),
}

/// Tell a new session what earlier ones left: handoffs of the last 48 hours, and instincts.
///
/// Takes a SessionStart event (JSON on standard input). Prints pointers, not content, as the
/// client's JSON; nothing where there is nothing to tell.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct SessionStart {
    /// The most tokens that it says.
    #[arg(long, value_name = "COUNT", default_value_t = 400, value_parser = clap::value_parser!(u64).range(..=2000))]
    pub(crate) tokens: u64,
    #[command(flatten)]
    pub(crate) failures: Failures,
}

/// Suggest at most three skills that a prompt may be about, by the words of their names and texts.
///
/// Takes a UserPromptSubmit event (JSON on standard input). Prints the client's JSON; nothing for
/// slash commands, and where no skill fits well. Skills that are hidden, wait for a file or may not
/// be called by the model are left out.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Prompt {
    #[command(flatten)]
    pub(crate) failures: Failures,
}

/// Write the session's handoff, and learn instincts from calls that failed.
///
/// Takes a Stop or SessionEnd event (JSON on standard input). Prints nothing. One handoff a
/// session, written anew while nobody took or edited it; at most fifty instincts a project.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Stop {
    #[command(flatten)]
    pub(crate) failures: Failures,
}

/// Where failures are told.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Failures {
    /// Append what fails to a log of at most 1 MB [default: $OUTCROP_HOOK_LOG, else none].
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
}

/// Append an InstructionsLoaded event (JSON on standard input) to a log, for `audit --log`.
///
/// At most 1 MB is kept: half of it in the log, half in an older one beside it, FILE.1.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
In the client's settings:
  {\"hooks\": {\"InstructionsLoaded\": [{\"hooks\": [
    {\"type\": \"command\", \"command\": \"outcrop hook instructions-loaded\"}]}]}}")]
pub(crate) struct InstructionsLoaded {
    /// The log [default: instructions-loaded.jsonl in $XDG_STATE_HOME/outcrop, else in
    /// ~/.local/state/outcrop].
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
}

/// Show what belongs into the client's settings; no file is changed.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
Examples:
  outcrop hook install --print
  outcrop hook install --print --only prompt --program '/opt/my tools/outcrop'")]
pub(crate) struct Install {
    /// Print the JSON for settings.json.
    #[arg(long, required = true)]
    pub(crate) print: bool,
    /// Only these hooks.
    #[arg(long, value_name = "EVENT", num_args = 1..)]
    pub(crate) only: Vec<Event>,
    /// The program as the hooks shall call it.
    #[arg(long, value_name = "FILE", default_value = "outcrop")]
    pub(crate) program: String,
}

/// An event that there is a hook for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Event {
    InstructionsLoaded,
    SessionStart,
    Prompt,
    Stop,
}
