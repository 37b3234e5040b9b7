//! Where the transcripts of sessions are, and opening one.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result, bail};
use outcrop_compactor::sessions::is_folder_of;
use outcrop_compactor::store::{self, Seen};
use outcrop_compactor::transcript::{Source, Transcript};
use outcrop_loader::host::DiskHost;
use outcrop_loader::path::AbsPath;

use super::Place;
use crate::args::Global;

/// A session's transcript as a folder lists it.
#[derive(Debug, Clone)]
pub(crate) struct Listed {
    /// The session's id: the file's name without `.jsonl`.
    pub(crate) id: String,
    pub(crate) path: PathBuf,
    /// Bytes.
    pub(crate) length: u64,
    /// When it was written last, in milliseconds since 1970.
    pub(crate) modified: Option<i64>,
}

impl Listed {
    fn of(path: PathBuf) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let id = name.strip_suffix(".jsonl")?.to_owned();
        let metadata = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?;
        Some(Self {
            id,
            modified: modified(&path),
            path,
            length: metadata.len(),
        })
    }

    /// Reads the transcript's index; on a terminal, long reading shows how far it is.
    pub(crate) fn open(&self, quiet: bool) -> Result<Transcript<FileSource>> {
        open(&self.path, quiet)
    }
}

/// Reads the index of a transcript; on a terminal, long reading shows how far it is.
pub(crate) fn open(path: &Path, quiet: bool) -> Result<Transcript<FileSource>> {
    let name = path.display();
    let file = File::open(path).with_context(|| format!("{name}"))?;
    let source = FileSource::new(file).with_context(|| format!("{name}"))?;
    let mut progress = Progress::of(source.length(), quiet);
    let transcript = Transcript::watched(source, |read| progress.show(read));
    progress.end();
    transcript.with_context(|| format!("{name}"))
}

/// When a file or folder was changed last, in milliseconds since 1970.
pub(crate) fn modified(path: &Path) -> Option<i64> {
    let time = fs::metadata(path).ok()?.modified().ok()?;
    let since = time.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok()
}

/// The folder in which a client keeps its sessions.
#[derive(Debug)]
pub(crate) struct Projects {
    root: PathBuf,
    directory: String,
}

impl Projects {
    /// That of the user's client; its own variable or `--config-dir` can move it.
    pub(crate) fn new(global: &Global, place: &Place) -> Result<Self> {
        let host = DiskHost::new();
        let directory = place.base(&host);
        let moved = std::env::var("CLAUDE_CONFIG_DIR").ok();
        let moved = moved.filter(|dir| !dir.is_empty() && global.home.is_none());
        let config = match (&global.config_dir, moved) {
            (Some(dir), _) => place.path(dir)?,
            (None, Some(dir)) => directory.join(&dir),
            (None, None) => place.home().join(".claude"),
        };
        Ok(Self {
            root: PathBuf::from(config.join("projects").to_string()),
            directory: directory.to_string(),
        })
    }

    /// The same for sessions of another directory.
    pub(crate) fn of(self, directory: &AbsPath) -> Self {
        Self {
            directory: directory.to_string(),
            ..self
        }
    }

    /// Its folder, for messages.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The directory in which the user stands.
    pub(crate) fn directory(&self) -> &str {
        &self.directory
    }

    /// The folders of projects: that of the directory in which the user stands, or all.
    pub(crate) fn folders(&self, all: bool) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.root).into_iter().flatten().flatten();
        let mut folders: Vec<PathBuf> = entries
            .filter(|entry| {
                let name = entry.file_name();
                let name = name.to_str().unwrap_or_default();
                all || is_folder_of(name, &self.directory)
            })
            .map(|entry| entry.path())
            .filter(|path| path.is_dir())
            .collect();
        folders.sort();
        folders
    }

    /// The sessions of some folders, newest first; files of sub-agents from older clients are
    /// none.
    pub(crate) fn sessions(&self, all: bool) -> Vec<Listed> {
        let mut sessions = Vec::new();
        for folder in self.folders(all) {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            let listed = entries.filter_map(|entry| Listed::of(entry.path()));
            sessions.extend(listed.filter(|listed| !listed.id.starts_with("agent-")));
        }
        sessions.sort_by(|a, b| {
            b.modified
                .cmp(&a.modified)
                .then_with(|| a.path.cmp(&b.path))
        });
        sessions
    }

    /// The session that a user names: a path, an id, the unique beginning of one, or `last`. What
    /// is not in this project is looked for in all.
    pub(crate) fn find(&self, place: &Place, name: &str) -> Result<Listed> {
        if name.ends_with(".jsonl") || name.contains(['/', std::path::MAIN_SEPARATOR]) {
            let path = PathBuf::from(place.path(Path::new(name))?.to_string());
            if path.is_dir() {
                bail!("{name} is a folder; give the .jsonl file of a session");
            }
            let found = Listed::of(path.clone()).or_else(|| Listed::of_any_name(&path));
            return found.with_context(|| format!("{name} does not exist"));
        }
        if name == "last" {
            let last = self.sessions(false).into_iter().next();
            return last.with_context(|| {
                format!(
                    "no session of {} in {}; `outcrop sessions --all` lists those of other directories",
                    self.directory,
                    self.root.display()
                )
            });
        }
        for all in [false, true] {
            let mut found = self.sessions(all);
            if let Some(exact) = found.iter().position(|listed| listed.id == name) {
                return Ok(found.swap_remove(exact));
            }
            found.retain(|listed| listed.id.starts_with(name));
            match found.len() {
                0 => {}
                1 => return Ok(found.swap_remove(0)),
                count => {
                    let ids: Vec<&str> = found.iter().take(5).map(|listed| &*listed.id).collect();
                    bail!(
                        "{name} begins {count} ids: {} …; give more of it",
                        ids.join(", ")
                    );
                }
            }
        }
        bail!(
            "no session {name} in {}; `outcrop sessions --all` lists them",
            self.root.display()
        )
    }
}

