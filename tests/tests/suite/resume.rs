//! What resumed sessions send: the sample transcripts, the doctored ones, and our own.

use std::fs;

use outcrop_compactor::conversation::Instruction;
use outcrop_tests::resumed::{Seen, difference, outline, predicted, seen};
use serde_json::Value;

pub(crate) fn cases(folder: &str) -> String {
    format!("{}/cases/{folder}", env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn json(path: &str) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// What is told about the session behind the new prompt depends on the session that resumes.
fn without_last_told(mut seen: Vec<Seen>) -> Vec<Seen> {
    seen.pop_if(|message| message.role == "system");
    seen
}

#[test]
fn sample_transcripts() {
    let folder = cases("transcripts");
    let index = json(&format!("{folder}/INDEX.json"));
    let (mut compared, mut failed) = (0, Vec::new());
    for (name, sample) in index.as_object().unwrap() {
        let session = sample["session"].as_str().unwrap();
        let bytes = fs::read(format!("{folder}/{name}/{session}.jsonl")).unwrap();
        let client = sample["client"].as_str().unwrap();
        let want = without_last_told(seen(&sample["expected_messages"]));
        let (_, mut got) = predicted(bytes, client, "M_RESUMEPROBE", None, None);
        got.pop_if(|message| message.role.name() == "system");
        compared += 1;
        if let Some(difference) = difference(&want, &got) {
            failed.push(format!("{name}: {difference}\n{}", outline(&got)));
        }
    }
    println!("{compared} sample transcripts compared");
    assert!(
        failed.is_empty(),
        "{} differ\n{}",
        failed.len(),
        failed.join("\n")
    );
}

/// The messages of `results.json`: `role: block(chars)[marks] …`, reminders left out.
fn short(messages: &Value) -> Vec<String> {
    let messages = messages.as_array().unwrap().iter();
    messages
        .map(|message| {
            let (role, blocks) = message.as_str().unwrap().split_once(':').unwrap();
            let blocks = blocks.split(' ').filter(|block| !block.is_empty());
            let blocks: Vec<String> = blocks
                .map(|block| {
                    let (head, rest) = block.split_once('(').unwrap_or((block, ""));
                    let marks = rest.split_once('[').map_or("", |(_, marks)| marks);
                    let head = if head == "str" { "text" } else { head };
                    format!("{head}[{}]", marks.trim_end_matches(']'))
                })
                .collect();
            format!("{role}: {}", blocks.join(" "))
                .trim_end()
                .to_owned()
        })
        .collect()
}

#[test]
fn doctored_transcripts() {
    let folder = cases("resume-shared");
    let results = json(&format!("{folder}/results.json"));
    let (mut compared, mut failed) = (0, Vec::new());
    for (name, answers) in results.as_object().unwrap() {
        for (short_client, answer) in answers.as_object().unwrap() {
            let bytes = fs::read(format!("{folder}/{name}.jsonl")).unwrap();
            let client = format!("2.1.{short_client}");
            let (chain, got) = predicted(bytes, &client, "M_NEW", None, None);
            compared += 1;
            if answer["rc"] != 0 {
                if chain.refused.is_none() {
                    failed.push(format!("{name} {client}: found a conversation\n"));
                }
                continue;
            }
            let want = short(&answer["messages"]);
            let got_short: Vec<String> = outline(&got)
                .lines()
                .map(|line| {
                    let (role, blocks) = line.split_once(':').unwrap();
                    let blocks = blocks.split(' ').filter(|block| !block.is_empty());
                    let blocks: Vec<String> = blocks
                        .filter_map(|block| match block.split_once('<') {
                            Some((_, "no-response>")) => Some("text[]".to_owned()),
                            Some(_) => None,
                            None if block == "image" => Some("image[]".to_owned()),
                            None => Some(block.replace('"', "")),
                        })
                        .collect();
                    format!("{}: {}", &role[..4], blocks.join(" "))
                        .trim_end()
                        .to_owned()
                })
                .collect();
            if want != got_short {
                failed.push(format!(
                    "{name} {client}\n  seen {want:#?}\n  got {got_short:#?}"
                ));
            }
        }
    }
    println!("{compared} doctored transcripts compared");
    assert!(
        failed.is_empty(),
        "{} differ\n{}",
        failed.len(),
        failed.join("\n")
    );
}

/// What is not predicted: `case client: why`, a line each.
const NOT_PREDICTED: &str = include_str!("../../cases/resume/not-predicted.txt");

#[test]
fn recorded_transcripts() {
    let folder = cases("resume");
    let (mut compared, mut failed) = (0, Vec::new());
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|kind| kind == "json"));
    files.sort();
    for path in files {
        let case = json(path.to_str().unwrap());
        let name = case["name"].as_str().unwrap();
        let bytes = case_bytes(&case);
        for (client, answer) in case["clients"].as_object().unwrap() {
            let (chain, got) = predicted(
                bytes.clone(),
                client,
                "M_NEW",
                answer["model"].as_str(),
                Some(instructions(&case)),
            );
            compared += 1;
            if answer.get("error").is_some() && answer.get("messages").is_none() {
                if chain.refused.is_none() {
                    failed.push(format!("{name} {client}: found a conversation\n"));
                }
                continue;
            }
            if let Some(difference) = difference(&seen(&answer["messages"]), &got) {
                failed.push(format!("{name} {client}: {difference}\n{}", outline(&got)));
            }
        }
    }
    let not_predicted: Vec<&str> = NOT_PREDICTED
        .lines()
        .filter_map(|line| line.split_once(':').map(|(name, _)| name))
        .collect();
    println!(
        "{compared} recorded resumes compared, {} not predicted",
        not_predicted.len()
    );
    let is_of = |line: &str, name: &str| line.starts_with(&format!("{name}:"));
    let mut predicted = not_predicted.clone();
    predicted.retain(|name| !failed.iter().any(|line| is_of(line, name)));
    failed.retain(|line| !not_predicted.iter().any(|name| is_of(line, name)));
    assert!(
        failed.is_empty(),
        "{} differ\n{}",
        failed.len(),
        failed.join("\n")
    );
    // A case that is predicted by now must leave the list.
    assert_eq!(predicted, Vec::<&str>::new());
}

/// The instruction files of a case's working directory.
fn instructions(case: &Value) -> Vec<Instruction> {
    let files = case["files"].as_object().into_iter().flatten();
    // The local file comes last.
    let mut files: Vec<_> = files.filter(|(path, _)| path.ends_with(".md")).collect();
    files.sort_by_key(|(path, _)| path.ends_with(".local.md"));
    files
        .into_iter()
        .map(|(path, text)| Instruction {
            path: path.replacen("proj", "$CWD", 1),
            content: text.as_str().unwrap().to_owned(),
        })
        .collect()
}

pub(crate) fn case_bytes(case: &Value) -> Vec<u8> {
    if let Some(lines) = case.get("lines").and_then(Value::as_array) {
        let mut text = String::new();
        for line in lines {
            text.push_str(line.as_str().unwrap());
            text.push('\n');
        }
        if case["no_final_newline"] == true {
            text.pop();
        }
        return text.into_bytes();
    }
    outcrop_tests::case::base64(case["text_b64"].as_str().unwrap())
}
