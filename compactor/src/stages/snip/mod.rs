//! Snip: steps that nothing needs any more are taken out whole, call and result together.

mod needless;

use rustc_hash::FxHashMap;

use crate::conversation::Role;
use crate::pipeline::{
    Action, At, Budget, Calls, Change, Context, Held, HeldMessage, Recent, Stage, StageKind,
    Trigger, Why,
};
use needless::Needless;

/// Takes out reads of files that were read or changed later, failed calls that succeeded later,
/// calls that were repeated with the same result, and states that were told anew. A marker stands
/// for each run of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snip {
    /// Its switch.
    pub enabled: bool,
    /// From how many tokens on it works.
    pub trigger: Trigger,
    /// What is left alone at the end.
    pub recent: Recent,
}

impl Default for Snip {
    /// From the threshold on, as all stages behind the first (the analysis); the end as in
    /// [`Recent`] (ours).
    fn default() -> Self {
        Self {
            enabled: true,
            trigger: Trigger::Threshold,
            recent: Recent::default(),
        }
    }
}

/// Steps that go without anything staying between them.
#[derive(Debug)]
struct Run {
    /// The message in which its marker stands.
    message: usize,
    calls: Vec<Needless>,
}

impl Stage for Snip {
    fn kind(&self) -> StageKind {
        StageKind::Snip
    }

    fn enabled(&self) -> bool {
        self.enabled
    }

    fn is_due(&self, context: &Context<'_>, budget: &Budget) -> bool {
        self.trigger.is_reached(context.tokens(), budget)
    }

    fn apply(&self, context: &mut Context<'_>, _: &Budget) -> Vec<Change> {
        let calls = Calls::of(&context.messages);
        let recent = context.recent_from(self.recent);
        let held =
            |context: &Context<'_>, at: At| context.messages[at.message].blocks[at.block].protected;
        let mut gone = FxHashMap::default();
        let mut changes = Vec::new();
        for needless in needless::of(context, &calls) {
            let call = &calls.all()[needless.call];
            if call.result.message >= recent {
                continue;
            }
            let protected = [call.at, call.result]
                .into_iter()
                .filter_map(|at| held(context, at).map(|why| (at, why)));
            let protected: Vec<(At, Why)> = protected.collect();
            for (at, why) in &protected {
                let held = &context.messages[at.message].blocks[at.block];
                changes.push((*at, context.change(held, Action::Kept, *why)));
            }
            if protected.is_empty() {
                gone.insert(call.at, needless);
                gone.insert(call.result, needless);
            }
        }
        let mut markers = FxHashMap::default();
        for run in runs(&context.messages, &gone, &calls) {
            let text = marker(context, &calls, &run);
            let marker = context.text(StageKind::Snip, text);
            let tokens = |at: At| context.messages[at.message].blocks[at.block].tokens;
            let freed: u64 = run
                .calls
                .iter()
                .map(|needless| &calls.all()[needless.call])
                .map(|call| tokens(call.at) + tokens(call.result))
                .sum();
            if freed > marker.tokens {
                markers.insert(run.message, marker);
            } else {
                for needless in run.calls {
                    let call = &calls.all()[needless.call];
                    gone.remove(&call.at);
                    gone.remove(&call.result);
                }
            }
        }
        take_out(context, &gone, markers, &mut changes);
        changes.sort_by_key(|(at, _)| *at);
        changes.into_iter().map(|(_, change)| change).collect()
    }
}

/// Whether a message keeps anything once some blocks are gone; thoughts alone do not count.
fn keeps(number: usize, message: &HeldMessage, gone: &FxHashMap<At, Needless>) -> bool {
    let at = |block| At {
        message: number,
        block,
    };
    let mut blocks = message.blocks.iter().enumerate();
    let any_gone = (0..message.blocks.len()).any(|block| gone.contains_key(&at(block)));
    blocks.any(|(block, held)| !(gone.contains_key(&at(block)) || any_gone && held.is_thought()))
}

