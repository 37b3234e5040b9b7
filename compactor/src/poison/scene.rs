//! What the rules look at: the session's records in order, its turns, and where the model answered.

use std::io;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Boundary;
use super::finding::{Finding, excerpt};
use super::rule::{Rule, Severity};
use crate::chain::{Chain, Resume, is_boundary};
use crate::transcript::{Entry, Id, Index, Kind, Piece, Record, Source, Transcript};
use crate::turns::{self, Turn};

/// A session. Places are numbers in `records`.
pub(super) struct Scene<'a> {
    pub(super) index: &'a Index,
    /// From the session's start to its leaf, compactions gone back over.
    pub(super) records: Vec<usize>,
    /// Whether the model answered with a record.
    pub(super) answers: Vec<bool>,
    /// The last place at which the service accepted what it was sent: an answer or a compaction.
    last_accepted: Option<usize>,
    /// Of each place what was new to the service there.
    triggers: Vec<usize>,
    /// The places of prompts, by record.
    places: FxHashMap<usize, usize>,
    turns: Vec<Turn>,
    /// Where each turn begins, in order.
    starts: Vec<usize>,
}

impl<'a> Scene<'a> {
    pub(super) fn of(index: &'a Index, chain: &Chain, client: &Resume) -> Self {
        let turns = turns::of(index, chain, client);
        let mut starts = Vec::with_capacity(turns.len());
        let mut records = Vec::new();
        for turn in &turns {
            starts.push(records.len());
            records.extend_from_slice(&turn.records);
        }
        let entries = index.entries();
        let refused: FxHashSet<Id> = records
            .iter()
            .filter(|record| entries[**record].flags.refused)
            .filter_map(|record| entries[*record].message)
            .collect();
        let answered = |record: &usize| {
            let entry = &entries[*record];
            is_answer(index, entry) && entry.message.is_none_or(|id| !refused.contains(&id))
        };
        let answers: Vec<bool> = records.iter().map(answered).collect();
        let mut scene = Self {
            index,
            records,
            answers,
            last_accepted: None,
            triggers: Vec::new(),
            places: FxHashMap::default(),
            turns,
            starts,
        };
        let mut new = None;
        for at in 0..scene.records.len() {
            scene.triggers.push(new.unwrap_or(at));
            if scene.accepted(at) {
                scene.last_accepted = Some(at);
                new = None;
            } else if scene.entry(at).kind == Kind::User {
                new = new.or(Some(at));
            }
        }
        let prompts = scene.turns.iter().zip(&scene.starts);
        scene.places = prompts
            .filter_map(|(turn, start)| {
                let prompt = turn.prompt?;
                let place = turn.records.iter().position(|record| *record == prompt)?;
                Some((prompt, start + place))
            })
            .collect();
        scene
    }

