//! Recorded listings of skills and commands, for both clients, with their budgets and with what
//! reads announce. The agents in some of these cases are compared in `agents`.

use std::collections::BTreeMap;

use outcrop_loader::catalog::Catalog;
use outcrop_loader::javascript;
use outcrop_loader::session::Session;
use outcrop_tests::{case, memory};
use serde::Deserialize;

const CLIENTS: [&str; 2] = ["2.1.332", "2.1.197"];

#[derive(Clone, Default, Deserialize)]
struct Expected {
    skills: Option<Vec<Listed>>,
    /// The length of texts, in UTF-16 units.
    description_chars: Option<BTreeMap<String, usize>>,
    #[serde(default)]
    steps: Vec<After>,
}

/// What was recorded after a call.
#[derive(Clone, Default, Deserialize)]
struct After {
    #[serde(default)]
    newly_listed: Vec<String>,
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
        let note = entry.note.map_or("", |_| " {scope-note}");
        Listed {
            name: entry.label(),
            text: entry.text.as_ref().map(|text| format!("{text}{note}")),
        }
    });
    entries.collect()
}

/// The names that each call announces.
fn announced(session: &Session<'_>, calls: usize) -> Vec<Vec<String>> {
    let mut names = vec![Vec::new(); calls];
    // The start, and the prompt.
    let before = session.deliveries().len() - calls;
    for announced in session.announced() {
        let labels = announced.entries.iter().map(|entry| entry.label());
        names[announced.delivery - before] = labels.collect();
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
                assert_eq!(
                    announced(&session, case.steps.len()),
                    steps.collect::<Vec<_>>(),
                    "{name}"
                );
                compared += 1;
            }
        }
    }
    println!("recorded listings: {compared} passed");
    assert_eq!(compared, 2 * (cases.len() + 1));
}
