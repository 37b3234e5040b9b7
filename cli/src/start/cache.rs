//! The user's cache folder for this program. All in it is safe to delete.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::args::Global;

/// Its folder in the user's cache folder.
const FOLDER: &str = "outcrop";

/// The folder: the one that is named, else the usual one, but none with `--home`, which describes
/// another world than the machine's.
pub(super) fn folder(global: &Global) -> Option<PathBuf> {
    let named = global.cache_dir.clone();
    named.or_else(|| global.home.is_none().then(usual).flatten())
}

fn usual() -> Option<PathBuf> {
    let named = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let named = named.filter(|folder| folder.is_absolute());
    let home = || std::env::home_dir().map(|home| home.join(".cache"));
    Some(named.or_else(home)?.join(FOLDER))
}

/// Writes a file whole: a new one that takes the old one's place.
pub(super) fn write(folder: &Path, file: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    new.write_all(bytes)?;
    new.as_file().sync_all()?;
    new.persist(file)?;
    Ok(())
}
