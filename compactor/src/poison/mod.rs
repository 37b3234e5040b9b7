//! Poison: what in a session would come again, or would lead it on wrongly, if it were carried on.
//!
//! Each finding has its evidence: records of their own structure, such as a refusal by the service,
//! or something that is repeated. Words alone never make an error: to talk about refusals is no
//! refusal (docs/poison.md). Only what a resume of the session sends is looked at.

mod answers;
mod calls;
mod injected;
mod talk;

use std::io;

use serde::Serialize;

use crate::chain::{Chain, Resume};
use crate::transcript::{Index, Source, Transcript};
use crate::turns::{self, Turn};

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// To be known.
    Notice,
    /// It may lead the session on wrongly; a carry-over leaves its cause behind or tells of it.
    Warning,
    /// It would come again in a carry-over, which is refused therefore.
    Error,
}

/// What is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The service refused to answer.
    Refusal,
    /// The service found calls without results, or results without calls.
    BrokenPairs,
    /// The service did not take a thought back.
    ThoughtRefused,
    /// The service found the request too long, again and again.
    PromptTooLong,
    /// The same call failed again and again.
    FailingCall,
    /// The model said sorry, or agreed, in turn after turn.
    ApologyLoop,
    /// The user demands what they forbid.
    Contradiction,
    /// What a tool answered speaks to the model.
    InjectedInstruction,
    /// What a tool answered looks like a word of the client's.
    ForgedReminder,
}

impl Rule {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Refusal,
        Self::BrokenPairs,
        Self::ThoughtRefused,
        Self::PromptTooLong,
        Self::FailingCall,
        Self::ApologyLoop,
        Self::Contradiction,
        Self::InjectedInstruction,
        Self::ForgedReminder,
    ];

    /// Its name in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Refusal => "refusal",
            Self::BrokenPairs => "broken-pairs",
            Self::ThoughtRefused => "thought-refused",
            Self::PromptTooLong => "prompt-too-long",
            Self::FailingCall => "failing-call",
            Self::ApologyLoop => "apology-loop",
            Self::Contradiction => "contradiction",
            Self::InjectedInstruction => "injected-instruction",
            Self::ForgedReminder => "forged-reminder",
        }
    }
}

/// One thing that is found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// By which rule.
    pub rule: Rule,
    /// How much it matters.
    pub severity: Severity,
    /// The record's number in the index.
    #[serde(skip)]
    pub record: usize,
    /// The uuid of the record that shows it first.
    pub uuid: Option<String>,
    /// Its line, from 1.
    pub line: u32,
    /// Its turn, from 1.
    pub turn: usize,
    /// Lines that show it again.
    pub again: Vec<u32>,
    /// What was seen.
    pub evidence: String,
}

/// A record up to which all is well.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Safe {
    /// Its number in the index.
    #[serde(skip)]
    pub record: usize,
    /// Its uuid.
    pub uuid: Option<String>,
    /// Its line, from 1.
    pub line: u32,
    /// Its turn, from 1.
    pub turn: usize,
}

/// What is found in a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Poison {
    /// In the order of the session.
    pub findings: Vec<Finding>,
    /// The end of the last turn that was answered before the turn of the first error; none where
    /// there is no error, or no such turn.
    pub last_safe: Option<Safe>,
}

impl Poison {
    /// Whether a carry-over is to be refused.
    #[must_use]
    pub fn is_blocking(&self) -> bool {
        self.errors().next().is_some()
    }

    /// What blocks it.
    pub fn errors(&self) -> impl Iterator<Item = &Finding> {
        let findings = self.findings.iter();
        findings.filter(|finding| finding.severity == Severity::Error)
    }
}

/// What the rules look at.
struct Scene<'a, S> {
    transcript: &'a Transcript<S>,
    /// The turns, each with those of its records that a resume sends.
    turns: Vec<Turn>,
}

impl<S: Source> Scene<'_, S> {
    fn index(&self) -> &Index {
        self.transcript.index()
    }

    fn finding(
        &self,
        rule: Rule,
        severity: Severity,
        record: usize,
        turn: usize,
        evidence: String,
    ) -> Finding {
        let entry = &self.index().entries()[record];
        Finding {
            rule,
            severity,
            record,
            uuid: entry.uuid.map(|uuid| self.index().text(uuid).to_owned()),
            line: entry.place.line,
            turn,
            again: Vec::new(),
            evidence,
        }
    }

    fn line(&self, record: usize) -> u32 {
        self.index().entries()[record].place.line
    }
}

/// Looks for poison in what a resume of the session sends.
///
/// # Errors
///
/// When the transcript cannot be read.
pub fn examine<S: Source>(
    transcript: &Transcript<S>,
    chain: &Chain,
    client: &Resume,
) -> io::Result<Poison> {
    let index = transcript.index();
    let mut counts = vec![false; index.entries().len()];
    for record in &chain.records {
        counts[*record] = true;
    }
    let mut turns = turns::of(index, chain, client);
    for turn in &mut turns {
        turn.records
            .retain(|record| counts[*record] && !index.entries()[*record].flags.sidechain);
    }
    turns.retain(|turn| !turn.records.is_empty());
    let scene = Scene { transcript, turns };
    let mut findings = answers::find(&scene)?;
    findings.extend(calls::find(&scene)?);
    findings.extend(talk::find(&scene)?);
    findings.extend(injected::find(&scene)?);
    findings.sort_by_key(|finding| (finding.line, finding.rule));
    let first = findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| finding.turn)
        .min();
    Ok(Poison {
        last_safe: first.and_then(|turn| safe(&scene, turn)),
        findings,
    })
}

/// The end of the last turn before one that was answered.
fn safe<S: Source>(scene: &Scene<'_, S>, before: usize) -> Option<Safe> {
    let index = scene.index();
    let turns = scene.turns.iter().rev();
    let mut turns = turns.filter(|turn| turn.number < before);
    turns.find_map(|turn| {
        let is_answer = |record: &&usize| answers::is_sound(index, &index.entries()[**record]);
        let record = *turn.records.iter().rfind(is_answer)?;
        let entry = &index.entries()[record];
        Some(Safe {
            record,
            uuid: entry.uuid.map(|uuid| index.text(uuid).to_owned()),
            line: entry.place.line,
            turn: turn.number,
        })
    })
}
