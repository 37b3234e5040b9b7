//! Which `outcrop.toml` counts, and what it says.

use anyhow::{Result, bail};
use outcrop_loader::host::Host;
use outcrop_loader::limits;
use outcrop_loader::lint::{Config, Options};
use outcrop_loader::path::AbsPath;

use super::Place;
use crate::args::configured::Configured as Args;

/// Which `outcrop.toml` counts.
pub(crate) enum Configured {
    /// The nearest above each directory, up to the home folder.
    Found { home: AbsPath },
    /// This one, everywhere.
    Named(AbsPath),
    /// None.
    Nowhere,
}

impl Configured {
    /// A file that is named must be there; what is wrong in it is found as in any other.
    pub(crate) fn of(args: &Args, place: &Place, host: &dyn Host) -> Result<Self> {
        let Some(file) = &args.config else {
            let home = place.home().clone();
            return Ok(match args.isolated {
                true => Self::Nowhere,
                false => Self::Found { home },
            });
        };
        let file = place.path(file)?;
        if let Err(error) = host.read(&file, limits::SETTINGS_BYTES) {
            bail!("--config: {file} {error}");
        }
        Ok(Self::Named(file))
    }

    /// What counts in a directory.
    pub(crate) fn options_at(&self, host: &dyn Host, directory: &AbsPath) -> Options {
        let file = match self {
            Self::Found { home } => Config::find(host, directory, home),
            Self::Named(file) => Some(file.clone()),
            Self::Nowhere => None,
        };
        let config = file.map(|file| Config::load(host, &file));
        Options::of(config.unwrap_or_default())
    }
}
