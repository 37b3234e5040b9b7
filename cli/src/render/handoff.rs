//! `handoff` for people, and for the session that takes what others left.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use anyhow::Result;
use jiff::Timestamp;
use outcrop_compactor::handoff::{Section, merged};
use outcrop_compactor::store::{Handoff, Taken};
use outcrop_loader::record::Diagnostic;

use super::names::{bytes, count, cut, padded};
use super::sessions::age;
use super::{Output, style};

/// A handoff that was written, or would be.
pub(crate) struct Wrote<'a> {
    /// Where it is, if it was.
    pub(crate) path: Option<&'a Path>,
    /// What it would be called.
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
    pub(crate) title: &'a str,
    pub(crate) session: Option<&'a str>,
    pub(crate) sections: &'a [Section],
    pub(crate) redacted: &'a BTreeMap<String, usize>,
}

pub(crate) fn wrote(output: &mut Output, wrote: &Wrote<'_>) -> Result<()> {
    for (name, times) in wrote.redacted {
        let message = format!("{name} left out, {}", count(*times, "time", "times"));
        output.diagnostics(&[Diagnostic::warning(message).as_note()])?;
    }
    match wrote.path {
        Some(path) => {
            let size = bytes(wrote.text.len() as u64);
            writeln!(output, "Wrote {} ({size})", path.display())?;
            Ok(())
        }
        None => output.raw(wrote.text.as_bytes()),
    }
}

/// What is listed.
pub(crate) struct Listed<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) handoffs: &'a [Handoff],
    pub(crate) now: Timestamp,
}

/// All columns but the title.
const FIXED: usize = 22;

pub(crate) fn listed(output: &mut Output, listed: &Listed<'_>) -> Result<()> {
    let folder = listed.folder.display();
    let waiting = listed.handoffs.iter().filter(|one| !one.name.is_done());
    let waiting = waiting.count();
    let bold = style::HEADING;
    match waiting {
        0 => writeln!(output, "No handoff waits in {folder}")?,
        _ => {
            let what = count(waiting, "handoff waits", "handoffs wait");
            writeln!(output, "{bold}{what} in {folder}{bold:#}")?;
        }
    }
    if !listed.handoffs.is_empty() {
        writeln!(output)?;
        table(output, listed)?;
    }
    Ok(())
}

fn table(output: &mut Output, listed: &Listed<'_>) -> Result<()> {
    let dim = style::DIM;
    writeln!(output, "{dim} age state session  title{dim:#}")?;
    for one in listed.handoffs {
        let state = match one.name.is_done() {
            true => "taken",
            false => "waits",
        };
        let age = shown_age(one, listed.now);
        let session = one.head.session.as_deref().unwrap_or("-");
        let session: String = session.chars().take(8).collect();
        let title = cut(&plain(&one.title()), output.columns.saturating_sub(FIXED));
        writeln!(output, "{age:>4} {state} {} {title}", padded(&session, 8))?;
        let path = match one.is_single {
            true => one.path.display().to_string(),
            false => one.name.file().to_owned(),
        };
        writeln!(output, "{dim}{}{}{dim:#}", " ".repeat(20), plain(&path))?;
    }
    Ok(())
}

/// A text of a file that is shown on a terminal.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

fn shown_age(one: &Handoff, now: Timestamp) -> String {
    age(i64::try_from(one.age(now).as_millis()).unwrap_or(i64::MAX))
}

/// A handoff that was left where it is.
pub(crate) struct Passed {
    pub(crate) name: String,
    pub(crate) why: String,
}

/// What was taken.
pub(crate) struct Took<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) taken: &'a [Taken],
    pub(crate) passed: &'a [Passed],
    pub(crate) peeks: bool,
    pub(crate) now: Timestamp,
}

pub(crate) fn took(output: &mut Output, took: &Took<'_>) -> Result<()> {
    for passed in took.passed {
        let message = format!("{}: left: {}", passed.name, passed.why);
        output.diagnostics(&[Diagnostic::warning(message).as_note()])?;
    }
    for one in took.taken.iter().filter(|one| one.is_lossy) {
        let message = format!(
            "{}: not all of it is UTF-8; the file keeps its bytes",
            one.path.display()
        );
        output.diagnostics(&[Diagnostic::warning(message)])?;
    }
    if took.taken.is_empty() {
        writeln!(output, "No handoff waits in {}", took.folder.display())?;
        return Ok(());
    }
    let texts = took.taken.iter();
    let texts = texts.map(|one| (one.handoff.name.file(), one.text.as_str()));
    // The texts reach the reader as they are.
    output.raw(merged(texts).as_bytes())
}

/// What is removed, or would be.
pub(crate) struct Cleaned<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) old: &'a [Handoff],
    /// Whether each was, where that was asked for.
    pub(crate) removed: Option<&'a Vec<bool>>,
    pub(crate) days: u32,
    /// How many wait, and stay.
    pub(crate) waiting: usize,
    pub(crate) now: Timestamp,
}

pub(crate) fn cleaned(output: &mut Output, cleaned: &Cleaned<'_>) -> Result<()> {
    let days = count(cleaned.days as usize, "day", "days");
    if cleaned.old.is_empty() {
        writeln!(
            output,
            "No handoff in {} was taken more than {days} ago",
            cleaned.folder.display()
        )?;
        return Ok(());
    }
    for (number, one) in cleaned.old.iter().enumerate() {
        let what = match cleaned.removed.map(|removed| removed[number]) {
            None => "would remove",
            Some(true) => "removed",
            Some(false) => "left",
        };
        let age = age(cleaned.now.duration_since(one.modified).as_millis() as i64);
        writeln!(output, "{what} {} (taken {age} ago)", one.path.display())?;
    }
    if cleaned.removed.is_none() {
        let those = count(cleaned.old.len(), "file", "files");
        writeln!(output, "\nNothing is removed; --yes removes {those}.")?;
    }
    if cleaned.waiting > 0 {
        let wait = count(cleaned.waiting, "that waits stays", "that wait stay");
        writeln!(output, "{wait}.")?;
    }
    Ok(())
}
