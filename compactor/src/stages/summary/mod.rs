//! Summary: what is still too much becomes one text, the newest messages stay.

mod extract;

use std::fmt;

use crate::conversation::{Block, Message, Role};
use crate::pipeline::{
    Action, Boundary, Budget, Change, Context, Held, HeldMessage, Stage, StageKind, Trigger, Why,
    holds, tokens_of,
};
use crate::transcript::{Index, Kind};

pub use extract::{Extracted, Extractive, extract};

/// What a summary is made of.
pub struct ToSummarise<'a> {
    /// The messages for which it will stand.
    pub messages: &'a [HeldMessage],
    /// Where their records stand.
    pub index: &'a Index,
    /// Pins in these messages. What of them the summary lacks is added to it.
    pub pins: Vec<&'a str>,
    /// About how many tokens it may have.
    pub limit: u64,
    /// The last request stays beside the summary, and needs no place in it.
    pub request_stays: bool,
}

/// Makes the text of a summary.
pub trait Summariser: fmt::Debug {
    /// The text.
    fn summarise(&self, request: &ToSummarise<'_>) -> String;
}

/// A summary that is there already: recorded in a transcript, read from a file, or printed by a
/// program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given(pub String);

impl Summariser for Given {
    fn summarise(&self, _: &ToSummarise<'_>) -> String {
        self.0.clone()
    }
}

/// What is put behind the kept messages, made from the state of the session (paper.md 3.1).
#[derive(Debug, Clone, Default)]
pub struct After {
    /// Attachments: files, plans, skills.
    pub attachments: Vec<Message>,
    /// What hooks said.
    pub hook_results: Vec<Message>,
}

/// Puts a summary in the place of all but the newest messages.
#[derive(Debug)]
pub struct Summary {
    /// Its switch.
    pub enabled: bool,
    /// From how many tokens on it works.
    pub trigger: Trigger,
    /// How many of the last rounds stay verbatim, with what follows them. If the context is too
    /// large even so, none does.
    pub keep_rounds: usize,
    /// About how many tokens the summary has.
    pub limit: u64,
    /// What makes the text: [`Extractive`], unless another is given.
    pub summariser: Box<dyn Summariser>,
    /// What is put behind.
    pub after: After,
}

impl Default for Summary {
    /// From the threshold on; the last round stays (fact C5.2: the analysis keeps messages, but
    /// tells no number). Some 4,000 tokens of text (ours).
    fn default() -> Self {
        Self {
            enabled: true,
            trigger: Trigger::Threshold,
            keep_rounds: 1,
            limit: 4_000,
            summariser: Box::new(Extractive::default()),
            after: After::default(),
        }
    }
}

/// A summarised context, before it takes the place of the other.
struct Plan {
    /// The first message that stays.
    kept_from: usize,
    summary: Held,
    tokens: u64,
}

impl Stage for Summary {
    fn kind(&self) -> StageKind {
        StageKind::Summary
    }

    fn enabled(&self) -> bool {
        self.enabled
    }

    /// A context that was summarised is not summarised again.
    fn is_due(&self, context: &Context<'_>, budget: &Budget) -> bool {
        context.boundary.is_none() && self.trigger.is_reached(context.tokens(), budget)
    }

    fn apply(&self, context: &mut Context<'_>, budget: &Budget) -> Vec<Change> {
        let before = context.tokens();
        let after = self.held(context);
        let added: u64 = after.iter().map(tokens_of).sum();
        let mut rounds = vec![self.keep_rounds];
        if self.keep_rounds > 0 {
            rounds.push(0);
        }
        let plans = rounds
            .into_iter()
            .filter_map(|rounds| self.plan(context, rounds, added));
        let plans: Vec<Plan> = plans.filter(|plan| plan.tokens < before).collect();
        let fits = plans.iter().position(|plan| !budget.is_over(plan.tokens));
        // Where none fits, the one that keeps most.
        let Some(plan) = plans.into_iter().nth(fits.unwrap_or(0)) else {
            return Vec::new();
        };
        put(context, plan, after, before)
    }
}

impl Summary {
    /// The messages behind the kept ones.
    fn held(&self, context: &mut Context<'_>) -> Vec<HeldMessage> {
        let messages = self
            .after
            .attachments
            .iter()
            .chain(&self.after.hook_results);
        let mut after = Vec::new();
        for message in messages {
            let blocks = message.blocks.iter().map(|placed| Held {
                tokens: context.size(&placed.block),
                block: placed.block.clone(),
                from: placed.from,
                made: Some(StageKind::Summary),
                protected: None,
                fold: None,
            });
            after.push(HeldMessage {
                role: message.role,
                blocks: blocks.collect(),
                joins: true,
            });
        }
        after
    }

