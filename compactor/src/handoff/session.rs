//! A whole session as who said what, over all its compactions: what a handoff is drafted from.

use std::io;

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::draft::Cite;
use crate::chain::{Chain, Resume, is_boundary};
use crate::conversation::{Block, From, Role};
use crate::loss::{Loss, Spoken, prompts_of, typed_and_shown};
use crate::sessions::{Title, TitleSource};
use crate::transcript::record::{self, Content, Record};
use crate::transcript::{Entry, Index, Kind, Source, Transcript};
use crate::turns;

/// Words of a session, and where they stand.
#[derive(Debug, Clone)]
pub(super) struct Quote {
    pub(super) text: String,
    pub(super) cite: Cite,
    record: usize,
}

/// A session as a handoff looks at it.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) title: Option<String>,
    /// What the user asked first and last; one quote where they asked once.
    pub(super) first: Option<Quote>,
    pub(super) last: Option<Quote>,
    /// The model's last words.
    pub(super) answer: Option<Quote>,
    /// Calls that failed and did not succeed later, in order.
    pub(super) failures: Vec<Quote>,
    pub(super) turns: usize,
    pub(super) calls: usize,
    pub(super) failed: usize,
    pub(super) compactions: usize,
    pub(super) directory: Option<String>,
    pub(super) model: Option<String>,
    pub(super) version: Option<String>,
    /// When the first record was written, in milliseconds since 1970.
    pub(super) began: Option<i64>,
    pub(super) lines: u32,
    /// Everything that was said, against nothing.
    pub(super) found: Loss,
}

/// One record as the model met it.
struct Told {
    role: Role,
    blocks: Vec<(Block, From)>,
}

impl Spoken for Told {
    fn role(&self) -> Role {
        self.role
    }

    fn blocks(&self) -> impl Iterator<Item = (&Block, Option<From>)> {
        self.blocks.iter().map(|(block, from)| (block, Some(*from)))
    }
}

impl Session {
    pub(super) fn read<S: Source>(
        transcript: &Transcript<S>,
        chain: &Chain,
        client: &Resume,
    ) -> io::Result<Self> {
        let index = transcript.index();
        let turns = turns::of(index, chain, client);
        let mut told: Vec<Told> = Vec::new();
        let mut heard = Heard::default();
        let mut compactions = 0;
        for record in turns.iter().flat_map(|turn| turn.records.iter().copied()) {
            let entry = &index.entries()[record];
            compactions += usize::from(is_boundary(index, entry));
            if says_nothing(index, entry) {
                continue;
            }
            let read = transcript.record(entry)?;
            heard.take(index, entry, record, &read);
            told.extend(as_told(entry, record, read));
        }
        let nothing: [Told; 0] = [];
        let found = Loss::of(transcript, &turns, &told, &nothing)?;
        let entries = index.entries();
        let text = |id| index.text(id).to_owned();
        let title = Title::of(transcript)?;
        // The last request says more of where a session ended than its first prompt.
        let title = title.filter(|title| title.source != TitleSource::Prompt);
        let title = title.map(|title| title.text);
        let request = heard.last.as_ref().map(|quote| quote.text.clone());
        Ok(Self {
            title: title.or(request),
            // Answers behind the last request only: what came before answers something else.
            answer: heard.answer.filter(|answer| {
                let last = heard.last.as_ref();
                last.is_none_or(|last| answer.record > last.record)
            }),
            first: heard.first,
            last: heard.last,
            failures: heard
                .failures
                .into_iter()
                .map(|(.., quote)| quote)
                .collect(),
            turns: turns.iter().filter(|turn| turn.prompt.is_some()).count(),
            calls: heard.calls,
            failed: heard.failed,
            compactions,
            directory: entries.iter().rev().find_map(|entry| entry.cwd).map(text),
            model: heard.model,
            version: entries
                .iter()
                .rev()
                .find_map(|entry| entry.version)
                .map(text),
            began: entries.iter().find_map(|entry| entry.time),
            lines: entries.last().map_or(0, |entry| entry.place.line),
            found,
        })
    }
}

