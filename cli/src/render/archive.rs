//! `archive` for people.

use std::io::Write as _;

use anyhow::Result;
use outcrop_compactor::cold::Manifest;
use outcrop_compactor::sessions::Retention;
use outcrop_compactor::store::StoreError;
use outcrop_compactor::store::cold::{Became, Cold, Current, Name, SessionDone, Verified};

use super::names::{bytes, count, cut, number};
use super::{Output, style};
use crate::start::cold::Candidate;

/// What was archived.
pub(crate) struct Archived<'a> {
    pub(crate) cold: &'a Cold,
    pub(crate) candidates: &'a [Candidate],
    /// Of each candidate.
    pub(crate) done: &'a [Result<SessionDone, StoreError>],
    pub(crate) dry: bool,
}

/// What is in the store.
pub(crate) struct Listed<'a> {
    pub(crate) cold: &'a Cold,
    /// Each session, and whether its transcript is with the client still.
    pub(crate) kept: Vec<(Manifest, bool)>,
    pub(crate) damaged: Vec<(Name, StoreError)>,
}

/// What the client deletes soon, and what of it is not kept.
pub(crate) struct Outlook<'a> {
    pub(crate) cold: &'a Cold,
    pub(crate) retention: Retention,
    /// How many days are soon.
    pub(crate) soon: i64,
    pub(crate) sessions: usize,
    pub(crate) kept: usize,
    pub(crate) behind: usize,
    /// The sessions of which something goes soon and which are not kept as they are, the first to
    /// go first.
    pub(crate) leaving: Vec<Leaving<'a>>,
}

/// A session that goes.
pub(crate) struct Leaving<'a> {
    pub(crate) candidate: &'a Candidate,
    pub(crate) left: Option<i64>,
    pub(crate) current: Current,
}

impl Archived<'_> {
    pub(crate) fn has_failed(&self) -> bool {
        let has_failed = |done: &SessionDone| done.files.iter().any(|file| file.became.is_err());
        self.done
            .iter()
            .any(|done| done.as_ref().map_or(true, has_failed))
    }
}

impl<'a> Outlook<'a> {
    pub(crate) fn of(
        cold: &'a Cold,
        candidates: &'a [Candidate],
        retention: Retention,
        now: i64,
        soon: i64,
    ) -> Self {
        let mut outlook = Self {
            cold,
            retention,
            soon,
            sessions: candidates.len(),
            kept: 0,
            behind: 0,
            leaving: Vec::new(),
        };
        for candidate in candidates {
            let current = cold.current(&candidate.source);
            match current {
                Current::Kept => {
                    outlook.kept += 1;
                    continue;
                }
                Current::Behind => outlook.behind += 1,
                Current::Missing => {}
            }
            let left = candidate.oldest.map(|time| retention.days_left(time, now));
            if left.is_none_or(|left| left <= soon) {
                outlook.leaving.push(Leaving {
                    candidate,
                    left,
                    current,
                });
            }
        }
        outlook.leaving.sort_by_key(|leaving| leaving.left);
        outlook
    }
}

/// The beginning of an id, by which sessions are named.
fn id(session: &str) -> &str {
    session.get(..8).unwrap_or(session)
}

/// What became of a session, in a word.
pub(crate) fn became(done: &SessionDone) -> &'static str {
    let any = |wanted: Became| {
        let files = &mut done.files.iter();
        files.any(|file| matches!(file.became, Ok(became) if became == wanted))
    };
    let is_first = done
        .files
        .iter()
        .all(|file| matches!(file.became, Ok(Became::New) | Err(_)));
    match () {
        () if any(Became::New) && is_first => "new",
        () if any(Became::Changed) => "changed",
        () if any(Became::New) || any(Became::Grown) => "grown",
        () => "same",
    }
}

pub(crate) fn archived(output: &mut Output, archived: &Archived<'_>) -> Result<()> {
    let (bold, dim, lost) = (style::HEADING, style::DIM, style::LOST);
    let (mut news, mut same, mut added, mut stored) = (0, 0, 0, 0);
    for done in archived.done.iter().flatten() {
        added += done.added;
        stored += done.stored;
        match became(done) {
            "same" => same += 1,
            _ => news += 1,
        }
    }
    let what = count(news, "session", "sessions");
    let rest = match same {
        0 => String::new(),
        same => format!(", {} as before", number(same as u64)),
    };
    match archived.dry {
        true => writeln!(
            output,
            "{bold}would archive {what}{bold:#}: {} new{rest}",
            bytes(added)
        )?,
        false => writeln!(
            output,
            "{bold}archived {what}{bold:#}: {} new, {} stored{rest}",
            bytes(added),
            bytes(stored)
        )?,
    }
    writeln!(output, "{dim}in {}{dim:#}", archived.cold.root().display())?;
    for (candidate, done) in archived.candidates.iter().zip(archived.done) {
        let name = &candidate.source.name;
        match done {
            Err(error) => writeln!(
                output,
                "{:<8} {lost}failed{lost:#}   {error}",
                id(&name.session)
            )?,
            Ok(done) => {
                let became = became(done);
                if became != "same" || output.verbose {
                    let files = count(done.files.len(), "file", "files");
                    let room = output.columns.saturating_sub(45).max(12);
                    writeln!(
                        output,
                        "{:<8} {became:<8} {:>7} {:>8} {files:<9} {dim}{}{dim:#}",
                        id(&name.session),
                        bytes(done.bytes),
                        format!("+{}", bytes(done.added)),
                        cut(&name.project, room)
                    )?;
                }
                for file in &done.files {
                    if let Err(error) = &file.became {
                        writeln!(output, "         {lost}failed{lost:#}   {error}")?;
                    }
                }
                if let Some((aside, damage)) = &done.set_aside {
                    writeln!(
                        output,
                        "         {damage}; it is set aside as {}",
                        aside.display()
                    )?;
                }
            }
        }
        for left in &candidate.source.left_out {
            writeln!(
                output,
                "         left out {}: {}",
                left.path.display(),
                left.reason
            )?;
        }
    }
    Ok(())
}

