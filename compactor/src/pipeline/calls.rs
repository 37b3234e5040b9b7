//! The calls of a context: which result answers which, and what each was about.

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::context::Context;
use super::held::HeldMessage;
use crate::conversation::Block;
use crate::transcript::record;

/// A block's place in a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At {
    /// The message.
    pub message: usize,
    /// The block in it.
    pub block: usize,
}

/// A call with its result.
#[derive(Debug, Clone)]
pub struct Call {
    /// The tool.
    pub name: String,
    /// What it was about.
    pub input: Input,
    /// The input as it is written.
    pub written: String,
    /// Where it stands.
    pub at: At,
    /// Where its result stands.
    pub result: At,
    /// Whether it failed.
    pub failed: bool,
}

/// The parts of an input that say what a call is about, of the tools that are known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Input {
    file_path: Option<String>,
    notebook_path: Option<String>,
    path: Option<String>,
    pattern: Option<String>,
    command: Option<String>,
    url: Option<String>,
    query: Option<String>,
    description: Option<String>,
    bash_id: Option<String>,
    task_id: Option<String>,
    /// The first line that is read.
    pub offset: Option<u64>,
    /// How many lines are read.
    pub limit: Option<u64>,
}

impl Input {
    /// Reads the input of a call from its JSON.
    #[must_use]
    pub fn read(written: &str) -> Self {
        if !written.trim_start().starts_with('{') {
            return Self::default();
        }
        // One part of another kind, and the others are read without it.
        serde_json::from_str(written).unwrap_or_else(|_| {
            let mut fields = serde_json::from_str::<serde_json::Value>(written).unwrap_or_default();
            if let Some(fields) = fields.as_object_mut() {
                let is_number = |key: &str| matches!(key, "offset" | "limit");
                fields.retain(|key, value| {
                    if is_number(key) {
                        value.is_u64()
                    } else {
                        value.is_string()
                    }
                });
            }
            serde_json::from_value(fields).unwrap_or_default()
        })
    }

    /// The file that the call is about.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        self.file_path.as_deref().or(self.notebook_path.as_deref())
    }

    /// The background task that the call is about.
    #[must_use]
    pub fn task(&self) -> Option<&str> {
        self.bash_id.as_deref().or(self.task_id.as_deref())
    }

    /// What the call is about, in a few words of its own.
    #[must_use]
    pub fn target(&self) -> Option<&str> {
        let parts = [
            self.file(),
            self.command.as_deref(),
            self.pattern.as_deref(),
            self.url.as_deref(),
            self.query.as_deref(),
            self.path.as_deref(),
            self.description.as_deref(),
            self.task(),
        ];
        parts.into_iter().flatten().next()
    }
}

impl Call {
    /// The tool and what it was about, on one line of at most `chars` characters.
    #[must_use]
    pub fn title(&self, chars: usize) -> String {
        let name = short(&self.name, chars);
        match self.input.target() {
            Some(target) => {
                let room = chars.saturating_sub(name.chars().count() + 1).max(8);
                // A path says most at its end.
                let target = if self.input.file() == Some(target) {
                    short_start(target, room)
                } else {
                    short(target, room)
                };
                format!("{name} {target}")
            }
            None => name,
        }
    }
}

/// The first line of a text, cut to `chars` characters.
#[must_use]
pub fn short(text: &str, chars: usize) -> String {
    let text = text.trim();
    let line = text.lines().next().unwrap_or_default().trim_end();
    let cut = line.char_indices().nth(chars.saturating_sub(1));
    match cut {
        Some((at, last)) if line.len() > at + last.len_utf8() || line.len() < text.len() => {
            format!("{}…", &line[..at])
        }
        _ if line.len() < text.len() => format!("{line}…"),
        _ => line.to_owned(),
    }
}

/// The end of a text on one line, cut to `chars` characters.
fn short_start(text: &str, chars: usize) -> String {
    let line = text.lines().next().unwrap_or_default().trim();
    let length = line.chars().count();
    if length <= chars {
        return line.to_owned();
    }
    let start = line.char_indices().nth(length + 1 - chars);
    format!("…{}", start.map_or("", |(at, _)| &line[at..]))
}

/// The calls of a context that have exactly one result, in their order. What has none or several
/// is left alone.
#[derive(Debug, Default)]
pub struct Calls {
    calls: Vec<Call>,
    by_result: FxHashMap<At, usize>,
    by_call: FxHashMap<At, usize>,
}

