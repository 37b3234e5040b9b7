//! Budget: results that are over their tool's limit are cut, and tell where the whole text is.

use crate::conversation::Block;
use crate::pipeline::{
    Action, At, Budget, Call, Calls, Change, Context, Held, PERSISTED, Stage, StageKind, Why, units,
};
use crate::transcript::record::{self, Content};

/// How much of a result is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Whatever its size (fact C3.6; the analysis calls such tools exempt).
    None,
    /// Up to so many UTF-16 units; of a longer one its beginning.
    Start(u64),
    /// Up to so many; of a longer one its beginning and its end (fact C3.3).
    Ends(u64),
}

/// The limits of results. What the client wrote to a file already is left as it is, and so is what
/// is within its limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultBudget {
    /// By tool; a name that ends in `*` stands for all that begin so.
    pub tools: Vec<(String, Limit)>,
    /// Of failed calls of Bash.
    pub failed_bash: Limit,
    /// Of all other tools.
    pub others: Limit,
    /// Of all results of one message together, in UTF-16 units: the largest are cut first.
    pub per_message: Option<u64>,
}

impl Default for ResultBudget {
    /// Bash 30,000 (fact C3.1), failed Bash 10,000 (fact C3.3; the client's own cut is some units
    /// longer, so that 10,100 leaves it alone), Grep 20,000 (fact C3.4), MCP 50,000 (fact C3.5),
    /// Read without limit (fact C3.6). Others 50,000, as the client's change log has it for
    /// 2.1.51. No limit for a whole message: none was seen (fact C3.8).
    fn default() -> Self {
        Self {
            tools: vec![
                ("Bash".to_owned(), Limit::Start(30_000)),
                ("Grep".to_owned(), Limit::Start(20_000)),
                ("Read".to_owned(), Limit::None),
                ("mcp__*".to_owned(), Limit::Start(50_000)),
            ],
            failed_bash: Limit::Ends(10_100),
            others: Limit::Start(50_000),
            per_message: None,
        }
    }
}

/// How much of the beginning of a long result stays, in UTF-16 units (fact C3.1).
const PREVIEW: u64 = 2_000;

/// How much of each end of a long failed result stays, in UTF-16 units (fact C3.3).
const END: u64 = 5_000;

impl ResultBudget {
    fn limit(&self, call: &Call) -> Limit {
        if call.failed && call.name == "Bash" {
            return self.failed_bash;
        }
        let names = |pattern: &str| match pattern.strip_suffix('*') {
            Some(start) => call.name.starts_with(start),
            None => call.name == pattern,
        };
        let mut tools = self.tools.iter();
        tools
            .find(|(pattern, _)| names(pattern))
            .map_or(self.others, |(_, limit)| *limit)
    }

    /// The results that are to be cut, with the reason and the way.
    fn over(&self, context: &Context<'_>, calls: &Calls) -> Vec<(At, Why, Limit)> {
        let mut over = Vec::new();
        for (number, message) in context.messages.iter().enumerate() {
            let mut rest = Vec::new();
            let mut together = 0;
            for (block, held) in message.blocks.iter().enumerate() {
                let at = At {
                    message: number,
                    block,
                };
                let (Some(size), Some(call)) = (size(held), calls.answered_at(at)) else {
                    continue;
                };
                match self.limit(call) {
                    Limit::None => {}
                    limit @ (Limit::Start(most) | Limit::Ends(most)) if size > most => {
                        over.push((at, Why::OverLimit, limit));
                    }
                    limit => {
                        together += size;
                        rest.push((size, at, limit));
                    }
                }
            }
            let Some(most) = self.per_message else {
                continue;
            };
            rest.sort_by_key(|(size, at, _)| (std::cmp::Reverse(*size), *at));
            for (size, at, limit) in rest {
                if together <= most {
                    break;
                }
                over.push((at, Why::OverMessageLimit, limit));
                together -= size;
            }
        }
        over.sort_by_key(|(at, ..)| *at);
        over
    }
}

impl Stage for ResultBudget {
    fn kind(&self) -> StageKind {
        StageKind::Budget
    }

    fn enabled(&self) -> bool {
        true
    }

