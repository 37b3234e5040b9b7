//! Sessions as transcripts, in the shape of client 2.1.332 (facts C1).

use serde_json::{Value, json};

use super::steps::{MadeCall, MadeResult, Session, Step};

/// A transcript and what is true of it.
#[derive(Debug, Clone, Default)]
pub struct Written {
    /// The file.
    pub bytes: Vec<u8>,
    /// What is true of it.
    pub truth: Truth,
}

/// What is true of a transcript.
#[derive(Debug, Clone, Default)]
pub struct Truth {
    /// The records that stand whole on their lines.
    pub records: usize,
    /// What counts since the last compaction, in order.
    pub live: Vec<Item>,
    /// How often the conversation was compacted.
    pub compactions: usize,
}

/// A step that counts.
#[derive(Debug, Clone, Default)]
pub struct Item {
    /// What the user asked.
    pub prompt: Option<String>,
    /// The calls that were answered.
    pub calls: Vec<String>,
    /// The records.
    pub uuids: Vec<String>,
}

impl Truth {
    /// What the user asked since the last compaction, in order.
    pub fn prompts(&self) -> impl Iterator<Item = &str> {
        self.live.iter().filter_map(|item| item.prompt.as_deref())
    }

    /// The calls since then that were answered, in order.
    pub fn calls(&self) -> impl Iterator<Item = &str> {
        let calls = self.live.iter().flat_map(|item| &item.calls);
        calls.map(String::as_str)
    }
}

impl Session {
    /// The transcript of this session.
    #[must_use]
    pub fn write(&self) -> Written {
        let mut writer = Writer::default();
        for step in &self.steps {
            writer.step(step);
        }
        if self.torn {
            let record = writer.record("assistant", json!({"message": {"role": "assistant"}}));
            let line = record.to_string();
            writer
                .written
                .bytes
                .extend(&line.as_bytes()[..line.len() / 2]);
        }
        writer.written
    }
}

/// Writes one record after the other.
#[derive(Debug, Default)]
pub(super) struct Writer {
    pub(super) written: Written,
    /// The uuid to which the next record is chained.
    parent: Option<String>,
    /// Before each prompt: its parent, and how much counted.
    prompts: Vec<(Option<String>, usize)>,
    numbers: u64,
    time: i64,
    /// The tokens of the next request, roughly.
    pub(super) context: u64,
}

/// Points nowhere (fact I33).
const NIL: &str = "00000000-0000-0000-0000-000000000000";

/// 2026-08-03, 9:00.
const BEGINNING: i64 = 1_785_747_600_000;

impl Writer {
    fn number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    /// A record that is chained to the one before.
    fn record(&mut self, kind: &str, parts: Value) -> Value {
        let number = self.number();
        self.time += 1_000 + i64::try_from(number % 7).unwrap_or(0) * 613;
        let time = jiff::Timestamp::from_millisecond(BEGINNING + self.time).unwrap_or_default();
        let mut record = json!({
            "parentUuid": self.parent,
            "isSidechain": false,
            "type": kind,
            "uuid": format!("00000000-0000-4000-8000-{number:012}"),
            "timestamp": time.to_string(),
            "cwd": "/home/dev/demo",
            "sessionId": "5e551011-0000-4000-8000-000000000001",
            "version": "2.1.332",
        });
        if let (Value::Object(record), Value::Object(parts)) = (&mut record, parts) {
            record.extend(parts);
        }
        record
    }

    /// Writes a record down, without chaining the next one to it.
    fn put(&mut self, record: &Value) -> String {
        let line = record.to_string();
        self.context += line.len() as u64 / 6;
        self.line(&line);
        self.written.truth.records += 1;
        record["uuid"].as_str().unwrap_or_default().to_owned()
    }

    fn line(&mut self, line: &str) {
        self.written.bytes.extend(line.as_bytes());
        self.written.bytes.push(b'\n');
    }

    /// Writes a record of the chain down.
    fn chain(&mut self, kind: &str, parts: Value) -> String {
        let record = self.record(kind, parts);
        let uuid = self.put(&record);
        self.parent = Some(uuid.clone());
        uuid
    }

    fn count(&mut self, item: Item) {
        self.written.truth.live.push(item);
    }

