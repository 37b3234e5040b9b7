//! The journal: what was done, by ids, sizes and reasons, never by content.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Holder, Lock, StoreError};

/// The most bytes of one file; there are two, the journal and the one before it.
const BYTES: u64 = 4 << 20;
/// How long a writer waits for others.
const WAIT: Duration = Duration::from_secs(10);

/// One thing that was done.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {
    /// When, as RFC 3339 in UTC.
    pub at: String,
    /// By which command: `carry`, `archive` …
    pub command: String,
    /// The session that was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The session or file that was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<String>,
    /// How it ended: `written`, `refused`, `restored` …
    pub outcome: String,
    /// Why, in the words of the program or, for `--allow-poison`, of the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Sizes and counts by name: bytes, tokens, kept and dropped blocks by reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counts: BTreeMap<String, u64>,
}

/// A journal on the disk: one JSON object a line, at most twice 4 MiB.
#[derive(Debug, Clone)]
pub struct Journal {
    path: PathBuf,
}

impl Journal {
    /// The journal in a folder of Outcrop's own.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        Self {
            path: folder.join("journal.jsonl"),
        }
    }

    /// Its file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn older(&self) -> PathBuf {
        self.path.with_extension("jsonl.1")
    }

    /// Appends what was done, one writer after the other.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn append(&self, done: &Done) -> Result<(), StoreError> {
        let lock = self.path.with_extension("lock");
        let _lock = Lock::take(&lock, &Holder::this("outcrop"), WAIT)?;
        let line = serde_json::to_string(done).unwrap_or_default();
        self.write(&line).map_err(StoreError::io(&self.path))
    }

    fn write(&self, line: &str) -> io::Result<()> {
        let length = fs::metadata(&self.path).map_or(0, |metadata| metadata.len());
        if length + line.len() as u64 > BYTES {
            fs::rename(&self.path, self.older())?;
        }
        let mut options = OpenOptions::new();
        let mut file = options
            .create(true)
            .append(true)
            .read(true)
            .open(&self.path)?;
        // One write, so that no reader meets half a line; and behind half a line of a killed
        // writer a new one begins.
        let start = if ends_with_line(&mut file)? { "" } else { "\n" };
        file.write_all(format!("{start}{line}\n").as_bytes())?;
        file.sync_data()
    }

    /// What was done, oldest first. Lines that are none, as of a killed writer, are passed over.
    ///
    /// # Errors
    ///
    /// When a file that is there cannot be read.
    pub fn read(&self) -> Result<Vec<Done>, StoreError> {
        let mut all = Vec::new();
        for path in [&self.older(), &self.path] {
            let bytes = match fs::read(path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                bytes => bytes.map_err(StoreError::io(path))?,
            };
            let lines = bytes.split(|byte| *byte == b'\n');
            all.extend(lines.filter_map(|line| serde_json::from_slice(line).ok()));
        }
        Ok(all)
    }
}

fn ends_with_line(file: &mut File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(number: u64) -> Done {
        Done {
            at: "2026-01-01T00:00:00Z".to_owned(),
            command: "carry".to_owned(),
            outcome: "written".to_owned(),
            counts: BTreeMap::from([("tokens".to_owned(), number)]),
            ..Done::default()
        }
    }

    #[test]
    fn half_a_line_hides_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::in_folder(folder.path());
        assert_eq!(journal.read().unwrap(), []);
        journal.append(&done(1)).unwrap();
        let mut file = OpenOptions::new()
            .append(true)
            .open(journal.path())
            .unwrap();
        file.write_all(b"{\"at\":\"20").unwrap();
        journal.append(&done(2)).unwrap();
        assert_eq!(journal.read().unwrap(), [done(1), done(2)]);
    }

    #[test]
    fn writers_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::in_folder(folder.path());
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let journal = &journal;
                scope.spawn(move || {
                    for number in 0..10 {
                        journal.append(&done(writer * 10 + number)).unwrap();
                    }
                });
            }
        });
        let mut numbers: Vec<u64> = journal
            .read()
            .unwrap()
            .iter()
            .map(|d| d.counts["tokens"])
            .collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..80).collect::<Vec<_>>());
    }

    #[test]
    fn it_stays_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::in_folder(folder.path());
        let long = Done {
            reason: Some("x".repeat(1 << 20)),
            ..done(0)
        };
        for _ in 0..20 {
            journal.append(&long).unwrap();
        }
        let files = fs::read_dir(folder.path()).unwrap().flatten();
        let bytes: u64 = files.map(|file| file.metadata().unwrap().len()).sum();
        assert!(bytes <= 2 * BYTES, "{bytes}");
        assert!(journal.read().unwrap().len() >= 4);
    }
}