/// Whether a record holds no words of user or model, and nothing of a tool.
fn says_nothing(index: &Index, entry: &Entry) -> bool {
    if entry.flags.sidechain || entry.flags.summary {
        return true;
    }
    match entry.kind {
        Kind::User => false,
        Kind::Assistant => entry.flags.api_error || index.is(entry.model, "<synthetic>"),
        Kind::Attachment => !index.is(entry.detail, "queued_command"),
        _ => true,
    }
}

fn as_told(entry: &Entry, record: usize, read: Record) -> Option<Told> {
    let role = match entry.kind {
        Kind::Assistant => Role::Assistant,
        _ => Role::User,
    };
    let blocks: Vec<Block> = match read.attachment {
        // As the client words it is of no matter: only what the user typed is looked for.
        Some(attachment) => prompts_of(&attachment)
            .into_iter()
            .map(|text| Block::Framed { text, frame: 0 })
            .collect(),
        None => match read.content {
            Content::Missing => Vec::new(),
            Content::Text(text) => vec![Block::text(text)],
            Content::Blocks(blocks) => blocks.into_iter().map(Block::Read).collect(),
        },
    };
    let blocks = blocks.into_iter().enumerate();
    let blocks: Vec<(Block, From)> = blocks
        .map(|(block, held)| (held, From { record, block }))
        .collect();
    (!blocks.is_empty()).then_some(Told { role, blocks })
}

/// What is heard record by record.
#[derive(Default)]
struct Heard {
    first: Option<Quote>,
    last: Option<Quote>,
    answer: Option<Quote>,
    /// By tool and input.
    failures: Vec<(String, String, Quote)>,
    open: FxHashMap<String, (String, String, Quote)>,
    calls: usize,
    failed: usize,
    model: Option<String>,
}

impl Heard {
    fn take(&mut self, index: &Index, entry: &Entry, record: usize, read: &Record) {
        let quote = |text: String| Quote {
            text,
            cite: Cite::of(index, entry),
            record,
        };
        if let Some(attachment) = &read.attachment {
            let prompts = prompts_of(attachment).join("\n");
            if !prompts.is_empty() {
                self.ask(quote(prompts));
            }
            return;
        }
        let of_model = entry.kind == Kind::Assistant;
        if of_model && let Some(model) = entry.model {
            self.model = Some(index.text(model).to_owned());
        }
        let mut own = Vec::new();
        let mut block = |text: &str| match of_model {
            true => own.push(text.to_owned()),
            false if entry.flags.meta => {}
            false => own.extend(typed_and_shown(text).0.into_iter().map(str::to_owned)),
        };
        match &read.content {
            Content::Missing => {}
            Content::Text(text) => block(text),
            Content::Blocks(blocks) => {
                for held in blocks {
                    match held {
                        record::Block::Text(text) => block(text),
                        record::Block::ToolUse { id, name, input } => {
                            self.calls += 1;
                            let call = (name.clone(), input.get().to_owned());
                            let shown = quote(shown(name, input.get()));
                            self.open.insert(id.clone(), (call.0, call.1, shown));
                        }
                        record::Block::ToolResult { id, is_error, .. } => {
                            self.answered(id, *is_error);
                        }
                        _ => {}
                    }
                }
            }
        }
        own.retain(|text| !text.trim().is_empty());
        if own.is_empty() {
            return;
        }
        let said = quote(own.join("\n"));
        match of_model {
            true => self.answer = Some(said),
            false => self.ask(said),
        }
    }

    fn ask(&mut self, quote: Quote) {
        if self.first.is_none() {
            self.first = Some(quote.clone());
        }
        self.last = Some(quote);
    }

    fn answered(&mut self, id: &str, is_error: bool) {
        let Some((tool, input, quote)) = self.open.remove(id) else {
            return;
        };
        self.failures
            .retain(|(other, with, _)| (other, with) != (&tool, &input));
        if is_error {
            self.failed += 1;
            self.failures.push((tool, input, quote));
        }
    }
}

/// A call in a few words: the tool and what it was called on.
fn shown(tool: &str, input: &str) -> String {
    let input: Value = serde_json::from_str(input).unwrap_or_default();
    let keys = [
        "command",
        "file_path",
        "notebook_path",
        "pattern",
        "url",
        "query",
        "description",
    ];
    let mut targets = keys.iter().filter_map(|key| input.get(key)?.as_str());
    match targets.next() {
        Some(target) => format!("{tool} {target}"),
        None => tool.to_owned(),
    }
}
