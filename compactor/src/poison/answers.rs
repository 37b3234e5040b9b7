//! Answers that are none: refusals and errors of the service.

use std::io;

use memchr::memmem;
use serde::Deserialize;

use super::{Finding, Rule, Scene, Severity};
use crate::transcript::{Entry, Index, Kind, Source};

/// The keys in which a refusal stands (facts of transcript i05 and peers.md, "Poison").
#[derive(Debug, Default, Deserialize)]
struct Head {
    #[serde(default)]
    subtype: Option<String>,
    #[serde(default, rename = "apiRefusalCategory")]
    category: Option<String>,
    #[serde(default, rename = "isApiErrorMessage")]
    is_error: bool,
    #[serde(default)]
    error: serde_json::Value,
    #[serde(default)]
    message: Message,
    #[serde(default)]
    content: serde_json::Value,
}

#[derive(Debug, Default, Deserialize)]
struct Message {
    #[serde(default)]
    stop_reason: Option<String>,
    #[serde(default)]
    content: serde_json::Value,
}

impl Head {
    /// The first text.
    fn text(&self) -> &str {
        match (&self.message.content, &self.content) {
            (serde_json::Value::String(text), _) | (_, serde_json::Value::String(text)) => text,
            (serde_json::Value::Array(blocks), _) => blocks
                .iter()
                .find_map(|block| block.get("text")?.as_str())
                .unwrap_or_default(),
            _ => "",
        }
    }
}

/// Whether a record is an answer of the model, and no error in its place.
pub(super) fn is_sound(index: &Index, entry: &Entry) -> bool {
    entry.kind == Kind::Assistant && !entry.flags.api_error && !index.is(entry.model, "<synthetic>")
}

/// What an answer that is none tells.
struct Failure {
    rule: Rule,
    record: usize,
    turn: usize,
    evidence: String,
}

pub(super) fn find<S: Source>(scene: &Scene<'_, S>) -> io::Result<Vec<Finding>> {
    let mut findings: Vec<Finding> = Vec::new();
    // Failures since the last sound answer.
    let mut open: Vec<Failure> = Vec::new();
    for turn in &scene.turns {
        for record in turn.records.iter().copied() {
            match failure(scene, record, turn.number)? {
                Some(failure) => open.push(failure),
                None if is_sound(scene.index(), &scene.index().entries()[record]) => {
                    close(scene, std::mem::take(&mut open), true, &mut findings);
                }
                None => {}
            }
        }
    }
    close(scene, open, false, &mut findings);
    Ok(findings)
}

/// Tells of failures that stand together; `went_on` where the model answered behind them.
fn close<S: Source>(
    scene: &Scene<'_, S>,
    failures: Vec<Failure>,
    went_on: bool,
    findings: &mut Vec<Finding>,
) {
    for rule in Rule::ALL {
        let of_rule = failures.iter().filter(|failure| failure.rule == rule);
        let all: Vec<&Failure> = of_rule.collect();
        let Some((first, again)) = all.split_first() else {
            continue;
        };
        let severity = match rule {
            // What was refused stands in the talk, and would be refused again.
            Rule::Refusal if !went_on => Severity::Error,
            Rule::Refusal => Severity::Warning,
            // A carry-over holds no calls and no thoughts, and is short.
            _ if !went_on || again.len() > 1 => Severity::Warning,
            _ => Severity::Notice,
        };
        let evidence = first.evidence.clone();
        let mut finding = scene.finding(rule, severity, first.record, first.turn, evidence);
        finding.again = again
            .iter()
            .map(|failure| scene.line(failure.record))
            .collect();
        findings.push(finding);
    }
}

fn failure<S: Source>(
    scene: &Scene<'_, S>,
    record: usize,
    turn: usize,
) -> io::Result<Option<Failure>> {
    let index = scene.index();
    let entry = &index.entries()[record];
    let is_looked_at = match entry.kind {
        Kind::Assistant => true,
        Kind::System => entry
            .detail
            .is_some_and(|subtype| index.text(subtype).contains("refusal")),
        _ => false,
    };
    if !is_looked_at {
        return Ok(None);
    }
    let bytes = scene.transcript.bytes(entry)?;
    // Most answers are read no further.
    if !entry.flags.api_error && memmem::find(&bytes, b"efusal").is_none() {
        return Ok(None);
    }
    let Ok(head) = serde_json::from_slice::<Head>(&bytes) else {
        return Ok(None);
    };
    let told = told(&head);
    let Some((rule, what)) = told else {
        return Ok(None);
    };
    let text = crate::pipeline::short(head.text(), 120);
    let evidence = match text.is_empty() {
        true => what,
        false => format!("{what}: {text}"),
    };
    Ok(Some(Failure {
        rule,
        record,
        turn,
        evidence,
    }))
}

/// What the keys of a record tell. The words of an error are the service's or the client's own.
fn told(head: &Head) -> Option<(Rule, String)> {
    if let Some(category) = &head.category {
        return Some((Rule::Refusal, format!("apiRefusalCategory {category}")));
    }
    if head.message.stop_reason.as_deref() == Some("refusal") {
        return Some((Rule::Refusal, "stop_reason refusal".to_owned()));
    }
    let subtype = head.subtype.as_deref().unwrap_or_default();
    if subtype.contains("refusal") {
        return Some((Rule::Refusal, format!("subtype {subtype}")));
    }
    if !head.is_error {
        return None;
    }
    let text = head.text().to_ascii_lowercase();
    let error = match &head.error {
        serde_json::Value::String(error) => error.as_str(),
        error => error
            .get("type")
            .and_then(serde_json::Value::as_str)
            .unwrap_or("error"),
    };
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let rule = if has(&[
        "usage policy",
        "acceptable use",
        "refus",
        "policy violation",
        "violate our",
    ]) {
        Rule::Refusal
    } else if has(&["prompt is too long", "too long", "context window"]) {
        Rule::PromptTooLong
    } else if has(&["tool_use", "tool_result"]) {
        Rule::BrokenPairs
    } else if has(&["thinking", "signature"]) {
        Rule::ThoughtRefused
    } else {
        // Overload, limits of use, a broken line: nothing that stands in the talk.
        return None;
    };
    Some((rule, format!("API error, {error}")))
}
