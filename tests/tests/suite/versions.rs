//! The recorded answers of client versions around each change point.

use std::collections::BTreeMap;
use std::fs;

use outcrop_loader::client::Version;
use outcrop_tests::case::{self, Answer, Case, Entry};
use outcrop_tests::memory;
use outcrop_tests::report::{Rules, Tally, difference};
use serde_json::Value;

type Deliveries = (Vec<Entry>, Vec<Vec<Entry>>);

/// Comparisons that do not hold, each with its reason. One that starts to hold fails the suite.
const EXCEPTIONS: &[(&str, &str, &str)] = &[];

/// What the file says of a case at a version.
fn answer(case: &Case, value: &Value) -> Option<Deliveries> {
    match value {
        Value::String(client) => Some(case.answer(client)),
        Value::Object(_) => {
            let answer: Answer = serde_json::from_value(value.clone()).unwrap();
            let recorded = case.answer("2.1.332");
            Some((
                answer.startup.unwrap_or(recorded.0),
                answer.after_reads.unwrap_or(recorded.1),
            ))
        }
        _ => None,
    }
}

/// Each version of a case with a known answer.
fn known(case: &Case, entry: &Value) -> BTreeMap<Version, Deliveries> {
    let mut known = BTreeMap::new();
    let version = |text: &str| -> Version { text.parse().unwrap() };
    for (run, equals) in entry["runs"].as_object().unwrap() {
        if equals
            .as_str()
            .is_some_and(|equals| equals.starts_with('2'))
        {
            known.extend(answer(case, equals).map(|answer| (version(run), answer)));
        }
    }
    let changes = entry["changed_at"].as_array().unwrap();
    for change in changes {
        let at = version(change["version"].as_str().unwrap());
        // The last version known to answer as before: named, or the last one that was run.
        let before = match change["not_before"].as_str() {
            Some(before) => Some(version(before)),
            None => {
                let runs = entry["runs"].as_object().unwrap().keys();
                runs.map(|run| version(run)).filter(|run| *run < at).max()
            }
        };
        known.extend(answer(case, &change["to"]).map(|answer| (at, answer)));
        let from = answer(case, &change["from"]);
        known.extend(before.zip(from));
    }
    known
}

#[test]
fn answers_around_each_change_point() {
    let text = fs::read_to_string(case::cases_folder().join("versions.json")).unwrap();
    let recorded: BTreeMap<String, Value> = serde_json::from_str(&text).unwrap();
    let mut tally = Tally::default();
    let (mut seen, mut too_old) = (0, 0);
    for case in case::load("load") {
        let Some(entry) = recorded.get(&case.name) else {
            continue;
        };
        for (version, want) in known(&case, entry) {
            if version < Version::OLDEST {
                too_old += 1;
                continue;
            }
            let got = memory::answer(&case, version);
            let found = difference(&case, memory::ROOT, &want, &got, Rules::default());
            let name = format!("{} {version}", case.name);
            let expected = EXCEPTIONS
                .iter()
                .find(|(case_name, at, _)| *case_name == case.name && *at == version.to_string());
            match (expected, found) {
                (Some(_), Some(_)) => seen += 1,
                (Some(_), None) => tally.add(&name, Some("holds now; remove it".to_owned())),
                (None, found) => tally.add(&name, found),
            }
        }
    }
    assert_eq!(seen, EXCEPTIONS.len());
    println!(
        "answers of versions before {}, which had no rules: {too_old}",
        Version::OLDEST
    );
    // What a run of "other" delivered was not recorded but at a change point.
    let runs = |entry: &Value| entry["runs"].as_object().unwrap().clone();
    let others = recorded.values().flat_map(runs);
    let others = others.filter(|(_, equals)| equals == "other").count();
    println!("runs that equalled no recorded client: {others}");
    tally.finish("recorded answers of other versions");
}