    fn is_due(&self, _: &Context<'_>, _: &Budget) -> bool {
        true
    }

    fn apply(&self, context: &mut Context<'_>, _: &Budget) -> Vec<Change> {
        let calls = Calls::of(&context.messages);
        let mut changes = Vec::new();
        for (at, why, limit) in self.over(context, &calls) {
            let held = &context.messages[at.message].blocks[at.block];
            if let Some(protected) = held.protected {
                changes.push(context.change(held, Action::Kept, protected));
                continue;
            }
            let Some(call) = calls.answered_at(at) else {
                continue;
            };
            let line = context.entry(held).map(|entry| entry.place.line);
            let Some(block) = cut(held, call, limit, line) else {
                continue;
            };
            let change = context.change(held, Action::Trimmed, why);
            changes.extend(context.replace(at, StageKind::Budget, block, change));
        }
        changes
    }
}

/// The UTF-16 units of a result that may be cut.
fn size(held: &Held) -> Option<u64> {
    if held.made.is_some() {
        return None;
    }
    let Block::Read(record::Block::ToolResult { content, .. }) = &held.block else {
        return None;
    };
    match content {
        Content::Missing => None,
        Content::Text(text) => (!text.starts_with(PERSISTED)).then(|| units(text)),
        Content::Blocks(blocks) => {
            let texts = blocks.iter().map(|block| match block {
                record::Block::Text(text) => units(text),
                _ => 0,
            });
            Some(texts.sum())
        }
    }
}

/// A result cut to its limit. Pictures in it stay.
fn cut(held: &Held, call: &Call, limit: Limit, line: Option<u32>) -> Option<Block> {
    let Block::Read(record::Block::ToolResult {
        id,
        content,
        is_error,
    }) = &held.block
    else {
        return None;
    };
    let (text, others) = match content {
        Content::Missing => return None,
        Content::Text(text) => (text.clone(), Vec::new()),
        Content::Blocks(blocks) => {
            let texts: Vec<&str> = blocks.iter().filter_map(text_of).collect();
            let others = blocks.iter().filter(|block| text_of(block).is_none());
            (texts.join("\n"), others.cloned().collect())
        }
    };
    let place = line.map_or_else(String::new, |line| {
        format!("; whole text: transcript line {line}")
    });
    let size = units(&text);
    let note = |left: u64| format!("[{}: {left} of {size} characters{place}]", call.title(80));
    let text = match limit {
        Limit::Ends(most) => {
            let each = END.min(most / 2);
            let (start, end) = (start(&text, each), end(&text, each));
            format!("{start}\n{}\n{end}", note(units(start) + units(end)))
        }
        Limit::None | Limit::Start(_) => {
            let most = match limit {
                Limit::Start(most) => PREVIEW.min(most),
                _ => PREVIEW,
            };
            let start = start(&text, most);
            let start = match start.rfind('\n') {
                Some(line_end) if start.len() < text.len() && line_end > 0 => &start[..line_end],
                _ => start,
            };
            format!("{}\n{start}", note(units(start)))
        }
    };
    let content = if others.is_empty() {
        Content::Text(text)
    } else {
        let mut blocks = vec![record::Block::Text(text)];
        blocks.extend(others);
        Content::Blocks(blocks)
    };
    Some(Block::Read(record::Block::ToolResult {
        id: id.clone(),
        content,
        is_error: *is_error,
    }))
}

fn text_of(block: &record::Block) -> Option<&str> {
    match block {
        record::Block::Text(text) => Some(text),
        _ => None,
    }
}

/// The beginning of a text, of at most so many UTF-16 units.
fn start(text: &str, most: u64) -> &str {
    let mut left = most;
    for (at, character) in text.char_indices() {
        match left.checked_sub(character.len_utf16() as u64) {
            Some(rest) => left = rest,
            None => return &text[..at],
        }
    }
    text
}

/// The end of a text, of at most so many UTF-16 units.
fn end(text: &str, most: u64) -> &str {
    let mut left = most;
    for (at, character) in text.char_indices().rev() {
        match left.checked_sub(character.len_utf16() as u64) {
            Some(rest) => left = rest,
            None => return &text[at + character.len_utf8()..],
        }
    }
    text
}
