//! The requests that newer clients log are what the assembly of messages gives (fact C1.6).

use std::fs;

use outcrop_compactor::chain::Chain;
use outcrop_compactor::conversation::logged::Logged;
use outcrop_compactor::conversation::{Block, ClientText, Conversation, Message, Resumed};
use outcrop_compactor::transcript::Transcript;
use outcrop_loader::client::Client;
use outcrop_tests::resumed::{Seen, SeenBlock, difference, markers_of, outline};
use serde_json::Value;

/// A message of the log as one that was seen.
fn seen(message: &Value) -> Seen {
    let blocks = match &message["content"] {
        Value::String(text) => vec![block("text", None, text)],
        Value::Array(blocks) => blocks.iter().map(seen_block).collect(),
        other => panic!("content {other}"),
    };
    Seen {
        role: message["role"].as_str().unwrap().to_owned(),
        blocks,
    }
}

fn block(kind: &str, name: Option<&str>, text: &str) -> SeenBlock {
    SeenBlock {
        kind: kind.to_owned(),
        name: name.map(str::to_owned),
        markers: markers_of(text),
        // The client's own words were taken out of the samples.
        is_client_text: text.contains("[client"),
        text: None,
    }
}

fn seen_block(value: &Value) -> SeenBlock {
    let mut whole = String::new();
    for key in ["text", "thinking", "content"] {
        match &value[key] {
            Value::String(text) => whole.push_str(text),
            Value::Array(parts) => {
                whole.extend(parts.iter().filter_map(|part| part["text"].as_str()));
            }
            _ => {}
        }
    }
    if value["type"] == "tool_use" {
        whole = value["input"].to_string();
    }
    let kind = value["type"].as_str().unwrap();
    block(kind, value["name"].as_str(), &whole)
}

/// The answer that a resume puts behind a prompt without one. The session itself was waiting for
/// its own.
fn is_stopgap(message: &Message) -> bool {
    let mut blocks = message.blocks.iter();
    blocks.any(|placed| matches!(placed.block, Block::Client(ClientText::NoResponse)))
}

#[derive(Default)]
struct Counts {
    samples: usize,
    requests: usize,
    messages: usize,
    compared: usize,
    failed: Vec<String>,
}

fn sample(name: &str, bytes: Vec<u8>, client: &Client, counts: &mut Counts) {
    let transcript = Transcript::read(bytes).unwrap();
    let index = transcript.index();
    let logged = Logged::of(&transcript).unwrap();
    let answers = logged.answers(&transcript).unwrap();
    let mut has_any = false;
    for (number, request) in logged.requests.iter().enumerate() {
        let Some(answer) = answers[number].filter(|_| request.is_main()) else {
            continue;
        };
        has_any = true;
        let entry = &index.entries()[answer];
        let before = entry.parent.and_then(|uuid| index.by_uuid(uuid)).unwrap();
        let chain = Chain::ending_at(&transcript, before, &client.behaviour.resume).unwrap();
        let resumed = Resumed {
            model: entry.model.map(|model| index.text(model).to_owned()),
            ..Resumed::default()
        };
        let conversation = Conversation::of(&transcript, &chain, client, &resumed).unwrap();
        let mut messages = conversation.messages;
        messages.pop_if(|message| is_stopgap(message));
        counts.requests += 1;
        counts.messages += request.count();
        let line = index.entries()[request.record].place.line;
        let mut fail = |what: String| counts.failed.push(format!("{name}, line {line}: {what}"));
        if messages.len() != request.count() {
            fail(format!(
                "logged {} messages, assembled {}\n{}",
                request.count(),
                messages.len(),
                outline(&messages)
            ));
            continue;
        }
        for (place, hash) in logged.messages(number).into_iter().enumerate() {
            // A hash that was taken out of the sample, or a message that follows from the talk.
            let Some(hash) = hash else { continue };
            let Some(message) = logged.message(&transcript, hash).unwrap() else {
                continue;
            };
            counts.compared += 1;
            let got = std::slice::from_ref(&messages[place]);
            if let Some(difference) = difference(&[seen(&message)], got) {
                fail(format!("message {place}: {difference}"));
            }
        }
    }
    counts.samples += usize::from(has_any);
}

#[test]
fn logged_requests_are_what_is_assembled() {
    let folder = format!("{}/cases/transcripts", env!("CARGO_MANIFEST_DIR"));
    let index: Value =
        serde_json::from_slice(&fs::read(format!("{folder}/INDEX.json")).unwrap()).unwrap();
    let mut counts = Counts::default();
    for (name, sample_of) in index.as_object().unwrap() {
        let session = sample_of["session"].as_str().unwrap();
        let client = sample_of["client"].as_str().unwrap();
        let client = Client::of(client.parse().unwrap()).unwrap();
        let bytes = fs::read(format!("{folder}/{name}/{session}.jsonl")).unwrap();
        sample(name, bytes, &client, &mut counts);
    }
    println!(
        "{} samples with a log: {} requests with {} messages, {} of which are logged in words",
        counts.samples, counts.requests, counts.messages, counts.compared
    );
    assert!(counts.samples > 20, "the samples of 2.1.332 have a log");
    assert!(
        counts.failed.is_empty(),
        "{} differ\n{}",
        counts.failed.len(),
        counts.failed.join("\n")
    );
}
