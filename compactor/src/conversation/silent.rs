//! Items that say nothing, or whose other half is missing (facts C7.6;
//! docs/facts-sessions.md 162 to 166, 182 to 186, 204 to 209, 259).

use rustc_hash::{FxHashMap, FxHashSet};

use super::items::{AnswerId, Item, client_text};
use super::{Block, ClientText, Placed, Speaker};
use crate::transcript::record;

/// Takes away what says nothing: calls that never got a result, blank texts, thoughts without an
/// answer. A talk that ends without an answer gets one.
pub(super) fn drop(items: &mut Vec<Item>, speaker: &Speaker<'_>) {
    let ends_in_error = matches!(items.last(), Some(Item::Error));
    let goes_on = speaker.resume.tells_to_go_on && waits_behind_prompt(items);
    let last = items.len().saturating_sub(1);
    for (number, item) in items.iter_mut().enumerate() {
        // Only an error at the very end says that no answer is missing.
        let counts = ends_in_error && number == last && !goes_on;
        if matches!(item, Item::Error) && !counts {
            *item = Item::EarlierError;
        }
    }
    if speaker.resume.answers_open_calls {
        results_behind_calls(items);
    }
    drop_open_calls(items, speaker);
    if speaker.resume.keeps_empty_texts {
        // Older clients see thoughts beside a blank text as a whole answer.
        drop_lone_thoughts(items);
        drop_blank_answers(items, speaker);
    } else {
        drop_blank_answers(items, speaker);
        drop_lone_thoughts(items);
    }
    items.retain(|item| !matches!(item, Item::Answer { blocks, .. } if blocks.is_empty()));
    let Some(mut end) = end_of_prompt(items, speaker) else {
        return;
    };
    let goes_on = speaker.resume.tells_to_go_on && ends_behind_prompt(&items[..end]);
    if goes_on {
        end = items.len();
    }
    let behind = items.split_off(end);
    if goes_on {
        items.push(Item::User {
            blocks: vec![client_text(ClientText::GoOn)],
            is_talk: true,
            is_meta: true,
            is_summary: false,
        });
    }
    items.push(Item::Answer {
        id: AnswerId::Made,
        blocks: vec![client_text(ClientText::NoResponse)],
    });
    items.extend(behind);
}

/// A result that stands before its call moves behind it.
fn results_behind_calls(items: &mut Vec<Item>) {
    let mut calls: FxHashMap<String, usize> = FxHashMap::default();
    for (number, item) in items.iter().enumerate() {
        if let Item::Answer { blocks, .. } = item {
            for id in blocks.iter().filter_map(Placed::call) {
                calls.entry(id.to_owned()).or_insert(number);
            }
        }
    }
    let mut moved: Vec<(usize, Placed)> = Vec::new();
    for (number, item) in items.iter_mut().enumerate() {
        if let Item::User { blocks, .. } = item {
            let mut at = 0;
            while at < blocks.len() {
                let call = blocks[at].answered().and_then(|id| calls.get(id));
                match call {
                    Some(call) if *call > number => moved.push((*call, blocks.remove(at))),
                    _ => at += 1,
                }
            }
        }
    }
    if moved.is_empty() {
        return;
    }
    items.retain(|item| !matches!(item, Item::User { blocks, .. } if blocks.is_empty()));
    for (_, placed) in moved {
        let Some(id) = placed.answered() else {
            continue;
        };
        let call = items.iter().position(|item| match item {
            Item::Answer { blocks, .. } => blocks.iter().any(|block| block.call() == Some(id)),
            _ => false,
        });
        let at = call.map_or(items.len(), |call| call + 1);
        items.insert(
            at,
            Item::User {
                blocks: vec![placed],
                is_talk: true,
                is_meta: false,
                is_summary: false,
            },
        );
    }
}

