//! Which `outcrop.toml` counts.

use std::path::PathBuf;

/// Where `lint` and `lsp` are configured.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Configuration")]
pub(crate) struct Configured {
    /// The `outcrop.toml` that counts, in place of the nearest above each directory.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Let no `outcrop.toml` count.
    #[arg(long, conflicts_with = "config")]
    pub(crate) isolated: bool,
}
