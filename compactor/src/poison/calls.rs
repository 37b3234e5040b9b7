//! Loops of one call: the same tool with the same input fails, and does not succeed any more.

use std::hash::{Hash as _, Hasher as _};
use std::io;

use rustc_hash::{FxHashMap, FxHasher};

use super::finding::Finding;
use super::rule::{Rule, Severity};
use super::scene::Scene;
use crate::transcript::record::{Block, Content};
use crate::transcript::{Id, Source, Transcript};

/// So many failures are told.
const TOLD: usize = 3;
/// So many with one answer, in the last turns, show that the session is stuck.
const STUCK: usize = 5;
/// How many turns are the last ones.
const LAST_TURNS: usize = 2;

/// How results begin of calls that the user refused or stopped (fact I39): nothing failed.
const REFUSED_BY_USER: &str = "The user doesn't want";

/// A call with its result.
#[derive(Clone, Copy)]
struct Call {
    id: Id,
    at: usize,
    result: usize,
    failed: bool,
}

/// A result that failed.
struct Failure {
    call: usize,
    result: usize,
    text: String,
}

/// The failures of one input, back to its last success.
#[derive(Default)]
struct Open {
    failures: Vec<Failure>,
    closed: bool,
}

pub(super) fn find<S: Source>(
    scene: &Scene<'_>,
    transcript: &Transcript<S>,
) -> io::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for ((tool, _), calls) in alike(scene) {
        for failures in open_failures(scene, transcript, &calls)? {
            findings.extend(of(scene, scene.index.text(tool), &failures));
        }
    }
    Ok(findings)
}

/// The calls of each tool whose inputs are of one length, where enough of them failed.
fn alike(scene: &Scene<'_>) -> Vec<((Id, u32), Vec<Call>)> {
    let mut made: FxHashMap<Id, (Id, u32, usize)> = FxHashMap::default();
    let mut alike: FxHashMap<(Id, u32), Vec<Call>> = FxHashMap::default();
    for at in 0..scene.records.len() {
        for piece in scene.pieces(at) {
            let Some(id) = piece.tool else { continue };
            if scene.index.is(piece.kind, "tool_use") {
                made.extend(piece.name.map(|name| (id, (name, piece.chars, at))));
            } else if scene.index.is(piece.kind, "tool_result")
                && let Some((name, chars, call)) = made.remove(&id)
            {
                alike.entry((name, chars)).or_default().push(Call {
                    id,
                    at: call,
                    result: at,
                    failed: piece.is_error,
                });
            }
        }
    }
    let failed = |calls: &[Call]| calls.iter().filter(|call| call.failed).count();
    alike.retain(|_, calls| failed(calls) >= TOLD);
    alike.into_iter().collect()
}

/// Of each input the failures since its last success, where there are enough, in order.
fn open_failures<S: Source>(
    scene: &Scene<'_>,
    transcript: &Transcript<S>,
    calls: &[Call],
) -> io::Result<Vec<Vec<Failure>>> {
    let mut left = calls.iter().filter(|call| call.failed).count();
    // By input, from the last call back; closed once a success was met.
    let mut open: FxHashMap<u64, Open> = FxHashMap::default();
    for call in calls.iter().rev() {
        let still = open.values().filter(|open| !open.closed);
        let most = still.map(|open| open.failures.len()).max();
        if left + most.unwrap_or(0) < TOLD {
            break;
        }
        left -= usize::from(call.failed);
        let Some(input) = input(scene, transcript, call)? else {
            continue;
        };
        let known = open.entry(input).or_default();
        known.closed |= !call.failed;
        if known.closed {
            continue;
        }
        let text = answer(scene, transcript, call)?;
        if !text.starts_with(REFUSED_BY_USER) {
            known.failures.push(Failure {
                call: call.at,
                result: call.result,
                text,
            });
        }
    }
    let loops = open.into_values().map(|open| open.failures);
    let loops = loops.filter(|failures| failures.len() >= TOLD);
    Ok(loops
        .map(|mut failures| {
            failures.reverse();
            failures
        })
        .collect())
}

fn of(scene: &Scene<'_>, tool: &str, failures: &[Failure]) -> Option<Finding> {
    let (first, last) = (failures.first()?, failures.last()?);
    let same = failures
        .iter()
        .rev()
        .take_while(|failure| is_same(&failure.text, &last.text));
    let is_late = |failure: &&Failure| scene.turn(failure.call) + LAST_TURNS > scene.turns();
    let stuck = same.take_while(is_late).count() >= STUCK;
    let (severity, how) = match stuck {
        true => (Severity::Error, ", at last with one answer"),
        false => (Severity::Warning, ""),
    };
    let name: String = tool.chars().take(60).collect();
    let reason = format!(
        "{name} failed {} times with one input{how}, and did not succeed since",
        failures.len()
    );
    let mut finding = scene.finding(
        Rule::FailingCall,
        severity,
        first.result,
        reason,
        &first.text,
    );
    finding.count = failures.len();
    finding.trigger = first.call;
    Some(finding)
}

/// Whether two answers differ in numbers only, such as times.
fn is_same(one: &str, other: &str) -> bool {
    let words = |text: &'_ str| -> Vec<u8> {
        let bytes = text.bytes();
        bytes.filter(|byte| !byte.is_ascii_digit()).collect()
    };
    words(one) == words(other)
}

/// The input of a call, as its JSON's hash.
fn input<S: Source>(
    scene: &Scene<'_>,
    transcript: &Transcript<S>,
    call: &Call,
) -> io::Result<Option<u64>> {
    let id = scene.index.text(call.id);
    let Content::Blocks(blocks) = transcript.record(scene.entry(call.at))?.content else {
        return Ok(None);
    };
    Ok(blocks.into_iter().find_map(|block| match block {
        Block::ToolUse { id: of, input, .. } if of == id => {
            let mut hasher = FxHasher::default();
            input.get().hash(&mut hasher);
            Some(hasher.finish())
        }
        _ => None,
    }))
}

/// The longest part of an answer that is compared, in bytes.
const ANSWER: usize = 4_000;

/// The beginning of what a call answered.
fn answer<S: Source>(
    scene: &Scene<'_>,
    transcript: &Transcript<S>,
    call: &Call,
) -> io::Result<String> {
    let id = scene.index.text(call.id);
    let Content::Blocks(blocks) = transcript.record(scene.entry(call.result))?.content else {
        return Ok(String::new());
    };
    let content = blocks.into_iter().find_map(|block| match block {
        Block::ToolResult {
            id: of, content, ..
        } if of == id => Some(content),
        _ => None,
    });
    let mut text: String = content.iter().flat_map(Content::texts).collect();
    let mut end = text.len().min(ANSWER);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    Ok(text)
}
