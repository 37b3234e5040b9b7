//! A summary made of what stands in the messages, word for word.

use std::fmt::Write as _;

use super::{Summariser, ToSummarise, stays};
use crate::conversation::{Block, Role};
use crate::loss::{constraints_in, decisions_in, open_todos};
use crate::pipeline::{Calls, is_request, short, units};
use crate::transcript::record;

/// What a summary keeps, each list in the order of the conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extracted {
    /// What the user asked, the beginning of each.
    pub requests: Vec<String>,
    /// What the user said must or must not be.
    pub constraints: Vec<String>,
    /// What was decided, with the reason.
    pub decisions: Vec<String>,
    /// What happened to each file.
    pub files: Vec<String>,
    /// Calls that failed and did not succeed later.
    pub failures: Vec<String>,
    /// What is still to be done.
    pub open: Vec<String>,
    /// How each answer ended.
    pub outcomes: Vec<String>,
}

/// A deterministic summary: the parts that were extracted, as far as its limit allows.
#[derive(Debug, Clone, Copy)]
pub struct Extractive {
    /// Finds the parts.
    pub extract: fn(&ToSummarise<'_>) -> Extracted,
}

impl Default for Extractive {
    fn default() -> Self {
        Self { extract }
    }
}

impl Summariser for Extractive {
    fn summarise(&self, request: &ToSummarise<'_>) -> String {
        let found = (self.extract)(request);
        let blocks = request.messages.iter().flat_map(|message| &message.blocks);
        let lines = blocks.filter_map(|held| {
            let entry = request.index.entries().get(held.from?.record)?;
            Some(entry.place.line)
        });
        let mut text = format!(
            "[Summary of what came before{}]\n",
            crate::stages::place::lines(lines)
        );
        // Most needed first: what does not fit any more is left out from the oldest on.
        let parts = [
            ("Constraints", &found.constraints),
            ("Open", &found.open),
            ("Decisions", &found.decisions),
            ("Files", &found.files),
            ("Failed", &found.failures),
            ("Requests", &found.requests),
            ("Outcomes", &found.outcomes),
        ];
        let mut room = request.limit.saturating_mul(4).saturating_sub(units(&text));
        for (title, items) in parts {
            let mut taken = 0;
            for item in items.iter().rev() {
                let Some(rest) = room.checked_sub(units(item) + 3) else {
                    break;
                };
                room = rest;
                taken += 1;
            }
            if taken == 0 {
                continue;
            }
            let _ = write!(text, "\n{title}:\n");
            let left_out = items.len() - taken;
            if left_out > 0 {
                let _ = writeln!(text, "- ({left_out} earlier ones left out)");
            }
            for item in &items[left_out..] {
                let _ = writeln!(text, "- {item}");
            }
        }
        text
    }
}

/// The longest sentence that is kept, in bytes.
const SENTENCE: usize = 600;

/// Finds the parts in the messages themselves, without reading what tools gave.
#[must_use]
pub fn extract(request: &ToSummarise<'_>) -> Extracted {
    let mut found = Extracted::default();
    for message in request.messages {
        for held in &message.blocks {
            let Block::Read(record::Block::Text(text)) = &held.block else {
                continue;
            };
            // What stays beside the summary needs no place in it.
            if request.request_stays && stays(held) {
                continue;
            }
            let own = is_request(request.index, held);
            if own {
                found.requests.push(short(text, 160));
            } else if message.role == Role::Assistant {
                found.outcomes.push(short(text, 160));
            } else {
                continue;
            }
            let fits = |sentence: &&str| sentence.len() <= SENTENCE;
            if own {
                let demands = constraints_in(text).into_iter().filter(fits);
                demands.for_each(|sentence| again(&mut found.constraints, sentence));
            }
            let decided = decisions_in(text).into_iter().filter(fits);
            decided.for_each(|sentence| again(&mut found.decisions, sentence));
        }
    }
    calls(request, &mut found);
    found
}

/// Puts a sentence at the end of a list in which it may stand already.
fn again(list: &mut Vec<String>, sentence: &str) {
    list.retain(|other| other != sentence);
    list.push(sentence.to_owned());
}

/// What calls tell: files, failures, the last list of things to do.
fn calls(request: &ToSummarise<'_>, found: &mut Extracted) {
    let calls = Calls::of(request.messages);
    let mut files: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut failures: Vec<(&str, &str, String)> = Vec::new();
    for call in calls.all() {
        let asked = (call.name.as_str(), call.written.as_str());
        failures.retain(|(name, written, _)| (*name, *written) != asked);
        if call.failed {
            failures.push((asked.0, asked.1, call.title(120)));
        }
        if let Some(file) = call.input.file() {
            let place = files.iter().position(|(other, _)| *other == file);
            let mut actions = place.map_or_else(Vec::new, |place| files.remove(place).1);
            let action = if call.failed { "failed" } else { &call.name };
            if !actions.contains(&action) {
                actions.push(action);
            }
            files.push((file, actions));
        }
        if call.name == "TodoWrite" && !call.failed {
            let open = open_todos(&call.written).into_iter();
            found.open = open.map(|todo| todo.content).collect();
        }
    }
    let files = files.into_iter();
    found.files = files
        .map(|(file, actions)| format!("{file}: {}", actions.join(", ")))
        .collect();
    found.failures = failures.into_iter().map(|(.., title)| title).collect();
}