impl Listed {
    /// A file whose name is no id: any transcript can be looked at.
    fn of_any_name(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some(Self {
            id: path.file_stem()?.to_str()?.to_owned(),
            path: path.to_owned(),
            length: metadata.len(),
            modified: None,
        })
    }
}

/// Writes a copy of a transcript with lines behind it to a folder, under the same name: whole or
/// not at all, and never over a file that is there.
pub(crate) fn write_copy(listed: &Listed, folder: &Path, lines: &[String]) -> Result<PathBuf> {
    let seen = Seen::of(&listed.path)?;
    fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    let path = folder.join(format!("{}.jsonl", listed.id));
    if path.exists() {
        bail!("{} exists; give another folder", path.display());
    }
    let content = |out: &mut dyn io::Write| {
        let source = FileSource::new(File::open(&listed.path)?)?;
        let mut bytes = io::copy(&mut File::open(&listed.path)?, out)?;
        if !ends_with_line(&source)? {
            out.write_all(b"\n")?;
            bytes += 1;
        }
        for line in lines {
            out.write_all(line.as_bytes())?;
            out.write_all(b"\n")?;
            bytes += line.len() as u64 + 1;
        }
        Ok(bytes)
    };
    store::write_new(&path, content, |_| {
        // The lines were made for the transcript as it was read.
        if listed.length != seen.length() || seen.has_changed()? {
            bail!(
                "{} changed meanwhile: the session still runs; close it first",
                listed.path.display()
            );
        }
        Ok(())
    })?;
    Ok(path)
}

fn ends_with_line(source: &FileSource) -> io::Result<bool> {
    let mut last = [b'\n'];
    if let Some(at) = source.length().checked_sub(1) {
        source.read_at(at, &mut last)?;
    }
    Ok(last == *b"\n")
}

/// An open transcript. What is appended to it later is not read.
#[derive(Debug)]
pub(crate) struct FileSource {
    #[cfg(unix)]
    file: File,
    #[cfg(not(unix))]
    file: std::sync::Mutex<File>,
    length: u64,
}

impl FileSource {
    fn new(file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        #[cfg(not(unix))]
        let file = std::sync::Mutex::new(file);
        Ok(Self { file, length })
    }
}

impl Source for FileSource {
    fn length(&self) -> u64 {
        self.length
    }

    #[cfg(unix)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, buffer, offset)
    }

    #[cfg(not(unix))]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        use std::io::{Read as _, Seek as _, SeekFrom};
        let mut file = self.file.lock().map_err(|_| io::ErrorKind::Other)?;
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(buffer)
    }
}

/// How far a long reading is, in one line of a terminal that goes when it ends.
struct Progress {
    length: u64,
    shown: bool,
    wanted: bool,
}

/// Shorter files are read before a line could be seen.
const WORTH_SHOWING: u64 = 64 << 20;

impl Progress {
    fn of(length: u64, quiet: bool) -> Self {
        use std::io::IsTerminal as _;
        Self {
            length,
            shown: false,
            wanted: !quiet && length > WORTH_SHOWING && io::stderr().is_terminal(),
        }
    }

    fn show(&mut self, read: u64) {
        use std::io::Write as _;
        if !self.wanted {
            return;
        }
        let (read, length) = (read >> 20, self.length >> 20);
        self.shown = write!(io::stderr(), "\rreading {read} of {length} MiB").is_ok();
    }

    fn end(&self) {
        use std::io::Write as _;
        if self.shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
