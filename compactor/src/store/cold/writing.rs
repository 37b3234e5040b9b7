//! Archiving a session.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::{StoreError, files};
use super::sources::Open;
use super::{Cold, Source, Writing, make_folder, old};
use crate::cold::{CHUNK, Chunk, Kept, Manifest, State, Version};

/// How often a file is read that changes under the hand.
const TRIES: usize = 3;

/// How a session is archived.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The time, as RFC 3339 in UTC.
    pub at: String,
    /// Read files that seem unchanged, too, and mend what of them is damaged in the store.
    pub recheck: bool,
    /// Write nothing.
    pub dry: bool,
}

/// What became of a session.
#[derive(Debug)]
pub struct SessionDone {
    /// What became of each of its files.
    pub files: Vec<FileDone>,
    /// The session's generation in the store now.
    pub generation: u64,
    /// The bytes that its files have.
    pub bytes: u64,
    /// The bytes of them that are new to the session's manifest.
    pub added: u64,
    /// The bytes that the store took for them.
    pub stored: u64,
    /// The manifest that could not be read and was set aside, and what is wrong with it.
    pub set_aside: Option<(PathBuf, StoreError)>,
}

/// What became of a file.
#[derive(Debug)]
pub struct FileDone {
    /// Where it is below the client's configuration folder.
    pub path: String,
    /// What became of it, or why it could not be archived.
    pub became: Result<Became, StoreError>,
}

/// What was found of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Became {
    /// It was not kept before.
    New,
    /// It grew; what it had stands there as it was.
    Grown,
    /// It has other bytes than it had, and is kept beside them.
    Changed,
    /// It is as it was.
    Same,
    /// It went away between the list and the reading.
    Gone,
}

/// A file as it was read.
struct Read {
    chunks: Vec<Chunk>,
    state: State,
    /// Whether the chunks begin with all of the last version.
    continues: bool,
}

/// Whether a session is kept, told without reading its files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Current {
    /// Nothing of it is kept.
    Missing,
    /// Something of it was written since, or cannot be told to be as it was.
    Behind,
    /// All of it is kept as it is.
    Kept,
}

impl Cold {
    /// Whether a session is kept as it is, by the lengths and times of its files.
    #[must_use]
    pub fn current(&self, source: &Source) -> Current {
        let Ok(Some(loaded)) = self.manifest(&source.name) else {
            return Current::Missing;
        };
        let is_kept = source.files.iter().all(|path| {
            let Ok(Some(open)) = Open::new(&source.config.join(path)) else {
                return false;
            };
            let version = loaded
                .manifest
                .file(path)
                .and_then(|kept| kept.versions.last());
            version.is_some_and(|last| last.is_settled(open.bytes, open.modified.as_deref()))
        });
        match is_kept {
            true => Current::Kept,
            false => Current::Behind,
        }
    }

    /// What archiving would do, without a lock and without writing.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn rehearse(&self, source: &Source, options: &Options) -> Result<SessionDone, StoreError> {
        let options = Options {
            dry: true,
            ..options.clone()
        };
        archive(self, source, &options)
    }
}

impl Writing<'_> {
    /// Archives a session: first what its files hold, then its manifest. A file that cannot be
    /// read is told, and the others are kept.
    ///
    /// # Errors
    ///
    /// When the store cannot be read or written.
    pub fn archive(&self, source: &Source, options: &Options) -> Result<SessionDone, StoreError> {
        archive(self.cold, source, options)
    }
}

fn archive(cold: &Cold, source: &Source, options: &Options) -> Result<SessionDone, StoreError> {
    let path = cold.manifest_path(&source.name);
    let (manifest, damage) = match cold.manifest(&source.name) {
        Ok(Some(loaded)) => (loaded.manifest, loaded.damage),
        Ok(None) => (new(source), None),
        Err(damage @ StoreError::Damaged { .. }) => (new(source), Some(damage)),
        Err(error) => return Err(error),
    };
    let mut run = Run {
        objects: cold.objects(),
        options,
        generation: manifest.generation + 1,
        manifest,
        has_news: false,
        is_touched: false,
        added: 0,
        stored: 0,
        buffer: Vec::new(),
    };
    let mut done = Vec::new();
    for path in &source.files {
        let became = match run.file(&source.config.join(path), path) {
            // A full disk ends the run; a file that cannot be read does not.
            Err(error) if is_of(&error, cold.root()) => return Err(error),
            became => became,
        };
        let path = path.clone();
        done.push(FileDone { path, became });
    }
    let mut set_aside = None;
    if run.has_news {
        run.manifest.generation = run.generation;
        run.manifest.at.clone_from(&options.at);
    }
    if (run.has_news || run.is_touched) && !options.dry {
        if let Some(damage) = damage {
            let aside = move_aside(&path)?;
            set_aside = Some((aside, damage));
        }
        run.objects.settle()?;
        write(&path, &run.manifest)?;
    }
    Ok(SessionDone {
        files: done,
        generation: run.manifest.generation,
        bytes: run.manifest.bytes(),
        added: run.added,
        stored: run.stored,
        set_aside,
    })
}

fn new(source: &Source) -> Manifest {
    Manifest::new(&source.name.project, &source.name.session)
}

