//! Which steps nothing needs any more.

use rustc_hash::FxHashMap;

use crate::conversation::Block;
use crate::pipeline::{At, Call, Calls, Context, Why};
use crate::transcript::record::{self, Content};

/// A call that a later one made needless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Needless {
    /// The call, in [`Calls::all`].
    pub call: usize,
    pub why: Why,
    /// The later call.
    pub by: At,
}

/// Tools that change a whole file or a part of it: what was read before is not what it holds now.
const CHANGES: [&str; 4] = ["Edit", "MultiEdit", "NotebookEdit", "Write"];

/// Tools of which each call tells a state anew.
const TELLS_STATE: [&str; 1] = ["TodoWrite"];

/// Tools that ask for the output of a background task; only the newest answer counts.
const POLLS: [&str; 2] = ["BashOutput", "TaskOutput"];

/// What later calls did, seen from the end.
#[derive(Default)]
struct Later<'a> {
    /// Files that were read whole, or changed.
    files: FxHashMap<&'a str, At>,
    /// Parts of files that were read.
    parts: FxHashMap<(&'a str, Option<u64>, Option<u64>), At>,
    /// Calls that succeeded, by what they asked.
    done: FxHashMap<(&'a str, &'a str), At>,
    states: FxHashMap<&'a str, At>,
    polls: FxHashMap<(&'a str, &'a str), At>,
}

/// The calls that later ones made needless, in their order.
pub(super) fn of(context: &Context<'_>, calls: &Calls) -> Vec<Needless> {
    let mut later = Later::default();
    let mut needless = Vec::new();
    for (number, call) in calls.all().iter().enumerate().rev() {
        if let Some((why, by)) = later.makes_needless(context, call) {
            needless.push(Needless {
                call: number,
                why,
                by,
            });
        }
        if !call.failed {
            later.take(context, call);
        }
    }
    needless.reverse();
    needless
}

impl<'a> Later<'a> {
    fn makes_needless(&self, context: &Context<'_>, call: &Call) -> Option<(Why, At)> {
        let asked = (call.name.as_str(), asked(call));
        let done = self.done.get(&asked).copied();
        if call.failed {
            return done.map(|by| (Why::Retried, by));
        }
        if call.name == "Read"
            && let Some(file) = call.input.file()
        {
            let part = (file, call.input.offset, call.input.limit);
            let by = self.files.get(file).or_else(|| self.parts.get(&part));
            if let Some(by) = by {
                return Some((Why::Superseded, *by));
            }
        }
        if let Some(by) = self.states.get(call.name.as_str()) {
            return Some((Why::Outdated, *by));
        }
        if let Some(by) = call
            .input
            .task()
            .and_then(|task| self.polls.get(&(call.name.as_str(), task)))
        {
            return Some((Why::Outdated, *by));
        }
        // Only the next one is compared, so that many equal calls cost no more than their number.
        let by = done?;
        let same = content(context, call.result) == content(context, by);
        same.then_some((Why::Repeated, by))
    }

    fn take(&mut self, context: &Context<'_>, call: &'a Call) {
        let by = call.result;
        if let Some(file) = call.input.file() {
            let part = (file, call.input.offset, call.input.limit);
            if CHANGES.contains(&call.name.as_str()) {
                self.files.insert(file, by);
            } else if call.name == "Read" && gives_content(context, by) {
                if part == (file, None, None) {
                    self.files.insert(file, by);
                } else {
                    self.parts.insert(part, by);
                }
            }
        }
        if TELLS_STATE.contains(&call.name.as_str()) {
            self.states.insert(&call.name, by);
        }
        if POLLS.contains(&call.name.as_str())
            && let Some(task) = call.input.task()
        {
            self.polls.insert((&call.name, task), by);
        }
        let asked = (call.name.as_str(), asked(call));
        self.done.insert(asked, by);
    }
}

/// Whether a read gave the file: older clients answer a second read of an unchanged file with a
/// note (fact C3.7). A file's lines have their numbers (fact C3.6).
fn gives_content(context: &Context<'_>, result: At) -> bool {
    match content(context, result) {
        Some(texts) => texts.first().is_some_and(|text| {
            text.trim_start_matches(' ')
                .starts_with(|first: char| first.is_ascii_digit())
        }),
        // A picture.
        None => true,
    }
}

/// What a call asks for. The description of a command is no part of it.
fn asked(call: &Call) -> &str {
    match call.name.as_str() {
        "Bash" => call.input.target().unwrap_or(&call.written),
        _ => &call.written,
    }
}

/// The content of a result, as far as it can be compared: texts.
fn content<'c>(context: &'c Context<'_>, at: At) -> Option<Vec<&'c str>> {
    let held = &context.messages[at.message].blocks[at.block];
    let Block::Read(record::Block::ToolResult { content, .. }) = &held.block else {
        return None;
    };
    match content {
        Content::Missing => Some(Vec::new()),
        Content::Text(text) => Some(vec![text]),
        Content::Blocks(blocks) => {
            let texts = blocks.iter().map(|block| match block {
                record::Block::Text(text) => Some(text.as_str()),
                _ => None,
            });
            texts.collect()
        }
    }
}
