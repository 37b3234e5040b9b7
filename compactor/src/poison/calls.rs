//! Calls that failed again and again.

use std::io;

use rustc_hash::FxHashMap;

use super::{Finding, Rule, Scene, Severity};
use crate::pipeline::{Input, short};
use crate::transcript::record::{Block, Content};
use crate::transcript::{Id, Kind, Source};

/// So many failures of the same call, without a success, are a loop.
const FAILURES: usize = 3;

/// A call that fails.
#[derive(Default)]
struct Failing {
    records: Vec<usize>,
    turn: usize,
}

pub(super) fn find<S: Source>(scene: &Scene<'_, S>) -> io::Result<Vec<Finding>> {
    let index = scene.index();
    let mut calls: FxHashMap<Id, usize> = FxHashMap::default();
    let mut failing: FxHashMap<(String, String), Failing> = FxHashMap::default();
    let mut findings = Vec::new();
    for turn in &scene.turns {
        for record in turn.records.iter().copied() {
            let entry = &index.entries()[record];
            for piece in index.pieces(entry) {
                let Some(id) = piece.tool else { continue };
                if entry.kind == Kind::Assistant {
                    calls.insert(id, record);
                    continue;
                }
                // Calls are read only where one failed, or one that failed before may have worked.
                if !piece.is_error && failing.is_empty() {
                    continue;
                }
                let Some(call) = calls.get(&id) else { continue };
                let Some(made) = made(scene, *call, index.text(id))? else {
                    continue;
                };
                if !piece.is_error {
                    findings.extend(loop_of(scene, &made, failing.remove(&made)));
                    continue;
                }
                let failing = failing.entry(made).or_default();
                if failing.records.is_empty() {
                    failing.turn = turn.number;
                }
                failing.records.push(record);
            }
        }
    }
    let mut left: Vec<_> = failing.into_iter().collect();
    left.sort_by(|a, b| a.1.records.cmp(&b.1.records));
    for (made, failing) in left {
        findings.extend(loop_of(scene, &made, Some(failing)));
    }
    Ok(findings)
}

/// A call: its tool and its input as it is written.
fn made<S: Source>(
    scene: &Scene<'_, S>,
    record: usize,
    id: &str,
) -> io::Result<Option<(String, String)>> {
    let entry = &scene.index().entries()[record];
    let Content::Blocks(blocks) = scene.transcript.record(entry)?.content else {
        return Ok(None);
    };
    Ok(blocks.into_iter().find_map(|block| match block {
        Block::ToolUse {
            id: own,
            name,
            input,
        } if own == id => Some((name, input.get().to_owned())),
        _ => None,
    }))
}

fn loop_of<S: Source>(
    scene: &Scene<'_, S>,
    (tool, input): &(String, String),
    failing: Option<Failing>,
) -> Option<Finding> {
    let failing = failing.filter(|failing| failing.records.len() >= FAILURES)?;
    let times = failing.records.len();
    let input = Input::read(input);
    let target = input.target().map_or(String::new(), |target| {
        format!(" of `{}`", short(target, 60))
    });
    let evidence = format!("{tool}{target} failed {times} times alike");
    let (first, again) = failing.records.split_first()?;
    let mut finding = scene.finding(
        Rule::FailingCall,
        Severity::Warning,
        *first,
        failing.turn,
        evidence,
    );
    finding.again = again.iter().map(|record| scene.line(*record)).collect();
    Some(finding)
}
