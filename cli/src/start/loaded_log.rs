//! The log of the client's events about instruction files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use outcrop_compactor::audit::{Loaded, read_log};
use outcrop_loader::record::Diagnostic;

use super::{Place, folders};
use crate::args::Global;

/// Its name in the folder for what a program keeps of a user.
const NAME: &str = "instructions-loaded.jsonl";
/// The most bytes of one file; there are two, the log and the one before it.
const BYTES: u64 = 512 * 1024;

/// The log that is named, else the usual one: with `--home` that of the other home.
pub(crate) fn path(global: &Global, named: Option<&Path>) -> Result<PathBuf> {
    if let Some(named) = named {
        return Ok(PathBuf::from(Place::new(global)?.path(named)?.as_str()));
    }
    Ok(folders::state(global)?.join(NAME))
}

/// The file that a full log becomes.
fn older(log: &Path) -> PathBuf {
    let mut name = log.as_os_str().to_owned();
    name.push(".1");
    PathBuf::from(name)
}

/// Appends an event, one writer after the other; gives up at `end`.
pub(crate) fn append(log: &Path, event: &Loaded, end: Instant) -> io::Result<()> {
    append_line(log, &event.line(), end)
}

/// Appends a line with its end to a bounded log.
pub(crate) fn append_line(log: &Path, line: &str, end: Instant) -> io::Result<()> {
    if let Some(folder) = log.parent() {
        fs::create_dir_all(folder)?;
    }
    // A file of its own is locked: the log itself changes its name.
    let mut name = log.as_os_str().to_owned();
    name.push(".lock");
    let lock = OpenOptions::new().create(true).append(true).open(&name)?;
    wait_for(&lock, end)?;
    let length = fs::metadata(log).map_or(0, |metadata| metadata.len());
    if length > 0 && length + line.len() as u64 > BYTES {
        fs::rename(log, older(log))?;
    }
    let mut file = OpenOptions::new().create(true).append(true).open(log)?;
    // One write, so that no reader meets half a line.
    file.write_all(line.as_bytes())
}

fn wait_for(lock: &File, end: Instant) -> io::Result<()> {
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(()),
            Err(fs::TryLockError::Error(error)) => return Err(error),
            Err(fs::TryLockError::WouldBlock) if Instant::now() >= end => {
                return Err(io::ErrorKind::TimedOut.into());
            }
            Err(fs::TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

/// The events of a log and of the one before it, oldest first, and notes on lines that are none.
pub(crate) fn read(log: &Path) -> Result<(Vec<Loaded>, Vec<Diagnostic>)> {
    let (mut events, mut notes) = (Vec::new(), Vec::new());
    let name = || log.display().to_string();
    let text = match fs::read(log) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            bail!(
                "{}: no such log; `outcrop hook --help` tells how to keep one",
                name()
            )
        }
        text => text.with_context(name)?,
    };
    let before = fs::read(older(log)).unwrap_or_default();
    for (bytes, name) in [(before, older(log)), (text, log.to_owned())] {
        let (mut read, broken) = read_log(&String::from_utf8_lossy(&bytes));
        events.append(&mut read);
        notes.extend(broken.into_iter().map(|line| {
            let message = format!("{}:{line}: no event, passed over", name.display());
            Diagnostic::warning(message)
        }));
    }
    Ok((events, notes))
}
