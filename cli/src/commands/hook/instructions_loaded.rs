//! The client's events about instruction files, into a log.

use std::time::Instant;

use anyhow::{Context as _, Result};
use outcrop_compactor::audit::{Loaded, file_hash};
use outcrop_loader::host::{DiskHost, Host as _};
use outcrop_loader::limits;
use outcrop_loader::path::AbsPath;

use super::Answer;
use crate::args::Global;
use crate::args::hook::InstructionsLoaded;
use crate::start::{clock, hooked, loaded_log};

pub(super) fn answer(global: &Global, args: &InstructionsLoaded, end: Instant) -> Result<Answer> {
    let event = hooked::standard_input(end)?;
    let mut event = Loaded::of_event(&event, clock::now())?;
    let path = AbsPath::new(&event.path);
    let bytes = path.and_then(|path| DiskHost::new().read(&path, limits::FILE_BYTES).ok());
    event.hash = bytes.map(|bytes| file_hash(&bytes));
    let log = loaded_log::path(global, args.log.as_deref())?;
    loaded_log::append(&log, &event, end).with_context(|| log.display().to_string())?;
    Ok(Answer::default())
}
