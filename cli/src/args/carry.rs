//! What was typed for `carry`.

use std::path::PathBuf;

/// Carry a session over into a new, shorter one that the client can resume.
///
/// The new session holds, word for word, what must hold on: rules, corrections, preferences,
/// promises, decisions with their reasons, what is open, the files that were changed, the last
/// turns and the last request. Tool noise, logs, diffs and secrets stay behind. Without --write
/// nothing is written, and what would be is shown. The old session is never changed.
///
/// SESSION is the path of a transcript, a session's id, the unique beginning of one, or `last`.
#[derive(Debug, clap::Args)]
#[command(
    args_override_self = true,
    after_help = "\
A session that is poisoned, such as by refusals that would come again, is not carried over: the
evidence is shown with the last safe record, for --until.

Exit codes: 0 planned or written, 1 refused since the session is poisoned, 2 on wrong usage.

Examples:
  outcrop carry last
  outcrop carry last --write
  outcrop carry 3f2a9c1d --target 30000 --pin \"never push to main\" --show
  outcrop carry last --until 0f3c… --write
  outcrop carry --rollback"
)]
pub(crate) struct Carry {
    /// A transcript, a session's id or its beginning, or `last`.
    #[arg(value_name = "SESSION", required_unless_present = "rollback")]
    pub(crate) session: Option<String>,
    /// Write the new session, into the project's folder.
    #[arg(long)]
    pub(crate) write: bool,
    /// Write it into this folder instead.
    #[arg(long, value_name = "DIR", requires = "write")]
    pub(crate) out: Option<PathBuf>,
    /// The most tokens that it may have.
    #[arg(long, value_name = "TOKENS", default_value_t = outcrop_compactor::carry::TARGET)]
    pub(crate) target: u64,
    /// How many of the last turns are kept, as far as they fit.
    #[arg(long, value_name = "TURNS", default_value_t = outcrop_compactor::carry::TAIL)]
    pub(crate) tail: usize,
    /// What must be there word for word: the uuid of a record, or a text of the session; can be
    /// given several times.
    #[arg(long, value_name = "UUID|TEXT")]
    pub(crate) pin: Vec<String>,
    /// What must not be there: the uuid of a record, or a text of the session.
    #[arg(long, value_name = "UUID|TEXT")]
    pub(crate) exclude: Vec<String>,
    /// Carry over what came up to this record, and nothing behind it.
    #[arg(long, value_name = "UUID")]
    pub(crate) until: Option<String>,
    /// Leave secrets in.
    #[arg(long)]
    pub(crate) no_redact: bool,
    /// Carry a poisoned session over all the same; the reason goes into the journal.
    #[arg(long, value_name = "REASON")]
    pub(crate) allow_poison: Option<String>,
    /// Ids that follow from this text, so that the same session gives the same bytes.
    #[arg(long, value_name = "TEXT")]
    pub(crate) seed: Option<String>,
    /// Take a session that may still run as it is now.
    #[arg(long)]
    pub(crate) live: bool,
    /// Show the messages of the new session.
    #[arg(long)]
    pub(crate) show: bool,
    /// Tokenizer or model by which tokens are counted [default: that of the last answer].
    #[arg(long, value_name = "NAME")]
    pub(crate) tokenizer: Option<String>,
    /// Go back to the session that was good before the last carry-over of this project. No file
    /// is changed or removed.
    #[arg(long, conflicts_with_all = ["session", "write"])]
    pub(crate) rollback: bool,
}
