//! Collapse: spans of finished work are folded into one line each, which can be unfolded again.

use crate::conversation::{Block, Role};
use crate::pipeline::{
    Action, At, Budget, Call, Calls, Change, Context, Folding, Held, HeldMessage, Recent, Stage,
    StageKind, Trigger, Why,
};

/// Folds rounds of calls, oldest first, until the context is below the threshold. What the user
/// said, what the client told, and answers without calls stay. The transcript stays as it is: what
/// is folded stands in [`Context::folds`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collapse {
    /// Its switch.
    pub enabled: bool,
    /// From how many tokens on it works, and until when.
    pub trigger: Trigger,
    /// What is left alone at the end.
    pub recent: Recent,
    /// How many rounds one outline stands for at most.
    pub rounds: usize,
}

impl Default for Collapse {
    /// From the threshold on, as all stages behind the first (the analysis); at most twelve rounds
    /// in one fold, so that its line can name most of them (ours).
    fn default() -> Self {
        Self {
            enabled: true,
            trigger: Trigger::Threshold,
            recent: Recent::default(),
            rounds: 12,
        }
    }
}

/// Messages that can be folded.
#[derive(Debug)]
struct Span {
    first: usize,
    /// The last one, which holds results.
    last: usize,
    /// How many blocks of the last one.
    blocks: usize,
    rounds: usize,
}

impl Stage for Collapse {
    fn kind(&self) -> StageKind {
        StageKind::Collapse
    }

    fn enabled(&self) -> bool {
        self.enabled
    }

    fn is_due(&self, context: &Context<'_>, budget: &Budget) -> bool {
        self.trigger.is_reached(context.tokens(), budget)
    }

    fn apply(&self, context: &mut Context<'_>, budget: &Budget) -> Vec<Change> {
        let calls = Calls::of(&context.messages);
        let recent = context.recent_from(self.recent);
        let spans = self.spans(&context.messages[..recent], &calls);
        let mut changes = Vec::new();
        let mut taken = 0;
        for span in spans {
            if !self.is_due(context, budget) {
                break;
            }
            taken += fold(context, &calls, &span, taken, &mut changes);
        }
        changes
    }
}

impl Collapse {
    fn spans(&self, messages: &[HeldMessage], calls: &Calls) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        let mut number = 0;
        while number + 1 < messages.len() {
            let Some(blocks) = round(messages, number, calls) else {
                number += 1;
                continue;
            };
            match spans.last_mut() {
                Some(span)
                    if span.last + 1 == number
                        && span.blocks == messages[span.last].blocks.len()
                        && span.rounds < self.rounds =>
                {
                    span.last = number + 1;
                    span.blocks = blocks;
                    span.rounds += 1;
                }
                _ => spans.push(Span {
                    first: number,
                    last: number + 1,
                    blocks,
                    rounds: 1,
                }),
            }
            number += 2;
        }
        spans
    }
}

/// Whether an answer with calls and their results stand at `number` and can be folded: how many
/// blocks of the second message belong to it.
fn round(messages: &[HeldMessage], number: usize, calls: &Calls) -> Option<usize> {
    let (answer, results) = (messages.get(number)?, messages.get(number + 1)?);
    if answer.role != Role::Assistant || results.role != Role::User {
        return None;
    }
    let can_fold = |held: &Held| {
        held.protected.is_none()
            && held.fold.is_none()
            && matches!(held.block, Block::Read(_))
            && (held.from.is_some() || held.made == Some(StageKind::Snip))
    };
    let mut asked = 0;
    for (block, held) in answer.blocks.iter().enumerate() {
        if !can_fold(held) {
            return None;
        }
        if held.call().is_some() {
            let call = calls.called_at(At {
                message: number,
                block,
            })?;
            if call.result.message != number + 1 {
                return None;
            }
            asked += 1;
        }
    }
    let own = results.blocks.iter().take_while(|held| {
        can_fold(held) && (held.answers().is_some() || held.made == Some(StageKind::Snip))
    });
    let own = own.count();
    let is_result = |held: &&Held| held.answers().is_some();
    let answered = results.blocks[..own].iter().filter(is_result).count();
    let others = results.blocks[own..].iter().filter(is_result).count();
    (asked > 0 && answered == asked && others == 0).then_some(own)
}

