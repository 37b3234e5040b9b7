//! What is wrong with a transcript, and what a repair into a new file would do.
//!
//! [`examine`] gives the findings, each with its evidence, and how much a resume reaches.
//! [`repair`] plans a new file: its [`Action`]s are data, and [`Repair::write`] makes the bytes.
//! The source is never changed.

mod action;
mod bytes;
mod contents;
mod cure;
mod finding;
mod image;
mod lines;
mod links;
mod pairs;
mod plan;
mod reach;
mod repair;

use std::io;

use outcrop_loader::client::Client;
use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::chain::{Chain, LeafReason, Refusal, Resume};
use crate::conversation::{Conversation, Resumed};
use crate::transcript::write::Json;
use crate::transcript::{Entry, Index, Kind, Source, Transcript};
use cure::Cure;

pub use action::{Action, ActionKind};
pub use finding::{About, Finding, Level};
pub use image::LARGEST as LARGEST_IMAGE;
pub use reach::Reach;
pub use repair::{Options, Repair, repair};

/// A record, by name and place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mark {
    /// Its uuid.
    pub record: Option<String>,
    /// Its line, from 1.
    pub line: u32,
}

/// The longest record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Largest {
    /// Which one.
    #[serde(flatten)]
    pub mark: Mark,
    /// Its bytes.
    pub bytes: u32,
}

/// What was found out about a transcript.
#[derive(Debug, Clone, Default)]
pub struct Examination {
    /// How many records there are, of all kinds.
    pub records: usize,
    /// The longest of them.
    pub largest: Option<Largest>,
    /// Where a resume goes on, and why there.
    pub leaf: Option<(Mark, LeafReason)>,
    /// Why the client does not resume it.
    pub refused: Option<Refusal>,
    /// How much a resume reaches.
    pub reach: Reach,
    /// The last records of other branches, in the order of the file; without what is lost.
    pub branches: Vec<Mark>,
    /// The boundary from which on records are sent.
    pub boundary: Option<Mark>,
    /// What is wrong, in the order of the file.
    pub findings: Vec<Finding>,
    /// The uuids of what a resume reaches.
    reached: FxHashSet<String>,
}

impl Examination {
    /// The worst of the findings.
    #[must_use]
    pub fn level(&self) -> Option<Level> {
        self.findings.iter().map(|finding| finding.level).max()
    }
}

/// Looks for everything that is wrong with a transcript, as `client` resumes it.
///
/// # Errors
///
/// When the source cannot be read.
pub fn examine<S: Source>(transcript: &Transcript<S>, client: &Client) -> io::Result<Examination> {
    let index = transcript.index();
    let resume = &client.behaviour.resume;
    let chain = Chain::of(transcript, resume)?;
    let scene = Scene::of(transcript, &chain, client)?;
    let mut findings = bytes::find(transcript, resume)?;
    findings.extend(refused(transcript, &scene)?);
    findings.extend(links::find(transcript, &scene)?);
    findings.extend(pairs::find(&scene));
    findings.extend(contents::find(transcript, &scene)?);
    findings.sort_by_key(|finding| (finding.line, finding.offset, finding.about, finding.block));
    let largest = index
        .entries()
        .iter()
        .max_by_key(|entry| entry.place.length);
    let records = chain.walk.iter().chain(&chain.records);
    let (reach, lost) = reach::of(&scene);
    Ok(Examination {
        records: index.entries().len(),
        largest: largest.map(|entry| Largest {
            mark: mark(index, entry),
            bytes: entry.place.length,
        }),
        leaf: chain
            .leaf
            .map(|leaf| (mark(index, &index.entries()[leaf]), chain.reason)),
        refused: chain.refused,
        reach,
        branches: chain
            .other_leaves
            .iter()
            .filter(|leaf| !scene.behind[**leaf] && !scene.live[**leaf] && !lost[**leaf])
            .map(|leaf| mark(index, &index.entries()[*leaf]))
            .collect(),
        boundary: chain
            .boundary
            .map(|boundary| mark(index, &index.entries()[boundary])),
        reached: records.filter_map(|record| uuid(index, *record)).collect(),
        findings,
    })
}

fn mark(index: &Index, entry: &Entry) -> Mark {
    let uuid = entry.uuid.map(|uuid| index.text(uuid).to_owned());
    Mark {
        record: uuid.filter(|uuid| !uuid.is_empty()),
        line: entry.place.line,
    }
}

fn uuid(index: &Index, record: usize) -> Option<String> {
    mark(index, &index.entries()[record]).record
}

/// Why a session cannot be resumed, where no record is to blame.
fn refused<S: Source>(
    transcript: &Transcript<S>,
    scene: &Scene<'_>,
) -> io::Result<Option<Finding>> {
    if scene.chain.refused != Some(Refusal::NoConversation) {
        return Ok(None);
    }
    let index = scene.index;
    let Some(leaf) = scene.chain.leaf else {
        let mut finding = Finding::new(About::NoConversation, Level::Error, 1, 0);
        let entries = index.entries().iter();
        let is_talk = |kind| matches!(kind, Kind::User | Kind::Assistant);
        let mut talk = entries.filter(|entry| is_talk(entry.kind)).peekable();
        if let Some(first) = talk.peek() {
            finding.line = first.place.line;
            finding.offset = first.place.offset;
        }
        let detail = match (index.entries().is_empty(), talk.peek().is_some()) {
            (true, _) => "no record can be read",
            (false, false) => "no record is a prompt or an answer",
            (false, true) if talk.all(|entry| entry.flags.sidechain) => {
                "all prompts and answers are of a sub-agent"
            }
            (false, true) => "no prompt or answer can be gone on from",
        };
        return Ok(Some(finding.detail(detail)));
    };
    // A record without a time takes that of one before it; the client asks for any.
    let before = scene
        .ancestors(leaf)
        .find(|record| index.entries()[*record].time.is_some());
    let value = match before {
        Some(before) => {
            let json = Json::new(transcript.json(&index.entries()[before])?);
            json.value(&["timestamp"]).unwrap_or(NO_TIME).to_owned()
        }
        None => NO_TIME.to_owned(),
    };
    let finding = scene.finding(About::TimeMissing, Level::Error, leaf);
    Ok(Some(finding.with(Cure::Set {
        record: leaf,
        path: &["timestamp"],
        value,
    })))
}

