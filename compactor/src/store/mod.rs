//! What Outcrop keeps and writes: new files, whole or not at all, and never over what is there.
//!
//! The only module of this crate that touches the disk. Everything here survives a kill at any
//! point: a reader meets the old state or the new one.
//!
//! - [`write_new`] makes a file under a temporary name in the same folder, lets the caller check
//!   it there, and only then gives it its name.
//! - [`Lock`] keeps two programs from doing the same at once.
//! - [`Seen`] tells whether a file that is read grew before, during or after.
//! - [`Journal`] tells what was done, by ids, sizes and reasons, never by content.
//! - [`cold`] keeps whole sessions for when the client has deleted them.
//! - [`update_kept`] changes a small state of Outcrop's own, one program after the other.
//! - [`LastGood`] remembers which session to go back to.
//! - [`Handoffs`] is the folder of what sessions leave to the next one.

pub mod cold;
mod files;
mod handoffs;
mod journal;
mod kept;
mod last_good;
mod lock;
mod renamed;
mod seen;

#[cfg(test)]
mod handoffs_tests;

use std::io;
use std::path::{Path, PathBuf};

pub use files::{copy_new, digest, replace, sweep, write_new};
pub use handoffs::{Handoff, Handoffs, LARGEST, Left, Taken};
pub use journal::{Done, Journal};
pub use kept::{read_kept, update_kept};
pub use last_good::{Good, LastGood};
pub use lock::{Holder, Lock};
pub use seen::Seen;

/// Why something was not stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file or folder could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A new file would take the place of another.
    #[error("{} exists; nothing is written over it", .0.display())]
    Exists(PathBuf),
    /// Another process holds the lock.
    #[error("{} is in use by {holder}; try again when it has ended", path.display())]
    Held {
        /// The file of the lock.
        path: PathBuf,
        /// Who holds it.
        holder: Holder,
    },
    /// A file that was read is not as it was.
    #[error("{} changed meanwhile: the session still runs; --live takes it as it was", .0.display())]
    Changed(PathBuf),
    /// A file that is to be read was written to just now.
    #[error(
        "{} was written to in the last {} seconds: the session may still run; \
         --live takes it as it is now",
        .0.display(),
        seen::LIVE.as_secs()
    )]
    Live(PathBuf),
    /// What was written does not read as it was meant.
    #[error("{}: {reason}; nothing is changed", path.display())]
    Unsound {
        /// The file that would have been made.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// What Outcrop keeps is not as it was written.
    #[error("{} is damaged: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

impl StoreError {
    /// A failure of the system at a path.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }
}