/// Folds a span whose place moved forward by `taken` messages, and tells by how many more the
/// places behind it move.
fn fold(
    context: &mut Context<'_>,
    calls: &Calls,
    span: &Span,
    taken: usize,
    changes: &mut Vec<Change>,
) -> usize {
    let (first, last) = (span.first - taken, span.last - taken);
    let splits = span.blocks < context.messages[last].blocks.len();
    let next = (!splits).then(|| context.messages.get(last + 1)).flatten();
    let next_joined = next
        .filter(|next| next.role == Role::User)
        .map(|next| next.joins);
    let mut folded = context.messages[first..=last].to_vec();
    if let Some(last) = folded.last_mut() {
        last.blocks.truncate(span.blocks);
    }
    let Some(folding) = Folding::of(&folded, splits, next_joined) else {
        return 0;
    };
    let outline = outline(context, calls, span, &folded, &folding);
    let mut held = context.text(StageKind::Collapse, outline.clone());
    if held.tokens >= folding.tokens() {
        return 0;
    }
    for held in folded.iter().flat_map(|message| &message.blocks) {
        changes.push(context.change(held, Action::Folded, Why::Old));
    }
    let mut folds = std::mem::take(&mut context.folds);
    held.fold = Some(folding.keep(outline, &mut folds));
    context.folds = folds;
    let mut put = vec![HeldMessage {
        role: Role::User,
        blocks: vec![held],
        joins: true,
    }];
    if splits {
        let mut rest = context.messages[last].clone();
        rest.blocks.drain(..span.blocks);
        rest.joins = true;
        put.push(rest);
    } else if next_joined.is_some()
        && let Some(next) = context.messages.get_mut(last + 1)
    {
        next.joins = true;
    }
    let moved = last + 1 - first - put.len();
    context.messages.splice(first..=last, put);
    moved
}

/// How many calls an outline names.
const NAMED: usize = 8;

/// The line that stands for a span.
fn outline(
    context: &Context<'_>,
    calls: &Calls,
    span: &Span,
    folded: &[HeldMessage],
    folding: &Folding,
) -> String {
    let within = |call: &&Call| (span.first..=span.last).contains(&call.at.message);
    let mut titles: Vec<(String, usize)> = Vec::new();
    let mut count = 0;
    for call in calls.all().iter().filter(within) {
        count += 1;
        let failed = if call.failed { " failed" } else { "" };
        let title = format!("{}{failed}", call.title(48));
        match titles.iter_mut().find(|(other, _)| *other == title) {
            Some((_, times)) => *times += 1,
            None => titles.push((title, 1)),
        }
    }
    let more = titles.len().saturating_sub(NAMED);
    let named: Vec<String> = titles
        .into_iter()
        .take(NAMED)
        .map(|(title, times)| match times {
            1 => title,
            _ => format!("{title} ×{times}"),
        })
        .collect();
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let blocks = folded.iter().flat_map(|message| &message.blocks);
    let lines = blocks.filter_map(|held| Some(context.entry(held)?.place.line));
    let lines = super::place::lines(lines);
    let calls = if count == 1 { "call" } else { "calls" };
    format!(
        "[folded as {}: {count} {calls}, {} tokens: {}{more}{lines}]",
        folding.id(),
        folding.tokens(),
        named.join(", ")
    )
}

impl Context<'_> {
    /// The names of the folds that stand in it, in their order.
    #[must_use]
    pub fn folded(&self) -> Vec<crate::pipeline::FoldId> {
        let blocks = self.messages.iter().flat_map(|message| &message.blocks);
        blocks.filter_map(|held| held.fold.clone()).collect()
    }
}
