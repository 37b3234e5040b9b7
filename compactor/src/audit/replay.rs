//! The same session made anew by the loader: what it should have received.

use std::io;
use std::sync::Arc;

use outcrop_loader::path::AbsPath;
use outcrop_loader::record::{Cause, Layer, Scope};
use outcrop_loader::session::{Session, ToolCall};
use rustc_hash::FxHashSet;
use serde_json::{Value, json};

use super::receipt::{Moment, Receipt};
use crate::pipeline::is_of_client;
use crate::transcript::record::{Block, Content, Record};
use crate::transcript::{Entry, Id, Index, Kind, Source, Transcript};
use crate::turns;

/// What happened in a session, as far as it can bring instruction texts.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// A prompt; its text only where it may mention a file.
    Prompt(String),
    /// A call of a tool that may read a file.
    Call(ToolCall),
}

/// An instruction text that a session should have received.
#[derive(Debug, Clone)]
pub struct Predicted {
    /// The path in the client's heading.
    pub path: String,
    /// Its owner.
    pub scope: Scope,
    /// Why it is there.
    pub cause: Cause,
    /// The start brings it, not a read.
    pub at_start: bool,
    /// The text.
    pub text: String,
    /// The file.
    pub source: Arc<str>,
    /// The text is cut, and a notice of the client's stands behind it.
    pub is_cut: bool,
    /// The client sends no event for it (facts 1.15, 9.2).
    pub sends_no_event: bool,
}

impl Receipt {
    /// Lets happen in a session what happened in this one.
    pub fn replay(&self, session: &mut Session<'_>) {
        replay(&self.steps, session);
    }
}

/// Lets steps happen in a session.
pub fn replay(steps: &[Step], session: &mut Session<'_>) {
    for step in steps {
        match step {
            Step::Prompt(text) => session.prompt(text),
            Step::Call(call) => session.call(call),
        };
    }
}

/// What happened in some records of a transcript, as far as it can bring instruction texts.
///
/// # Errors
///
/// When the source cannot be read.
pub fn steps<S: Source>(transcript: &Transcript<S>, records: &[usize]) -> io::Result<Vec<Step>> {
    let index = transcript.index();
    let mut calls = Calls::of(index);
    let mut steps = Vec::new();
    for record in records {
        let entry = &index.entries()[*record];
        if turns::is_prompt(index, entry) {
            let prompt = prompt(&transcript.record(entry)?);
            steps.extend(prompt.map(Step::Prompt));
        } else if entry.kind == Kind::Assistant {
            steps.extend(calls.take(transcript, entry)?);
        }
    }
    Ok(steps)
}

/// The texts that a session delivered.
#[must_use]
pub fn predicted(session: &Session<'_>) -> Vec<Predicted> {
    let mut texts: Vec<Predicted> = Vec::new();
    for (number, delivery) in session.deliveries().iter().enumerate() {
        let instructions = delivery.layers.iter().map(|layer| (layer, false));
        let by_hook = delivery.by_hook.iter().map(|layer| (layer, true));
        for (layer, by_hook) in instructions.chain(by_hook) {
            let sends_no_event = by_hook
                || layer.title.is_some()
                || layer.scope == Scope::AutoMemory
                || is_of_agents_file(&texts, layer);
            texts.push(Predicted {
                path: layer.name().to_owned(),
                scope: layer.scope,
                cause: layer.cause.clone(),
                at_start: number == 0,
                text: layer.text.clone(),
                source: Arc::clone(&layer.source),
                is_cut: layer.notice.is_some(),
                sends_no_event,
            });
        }
    }
    texts
}

/// Whether a text is an `AGENTS.md`, or imported by one.
fn is_of_agents_file(before: &[Predicted], layer: &Layer) -> bool {
    match &layer.cause {
        Cause::Import(mention) => {
            let importer = before.iter().find(|text| text.path == mention.by.as_str());
            importer.is_some_and(|importer| importer.sends_no_event)
        }
        _ => layer.path.file_name() == "AGENTS.md",
    }
}

/// The text of a prompt, where it is one of the user's own.
pub(super) fn prompt(record: &Record) -> Option<String> {
    let text = match &record.content {
        Content::Missing => return None,
        Content::Text(text) => text.clone(),
        Content::Blocks(blocks) => {
            let texts = blocks.iter().filter_map(|block| match block {
                Block::Text(text) => Some(text.as_str()),
                _ => None,
            });
            texts.collect::<Vec<_>>().join("\n")
        }
    };
    // What the client puts there itself mentions nothing.
    if is_of_client(&text) {
        return None;
    }
    Some(if text.contains('@') {
        text
    } else {
        String::new()
    })
}

