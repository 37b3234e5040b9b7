//! The real file system. This file and nothing else in the crate uses `std::fs`.
#![expect(
    clippy::disallowed_methods,
    reason = "the one place where the crate meets the disk"
)]

use std::fs;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

use super::{Entry, Host, HostError, Kind, Metadata};
use crate::path::AbsPath;

/// The file system of this machine, read only.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskHost;

impl DiskHost {
    /// A host over the machine's files.
    #[must_use]
    pub fn new() -> Self {
        Self
    }
}

fn native(path: &AbsPath) -> PathBuf {
    PathBuf::from(path.as_str())
}

fn failed(error: &io::Error) -> HostError {
    match error.kind() {
        // ENOTDIR is how "no such file" looks below a file, and 40 is ELOOP.
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => HostError::NotFound,
        _ if error.raw_os_error() == Some(40) => HostError::Loop,
        io::ErrorKind::IsADirectory => HostError::IsDirectory,
        _ => HostError::Refused(error.kind().to_string()),
    }
}

fn kind_of(kind: fs::FileType) -> Kind {
    if kind.is_dir() {
        Kind::Directory
    } else if kind.is_file() {
        Kind::File
    } else {
        Kind::Special
    }
}

impl Host for DiskHost {
    fn metadata(&self, path: &AbsPath) -> Result<Metadata, HostError> {
        let meta = fs::metadata(native(path)).map_err(|error| failed(&error))?;
        let kind = kind_of(meta.file_type());
        let len = if kind == Kind::File { meta.len() } else { 0 };
        Ok(Metadata { kind, len })
    }

    fn is_link(&self, path: &AbsPath) -> bool {
        fs::symlink_metadata(native(path)).is_ok_and(|meta| meta.file_type().is_symlink())
    }

    fn read(&self, path: &AbsPath, bound: u64) -> Result<Arc<[u8]>, HostError> {
        // Asked before opening: opening a FIFO would wait for a writer.
        let meta = self.metadata(path)?;
        match meta.kind {
            Kind::Directory => return Err(HostError::IsDirectory),
            Kind::Special => return Err(HostError::Special),
            Kind::File => {}
        }
        let too_large = |len| HostError::TooLarge { len, bound };
        if meta.len > bound {
            return Err(too_large(meta.len));
        }
        let file = fs::File::open(native(path)).map_err(|error| failed(&error))?;
        let mut bytes = Vec::with_capacity(usize::try_from(meta.len).unwrap_or(0) + 1);
        // The file may have grown since it was asked, and files of /proc claim no size.
        file.take(bound + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| failed(&error))?;
        if bytes.len() as u64 > bound {
            return Err(too_large(bytes.len() as u64));
        }
        Ok(bytes.into())
    }

    fn read_dir(&self, path: &AbsPath) -> Result<Vec<Entry>, HostError> {
        listing::read_dir(path)
    }

    fn canonicalize(&self, path: &AbsPath) -> Result<AbsPath, HostError> {
        let real = fs::canonicalize(native(path)).map_err(|error| failed(&error))?;
        let text = real
            .to_str()
            .ok_or_else(|| HostError::Refused("its real path is not UTF-8".to_owned()))?;
        // Windows answers with the verbatim form, which no user writes.
        let text = text.strip_prefix(r"\\?\").unwrap_or(text);
        AbsPath::new(text).ok_or(HostError::NotFound)
    }

    fn folds_case(&self) -> bool {
        cfg!(any(target_os = "macos", windows))
    }
}

/// The standard library's listing.
#[cfg(not(target_os = "linux"))]
mod listing {
    use super::{AbsPath, Entry, HostError, failed, fs, kind_of, native};

    pub(super) fn read_dir(path: &AbsPath) -> Result<Vec<Entry>, HostError> {
        let listing = fs::read_dir(native(path)).map_err(|error| failed(&error))?;
        let mut entries = Vec::new();
        for entry in listing {
            let entry = entry.map_err(|error| failed(&error))?;
            let os_name = entry.file_name();
            let kind = entry.file_type().ok();
            entries.push(Entry {
                utf8: os_name.to_str().is_some(),
                name: os_name.to_string_lossy().into_owned(),
                link: kind.is_some_and(|kind| kind.is_symlink()),
                kind: kind.filter(|kind| !kind.is_symlink()).map(kind_of),
            });
        }
        Ok(entries)
    }
}

/// The kernel's listing, in the same raw order with two calls fewer for each directory.
#[cfg(target_os = "linux")]
mod listing {
    use std::mem::MaybeUninit;

    use rustix::fs::{CWD, FileType, Mode, OFlags, RawDir, openat};

    use super::{AbsPath, Entry, Host, HostError, Kind, failed};

    pub(super) fn read_dir(path: &AbsPath) -> Result<Vec<Entry>, HostError> {
        let refused = |error: rustix::io::Errno| failed(&error.into());
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directory = openat(CWD, path.as_str(), flags, Mode::empty()).map_err(refused)?;
        let mut buffer = [const { MaybeUninit::uninit() }; 4096];
        let mut listing = RawDir::new(&directory, &mut buffer);
        let mut entries = Vec::new();
        while let Some(entry) = listing.next() {
            let entry = entry.map_err(refused)?;
            let name = entry.file_name().to_bytes();
            if matches!(name, b"." | b"..") {
                continue;
            }
            let text = String::from_utf8_lossy(name);
            let utf8 = matches!(text, std::borrow::Cow::Borrowed(_));
            let name = text.into_owned();
            let (link, kind) = match entry.file_type() {
                FileType::RegularFile => (false, Some(Kind::File)),
                FileType::Directory => (false, Some(Kind::Directory)),
                FileType::Symlink => (true, None),
                // Some file systems do not say.
                FileType::Unknown => unknown(&path.child(&name)),
                _ => (false, Some(Kind::Special)),
            };
            entries.push(Entry {
                name,
                utf8,
                link,
                kind,
            });
        }
        Ok(entries)
    }

    fn unknown(path: &AbsPath) -> (bool, Option<Kind>) {
        let host = super::DiskHost;
        if host.is_link(path) {
            return (true, None);
        }
        let kind = host.metadata(path).map(|meta| meta.kind);
        (false, Some(kind.unwrap_or(Kind::Special)))
    }
}
