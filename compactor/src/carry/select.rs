//! What of a session fits a carry-over: the most needed first, within the target.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use outcrop_loader::tokens::Counter;

use super::asked::Out;
use super::compose::{self, Parts};
use super::marks::Marks;
use super::notes::{self, Note};
use super::said::{Said, Voice};
use super::verdict::Reason;
use super::{CarryError, Options, Plan, Planned, asked, told};
use crate::chain::Chain;
use crate::conversation::Role;
use crate::loss::{FileUse, Loss, OpenItem, OpenKind};
use crate::redact::redact;
use crate::transcript::{Source, Transcript};
use crate::turns::Turn;

/// A session that is looked at, and what is asked.
pub(super) struct Session<'a, S> {
    pub(super) transcript: &'a Transcript<S>,
    pub(super) chain: &'a Chain,
    pub(super) turns: &'a [Turn],
    pub(super) said: &'a Said,
    pub(super) loss: &'a Loss,
    pub(super) notes: Vec<Note>,
    pub(super) marks: Marks,
    pub(super) options: &'a Options,
}

/// One thing that may be carried over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Thing {
    Note(usize),
    Turn(usize),
    Open(usize),
    File(usize),
    Summary(usize),
}

/// Things of one kind, in the order in which they are taken, and the share of the target that they
/// may take together.
struct Group {
    things: Vec<Thing>,
    /// Of a hundred.
    share: u64,
}

/// What is carried over of a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Summary {
    Whole,
    Part,
}

/// What was chosen.
#[derive(Debug, Clone, Default)]
pub(super) struct Chosen {
    pub(super) notes: BTreeSet<usize>,
    pub(super) turns: BTreeSet<usize>,
    pub(super) open: BTreeSet<usize>,
    pub(super) files: BTreeSet<usize>,
    /// By the number of the text.
    pub(super) summaries: BTreeMap<usize, Summary>,
}

pub(super) fn plan<S: Source>(session: &Session<'_, S>) -> Result<Plan, CarryError> {
    let options = session.options;
    let request = session.said.last_request().ok_or(CarryError::NoRequest)?;
    let pins = asked::pins(session)?;
    let out = asked::excluded(session, request, &pins)?;
    let parts = Parts {
        session,
        request,
        tail: tail(session, &out),
        pins,
        out,
        open: open_items(session),
        files: files(session),
        cleaned: vec![OnceCell::new(); session.said.texts.len()],
    };
    let mut counter = Counter::new(options.family);
    let mut chosen = Chosen::default();
    let base = counted(&made(&parts, &chosen).0, &mut counter);
    if base > options.target {
        return Err(CarryError::TooSmall {
            needed: base,
            target: options.target,
        });
    }
    let mut taken = take(&parts, &mut chosen, base, &mut counter);
    // Parts were counted one by one: together they may come to a little more.
    let (messages, redacted, tokens) = loop {
        let (messages, redacted) = made(&parts, &chosen);
        let tokens = counted(&messages, &mut counter);
        if tokens <= options.target {
            break (messages, redacted, tokens);
        }
        match taken.pop() {
            Some(thing) => drop_thing(&mut chosen, thing),
            None => break (messages, redacted, tokens),
        }
    };
    Ok(Plan {
        tail: chosen.turns.len(),
        verdicts: told::verdicts(&parts, &chosen),
        questions: told::questions(&parts, &chosen),
        messages,
        tokens,
        target: options.target,
        redacted,
    })
}

/// The tokens of messages, with their frames.
pub(super) fn counted(messages: &[Planned], counter: &mut Counter) -> u64 {
    let frame = counter.family().frame();
    let blocks = messages.iter().flat_map(|message| &message.blocks);
    let texts: u64 = blocks.map(|text| counter.content(text).count).sum();
    texts + frame * messages.len() as u64
}

/// The messages of what was chosen, and how many secrets of each kind were taken out of them.
fn made<S: Source>(
    parts: &Parts<'_, S>,
    chosen: &Chosen,
) -> (Vec<Planned>, BTreeMap<String, usize>) {
    let mut messages = compose::messages(parts, chosen);
    let mut redacted = BTreeMap::new();
    if parts.session.options.redacts {
        let blocks = messages.iter_mut().flat_map(|message| &mut message.blocks);
        for text in blocks {
            let clean = redact(text);
            for (name, times) in clean.found {
                *redacted.entry(name.to_owned()).or_default() += times;
            }
            *text = clean.text.into_owned();
        }
    }
    (messages, redacted)
}

/// What is to be done still, but for the last request.
fn open_items<'a, S>(session: &Session<'a, S>) -> Vec<&'a OpenItem> {
    let found = session.loss.open_items.items.iter();
    let open = found.map(|finding| &finding.what);
    open.filter(|item| item.kind != OpenKind::Request).collect()
}

/// The file ledger: those that were changed first, of each kind the last touched first.
fn files<'a, S>(session: &Session<'a, S>) -> Vec<&'a FileUse> {
    let mut files: Vec<_> = session.loss.files.iter().collect();
    files.sort_by_key(|finding| {
        let line = finding.place.line.unwrap_or_default();
        (finding.what.changes == 0, std::cmp::Reverse(line))
    });
    files.into_iter().map(|finding| &finding.what).collect()
}

