//! Files that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

use tempfile::NamedTempFile;

use super::StoreError;

/// What names of temporary files begin and end with: no program takes them for its own.
const TEMPORARY: (&str, &str) = (".outcrop-", ".tmp");
/// A temporary file this old belongs to no process any more.
const ABANDONED: Duration = Duration::from_secs(60 * 60);

pub(super) fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(TEMPORARY.0)
        .suffix(TEMPORARY.1)
        .tempfile_in(folder)
}

/// The folder of a file, which is there.
pub(super) fn folder_of(path: &Path) -> Result<&Path, StoreError> {
    let folder = path.parent().filter(|folder| folder.is_dir());
    folder.ok_or_else(|| StoreError::Io {
        path: path.to_owned(),
        source: io::Error::new(io::ErrorKind::NotFound, "its folder does not exist"),
    })
}

/// Writes a new file and gives its length in bytes. `content` writes it under a temporary name in
/// the same folder; once it is on the disk, `is_sound` may read it there and refuse it.
///
/// # Errors
///
/// When it cannot be written, `is_sound` refuses, or another file has the name. Nothing is left then.
pub fn write_new<E: From<StoreError>>(
    path: &Path,
    content: impl FnOnce(&mut dyn io::Write) -> io::Result<u64>,
    is_sound: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<u64, E> {
    let bytes = write_new_unlisted(path, content, is_sound)?;
    let folder = folder_of(path)?;
    sync_folder(folder).map_err(StoreError::io(folder))?;
    Ok(bytes)
}

/// The same for one of many files in a folder, whose names the caller makes last at once, with
/// [`sync_folder`].
pub(super) fn write_new_unlisted<E: From<StoreError>>(
    path: &Path,
    content: impl FnOnce(&mut dyn io::Write) -> io::Result<u64>,
    is_sound: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<u64, E> {
    let folder = folder_of(path)?;
    let mut file = temporary(folder).map_err(StoreError::io(path))?;
    let mut out = BufWriter::new(file.as_file_mut());
    let bytes = content(&mut out)
        .and_then(|bytes| out.flush().map(|()| bytes))
        .map_err(StoreError::io(path))?;
    drop(out);
    file.as_file().sync_all().map_err(StoreError::io(path))?;
    is_sound(file.path())?;
    file.persist_noclobber(path)
        .map_err(|failed| match failed.error.kind() {
            io::ErrorKind::AlreadyExists => StoreError::Exists(path.to_owned()),
            _ => StoreError::io(path)(failed.error),
        })?;
    Ok(bytes)
}

/// Copies a file's first `length` bytes to a new one. A real copy: through a link, writing to the
/// one would change the other.
///
/// # Errors
///
/// When the source has fewer bytes, or the copy cannot be written.
pub fn copy_new(source: &Path, length: u64, path: &Path) -> Result<(), StoreError> {
    let open = File::open(source).map_err(StoreError::io(source))?;
    let content = |out: &mut dyn io::Write| io::copy(&mut open.take(length), out);
    let is_whole = |made: &Path| {
        let copied = fs::metadata(made).map_err(StoreError::io(path))?.len();
        match copied == length {
            true => Ok(()),
            false => Err(StoreError::Changed(source.to_owned())),
        }
    };
    write_new(path, content, is_whole).map(|_| ())
}

/// Puts bytes in the place of one of Outcrop's own files, whole or not at all.
///
/// # Errors
///
/// When it cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let folder = folder_of(path)?;
    let mut file = temporary(folder).map_err(StoreError::io(path))?;
    file.write_all(bytes).map_err(StoreError::io(path))?;
    file.as_file().sync_all().map_err(StoreError::io(path))?;
    file.persist(path)
        .map_err(|failed| StoreError::io(path)(failed.error))?;
    sync_folder(folder).map_err(StoreError::io(folder))
}

/// Makes the names in a folder last, where the system can be told to.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    match cfg!(unix) {
        true => File::open(folder)?.sync_all(),
        false => Ok(()),
    }
}

/// Removes temporary files that killed runs left in a folder, an hour old or older.
///
/// # Errors
///
/// Never for a folder that is not there.
pub fn sweep(folder: &Path) -> Result<usize, StoreError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        entries => entries.map_err(StoreError::io(folder))?,
    };
    let mut swept = 0;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let is_ours = name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1);
        let age = || {
            let modified = entry.metadata().ok()?.modified().ok()?;
            SystemTime::now().duration_since(modified).ok()
        };
        if is_ours && age().is_some_and(|age| age >= ABANDONED) {
            // Another run may sweep at the same time.
            swept += usize::from(fs::remove_file(entry.path()).is_ok());
        }
    }
    Ok(swept)
}

/// The BLAKE3 digest of a file's first `length` bytes, in hexadecimal.
///
/// # Errors
///
/// When it cannot be read.
pub fn digest(path: &Path, length: u64) -> Result<String, StoreError> {
    let mut open = File::open(path).map_err(StoreError::io(path))?.take(length);
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match open.read(&mut buffer).map_err(StoreError::io(path))? {
            0 => return Ok(hasher.finalize().to_hex().to_string()),
            read => hasher.update(&buffer[..read]),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sound(_: &Path) -> Result<(), StoreError> {
        Ok(())
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().flatten();
        entries
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect()
    }

    #[test]
    fn what_is_refused_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new.jsonl");
        let content = |out: &mut dyn io::Write| out.write_all(b"{}\n").map(|()| 3);
        let refused = write_new(&path, content, |made| {
            assert_eq!(fs::read(made).unwrap(), b"{}\n", "it is there to be read");
            assert!(!path.exists());
            Err(StoreError::Changed(path.clone()))
        });
        assert!(matches!(refused, Err(StoreError::Changed(_))));
        assert_eq!(names(folder.path()), [""; 0]);
        let fails = |_: &mut dyn io::Write| Err(io::ErrorKind::StorageFull.into());
        assert!(write_new(&path, fails, sound).is_err());
        assert_eq!(names(folder.path()), [""; 0]);
        assert_eq!(write_new(&path, content, sound).unwrap(), 3);
        let again = write_new(&path, content, sound);
        assert!(matches!(again, Err(StoreError::Exists(_))));
        assert_eq!(names(folder.path()), ["new.jsonl"]);
    }

    /// A link would let one file be damaged through the other.
    #[test]
    fn a_copy_is_a_file_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let (source, copy) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&source, "12345").unwrap();
        copy_new(&source, 4, &copy).unwrap();
        fs::write(&source, "x").unwrap();
        assert_eq!(fs::read(&copy).unwrap(), b"1234");
        let more = copy_new(&source, 4, &folder.path().join("c"));
        assert!(matches!(more, Err(StoreError::Changed(_))));
        assert_eq!(names(folder.path()).len(), 2);
    }

    #[test]
    fn only_old_temporary_files_are_swept() {
        let folder = tempfile::tempdir().unwrap();
        let old = SystemTime::now() - ABANDONED - Duration::from_secs(1);
        for (name, is_old) in [
            (".outcrop-a.tmp", true),
            (".outcrop-b.tmp", false),
            ("mine.tmp", true),
            (".outcrop-a", true),
        ] {
            let file = File::create(folder.path().join(name)).unwrap();
            if is_old {
                file.set_modified(old).unwrap();
            }
        }
        assert_eq!(sweep(folder.path()).unwrap(), 1);
        let mut left = names(folder.path());
        left.sort();
        assert_eq!(left, [".outcrop-a", ".outcrop-b.tmp", "mine.tmp"]);
        assert_eq!(sweep(&folder.path().join("none")).unwrap(), 0);
    }
}