pub(crate) fn outlook(output: &mut Output, outlook: &Outlook<'_>) -> Result<()> {
    let (bold, dim) = (style::HEADING, style::DIM);
    writeln!(
        output,
        "{bold}{}{bold:#} of all projects, {} kept as they are, {} in part",
        count(outlook.sessions, "session", "sessions"),
        number(outlook.kept as u64),
        number(outlook.behind as u64)
    )?;
    writeln!(output, "{dim}in {}{dim:#}", outlook.cold.root().display())?;
    let days = count(outlook.soon.unsigned_abs().try_into()?, "day", "days");
    if outlook.leaving.is_empty() {
        writeln!(
            output,
            "\nNothing that is not kept is deleted by the client within {days}"
        )?;
        return Ok(());
    }
    writeln!(
        output,
        "\nThe client deletes something of these within {days}:"
    )?;
    writeln!(
        output,
        "{dim}{:<8} {:>5} {:<8} project{dim:#}",
        "session", "left", "kept"
    )?;
    for leaving in &outlook.leaving {
        let name = &leaving.candidate.source.name;
        let left = match leaving.left {
            None => "?".to_owned(),
            Some(..=0) => "due".to_owned(),
            Some(days) => format!("{days}d"),
        };
        let kept = match leaving.current {
            Current::Missing => "no",
            Current::Behind => "in part",
            Current::Kept => "yes",
        };
        let warning = style::WARNING;
        let room = output.columns.saturating_sub(25).max(12);
        writeln!(
            output,
            "{:<8} {warning}{left:>5}{warning:#} {kept:<8} {}",
            id(&name.session),
            cut(&name.project, room)
        )?;
    }
    writeln!(
        output,
        "\n{dim}outcrop archive --expiring {} keeps them{dim:#}",
        outlook.soon
    )?;
    Ok(())
}

pub(crate) fn listed(output: &mut Output, listed: &Listed<'_>) -> Result<()> {
    let (bold, dim, lost) = (style::HEADING, style::DIM, style::LOST);
    let size = listed
        .kept
        .iter()
        .map(|(manifest, _)| manifest.bytes())
        .sum();
    writeln!(
        output,
        "{bold}{}{bold:#} in the store, {}",
        count(listed.kept.len(), "session", "sessions"),
        bytes(size)
    )?;
    writeln!(output, "{dim}in {}{dim:#}", listed.cold.root().display())?;
    if !listed.kept.is_empty() {
        writeln!(
            output,
            "\n{dim}{:<8} {:<10} {:>7} {:>5} {:>4} {:<6} project{dim:#}",
            "session", "changed", "size", "files", "gen", "client"
        )?;
    }
    for (manifest, is_there) in &listed.kept {
        let day = manifest
            .modified()
            .and_then(|time| time.get(..10))
            .unwrap_or("?");
        let room = output.columns.saturating_sub(47).max(12);
        writeln!(
            output,
            "{:<8} {day:<10} {:>7} {:>5} {:>4} {:<6} {}",
            id(&manifest.session),
            bytes(manifest.bytes()),
            manifest.files.len(),
            manifest.generation,
            if *is_there { "has it" } else { "gone" },
            cut(&manifest.project, room)
        )?;
    }
    for (name, error) in &listed.damaged {
        writeln!(
            output,
            "{:<8} {lost}damaged{lost:#}: {error}",
            id(&name.session)
        )?;
    }
    Ok(())
}

pub(crate) fn verified(output: &mut Output, cold: &Cold, verified: &Verified) -> Result<()> {
    let (good, dim, lost) = (style::GOOD, style::DIM, style::LOST);
    let what = format!(
        "{}, {}, {} in {} of {}",
        count(verified.sessions, "session", "sessions"),
        count(verified.files, "file", "files"),
        bytes(verified.bytes),
        bytes(verified.stored),
        count(verified.objects, "chunk", "chunks"),
    );
    match verified.problems.len() {
        0 => writeln!(output, "{good}sound{good:#}: {what}")?,
        damaged => writeln!(
            output,
            "{lost}{}{lost:#} in {what}",
            count(damaged, "damage", "damages")
        )?,
    }
    writeln!(output, "{dim}in {}{dim:#}", cold.root().display())?;
    for problem in &verified.problems {
        let of = problem.path.as_deref().unwrap_or("what is kept of it");
        writeln!(
            output,
            "{:<8} {of}\n         {}",
            id(&problem.name.session),
            problem.error
        )?;
    }
    if !verified.problems.is_empty() {
        writeln!(
            output,
            "\n{dim}what the client still has, outcrop archive --recheck SESSION mends{dim:#}"
        )?;
    }
    let (chunks, size) = verified.unnamed;
    if chunks > 0 {
        let what = count(chunks, "chunk", "chunks");
        writeln!(
            output,
            "{what} of no session, {}, as a killed run leaves them",
            bytes(size)
        )?;
    }
    Ok(())
}
