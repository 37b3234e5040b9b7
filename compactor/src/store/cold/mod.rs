//! The cold store on the disk (what it means: [`cold`](crate::cold)).
//!
//! ```text
//! lock                                who archives
//! objects/ab/abcd….zst                a chunk: one zstd frame, named by the digest of its bytes
//! sessions/PROJECT/SESSION.json       the manifest of a session
//! sessions/PROJECT/SESSION.json.old   the manifest before it
//! ```
//!
//! Objects are written first, and a manifest only when all that it names is on the disk. So a kill
//! leaves the old state or the new one, and at most objects that nobody names yet, which the next
//! run takes up.

mod objects;
mod reading;
mod sources;
mod writing;

#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Holder, Lock, StoreError, files};
use crate::cold::Manifest;
use objects::Objects;

pub use reading::{Problem, Restored, Target, Verified};
pub use sources::{LeftOut, Source};
pub use writing::{Became, Current, FileDone, Options, SessionDone};

/// A cold store, which may not be there yet.
#[derive(Debug, Clone)]
pub struct Cold {
    root: PathBuf,
}

/// A session in the store.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// The folder of its project below `projects`.
    pub project: String,
    /// Its id.
    pub session: String,
}

/// A manifest as it was read.
#[derive(Debug)]
pub struct Loaded {
    /// It.
    pub manifest: Manifest,
    /// Why the newest could not be read, where this is the one before it.
    pub damage: Option<StoreError>,
}

/// A store in which this process alone archives.
#[derive(Debug)]
pub struct Writing<'a> {
    cold: &'a Cold,
    _lock: Lock,
}

impl Cold {
    /// The store in a folder.
    #[must_use]
    pub fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// Its folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Makes the store where it is not there, and waits for its lock.
    ///
    /// # Errors
    ///
    /// When it cannot be made, or another process archives all the while.
    pub fn write(&self, wait: Duration) -> Result<Writing<'_>, StoreError> {
        make_folder(&self.root)?;
        let holder = Holder::this("outcrop archive");
        let lock = Lock::take(&self.root.join("lock"), &holder, wait)?;
        let folders = self.objects().folders()?;
        for folder in folders.into_iter().chain(self.projects()?) {
            files::sweep(&folder)?;
        }
        Ok(Writing {
            cold: self,
            _lock: lock,
        })
    }

    fn objects(&self) -> Objects {
        Objects::in_folder(self.root.join("objects"))
    }

    fn projects(&self) -> Result<Vec<PathBuf>, StoreError> {
        folders(&self.root.join("sessions"))
    }

    /// The sessions in it, by project and id.
    ///
    /// # Errors
    ///
    /// When a folder of it cannot be listed.
    pub fn names(&self) -> Result<Vec<Name>, StoreError> {
        let mut names = Vec::new();
        for folder in self.projects()? {
            let Some(project) = folder.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            for entry in entries(&folder)? {
                let name = entry.file_name();
                let Some(name) = name.to_str() else { continue };
                let name = name.strip_suffix(".old").unwrap_or(name);
                let session = name.strip_suffix(".json");
                names.extend(session.map(|session| Name {
                    project: project.to_owned(),
                    session: session.to_owned(),
                }));
            }
        }
        names.sort();
        names.dedup();
        Ok(names)
    }

    fn manifest_path(&self, name: &Name) -> PathBuf {
        let folder = self.root.join("sessions").join(&name.project);
        folder.join(format!("{}.json", name.session))
    }

    /// The manifest of a session; where it is damaged, the one before it.
    ///
    /// # Errors
    ///
    /// When both are damaged, or cannot be read.
    pub fn manifest(&self, name: &Name) -> Result<Option<Loaded>, StoreError> {
        let path = self.manifest_path(name);
        let (newest, old) = (read(&path), read(&old(&path)));
        match (newest, old) {
            (Ok(Some(manifest)), _) => Ok(Some(Loaded {
                manifest,
                damage: None,
            })),
            (Err(error), Ok(Some(manifest))) => Ok(Some(Loaded {
                manifest,
                damage: Some(error),
            })),
            (Err(error), _) | (Ok(None), Err(error)) => Err(error),
            // A kill came between the two names.
            (Ok(None), Ok(Some(manifest))) => Ok(Some(Loaded {
                manifest,
                damage: None,
            })),
            (Ok(None), Ok(None)) => Ok(None),
        }
    }
}

fn old(path: &Path) -> PathBuf {
    path.with_extension("json.old")
}

/// The manifest in a file, if there is one.
fn read(path: &Path) -> Result<Option<Manifest>, StoreError> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes.map_err(StoreError::io(path))?,
    };
    let manifest = Manifest::decode(&bytes).map_err(|reason| StoreError::Damaged {
        path: path.to_owned(),
        reason,
    });
    manifest.map(Some)
}

/// The folders in a folder, by name; none where it is not there.
fn folders(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let paths = entries(folder)?.into_iter().map(|entry| entry.path());
    let mut folders: Vec<PathBuf> = paths.filter(|path| path.is_dir()).collect();
    folders.sort();
    Ok(folders)
}

fn entries(folder: &Path) -> Result<Vec<fs::DirEntry>, StoreError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(StoreError::io(folder))?,
    };
    entries
        .collect::<io::Result<_>>()
        .map_err(StoreError::io(folder))
}

/// Makes a folder that only its user may enter: what is in it was said in confidence.
fn make_folder(folder: &Path) -> Result<(), StoreError> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(StoreError::io(folder))?;
    match folder.parent() {
        Some(parent) => files::sync_folder(parent).map_err(StoreError::io(parent)),
        None => Ok(()),
    }
}