/// What stands for a time where no record has one, as JSON.
const NO_TIME: &str = r#""1970-01-01T00:00:00.000Z""#;

/// What the finders look at.
struct Scene<'a> {
    index: &'a Index,
    chain: &'a Chain,
    resume: &'a Resume,
    /// Record and block of what a resume sends.
    sent: FxHashSet<(usize, usize)>,
    /// Records on the walk.
    walked: Vec<bool>,
    /// Records that count: the walk behind its boundary, and what hangs beside it.
    live: Vec<bool>,
    /// Records that a boundary stands for.
    behind: Vec<bool>,
    /// Uuids of records that the client does not read.
    unread: FxHashSet<&'a str>,
    parents: Vec<Option<usize>>,
}

impl<'a> Scene<'a> {
    fn of<S: Source>(
        transcript: &'a Transcript<S>,
        chain: &'a Chain,
        client: &'a Client,
    ) -> io::Result<Self> {
        let index = transcript.index();
        let count = index.entries().len();
        let set = |records: &[usize]| {
            let mut set = vec![false; count];
            for record in records {
                set[*record] = true;
            }
            set
        };
        let walked = set(&chain.walk);
        let live = set(&chain.records);
        let mut behind = set(&chain.whole(index, &client.behaviour.resume));
        for (record, behind) in behind.iter_mut().enumerate() {
            *behind &= !walked[record] && !live[record];
        }
        let mut sent = FxHashSet::default();
        if chain.leaf.is_some() {
            let resumed = Resumed {
                prompt: Some("go on".to_owned()),
                ..Resumed::default()
            };
            let conversation = Conversation::of(transcript, chain, client, &resumed)?;
            let blocks = conversation
                .messages
                .iter()
                .flat_map(|message| &message.blocks);
            let from = blocks.filter_map(|placed| placed.from);
            sent = from.map(|from| (from.record, from.block)).collect();
        }
        Ok(Self {
            index,
            chain,
            resume: &client.behaviour.resume,
            sent,
            live,
            walked,
            behind,
            unread: bytes::unread(index),
            parents: parents(index),
        })
    }

    /// A finding at a record.
    fn finding(&self, about: About, level: Level, record: usize) -> Finding {
        let place = self.index.entries()[record].place;
        let mut finding = Finding::new(about, level, place.line, place.offset);
        finding.record = uuid(self.index, record);
        finding
    }

    fn is_live(&self, record: usize) -> bool {
        self.live[record] || self.chain.boundary == Some(record)
    }

    /// A level for what counts; elsewhere it is a notice.
    fn level(&self, record: usize, level: Level) -> Level {
        match self.is_live(record) {
            true => level,
            false => Level::Notice,
        }
    }

    /// Whether a record can be part of a session's chain.
    fn is_main(&self, record: usize) -> bool {
        let entry = &self.index.entries()[record];
        entry.kind != Kind::Other
            && entry.uuid.is_some()
            && entry.flags.readable
            && !entry.flags.sidechain
    }

    /// The record's parent, as the file has it; records of progress stand for theirs.
    fn parent(&self, record: usize) -> Option<usize> {
        self.parents[record]
    }

    /// The record and those above it; of a circle each once.
    fn ancestors(&self, record: usize) -> impl Iterator<Item = usize> + '_ {
        let mut seen = FxHashSet::default();
        std::iter::successors(Some(record), |at| self.parent(*at))
            .take_while(move |at| seen.insert(*at))
    }

    /// Of each record, whether it or one above it is `wanted`. Each link is followed once.
    fn below(&self, wanted: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut found: Vec<bool> = (0..self.index.entries().len()).map(wanted).collect();
        let mut known = found.clone();
        let mut path = Vec::new();
        for record in 0..found.len() {
            let mut at = Some(record);
            // A circle comes back to its own path, which is known by then.
            while let Some(here) = at.filter(|at| !std::mem::replace(&mut known[*at], true)) {
                path.push(here);
                at = self.parent(here);
            }
            let is_found = at.is_some_and(|at| found[at]);
            for here in path.drain(..) {
                found[here] = is_found;
            }
        }
        found
    }

    fn is_below(&self, record: usize, above: usize) -> bool {
        self.ancestors(record).any(|at| at == above)
    }
}

/// The parent of each record, records of progress passed over.
fn parents(index: &Index) -> Vec<Option<usize>> {
    let entries = index.entries();
    let mut parents = vec![None; entries.len()];
    let mut known = vec![false; entries.len()];
    let mut path = Vec::new();
    for record in 0..entries.len() {
        let mut found = None;
        let mut at = Some(record);
        while let Some(here) = at {
            // A circle of progress leads nowhere.
            if std::mem::replace(&mut known[here], true) {
                found = parents[here];
                break;
            }
            path.push(here);
            let parent = entries[here].parent;
            found = parent.and_then(|parent| index.by_uuid(parent));
            at = parent
                .filter(|_| found.is_none())
                .and_then(|parent| index.progress(parent));
        }
        for here in path.drain(..) {
            parents[here] = found;
        }
    }
    parents
}
