//! What a list tells of one session.

use std::io;

use outcrop_loader::client::{Client, Counting};
use rustc_hash::FxHashSet;
use serde::Serialize;

use super::agents::{AgentId, owner};
use super::health::Health;
use super::title::Title;
use crate::chain::{Chain, is_boundary};
use crate::transcript::{Entry, Kind, Source, Transcript, Usage};
use crate::{turns, window};

/// What a list tells of one session, from its transcript alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Survey {
    /// What it is called; none where nobody said anything.
    pub title: Option<Title>,
    /// Its records, each line that holds one.
    pub records: usize,
    /// Prompts on the branch that a resume goes on with, over all compactions.
    pub turns: usize,
    /// The model's answers in the file; records with one message id are one (bug B143).
    pub answers: usize,
    /// Compactions: `compact_boundary` records, nothing else (bug B095).
    pub compactions: usize,
    /// Records of sub-agents in the session's own file, as older clients wrote them.
    pub inline_agent_records: usize,
    /// How much the next request begins with; none where there is nothing to resume.
    pub context: Option<Context>,
    /// Whether it can be gone on with.
    pub health: Health,
    /// The time of its first record, in milliseconds since 1970.
    #[serde(serialize_with = "super::time::serialize")]
    pub started: Option<i64>,
    /// The time of its last record.
    #[serde(serialize_with = "super::time::serialize")]
    pub ended: Option<i64>,
    /// The model of the last answer.
    pub model: Option<String>,
    /// The version of the client that wrote last.
    pub version: Option<String>,
    /// The directory in which it began.
    pub cwd: Option<String>,
    /// Whose work it is, where the file is a sub-agent's and no session (bug B144).
    #[serde(skip)]
    pub agent: Option<AgentId>,
}

/// The size of a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Context {
    /// What the last request sent, from cache or not (bug B089).
    pub sent: u64,
    /// What it was answered.
    pub output: u64,
    /// Both, with which the next request begins (fact C4.4).
    pub total: u64,
    /// How it is known.
    pub measure: Measure,
}

/// How a number of tokens is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// The service reported it.
    Usage,
    /// Four characters a token, as the client has it where no answer reports any (fact C4.7).
    Estimate,
}

impl Survey {
    /// Looks over a transcript whose chain is `chain` as `client` has it.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn of<S: Source>(
        transcript: &Transcript<S>,
        chain: &Chain,
        client: &Client,
    ) -> io::Result<Self> {
        let index = transcript.index();
        let entries = index.entries();
        let text = |of: &dyn Fn(&Entry) -> Option<crate::transcript::Id>, last: bool| {
            let found = match last {
                true => entries.iter().rev().find_map(of),
                false => entries.iter().find_map(of),
            };
            found.map(|id| index.text(id).to_owned())
        };
        let talk = entries.iter().filter(|entry| entry.kind != Kind::Other);
        let times: Vec<i64> = talk.filter_map(|entry| entry.time).collect();
        let answered = |entry: &&Entry| {
            entry.kind == Kind::Assistant
                && !entry.flags.sidechain
                && !index.is(entry.model, "<synthetic>")
        };
        let answers = entries.iter().filter(answered);
        let mut messages = FxHashSet::default();
        let is_new = |entry: &&Entry| entry.message.is_none_or(|id| messages.insert(id));
        let boundaries = (0..entries.len()).filter(|record| {
            is_boundary(index, &entries[*record])
                && index.counts(*record)
                && !entries[*record].flags.sidechain
        });
        let turns = turns::of(index, chain, &client.behaviour.resume);
        Ok(Self {
            title: Title::of(transcript)?,
            records: entries.len(),
            turns: turns.iter().filter(|turn| turn.prompt.is_some()).count(),
            answers: answers.filter(is_new).count(),
            compactions: boundaries.count(),
            inline_agent_records: entries.iter().filter(|entry| entry.flags.sidechain).count(),
            context: Context::of(transcript, chain, &client.behaviour.counting),
            health: Health::of(index, chain),
            started: times.iter().min().copied(),
            ended: times.iter().max().copied(),
            model: text(&|entry| entry.model.filter(|_| answered(&entry)), true),
            version: text(&|entry| entry.version, true),
            cwd: text(&|entry| entry.cwd, false),
            agent: owner(index),
        })
    }
}

impl Context {
    /// The size of the context that a resume goes on with.
    #[must_use]
    pub fn of<S: Source>(
        transcript: &Transcript<S>,
        chain: &Chain,
        counting: &Counting,
    ) -> Option<Self> {
        if chain.refused.is_some() || chain.records.is_empty() {
            return None;
        }
        let index = transcript.index();
        let anchor = window::anchor(&counted(transcript, chain), counting);
        if let Some(anchor) = anchor {
            let usage = anchor.usage;
            return Some(Self {
                sent: usage.total().saturating_sub(usage.output),
                output: usage.output,
                total: usage.total(),
                measure: Measure::Usage,
            });
        }
        let units = chain.records.iter().map(|record| {
            let entry = &index.entries()[*record];
            let pieces = index.pieces(entry).iter();
            u64::from(entry.chars) + pieces.map(|piece| u64::from(piece.chars)).sum::<u64>()
        });
        let tokens = units.sum::<u64>().div_ceil(4);
        Some(Self {
            sent: tokens,
            output: 0,
            total: tokens,
            measure: Measure::Estimate,
        })
    }
}

/// The usage of messages that a boundary kept: theirs is of a context that is gone.
const GONE: Usage = Usage {
    input: 0,
    cache_creation: 0,
    cache_read: 0,
    output: 0,
};

/// The records of a context as far as the anchor is concerned.
pub(crate) fn counted<'t, S: Source>(
    transcript: &'t Transcript<S>,
    chain: &Chain,
) -> Vec<window::Counted<'t>> {
    let index = transcript.index();
    let kept: FxHashSet<usize> = chain.kept.iter().copied().collect();
    let records = chain.records.iter().map(|record| {
        let entry = &index.entries()[*record];
        if entry.kind != Kind::Assistant || index.is(entry.model, "<synthetic>") {
            return window::Counted::default();
        }
        let is_kept = kept.contains(record);
        let usage = match is_kept {
            true => entry.usage.as_ref().map(|_| &GONE),
            false => entry.usage.as_ref(),
        };
        window::Counted {
            message: entry.message.map(|id| index.text(id)),
            usage,
            last_round: index.last_round(*record).filter(|_| !is_kept),
        }
    });
    records.collect()
}
