//! What was typed for the commands about transcripts.

use std::path::PathBuf;

use clap::ValueEnum;

/// Show what each stage of compaction would remove from a session, and what the next request
/// would hold.
///
/// SESSION is the path of a transcript, a session's id, the unique beginning of one, or `last`.
/// Nothing is changed: a simulation is a projection, and each removed block says where its text
/// can be found.
#[derive(Debug, clap::Args)]
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
    /// A file with the text of the summary [default: one that is extracted, without a model].
    #[arg(long, value_name = "FILE", conflicts_with = "summary_command")]
    pub(crate) summary_file: Option<PathBuf>,
    /// A command that prints the text of the summary.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) summary_command: Option<String>,
    /// With the preset client: write a copy of the transcript with the compaction behind it to
    /// this folder; the client can resume it there. Nothing is overwritten.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
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
