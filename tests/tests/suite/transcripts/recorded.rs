//! The recorded resumes, under the doctor's eyes.

use std::collections::BTreeSet;
use std::fs;

use outcrop_compactor::chain::Chain;
use outcrop_compactor::conversation::{Block, Conversation, Resumed};
use outcrop_compactor::doctor::{About, Finding, Level, Options, examine, repair};
use outcrop_compactor::transcript::record;
use outcrop_compactor::transcript::{Source, Transcript};
use outcrop_loader::client::Client;
use serde_json::Value;

use crate::resume::{case_bytes, cases, json};

fn client(version: &str) -> Client {
    Client::of(version.parse().unwrap()).unwrap()
}

/// What the client wrote itself has nothing to mend: at most notices.
#[test]
fn samples_are_sound() {
    let folder = cases("transcripts");
    let index = json(&format!("{folder}/INDEX.json"));
    let samples = index.as_object().unwrap();
    assert!(!samples.is_empty());
    for (name, sample) in samples {
        let session = sample["session"].as_str().unwrap();
        let bytes = fs::read(format!("{folder}/{name}/{session}.jsonl")).unwrap();
        let client = client(sample["client"].as_str().unwrap());
        let examination = examine(&Transcript::read(bytes).unwrap(), &client).unwrap();
        let bad: Vec<_> = examination
            .findings
            .iter()
            .filter(|finding| finding.level > Level::Notice)
            .collect();
        assert!(bad.is_empty(), "{name}: {bad:#?}");
        assert_eq!(examination.reach.lost, 0, "{name}");
    }
}

/// Own texts that a resume sends, each with the record that it is from.
fn texts<S: Source>(transcript: &Transcript<S>, client: &Client) -> BTreeSet<(String, String)> {
    let index = transcript.index();
    let chain = Chain::of(transcript, &client.behaviour.resume).unwrap();
    let conversation = Conversation::of(transcript, &chain, client, &Resumed::default()).unwrap();
    let blocks = conversation
        .messages
        .into_iter()
        .flat_map(|message| message.blocks);
    blocks
        .filter_map(|placed| {
            let (Block::Read(record::Block::Text(text)) | Block::Framed { text, .. }) =
                placed.block
            else {
                return None;
            };
            let uuid = index.entries()[placed.from?.record].uuid?;
            // The tags of a reminder depend on what else is said there.
            let text = text.trim();
            let bare = text.strip_prefix("<system-reminder>\n").unwrap_or(text);
            let bare = bare.strip_suffix("\n</system-reminder>").unwrap_or(bare);
            Some((index.text(uuid).to_owned(), bare.to_owned()))
        })
        .filter(|(_, text)| !text.is_empty())
        .collect()
}

/// A client that refuses a session is an error; a repaired session is resumed wherever anything
/// is there to resume, and sends each text that the old one sent.
#[test]
fn repaired_resumes_send_what_was_sent() {
    let (mut checked, mut mended, mut failed) = (0, 0, Vec::new());
    let paths = fs::read_dir(cases("resume")).unwrap();
    let mut paths: Vec<_> = paths.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|kind| kind == "json"));
    for path in paths {
        let case: Value = json(path.to_str().unwrap());
        let name = case["name"].as_str().unwrap();
        // A record over several lines is not in the index; a repair joins it.
        if name.starts_with("broken-pretty") {
            continue;
        }
        for version in case["clients"].as_object().unwrap().keys() {
            let client = client(version);
            let old = Transcript::read(case_bytes(&case)).unwrap();
            let before = examine(&old, &client).unwrap();
            let options = Options {
                relink: true,
                ..Options::default()
            };
            let repaired = repair(&old, &before, &client, &options).unwrap();
            let after = &repaired.after;
            checked += 1;
            if before.refused.is_some() {
                if before.level() != Some(Level::Error) {
                    failed.push(format!("{name} {version}: no error is found"));
                }
                let is_empty = |finding: &Finding| finding.about == About::NoConversation;
                if after.refused.is_some() && !after.findings.iter().any(is_empty) {
                    failed.push(format!("{name} {version}: {:#?}", after.findings));
                }
                mended += usize::from(after.refused.is_none());
                continue;
            }
            let mut bytes = Vec::new();
            repaired.write(&mut bytes).unwrap();
            let new = Transcript::read(bytes).unwrap();
            let (was, is) = (texts(&old, &client), texts(&new, &client));
            // Texts of attachments can be joined to one.
            let is_sent = |text: &str| is.iter().any(|(_, sent)| sent.contains(text));
            let lost: Vec<_> = was
                .difference(&is)
                .filter(|lost| !is_sent(&lost.1))
                .collect();
            if !lost.is_empty() {
                failed.push(format!(
                    "{name} {version}: {lost:?}, {:#?}",
                    repaired.actions
                ));
            }
        }
    }
    println!("{checked} resumes looked at, {mended} that were refused are mended");
    assert!(
        failed.is_empty(),
        "{} fail\n{}",
        failed.len(),
        failed.join("\n")
    );
    assert!(mended > 0);
}

/// A result that stands behind a later answer is linked behind its own call, and sent.
#[test]
fn late_results_come_back() {
    let case = json(&format!("{}/pair-result-later.json", cases("resume")));
    for version in ["2.1.332", "2.1.197"] {
        let client = client(version);
        let old = Transcript::read(case_bytes(&case)).unwrap();
        let before = examine(&old, &client).unwrap();
        let repaired = repair(&old, &before, &client, &Options::default()).unwrap();
        let new = Transcript::read(repaired.source()).unwrap();
        let (was, is) = (results(&old, &client), results(&new, &client));
        assert!(was.is_empty(), "{was:?}");
        assert_eq!(is.len(), 1, "{:#?}", repaired.actions);
        assert!(is[0].starts_with("M_RES"), "{is:?}");
        assert!(repaired.after.findings.is_empty());
        assert_eq!(repaired.after.records, before.records);
    }
}

/// The texts of results that a resume sends.
fn results<S: Source>(transcript: &Transcript<S>, client: &Client) -> Vec<String> {
    let chain = Chain::of(transcript, &client.behaviour.resume).unwrap();
    let conversation = Conversation::of(transcript, &chain, client, &Resumed::default()).unwrap();
    let blocks = conversation
        .messages
        .into_iter()
        .flat_map(|message| message.blocks);
    let texts = blocks.filter_map(|placed| match placed.block {
        Block::Read(record::Block::ToolResult {
            content: record::Content::Text(text),
            ..
        }) => Some(text),
        _ => None,
    });
    texts.collect()
}
