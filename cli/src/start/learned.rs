//! What `verify` learned of clients, one file a version in the user's cache. It is safe to
//! delete: the next `verify` learns it again.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use outcrop_loader::client::Version;
use outcrop_loader::record::Diagnostic;
use outcrop_verify::Profile;
use outcrop_verify::profile::SCHEMA;

use crate::args::Global;

/// The folder in the user's cache folder.
const FOLDER: &str = "outcrop";
/// The folder of clients in it.
const CLIENTS: &str = "clients";

/// Where learned files are. With `--home`, which describes another world than the machine's,
/// there is no such place unless one is named.
pub(crate) struct Learned {
    folder: Option<PathBuf>,
}

impl Learned {
    pub(crate) fn new(global: &Global) -> Self {
        let named = global.cache_dir.clone();
        let usual = || global.home.is_none().then(cache_folder).flatten();
        Self {
            folder: named.or_else(usual).map(|folder| folder.join(CLIENTS)),
        }
    }

    fn file(&self, version: Version) -> Option<PathBuf> {
        let folder = self.folder.as_ref()?;
        Some(folder.join(format!("{version}.json")))
    }

    /// What is known of a version; a file that cannot be used counts as none, with a note.
    pub(crate) fn of(&self, version: Version) -> (Option<Profile>, Option<Diagnostic>) {
        let Some(file) = self.file(version) else {
            return (None, None);
        };
        let Ok(bytes) = fs::read(&file) else {
            return (None, None);
        };
        let wrong = |why: &str| {
            let message = format!(
                "{}: {why}; `outcrop verify` writes it anew, and it may be deleted",
                file.display()
            );
            (None, Some(Diagnostic::warning(message).as_note()))
        };
        match serde_json::from_slice::<Profile>(&bytes) {
            Ok(profile) if profile.schema != SCHEMA => wrong("is of another form"),
            Ok(profile) if profile.version() != Some(version) => wrong("is of another client"),
            Ok(profile) => (Some(profile), None),
            Err(error) => wrong(&error.to_string()),
        }
    }

    /// Whether there is a place to keep anything.
    pub(crate) fn has_place(&self) -> bool {
        self.folder.is_some()
    }

    /// Keeps a profile: a new file that takes the old one's place whole.
    pub(crate) fn keep(&self, version: Version, profile: &Profile) -> Result<Option<PathBuf>> {
        let (Some(folder), Some(file)) = (&self.folder, self.file(version)) else {
            return Ok(None);
        };
        let mut text = serde_json::to_vec_pretty(profile)?;
        text.push(b'\n');
        let write = || -> std::io::Result<()> {
            fs::create_dir_all(folder)?;
            let mut new = tempfile::NamedTempFile::new_in(folder)?;
            new.write_all(&text)?;
            new.as_file().sync_all()?;
            new.persist(&file)?;
            Ok(())
        };
        write().with_context(|| format!("{} cannot be written", file.display()))?;
        Ok(Some(file))
    }
}

/// The user's cache folder for this program.
fn cache_folder() -> Option<PathBuf> {
    let named = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let named = named.filter(|folder| folder.is_absolute());
    let home = || std::env::home_dir().map(|home| home.join(".cache"));
    Some(named.or_else(home)?.join(FOLDER))
}
