//! `boot` and `memory` in a home of their own: what sessions left open, and that nothing changes.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may fail as tests do"
)]

mod support;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Value, json};
use tempfile::TempDir;

const SESSION: &str = "5e550000-aaaa-4000-8000-000000000008";
const NOW: &str = "2026-09-15T12:00:00Z";

/// A home, and a project with memory and one session.
struct World {
    folder: TempDir,
}

impl World {
    fn new() -> Self {
        let world = Self {
            folder: TempDir::new().unwrap(),
        };
        fs::create_dir_all(world.root().join("mill/.git")).unwrap();
        fs::write(
            world.root().join("mill/.git/HEAD"),
            "ref: refs/heads/queue\n",
        )
        .unwrap();
        fs::create_dir_all(world.sessions().join("memory")).unwrap();
        fs::create_dir_all(world.root().join("managed")).unwrap();
        world.memory(
            "MEMORY.md",
            "---\nupdated: 2026-09-14\n---\n- [Ada](ada.md): how she works\n",
        );
        world.memory(
            "ada.md",
            "---\ntype: user\nupdated: 2026-09-14\n---\nThe user prefers small commits.\n\n\
             Never write to the ledger.\n\nThe scale was fixed on 2026-09-13.\n",
        );
        fs::write(world.transcript(), transcript()).unwrap();
        world
    }

    /// Without links, as the client names the project's folder.
    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    fn sessions(&self) -> PathBuf {
        let project = self.root().join("mill");
        let name = project.to_str().unwrap().chars();
        let name: String = name
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        self.root().join("home/.claude/projects").join(name)
    }

    fn transcript(&self) -> PathBuf {
        self.sessions().join(format!("{SESSION}.jsonl"))
    }

    fn memory(&self, name: &str, text: &str) {
        fs::write(self.sessions().join("memory").join(name), text).unwrap();
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = support::outcrop(&self.root());
        let home = [
            "--home",
            "home",
            "--managed",
            "managed",
            "--client",
            "2.1.332",
        ];
        command.args(args).args(home).output().unwrap()
    }

    fn boot(&self, args: &[&str]) -> Value {
        let output = self.run(&[&["boot", "mill", "--now", NOW], args].concat());
        let error = String::from_utf8_lossy(&output.stderr);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{args:?}: {error}"))
    }

    /// Every file with its bytes.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        fn walk(folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => walk(&path, files),
                    false => {
                        files.insert(path.clone(), fs::read(&path).unwrap());
                    }
                }
            }
        }
        let mut files = BTreeMap::new();
        walk(&self.root(), &mut files);
        files
    }
}

/// A session whose to-do list is not done, in plan mode.
fn transcript() -> String {
    let record = |number: u32, kind: &str, content: Value, more: Value| {
        let parent = (number > 1).then(|| format!("u{}", number - 1));
        let mut record = json!({
            "type": kind,
            "uuid": format!("u{number}"),
            "parentUuid": parent,
            "isSidechain": false,
            "timestamp": format!("2026-09-15T10:00:0{number}.000Z"),
            "cwd": "/srv/mill",
            "sessionId": SESSION,
            "version": "2.1.332",
            "message": {"role": kind, "content": content},
        });
        let more = more.as_object().unwrap().clone();
        record.as_object_mut().unwrap().extend(more);
        format!("{record}\n")
    };
    let todos = json!([{
        "type": "tool_use", "id": "t1", "name": "TodoWrite",
        "input": {"todos": [
            {"content": "weigh the empty bag", "status": "pending", "activeForm": "weighing"},
            {"content": "weigh the full bag", "status": "completed", "activeForm": "weighing"},
        ]},
    }]);
    let answer = json!([{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}]);
    [
        record(
            1,
            "user",
            json!("The bags are too heavy today."),
            json!({"permissionMode": "plan"}),
        ),
        record(2, "assistant", todos, json!({})),
        record(3, "user", answer, json!({})),
    ]
    .concat()
}

