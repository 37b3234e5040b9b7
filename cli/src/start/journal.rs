//! The journal of what was done, in Outcrop's state folder.

use anyhow::Result;
use outcrop_compactor::sessions::time::rfc3339;
use outcrop_compactor::store::{Done, Journal};
use outcrop_loader::record::Diagnostic;

use super::folders;
use crate::args::Global;
use crate::render::Output;

/// The journal of a user.
pub(crate) fn of(global: &Global) -> Result<Journal> {
    Ok(Journal::in_folder(&folders::state(global)?))
}

/// Notes what was done; that it could not be noted is no failure of what was done.
pub(crate) fn note(global: &Global, now: i64, done: Done, output: &mut Output) -> Result<()> {
    let at = rfc3339(now).unwrap_or_default();
    let written = of(global).and_then(|journal| {
        journal.append(&Done { at, ..done })?;
        Ok(())
    });
    match written {
        Ok(()) => Ok(()),
        Err(error) => output.diagnostics(&[Diagnostic::warning(format!(
            "it could not be noted in the journal: {error:#}"
        ))]),
    }
}
