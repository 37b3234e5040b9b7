//! Recorded listings of agents and first requests of sub-agents, for both clients.

use outcrop_loader::catalog::agents::{AgentSource, Agents};
use outcrop_tests::{case, memory};
use serde_json::{Value, json};

const CLIENTS: [&str; 2] = ["2.1.332", "2.1.197"];

/// The listing line by line, as the recordings have it: a line that is no whole entry has the
/// name `?`.
fn listed(agents: &Agents) -> Vec<Value> {
    let own = agents.agents.iter();
    let lines = own.filter_map(outcrop_loader::catalog::agents::Agent::line);
    let text = lines.collect::<Vec<_>>().join("\n");
    let line = |line: &str| {
        let entry = line.strip_prefix("- ").and_then(|entry| {
            let (name, rest) = entry.split_once(": ")?;
            let (description, tools) = rest.strip_suffix(')')?.rsplit_once(" (Tools: ")?;
            Some(json!({"name": name, "description": description, "tools": tools}))
        });
        entry.unwrap_or_else(|| json!({"name": "?", "description": line, "tools": ""}))
    };
    text.split('\n')
        .filter(|line| !line.trim().is_empty())
        .map(line)
        .collect()
}

/// A text as the recordings have it: long ones by length and ends.
fn is_recorded(got: &Value, want: &Value) -> bool {
    match (got, want) {
        (Value::String(text), Value::Object(long)) => {
            let part = |key: &str| long[key].as_str().unwrap();
            long["chars"] == json!(text.chars().count())
                && text.starts_with(part("start"))
                && text.ends_with(part("end"))
        }
        (Value::Object(got), Value::Object(want)) => {
            let fits = |(key, want): (&String, &Value)| {
                got.get(key).is_some_and(|got| is_recorded(got, want))
            };
            got.len() == want.len() && want.iter().all(fits)
        }
        _ => got == want,
    }
}

#[test]
fn recorded_listings() {
    let mut compared = 0;
    for case in case::load("agents").iter().chain(&case::load("catalog")) {
        for client in CLIENTS {
            let expected = case.expected(client);
            let host = memory::host(case);
            let session = memory::started(case, &host, client.parse().unwrap());
            let agents = session.agents();
            let name = format!("{} {client}", case.name);
            if let Some(want) = expected.get("agents").and_then(Value::as_array) {
                let got = listed(&agents);
                let equal = got.len() == want.len()
                    && got
                        .iter()
                        .zip(want)
                        .all(|(got, want)| is_recorded(got, want));
                let text = |entries: &[Value]| {
                    let lines: Vec<String> = entries.iter().map(Value::to_string).collect();
                    lines.join("\n")
                };
                assert!(equal, "{name}\n{}\n---\n{}", text(&got), text(want));
                compared += 1;
            }
            if expected.get("ends").is_some() {
                assert!(agents.ends.is_some(), "{name}");
                compared += 1;
            }
            if let Some(names) = expected.get("all_names") {
                let got: Vec<&str> = agents.agents.iter().map(|one| one.name.as_str()).collect();
                assert_eq!(&json!(got), names, "{name}");
                compared += 1;
            }
        }
    }
    println!("recorded listings of agents: {compared} passed");
    assert!(compared >= 58, "{compared}");
}

#[test]
fn own_agents_have_sizes_and_no_text() {
    let host = outcrop_loader::host::MemoryHost::new();
    let abs = |text: &str| outcrop_loader::path::AbsPath::new(text).unwrap();
    let origin = outcrop_loader::origin::Origin::new(abs("/p"), abs("/h"));
    let agents = outcrop_loader::session::Session::start(&host, origin).agents();
    assert_eq!(agents.agents.len(), 5);
    for agent in &agents.agents {
        assert_eq!(agent.source, AgentSource::BuiltIn);
        assert!(agent.description.is_none() && agent.characters > 50);
    }
}