    /// How the context would be with so many rounds kept and `added` tokens behind them; nothing
    /// where nothing is left to summarise.
    fn plan(&self, context: &mut Context<'_>, rounds: usize, added: u64) -> Option<Plan> {
        let kept_from = kept_from(&context.messages, rounds);
        let (head, tail) = context.messages.split_at(kept_from);
        let head_blocks = || head.iter().flat_map(|message| &message.blocks);
        if !head_blocks().any(|held| !stays(held)) {
            return None;
        }
        let pins = context.pins().iter().map(String::as_str);
        let pins: Vec<&str> = pins
            .filter(|pin| head_blocks().any(|held| !stays(held) && holds(&held.block, pin)))
            .collect();
        let unfolded = unfolded(head, context);
        let request = ToSummarise {
            messages: unfolded.as_deref().unwrap_or(head),
            index: context.index(),
            pins: pins.clone(),
            limit: self.limit,
            request_stays: true,
        };
        let text = with_pins(self.summariser.summarise(&request), &pins);
        let stay: u64 = head_blocks()
            .filter(|held| stays(held))
            .map(|held| held.tokens)
            .sum();
        let kept: u64 = tail.iter().map(tokens_of).sum();
        let summary = context.text(StageKind::Summary, text);
        let tokens = context.fixed() + stay + summary.tokens + kept + added;
        Some(Plan {
            kept_from,
            summary,
            tokens,
        })
    }
}

/// Whether a block before the boundary stays although its message goes: the last request does,
/// and what the client makes anew.
fn stays(held: &Held) -> bool {
    held.is_anew() || held.protected == Some(Why::LastRequest)
}

/// The messages with what was folded, if anything was: a summary is made of the whole.
fn unfolded(messages: &[HeldMessage], context: &Context<'_>) -> Option<Vec<HeldMessage>> {
    let fold = |message: &HeldMessage| {
        let id = message.blocks.first()?.fold.as_ref()?;
        context.folds.get(id)
    };
    if !messages.iter().any(|message| fold(message).is_some()) {
        return None;
    }
    let whole = messages.iter().flat_map(|message| match fold(message) {
        Some(fold) => fold.messages(),
        None => vec![message.clone()],
    });
    Some(whole.collect())
}

/// A summary in which every pin stands.
pub(crate) fn with_pins(mut text: String, pins: &[&str]) -> String {
    let missing: Vec<&str> = pins
        .iter()
        .filter(|pin| !text.contains(**pin))
        .copied()
        .collect();
    if !missing.is_empty() {
        text.push_str("\n\nPinned:\n");
        text.push_str(&missing.join("\n"));
    }
    text
}

/// The first of the messages that hold the last rounds and what follows them. Results stay with
/// their calls.
fn kept_from(messages: &[HeldMessage], rounds: usize) -> usize {
    let answers = messages.iter().enumerate().rev();
    let mut answers = answers.filter(|(_, message)| message.is_answer());
    let mut from = match rounds.checked_sub(1) {
        Some(before) => answers.nth(before).map_or(0, |(number, _)| number),
        // What follows the last answer, if it is no result.
        None => answers.next().map_or(0, |(number, _)| number + 1),
    };
    let results = |messages: &[HeldMessage]| -> Vec<String> {
        let blocks = messages.iter().flat_map(|message| &message.blocks);
        blocks
            .filter_map(|held| held.answers().map(str::to_owned))
            .collect()
    };
    if rounds == 0 {
        while from < messages.len() && !results(&messages[from..=from]).is_empty() {
            from += 1;
        }
    }
    let wanted = results(&messages[from..]);
    let is_wanted = |message: &HeldMessage| {
        let mut blocks = message.blocks.iter();
        blocks.any(|held| {
            held.call()
                .is_some_and(|id| wanted.iter().any(|of| of == id))
        })
    };
    match messages[..from].iter().position(is_wanted) {
        Some(earlier) => earlier,
        None => from,
    }
}

/// Puts a summarised context in the place of the other: boundary, summary, kept messages,
/// attachments, hook results (paper.md 3.1).
fn put(context: &mut Context<'_>, plan: Plan, after: Vec<HeldMessage>, before: u64) -> Vec<Change> {
    let index = context.index();
    let mut changes = Vec::new();
    let mut anew = Vec::new();
    let mut request = Vec::new();
    let tail = context.messages.split_off(plan.kept_from);
    let mut logical_parent = None;
    for held in std::mem::take(&mut context.messages)
        .into_iter()
        .flat_map(|message| message.blocks)
    {
        let entry = context.entry(&held);
        logical_parent = entry.and_then(|entry| entry.uuid).or(logical_parent);
        if held.is_anew() {
            anew.push(held);
            continue;
        }
        if stays(&held) {
            changes.push(context.change(&held, Action::Kept, Why::LastRequest));
            request.push(held);
            continue;
        }
        let says_nothing = held.is_thought() || matches!(held.block, Block::Client(_));
        let attached = entry.is_some_and(|entry| entry.kind == Kind::Attachment);
        let action = if says_nothing || attached {
            Action::Dropped
        } else {
            Action::Summarised
        };
        let why = held.protected.unwrap_or(Why::BeforeBoundary);
        changes.push(context.change(&held, action, why));
    }
    let mut blocks = anew;
    blocks.push(plan.summary);
    blocks.extend(request);
    context.messages.push(HeldMessage {
        role: Role::User,
        blocks,
        joins: false,
    });
    let mut kept: Vec<String> = Vec::new();
    for held in tail.iter().flat_map(|message| &message.blocks) {
        let uuid = context.entry(held).and_then(|entry| entry.uuid);
        if let Some(uuid) = uuid.map(|uuid| index.text(uuid))
            && kept.last().map(String::as_str) != Some(uuid)
        {
            kept.push(uuid.to_owned());
        }
    }
    let first = context.messages.len();
    context.messages.extend(tail);
    context.messages.extend(after);
    if let Some(next) = context.messages.get_mut(first) {
        next.joins = true;
    }
    context.forget_usage();
    context.boundary = Some(Boundary {
        trigger: "auto",
        pre_tokens: before,
        post_tokens: context.tokens(),
        logical_parent: logical_parent.map(|uuid| index.text(uuid).to_owned()),
        kept,
    });
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::record::{self, Content};
    use serde_json::value::RawValue;

    fn message(role: Role, block: record::Block) -> HeldMessage {
        let mut held = Held::made(StageKind::Summary, String::new(), 1);
        held.block = Block::Read(block);
        HeldMessage {
            role,
            blocks: vec![held],
            joins: false,
        }
    }

    /// Also where something stands between a call and its result, which the client never sends.
    #[test]
    fn results_stay_with_their_calls() {
        let text = |role, text: &str| message(role, record::Block::Text(text.to_owned()));
        let call = record::Block::ToolUse {
            id: "t1".to_owned(),
            name: "Read".to_owned(),
            input: RawValue::NULL.to_owned(),
        };
        let result = record::Block::ToolResult {
            id: "t1".to_owned(),
            content: Content::Missing,
            is_error: false,
        };
        let messages = [
            text(Role::User, "Go."),
            message(Role::Assistant, call),
            text(Role::User, "Wait."),
            text(Role::Assistant, "Yes."),
            message(Role::User, result),
        ];
        assert_eq!(kept_from(&messages, 1), 1);
        assert_eq!(kept_from(&messages[..4], 1), 3);
        assert_eq!(kept_from(&messages[..4], 2), 1);
        assert_eq!(kept_from(&messages[..4], 3), 0);
        assert_eq!(kept_from(&messages[..4], 0), 4);
        assert_eq!(kept_from(&messages, 0), 5);
    }
}
