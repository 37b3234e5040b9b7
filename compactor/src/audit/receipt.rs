//! What a session's own records tell of the instruction texts that it received.

use std::io;

use outcrop_loader::record::Scope;
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::Value;

use super::replay::{self, Calls, Open, Step};
use super::{repository, sent};
use crate::chain::{Chain, Resume};
use crate::conversation::logged::Logged;
use crate::transcript::{Entry, Index, Kind, Source, Transcript};
use crate::turns;

/// What a transcript tells of the instruction texts that its session received.
#[derive(Debug, Default)]
pub struct Receipt {
    /// The texts, in the order in which they came; those of abandoned branches last.
    pub texts: Vec<Received>,
    /// Texts of which the session was told that they are there no more.
    pub withdrawn: Vec<Withdrawn>,
    /// What the transcript can tell at all.
    pub evidence: Evidence,
    /// Where the session started.
    pub cwd: Option<String>,
    /// The version of the client that started it, as written.
    pub version: Option<String>,
    /// When it started, in milliseconds since 1970.
    pub started: Option<i64>,
    /// The model that answered first.
    pub model: Option<String>,
    /// Whether the repository had no uncommitted changes at the start, as far as the client told
    /// it to the session.
    pub was_clean: Option<bool>,
    /// The branch that it started on, as far as the client told it.
    pub branch: Option<String>,
    /// What happened, as far as it can bring instruction texts.
    pub steps: Vec<Step>,
    /// How often the session was compacted.
    pub compactions: usize,
}

/// One instruction text as it was received.
#[derive(Debug, Clone)]
pub struct Received {
    /// The path that the client named.
    pub path: String,
    /// The owner that the client named; none where it named none that is known.
    pub scope: Option<Scope>,
    /// The text.
    pub text: String,
    /// In which form.
    pub form: Form,
    /// What brought it.
    pub moment: Moment,
    /// The record that tells it.
    pub record: usize,
    /// The turn, from 1.
    pub turn: usize,
    /// How many compactions stand before it.
    pub compactions: usize,
    /// It stands on a branch that the session has left.
    pub abandoned: bool,
    /// The first logged request that holds it, where the log has it in words.
    pub request: Option<String>,
}

/// In which form a text was received.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// As an instruction.
    Instruction,
    /// As a file that was attached, as after a compaction (fact C6.7).
    File,
}

/// What brought a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Moment {
    /// The start of the session.
    Start,
    /// The session was told all its texts again, without a compaction.
    Again,
    /// A compaction, after which they are told again.
    Compaction,
    /// The files were read again when the session went on; this one had changed.
    Reread {
        /// Why, in the client's word.
        reason: Option<String>,
    },
    /// A call of a tool.
    Call {
        /// The tool.
        tool: String,
        /// The file, or the command.
        target: Option<String>,
    },
    /// A prompt that mentions a file.
    Prompt,
}

/// A text of which the session was told that it is there no more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdrawn {
    /// The path that the client named.
    pub path: String,
    /// The record that tells it.
    pub record: usize,
    /// The turn, from 1.
    pub turn: usize,
}

/// What tells which texts a session received.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Witness {
    /// Nothing: that no text is found does not mean that there was none.
    #[default]
    None,
    /// The client's records of what it attached.
    Records,
    /// The log of requests.
    Requests,
    /// The log of the client's events.
    Events,
}

/// What a transcript can tell.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// Of the texts at the start.
    pub start: Witness,
    /// Of the texts that reads bring.
    pub reads: Witness,
}

impl Evidence {
    /// Whether there is none at all.
    #[must_use]
    pub fn is_none(self) -> bool {
        self.start == Witness::None && self.reads == Witness::None
    }
}

/// Attachments that a client writes with every start if it writes down the instructions too: seen
/// in 2.1.268 and newer, and in none of the older ones, which write neither.
const WITH_INSTRUCTIONS: [&str; 4] = ["environment", "session_context", "date", "prompt_snapshot"];

impl Receipt {
    /// Reads what `transcript` tells. `client` decides which branch the session is on.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn of<S: Source>(transcript: &Transcript<S>, client: &Resume) -> io::Result<Self> {
        let index = transcript.index();
        let chain = Chain::of(transcript, client)?;
        let mut reading = Reading::of(transcript, &chain, client);
        for (record, abandoned) in order(index, &chain, client) {
            // What the last compaction kept stands behind it, and is from before it.
            if chain.kept.contains(&record) {
                reading.take_kept(record)?;
            } else {
                reading.take(record, abandoned)?;
            }
        }
        let mut receipt = reading.receipt;
        sent::look(transcript, &Logged::of(transcript)?, &mut receipt)?;
        if receipt.evidence.start != Witness::None && receipt.evidence.reads == Witness::None {
            receipt.evidence.reads = receipt.evidence.start;
        }
        Ok(receipt)
    }
}

