//! Locks between processes.
//!
//! A lock is an advisory lock on a file of its own, which stays. It ends with the process, however
//! that ends. Where the file system has no locks, a second file, made only where it is not there,
//! takes its place: it is removed at the end, and after ten minutes it counts as left by a process
//! that was killed.

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};

use super::StoreError;

/// How long a waiting process sleeps between two tries.
const PAUSE: Duration = Duration::from_millis(5);
/// From this age on, the file that stands for a lock holds nothing any more.
const STALE: Duration = Duration::from_secs(600);

/// Who holds a lock.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Its process.
    pub process: Option<u32>,
    /// What it does, such as `outcrop carry`.
    pub command: Option<String>,
}

impl Holder {
    /// This process.
    #[must_use]
    pub fn this(command: &str) -> Self {
        Self {
            process: Some(std::process::id()),
            command: Some(command.to_owned()),
        }
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.command, self.process) {
            (Some(command), Some(process)) => write!(f, "`{command}` (process {process})"),
            _ => f.write_str("another process"),
        }
    }
}

/// A lock that is held until it is dropped.
#[derive(Debug)]
pub struct Lock {
    _file: File,
    /// The file that stands for the lock, where there are none.
    stand_in: Option<PathBuf>,
}

impl Lock {
    /// Takes the lock of the file at `path`, which is made with its folder; waits at most `wait`.
    ///
    /// # Errors
    ///
    /// [`StoreError::Held`] where another process has it all the while.
    pub fn take(path: &Path, holder: &Holder, wait: Duration) -> Result<Self, StoreError> {
        Self::take_with(path, holder, wait, File::try_lock)
    }

    fn take_with(
        path: &Path,
        holder: &Holder,
        wait: Duration,
        try_lock: impl Fn(&File) -> Result<(), TryLockError>,
    ) -> Result<Self, StoreError> {
        let end = Instant::now() + wait;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(StoreError::io(folder))?;
        }
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).read(true).write(true);
        let mut file = options.open(path).map_err(StoreError::io(path))?;
        loop {
            match try_lock(&file) {
                Ok(()) => {
                    name(&mut file, holder).map_err(StoreError::io(path))?;
                    return Ok(Self {
                        _file: file,
                        stand_in: None,
                    });
                }
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    let stand_in = stand_in(path, holder, end)?;
                    return Ok(Self {
                        _file: file,
                        stand_in: Some(stand_in),
                    });
                }
                Err(TryLockError::Error(error)) => return Err(StoreError::io(path)(error)),
                Err(TryLockError::WouldBlock) if Instant::now() >= end => {
                    return Err(held(path, path));
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if let Some(path) = &self.stand_in {
            // What cannot be removed counts as left behind after a while.
            let _ = fs::remove_file(path);
        }
    }
}

/// Writes who holds a lock into its file.
fn name(file: &mut File, holder: &Holder) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(serde_json::to_string(holder)?.as_bytes())
}

/// The error of a lock that another holds, with its name as far as `told` has it.
fn held(path: &Path, told: &Path) -> StoreError {
    let mut text = String::new();
    let read = File::open(told).and_then(|file| file.take(4096).read_to_string(&mut text));
    let holder = read.ok().and_then(|_| serde_json::from_str(&text).ok());
    StoreError::Held {
        path: path.to_owned(),
        holder: holder.unwrap_or_default(),
    }
}

/// Makes the file that stands for a lock.
fn stand_in(path: &Path, holder: &Holder, end: Instant) -> Result<PathBuf, StoreError> {
    let mut name_of = path.as_os_str().to_owned();
    name_of.push(".held");
    let path_of = PathBuf::from(name_of);
    loop {
        let mut options = OpenOptions::new();
        match options.create_new(true).write(true).open(&path_of) {
            Ok(mut file) => {
                name(&mut file, holder).map_err(StoreError::io(&path_of))?;
                return Ok(path_of);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(StoreError::io(&path_of)(error)),
        }
        let modified = fs::metadata(&path_of).and_then(|metadata| metadata.modified());
        let age = modified.map(|time| SystemTime::now().duration_since(time).unwrap_or_default());
        if age.is_ok_and(|age| age >= STALE) {
            let _ = fs::remove_file(&path_of);
        } else if Instant::now() >= end {
            return Err(held(path, &path_of));
        } else {
            std::thread::sleep(PAUSE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::ZERO;

    fn none(_: &File) -> Result<(), TryLockError> {
        Err(TryLockError::Error(io::ErrorKind::Unsupported.into()))
    }

    #[test]
    fn a_held_lock_names_its_holder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/carry.lock");
        let holder = Holder::this("outcrop carry");
        let lock = Lock::take(&path, &holder, NOW).unwrap();
        let refused = Lock::take(&path, &holder, NOW).unwrap_err().to_string();
        let wanted = format!("in use by `outcrop carry` (process {})", std::process::id());
        assert!(refused.contains(&wanted), "{refused}");
        drop(lock);
        Lock::take(&path, &holder, NOW).unwrap();
    }

    #[test]
    fn without_locks_a_file_stands_for_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("carry.lock");
        let holder = Holder::this("outcrop carry");
        let lock = Lock::take_with(&path, &holder, NOW, none).unwrap();
        let refused = Lock::take_with(&path, &holder, NOW, none).unwrap_err();
        assert!(refused.to_string().contains("`outcrop carry`"), "{refused}");
        drop(lock);
        let lock = Lock::take_with(&path, &holder, NOW, none).unwrap();
        // Its process was killed long ago.
        let file = File::options()
            .write(true)
            .open(folder.path().join("carry.lock.held"));
        let old = SystemTime::now() - STALE;
        file.unwrap().set_modified(old).unwrap();
        std::mem::forget(lock);
        Lock::take_with(&path, &holder, NOW, none).unwrap();
    }

    #[test]
    fn one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        for locks in [File::try_lock, none] {
            let path = folder.path().join("count.lock");
            let count = folder.path().join("count");
            fs::write(&count, "0").unwrap();
            std::thread::scope(|scope| {
                for _ in 0..8 {
                    scope.spawn(|| {
                        for _ in 0..10 {
                            let wait = Duration::from_secs(60);
                            let holder = Holder::this("outcrop carry");
                            let _lock = Lock::take_with(&path, &holder, wait, locks).unwrap();
                            let number: u32 = fs::read_to_string(&count).unwrap().parse().unwrap();
                            fs::write(&count, (number + 1).to_string()).unwrap();
                        }
                    });
                }
            });
            assert_eq!(fs::read_to_string(&count).unwrap(), "80");
        }
    }
}
