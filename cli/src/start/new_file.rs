//! New files beside what the user owns: written whole or not at all, and never over another.

use std::fs::{self, Metadata};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, Result, bail};
use tempfile::NamedTempFile;

/// A session that was written to so short ago may still run.
const LIVE: Duration = Duration::from_secs(5);

/// A file as it was before it was read.
#[derive(Debug)]
pub(crate) struct Seen {
    length: u64,
    modified: Option<SystemTime>,
}

impl Seen {
    pub(crate) fn of(path: &Path) -> Result<Self> {
        let metadata = metadata(path)?;
        Ok(Self {
            length: metadata.len(),
            modified: metadata.modified().ok(),
        })
    }

    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Fails where the session may still run.
    pub(crate) fn refuse_live(&self, path: &Path) -> Result<()> {
        let age = self.modified.and_then(|time| time.elapsed().ok());
        match age {
            Some(age) if age >= LIVE => Ok(()),
            _ => bail!(
                "{} was written to in the last {} seconds: the session may still run; \
                 --live takes it as it is now",
                path.display(),
                LIVE.as_secs()
            ),
        }
    }

    /// Whether the file is not as it was.
    pub(crate) fn has_changed(&self, path: &Path) -> Result<bool> {
        let now = metadata(path)?;
        Ok(now.len() != self.length || now.modified().ok() != self.modified)
    }

    /// Fails where the file is not as it was.
    pub(crate) fn refuse_changed(&self, path: &Path) -> Result<()> {
        if !self.has_changed(path)? {
            return Ok(());
        }
        bail!(
            "{} changed meanwhile: the session still runs; --live takes it as it was",
            path.display()
        )
    }

    /// How many bytes were appended meanwhile.
    pub(crate) fn appended(&self, path: &Path) -> u64 {
        metadata(path).map_or(0, |now| now.len().saturating_sub(self.length))
    }
}

fn metadata(path: &Path) -> Result<Metadata> {
    fs::metadata(path).with_context(|| path.display().to_string())
}

/// Writes a new file through a temporary one in the same folder; `is_sound` is asked last. Tells
/// how many bytes it has.
pub(crate) fn write(
    path: &Path,
    content: impl FnOnce(&mut dyn io::Write) -> io::Result<u64>,
    is_sound: impl FnOnce() -> Result<()>,
) -> Result<u64> {
    let name = || path.display().to_string();
    let folder = path.parent().filter(|folder| folder.is_dir());
    let folder = folder.with_context(|| format!("{}: no such folder", name()))?;
    let mut file = NamedTempFile::new_in(folder).with_context(name)?;
    let mut out = BufWriter::new(file.as_file_mut());
    let bytes = content(&mut out).with_context(name)?;
    out.flush().with_context(name)?;
    drop(out);
    file.as_file().sync_all().with_context(name)?;
    is_sound()?;
    file.persist_noclobber(path)
        .map_err(|failed| failed.error)
        .with_context(name)?;
    Ok(bytes)
}

/// Puts a text in the place of a file's, whole or not at all, through a temporary file in the same
/// folder. Fails where the file is not what it was.
pub(crate) fn replace(path: &Path, before: &[u8], after: &str) -> Result<()> {
    let name = || path.display().to_string();
    let folder = path.parent().with_context(name)?;
    let mut file = NamedTempFile::new_in(folder).with_context(name)?;
    file.write_all(after.as_bytes()).with_context(name)?;
    let permissions = metadata(path)?.permissions();
    fs::set_permissions(file.path(), permissions).with_context(name)?;
    file.as_file().sync_all().with_context(name)?;
    let now = fs::read(path).with_context(name)?;
    if now != before || fs::symlink_metadata(path).with_context(name)?.is_symlink() {
        bail!("{} changed meanwhile", path.display());
    }
    file.persist(path)
        .map_err(|failed| failed.error)
        .with_context(name)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changed_meanwhile_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("CLAUDE.md");
        fs::write(&path, "mine").unwrap();
        let refused = replace(&path, b"older", "new").unwrap_err();
        assert!(refused.to_string().contains("changed meanwhile"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
        replace(&path, b"mine", "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    /// Modes outlive a fix.
    #[cfg(unix)]
    #[test]
    fn permissions_are_kept() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("CLAUDE.md");
        fs::write(&path, "a").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        replace(&path, b"a", "b").unwrap();
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }

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
        let refused = write(&new, append, || seen.refuse_changed(&source)).unwrap_err();
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
        assert_eq!(seen.appended(&source), 22);
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
            let refused = Seen::of(&source).unwrap().refuse_live(&source).is_err();
            assert_eq!(refused, is_refused, "{age} seconds ago");
        }
    }

    #[test]
    fn no_file_is_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("there.jsonl");
        fs::write(&path, "mine").unwrap();
        let content = |out: &mut dyn io::Write| out.write(b"new").map(|bytes| bytes as u64);
        assert!(write(&path, content, || Ok(())).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
        let other = folder.path().join("new.jsonl");
        assert_eq!(write(&other, content, || Ok(())).unwrap(), 3);
        assert_eq!(fs::read_to_string(&other).unwrap(), "new");
        assert!(write(&folder.path().join("no/new.jsonl"), content, || Ok(())).is_err());
    }
}