impl Calls {
    /// The calls in some messages.
    #[must_use]
    pub fn of(messages: &[HeldMessage]) -> Self {
        let mut uses: FxHashMap<&str, Vec<At>> = FxHashMap::default();
        let mut results: FxHashMap<&str, Vec<At>> = FxHashMap::default();
        let mut order = Vec::new();
        for (message, held) in messages.iter().enumerate() {
            for (block, held) in held.blocks.iter().enumerate() {
                let at = At { message, block };
                if let Some(id) = held.call() {
                    uses.entry(id).or_default().push(at);
                    order.push((id, at));
                } else if let Some(id) = held.answers() {
                    results.entry(id).or_default().push(at);
                }
            }
        }
        let mut calls = Self::default();
        for (id, at) in order {
            let (Some([_]), Some([result])) = (
                uses.get(id).map(Vec::as_slice),
                results.get(id).map(Vec::as_slice),
            ) else {
                continue;
            };
            if *result < at {
                continue;
            }
            let Block::Read(record::Block::ToolUse { name, input, .. }) =
                &messages[at.message].blocks[at.block].block
            else {
                continue;
            };
            let failed = matches!(
                &messages[result.message].blocks[result.block].block,
                Block::Read(record::Block::ToolResult { is_error: true, .. })
            );
            let number = calls.calls.len();
            calls.by_result.insert(*result, number);
            calls.by_call.insert(at, number);
            calls.calls.push(Call {
                name: name.clone(),
                input: Input::read(input.get()),
                written: input.get().to_owned(),
                at,
                result: *result,
                failed,
            });
        }
        calls
    }

    /// All of them, in their order.
    #[must_use]
    pub fn all(&self) -> &[Call] {
        &self.calls
    }

    /// The call whose result stands somewhere.
    #[must_use]
    pub fn answered_at(&self, at: At) -> Option<&Call> {
        self.by_result.get(&at).map(|number| &self.calls[*number])
    }

    /// The call that stands somewhere.
    #[must_use]
    pub fn called_at(&self, at: At) -> Option<&Call> {
        self.by_call.get(&at).map(|number| &self.calls[*number])
    }
}

/// How much at the end of a conversation a stage leaves alone: the current work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recent {
    /// The last so many turns; a turn begins with what the user asks.
    pub turns: usize,
    /// But no more than the last so many rounds: a turn can be a whole session. A round is one
    /// answer with what follows it (fact C5.2).
    pub rounds: usize,
}

impl Default for Recent {
    /// Two turns, at most ten rounds (ours).
    fn default() -> Self {
        Self {
            turns: 2,
            rounds: 10,
        }
    }
}

impl Context<'_> {
    /// The first message that is recent. What follows the last answer always is: no answer saw it.
    #[must_use]
    pub fn recent_from(&self, recent: Recent) -> usize {
        let messages = self.messages.iter().enumerate().rev();
        let is_turn =
            |message: &HeldMessage| message.blocks.iter().any(|held| self.is_request(held));
        let starts = |count: usize, wanted: &dyn Fn(&HeldMessage) -> bool| {
            let mut found = messages.clone().filter(|(_, message)| wanted(message));
            match count.checked_sub(1) {
                Some(before) => found.nth(before).map_or(0, |(number, _)| number),
                None => self.messages.len(),
            }
        };
        let last = starts(1, &HeldMessage::is_answer);
        starts(recent.turns, &is_turn)
            .max(starts(recent.rounds, &HeldMessage::is_answer))
            .min(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_of_another_shape_is_read_as_far_as_it_is_known() {
        for (written, target) in [
            (
                r#"{"file_path": "/a", "offset": -1, "limit": "all"}"#,
                Some("/a"),
            ),
            (r#"{"file_path": 7, "pattern": "x"}"#, Some("x")),
            (r#"{"prompt": "x"}"#, None),
            (r#"["/a", "/b"]"#, None),
            ("7", None),
            ("{", None),
        ] {
            assert_eq!(Input::read(written).target(), target, "{written}");
        }
    }

    #[test]
    fn titles_are_one_short_line() {
        assert_eq!(short("one\ntwo", 10), "one…");
        assert_eq!(short("  one  ", 10), "one");
        assert_eq!(short("0123456789", 10), "0123456789");
        assert_eq!(short("0123456789a", 10), "012345678…");
        assert_eq!(short_start("/home/dev/demo/a.rs", 8), "…mo/a.rs");
        assert_eq!(short_start("/a.rs", 8), "/a.rs");
        assert_eq!(short("", 10), "");
    }
}