#[test]
fn what_a_session_left_open_is_cited_by_its_record() {
    let world = World::new();
    let before = world.files();
    let packet = world.boot(&["--json"]);
    let line = |number: usize| &packet["spine"][number]["quote"];
    assert_eq!(line(0)["text"], "The scale was fixed on 2026-09-13.");
    assert_eq!(line(1)["text"], "The bags are too heavy today.");
    assert_eq!(line(1)["source"]["session"], SESSION);
    assert_eq!(line(2)["text"], "The user prefers small commits.");
    assert_eq!(line(3)["text"], "weigh the empty bag");
    assert_eq!(
        line(3)["source"],
        json!({"session": SESSION, "uuid": "u2", "line": 2})
    );
    let facts: Vec<(&str, &str)> = packet["facts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fact| {
            (
                fact["name"].as_str().unwrap(),
                fact["value"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(facts[1], ("branch", "queue"));
    assert_eq!(facts[2], ("memory", "1 of 200 lines, 1 topic file"));
    assert_eq!(
        facts[3],
        (
            "last session",
            &*format!("{SESSION}, ended 2026-09-15T10:00:03Z")
        )
    );
    assert_eq!(facts[4], ("permission mode", "plan (at its end)"));
    assert_eq!(packet, world.boot(&["--json"]));
    assert_eq!(world.files(), before);
}

#[test]
fn a_forged_packet_holds_nothing_of_the_session() {
    let world = World::new();
    let packet = world.boot(&["--json", "--forge"]);
    let text = packet["text"].as_str().unwrap();
    assert!(!text.contains(SESSION) && !text.contains("bag"), "{text}");
    assert!(text.contains("Never write to the ledger."));
    assert_eq!(packet["spine"], Value::Null);
}

#[test]
fn a_hook_prints_what_the_client_takes() {
    let world = World::new();
    let output = world.boot(&["--hook"]);
    let specific = &output["hookSpecificOutput"];
    assert_eq!(specific["hookEventName"], "SessionStart");
    let text = specific["additionalContext"].as_str().unwrap();
    assert!(text.starts_with("# Boot packet\n") && text.contains("## Note to self"));
    assert_eq!(output.as_object().unwrap().len(), 1);
}

/// A start must not wait for a large transcript.
#[test]
fn a_large_transcript_is_not_read_and_that_is_told() {
    let world = World::new();
    let file = File::options()
        .write(true)
        .open(world.transcript())
        .unwrap();
    file.set_len(9 << 20).unwrap();
    let packet = world.boot(&["--json"]);
    let reason = &packet["reasons"][0];
    assert_eq!(reason["code"], "not-read");
    assert!(reason["text"].as_str().unwrap().contains(SESSION));
    assert_eq!(packet["spine"], Value::Null);
}

#[test]
fn a_split_is_written_beside_the_memory_and_never_into_it() {
    let world = World::new();
    world.memory("MEMORY.md", "# Mill\n\nThe belt is red.\n");
    let before = world.files();
    let memory = world.sessions().join("memory");
    let there = world.run(&[
        "memory",
        "mill",
        "--split",
        "--write",
        memory.to_str().unwrap(),
    ]);
    assert_eq!(there.status.code(), Some(2));
    assert_eq!(world.files(), before);
    let done = world.run(&["memory", "mill", "--split", "--write", "thinner"]);
    assert_eq!(done.status.code(), Some(0));
    let mut after = world.files();
    let index = after
        .remove(&world.root().join("thinner/MEMORY.md"))
        .unwrap();
    let topic = after.remove(&world.root().join("thinner/mill.md")).unwrap();
    assert_eq!(index, b"# Mill\n\n- [Mill](mill.md): The belt is red.\n");
    assert_eq!(topic, b"The belt is red.\n");
    assert_eq!(after, before);
}