/// The runs of what goes: results between which nothing stays.
fn runs(messages: &[HeldMessage], gone: &FxHashMap<At, Needless>, calls: &Calls) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut open = false;
    for (number, message) in messages.iter().enumerate() {
        if message.role != Role::User {
            open = open && !keeps(number, message, gone);
            continue;
        }
        let at = |block| At {
            message: number,
            block,
        };
        let stays = |wants: fn(&Held) -> bool| {
            let mut blocks = message.blocks.iter().enumerate();
            blocks.any(|(block, held)| !gone.contains_key(&at(block)) && wants(held))
        };
        let results = (0..message.blocks.len()).filter_map(|block| {
            calls.answered_at(at(block))?;
            gone.get(&at(block)).copied()
        });
        let results: Vec<Needless> = results.collect();
        if results.is_empty() {
            open = open && message.blocks.is_empty();
            continue;
        }
        match runs.last_mut() {
            Some(run) if open && !stays(|held| held.answers().is_some()) => {
                run.calls.extend(results);
            }
            _ => runs.push(Run {
                message: number,
                calls: results,
            }),
        }
        open = !stays(|held| held.answers().is_none());
    }
    runs
}

/// What stands for a run: what it was, what it freed, where it is.
fn marker(context: &Context<'_>, calls: &Calls, run: &Run) -> String {
    let held = |at: At| &context.messages[at.message].blocks[at.block];
    let calls: Vec<_> = run
        .calls
        .iter()
        .map(|needless| &calls.all()[needless.call])
        .collect();
    let tokens: u64 = calls
        .iter()
        .map(|call| held(call.at).tokens + held(call.result).tokens)
        .sum();
    let lines = calls
        .iter()
        .flat_map(|call| [call.at, call.result])
        .filter_map(|at| Some(context.entry(held(at))?.place.line));
    let lines = crate::stages::place::lines(lines);
    let mut titles: Vec<String> = Vec::new();
    for call in &calls {
        let title = call.title(40);
        if !titles.contains(&title) {
            titles.push(title);
        }
        if titles.len() > 3 {
            titles.truncate(3);
            titles.push("…".to_owned());
            break;
        }
    }
    let steps = if calls.len() == 1 { "step" } else { "steps" };
    format!(
        "[{} needless {steps} taken out, {tokens} tokens: {}{lines}]",
        calls.len(),
        titles.join(", ")
    )
}

/// Takes blocks out, puts the markers in, and lets go of messages that hold nothing any more.
fn take_out(
    context: &mut Context<'_>,
    gone: &FxHashMap<At, Needless>,
    mut markers: FxHashMap<usize, Held>,
    changes: &mut Vec<(At, Change)>,
) {
    if gone.is_empty() {
        return;
    }
    let by_line = |needless: &Needless| {
        let held = &context.messages[needless.by.message].blocks[needless.by.block];
        context.entry(held).map(|entry| entry.place.line)
    };
    for (number, message) in context.messages.iter().enumerate() {
        let kept = keeps(number, message, gone);
        for (block, held) in message.blocks.iter().enumerate() {
            let at = At {
                message: number,
                block,
            };
            if let Some(needless) = gone.get(&at) {
                let mut change = context.change(held, Action::Dropped, needless.why);
                change.by_line = by_line(needless);
                changes.push((at, change));
            } else if !kept {
                changes.push((at, context.change(held, Action::Dropped, Why::LeftAlone)));
            }
        }
    }
    let messages = std::mem::take(&mut context.messages);
    let mut brought_together = false;
    for (number, mut message) in messages.into_iter().enumerate() {
        let had_blocks = !message.blocks.is_empty();
        if had_blocks && !keeps(number, &message, gone) {
            message.blocks.clear();
        } else {
            let mut block = 0;
            message.blocks.retain(|_| {
                block += 1;
                !gone.contains_key(&At {
                    message: number,
                    block: block - 1,
                })
            });
        }
        if let Some(marker) = markers.remove(&number) {
            // Results stand first in a message.
            let behind = message
                .blocks
                .iter()
                .rposition(|held| held.answers().is_some());
            let at = behind.map_or(0, |behind| behind + 1);
            message.blocks.insert(at, marker);
        }
        if had_blocks && message.blocks.is_empty() {
            brought_together = true;
            continue;
        }
        message.joins |= std::mem::take(&mut brought_together);
        context.messages.push(message);
    }
}
