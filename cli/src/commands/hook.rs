//! `outcrop hook`: never prints to standard output, never fails, never keeps a session waiting.

use std::io::{self, Read as _, Write as _};
use std::sync::mpsc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, bail};
use outcrop_compactor::audit::{Loaded, file_hash};
use outcrop_loader::host::{DiskHost, Host as _};
use outcrop_loader::limits;
use outcrop_loader::path::AbsPath;

use crate::args::Global;
use crate::args::audit::{Hook, HookEvent, InstructionsLoaded};
use crate::commands::DONE;
use crate::start::loaded_log;

/// When all must be over; what is left of the promised three seconds is for starting and ending.
const LIMIT: Duration = Duration::from_millis(2_500);
/// More than an event can have, in bytes.
const EVENT: u64 = 1 << 20;

pub(crate) fn run(global: &Global, hook: &Hook) -> u8 {
    let HookEvent::InstructionsLoaded(args) = &hook.event;
    if let Err(error) = instructions_loaded(global, args) {
        // The client shows this to people who debug their hooks only.
        let _ = writeln!(io::stderr(), "outcrop: {error:#}");
    }
    DONE
}

fn instructions_loaded(global: &Global, args: &InstructionsLoaded) -> Result<()> {
    let end = Instant::now() + LIMIT;
    let event = standard_input(end)?;
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let mut event = Loaded::of_event(&event, i64::try_from(now.as_millis()).unwrap_or(0))?;
    let path = AbsPath::new(&event.path);
    let bytes = path.and_then(|path| DiskHost::new().read(&path, limits::FILE_BYTES).ok());
    event.hash = bytes.map(|bytes| file_hash(&bytes));
    let log = loaded_log::path(global, args.log.as_deref())?;
    loaded_log::append(&log, &event, end).with_context(|| log.display().to_string())
}

/// What stands on standard input. One that is never closed is not waited for.
fn standard_input(end: Instant) -> Result<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut text = String::new();
        let read = io::stdin().take(EVENT).read_to_string(&mut text);
        let _ = sender.send(read.map(|_| text));
    });
    match receiver.recv_timeout(end.saturating_duration_since(Instant::now())) {
        Ok(text) => text.context("standard input"),
        Err(_) => bail!("standard input brings no event"),
    }
}
