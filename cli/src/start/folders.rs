//! Outcrop's own folders of a user. With `--home` they are those of the other home.

use std::path::PathBuf;

use anyhow::Result;

use super::Place;
use crate::args::Global;

/// Their name below the folders that a system has for them.
const NAME: &str = "outcrop";

/// What is noted: logs, the journal, locks, which session was the last good one.
pub(crate) fn state(global: &Global) -> Result<PathBuf> {
    folder(global, "XDG_STATE_HOME", ".local/state")
}

/// What is kept for the user: the cold store.
pub(crate) fn data(global: &Global) -> Result<PathBuf> {
    folder(global, "XDG_DATA_HOME", ".local/share")
}

fn folder(global: &Global, variable: &str, usual: &str) -> Result<PathBuf> {
    let named = std::env::var_os(variable).map(PathBuf::from);
    let named = named.filter(|folder| folder.is_absolute() && global.home.is_none());
    let folder = match named {
        Some(folder) => folder,
        None => PathBuf::from(Place::new(global)?.home().as_str()).join(usual),
    };
    Ok(folder.join(NAME))
}
