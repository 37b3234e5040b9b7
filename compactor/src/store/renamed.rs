//! Renaming that takes no other file's place, and that one of several succeeds in.

use std::fs;
use std::io;
use std::path::Path;

/// What became of a file that was to be renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Renamed {
    /// It has the new name.
    Done,
    /// Another file has the new name; nothing changed.
    Exists,
    /// It is not there any more: another process renamed or removed it.
    Gone,
}

/// Renames a file unless another has the new name. Of several processes that rename the same file,
/// one is told [`Renamed::Done`].
pub(super) fn rename_new(from: &Path, to: &Path) -> io::Result<Renamed> {
    if let Some(renamed) = by_system(from, to)? {
        return Ok(renamed);
    }
    by_link(from, to)
}

/// In one step, where the system and the file system can.
#[cfg(target_os = "linux")]
fn by_system(from: &Path, to: &Path) -> io::Result<Option<Renamed>> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Ok(()) => Ok(Some(Renamed::Done)),
        Err(Errno::EXIST) => Ok(Some(Renamed::Exists)),
        Err(Errno::NOENT) => Ok(Some(Renamed::Gone)),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "as on Linux")]
fn by_system(_: &Path, _: &Path) -> io::Result<Option<Renamed>> {
    Ok(None)
}

/// By a second name, and taking the first away: whoever takes it away has the file. A kill between
/// the two leaves both names, so that the file counts as not renamed.
fn by_link(from: &Path, to: &Path) -> io::Result<Renamed> {
    match fs::hard_link(from, to) {
        Ok(()) => match fs::remove_file(from) {
            Ok(()) => Ok(Renamed::Done),
            Err(error) => {
                fs::remove_file(to)?;
                match error.kind() {
                    io::ErrorKind::NotFound => Ok(Renamed::Gone),
                    _ => Err(error),
                }
            }
        },
        Err(error) => match error.kind() {
            io::ErrorKind::AlreadyExists => Ok(Renamed::Exists),
            io::ErrorKind::NotFound => Ok(Renamed::Gone),
            _ => plain(from, to),
        },
    }
}

/// Without links, as on FAT. Only a file that gets the new name in the same moment would be lost.
fn plain(from: &Path, to: &Path) -> io::Result<Renamed> {
    if fs::symlink_metadata(to).is_ok() {
        return Ok(Renamed::Exists);
    }
    match fs::rename(from, to) {
        Ok(()) => Ok(Renamed::Done),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Renamed::Gone),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn each_way_takes_no_others_place() {
        for way in [rename_new, by_link, plain] {
            let folder = tempfile::tempdir().unwrap();
            let path = |name: &str| folder.path().join(name);
            fs::write(path("a"), "a").unwrap();
            fs::write(path("b"), "b").unwrap();
            assert_eq!(way(&path("a"), &path("b")).unwrap(), Renamed::Exists);
            assert_eq!(fs::read(path("a")).unwrap(), b"a");
            assert_eq!(fs::read(path("b")).unwrap(), b"b");
            assert_eq!(way(&path("a"), &path("c")).unwrap(), Renamed::Done);
            assert_eq!(way(&path("a"), &path("d")).unwrap(), Renamed::Gone);
            assert_eq!(fs::read(path("c")).unwrap(), b"a");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        }
    }

    #[test]
    fn one_of_several_has_the_file() {
        for way in [rename_new, by_link] {
            let folder = tempfile::tempdir().unwrap();
            let from = folder.path().join("a");
            for _ in 0..50 {
                fs::write(&from, "a").unwrap();
                let done = AtomicUsize::new(0);
                std::thread::scope(|scope| {
                    for number in 0..8 {
                        let to = folder.path().join(format!("b{number}"));
                        let (from, done) = (&from, &done);
                        scope.spawn(move || {
                            if way(from, &to).unwrap() == Renamed::Done {
                                done.fetch_add(1, Ordering::Relaxed);
                            }
                        });
                    }
                });
                assert_eq!(done.load(Ordering::Relaxed), 1);
                let left: Vec<_> = fs::read_dir(folder.path()).unwrap().flatten().collect();
                assert_eq!(left.len(), 1, "{left:?}");
                fs::remove_file(left[0].path()).unwrap();
            }
        }
    }
}