/// What may be carried over, the most needed first.
fn groups<S: Source>(parts: &Parts<'_, S>) -> Vec<Group> {
    let (session, said) = (parts.session, parts.session.said);
    let notes = |reasons: &[Reason]| -> Vec<Thing> {
        let notes = session.notes.iter().enumerate().rev();
        let wanted = notes.filter(|(_, note)| {
            let is_rule = note.reason != Reason::Constraint || note.is_users;
            is_rule && reasons.contains(&note.reason) && !parts.out.has(note.record, &note.sentence)
        });
        wanted.map(|(number, _)| Thing::Note(number)).collect()
    };
    let (last, before) = match parts.tail.split_first() {
        Some((last, before)) => (vec![Thing::Turn(*last)], before),
        None => (Vec::new(), &[][..]),
    };
    let changed = parts.files.iter().filter(|file| file.changes > 0).count();
    let summaries = said.texts.iter().enumerate().rev();
    let summaries = summaries.filter(|(_, text)| {
        text.voice == Voice::Summary && !text.is_earlier && !parts.out.has(text.record, "")
    });
    let rules = [
        Reason::Constraint,
        Reason::Correction,
        Reason::Identity,
        Reason::Preference,
    ];
    let group = |things: Vec<Thing>, share: u64| Group { things, share };
    vec![
        group(notes(&rules), 35),
        group((0..parts.open.len()).map(Thing::Open).collect(), 10),
        group(last, 100),
        group((0..changed).map(Thing::File).collect(), 10),
        group(notes(&[Reason::Decision]), 20),
        group(before.iter().copied().map(Thing::Turn).collect(), 100),
        group(notes(&[Reason::Promise, Reason::Checkpoint]), 10),
        group(
            summaries
                .map(|(number, _)| Thing::Summary(number))
                .collect(),
            25,
        ),
        group((changed..parts.files.len()).map(Thing::File).collect(), 5),
    ]
}

/// The last turns in which the user said something, newest first.
fn tail<S>(session: &Session<'_, S>, out: &Out) -> Vec<usize> {
    let mut turns: Vec<usize> = Vec::new();
    for text in session.said.texts.iter().rev() {
        let counts =
            text.voice == Voice::User && !text.is_earlier && !out.has(text.record, &text.text);
        if counts && turns.last() != Some(&text.turn) {
            if turns.len() == session.options.tail {
                break;
            }
            turns.push(text.turn);
        }
    }
    turns
}

/// Takes what fits, and tells in which order.
fn take<S: Source>(
    parts: &Parts<'_, S>,
    chosen: &mut Chosen,
    base: u64,
    counter: &mut Counter,
) -> Vec<Thing> {
    let target = parts.session.options.target;
    let mut taken = Vec::new();
    let mut used = base;
    for group in groups(parts) {
        let mut room = target * group.share / 100;
        for thing in group.things {
            // A summary that has no room as a whole may have some in part.
            let hows: &[Summary] = match thing {
                Thing::Summary(_) => &[Summary::Whole, Summary::Part],
                _ => &[Summary::Whole],
            };
            let left = room.min(target - used);
            // Nothing of a summary is no part of it.
            let fits = |(how, cost): &(Summary, u64)| {
                *cost <= left && (*how == Summary::Whole || *cost > 0)
            };
            let mut costs = hows
                .iter()
                .map(|how| (*how, cost(parts, thing, *how, counter)));
            if let Some((how, cost)) = costs.find(fits) {
                add(chosen, thing, how);
                used += cost;
                room -= cost;
                taken.push(thing);
                continue;
            }
            // The tail has no holes.
            if let Thing::Turn(_) = thing {
                break;
            }
        }
    }
    taken
}

fn add(chosen: &mut Chosen, thing: Thing, how: Summary) {
    match thing {
        Thing::Note(number) => drop(chosen.notes.insert(number)),
        Thing::Turn(number) => drop(chosen.turns.insert(number)),
        Thing::Open(number) => drop(chosen.open.insert(number)),
        Thing::File(number) => drop(chosen.files.insert(number)),
        Thing::Summary(number) => drop(chosen.summaries.insert(number, how)),
    }
}

fn drop_thing(chosen: &mut Chosen, thing: Thing) {
    match thing {
        Thing::Note(number) => drop(chosen.notes.remove(&number)),
        Thing::Turn(number) => drop(chosen.turns.remove(&number)),
        Thing::Open(number) => drop(chosen.open.remove(&number)),
        Thing::File(number) => drop(chosen.files.remove(&number)),
        Thing::Summary(number) => drop(chosen.summaries.remove(&number)),
    }
}

/// What a thing costs, in tokens.
fn cost<S: Source>(parts: &Parts<'_, S>, thing: Thing, how: Summary, counter: &mut Counter) -> u64 {
    let text = match thing {
        Thing::Note(number) => compose::note(&parts.session.notes[number]),
        Thing::Open(number) => compose::open(parts.open[number], parts.session.options),
        Thing::File(number) => compose::file(parts.files[number], parts.session.options),
        Thing::Summary(number) => {
            let text = &parts.session.said.texts[number];
            match compose::summary(text, how, parts.session.options) {
                text if text.is_empty() => return 0,
                text => text,
            }
        }
        Thing::Turn(number) => {
            let texts = compose::turn(parts, number);
            let frame = counter.family().frame();
            let texts = texts.iter();
            return texts
                .map(|(_, text)| counter.content(text).count + frame)
                .sum();
        }
    };
    // The line break, and now and then a heading.
    counter.content(&text).count + 1
}

/// The parts of a summary that are told where the whole has no room.
pub(super) fn part_of(text: &str) -> String {
    let lines = notes::of_summary(text).into_iter();
    lines.map(|line| format!("- {line}\n")).collect()
}

/// Who speaks, of a voice.
pub(super) fn role(voice: Voice) -> Role {
    match voice {
        Voice::User => Role::User,
        Voice::Assistant | Voice::Summary => Role::Assistant,
    }
}