    pub(super) fn entry(&self, at: usize) -> &'a Entry {
        &self.index.entries()[self.records[at]]
    }

    pub(super) fn pieces(&self, at: usize) -> &'a [Piece] {
        self.index.pieces(self.entry(at))
    }

    /// Whether the service accepted what it was sent until then: it answered, or a summary was
    /// made of it.
    pub(super) fn accepted(&self, at: usize) -> bool {
        self.answers[at] || is_boundary(self.index, self.entry(at))
    }

    /// Whether it did so later than a place.
    pub(super) fn went_on_behind(&self, at: usize) -> bool {
        self.last_accepted.is_some_and(|last| last > at)
    }

    /// What was new to the service at a place: the first record behind the last answer before it.
    pub(super) fn trigger(&self, at: usize) -> usize {
        self.triggers[at]
    }

    /// The place of the record of a uuid.
    pub(super) fn place_of(&self, uuid: &str) -> Option<usize> {
        let record = self.index.by_uuid(self.index.find(uuid)?)?;
        self.places.get(&record).copied()
    }

    /// The number of turns.
    pub(super) fn turns(&self) -> usize {
        self.turns.len()
    }

    /// The turn of a place, from 1.
    pub(super) fn turn(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at)
    }

    pub(super) fn finding(
        &self,
        rule: Rule,
        severity: Severity,
        at: usize,
        reason: String,
        text: &str,
    ) -> Finding {
        let entry = self.entry(at);
        Finding {
            rule,
            severity,
            record: self.uuid(at).map(str::to_owned),
            line: entry.place.line,
            turn: Some(self.turn(at)).filter(|turn| *turn > 0),
            reason,
            excerpt: excerpt(text),
            count: 1,
            at,
            trigger: at,
        }
    }

    fn uuid(&self, at: usize) -> Option<&'a str> {
        let uuid = self.entry(at).uuid.map(|uuid| self.index.text(uuid));
        uuid.filter(|uuid| !uuid.is_empty())
    }

    /// The end of the last complete turn that ends before a place.
    pub(super) fn safe_before(&self, trigger: usize) -> Option<Boundary> {
        let ends = self.starts.iter().skip(1).copied();
        let ends = ends.chain([self.records.len()]);
        let places = self.starts.iter().copied().zip(ends);
        let turns: Vec<_> = self.turns.iter().zip(places).collect();
        for (turn, (start, end)) in turns.into_iter().rev() {
            if end > trigger || !self.is_complete(start, end) {
                continue;
            }
            let last = turn.last(self.index)?;
            let mut places = (start..end).rev();
            let places = places.by_ref().skip_while(|at| self.records[*at] != last);
            let mut named = places.filter_map(|at| Some((at, self.uuid(at)?)));
            if let Some((at, uuid)) = named.next() {
                return Some(Boundary {
                    record: self.records[at],
                    uuid: uuid.to_owned(),
                    line: self.entry(at).place.line,
                    turn: turn.number,
                });
            }
        }
        None
    }

    /// Whether the model answered in a turn, and all of its calls have results there.
    fn is_complete(&self, start: usize, end: usize) -> bool {
        let mut open: FxHashSet<Id> = FxHashSet::default();
        for at in start..end {
            for piece in self.pieces(at) {
                let Some(tool) = piece.tool else { continue };
                if self.index.is(piece.kind, "tool_use") {
                    open.insert(tool);
                } else if self.index.is(piece.kind, "tool_result") {
                    open.remove(&tool);
                }
            }
        }
        open.is_empty() && self.answers[start..end].contains(&true)
    }
}

/// Whether the model said or called something with a record: no error that the client wrote in its
/// place, no refusal.
fn is_answer(index: &Index, entry: &Entry) -> bool {
    let says = |piece: &Piece| index.is(piece.kind, "text") || index.is(piece.kind, "tool_use");
    entry.kind == Kind::Assistant
        && !entry.flags.api_error
        && !entry.flags.refused
        && !index.is(entry.model, "<synthetic>")
        && index.pieces(entry).iter().any(says)
}

/// Reads records one by one into one buffer.
pub(super) struct Reader<'a, S> {
    transcript: &'a Transcript<S>,
    bytes: Vec<u8>,
}

impl<'a, S: Source> Reader<'a, S> {
    pub(super) fn of(transcript: &'a Transcript<S>) -> Self {
        Self {
            transcript,
            bytes: Vec::new(),
        }
    }

    /// The bytes of a record's JSON.
    pub(super) fn bytes(&mut self, entry: &Entry) -> io::Result<&[u8]> {
        let length = entry.place.length as usize;
        if self.bytes.len() < length {
            self.bytes.resize(length, 0);
        }
        let bytes = &mut self.bytes[..length];
        self.transcript
            .source()
            .read_at(entry.place.offset, bytes)?;
        Ok(bytes)
    }

    pub(super) fn record(&self, entry: &Entry) -> io::Result<Record> {
        self.transcript.record(entry)
    }
}
