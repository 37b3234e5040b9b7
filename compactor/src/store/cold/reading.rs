//! Reading what is kept: to check it, to search it, to restore it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;
use rustc_hash::FxHashSet;

use super::super::{StoreError, files};
use super::{Cold, Name, make_folder, old, read};
use crate::cold::{Manifest, Recall, Version};

/// What a check of the whole store found.
#[derive(Debug, Default)]
pub struct Verified {
    /// Sessions.
    pub sessions: usize,
    /// Files, with each of their versions.
    pub files: usize,
    /// Chunks that were read.
    pub objects: usize,
    /// The bytes that they are.
    pub bytes: u64,
    /// The bytes that they take.
    pub stored: u64,
    /// What is damaged.
    pub problems: Vec<Problem>,
    /// Chunks that no session names, as a killed run leaves them, and the bytes that they take.
    pub unnamed: (usize, u64),
}

/// Something damaged.
#[derive(Debug)]
pub struct Problem {
    /// The session that needs it.
    pub name: Name,
    /// The file of the session, below the client's configuration folder; none for its manifest.
    pub path: Option<String>,
    /// The file of the store, and what is wrong with it.
    pub error: StoreError,
}

/// Where and how a session is restored.
#[derive(Debug, Clone)]
pub struct Target<'a> {
    /// The folder that stands for the client's configuration folder.
    pub folder: &'a Path,
    /// A generation of the session; none for the last of each file.
    pub generation: Option<u64>,
    /// Whether files get the time of their last change back. In the client's own folder an old
    /// time would have them deleted again.
    pub own_times: bool,
    /// Write nothing.
    pub dry: bool,
}

/// What a restoration made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// The file.
    pub path: PathBuf,
    /// Its bytes.
    pub bytes: u64,
    /// Whether it was there already with just these bytes.
    pub was_there: bool,
}

impl Cold {
    /// Gives the bytes of a file chunk by chunk, each checked, until `take` has enough and says
    /// `false`.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`] for the object that is not as it was written, or what `take` says.
    pub fn chunks<E: From<StoreError>>(
        &self,
        recall: &Recall<'_>,
        mut take: impl FnMut(&[u8]) -> Result<bool, E>,
    ) -> Result<(), E> {
        let objects = self.objects();
        let (mut buffer, mut left) = (Vec::new(), recall.state.bytes);
        for chunk in &recall.version.chunks {
            if left < chunk.bytes {
                break;
            }
            objects.get(chunk, &mut buffer)?;
            left -= chunk.bytes;
            if !take(&buffer)? {
                break;
            }
        }
        Ok(())
    }

    /// Reads everything that is kept, and compares it with its digests.
    ///
    /// # Errors
    ///
    /// When a folder of the store cannot be listed. What is damaged is told, and is no error.
    pub fn verify(&self, wanted: impl Fn(&Name) -> bool) -> Result<Verified, StoreError> {
        let mut verified = Verified::default();
        let mut seen = FxHashSet::default();
        for name in self.names()?.into_iter().filter(wanted) {
            verified.sessions += 1;
            let problem = |error| Problem {
                name: name.clone(),
                path: None,
                error,
            };
            let path = self.manifest_path(&name);
            if let Err(error) = read(&old(&path)) {
                verified.problems.push(problem(error));
            }
            match self.manifest(&name) {
                Ok(Some(loaded)) => {
                    verified.problems.extend(loaded.damage.map(problem));
                    self.verify_files(&name, &loaded.manifest, &mut seen, &mut verified);
                }
                // Both are damaged, and the older one was told.
                Err(error) if path.is_file() => verified.problems.push(problem(error)),
                Ok(None) | Err(_) => {}
            }
        }
        verified.objects = seen.len();
        for (digest, length) in self.objects().all()? {
            if seen.contains(&digest) {
                verified.stored += length;
            } else {
                verified.unnamed.0 += 1;
                verified.unnamed.1 += length;
            }
        }
        Ok(verified)
    }

    fn verify_files(
        &self,
        name: &Name,
        manifest: &Manifest,
        seen: &mut FxHashSet<String>,
        verified: &mut Verified,
    ) {
        for kept in &manifest.files {
            for version in &kept.versions {
                verified.files += 1;
                let problem = |error| Problem {
                    name: name.clone(),
                    path: Some(kept.path.clone()),
                    error,
                };
                let problems = self.verify_version(&self.manifest_path(name), version);
                verified.problems.extend(problems.into_iter().map(problem));
                for chunk in &version.chunks {
                    if seen.insert(chunk.digest.clone()) {
                        verified.bytes += chunk.bytes;
                    }
                }
            }
        }
    }

