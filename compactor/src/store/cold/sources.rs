//! Which files belong to a session, and reading one that may grow meanwhile.

use std::fs::{self, File, Metadata};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::super::StoreError;
use super::Name;

/// How deep folders of a session are followed.
const DEPTH: usize = 16;

/// The files of a session.
#[derive(Debug, Clone)]
pub struct Source {
    /// The client's configuration folder.
    pub config: PathBuf,
    /// Which session.
    pub name: Name,
    /// Its files below that folder, with `/`.
    pub files: Vec<String>,
    /// What lies there and cannot be kept.
    pub left_out: Vec<LeftOut>,
}

/// Something that is not archived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Where it is.
    pub path: PathBuf,
    /// Why, as the end of a sentence.
    pub reason: String,
}

impl Source {
    /// Finds the files of a session: its transcript, all in the folder beside it (sub-agents,
    /// stored results), the files as they were before the client changed them, and `more`, such
    /// as the sub-agents that older clients kept beside (facts 1.1, 8.1, I32).
    ///
    /// # Errors
    ///
    /// When a folder that is there cannot be listed.
    pub fn find(config: &Path, name: Name, more: Vec<String>) -> Result<Self, StoreError> {
        let own = format!("projects/{}/{}", name.project, name.session);
        let checkpoints = format!("file-history/{}", name.session);
        let mut found = Self {
            config: config.to_owned(),
            name,
            files: more,
            left_out: Vec::new(),
        };
        let transcript = format!("{own}.jsonl");
        if config.join(&transcript).is_file() {
            found.files.push(transcript);
        }
        for folder in [own, checkpoints] {
            found.walk(&folder, DEPTH)?;
        }
        found.files.sort();
        found.files.dedup();
        Ok(found)
    }

    /// Adds what lies below a folder. Links are not followed: what they lead to is not the
    /// session's.
    fn walk(&mut self, folder: &str, deeper: usize) -> Result<(), StoreError> {
        let path = self.config.join(folder);
        match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Ok(metadata) if !metadata.is_dir() => return Ok(()),
            _ => {}
        }
        for entry in super::entries(&path)? {
            let (path, kind) = (entry.path(), entry.file_type());
            let kind = kind.map_err(StoreError::io(&path))?;
            let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
                self.leave_out(path, "its name is no UTF-8");
                continue;
            };
            let below = format!("{folder}/{name}");
            if name.contains('\\') {
                self.leave_out(path, "its name has a backslash");
            } else if kind.is_file() {
                self.files.push(below);
            } else if !kind.is_dir() {
                self.leave_out(path, "it is no file but a link, or a device");
            } else if deeper == 0 {
                self.leave_out(path, "it lies too deep");
            } else {
                self.walk(&below, deeper - 1)?;
            }
        }
        Ok(())
    }

    fn leave_out(&mut self, path: PathBuf, reason: &str) {
        self.left_out.push(LeftOut {
            path,
            reason: reason.to_owned(),
        });
    }
}

/// An open file, of which the bytes that it had when it was opened are read.
pub(super) struct Open {
    file: File,
    path: PathBuf,
    pub(super) bytes: u64,
    pub(super) modified: Option<String>,
    pub(super) mode: Option<u32>,
    left: u64,
}

impl Open {
    /// Opens a file; nothing where there is none any more.
    pub(super) fn new(path: &Path) -> Result<Option<Self>, StoreError> {
        let file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(StoreError::io(path))?,
        };
        let metadata = file.metadata().map_err(StoreError::io(path))?;
        Ok(Some(Self {
            bytes: metadata.len(),
            left: metadata.len(),
            modified: modified(&metadata),
            mode: mode(&metadata),
            path: path.to_owned(),
            file,
        }))
    }

    /// Reads the next bytes into `buffer`, at most `length`; none at the end. Gives whether the
    /// file still had them.
    pub(super) fn next(&mut self, length: u64, buffer: &mut Vec<u8>) -> Result<bool, StoreError> {
        let length = length.min(self.left);
        buffer.clear();
        let mut part = (&mut self.file).take(length);
        let read = part.read_to_end(buffer);
        let read = read.map_err(StoreError::io(&self.path))? as u64;
        self.left -= read;
        Ok(read == length)
    }

    /// Whether the bytes that were read, with this digest, stand in the file still: that it grew
    /// is no change.
    pub(super) fn stands(&mut self, digest: &str) -> Result<bool, StoreError> {
        let now = self.file.metadata().map_err(StoreError::io(&self.path))?;
        if now.len() == self.bytes && modified(&now) == self.modified {
            return Ok(true);
        }
        let again = self.again(self.bytes).map_err(StoreError::io(&self.path))?;
        Ok(again == digest)
    }

    fn again(&mut self, length: u64) -> io::Result<String> {
        self.file.seek(SeekFrom::Start(0))?;
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader((&mut self.file).take(length))?;
        Ok(hasher.finalize().to_hex().to_string())
    }
}

/// When a file was changed last, as RFC 3339 in UTC.
fn modified(metadata: &Metadata) -> Option<String> {
    let time = Timestamp::try_from(metadata.modified().ok()?).ok()?;
    Some(time.to_string())
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have no such bits")]
fn mode(metadata: &Metadata) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt as _;
    Some(metadata.permissions().mode() & 0o777)
}

#[cfg(not(unix))]
fn mode(_: &Metadata) -> Option<u32> {
    None
}
