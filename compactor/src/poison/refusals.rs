//! Refusals and errors of the service: by stop reasons, error flags and subtypes, never by what
//! anybody says.

use std::io;

use serde_json::Value;

use super::errors::{self, ErrorKind};
use super::finding::Finding;
use super::rule::{Rule, Severity};
use super::scene::Scene;
use crate::chain::is_boundary;
use crate::transcript::record::Content;
use crate::transcript::{Kind, Source, Transcript};
use crate::turns::is_prompt;

/// One refusal: the records of one request that show it.
struct Refusal {
    at: usize,
    /// Its last record.
    end: usize,
    /// What shows it, in a few words.
    shown: Vec<String>,
    text: String,
    /// The prompt that was refused, where a record names it.
    prompt: Option<usize>,
    /// Another model answered in its place.
    fell_back: bool,
}

/// Another error: where, and what it says.
struct Failure {
    at: usize,
    kind: ErrorKind,
    text: String,
}

/// Refusals in so many of the last turns are a loop, though answers stand between.
const TURNS: usize = 10;
const REFUSALS: usize = 3;
/// So many errors of one kind in a row are a loop.
const ERRORS: usize = 2;

pub(super) fn find<S: Source>(
    scene: &Scene<'_>,
    transcript: &Transcript<S>,
) -> io::Result<Vec<Finding>> {
    let (refusals, failures) = read(scene, transcript)?;
    let mut findings: Vec<Finding> = refusals
        .iter()
        .map(|refusal| of_one(scene, refusal))
        .collect();
    findings.extend(of_many(scene, &refusals));
    for (kind, rule) in [
        (ErrorKind::Pairing, Rule::ToolPairing),
        (ErrorKind::Thinking, Rule::ThinkingSignature),
        (ErrorKind::Length, Rule::PromptTooLong),
    ] {
        let of_kind: Vec<&Failure> = failures.iter().filter(|one| one.kind == kind).collect();
        let same = |one: &&Failure, other: &&Failure| {
            !(one.at..other.at).any(|between| scene.accepted(between))
        };
        for run in of_kind.chunk_by(same).filter(|run| run.len() >= ERRORS) {
            let (first, last) = (run[0], run[run.len() - 1]);
            let (severity, end) = match scene.went_on_behind(last.at) {
                true => (Severity::Notice, "; the session went on"),
                false => (rule.worst(), ", and no answer since"),
            };
            let reason = format!("{} times without an answer between{end}", run.len());
            let mut finding = scene.finding(rule, severity, first.at, reason, &first.text);
            finding.count = run.len();
            finding.trigger = scene.trigger(first.at);
            findings.push(finding);
        }
    }
    Ok(findings)
}

fn of_one(scene: &Scene<'_>, refusal: &Refusal) -> Finding {
    let went_on = scene.went_on_behind(refusal.end);
    let (severity, end) = match (refusal.fell_back, went_on) {
        (true, true) => (Severity::Notice, "; another model went on"),
        (true, false) => (Severity::Warning, "; another model was to go on"),
        (false, true) => (Severity::Warning, "; the session went on behind it"),
        (false, false) => (Severity::Error, ", and no answer since"),
    };
    let reason = format!("{}{end}", refusal.shown.join(", "));
    let mut finding = scene.finding(Rule::Refusal, severity, refusal.at, reason, &refusal.text);
    finding.trigger = trigger(scene, refusal);
    finding
}

/// What led to a refusal: what was new then, and at the latest the prompt that it names.
fn trigger(scene: &Scene<'_>, refusal: &Refusal) -> usize {
    let new = scene.trigger(refusal.at);
    refusal.prompt.map_or(new, |prompt| prompt.min(new))
}

/// Refusals that come again.
fn of_many(scene: &Scene<'_>, refusals: &[Refusal]) -> Option<Finding> {
    let hard: Vec<&Refusal> = refusals.iter().filter(|one| !one.fell_back).collect();
    let boundary = (0..scene.records.len())
        .rev()
        .find(|at| is_boundary(scene.index, scene.entry(*at)));
    let turns = scene.turns().saturating_sub(TURNS);
    let late = hard.iter().filter(|one| {
        scene.turn(one.at) > turns && boundary.is_none_or(|boundary| one.at > boundary)
    });
    let late: Vec<&Refusal> = late.copied().collect();
    let in_a_row = |one: &&Refusal, other: &&Refusal| {
        !(one.end..other.at).any(|between| scene.accepted(between))
    };
    let mut runs = hard.chunk_by(in_a_row).filter(|run| run.len() > 1);
    let run = runs.next_back();
    let (found, severity, how) = match run {
        Some(run)
            if run
                .last()
                .is_some_and(|last| !scene.went_on_behind(last.end)) =>
        {
            (
                run,
                Severity::Error,
                "times in a row, and no answer since".to_owned(),
            )
        }
        _ if late.len() >= REFUSALS => (
            &*late,
            Severity::Error,
            format!("times in the last {TURNS} turns"),
        ),
        Some(run) => (
            run,
            Severity::Warning,
            "times in a row; the session went on".to_owned(),
        ),
        None => return None,
    };
    let first = found.first()?;
    let reason = format!("{} {how}", found.len());
    let mut finding = scene.finding(
        Rule::RepeatedRefusals,
        severity,
        first.at,
        reason,
        &first.text,
    );
    finding.count = found.len();
    finding.trigger = trigger(scene, first);
    Some(finding)
}

