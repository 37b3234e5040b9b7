//! What was typed for `memory`.

use std::path::PathBuf;

/// Look over the memory of a project: what of its index is cut, and where it leads.
///
/// The client delivers the first 200 lines of `MEMORY.md`, and of them what fits into 25,000
/// characters. Told are the entries behind that, topic files that the index does not name, links to
/// files that are not there, notes without a reason (`Why:`, because), and what stands there twice.
#[derive(Debug, clap::Args)]
#[command(
    args_override_self = true,
    after_help = "\
Exit codes: 0 done, 1 when the index is cut or a link leads nowhere, 2 on wrong usage.

Examples:
  outcrop memory
  outcrop memory --split
  outcrop memory --split --write /tmp/thinner"
)]
pub(crate) struct Memory {
    /// The directory of the project.
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) dir: PathBuf,
    /// Propose a thin index with topic files, as a unified diff. Nothing of the text is lost.
    #[arg(long)]
    pub(crate) split: bool,
    /// Write the proposal into this new folder. The memory itself is not changed.
    #[arg(long, value_name = "FOLDER", requires = "split")]
    pub(crate) write: Option<PathBuf>,
}
