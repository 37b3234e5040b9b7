//! Files of the user's that change because they asked for it by name.

use std::fs::{self, Metadata};
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use tempfile::NamedTempFile;

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

fn metadata(path: &Path) -> Result<Metadata> {
    fs::metadata(path).with_context(|| path.display().to_string())
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
}
