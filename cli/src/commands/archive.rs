//! `outcrop archive`.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context as _, Result};
use outcrop_compactor::sessions::DAY;
use outcrop_compactor::sessions::time::rfc3339;
use outcrop_compactor::store::cold::{Became, Cold, Options, SessionDone, Writing};
use outcrop_compactor::store::{Done, StoreError};
use rayon::prelude::*;

use crate::args::Global;
use crate::args::cold::Archive;
use crate::commands::{DONE, FOUND, USAGE};
use crate::render::archive::{Archived, Listed, Outlook};
use crate::render::{Output, archive as text, archive_json as json};
use crate::start::cold::{self, Candidate, candidates};
use crate::start::transcripts::Projects;
use crate::start::{Place, client, journal, retention};

/// How long one archiver waits for another.
const WAIT: Duration = Duration::from_secs(60);
/// Without a request, sessions of which something goes within so many days are shown.
const SOON: i64 = 7;

pub(crate) fn run(global: &Global, args: &Archive, output: &mut Output) -> Result<u8> {
    let now = retention::now(args.now.as_deref())?;
    let place = Place::new(global)?;
    let projects = Projects::new(global, &place)?;
    let cold = cold::store(global, &args.stored, &place, &projects)?;
    if args.list {
        return list(global, &cold, &projects, output);
    }
    if args.verify {
        return verify(global, &cold, now, output);
    }
    let period = retention::of(global, &place, client(global)?, output)?;
    let left = |time: Option<i64>| time.map(|time| period.days_left(time, now));
    let mut wanted = match args.sessions.is_empty() {
        true => candidates(&projects, None)?,
        false => {
            let names = args.sessions.iter();
            let named = names.map(|name| cold::named(&projects, &projects.find(&place, name)?));
            named.collect::<Result<Vec<Candidate>>>()?
        }
    };
    if let Some(days) = args.older {
        let before = now.saturating_sub(i64::from(days) * DAY);
        wanted.retain(|candidate| candidate.modified.is_none_or(|time| time <= before));
    } else if let Some(days) = args.expiring {
        wanted
            .retain(|candidate| left(candidate.oldest).is_none_or(|left| left <= i64::from(days)));
    } else if args.sessions.is_empty() && !args.all {
        let outlook = Outlook::of(&cold, &wanted, period, now, SOON);
        match global.json {
            true => json::outlook(output, &outlook)?,
            false => text::outlook(output, &outlook)?,
        }
        return Ok(DONE);
    }
    let options = Options {
        at: rfc3339(now).context("--now lies beyond the calendar")?,
        recheck: args.recheck,
        dry: args.dry_run,
    };
    let done = all(&cold, &wanted, &options)?;
    let archived = Archived {
        cold: &cold,
        candidates: &wanted,
        done: &done,
        dry: args.dry_run,
    };
    match global.json {
        true => json::archived(output, &archived)?,
        false => text::archived(output, &archived)?,
    }
    if !args.dry_run {
        journal::note(global, now, noted(&archived), output)?;
    }
    Ok(match archived.has_failed() {
        true => USAGE,
        false => DONE,
    })
}

/// Archives sessions, several at once; one that fails keeps no other back.
fn all(
    cold: &Cold,
    wanted: &[Candidate],
    options: &Options,
) -> Result<Vec<Result<SessionDone, StoreError>>> {
    if options.dry {
        let done = wanted.par_iter();
        return Ok(done
            .map(|one| cold.rehearse(&one.source, options))
            .collect());
    }
    let writing: Writing<'_> = cold.write(WAIT)?;
    let done = wanted.par_iter();
    Ok(done
        .map(|one| writing.archive(&one.source, options))
        .collect())
}

/// The run, for the journal.
fn noted(archived: &Archived<'_>) -> Done {
    let mut counts = BTreeMap::new();
    let mut add = |name: &str, number: u64| {
        if number > 0 {
            *counts.entry(name.to_owned()).or_insert(0) += number;
        }
    };
    add("sessions", archived.candidates.len() as u64);
    for done in archived.done {
        let Ok(done) = done else {
            add("failed", 1);
            continue;
        };
        add("bytes", done.added);
        add("stored", done.stored);
        for file in &done.files {
            match &file.became {
                Ok(Became::New) => add("new", 1),
                Ok(Became::Grown) => add("grown", 1),
                Ok(Became::Changed) => add("changed", 1),
                Ok(Became::Same | Became::Gone) => {}
                Err(_) => add("failed", 1),
            }
        }
    }
    let outcome = match (archived.has_failed(), counts.contains_key("bytes")) {
        (true, _) => "incomplete",
        (false, true) => "archived",
        (false, false) => "unchanged",
    };
    let one = match archived.candidates {
        [one] => Some(one.source.name.session.clone()),
        _ => None,
    };
    Done {
        command: "archive".to_owned(),
        session: one,
        outcome: outcome.to_owned(),
        counts,
        ..Done::default()
    }
}

fn list(global: &Global, cold: &Cold, projects: &Projects, output: &mut Output) -> Result<u8> {
    let config = cold::config(projects);
    let mut listed = Listed {
        cold,
        kept: Vec::new(),
        damaged: Vec::new(),
    };
    for name in cold.names()? {
        match cold.manifest(&name) {
            Ok(Some(loaded)) => {
                let transcript = format!("projects/{}/{}.jsonl", name.project, name.session);
                let is_there = config.join(transcript).is_file();
                listed
                    .damaged
                    .extend(loaded.damage.map(|error| (name, error)));
                listed.kept.push((loaded.manifest, is_there));
            }
            Ok(None) => {}
            Err(error) => listed.damaged.push((name, error)),
        }
    }
    listed
        .kept
        .sort_by(|(a, _), (b, _)| b.modified().cmp(&a.modified()));
    match global.json {
        true => json::listed(output, &listed)?,
        false => text::listed(output, &listed)?,
    }
    Ok(match listed.damaged.is_empty() {
        true => DONE,
        false => USAGE,
    })
}

fn verify(global: &Global, cold: &Cold, now: i64, output: &mut Output) -> Result<u8> {
    let verified = cold.verify(|_| true)?;
    match global.json {
        true => json::verified(output, cold, &verified)?,
        false => text::verified(output, cold, &verified)?,
    }
    let damaged = verified.problems.len() as u64;
    let done = Done {
        command: "archive --verify".to_owned(),
        outcome: if damaged > 0 { "damaged" } else { "sound" }.to_owned(),
        counts: BTreeMap::from([
            ("sessions".to_owned(), verified.sessions as u64),
            ("bytes".to_owned(), verified.bytes),
            ("damaged".to_owned(), damaged),
        ]),
        ..Done::default()
    };
    journal::note(global, now, done, output)?;
    Ok(if damaged > 0 { FOUND } else { DONE })
}