/// The records of the session itself: its walk, then what stands on other branches.
fn order(index: &Index, chain: &Chain, client: &Resume) -> Vec<(usize, bool)> {
    let walk = chain.whole(index, client);
    let mut in_walk = vec![false; index.entries().len()];
    for record in &walk {
        in_walk[*record] = true;
    }
    let others = index
        .entries()
        .iter()
        .enumerate()
        .filter(|(record, entry)| {
            !in_walk[*record] && index.counts(*record) && entry.kind != Kind::Other
        });
    let others: Vec<(usize, bool)> = others.map(|(record, _)| (record, true)).collect();
    let walk = walk.into_iter().map(|record| (record, false));
    walk.chain(others).collect()
}

struct Reading<'t, S> {
    transcript: &'t Transcript<S>,
    receipt: Receipt,
    /// The turn of each record of the walk.
    turns: FxHashMap<usize, usize>,
    turn: usize,
    compactions: usize,
    calls: Calls,
    /// The calls among what the last compaction kept.
    kept: Open,
    /// A whole set of instructions was told since the last compaction.
    has_set: bool,
}

impl<'t, S: Source> Reading<'t, S> {
    fn of(transcript: &'t Transcript<S>, chain: &Chain, client: &Resume) -> Self {
        let index = transcript.index();
        let mut numbers = FxHashMap::default();
        for turn in turns::of(index, chain, client) {
            numbers.extend(turn.records.iter().map(|record| (*record, turn.number)));
        }
        let mut receipt = Receipt::default();
        for entry in index
            .entries()
            .iter()
            .filter(|entry| !entry.flags.sidechain)
        {
            let text = |id| index.text(id).to_owned();
            receipt.cwd = receipt.cwd.or_else(|| entry.cwd.map(text));
            receipt.version = receipt.version.or_else(|| entry.version.map(text));
            receipt.started = receipt.started.or(entry.time);
            receipt.model = receipt.model.or_else(|| entry.model.map(text));
        }
        Self {
            transcript,
            receipt,
            turns: numbers,
            turn: 1,
            compactions: 0,
            calls: Calls::of(index),
            kept: Open::default(),
            has_set: false,
        }
    }

    fn take_kept(&mut self, record: usize) -> io::Result<()> {
        std::mem::swap(&mut self.calls.open, &mut self.kept);
        self.compactions = self.receipt.compactions.saturating_sub(1);
        let taken = self.take(record, false);
        self.compactions = self.receipt.compactions;
        std::mem::swap(&mut self.calls.open, &mut self.kept);
        taken
    }

    fn take(&mut self, record: usize, abandoned: bool) -> io::Result<()> {
        let index = self.transcript.index();
        let entry = &index.entries()[record];
        if entry.flags.sidechain {
            return Ok(());
        }
        self.turn = self.turns.get(&record).copied().unwrap_or(self.turn);
        match entry.kind {
            Kind::System if index.is(entry.detail, "compact_boundary") => {
                self.compactions += 1;
                self.receipt.compactions += 1;
                self.has_set = false;
                self.calls.end(true);
            }
            Kind::User => {
                if turns::is_prompt(index, entry) {
                    let prompt = replay::prompt(&self.transcript.record(entry)?);
                    if let Some(prompt) = prompt {
                        self.calls.end(false);
                        self.receipt.steps.push(Step::Prompt(prompt));
                    }
                }
            }
            Kind::Assistant => {
                let steps = self.calls.take(self.transcript, entry)?;
                self.receipt.steps.extend(steps);
            }
            Kind::Attachment => self.attachment(record, entry, abandoned)?,
            Kind::System | Kind::Other => {}
        }
        Ok(())
    }

