//! What a simulated compaction appends, beside what the client appended in the samples.

use std::collections::BTreeMap;
use std::fs;

use outcrop_compactor::boundary::{Compacted, Files, Given, Trigger, compact};
use outcrop_compactor::chain::Chain;
use outcrop_compactor::conversation::{Conversation, Message, Resumed};
use outcrop_compactor::transcript::{Appended, Transcript};
use outcrop_loader::client::Client;
use outcrop_tests::resumed::{kind_of, markers_of, text_of};
use serde_json::Value;

/// A disk on which the files that the client put back are as it found them, the first newest.
#[derive(Default)]
struct Found(BTreeMap<String, (i64, String)>);

impl Files for Found {
    fn modified(&self, path: &str) -> Option<i64> {
        self.0.get(path).map(|(time, _)| *time).or(Some(0))
    }

    fn text(&self, path: &str) -> Option<String> {
        let text = self.0.get(path).map(|(_, text)| text.clone());
        text.or(Some("M_OLD\n".to_owned()))
    }
}

struct Recorded {
    client: Client,
    /// The service had refused a request.
    is_refused: bool,
    before: Vec<u8>,
    /// The lines of the compaction and of what follows it, up to the next answer.
    after: Vec<Value>,
    through: Vec<u8>,
}

/// Each compaction of a sample.
fn recorded(name: &str, client: &str) -> Vec<Recorded> {
    let folder = format!("{}/cases/transcripts/{name}", env!("CARGO_MANIFEST_DIR"));
    let files = fs::read_dir(folder).unwrap();
    let mut files = files.map(|file| file.unwrap().path());
    let file = files.find(|path| path.extension().is_some_and(|kind| kind == "jsonl"));
    let text = fs::read_to_string(file.unwrap()).unwrap();
    let lines: Vec<(&str, Value)> = text
        .lines()
        .map(|line| (line, serde_json::from_str(line).unwrap()))
        .collect();
    let joined = |lines: &[(&str, Value)]| {
        let mut text = String::new();
        for (line, _) in lines {
            text.push_str(line);
            text.push('\n');
        }
        text.into_bytes()
    };
    let mut found = Vec::new();
    for (at, (_, value)) in lines.iter().enumerate() {
        if value["subtype"] == "compact_boundary" {
            let end = lines[at..]
                .iter()
                .position(|(_, value)| value["type"] == "assistant");
            let end = end.map_or(lines.len(), |end| at + end);
            found.push(Recorded {
                is_refused: name.contains("reactive"),
                client: Client::of(client.parse().unwrap()).unwrap(),
                before: joined(&lines[..at]),
                after: lines[at..end]
                    .iter()
                    .map(|(_, value)| value.clone())
                    .collect(),
                through: joined(&lines[..end]),
            });
        }
    }
    found
}

