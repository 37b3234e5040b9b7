//! What was typed for the commands about transcripts.

use std::path::PathBuf;

use clap::ValueEnum;

/// List the sessions of this project, newest first.
///
/// Each with its title, size, turns, the tokens that its next request begins with, compactions,
/// whether it can be gone on with, and the days until the client deletes it. What lies beside a
/// session stands below it: sub-agents, stored results, file checkpoints. Nothing is changed.
#[derive(Debug, clap::Args)]
#[command(
    args_override_self = true,
    after_help = "\
health: ok; torn, the last line is cut off; damaged, a line cannot be read; gap, a record's parent
is missing; empty, nobody said anything; refused, the client does not resume it. `outcrop doctor`
tells more.

Exit codes: 0 whatever is found, 2 on wrong usage.

Examples:
  outcrop sessions
  outcrop sessions --all
  outcrop sessions --json | jq '.sessions[] | select(.health != \"ok\") | .path'"
)]
pub(crate) struct Sessions {
    /// The sessions of every project, project by project.
    #[arg(long)]
    pub(crate) all: bool,
    /// The time from which ages are told, such as 2026-09-01T10:00:00Z.
    #[arg(long, value_name = "TIME", hide = true)]
    pub(crate) now: Option<String>,
}

/// Show where the context of a session went.
///
/// What fills the window now, by category and tool; how it grew, turn by turn and compaction by
/// compaction; the largest results, those that stand there twice, pictures; and what the session
/// and its sub-agents used in all, each message once.
///
/// SESSION is the path of a transcript, a session's id, the unique beginning of one, or `last`.
#[derive(Debug, clap::Args)]
#[command(
    args_override_self = true,
    after_help = "\
Exit codes: 0 whatever is found, 1 when the client does not resume the session, 2 on wrong usage.

Examples:
  outcrop inspect last
  outcrop inspect 3f2a9c1d --limit 30
  outcrop inspect last --turn 12"
)]
pub(crate) struct Inspect {
    /// A transcript, a session's id or its beginning, or `last`.
    #[arg(value_name = "SESSION")]
    pub(crate) session: String,
    /// Show the blocks of this turn; the first is 1.
    #[arg(long, value_name = "TURN")]
    pub(crate) turn: Option<usize>,
    /// How many lines each list has; 0 is all.
    #[arg(long, value_name = "NUMBER", default_value = "10")]
    pub(crate) limit: usize,
    /// Tokenizer or model by which texts are counted [default: that of the last answer].
    #[arg(long, value_name = "NAME")]
    pub(crate) tokenizer: Option<String>,
}

/// Show what each stage of compaction would remove from a session, and what the next request
/// would hold.
///
/// SESSION is the path of a transcript, a session's id, the unique beginning of one, or `last`.
/// Nothing is changed: a simulation is a projection, and each removed block says where its text
/// can be found.
#[derive(Debug, clap::Args)]
#[command(
    args_override_self = true,
    after_help = "\
Exit codes: 0 whatever is found, 1 when the client does not resume the session, 2 on wrong usage.

Examples:
  outcrop simulate last
  outcrop simulate last --preset client --now
  outcrop simulate 3f2a9c1d --preset paper --window 200000 -v
  outcrop simulate last --preset client --now --out /tmp/copy"
)]
pub(crate) struct Simulate {
    /// A transcript, a session's id or its beginning, or `last`.
    #[arg(value_name = "SESSION")]
    pub(crate) session: String,
    /// What is simulated.
    #[arg(long, value_name = "NAME", default_value = "resume")]
    pub(crate) preset: Preset,
    /// Only this stage of the preset `paper`, and the budget, which is always on.
    #[arg(long, value_name = "NAME")]
    pub(crate) stage: Option<StageName>,
    /// The window in tokens [default: that of the model].
    #[arg(long, value_name = "TOKENS")]
    pub(crate) window: Option<u64>,
    /// The model that is asked [default: that of the session's last answer].
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// The new prompt.
    #[arg(long, value_name = "TEXT")]
    pub(crate) prompt: Option<String>,
    /// As the session stood at the end of this turn; the first is 1.
    #[arg(long, value_name = "TURN")]
    pub(crate) at: Option<usize>,
    /// A text that must survive verbatim; can be given several times.
    #[arg(long, value_name = "TEXT")]
    pub(crate) pin: Vec<String>,
    /// With the preset client: compact now, as /compact does, whatever the tokens.
    #[arg(long)]
    pub(crate) now: bool,
    /// With the preset client: compact as after a refusal of the service that names the tokens
    /// sent and allowed. Which messages stay is then assumed.
    #[arg(long, value_name = "SENT:ALLOWED", value_parser = refusal, conflicts_with = "now")]
    pub(crate) refused: Option<(u64, u64)>,
    /// A file with the text of the summary [default: one that is extracted, without a model].
    #[arg(long, value_name = "FILE", conflicts_with = "summary_command")]
    pub(crate) summary_file: Option<PathBuf>,
    /// A command that prints the text of the summary.
    #[arg(long, value_name = "COMMAND", conflicts_with = "summary_recorded")]
    pub(crate) summary_command: Option<String>,
    /// The summary that the session itself recorded next, behind the turn of --at.
    #[arg(long, conflicts_with = "summary_file")]
    pub(crate) summary_recorded: bool,
    /// With the preset client: write a copy of the transcript with the compaction behind it to
    /// this folder; the client can resume it there. Nothing is overwritten.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// The two numbers of a refusal.
fn refusal(text: &str) -> Result<(u64, u64), String> {
    let numbers = text.split_once(':');
    let numbers = numbers.and_then(|(sent, allowed)| {
        let number = |text: &str| text.replace([',', '_'], "").parse().ok();
        Some((number(sent)?, number(allowed)?))
    });
    numbers.ok_or_else(|| "two numbers of tokens, such as 210000:200000".to_owned())
}

/// What is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Preset {
    /// No stage fires: what a resume of the session sends.
    Resume,
    /// A compaction as the client was seen to do it.
    Client,
    /// The five stages as published, each with its limits.
    Paper,
}

/// A stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StageName {
    Budget,
    Snip,
    Microcompact,
    Collapse,
    Summary,
}

/// Show what is wrong with a session, and what a repair into a new file would do.
///
/// SESSION is the path of a transcript, a session's id, the unique beginning of one, or `last`.
/// Its file is never changed: without --repair nothing is written.
#[derive(Debug, clap::Args)]
pub(crate) struct Doctor {
    /// A transcript, a session's id or its beginning, or `last`.
    #[arg(value_name = "SESSION")]
    pub(crate) session: String,
    /// Write the repaired session to this new file, or into this folder under its own name.
    #[arg(long, value_name = "OUT")]
    pub(crate) repair: Option<PathBuf>,
    /// Give records whose parent is missing the record before them as parent.
    #[arg(long)]
    pub(crate) relink: bool,
    /// Take out what was thought, but for the last answer: for another model or account.
    #[arg(long)]
    pub(crate) strip_thinking: bool,
    /// Repair a session that may still run, as it is now.
    #[arg(long, requires = "repair")]
    pub(crate) live: bool,
}