    fn attachment(&mut self, record: usize, entry: &Entry, abandoned: bool) -> io::Result<()> {
        let kind = entry
            .detail
            .map_or("", |kind| self.transcript.index().text(kind));
        if WITH_INSTRUCTIONS.contains(&kind) {
            self.receipt.evidence.start = Witness::Records;
        }
        let is_read = matches!(
            kind,
            "instructions"
                | "nested_memory"
                | "file"
                | "hook_additional_context"
                | "session_context"
        );
        if !is_read {
            return Ok(());
        }
        let attachment = self.transcript.record(entry)?.attachment;
        let attachment = attachment.and_then(|raw| serde_json::from_str::<Value>(raw.get()).ok());
        let Some(attachment) = attachment else {
            return Ok(());
        };
        let place = (record, abandoned);
        match kind {
            "instructions" => self.instructions(place, &attachment),
            "nested_memory" => {
                let content = attachment.get("content").unwrap_or(&Value::Null);
                let path = text(content, "path").or_else(|| text(&attachment, "path"));
                if let Some(path) = path {
                    self.receipt.evidence.reads = Witness::Records;
                    let by = text(content, "parent").unwrap_or(path);
                    let moment = self.calls.moment(by);
                    self.add(place, Some(path), content, moment);
                }
            }
            "file" => self.file(place, &attachment),
            "hook_additional_context" => self.by_hook(place, &attachment),
            _ => {
                let status = attachment
                    .pointer("/context/gitStatus")
                    .and_then(Value::as_str);
                let receipt = &mut self.receipt;
                receipt.was_clean = receipt.was_clean.or(status.and_then(repository::was_clean));
                receipt.branch = receipt
                    .branch
                    .take()
                    .or(status.and_then(repository::branch));
            }
        }
        Ok(())
    }

    fn instructions(&mut self, place: (usize, bool), attachment: &Value) {
        self.receipt.evidence.start = Witness::Records;
        let is_change = attachment.get("changed") == Some(&Value::Bool(true));
        let moment = if is_change {
            let reason = text(attachment, "reason").map(str::to_owned);
            Moment::Reread { reason }
        } else if std::mem::replace(&mut self.has_set, true) {
            Moment::Again
        } else if self.compactions > 0 {
            Moment::Compaction
        } else {
            Moment::Start
        };
        for file in list(attachment, "files") {
            self.add(place, text(file, "path"), file, moment.clone());
        }
        let removed = list(attachment, "removed").filter_map(Value::as_str);
        let removed = removed.map(|path| Withdrawn {
            path: path.to_owned(),
            record: place.0,
            turn: self.turn,
        });
        self.receipt.withdrawn.extend(removed);
    }

    /// Adds a text that stands in an object with its `type` and `content`.
    fn add(&mut self, place: (usize, bool), path: Option<&str>, file: &Value, moment: Moment) {
        let (Some(path), Some(content)) = (path, text(file, "content")) else {
            return;
        };
        let scope = text(file, "type").and_then(scope);
        self.push(place, path, scope, content, (Form::Instruction, moment));
    }

    fn push(
        &mut self,
        (record, abandoned): (usize, bool),
        path: &str,
        scope: Option<Scope>,
        text: &str,
        (form, moment): (Form, Moment),
    ) {
        self.receipt.texts.push(Received {
            path: path.to_owned(),
            scope,
            text: text.to_owned(),
            form,
            moment,
            record,
            turn: self.turn,
            compactions: self.compactions,
            abandoned,
            request: None,
        });
    }

    /// A file that was attached: a mention, or a file that came back after a compaction. Whether
    /// it is one of the instruction files is told when it is compared.
    fn file(&mut self, place: (usize, bool), attachment: &Value) {
        let content = attachment
            .pointer("/content/file/content")
            .and_then(Value::as_str);
        let (Some(path), Some(content)) = (text(attachment, "filename"), content) else {
            return;
        };
        // Other files can be long, and there may be many.
        if !path.ends_with(".md") {
            return;
        }
        let is_mention = !self.calls.is_after_boundary();
        let moment = if is_mention {
            Moment::Prompt
        } else {
            Moment::Compaction
        };
        self.push(place, path, None, content, (Form::File, moment));
    }

    /// What a hook of the client's own adds: nested `AGENTS.md` files with their imports.
    fn by_hook(&mut self, place: (usize, bool), attachment: &Value) {
        for content in list(attachment, "content").filter_map(Value::as_str) {
            let named = content.strip_prefix("Contents of ");
            let Some((path, text)) = named.and_then(|rest| rest.split_once(":\n\n")) else {
                continue;
            };
            if outcrop_loader::path::AbsPath::new(path).is_some() && !path.contains('\n') {
                let moment = self.calls.moment(path);
                let scope = Some(Scope::Project);
                self.push(place, path, scope, text, (Form::Instruction, moment));
            }
        }
    }
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

fn list<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    value
        .get(key)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

/// The owner behind the client's word for it.
pub(super) fn scope(word: &str) -> Option<Scope> {
    Some(match word {
        "Managed" => Scope::Managed,
        "User" => Scope::User,
        "Project" => Scope::Project,
        "Local" => Scope::Local,
        "AutoMem" => Scope::AutoMemory,
        _ => return None,
    })
}
