//! Small states of Outcrop's own, as JSON: read, changed under a lock, and put back whole.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Holder, Lock, StoreError, files};

/// More than a state has, in bytes.
const BYTES: u64 = 4 << 20;

/// Reads a state; the usual one where there is no file.
///
/// # Errors
///
/// When it cannot be read, or is no such state: nothing is written over it then.
pub fn read_kept<T: DeserializeOwned + Default>(path: &Path) -> Result<T, StoreError> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(T::default()),
        file => file.map_err(StoreError::io(path))?,
    };
    let mut bytes = Vec::new();
    let read = file.take(BYTES).read_to_end(&mut bytes);
    read.map_err(StoreError::io(path))?;
    serde_json::from_slice(&bytes).map_err(|error| StoreError::io(path)(error.into()))
}

/// Changes a state while no other process does, and waits for others at most `wait`. What
/// `change` leaves as it was is not written.
///
/// # Errors
///
/// When it cannot be read or written, another process has it all the while, or `change` fails:
/// then it stays as it was.
pub fn update_kept<T, O, E>(
    path: &Path,
    holder: &Holder,
    wait: Duration,
    change: impl FnOnce(&mut T) -> Result<O, E>,
) -> Result<O, E>
where
    T: Serialize + DeserializeOwned + Default,
    E: From<StoreError>,
{
    let mut lock = path.as_os_str().to_owned();
    lock.push(".lock");
    let _lock = Lock::take(&PathBuf::from(lock), holder, wait)?;
    let mut state = read_kept::<T>(path)?;
    let text = |state: &T| {
        serde_json::to_string_pretty(state).map_err(|error| StoreError::io(path)(error.into()))
    };
    let before = text(&state)?;
    let outcome = change(&mut state)?;
    let after = text(&state)?;
    if before != after || fs::metadata(path).is_err() {
        files::replace(path, after.as_bytes())?;
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAIT: Duration = Duration::from_secs(60);

    #[test]
    fn nobodys_change_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/numbers.json");
        std::thread::scope(|scope| {
            for number in 0..8 {
                let path = &path;
                scope.spawn(move || {
                    let holder = Holder::this("test");
                    for step in 0..5 {
                        update_kept(path, &holder, WAIT, |numbers: &mut Vec<u32>| {
                            numbers.push(number * 5 + step);
                            Ok::<_, StoreError>(())
                        })
                        .unwrap();
                    }
                });
            }
        });
        let mut numbers: Vec<u32> = read_kept(&path).unwrap();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..40).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_broken_or_refused_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.json");
        let add = |numbers: &mut Vec<u32>| {
            numbers.push(1);
            Ok::<_, StoreError>(())
        };
        let holder = Holder::this("test");
        fs::write(&path, "[1, 2").unwrap();
        assert!(update_kept(&path, &holder, WAIT, add).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "[1, 2");
        fs::write(&path, "[7]").unwrap();
        let fails = |numbers: &mut Vec<u32>| {
            numbers.clear();
            Err::<(), _>(StoreError::Changed(path.clone()))
        };
        assert!(update_kept(&path, &holder, WAIT, fails).is_err());
        assert_eq!(read_kept::<Vec<u32>>(&path).unwrap(), [7]);
    }
}
