//! `outcrop handoff`.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Result;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use outcrop_compactor::store::{Handoff, Handoffs, Left, Taken};

use super::handoff_write;
use crate::args::Global;
use crate::args::handoff::{Clean, Handoff as Args, List, Take, What};
use crate::commands::DONE;
use crate::render::handoff::{Cleaned, Listed, Passed, Took};
use crate::render::{Output, handoff as text, handoff_json as json};
use crate::start::transcripts::Projects;
use crate::start::{Place, clock, handoffs};

pub(crate) fn run(global: &Global, args: &Args, output: &mut Output) -> Result<u8> {
    let handoffs = handoffs(global, args)?;
    match &args.what {
        What::Write(args) => handoff_write::run(global, args, &handoffs, output)?,
        What::List(args) => list(global, args, &handoffs, output)?,
        What::Take(args) => take(global, args, &handoffs, output)?,
        What::Clean(args) => clean(global, args, &handoffs, output)?,
    }
    Ok(DONE)
}

fn handoffs(global: &Global, args: &Args) -> Result<Handoffs> {
    let place = Place::new(global)?;
    if let Some(dir) = &args.dir {
        let dir = PathBuf::from(place.path(dir)?.to_string());
        return Ok(Handoffs::new(dir, None, TimeZone::system()));
    }
    let projects = Projects::new(global, &place)?;
    let config = projects.root().parent().unwrap_or(projects.root());
    Ok(handoffs::of(config))
}

pub(super) fn now() -> Timestamp {
    Timestamp::from_millisecond(clock::now()).unwrap_or_default()
}

fn list(global: &Global, args: &List, handoffs: &Handoffs, output: &mut Output) -> Result<()> {
    let found = match args.all {
        true => handoffs.list()?,
        false => handoffs.waiting()?,
    };
    let listed = Listed {
        folder: handoffs.folder(),
        handoffs: &found,
        now: now(),
    };
    match global.json {
        true => json::listed(output, &listed),
        false => text::listed(output, &listed),
    }
}

fn take(global: &Global, args: &Take, handoffs: &Handoffs, output: &mut Output) -> Result<()> {
    let now = now();
    let mut taken: Vec<Taken> = Vec::new();
    let mut passed = Vec::new();
    for handoff in handoffs.waiting()? {
        let pass = |why: &str| Passed {
            name: handoff.name.file().to_owned(),
            why: why.to_owned(),
        };
        if args.session_age.is_some_and(|most| handoff.age(now) > most) {
            passed.push(pass("older than --session-age"));
            continue;
        }
        let got = match args.peek {
            true => handoffs.peek(handoff.clone()),
            false => handoffs.take(handoff.clone()),
        };
        match got {
            Ok(one) => taken.push(one),
            // Another one has it: nothing is missing.
            Err(Left::Gone) => {}
            Err(Left::Empty) => passed.push(pass("empty")),
            Err(Left::Large(bytes)) => {
                passed.push(pass(&format!("{bytes} bytes are too many for a handoff")));
            }
            Err(Left::Failed(error)) => passed.push(pass(&error.to_string())),
        }
    }
    let took = Took {
        folder: handoffs.folder(),
        taken: &taken,
        passed: &passed,
        peeks: args.peek,
        now,
    };
    let shown = match global.json {
        true => json::took(output, &took),
        false => text::took(output, &took),
    };
    let shown = shown.and_then(|()| Ok(output.flush()?));
    if args.peek {
        return shown;
    }
    // What nobody could read waits on.
    if shown.is_err() {
        for one in taken.iter().rev() {
            handoffs.give_back(one)?;
        }
    }
    shown?;
    Ok(handoffs.settle()?)
}

fn clean(global: &Global, args: &Clean, handoffs: &Handoffs, output: &mut Output) -> Result<()> {
    let now = now();
    let before = now - SignedDuration::from_hours(i64::from(args.days) * 24);
    let all = handoffs.list()?;
    let (old, kept): (Vec<Handoff>, Vec<Handoff>) =
        all.into_iter().partition(|one| one.is_older(before));
    let mut removed = Vec::new();
    for one in &old {
        removed.push(args.yes && handoffs.remove(one, before)?);
    }
    let cleaned = Cleaned {
        folder: handoffs.folder(),
        old: &old,
        removed: args.yes.then_some(&removed),
        days: args.days,
        waiting: kept.iter().filter(|one| !one.name.is_done()).count(),
        now,
    };
    match global.json {
        true => json::cleaned(output, &cleaned),
        false => text::cleaned(output, &cleaned),
    }
}
