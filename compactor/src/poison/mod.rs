//! Whether a session may be carried on: refusals, loops, contradictions, and orders from texts
//! that were only shown.
//!
//! [`examine`] goes through the session that a chain belongs to, from its start, and gives
//! findings with their evidence. Only what records show by themselves (a stop reason, an error
//! flag, a subtype), or repeat, is an error: a talk about refusals is no refusal. Records are read
//! one by one, and only those whose words a rule asks for.

mod calls;
mod demands;
mod errors;
mod finding;
mod refusals;
mod rule;
mod scene;
mod shown;
mod stems;
mod talk;

use std::io;

use outcrop_loader::client::Client;
use serde::Serialize;

use crate::chain::Chain;
use crate::transcript::{Kind, Source, Transcript};
use crate::turns::is_prompt;

use scene::{Reader, Scene};

pub use finding::Finding;
pub use rule::{Rule, Severity};

/// What speaks against carrying a session on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Poison {
    /// What was found, in the order of the session.
    pub findings: Vec<Finding>,
    /// Where the session was still sound: the end of the last complete turn before that which led
    /// to the first error. None without an error, and where there is no such turn.
    pub last_safe: Option<Boundary>,
}

/// A record up to which, and with which, a session is sound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Boundary {
    /// Its number in the index.
    #[serde(skip)]
    pub record: usize,
    /// Its uuid.
    #[serde(rename = "record")]
    pub uuid: String,
    /// Its line, from 1.
    pub line: u32,
    /// The turn that it ends, from 1.
    pub turn: usize,
}

impl Poison {
    /// Whether the session must not be carried over as it is: what is wrong would come again.
    #[must_use]
    pub fn is_blocking(&self) -> bool {
        self.blocking().next().is_some()
    }

    /// What keeps it from being carried over.
    pub fn blocking(&self) -> impl Iterator<Item = &Finding> {
        let findings = self.findings.iter();
        findings.filter(|found| found.severity == Severity::Error && !found.rule.is_left_behind())
    }

    /// The worst of the findings.
    #[must_use]
    pub fn severity(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).max()
    }
}

/// Looks for what speaks against carrying on the session that `chain` belongs to.
///
/// # Errors
///
/// When the source cannot be read.
pub fn examine<S: Source>(
    transcript: &Transcript<S>,
    chain: &Chain,
    client: &Client,
) -> io::Result<Poison> {
    let scene = Scene::of(transcript.index(), chain, &client.behaviour.resume);
    let mut reader = Reader::of(transcript);
    let mut findings = refusals::find(&scene, transcript)?;
    findings.extend(calls::find(&scene, transcript)?);
    findings.extend(shown::hooks(&scene));
    let mut talk = talk::Talk::default();
    let mut demands = demands::Demands::default();
    for (at, record) in scene.records.iter().enumerate() {
        let entry = &scene.index.entries()[*record];
        match entry.kind {
            Kind::Assistant if scene.answers[at] => talk.take(&scene, &mut reader, at)?,
            Kind::User if is_prompt(scene.index, entry) => {
                demands.take(&scene, &mut reader, at)?;
                findings.extend(shown::in_prompt(&scene, &mut reader, at)?);
            }
            Kind::User => findings.extend(shown::in_results(&scene, &mut reader, at)?),
            Kind::Attachment => findings.extend(shown::in_attachment(&scene, &mut reader, at)?),
            _ => {}
        }
    }
    findings.extend(talk.found(&scene));
    findings.extend(demands.found);
    findings.sort_by_key(|finding| (finding.at, finding.rule));
    let errors = findings.iter();
    let first = errors
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| finding.trigger.min(finding.at))
        .min();
    Ok(Poison {
        last_safe: first.and_then(|trigger| scene.safe_before(trigger)),
        findings,
    })
}