    pub(super) fn step(&mut self, step: &Step) {
        match step {
            Step::Prompt {
                text,
                listed,
                image,
            } => self.prompt(text, *listed, *image),
            Step::Answer {
                thinking,
                text,
                calls,
                reversed,
            } => self.answer(thinking.as_deref(), text.as_deref(), calls, *reversed),
            Step::Attachment { kind, text, system } => {
                let role = if *system { "system" } else { "user" };
                let uuid = self.chain(
                    "attachment",
                    json!({"attachment": attachment(kind, text),
                           "rendered": [{"content": text}], "renderedRole": role}),
                );
                self.count(Item {
                    uuids: vec![uuid],
                    ..Item::default()
                });
            }
            Step::Note(text) => {
                let uuid = self.chain(
                    "user",
                    json!({"isMeta": true, "message": {"role": "user", "content": text}}),
                );
                self.count(Item {
                    uuids: vec![uuid],
                    ..Item::default()
                });
            }
            Step::Compaction { summary, keep } => self.compaction(summary, *keep),
            Step::Rewind(by) => {
                let Some(at) = self.prompts.len().checked_sub(*by) else {
                    return;
                };
                let (parent, live) = self.prompts[at].clone();
                self.prompts.truncate(at);
                self.written.truth.live.truncate(live);
                self.parent = parent;
                // A rewind shows in the file with the next prompt only.
                self.prompt("Another way.", false, false);
                self.pointer(json!({"leafUuid": NIL, "explicit": true}));
            }
            Step::Sidechain(text) => {
                let parent = self.parent.take();
                for (kind, role) in [("user", "user"), ("assistant", "assistant")] {
                    self.chain(
                        kind,
                        json!({"isSidechain": true, "agentId": "a1",
                               "message": {"role": role, "content": [{"type": "text", "text": text}]}}),
                    );
                }
                self.parent = parent;
            }
            Step::Side(kind) => {
                let record = json!({"type": kind, "permissionMode": "default"});
                self.put(&record);
            }
            Step::OrphanResult(text) => {
                let uuid = self.chain(
                    "user",
                    json!({"message": {"role": "user", "content":
                        [{"type": "tool_result", "tool_use_id": "toolu_gone", "content": text}]}}),
                );
                self.count(Item {
                    uuids: vec![uuid],
                    ..Item::default()
                });
            }
            Step::ApiError => {
                let uuid = self.chain(
                    "assistant",
                    json!({"isApiErrorMessage": true, "message": {
                        "id": format!("err_{}", self.numbers), "model": "<synthetic>", "role": "assistant",
                        "content": [{"type": "text", "text": "API Error: try again."}],
                        "usage": {"input_tokens": 0, "output_tokens": 0}}}),
                );
                self.count(Item {
                    uuids: vec![uuid],
                    ..Item::default()
                });
            }
            Step::TurnEnd => {
                let uuid = self.chain(
                    "system",
                    json!({"subtype": "turn_duration", "durationMs": 4_000}),
                );
                self.pointer(json!({"lastPrompt": "x", "leafUuid": uuid}));
            }
            Step::Garbage(line) => self.line(line),
        }
    }

    /// Tells where the conversation goes on.
    fn pointer(&mut self, mut parts: Value) {
        parts["type"] = "last-prompt".into();
        self.put(&parts);
    }

    fn prompt(&mut self, text: &str, listed: bool, image: bool) {
        self.prompts
            .push((self.parent.clone(), self.written.truth.live.len()));
        let content = if listed || image {
            let mut blocks = vec![json!({"type": "text", "text": text})];
            if image {
                blocks.push(picture());
            }
            Value::Array(blocks)
        } else {
            text.into()
        };
        let uuid = self.chain(
            "user",
            json!({"message": {"role": "user", "content": content}, "permissionMode": "default"}),
        );
        self.count(Item {
            prompt: Some(text.to_owned()),
            uuids: vec![uuid],
            ..Item::default()
        });
    }

