//! Microcompact: old results lose their content. Which tool was asked for what stays.

use crate::conversation::Block;
use crate::pipeline::{
    Action, At, Budget, Call, Calls, Change, Context, HeldMessage, Recover, Stage, StageKind,
    Trigger, Why,
};
use crate::transcript::record::{self, Content};

/// The tools whose results are cleared (as the analysis and reports of users have it).
pub const COMPACTABLE: [&str; 8] = [
    "Read",
    "Bash",
    "Grep",
    "Glob",
    "WebSearch",
    "WebFetch",
    "Edit",
    "Write",
];

/// When old results are cleared and which. It works when any of its conditions holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Microcompact {
    /// Its switch.
    pub enabled: bool,
    /// From how many tokens on it works.
    pub trigger: Trigger,
    /// It works when the last answer is so many minutes old: the service's cache has forgotten the
    /// conversation by then. This needs the times of records and the budget's `now`.
    pub after_minutes: Option<u32>,
    /// It works when there are more results than this that can be cleared.
    pub above_count: Option<usize>,
    /// It works when the results that can be cleared have more tokens than this.
    pub above_tokens: Option<u64>,
    /// How many of the newest results stay.
    pub keep: usize,
    /// The tools whose results are cleared.
    pub tools: Vec<String>,
}

impl Default for Microcompact {
    /// After 60 minutes, the newest five stay: as users report of the client (peers.md); the
    /// analysis has no numbers, and none was ever seen at work (facts C4.2, I55). Neither count nor
    /// size (ours).
    fn default() -> Self {
        Self {
            enabled: true,
            trigger: Trigger::Threshold,
            after_minutes: Some(60),
            above_count: None,
            above_tokens: None,
            keep: 5,
            tools: COMPACTABLE.map(str::to_owned).to_vec(),
        }
    }
}

impl Microcompact {
    /// The results that can be cleared, oldest first. Those that no answer has seen cannot.
    fn clearable(&self, context: &Context<'_>, calls: &Calls) -> Vec<At> {
        let seen = context
            .messages
            .iter()
            .rposition(HeldMessage::is_answer)
            .unwrap_or(0);
        let results = context.messages[..seen].iter().enumerate();
        let results = results.flat_map(|(message, held)| {
            (0..held.blocks.len()).map(move |block| At { message, block })
        });
        results
            .filter(|at| {
                let held = &context.messages[at.message].blocks[at.block];
                held.made != Some(StageKind::Microcompact)
                    && calls
                        .answered_at(*at)
                        .is_some_and(|call| self.tools.contains(&call.name))
            })
            .collect()
    }

    fn is_late(&self, context: &Context<'_>, budget: &Budget) -> bool {
        let (Some(minutes), Some(now)) = (self.after_minutes, budget.now) else {
            return false;
        };
        let answers = context.messages.iter().rev();
        let mut answers = answers.filter(|message| message.is_answer());
        let last = answers.find_map(|message| {
            let times = message.blocks.iter();
            times.filter_map(|held| context.entry(held)?.time).max()
        });
        last.is_some_and(|last| now.saturating_sub(last) >= i64::from(minutes) * 60_000)
    }
}

impl Stage for Microcompact {
    fn kind(&self) -> StageKind {
        StageKind::Microcompact
    }

    fn enabled(&self) -> bool {
        self.enabled
    }

    fn is_due(&self, context: &Context<'_>, budget: &Budget) -> bool {
        if self.trigger.is_reached(context.tokens(), budget) || self.is_late(context, budget) {
            return true;
        }
        if self.above_count.is_none() && self.above_tokens.is_none() {
            return false;
        }
        let calls = Calls::of(&context.messages);
        let results = self.clearable(context, &calls);
        let tokens = |at: &At| context.messages[at.message].blocks[at.block].tokens;
        self.above_count.is_some_and(|most| results.len() > most)
            || self
                .above_tokens
                .is_some_and(|most| results.iter().map(tokens).sum::<u64>() > most)
    }

    fn apply(&self, context: &mut Context<'_>, _: &Budget) -> Vec<Change> {
        let calls = Calls::of(&context.messages);
        let results = self.clearable(context, &calls);
        let old = results.len().saturating_sub(self.keep);
        let mut changes = Vec::new();
        for at in &results[..old] {
            let held = &context.messages[at.message].blocks[at.block];
            let Some(call) = calls.answered_at(*at) else {
                continue;
            };
            if let Some(protected) = held.protected {
                changes.push(context.change(held, Action::Kept, protected));
                continue;
            }
            let change = context.change(held, Action::Cleared, Why::Old);
            let Some(block) = cleared(call, &held.block, &change) else {
                continue;
            };
            changes.extend(context.replace(*at, StageKind::Microcompact, block, change));
        }
        changes
    }
}

/// A result without its content: what it was, and where the content is.
fn cleared(call: &Call, result: &Block, change: &Change) -> Option<Block> {
    let Block::Read(record::Block::ToolResult { id, is_error, .. }) = result else {
        return None;
    };
    let place = match (&change.recover, change.line) {
        (Recover::File { path }, _) => format!("; file {path}"),
        (_, Some(line)) => format!("; transcript line {line}"),
        (_, None) => String::new(),
    };
    let text = format!(
        "[{}: result cleared, {} tokens{place}]",
        call.title(100),
        change.tokens_before
    );
    Some(Block::Read(record::Block::ToolResult {
        id: id.clone(),
        content: Content::Text(text),
        is_error: *is_error,
    }))
}
