//! What was typed for `audit` and `hook`.

use std::path::PathBuf;

use super::{ClientFlags, Counting};

/// Tell which instruction texts a past session really received, against the prediction.
///
/// The client's own records in the transcript are the witness; older clients keep none of what
/// the start brought, and then nothing is claimed. Each text is equal, has other content, is
/// missing or extra, or came twice. The prediction is made from the files of today, or with
/// --git from those of the session's time.
#[derive(Debug, clap::Args)]
#[command(
    args_override_self = true,
    after_help = "\
The client's own flags that the session was started with are in no transcript; give them again
where they matter. --client is by default the version that wrote the transcript.

Exit codes: 0 when all is as predicted, or nothing tells it; 1 when something differs or came
twice; 2 when something cannot be read.

Examples:
  outcrop audit
  outcrop audit 4f1c --git
  outcrop audit --all
  outcrop audit last --log"
)]
pub(crate) struct Audit {
    /// A transcript, a session's id or its beginning, or `last`.
    #[arg(
        value_name = "SESSION",
        default_value = "last",
        conflicts_with = "every"
    )]
    pub(crate) session: String,
    #[command(flatten)]
    pub(crate) which: Which,
    /// Compare with the files of the session's time: those of the newest commit of the current
    /// branch that is not younger than its start. Files that git does not track are taken as they
    /// are today.
    #[arg(long, help_heading = "The prediction")]
    pub(crate) git: bool,
    /// Look at the client's own events as well, as `outcrop hook instructions-loaded` keeps them
    /// [default FILE: the one that it writes].
    #[arg(long, value_name = "FILE", num_args = 0..=1, help_heading = "The prediction")]
    pub(crate) log: Option<Option<PathBuf>>,
    #[command(flatten)]
    pub(crate) client: ClientFlags,
    #[command(flatten)]
    pub(crate) counting: Counting,
}

/// Many sessions.
#[derive(Debug, clap::Args)]
#[group(id = "every", multiple = false)]
pub(crate) struct Which {
    /// All sessions of the directory in which you stand, as a table.
    #[arg(long)]
    pub(crate) all: bool,
    /// All sessions of all directories, as a table.
    #[arg(long)]
    pub(crate) all_projects: bool,
}