    fn answer(
        &mut self,
        thinking: Option<&str>,
        text: Option<&str>,
        calls: &[MadeCall],
        reversed: bool,
    ) {
        let message = format!("msg_{}", self.number());
        let mut blocks = Vec::new();
        if let Some(thinking) = thinking {
            blocks.push(json!({"type": "thinking", "thinking": thinking, "signature": "c2ln"}));
        }
        match text {
            Some(text) => blocks.push(json!({"type": "text", "text": text})),
            None if calls.is_empty() => blocks.push(json!({"type": "text", "text": "Well."})),
            None => {}
        }
        let mut item = Item::default();
        let usage = json!({"input_tokens": 3, "cache_creation_input_tokens": 200,
            "cache_read_input_tokens": 18_000 + self.context, "output_tokens": 40});
        let mut answered = Vec::new();
        let calls = calls.iter().map(|call| {
            let id = format!("toolu_{message}_{}", answered.len());
            let input: Value = serde_json::from_str(&call.input).unwrap_or_default();
            let block = json!({"type": "tool_use", "id": id, "name": call.name, "input": input});
            answered.push((id, call.result.as_ref()));
            block
        });
        blocks.extend(calls);
        let mut uses = Vec::new();
        for block in blocks {
            let is_call = block["type"] == "tool_use";
            let uuid = self.chain(
                "assistant",
                json!({"message": {"id": message, "model": "claude-opus-5-5", "role": "assistant",
                       "content": [block], "usage": usage}}),
            );
            if is_call {
                uses.push(uuid.clone());
            }
            item.uuids.push(uuid);
        }
        let mut pairs: Vec<_> = answered.into_iter().zip(uses).collect();
        let last = self.parent.clone();
        let any_answered = pairs.iter().any(|((_, result), _)| result.is_some());
        item.calls = pairs
            .iter()
            .filter(|((_, result), _)| result.is_some())
            .map(|((id, _), _)| id.clone())
            .collect();
        if reversed {
            pairs.reverse();
        }
        for ((id, result), parent) in pairs {
            if let Some(result) = result {
                self.parent = Some(parent);
                item.uuids.push(self.result(&id, result));
            }
        }
        if !any_answered {
            self.parent = last;
        }
        self.count(item);
    }

    fn result(&mut self, id: &str, result: &MadeResult) -> String {
        let content = if result.listed || result.image {
            let mut blocks = vec![json!({"type": "text", "text": result.text})];
            if result.image {
                blocks.push(picture());
            }
            Value::Array(blocks)
        } else {
            result.text.as_str().into()
        };
        let mut block = json!({"type": "tool_result", "tool_use_id": id, "content": content});
        if result.is_error {
            block["is_error"] = true.into();
        }
        self.chain(
            "user",
            json!({"message": {"role": "user", "content": [block]}, "toolUseResult": {"stdout": ""}}),
        )
    }

    fn compaction(&mut self, summary: &str, keep: bool) {
        let last = self.parent.take();
        let kept = self.written.truth.live.last().filter(|_| keep).cloned();
        let number = self.numbers + 2;
        let anchor = format!("00000000-0000-4000-8000-{number:012}");
        let mut metadata = json!({"trigger": "auto", "preTokens": self.context});
        if let Some(kept) = &kept {
            metadata["preservedMessages"] =
                json!({"anchorUuid": anchor, "uuids": kept.uuids, "allUuids": kept.uuids});
        }
        self.chain(
            "system",
            json!({"subtype": "compact_boundary", "logicalParentUuid": last,
                   "compactMetadata": metadata}),
        );
        let uuid = self.chain(
            "user",
            json!({"isCompactSummary": true, "isVisibleInTranscriptOnly": true,
                   "message": {"role": "user", "content": summary}}),
        );
        self.pointer(json!({"lastPrompt": "x", "leafUuid": uuid}));
        self.context = 4_000;
        self.prompts.clear();
        let truth = &mut self.written.truth;
        truth.compactions += 1;
        truth.live = vec![Item {
            uuids: vec![uuid],
            ..Item::default()
        }];
        truth.live.extend(kept);
    }
}

/// A picture of one pixel.
fn picture() -> Value {
    json!({"type": "image", "source": {"type": "base64", "media_type": "image/png",
        "data": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=="}})
}

/// An attachment as the client writes it: what it lacks makes the client pass it over.
fn attachment(kind: &str, text: &str) -> Value {
    let path = "/home/dev/demo/notes.md";
    match kind {
        "nested_memory" => json!({
            "type": kind, "path": path, "displayPath": "notes.md",
            "content": {"path": path, "type": "Project", "content": text,
                        "contentDiffersFromDisk": false},
        }),
        "file" => json!({
            "type": kind, "filename": path, "displayPath": "notes.md",
            "content": {"type": "text", "file": {
                "filePath": path, "content": text, "numLines": 1, "startLine": 1, "totalLines": 1,
            }},
        }),
        "task_reminder" => json!({"type": kind, "content": [], "itemCount": 0}),
        "queued_command" => json!({"type": kind, "prompt": text, "commandMode": "prompt"}),
        "skill_listing" => json!({
            "type": kind, "content": text, "skillCount": 1, "isInitial": true, "names": ["own"],
        }),
        _ => json!({"type": kind, "content": text}),
    }
}
