//! A session that stops: its handoff, and what its failed calls taught.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow};
use jiff::tz::TimeZone;
use outcrop_compactor::carry::Around;
use outcrop_compactor::ending::Ending;
use outcrop_compactor::instincts::{Instincts, line};
use outcrop_compactor::store::{Holder, StoreError, update_kept};
use outcrop_compactor::transcript::Transcript;
use outcrop_loader::client::{Client, Version};

use super::Answer;
use crate::args::Global;
use crate::start::handoffs::{self, Stopped, Written};
use crate::start::hooked::{Event, Here};
use crate::start::{client, clock, git};

/// No more of a transcript's end is read, in bytes.
const TAIL: u64 = 2 << 20;
/// How long git may take.
const GIT: Duration = Duration::from_millis(1_000);

pub(super) fn answer(global: &Global, end: Instant) -> Result<Answer> {
    let event = Event::read(&["Stop", "SessionEnd"], end)?;
    let session = event.session()?;
    let transcript = event.transcript_path.as_deref();
    let transcript = transcript.context("the event has no transcript_path")?;
    let here = Here::of(global, &event)?;
    let client = client(global).or_else(|_| Client::of(Version::NEWEST))?;
    let until = end.min(Instant::now() + GIT);
    let (standing, ending) = std::thread::scope(|scope| {
        let standing = scope.spawn(|| git::standing(&here.directory, until));
        let ending = ending(transcript, &client);
        (standing.join().ok().flatten(), ending)
    });
    let ending = ending.with_context(|| transcript.display().to_string())?;
    let mut answer = Answer::default();
    let now = clock::now();
    let holder = Holder::this("outcrop hook stop");
    // What comes behind the end is not waited for by anybody.
    let rest = || end.saturating_duration_since(Instant::now());
    let around = Around {
        directory: Some(here.directory.to_string()),
        home: None,
    };
    if ending
        .lessons
        .iter()
        .any(|lesson| line(lesson, &around).is_some())
    {
        let learn = |instincts: &mut Instincts| {
            instincts.learn(&ending.lessons, session, &around, now);
            Ok::<_, StoreError>(())
        };
        if let Err(error) = update_kept(&here.instincts(), &holder, rest(), learn) {
            answer.problems.push(error.into());
        }
    }
    // Where nobody asked anything, there is nothing to hand on.
    if ending.last.is_some() {
        let stopped = Stopped {
            session,
            directory: here.directory.as_str(),
            ending: &ending,
            standing: standing.as_ref(),
            now,
            zone: &TimeZone::system(),
        };
        let write = |written: &mut Written| handoffs::write(&here.handoffs(), written, &stopped);
        if let Err(error) = update_kept(&here.written(), &holder, rest(), write) {
            answer.problems.push(error);
        }
    }
    if standing.is_none() && Instant::now() >= end {
        answer.problems.push(anyhow!("git gave no answer in time"));
    }
    Ok(answer)
}

/// The end of a session from that of its transcript.
fn ending(path: &Path, client: &Client) -> Result<Ending> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let start = length.saturating_sub(TAIL);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(length - start).read_to_end(&mut bytes)?;
    if start > 0 {
        // Half a line is none.
        let first = bytes.iter().position(|byte| *byte == b'\n');
        bytes.drain(..first.map_or(bytes.len(), |at| at + 1));
    }
    let transcript = Transcript::read(bytes)?;
    Ok(Ending::of(&transcript, client)?)
}