/// Whether an error is about a file of the store.
fn is_of(error: &StoreError, root: &Path) -> bool {
    match error {
        StoreError::Io { path, .. }
        | StoreError::Exists(path)
        | StoreError::Damaged { path, .. } => path.starts_with(root),
        _ => false,
    }
}

/// Puts a manifest in the place of the one before it, which stays beside it.
fn write(path: &Path, manifest: &Manifest) -> Result<(), StoreError> {
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    if path.is_file() {
        let before = fs::read(path).map_err(StoreError::io(path))?;
        files::replace(&old(path), &before)?;
    }
    let text = manifest.encode().map_err(|error| StoreError::Unsound {
        path: path.to_owned(),
        reason: error.to_string(),
    })?;
    files::replace(path, text.as_bytes())
}

/// Gives a damaged manifest another name: somebody may still read it.
fn move_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let named = |number: usize| path.with_extension(format!("json.damaged-{number}"));
    let free = (1..).map(named).find(|path| !path.exists());
    let aside = free.unwrap_or_else(|| path.with_extension("json.damaged"));
    match path.exists() {
        true => fs::rename(path, &aside).map_err(StoreError::io(path))?,
        // The older one alone is there and damaged.
        false => fs::rename(old(path), &aside).map_err(StoreError::io(path))?,
    }
    Ok(aside)
}

/// Archiving one session.
struct Run<'a> {
    objects: super::Objects,
    options: &'a Options,
    generation: u64,
    manifest: Manifest,
    /// Whether there is something new to keep.
    has_news: bool,
    /// Whether only a time, or a file's bits, are others.
    is_touched: bool,
    added: u64,
    stored: u64,
    buffer: Vec<u8>,
}

impl Run<'_> {
    fn file(&mut self, on_disk: &Path, path: &str) -> Result<Became, StoreError> {
        for _ in 0..TRIES {
            let Some(mut open) = Open::new(on_disk)? else {
                return Ok(Became::Gone);
            };
            let last = self
                .manifest
                .file(path)
                .and_then(|kept| kept.versions.last());
            let last = last.cloned();
            if let Some(last) = &last
                && !self.options.recheck
                && last.is_settled(open.bytes, open.modified.as_deref())
            {
                return Ok(Became::Same);
            }
            if let Some(read) = self.read(&mut open, last.as_ref())? {
                return Ok(self.note(path, last.as_ref(), read));
            }
        }
        Err(StoreError::Changed(on_disk.to_owned()))
    }

    /// Reads a file and keeps its chunks; nothing where it changed meanwhile.
    fn read(
        &mut self,
        open: &mut Open,
        last: Option<&Version>,
    ) -> Result<Option<Read>, StoreError> {
        let mut expected = last.map(|last| last.chunks.iter()).unwrap_or_default();
        let mut chunks = Vec::new();
        let mut continues = last.is_some();
        let mut whole = blake3::Hasher::new();
        let mut buffer = std::mem::take(&mut self.buffer);
        loop {
            let next = expected.next().filter(|_| continues);
            let length = next.map_or(CHUNK as u64, |chunk| chunk.bytes);
            if !open.next(length, &mut buffer)? {
                return Ok(None);
            }
            if buffer.is_empty() {
                // Where chunks are left, the file is shorter than it was.
                continues &= next.is_none();
                break;
            }
            whole.update(&buffer);
            let digest = blake3::hash(&buffer).to_hex().to_string();
            let is_known = next.is_some_and(|chunk| chunk.digest == digest);
            continues &= next.is_none() || is_known;
            if !is_known || self.options.recheck {
                if !is_known {
                    self.added += buffer.len() as u64;
                }
                if !self.options.dry {
                    self.stored += self.objects.put(&buffer, &digest)?;
                }
            }
            let bytes = buffer.len() as u64;
            chunks.push(Chunk { digest, bytes });
        }
        self.buffer = buffer;
        let digest = whole.finalize().to_hex().to_string();
        if !open.stands(&digest)? {
            return Ok(None);
        }
        Ok(Some(Read {
            chunks,
            continues,
            state: State {
                generation: self.generation,
                at: self.options.at.clone(),
                bytes: open.bytes,
                digest,
                modified: open.modified.take(),
                mode: open.mode,
            },
        }))
    }

    /// Puts what was read into the manifest.
    fn note(&mut self, path: &str, last: Option<&Version>, read: Read) -> Became {
        let before = last.and_then(Version::last);
        let is_same = before.is_some_and(|before| before.digest == read.state.digest);
        let kept: &mut Kept = self.manifest.file_mut(path);
        let state = read.state;
        match kept.versions.last_mut() {
            Some(version) if is_same => {
                // Only its time or its bits are others: no new state, but the next run need not
                // read it.
                let is_settled = version.is_settled(state.bytes, state.modified.as_deref());
                if let Some(last) = version.states.last_mut()
                    && (!is_settled || last.mode != state.mode)
                {
                    let generation = last.generation;
                    *last = State {
                        generation,
                        ..state
                    };
                    self.is_touched = true;
                }
                Became::Same
            }
            Some(version) if read.continues => {
                version.chunks = read.chunks;
                version.states.push(state);
                self.has_news = true;
                Became::Grown
            }
            before => {
                let became = match before {
                    Some(_) => Became::Changed,
                    None => Became::New,
                };
                kept.versions.push(Version {
                    chunks: read.chunks,
                    states: vec![state],
                });
                self.has_news = true;
                became
            }
        }
    }
}