/// Takes away records all of whose calls never got a result. Where the talk ends in one, newer clients answer it.
fn drop_open_calls(items: &mut Vec<Item>, speaker: &Speaker<'_>) {
    let mut answered: FxHashSet<String> = items
        .iter()
        .flat_map(Item::blocks)
        .filter_map(|placed| placed.answered().map(str::to_owned))
        .collect();
    let mut end = items.len();
    if speaker.resume.answers_open_calls {
        // What a turn that broke off behind a result did is kept whole.
        end = broken_off(items, &answered).unwrap_or(end);
    }
    if speaker.resume.answers_open_calls
        && let Some((at, open)) = open_at_end(items, &answered)
    {
        answered.extend(open.iter().cloned());
        let blocks = open.into_iter().map(|id| Placed {
            block: Block::ClientResult(id, ClientText::CallInterrupted),
            from: None,
        });
        items.insert(
            at,
            Item::User {
                blocks: blocks.collect(),
                is_talk: true,
                is_meta: false,
                is_summary: false,
            },
        );
    }
    for item in &mut items[..end] {
        if let Item::Answer { blocks, .. } = item
            && is_open(blocks, &answered)
        {
            blocks.clear();
        }
    }
}

/// Whether a record has calls, all of them without a result.
fn is_open(blocks: &[Placed], answered: &FxHashSet<String>) -> bool {
    let mut calls = blocks.iter().filter_map(Placed::call).peekable();
    calls.peek().is_some() && !calls.any(|id| answered.contains(id))
}

/// Where the turn begins that broke off behind a result: behind the last record without one.
fn broken_off(items: &[Item], answered: &FxHashSet<String>) -> Option<usize> {
    let is_result = |blocks: &[Placed]| blocks.iter().any(|placed| placed.answered().is_some());
    let mut behind = false;
    for (number, item) in items.iter().enumerate().rev() {
        match item {
            Item::Answer { blocks, .. } if !behind => {
                let says = |placed: &Placed| !placed.is_blank() && !placed.is_thought();
                if blocks.iter().any(says) && !is_open(blocks, answered) {
                    return None;
                }
            }
            Item::Error if !behind => return None,
            Item::User {
                blocks,
                is_talk: true,
                ..
            } => match (is_result(blocks), behind) {
                (true, _) => behind = true,
                (false, true) => return Some(number + 1),
                (false, false) => return None,
            },
            _ => {}
        }
    }
    behind.then_some(0)
}

/// The calls of the last answer that have no result, if nobody spoke after it, and where their
/// results belong. Notes and attachments are no talk.
fn open_at_end(items: &[Item], answered: &FxHashSet<String>) -> Option<(usize, Vec<String>)> {
    let speaks = |item: &Item| match item {
        Item::Answer { blocks, .. } => {
            let mut blocks = blocks.iter();
            blocks.any(|placed| !placed.is_blank() && !placed.is_thought())
        }
        _ => false,
    };
    let last = items.iter().rposition(speaks)?;
    let Item::Answer { id, .. } = &items[last] else {
        return None;
    };
    let belongs = |item: &&Item| match item {
        Item::Answer { id: other, .. } => other == id,
        _ => false,
    };
    let of_answer: Vec<&Item> = if *id == AnswerId::None {
        vec![&items[last]]
    } else {
        items.iter().filter(belongs).collect()
    };
    let calls: Vec<&str> = of_answer
        .iter()
        .flat_map(|item| item.blocks())
        .filter_map(Placed::call)
        .collect();
    let mut at = last + 1;
    for (number, item) in items.iter().enumerate().skip(last + 1) {
        match item {
            Item::User {
                blocks,
                is_talk: true,
                ..
            } => {
                // Results of other calls say nothing, either.
                if !blocks.iter().all(|placed| placed.answered().is_some()) {
                    return None;
                }
                at = number + 1;
            }
            Item::Error => return None,
            _ => {}
        }
    }
    let open = calls.iter().filter(|id| !answered.contains(**id));
    let open: Vec<String> = open.map(|id| (*id).to_owned()).collect();
    (!open.is_empty()).then_some((at, open))
}

