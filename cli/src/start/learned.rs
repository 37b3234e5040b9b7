//! What `verify` learned of clients, one file a version in the user's cache. It is safe to
//! delete: the next `verify` learns it again.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use outcrop_loader::client::Version;
use outcrop_loader::record::Diagnostic;
use outcrop_verify::Profile;
use outcrop_verify::profile::SCHEMA;

use super::cache;
use crate::args::Global;

/// The folder of clients in the cache folder.
const CLIENTS: &str = "clients";

/// Where learned files are. With `--home`, which describes another world than the machine's,
/// there is no such place unless one is named.
pub(crate) struct Learned {
    folder: Option<PathBuf>,
}

impl Learned {
    pub(crate) fn new(global: &Global) -> Self {
        Self {
            folder: cache::folder(global).map(|folder| folder.join(CLIENTS)),
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
        cache::write(folder, &file, &text)
            .with_context(|| format!("{} cannot be written", file.display()))?;
        Ok(Some(file))
    }
}
