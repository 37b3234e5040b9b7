//! What of a session fits a carry-over: the most needed first, within the target.

use std::collections::{BTreeMap, BTreeSet};

use outcrop_loader::tokens::Counter;

use super::compose::{self, Parts};
use super::marks::Marks;
use super::notes::{self, Note};
use super::said::{Said, Voice};
use super::verdict::{Fate, Reason, Verdict};
use super::{CarryError, Options, Plan, Planned, Question, clean};
use crate::chain::Chain;
use crate::conversation::Role;
use crate::loss::{FileUse, Loss, OpenItem, OpenKind};
use crate::redact::redact;
use crate::transcript::record::{Block, Content};
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

/// What must be there.
#[derive(Debug, Clone, Default)]
pub(super) struct Pins {
    pub(super) records: BTreeSet<usize>,
    /// Word for word.
    pub(super) texts: Vec<String>,
}

pub(super) fn plan<S: Source>(session: &Session<'_, S>) -> Result<Plan, CarryError> {
    let options = session.options;
    let request = session.said.last_request().ok_or(CarryError::NoRequest)?;
    let pins = pins(session)?;
    let out = excluded(session, request, &pins)?;
    let open = open_items(session);
    let files = files(session);
    let parts = Parts {
        session,
        request,
        pins: &pins,
        out: &out,
        open: &open,
        files: &files,
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
        verdicts: verdicts(&parts, &chosen),
        questions: questions(&parts, &chosen),
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

/// What the user pinned, as it stands in the session.
fn pins<S: Source>(session: &Session<'_, S>) -> Result<Pins, CarryError> {
    let mut pins = Pins::default();
    for pin in &session.options.pins {
        if let Some(record) = record(session, pin) {
            let texts = texts_of(session, record)?;
            if !texts.is_empty() {
                pins.records.insert(record);
                pins.texts.extend(texts);
                continue;
            }
        }
        if !stands_in(session, pin)? {
            return Err(CarryError::Unknown {
                what: "--pin",
                text: pin.clone(),
            });
        }
        pins.texts.push(pin.clone());
    }
    Ok(pins)
}

fn record<S: Source>(session: &Session<'_, S>, uuid: &str) -> Option<usize> {
    let index = session.transcript.index();
    index.by_uuid(index.find(uuid)?)
}

/// All texts of a record, results of tools included.
fn texts_of<S: Source>(session: &Session<'_, S>, record: usize) -> Result<Vec<String>, CarryError> {
    fn of(content: Content, texts: &mut Vec<String>) {
        match content {
            Content::Missing => {}
            Content::Text(text) => texts.push(text),
            Content::Blocks(blocks) => {
                for block in blocks {
                    match block {
                        Block::Text(text) => texts.push(text),
                        Block::ToolResult { content, .. } => of(content, texts),
                        _ => {}
                    }
                }
            }
        }
    }
    let entry = &session.transcript.index().entries()[record];
    let mut texts = Vec::new();
    of(session.transcript.record(entry)?.content, &mut texts);
    texts.retain(|text| !text.trim().is_empty());
    Ok(texts)
}

/// Whether a text stands in what was said, or in any record of the chain.
fn stands_in<S: Source>(session: &Session<'_, S>, text: &str) -> Result<bool, CarryError> {
    if text.trim().is_empty() {
        return Ok(false);
    }
    let mut said = session.said.texts.iter();
    if said.any(|other| other.text.contains(text)) {
        return Ok(true);
    }
    for record in &session.chain.records {
        let mut texts = texts_of(session, *record)?.into_iter();
        if texts.any(|other| other.contains(text)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What the user wants left out.
#[derive(Debug, Default)]
pub(super) struct Out {
    records: BTreeSet<usize>,
    texts: Vec<String>,
}

impl Out {
    pub(super) fn has(&self, record: usize, text: &str) -> bool {
        self.records.contains(&record) || self.holds(text)
    }

    pub(super) fn holds(&self, text: &str) -> bool {
        self.texts.iter().any(|out| text.contains(out.as_str()))
    }
}

fn excluded<S: Source>(
    session: &Session<'_, S>,
    request: usize,
    pins: &Pins,
) -> Result<Out, CarryError> {
    let mut out = Out::default();
    for exclude in &session.options.excludes {
        let found = record(session, exclude);
        match found {
            Some(record) => drop(out.records.insert(record)),
            None if stands_in(session, exclude)? => out.texts.push(exclude.clone()),
            None => {
                return Err(CarryError::Unknown {
                    what: "--exclude",
                    text: exclude.clone(),
                });
            }
        }
        let texts = session.said.texts.iter();
        let mut stay = texts.filter(|text| text.record == request);
        let hits_pin = pins.texts.iter().any(|pin| out.holds(pin))
            || pins.records.iter().any(|pin| out.records.contains(pin));
        if hits_pin || stay.any(|text| out.has(text.record, &text.text)) {
            return Err(CarryError::Excludes(exclude.clone()));
        }
    }
    Ok(out)
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
    let tail = tail(parts);
    let (last, before) = match tail.split_first() {
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
fn tail<S: Source>(parts: &Parts<'_, S>) -> Vec<usize> {
    let texts = parts.session.said.texts.iter().rev();
    let mut turns: Vec<usize> = Vec::new();
    for text in texts {
        let counts = text.voice == Voice::User
            && !text.is_earlier
            && !parts.out.has(text.record, &text.text);
        if counts && turns.last() != Some(&text.turn) {
            if turns.len() == parts.session.options.tail {
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
            let wanted = |chosen: &mut Chosen| add(chosen, thing, Summary::Whole);
            let cost = cost(parts, thing, Summary::Whole, counter);
            let left = room.min(target - used);
            if cost <= left {
                wanted(chosen);
                used += cost;
                room -= cost;
                taken.push(thing);
                continue;
            }
            if let Thing::Summary(_) = thing {
                let cost = self::cost(parts, thing, Summary::Part, counter);
                if cost > 0 && cost <= left {
                    add(chosen, thing, Summary::Part);
                    used += cost;
                    room -= cost;
                    taken.push(thing);
                }
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

/// What became of each record.
fn verdicts<S: Source>(parts: &Parts<'_, S>, chosen: &Chosen) -> Vec<Verdict> {
    let session = parts.session;
    let index = session.transcript.index();
    let mut reasons: BTreeMap<usize, BTreeSet<Reason>> = BTreeMap::new();
    let mut part: BTreeSet<usize> = BTreeSet::new();
    let mut wanted: BTreeSet<usize> = BTreeSet::new();
    let mut put = |record: usize, reason: Reason| {
        reasons.entry(record).or_default().insert(reason);
    };
    for record in &parts.pins.records {
        put(*record, Reason::Pinned);
    }
    put(parts.request, Reason::LastRequest);
    let tail = tail(parts);
    for (number, text) in session.said.texts.iter().enumerate() {
        let is_in_tail = compose::is_in_tail(parts, chosen, text);
        if is_in_tail && text.record != parts.request {
            put(text.record, Reason::Tail);
        }
        if let Some(how) = chosen.summaries.get(&number) {
            put(text.record, Reason::Summary);
            if *how == Summary::Part {
                part.insert(text.record);
            }
        }
        let is_answer = text.voice == Voice::User || text.is_answer;
        if text.voice == Voice::Summary && !text.is_earlier
            || is_answer && !text.is_earlier && tail.contains(&text.turn)
        {
            wanted.insert(text.record);
        }
    }
    for (number, note) in session.notes.iter().enumerate() {
        wanted.insert(note.record);
        if chosen.notes.contains(&number) && !compose::is_told(parts, chosen, note) {
            put(note.record, note.reason);
            part.insert(note.record);
        }
    }
    let mut verdicts = Vec::new();
    let mut counts = vec![false; index.entries().len()];
    for record in &session.chain.records {
        counts[*record] = true;
    }
    for turn in session.turns {
        for record in turn.records.iter().copied() {
            let entry = &index.entries()[record];
            let found = reasons.remove(&record);
            if found.is_none() && !counts[record] {
                continue;
            }
            let whole = [Reason::Pinned, Reason::LastRequest, Reason::Tail];
            let (fate, reasons) = match found {
                Some(found) => {
                    let is_whole = found.iter().any(|reason| whole.contains(reason))
                        || !part.contains(&record);
                    let fate = if is_whole { Fate::Kept } else { Fate::Part };
                    (fate, found.into_iter().collect())
                }
                None => {
                    let reason = session.said.silent.get(&record).copied();
                    let mut texts = session.said.texts.iter();
                    let is_out = texts
                        .any(|text| text.record == record && parts.out.has(record, &text.text));
                    let reason = reason.unwrap_or(match (is_out, wanted.contains(&record)) {
                        (true, _) => Reason::Excluded,
                        (_, true) => Reason::OverTarget,
                        _ => Reason::Expired,
                    });
                    (Fate::Dropped, vec![reason])
                }
            };
            verdicts.push(Verdict {
                record,
                uuid: entry.uuid.map(|uuid| index.text(uuid).to_owned()),
                line: entry.place.line,
                turn: turn.number,
                fate,
                reasons,
            });
        }
    }
    verdicts
}

/// How many lines of each expected answer are told.
const EXPECTED: usize = 5;

fn questions<S: Source>(parts: &Parts<'_, S>, chosen: &Chosen) -> Vec<Question> {
    let session = parts.session;
    let texts = session.said.texts.iter();
    let request = texts.filter(|text| text.record == parts.request);
    let request: Vec<String> = request.map(|text| first_words(&text.text)).collect();
    let notes = |reasons: &[Reason]| -> Vec<String> {
        let chosen = chosen
            .notes
            .iter()
            .rev()
            .map(|number| &session.notes[*number]);
        let of = chosen.filter(|note| reasons.contains(&note.reason));
        of.take(EXPECTED)
            .map(|note| note.sentence.clone())
            .collect()
    };
    let mut state: Vec<String> = notes(&[Reason::Checkpoint]);
    let open = chosen.open.iter().map(|number| parts.open[*number]);
    state.extend(open.map(|item| compose::open(item, session.options)));
    let changed = chosen.files.iter().map(|number| parts.files[*number]);
    let changed: Vec<String> = changed
        .filter(|file| file.changes > 0)
        .map(|file| clean::near(&file.path, &session.options.around))
        .collect();
    if !changed.is_empty() {
        let first = changed.iter().take(EXPECTED).cloned().collect::<Vec<_>>();
        let more = changed.len().saturating_sub(EXPECTED);
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        state.push(format!("changed: {}{more}", first.join(", ")));
    }
    let mut questions = vec![
        Question {
            question: "What are we doing?",
            expected: request,
        },
        Question {
            question: "What is done, and what is not?",
            expected: state,
        },
        Question {
            question: "Which boundaries must not be crossed?",
            expected: notes(&[Reason::Constraint, Reason::Correction]),
        },
    ];
    if session.options.redacts {
        let lines = questions
            .iter_mut()
            .flat_map(|question| &mut question.expected);
        for line in lines {
            *line = redact(line).text.into_owned();
        }
    }
    questions
}

fn first_words(text: &str) -> String {
    crate::pipeline::short(text, 200)
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
