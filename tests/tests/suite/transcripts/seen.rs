//! Entries of the reports, and what is seen of a transcript.

use std::collections::BTreeMap;
use std::fs;

use outcrop_compactor::chain::Chain;
use outcrop_compactor::conversation::{Conversation, Resumed};
use outcrop_compactor::doctor::{Examination, Options, examine, repair};
use outcrop_compactor::transcript::{Kind, Transcript};
use outcrop_loader::client::Client;
use outcrop_tests::case;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
pub(crate) struct Entry {
    pub(crate) id: String,
    #[serde(default)]
    pub(crate) files: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) generate: BTreeMap<String, Made>,
    #[serde(default)]
    pub(crate) args: Vec<String>,
    pub(crate) check: BTreeMap<String, Value>,
}

/// A file that is too long to be written down.
#[derive(Deserialize)]
pub(crate) struct Made {
    records: Vec<Value>,
    #[serde(default)]
    pad: Vec<Pad>,
    #[serde(default)]
    repeat: Vec<Repeat>,
}

#[derive(Deserialize)]
pub(crate) struct Pad {
    record: usize,
    pointer: String,
    char: String,
    count: usize,
}

#[derive(Deserialize)]
pub(crate) struct Repeat {
    record: usize,
    count: usize,
}

impl Made {
    pub(crate) fn text(mut self) -> String {
        for pad in &self.pad {
            let target = self.records[pad.record].pointer_mut(&pad.pointer).unwrap();
            *target = pad.char.repeat(pad.count).into();
        }
        let lines = self.records.iter().enumerate().map(|(number, record)| {
            let repeat = self.repeat.iter().find(|repeat| repeat.record == number);
            match record {
                Value::String(raw) => raw.repeat(repeat.map_or(1, |repeat| repeat.count)),
                record => record.to_string(),
            }
        });
        let lines: Vec<String> = lines.collect();
        lines.join("\n") + "\n"
    }
}

/// A transcript, what is said of it, and what a resume makes of it.
pub(crate) struct Seen {
    pub(crate) text: Vec<u8>,
    pub(crate) transcript: Transcript<Vec<u8>>,
    pub(crate) examination: Examination,
    pub(crate) chain: Chain,
    pub(crate) conversation: Conversation,
}

impl Seen {
    pub(crate) fn of(text: Vec<u8>) -> Self {
        let client = Client::newest();
        let transcript = Transcript::read(text.clone()).unwrap();
        let examination = examine(&transcript, &client).unwrap();
        let chain = Chain::of(&transcript, &client.behaviour.resume).unwrap();
        let resumed = Resumed::default();
        let conversation = Conversation::of(&transcript, &chain, &client, &resumed).unwrap();
        Self {
            text,
            transcript,
            examination,
            chain,
            conversation,
        }
    }

    pub(crate) fn repaired(&self, args: &[&str]) -> Self {
        let options = Options {
            relink: args.contains(&"--relink"),
            strip_thinking: args.contains(&"--strip-thinking"),
        };
        let client = Client::newest();
        let repair = repair(&self.transcript, &self.examination, &client, &options).unwrap();
        let mut text = Vec::new();
        repair.write(&mut text).unwrap();
        Self::of(text)
    }

    pub(crate) fn uuid(&self, record: usize) -> String {
        let index = self.transcript.index();
        let uuid = index.entries()[record].uuid;
        uuid.map_or("", |uuid| index.text(uuid)).to_owned()
    }

    pub(crate) fn uuids(&self, records: &[usize]) -> Vec<String> {
        records.iter().map(|record| self.uuid(*record)).collect()
    }

    /// The records as JSON, each with its uuid.
    pub(crate) fn records(&self) -> Vec<Value> {
        let entries = self.transcript.index().entries().iter();
        entries
            .map(|entry| serde_json::from_str(&self.transcript.json(entry).unwrap()).unwrap())
            .collect()
    }

    pub(crate) fn record(&self, uuid: &str) -> Value {
        let records = self.records().into_iter();
        let mut found = records.filter(|record| record["uuid"] == uuid);
        found.next().unwrap_or_else(|| panic!("no record {uuid}"))
    }

    /// All values under a key, at any depth.
    pub(crate) fn values(&self, key: &str) -> Vec<Value> {
        fn add(value: &Value, key: &str, into: &mut Vec<Value>) {
            match value {
                Value::Object(map) => {
                    into.extend(map.get(key).cloned());
                    map.values().for_each(|value| add(value, key, into));
                }
                Value::Array(items) => items.iter().for_each(|item| add(item, key, into)),
                _ => {}
            }
        }
        let mut found = Vec::new();
        self.records()
            .iter()
            .for_each(|record| add(record, key, &mut found));
        found
    }

    /// Ids of the results that count, in order, each with its record.
    pub(crate) fn results(&self) -> Vec<(String, String)> {
        let index = self.transcript.index();
        let mut results = Vec::new();
        for record in &self.chain.records {
            for piece in index.pieces(&index.entries()[*record]) {
                if index.is(piece.kind, "tool_result") {
                    let id = index.text(piece.tool.unwrap()).to_owned();
                    results.push((id, self.uuid(*record)));
                }
            }
        }
        results
    }

    pub(crate) fn findings(&self) -> Vec<Value> {
        let findings = self.examination.findings.iter();
        findings.map(|finding| json!(finding)).collect()
    }
}

pub(crate) fn entry(id: &str) -> Entry {
    let text = fs::read_to_string(case::cases_folder().join("bugbank-doctor.json")).unwrap();
    let entries: Vec<Entry> = serde_json::from_str(&text).unwrap();
    let mut entries = entries.into_iter();
    entries.find(|entry| entry.id == id).unwrap()
}

/// Input and output tokens, each answer counted once with its largest output.
pub(crate) fn usage(seen: &Seen) -> Value {
    let index = seen.transcript.index();
    let mut answers = BTreeMap::new();
    for entry in index
        .entries()
        .iter()
        .filter(|entry| entry.kind == Kind::Assistant)
    {
        let usage = entry.usage.unwrap_or_default();
        let answer = answers.entry(entry.message).or_insert((0, 0));
        answer.0 = answer.0.max(usage.input);
        answer.1 = answer.1.max(usage.output);
    }
    let sum = |of: fn(&(u64, u64)) -> u64| answers.values().map(of).sum::<u64>();
    json!({"input": sum(|answer| answer.0), "output": sum(|answer| answer.1)})
}