fn attachments<'a>(recorded: &'a Recorded, kind: &'a str) -> impl Iterator<Item = &'a Value> {
    let attachments = recorded.after.iter().map(|value| &value["attachment"]);
    attachments.filter(move |attachment| attachment["type"] == kind)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn simulated(recorded: &Recorded) -> (Trigger, Compacted, Vec<Message>) {
    let mut disk = Found::default();
    let mut time = 100;
    for value in &recorded.after {
        let attachment = &value["attachment"];
        let path = text(&attachment["filename"]).to_owned();
        let content = match text(&attachment["type"]) {
            "file" => text(&attachment["content"]["file"]["content"]).to_owned(),
            "compact_file_reference" => "x".repeat(24_000),
            _ => continue,
        };
        disk.0.insert(path, (time, content));
        time -= 1;
    }
    let is_manual = recorded.after[0]["compactMetadata"]["trigger"] == "manual";
    let trigger = match (is_manual, recorded.is_refused) {
        (true, _) => Trigger::Manual,
        (false, false) => Trigger::Auto,
        // Far too long: half of the rounds stay.
        (false, true) => Trigger::Refused {
            sent: 900_000,
            allowed: 200_000,
        },
    };
    let mut users = recorded
        .after
        .iter()
        .filter(|value| value["type"] == "user");
    let summary = users
        .clone()
        .find(|value| value["isCompactSummary"] == true)
        .unwrap();
    let prompt = users.rfind(|value| {
        let text = text(&value["message"]["content"]);
        is_manual && !text.starts_with('<') && value["isCompactSummary"] != true
    });
    let transcript = Transcript::read(recorded.before.clone()).unwrap();
    let resume = &recorded.client.behaviour.resume;
    let chain = Chain::of(&transcript, resume).unwrap();
    let given = Given {
        trigger,
        summary: text(&summary["message"]["content"]),
        prompt: prompt.map(|prompt| text(&prompt["message"]["content"])),
        focus: "",
        pre_tokens: 1,
        files: &disk,
    };
    let tokens = |text: &str| text.len() as u64 / 4;
    let compacted = compact(&transcript, &chain, resume, &given, tokens);
    let compacted = compacted.unwrap().unwrap();
    let appended = Appended::new(recorded.before.clone(), &compacted.lines).unwrap();
    (trigger, compacted, messages(&recorded.client, appended))
}

fn messages<S: outcrop_compactor::transcript::Source>(client: &Client, bytes: S) -> Vec<Message> {
    let transcript = Transcript::read(bytes).unwrap();
    let chain = Chain::of(&transcript, &client.behaviour.resume).unwrap();
    assert!(chain.faults.is_empty(), "{:?}", chain.faults);
    let resumed = Resumed::default();
    let conversation = Conversation::of(&transcript, &chain, client, &resumed);
    conversation.unwrap().messages
}

/// Types in their order: what hooks said, and side records, are not simulated.
fn types(lines: &[Value]) -> Vec<String> {
    let chained = lines.iter().filter(|value| {
        let is_hook = text(&value["attachment"]["type"]).starts_with("hook_");
        let kind = text(&value["attachment"]["type"]);
        value["uuid"].is_string() && !is_hook && kind != "prompt_snapshot"
    });
    chained
        .map(|value| match text(&value["type"]) {
            "attachment" => text(&value["attachment"]["type"]).to_owned(),
            "system" => text(&value["subtype"]).to_owned(),
            other => other.to_owned(),
        })
        .collect()
}

/// Roles, types and own marks, without what only the client words.
fn shape(messages: &[Message]) -> Vec<String> {
    let shape = messages.iter().map(|message| {
        let mut blocks: Vec<String> = Vec::new();
        for placed in &message.blocks {
            let mut marks = text_of(placed)
                .map(|text| markers_of(&text))
                .unwrap_or_default();
            marks
                .retain(|mark| !mark.starts_with("M_HK") && mark != "M_INSTR" && mark != "M_FOCUS");
            blocks.push(format!("{}{marks:?}", kind_of(placed).0));
        }
        if message.role.name() == "system" {
            // Hooks and empty parts are not simulated.
            blocks.retain(|block| block != "text[]");
        }
        format!("{}: {}", message.role.name(), blocks.join(" "))
    });
    shape.collect()
}

#[test]
fn compactions_of_the_samples() {
    let samples = [
        ("07-manual-compact-v332", "2.1.332"),
        ("07-manual-compact-v197", "2.1.197"),
        ("08-auto-compact-midturn-v332", "2.1.332"),
        ("08-auto-compact-midturn-v197", "2.1.197"),
        ("09-reactive-compact", "2.1.332"),
        ("10-two-compactions-v332", "2.1.332"),
        ("i08-context-and-compact-v332", "2.1.332"),
        ("i08-context-and-compact-v197", "2.1.197"),
    ];
    let mut compared = 0;
    for (name, client) in samples {
        for recorded in recorded(name, client) {
            let (trigger, compacted, got) = simulated(&recorded);
            let lines: Vec<Value> = compacted
                .lines
                .iter()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect();
            assert_eq!(types(&lines), types(&recorded.after), "{name}");
            let metadata = |lines: &[Value]| {
                let boundary = lines
                    .iter()
                    .find(|line| line["subtype"] == "compact_boundary");
                boundary.unwrap()["compactMetadata"]["preservedMessages"]["uuids"].clone()
            };
            assert_eq!(metadata(&lines), metadata(&recorded.after), "{name}");
            assert_eq!(
                trigger.name(),
                text(&recorded.after[0]["compactMetadata"]["trigger"])
            );
            let want = messages(&recorded.client, recorded.through.clone());
            assert_eq!(shape(&got), shape(&want), "{name}");
            let skills: Vec<&str> = attachments(&recorded, "invoked_skills")
                .flat_map(|list| list["skills"].as_array().unwrap())
                .map(|skill| text(&skill["name"]))
                .collect();
            let used: Vec<&str> = compacted.skills.iter().map(|skill| &*skill.name).collect();
            assert_eq!(used, skills, "{name}");
            compared += 1;
        }
    }
    println!("{compared} compactions of samples compared");
}