/// Blank texts of answers go, and what stands for none where nothing stands beside it but thoughts.
/// Older clients keep an empty one beside something else.
fn drop_blank_answers(items: &mut [Item], speaker: &Speaker<'_>) {
    let mut says: FxHashMap<AnswerKey, bool> = FxHashMap::default();
    for (number, item) in items.iter().enumerate() {
        if let Item::Answer { id, blocks } = item {
            let answer = says.entry(key(*id, number)).or_default();
            for placed in blocks {
                *answer |= !placed.is_blank() && !placed.is_no_content() && !placed.is_thought();
            }
        }
    }
    for (number, item) in items.iter_mut().enumerate() {
        if let Item::Answer { id, blocks } = item {
            let says = says.get(&key(*id, number)) == Some(&true);
            let keeps_empty = says && speaker.resume.keeps_empty_texts;
            blocks.retain(|placed| match placed.is_no_content() {
                true => says,
                false => !placed.is_blank() || (keeps_empty && placed.is_empty_text()),
            });
        }
    }
}

/// Thoughts go where their answer says nothing else.
fn drop_lone_thoughts(items: &mut [Item]) {
    let mut speaks: FxHashMap<AnswerKey, bool> = FxHashMap::default();
    for (number, item) in items.iter().enumerate() {
        if let Item::Answer { id, blocks } = item {
            let says = blocks.iter().any(|placed| !placed.is_thought());
            *speaks.entry(key(*id, number)).or_default() |= says;
        }
    }
    for (number, item) in items.iter_mut().enumerate() {
        if let Item::Answer { id, blocks } = item
            && speaks.get(&key(*id, number)) != Some(&true)
        {
            blocks.clear();
        }
    }
}

/// The answer that a record belongs to: by its id, else itself.
type AnswerKey = (Option<crate::transcript::Id>, usize);

fn key(id: AnswerId, number: usize) -> AnswerKey {
    match id {
        AnswerId::Message(id) => (Some(id), 0),
        AnswerId::None | AnswerId::Made => (None, number),
    }
}

/// Where the last prompt ends that nobody answered, what attachments add to it included. Local
/// commands need no answer: notes of theirs, and for newer clients records behind their caveat.
fn end_of_prompt(items: &[Item], speaker: &Speaker<'_>) -> Option<usize> {
    let is_answer = |item: &Item| matches!(item, Item::Answer { .. } | Item::Error);
    let start = items
        .iter()
        .rposition(is_answer)
        .map_or(0, |answer| answer + 1);
    let is_attached = |item: &Item| !matches!(item, Item::User { .. });
    if start == 0 && !items.is_empty() && items.iter().all(is_attached) {
        return Some(items.len());
    }
    let is_talk = |item: &Item| matches!(item, Item::User { is_talk: true, .. });
    let last = start + items[start..].iter().rposition(is_talk)?;
    if speaker.resume.attachments_rendered && ends_in_command(&items[start..=last]) {
        return None;
    }
    // Behind a summary, or the mark that the user broke off, attachments wait for the next prompt.
    let waits = match &items[last] {
        Item::User {
            is_summary: true, ..
        } => true,
        Item::User { blocks, .. } => matches!(&blocks[..], [placed] if is_interruption(placed)),
        _ => false,
    };
    if waits && items[last + 1..].iter().any(is_attached) {
        return None;
    }
    let attached = items[last..].iter().rposition(is_attached);
    Some(last + 1 + attached.unwrap_or(0))
}

/// Whether it is what the client writes when the user breaks off.
fn is_interruption(placed: &Placed) -> bool {
    matches!(&placed.block, Block::Read(record::Block::Text(text)) if text.starts_with(INTERRUPTED))
}

/// How that begins.
const INTERRUPTED: &str = "[Request interrupted by user";

