//! Made talks: records as a client writes them, and what is lost between two of them.

use outcrop_compactor::chain::Chain;
use outcrop_compactor::conversation::{Block, Conversation, Message, Resumed};
use outcrop_compactor::loss::{Loss, Place};
use outcrop_compactor::transcript::Transcript;
use outcrop_compactor::transcript::record::{self, Content};
use outcrop_compactor::turns;
use outcrop_loader::client::{Client, Version};
use serde_json::{Value, json};

/// Records, each the child of the one before.
#[derive(Debug, Clone, Default)]
pub(crate) struct Talk {
    pub(crate) records: Vec<Value>,
}

impl Talk {
    pub(crate) fn add(mut self, kind: &str, message: Value, more: Value) -> Self {
        let number = self.records.len();
        let parent = self.records.last().map(|record| record["uuid"].clone());
        let mut record = json!({
            "type": kind, "uuid": format!("u{number}"), "parentUuid": parent, "cwd": "/w",
            "sessionId": "s", "timestamp": "2026-09-01T10:00:00.000Z", "message": message,
        });
        for (key, value) in more.as_object().unwrap() {
            record[key] = value.clone();
        }
        self.records.push(record);
        self
    }

    pub(crate) fn user(self, text: &str) -> Self {
        self.add(
            "user",
            json!({ "role": "user", "content": text }),
            json!({}),
        )
    }

    pub(crate) fn summary(self, text: &str) -> Self {
        let message = json!({ "role": "user", "content": text });
        self.add("user", message, json!({ "isCompactSummary": true }))
    }

    pub(crate) fn meta(self, text: &str) -> Self {
        let message = json!({ "role": "user", "content": text });
        self.add("user", message, json!({ "isMeta": true }))
    }

    pub(crate) fn says(self, text: &str) -> Self {
        self.answer(json!({ "type": "text", "text": text }))
    }

    pub(crate) fn call(self, id: &str, tool: &str, input: Value) -> Self {
        self.answer(json!({ "type": "tool_use", "id": id, "name": tool, "input": input }))
    }

    fn answer(self, block: Value) -> Self {
        let id = format!("m{}", self.records.len());
        self.add(
            "assistant",
            json!({ "role": "assistant", "id": id, "content": [block] }),
            json!({}),
        )
    }

    pub(crate) fn result(self, id: &str, text: &str, is_error: bool) -> Self {
        let block = json!({ "type": "tool_result", "tool_use_id": id, "content": text, "is_error": is_error });
        self.add(
            "user",
            json!({ "role": "user", "content": [block] }),
            json!({}),
        )
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let lines = self.records.iter().map(|record| format!("{record}\n"));
        lines.collect::<String>().into_bytes()
    }

    /// What is lost where the records from `from` on are all that is left.
    pub(crate) fn loss(&self, from: usize) -> Loss {
        let bytes = self.bytes();
        let before = messages(&bytes, 0..from);
        let after = messages(&bytes, from..self.records.len());
        loss(&bytes, &before, &after)
    }

    /// What is lost where a summary is all that is left.
    pub(crate) fn summarised(self, summary: &str) -> Loss {
        let from = self.records.len();
        self.summary(summary).loss(from)
    }
}

pub(crate) fn loss(bytes: &[u8], before: &[Message], after: &[Message]) -> Loss {
    let transcript = Transcript::read(bytes.to_vec()).unwrap();
    let client = Client::of(Version::NEWEST).unwrap();
    let chain = Chain::of(&transcript, &client.behaviour.resume).unwrap();
    let turns = turns::of(transcript.index(), &chain, &client.behaviour.resume);
    Loss::of(&transcript, &turns, before, after).unwrap()
}

/// The messages of some records, by their numbers.
pub(crate) fn messages(bytes: &[u8], records: std::ops::Range<usize>) -> Vec<Message> {
    let transcript = Transcript::read(bytes.to_vec()).unwrap();
    let count = transcript.index().entries().len();
    let chain = Chain {
        records: (records.start.min(count)..records.end.min(count)).collect(),
        ..Chain::default()
    };
    let client = Client::of(Version::NEWEST).unwrap();
    let resumed = Resumed::default();
    Conversation::of(&transcript, &chain, &client, &resumed)
        .unwrap()
        .messages
}

/// All text of the block at a place.
pub(crate) fn text_at(messages: &[Message], place: &Place) -> String {
    let placed = &messages[place.message].blocks[place.block];
    match &placed.block {
        Block::Client(_) | Block::ClientResult(..) => String::new(),
        Block::Framed { text, .. } => text.clone(),
        Block::Read(record::Block::Text(text) | record::Block::Thinking { text, .. }) => {
            text.clone()
        }
        Block::Read(record::Block::ToolUse { input, .. }) => {
            let value: Value = serde_json::from_str(input.get()).unwrap();
            let mut text = String::new();
            collect(&value, &mut text);
            text
        }
        Block::Read(record::Block::ToolResult { content, .. }) => match content {
            Content::Text(text) => text.clone(),
            Content::Blocks(blocks) => blocks
                .iter()
                .filter_map(|block| match block {
                    record::Block::Text(text) => Some(format!("{text}\n")),
                    _ => None,
                })
                .collect(),
            Content::Missing => String::new(),
        },
        Block::Read(_) => String::new(),
    }
}

fn collect(value: &Value, text: &mut String) {
    match value {
        Value::String(one) => {
            text.push_str(one);
            text.push('\n');
        }
        Value::Array(list) => list.iter().for_each(|one| collect(one, text)),
        Value::Object(object) => object.values().for_each(|one| collect(one, text)),
        _ => {}
    }
}
