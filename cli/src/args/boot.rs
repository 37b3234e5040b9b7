//! What was typed for `boot`.

use std::path::PathBuf;

/// Print what a new session should know first: facts, boundaries, open tasks, and four lines.
///
/// Made of the project's memory, handoffs and the open items of its last sessions, without a model
/// and within a cap of tokens. All is quoted word for word with file and line, or session, and day.
/// The four lines (progress, today, between us, don't forget) come from the last 14 days; where
/// evidence for one is missing, a quotation is not at its place any more or they are longer than
/// 700 characters, they are left out as a whole, and the newest statements stand there instead.
#[derive(Debug, clap::Args)]
#[command(
    args_override_self = true,
    after_help = "\
Exit codes: 0 whatever is found, 2 on wrong usage.

Examples:
  outcrop boot
  outcrop boot --json
  outcrop boot --forge          # after a session that was poisoned
  outcrop boot --hook           # for a SessionStart hook of the client"
)]
pub(crate) struct Boot {
    /// The directory of the project.
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) dir: PathBuf,
    /// The most tokens that the packet may have.
    #[arg(long, value_name = "TOKENS", default_value_t = outcrop_compactor::boot::TOKENS)]
    pub(crate) max_tokens: u64,
    /// Rebuild from memory alone: nothing that stood in a transcript, and no handoffs.
    #[arg(long)]
    pub(crate) forge: bool,
    /// Print the output of a SessionStart hook, with the packet as additional context.
    #[arg(long, conflicts_with = "json")]
    pub(crate) hook: bool,
    /// Tokenizer or model by which tokens are counted [default: the newest of Claude].
    #[arg(long, value_name = "NAME")]
    pub(crate) tokenizer: Option<String>,
    /// The time, as RFC 3339 has it.
    #[arg(long, value_name = "TIME", hide = true)]
    pub(crate) now: Option<String>,
}