/// The refusals and errors of a session. Records of one request are one refusal.
fn read<S: Source>(
    scene: &Scene<'_>,
    transcript: &Transcript<S>,
) -> io::Result<(Vec<Refusal>, Vec<Failure>)> {
    let mut refusals: Vec<Refusal> = Vec::new();
    let mut failures = Vec::new();
    let mut is_open = false;
    for at in 0..scene.records.len() {
        let entry = scene.entry(at);
        let is_result = || {
            let mut pieces = scene.pieces(at).iter();
            pieces.any(|piece| scene.index.is(piece.kind, "tool_result"))
        };
        if scene.accepted(at)
            || entry.kind == Kind::User && (is_prompt(scene.index, entry) || is_result())
        {
            is_open = false;
        }
        let subtype = entry.detail.map_or("", |detail| scene.index.text(detail));
        let note = match (entry.kind, subtype) {
            (Kind::System, "model_refusal_no_fallback") => Some(false),
            (Kind::System, "model_refusal_fallback") => Some(true),
            _ => None,
        };
        let is_error = entry.kind == Kind::Assistant && entry.flags.api_error;
        let is_stop = entry.kind == Kind::Assistant && entry.flags.refused;
        if note.is_none() && !is_error && !is_stop {
            continue;
        }
        let told = Told::of(transcript, scene.records[at])?;
        let kind = errors::kind(&told.text);
        if note.is_none() && !is_stop && kind != Some(ErrorKind::Policy) {
            failures.extend(kind.map(|kind| Failure {
                at,
                kind,
                text: told.text,
            }));
            continue;
        }
        let by = match (note, is_stop) {
            (Some(_), _) => subtype,
            (None, true) => "stop reason refusal",
            (None, false) => "an API error about policy",
        };
        let mut shown = vec![by.to_owned()];
        shown.extend(told.category.map(|category| format!("category {category}")));
        let prompt = told.prompt.and_then(|uuid| scene.place_of(&uuid));
        match refusals.last_mut().filter(|_| is_open) {
            Some(refusal) => {
                refusal.end = at;
                refusal.fell_back &= note == Some(true);
                refusal.prompt = refusal.prompt.or(prompt);
                let known = std::mem::take(&mut refusal.shown);
                let more = shown.into_iter().filter(|part| !known.contains(part));
                refusal.shown = known.iter().cloned().chain(more).collect();
                if refusal.text.is_empty() {
                    refusal.text = told.text;
                }
            }
            None => refusals.push(Refusal {
                at,
                end: at,
                shown,
                text: told.text,
                prompt,
                fell_back: note == Some(true),
            }),
        }
        is_open = true;
    }
    Ok((refusals, failures))
}

/// What a record says of a refusal or an error.
struct Told {
    text: String,
    category: Option<String>,
    prompt: Option<String>,
}

impl Told {
    fn of<S: Source>(transcript: &Transcript<S>, record: usize) -> io::Result<Self> {
        let entry = &transcript.index().entries()[record];
        let read = transcript.record(entry)?;
        let mut text = match read.content {
            Content::Missing => read.system_text.unwrap_or_default(),
            content => content.texts().collect::<Vec<_>>().join(" "),
        };
        let json: Value = serde_json::from_str(&transcript.json(entry)?).unwrap_or_default();
        let at = |path: &str| json.pointer(path).and_then(Value::as_str);
        let first = |paths: &[&str]| paths.iter().find_map(|path| at(path)).map(str::to_owned);
        if text.is_empty() {
            let explained = first(&[
                "/apiRefusalExplanation",
                "/message/stop_details/explanation",
            ]);
            text = explained.unwrap_or_default();
        }
        // A category is a word; what is longer is none.
        let category = first(&["/apiRefusalCategory", "/message/stop_details/category"]);
        Ok(Self {
            text,
            category: category.filter(|category| {
                let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
                category.len() <= 40 && category.chars().all(is_part)
            }),
            prompt: first(&["/refusedUserMessageUuid"]),
        })
    }
}
