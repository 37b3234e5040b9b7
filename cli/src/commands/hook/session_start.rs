//! What earlier sessions left for a new one: pointers, within a cap.

use std::path::Path;
use std::time::{Instant, SystemTime};

use anyhow::Result;
use outcrop_compactor::instincts::Instincts;
use outcrop_compactor::store::{Handoff, read_kept};
use outcrop_loader::tokens::{Counter, Family};

use super::Answer;
use crate::args::Global;
use crate::args::hook::SessionStart;
use crate::start::clock;
use crate::start::handoffs::{self, Written, one_line};
use crate::start::hooked::{Event, Here};

/// The most handoffs that are named.
const HANDOFFS: usize = 5;
/// The most instincts that are told.
const INSTINCTS: usize = 8;
/// Longer texts of hooks are put aside by the client (fact C3.1), in characters.
const CAP: usize = 9_500;

pub(super) fn answer(global: &Global, args: &SessionStart, end: Instant) -> Result<Answer> {
    let event = Event::read(&["SessionStart"], end)?;
    let here = Here::of(global, &event)?;
    let mut answer = Answer::default();
    let mut said = Said::new(args.tokens);
    // What cannot be read is told, and the rest is said.
    match handoffs(&here, &event) {
        Ok(lines) => said.list(&lines),
        Err(error) => answer.problems.push(error),
    }
    said.list(&boot(&here));
    match instincts(&here) {
        Ok(lines) => said.list(&lines),
        Err(error) => answer.problems.push(error),
    }
    answer.context = said.text;
    Ok(answer)
}

/// The heading of a list and its lines.
type Lines = (String, Vec<String>);

fn handoffs(here: &Here, event: &Event) -> Result<Lines> {
    let mut waiting = handoffs::waiting(&here.handoffs(), SystemTime::now())?;
    // A session that goes on knows what it wrote itself.
    let written: Written = read_kept(&here.written()).unwrap_or_default();
    let own = event.session().ok().and_then(|session| written.of(session));
    let own = own.and_then(Path::file_name).and_then(|name| name.to_str());
    waiting.retain(|handoff| Some(handoff.name.file()) != own);
    let is_here = |handoff: &Handoff| {
        let directory = handoff.head.directory.as_deref();
        directory.is_none_or(|directory| directory == here.directory.as_str())
    };
    let (near, far): (Vec<_>, Vec<_>) = waiting.into_iter().partition(is_here);
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let mut lines: Vec<String> = (near.iter().take(HANDOFFS))
        .map(|handoff| {
            format!(
                "- {}: {}",
                handoff.name.file(),
                one_line(&handoff.title(), 80)
            )
        })
        .collect();
    if near.len() > HANDOFFS {
        lines.push(format!("- and {} more", near.len() - HANDOFFS));
    }
    if near.is_empty() {
        return Ok((String::new(), Vec::new()));
    }
    let elsewhere = match far.len() {
        0 => String::new(),
        count => format!(", {count} of other directories beside them"),
    };
    let heading = format!(
        "{} handoff{} of the last 48 hours that nobody took yet{elsewhere}. \
         `outcrop handoff take` prints and takes them; only if the task goes on with one:",
        near.len(),
        plural(near.len()),
    );
    Ok((heading, lines))
}

/// The boot packet's pointer, where there is something to point to.
fn boot(here: &Here) -> Lines {
    let heading = "If the task goes on with earlier work:".to_owned();
    let line =
        "- `outcrop boot` prints boundaries, open tasks and where things stand, with sources.";
    let lines = match here.has_memory() {
        true => vec![line.to_owned()],
        false => Vec::new(),
    };
    (heading, lines)
}

fn instincts(here: &Here) -> Result<Lines> {
    let instincts: Instincts = read_kept(&here.instincts())?;
    let lines = instincts.lines(clock::now()).take(INSTINCTS);
    let lines = lines.map(|line| format!("- {line}")).collect();
    let heading = "Seen in earlier sessions here, calls that failed:".to_owned();
    Ok((heading, lines))
}

/// A text that never grows beyond its cap.
struct Said {
    text: String,
    counter: Counter,
    most: u64,
}

impl Said {
    fn new(most: u64) -> Self {
        Self {
            text: String::new(),
            counter: Counter::new(Family::NEWEST),
            most,
        }
    }

    /// Adds a list, as far as it fits; its heading never stands alone.
    fn list(&mut self, (heading, lines): &Lines) {
        let Some((first, rest)) = lines.split_first() else {
            return;
        };
        if self.add(&format!("{heading}\n{first}")) {
            // What comes first matters most, so nothing is said behind a gap.
            let _ = rest.iter().all(|line| self.add(line));
        }
    }

    fn add(&mut self, lines: &str) -> bool {
        let before = self.text.len();
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(lines);
        let fits =
            self.counter.content(&self.text).count <= self.most && self.text.chars().count() <= CAP;
        if !fits {
            self.text.truncate(before);
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_stays_below_its_cap() {
        let lines: Vec<String> = (0..40)
            .map(|number| format!("- the line {number}"))
            .collect();
        let mut lengths = Vec::new();
        for most in [0, 10, 50, 100, 2000] {
            let mut said = Said::new(most);
            said.list(&("Heading:".to_owned(), lines.clone()));
            said.list(&("Second:".to_owned(), lines.clone()));
            let count = Counter::new(Family::NEWEST).content(&said.text).count;
            assert!(count <= most || said.text.is_empty(), "{most}: {count}");
            assert!(!said.text.ends_with(':'), "{}", said.text);
            lengths.push(said.text.lines().count());
        }
        assert_eq!((lengths[0], lengths[1], lengths[4]), (0, 2, 82));
        assert!(lengths.is_sorted(), "{lengths:?}");
    }
}
