//! Recorded listings of skills and commands, for both clients, with their budgets and with what
//! reads announce. The agents in some of these cases are compared in `agents`.

use std::collections::BTreeMap;

use outcrop_loader::catalog::Catalog;
use outcrop_loader::javascript;
use outcrop_loader::session::Session;
use outcrop_tests::{case, memory};
use serde::Deserialize;
use serde_json::Value;

const CLIENTS: [&str; 2] = ["2.1.332", "2.1.197"];

#[derive(Clone, Default, Deserialize)]
struct Expected {
    skills: Option<Vec<Listed>>,
    /// The length of texts, in UTF-16 units.
    description_chars: Option<BTreeMap<String, usize>>,
    #[serde(default)]
    steps: Vec<After>,
    /// What a prompt that is a slash command delivers.
    #[serde(default)]
    prompt_blocks: Vec<Value>,
}

/// What was recorded after a call.
#[derive(Clone, Default, Deserialize)]
struct After {
    #[serde(default)]
    newly_listed: Vec<String>,
    #[serde(default)]
    delivered: Vec<Delivered>,
}

/// A body of a skill or command.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Delivered {
    base_directory: Option<String>,
    body: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Listed {
    name: String,
    text: Option<String>,
}

/// Names of the client's own entries, which the recordings leave out, whoever has them.
const OWN: [&str; 3] = ["init", "review", "security-review"];

fn listed(catalog: &Catalog) -> Vec<Listed> {
    let entries = catalog.entries.iter();
    let recorded = entries.filter(|entry| !OWN.contains(&entry.name.as_str()));
    let entries = recorded.map(|entry| {
        let note = match entry.note_units {
            0 => "",
            _ => " {scope-note}",
        };
        let noted = |text: &String| {
            let (description, when) = text.split_at(entry.note_at);
            format!("{description}{note}{when}")
        };
        Listed {
            name: entry.label(),
            text: entry.text.as_ref().map(noted),
        }
    });
    entries.collect()
}

/// The names that each call announces. A list that may come a request later does so where it was
/// recorded there.
fn announced(session: &Session<'_>, recorded: &[Vec<String>]) -> Vec<Vec<String>> {
    let mut names = vec![Vec::new(); recorded.len()];
    // The start, and the prompt.
    let before = session.deliveries().len() - recorded.len();
    for announced in session.announced() {
        let labels: Vec<_> = announced
            .entries
            .iter()
            .map(|entry| entry.label())
            .collect();
        let mut at = announced.delivery - before;
        if announced.may_be_late && recorded.get(at + 1) == Some(&labels) {
            at += 1;
        }
        names[at] = labels;
    }
    names
}

#[test]
fn recorded_listings() {
    let cases = case::load("catalog");
    let mut compared = 0;
    for case in &cases {
        for client in CLIENTS {
            let expected: Expected = serde_json::from_value(case.expected(client).clone()).unwrap();
            let host = memory::host(case);
            let session = memory::run(case, &host, client.parse().unwrap());
            let catalog = session.catalog();
            let name = format!("{} {client}", case.name);
            if let Some(skills) = &expected.skills {
                assert_eq!(&listed(&catalog), skills, "{name}");
                compared += 1;
            }
            if let Some(sizes) = &expected.description_chars {
                let text = |text: &Option<String>| text.as_deref().map_or(0, javascript::len);
                let entries = catalog.entries.iter();
                let got: BTreeMap<String, usize> = entries
                    .map(|entry| (entry.name.clone(), text(&entry.text)))
                    .collect();
                assert_eq!(&got, sizes, "{name}");
                compared += 1;
            }
            if !expected.steps.is_empty() {
                let steps = expected.steps.iter().map(|step| step.newly_listed.clone());
                let steps: Vec<_> = steps.collect();
                assert_eq!(announced(&session, &steps), steps, "{name}");
                compared += 1;
            }
        }
    }
    println!("recorded listings: {compared} passed");
    assert_eq!(compared, 2 * (cases.len() + 8));
}

/// Shell commands are never run; these are what the recorded ones print.
fn printed(command: &str) -> String {
    let lines = command
        .lines()
        .filter_map(|line| line.strip_prefix("echo "));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn recorded_bodies() {
    let cases = case::load("bodies");
    let mut compared = 0;
    for case in &cases {
        for client in CLIENTS {
            let expected: Expected = serde_json::from_value(case.expected(client).clone()).unwrap();
            let host = memory::host(case);
            let session = memory::started(case, &host, client.parse().unwrap());
            let off = session.settings().bool("disableSkillShellExecution");
            let body = |name: &str, arguments: &str| {
                let body = session.body(name, arguments, Some("{session}")).unwrap();
                let output = |command: &str| match &off {
                    Some(_) => "{shell-off-note}".to_owned(),
                    None => printed(command),
                };
                Delivered {
                    base_directory: body.base_directory.as_ref().map(ToString::to_string),
                    body: body.text(output),
                }
            };
            let filled = |mut delivered: Delivered| {
                let directory = delivered.base_directory.as_mut();
                if let Some(directory) = directory {
                    *directory = case::fill(directory, memory::ROOT);
                }
                delivered.body = case::fill(&delivered.body, memory::ROOT);
                delivered
            };
            for (call, step) in case.steps.iter().zip(&expected.steps) {
                let text = |key: &str| call.input.get(key).and_then(Value::as_str).unwrap_or("");
                let got = body(text("skill"), text("args"));
                let mut recorded = filled(step.delivered[0].clone());
                // A block that follows in the same message brings a line end (fact C1.30).
                if recorded.body.strip_suffix('\n') == Some(&got.body) {
                    recorded.body.pop();
                }
                assert_eq!(got, recorded, "{} {client}", case.name);
                compared += 1;
            }
            if let [_, block] = expected.prompt_blocks.as_slice() {
                let prompt = case.prompt.as_deref().unwrap();
                let (name, arguments) = prompt.split_once(' ').unwrap();
                let got = body(name.trim_start_matches('/'), arguments);
                let recorded = serde_json::from_value(block.clone()).unwrap();
                assert_eq!(got, filled(recorded), "{} {client}", case.name);
                compared += 1;
            }
        }
    }
    println!("recorded bodies: {compared} passed");
    assert_eq!(compared, 30);
}