    /// All that is wrong with a version: each damaged chunk, else each state whose digest is not
    /// that of the bytes up to it.
    fn verify_version(&self, manifest: &Path, version: &Version) -> Vec<StoreError> {
        let objects = self.objects();
        let mut problems = Vec::new();
        let mut whole = blake3::Hasher::new();
        let (mut buffer, mut at) = (Vec::new(), 0);
        let mut states = version.states.iter().peekable();
        let mut check = |at: u64, whole: &blake3::Hasher, problems: &mut Vec<StoreError>| {
            while let Some(state) = states.next_if(|state| state.bytes == at) {
                let digest = whole.finalize().to_hex();
                if problems.is_empty() && *digest != *state.digest {
                    problems.push(StoreError::Damaged {
                        path: manifest.to_owned(),
                        reason: format!(
                            "its chunks are not the file of generation {}",
                            state.generation
                        ),
                    });
                }
            }
        };
        check(at, &whole, &mut problems);
        for chunk in &version.chunks {
            match objects.get(chunk, &mut buffer) {
                Ok(()) => {
                    whole.update(&buffer);
                }
                Err(error) => problems.push(error),
            }
            at += chunk.bytes;
            check(at, &whole, &mut problems);
        }
        problems
    }

    /// Writes the files of a session below a folder, with the bytes that they had. All that is
    /// needed is checked before the first is written; a file that is there is never written over,
    /// and the transcript comes last.
    ///
    /// # Errors
    ///
    /// When something of it is damaged, or a file with other bytes is there: then nothing is
    /// written. Or when one cannot be written: then those before it are there, whole.
    pub fn restore(
        &self,
        manifest: &Manifest,
        target: &Target<'_>,
    ) -> Result<Vec<Restored>, StoreError> {
        let mut restored = Vec::new();
        for recall in manifest.at_generation(target.generation) {
            let path = target.folder.join(recall.path);
            let was_there = match fs::symlink_metadata(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => false,
                Err(error) => return Err(StoreError::io(&path)(error)),
                Ok(there) => {
                    let bytes = recall.state.bytes;
                    let is_same = there.is_file()
                        && there.len() == bytes
                        && files::digest(&path, bytes)? == recall.state.digest;
                    if !is_same {
                        return Err(StoreError::Exists(path));
                    }
                    true
                }
            };
            self.check(manifest, &recall)?;
            let bytes = recall.state.bytes;
            let one = Restored {
                path,
                bytes,
                was_there,
            };
            restored.push((recall, one));
        }
        let own = format!("projects/{}/{}.jsonl", manifest.project, manifest.session);
        restored.sort_by_key(|(recall, _)| recall.path == own);
        for (recall, one) in restored.iter().filter(|(_, one)| !one.was_there) {
            if !target.dry {
                self.restore_one(recall, &one.path, target.own_times)?;
            }
        }
        Ok(restored.into_iter().map(|(_, one)| one).collect())
    }

    /// Reads all of a file, and compares it with its digest.
    fn check(&self, manifest: &Manifest, recall: &Recall<'_>) -> Result<(), StoreError> {
        let mut whole = blake3::Hasher::new();
        self.chunks(recall, |bytes| {
            whole.update(bytes);
            Ok::<bool, StoreError>(true)
        })?;
        match *whole.finalize().to_hex() == *recall.state.digest {
            true => Ok(()),
            false => Err(StoreError::Damaged {
                path: self.manifest_path(&Name {
                    project: manifest.project.clone(),
                    session: manifest.session.clone(),
                }),
                reason: format!("the chunks of {} are not that file", recall.path),
            }),
        }
    }

    fn restore_one(
        &self,
        recall: &Recall<'_>,
        path: &Path,
        own_times: bool,
    ) -> Result<(), StoreError> {
        if let Some(folder) = path.parent() {
            make_folder(folder)?;
        }
        let content = |out: &mut dyn io::Write| {
            self.chunks(recall, |bytes| {
                out.write_all(bytes)?;
                Ok::<bool, Failed>(true)
            })
            .map_err(Failed::into_io)?;
            Ok(recall.state.bytes)
        };
        files::write_new(path, content, |made| {
            if files::digest(made, recall.state.bytes)? != recall.state.digest {
                return Err(StoreError::Unsound {
                    path: path.to_owned(),
                    reason: "what was written is not what was read".to_owned(),
                });
            }
            dress(made, recall, own_times).map_err(StoreError::io(path))
        })?;
        Ok(())
    }
}

/// Gives a file its permissions and, where they are wanted, its times.
fn dress(path: &Path, recall: &Recall<'_>, own_times: bool) -> io::Result<()> {
    let file = File::options().write(true).open(path)?;
    let parse = |text: &String| text.parse::<Timestamp>().ok();
    let modified = recall.state.modified.as_ref().and_then(parse);
    let modified = modified.and_then(|time| SystemTime::try_from(time).ok());
    if let Some(modified) = modified.filter(|_| own_times) {
        file.set_modified(modified)?;
    }
    #[cfg(unix)]
    if let Some(mode) = recall.state.mode {
        use std::os::unix::fs::PermissionsExt as _;
        file.set_permissions(fs::Permissions::from_mode(mode & 0o777))?;
    }
    Ok(())
}

/// Why a file could not be put together, on its way through an error of the system.
enum Failed {
    Store(StoreError),
    Io(io::Error),
}

impl Failed {
    fn into_io(self) -> io::Error {
        match self {
            Self::Store(error) => io::Error::other(error.to_string()),
            Self::Io(error) => error,
        }
    }
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
