//! The world that decides context: a file tree behind one trait.
//!
//! Everything that the loader learns of files passes through [`Host`], so every
//! behaviour runs on [`MemoryHost`] as well as on [`DiskHost`]. The process
//! environment is plain data in [`Origin`](crate::origin::Origin).

mod below;
mod disk;
mod memory;
mod overlay;

use std::sync::Arc;

use thiserror::Error;

use crate::path::AbsPath;

pub(crate) use below::{Below, files_below};
pub use disk::DiskHost;
pub use memory::MemoryHost;
pub use overlay::Overlay;

/// What a path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A FIFO, socket or device: never opened.
    Special,
}

/// What is known of a path without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// What the path is, symbolic links followed.
    pub kind: Kind,
    /// Size in bytes; 0 for anything but a file.
    pub len: u64,
}

/// An entry of a directory, in raw listing order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name; bytes that are no UTF-8 became U+FFFD.
    pub name: String,
    /// Whether the name was UTF-8. The client cannot open an entry where it was not.
    pub utf8: bool,
    /// Whether the entry itself is a symbolic link.
    pub link: bool,
    /// What the entry is when it is no link; for a link, ask [`Host::metadata`].
    pub kind: Option<Kind>,
}

/// Why a path could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HostError {
    /// Nothing has this name.
    #[error("does not exist")]
    NotFound,
    /// The links on the way lead round in a loop: nothing is there, and no file can be made.
    #[error("is a loop of links")]
    Loop,
    /// The path is a directory, and a file was wanted.
    #[error("is a directory")]
    IsDirectory,
    /// The path is a FIFO, socket or device, which is never opened.
    #[error("is not a regular file")]
    Special,
    /// The file is larger than the bound that the caller gave.
    #[error("has {len} bytes, more than the bound of {bound}")]
    TooLarge {
        /// The file's size in bytes.
        len: u64,
        /// The bound in bytes.
        bound: u64,
    },
    /// The system refused.
    #[error("cannot be read: {0}")]
    Refused(String),
}

impl HostError {
    /// Whether nothing is there.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::NotFound | Self::Loop)
    }
}

/// A file tree.
pub trait Host: Sync {
    /// What `path` is, symbolic links followed.
    ///
    /// # Errors
    /// [`HostError::NotFound`], also for a dangling link; [`HostError::Loop`].
    fn metadata(&self, path: &AbsPath) -> Result<Metadata, HostError>;

    /// Whether `path` itself is a symbolic link.
    fn is_link(&self, path: &AbsPath) -> bool;

    /// The bytes of a regular file of at most `bound` bytes.
    ///
    /// # Errors
    /// See [`HostError`]; special files are refused without being opened.
    fn read(&self, path: &AbsPath, bound: u64) -> Result<Arc<[u8]>, HostError>;

    /// The entries of a directory in the order in which the system lists them (fact 1.6).
    ///
    /// # Errors
    /// See [`HostError`].
    fn read_dir(&self, path: &AbsPath) -> Result<Vec<Entry>, HostError>;

    /// The path with every symbolic link resolved.
    ///
    /// # Errors
    /// See [`HostError`].
    fn canonicalize(&self, path: &AbsPath) -> Result<AbsPath, HostError>;

    /// Whether names that differ in letter case only are one file.
    fn folds_case(&self) -> bool {
        false
    }
}
