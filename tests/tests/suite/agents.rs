//! Recorded listings of agents and first requests of sub-agents, for both clients.

use outcrop_loader::catalog::agents::{Agent, AgentSource, Agents};
use outcrop_loader::client::{Client, Version};
use outcrop_loader::host::MemoryHost;
use outcrop_loader::origin::Origin;
use outcrop_loader::path::AbsPath;
use outcrop_loader::session::Session;
use outcrop_tests::{case, memory};
use proptest::prelude::*;

use crate::worlds::config;
use serde_json::{Value, json};

const CLIENTS: [&str; 2] = ["2.1.332", "2.1.197"];

/// The listing line by line, as the recordings have it: a line that is no whole entry has the
/// name `?`.
fn listed(agents: &Agents) -> Vec<Value> {
    let own = agents.agents.iter();
    let lines = own.filter_map(Agent::line);
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

fn abs(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

/// The agents of a session in `/h/p` of the home folder `/h`.
fn agents_in(files: &[(String, String)], client: Version) -> Agents {
    let mut host = MemoryHost::new();
    host.dir(&abs("/h/p"));
    for (path, text) in files {
        host.file(&abs(path), text.clone().into_bytes());
    }
    let mut origin = Origin::new(abs("/h/p"), abs("/h"));
    origin.client = Client::of(client).unwrap();
    let session = Session::start(&host, origin);
    let agents = session.agents();
    // Whoever is listed can be asked for.
    for agent in &agents.agents {
        assert!(session.subagent(&agent.name, Some("T")).is_ok());
    }
    agents
}

#[test]
fn own_agents_have_sizes_and_no_text() {
    let agents = agents_in(&[], Version::NEWEST);
    assert_eq!(agents.agents.len(), 5);
    for agent in &agents.agents {
        assert_eq!(agent.source, AgentSource::BuiltIn);
        assert!(agent.description.is_none() && agent.characters > 50);
    }
}

fn definition(name: &str, more: &str) -> String {
    format!("---\nname: \"{name}\"\ndescription: D {name}\n{more}\n---\nB\n")
}

fn lines(agents: &Agents) -> Vec<Option<String>> {
    agents.agents.iter().map(Agent::line).collect()
}

/// Three dashes would end the front matter.
const NAMES: &str = "[a-cA-Cé_1]{1,2}-?";
const FOLDERS: [&str; 2] = ["/h/.claude/agents", "/h/p/.claude/agents"];

proptest! {
    #![proptest_config(config(64))]

    /// A definition of the user changes nothing where the project has one of its name, and the
    /// order in which files were made changes nothing.
    #[test]
    fn weaker_definitions_change_nothing(
        names in proptest::collection::btree_set(NAMES, 1..6),
        old in any::<bool>(),
    ) {
        let version = if old { Version::new(2, 1, 197) } else { Version::NEWEST };
        let of_project = names.iter().enumerate().map(|(index, name)| {
            (format!("{}/{index}.md", FOLDERS[1]), definition(name, ""))
        });
        let mut files: Vec<_> = of_project.collect();
        let before = lines(&agents_in(&files, version));
        let of_user = names.iter().enumerate().map(|(index, name)| {
            (format!("{}/{index}.md", FOLDERS[0]), definition(name, "tools: Bash"))
        });
        files.extend(of_user.collect::<Vec<_>>());
        let agents = agents_in(&files, version);
        prop_assert_eq!(&lines(&agents), &before);
        prop_assert_eq!(agents.absent.len(), names.len());
        files.reverse();
        prop_assert_eq!(agents_in(&files, version), agents);
    }

    /// Any text at all is an agent or is not, and hides no other.
    #[test]
    fn hostile_files_are_told_of(
        text in prop_oneof![
            any::<String>(),
            "(---\n)?(name|description|tools|hooks|skills|memory): [^\n]{0,12}\n(.{0,20}\n){0,4}(---)?\n?.{0,9}",
        ],
        flag in "(\\{\"a\": )?.{0,30}",
    ) {
        for version in [Version::NEWEST, Version::new(2, 1, 197)] {
            let files = [
                (format!("{}/odd.md", FOLDERS[1]), text.clone()),
                (format!("{}/z.md", FOLDERS[0]), definition("good", "")),
            ];
            let agents = agents_in(&files, version);
            prop_assert!(agents.find("good").is_some());
            prop_assert_eq!(agents.agents.len() + agents.absent.len() >= 7, true);
        }
        let host = MemoryHost::new();
        let mut origin = Origin::new(abs("/p"), abs("/h"));
        origin.flags.agents = Some(flag);
        let _ = Session::start(&host, origin).agents();
    }
}