/// The calls of the last answer, to which texts that follow are due.
pub(super) struct Calls {
    /// Calls whose result reports a failure.
    failed: FxHashSet<Id>,
    pub(super) open: Open,
}

/// The calls of one answer.
#[derive(Default)]
pub(super) struct Open {
    /// The message that the calls stand in.
    answer: Option<Id>,
    /// Tool, and file or command.
    calls: Vec<(String, Option<String>)>,
    /// Nothing but what a compaction brings back came since the last boundary.
    after_boundary: bool,
}

/// Tools that can bring instruction texts.
const TOOLS: [&str; 4] = ["Read", "Write", "Edit", "Bash"];

impl Calls {
    pub(super) fn of(index: &Index) -> Self {
        let pieces = index.entries().iter().flat_map(|entry| index.pieces(entry));
        let failed = pieces
            .filter(|piece| piece.is_error && index.is(piece.kind, "tool_result"))
            .filter_map(|piece| piece.tool);
        Self {
            failed: failed.collect(),
            open: Open::default(),
        }
    }

    /// A prompt or a boundary ends what went before.
    pub(super) fn end(&mut self, is_boundary: bool) {
        self.open = Open {
            after_boundary: is_boundary,
            ..Open::default()
        };
    }

    /// Whether only what a compaction brings back can be attached here.
    pub(super) fn is_after_boundary(&self) -> bool {
        self.open.after_boundary
    }

    /// Takes an answer's record: gives the calls that may bring texts.
    pub(super) fn take<S: Source>(
        &mut self,
        transcript: &Transcript<S>,
        entry: &Entry,
    ) -> io::Result<Vec<Step>> {
        let index = transcript.index();
        self.open.after_boundary = false;
        if entry.message.is_none() || entry.message != self.open.answer {
            self.open.calls.clear();
            self.open.answer = entry.message;
        }
        let named = |name: Option<Id>| name.is_some_and(|name| TOOLS.contains(&index.text(name)));
        if !index.pieces(entry).iter().any(|piece| named(piece.name)) {
            return Ok(Vec::new());
        }
        let Content::Blocks(blocks) = transcript.record(entry)?.content else {
            return Ok(Vec::new());
        };
        let mut steps = Vec::new();
        for block in blocks {
            let Block::ToolUse { id, name, input } = block else {
                continue;
            };
            let input: Value = serde_json::from_str(input.get()).unwrap_or_default();
            let target = ["file_path", "command"]
                .iter()
                .find_map(|key| input.get(*key)?.as_str());
            self.open
                .calls
                .push((name.clone(), target.map(str::to_owned)));
            let failed = index.find(&id).is_some_and(|id| self.failed.contains(&id));
            steps.extend(step(&name, input, failed).map(Step::Call));
        }
        Ok(steps)
    }

    /// What brought an instruction file: of several calls at once the one that touches what lies
    /// beside or below it, else the first.
    pub(super) fn moment(&self, path: &str) -> Moment {
        let folder = AbsPath::new(path).and_then(|path| path.parent());
        let touches = |(_, target): &&(String, Option<String>)| {
            let target = target.as_deref().and_then(AbsPath::new);
            target
                .zip(folder.as_ref())
                .is_some_and(|(target, folder)| target.is_within(folder))
        };
        let calls = &self.open.calls;
        let call = calls.iter().find(touches).or(calls.first());
        match call {
            Some((tool, target)) => Moment::Call {
                tool: tool.clone(),
                target: target.clone(),
            },
            None if self.open.after_boundary => Moment::Compaction,
            None => Moment::Prompt,
        }
    }
}

/// A call as it is made again. An edit that was made cannot be made on today's file, so it counts
/// as the writing that it was; what failed wrote nothing.
fn step(tool: &str, input: Value, failed: bool) -> Option<ToolCall> {
    let (tool, input) = match tool {
        "Write" | "Edit" if failed => return None,
        "Edit" => ("Write", json!({ "file_path": input.get("file_path") })),
        "Write" => ("Write", json!({ "file_path": input.get("file_path") })),
        "Read" | "Bash" => (tool, input),
        _ => return None,
    };
    Some(ToolCall {
        tool: tool.to_owned(),
        input,
    })
}
