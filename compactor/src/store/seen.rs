//! Whether a file that is read still grows.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::StoreError;

/// A session that was written to so short ago may still run.
pub(super) const LIVE: Duration = Duration::from_secs(5);

/// A file as it was before it was read.
#[derive(Debug, Clone)]
pub struct Seen {
    path: PathBuf,
    length: u64,
    modified: Option<SystemTime>,
}

impl Seen {
    /// The file as it is now.
    ///
    /// # Errors
    ///
    /// When it cannot be looked at.
    pub fn of(path: &Path) -> Result<Self, StoreError> {
        let metadata = metadata(path)?;
        Ok(Self {
            path: path.to_owned(),
            length: metadata.len(),
            modified: metadata.modified().ok(),
        })
    }

    /// Its bytes.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Fails where the session may still run.
    ///
    /// # Errors
    ///
    /// [`StoreError::Live`] where it was written to in the last five seconds.
    pub fn refuse_live(&self) -> Result<(), StoreError> {
        let age = self.modified.and_then(|time| time.elapsed().ok());
        match age {
            Some(age) if age >= LIVE => Ok(()),
            _ => Err(StoreError::Live(self.path.clone())),
        }
    }

    /// Whether the file is not as it was.
    ///
    /// # Errors
    ///
    /// When it cannot be looked at any more.
    pub fn has_changed(&self) -> Result<bool, StoreError> {
        let now = metadata(&self.path)?;
        Ok(now.len() != self.length || now.modified().ok() != self.modified)
    }

    /// Fails where the file is not as it was.
    ///
    /// # Errors
    ///
    /// [`StoreError::Changed`] then.
    pub fn refuse_changed(&self) -> Result<(), StoreError> {
        match self.has_changed()? {
            true => Err(StoreError::Changed(self.path.clone())),
            false => Ok(()),
        }
    }

    /// How many bytes were appended meanwhile.
    #[must_use]
    pub fn appended(&self) -> u64 {
        metadata(&self.path).map_or(0, |now| now.len().saturating_sub(self.length))
    }
}

fn metadata(path: &Path) -> Result<Metadata, StoreError> {
    fs::metadata(path).map_err(StoreError::io(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    /// Bug report B151: the session is still open, and a line is appended during the run.
    #[test]
    fn a_source_that_changes_meanwhile_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("session.jsonl");
        let new = folder.path().join("new.jsonl");
        fs::write(&source, "{}\n").unwrap();
        let seen = Seen::of(&source).unwrap();
        let append = |out: &mut dyn io::Write| {
            fs::write(&source, "{}\n{\"typed\":\"meanwhile\"}\n")?;
            out.write_all(b"{}\n")?;
            Ok(3)
        };
        let refused = super::super::write_new(&new, append, |_| seen.refuse_changed()).unwrap_err();
        assert!(
            refused.to_string().contains("changed meanwhile"),
            "{refused}"
        );
        assert_eq!(
            fs::read_to_string(&source).unwrap(),
            "{}\n{\"typed\":\"meanwhile\"}\n"
        );
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
        assert_eq!(left.len(), 1, "nothing else is left: {left:?}");
        assert_eq!(seen.appended(), 22);
    }

    #[test]
    fn a_source_that_was_just_written_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("session.jsonl");
        fs::write(&source, "{}\n").unwrap();
        let file = fs::File::options().write(true).open(&source).unwrap();
        for (age, is_refused) in [(0, true), (4, true), (6, false)] {
            let time = SystemTime::now() - Duration::from_secs(age);
            file.set_modified(time).unwrap();
            let refused = Seen::of(&source).unwrap().refuse_live().is_err();
            assert_eq!(refused, is_refused, "{age} seconds ago");
        }
    }
}