/// Whether records end in those of a local command: its caveat, its name and what it put out.
fn ends_in_command(items: &[Item]) -> bool {
    for item in items.iter().rev() {
        let Item::User {
            blocks,
            is_talk: true,
            is_meta,
            ..
        } = item
        else {
            continue;
        };
        let text = match blocks.first().map(|placed| &placed.block) {
            Some(Block::Read(record::Block::Text(text))) => text.as_str(),
            _ => return false,
        };
        if *is_meta && text.starts_with("<local-command-caveat>") {
            return true;
        }
        if ![
            "<local-command-stdout>",
            "<command-name>",
            "<command-message>",
        ]
        .iter()
        .any(|start| text.starts_with(start))
        {
            return false;
        }
    }
    false
}

/// Whether nobody answered a last record that is a result, or has something behind it.
fn waits_behind_prompt(items: &[Item]) -> bool {
    let is_error = |item: &Item| matches!(item, Item::Error);
    let speaks = |item: &&Item| matches!(item, Item::User { .. } | Item::Answer { .. });
    let end = items.iter().rposition(|item| !is_error(item));
    let items = &items[..end.map_or(0, |end| end + 1)];
    match items.iter().rev().find(speaks) {
        Some(Item::User { .. }) => ends_behind_prompt(items),
        _ => false,
    }
}

/// Whether the last user record is a result, or has something behind it.
fn ends_behind_prompt(items: &[Item]) -> bool {
    match items.last() {
        Some(Item::User { blocks, .. }) => blocks.iter().any(|placed| placed.answered().is_some()),
        _ => true,
    }
}

impl Item {
    fn blocks(&self) -> &[Placed] {
        match self {
            Self::Error | Self::EarlierError | Self::Silent => &[],
            Self::Answer { blocks, .. }
            | Self::User { blocks, .. }
            | Self::Attached { pieces: blocks, .. }
            | Self::Told(blocks)
            | Self::Queued(blocks) => blocks,
        }
    }
}

impl Placed {
    /// The id of a call.
    pub(super) fn call(&self) -> Option<&str> {
        match &self.block {
            Block::Read(record::Block::ToolUse { id, .. }) => Some(id),
            _ => None,
        }
    }

    /// The id of the call that a result answers.
    pub(super) fn answered(&self) -> Option<&str> {
        match &self.block {
            Block::Read(record::Block::ToolResult { id, .. }) | Block::ClientResult(id, _) => {
                Some(id)
            }
            _ => None,
        }
    }

    /// Whether it is what a model thought.
    pub(super) fn is_thought(&self) -> bool {
        match &self.block {
            Block::Read(record::Block::Thinking { .. }) => true,
            Block::Read(record::Block::Other { kind, .. }) => kind == "redacted_thinking",
            _ => false,
        }
    }

    /// Whether it is a thought without the service's signature.
    pub(super) fn is_unsigned(&self) -> bool {
        matches!(
            &self.block,
            Block::Read(record::Block::Thinking { signature: Some(signature), .. }) if signature.is_empty()
        )
    }

    fn is_empty_text(&self) -> bool {
        matches!(&self.block, Block::Read(record::Block::Text(text)) if text.is_empty())
    }

    /// Whether it is the text that stands for an empty answer.
    pub(super) fn is_no_content(&self) -> bool {
        matches!(&self.block, Block::Read(record::Block::Text(text)) if text == "(no content)")
    }

    /// Whether it is a text of white space.
    pub(super) fn is_blank(&self) -> bool {
        match &self.block {
            Block::Read(record::Block::Text(text)) => {
                outcrop_loader::javascript::trim(text).is_empty()
            }
            _ => false,
        }
    }

    /// Whether it is a text.
    pub(super) fn is_text(&self) -> bool {
        matches!(
            self.block,
            Block::Read(record::Block::Text(_)) | Block::Framed { .. } | Block::Client(_)
        )
    }
}
