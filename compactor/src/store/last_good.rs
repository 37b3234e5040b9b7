//! Which session of a project was the last good one, and which ones before it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{StoreError, files};

/// The most that are remembered.
const REMEMBERED: usize = 32;

/// A session that can be gone on with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Good {
    /// Its id.
    pub session: String,
    /// Its transcript.
    pub path: PathBuf,
    /// The bytes that it had.
    pub bytes: u64,
    /// Their BLAKE3 digest; a session that went on begins with them.
    pub digest: String,
    /// Since when, as RFC 3339 in UTC.
    pub at: String,
}

impl Good {
    /// Whether the transcript still begins with what it held.
    ///
    /// # Errors
    ///
    /// When it is there and cannot be read.
    pub fn is_whole(&self) -> Result<bool, StoreError> {
        match fs::metadata(&self.path) {
            Ok(metadata) if metadata.len() >= self.bytes => {
                Ok(files::digest(&self.path, self.bytes)? == self.digest)
            }
            Ok(_) => Ok(false),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(StoreError::io(&self.path)(error)),
        }
    }
}

/// The good sessions of one project, the newest last.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastGood {
    /// They.
    pub sessions: Vec<Good>,
}

impl LastGood {
    /// Reads what is remembered; nothing where there is no file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is broken.
    pub fn read(path: &Path) -> Result<Self, StoreError> {
        let bytes = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            bytes => bytes.map_err(StoreError::io(path))?,
        };
        serde_json::from_slice(&bytes).map_err(|error| StoreError::io(path)(error.into()))
    }

    /// Writes it in the place of what was remembered.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), StoreError> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(StoreError::io(folder))?;
        }
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        files::replace(path, text.as_bytes())
    }

    /// Adds a session, or moves it to the end.
    pub fn push(&mut self, good: Good) {
        self.sessions.retain(|other| other.session != good.session);
        self.sessions.push(good);
        let more = self.sessions.len().saturating_sub(REMEMBERED);
        self.sessions.drain(..more);
    }

    /// Takes the newest away, so that the one before it counts again.
    pub fn pop(&mut self) -> Option<Good> {
        self.sessions.pop()
    }

    /// The one that counts.
    #[must_use]
    pub fn newest(&self) -> Option<&Good> {
        self.sessions.last()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_may_go_on_but_not_change() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        fs::write(&path, "one\n").unwrap();
        let good = Good {
            session: "a".to_owned(),
            digest: files::digest(&path, 4).unwrap(),
            path: path.clone(),
            bytes: 4,
            at: String::new(),
        };
        assert!(good.is_whole().unwrap());
        fs::write(&path, "one\ntwo\n").unwrap();
        assert!(good.is_whole().unwrap());
        for other in ["one", "oNe\ntwo\n"] {
            fs::write(&path, other).unwrap();
            assert!(!good.is_whole().unwrap());
        }
        fs::remove_file(&path).unwrap();
        assert!(!good.is_whole().unwrap());
    }

    #[test]
    fn the_one_before_counts_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("last-good/project.json");
        let good = |session: &str| Good {
            session: session.to_owned(),
            path: PathBuf::from(session),
            bytes: 0,
            digest: String::new(),
            at: String::new(),
        };
        let mut last = LastGood::read(&path).unwrap();
        for session in ["a", "b", "a"] {
            last.push(good(session));
            last.write(&path).unwrap();
        }
        let mut read = LastGood::read(&path).unwrap();
        assert_eq!(read.pop(), Some(good("a")));
        assert_eq!(read.newest(), Some(&good("b")));
        for number in 0..100 {
            read.push(good(&number.to_string()));
        }
        assert_eq!(read.sessions.len(), REMEMBERED);
    }
}
