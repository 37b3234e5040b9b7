//! The log of the client's events as a second witness.

use rustc_hash::{FxHashMap, FxHashSet};

use super::compare::{Comparison, Text, Verdict};
use super::loaded::{Loaded, file_hash};
use super::receipt::{Receipt, Witness};
use super::replay::Predicted;

/// What the log adds to a comparison.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogFinding {
    /// How many events of the session itself it holds.
    pub events: usize,
    /// Files that the transcript shows as received and the log does not name, though the client
    /// sends an event for them.
    pub not_logged: Vec<String>,
    /// Files that the log names and the transcript, which tells such texts, does not.
    pub only_logged: Vec<String>,
}

impl LogFinding {
    /// Whether log and transcript disagree.
    #[must_use]
    pub fn differs(&self) -> bool {
        !self.not_logged.is_empty() || !self.only_logged.is_empty()
    }
}

/// Puts the events of one session beside a comparison; those of its sub-agents do not count. Where the transcript tells nothing, the
/// events decide: which files, and with what bytes.
pub fn of_log(
    comparison: &mut Comparison,
    receipt: &mut Receipt,
    predicted: Option<&[Predicted]>,
    events: &[&Loaded],
) -> LogFinding {
    let own = events.iter().filter(|event| event.agent.is_none());
    let events: Vec<&Loaded> = own.copied().collect();
    let mut finding = LogFinding {
        events: events.len(),
        ..LogFinding::default()
    };
    if events.is_empty() {
        return finding;
    }
    let mut by_path: FxHashMap<&str, &Loaded> = FxHashMap::default();
    for event in &events {
        by_path.insert(&event.path, event);
    }
    let told = receipt.evidence;
    let tells = |at_start: bool| match at_start {
        true => told.start != Witness::None,
        false => told.reads != Witness::None,
    };
    let wanted = |text: &Text| text.predicted.zip(predicted).map(|(at, all)| &all[at]);
    for text in &mut comparison.texts {
        let event = by_path.get(text.path.as_str());
        let is_silent = wanted(text).is_some_and(|wanted| wanted.sends_no_event)
            || text.path.starts_with('<')
            || text.scope == Some(outcrop_loader::record::Scope::AutoMemory);
        if is_silent && event.is_none() {
            continue;
        }
        text.logged = Some(event.is_some());
        match (text.received.is_empty(), event) {
            (false, None) if wanted(text).is_some() => finding.not_logged.push(text.path.clone()),
            (true, Some(event)) => {
                let Some(wanted) = wanted(text) else { continue };
                if tells(wanted.at_start) {
                    finding.only_logged.push(text.path.clone());
                    continue;
                }
                text.verdict = match &event.hash {
                    Some(hash) if *hash == file_hash(wanted.source.as_bytes()) => Verdict::Equal,
                    Some(_) => Verdict::OtherContent,
                    None => Verdict::Loaded,
                };
            }
            (true, None) if text.verdict == Verdict::NoEvidence => text.verdict = Verdict::Missing,
            _ => {}
        }
    }
    let known: FxHashSet<String> = comparison
        .texts
        .iter()
        .map(|text| text.path.clone())
        .collect();
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    for event in &events {
        if known.contains(&event.path) || !seen.insert(&event.path) {
            continue;
        }
        if tells(event.read.is_none()) {
            finding.only_logged.push(event.path.clone());
        }
        let mut text = Text::only_logged(&event.path, super::receipt::scope(&event.scope));
        if predicted.is_none() {
            text.verdict = Verdict::Loaded;
        }
        comparison.texts.push(text);
    }
    for witness in [&mut receipt.evidence.start, &mut receipt.evidence.reads] {
        if *witness == Witness::None {
            *witness = Witness::Events;
        }
    }
    finding
}
