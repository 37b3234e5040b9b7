//! `simulate` in a session's own directory, which the scenarios cannot have: what becomes of
//! instruction files, and the copy with a compaction.
#![expect(
    clippy::unwrap_used,
    reason = "a folder that cannot be made stops the test"
)]

mod support;

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;

const SESSION: &str = "5e550000-bbbb-4000-8000-000000000001";

/// A project with instruction files, and a session that read a file of it.
struct World {
    folder: TempDir,
}

impl World {
    fn new() -> Self {
        let world = Self {
            folder: TempDir::new().unwrap(),
        };
        for (path, text) in [
            ("proj/CLAUDE.md", "Root.\n@docs/more.md\n"),
            ("proj/docs/more.md", "More.\n"),
            (
                "proj/.claude/rules/ts.md",
                "---\npaths: \"**/*.ts\"\n---\nTs.\n",
            ),
            ("proj/pkg/CLAUDE.md", "Pkg.\n"),
            ("proj/pkg/a.ts", "let a = 1;\n"),
            ("home/.claude/settings.json", "{}\n"),
            ("managed/.keep", ""),
        ] {
            let path = world.root().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        world.session();
        world
    }

    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    fn path(&self) -> PathBuf {
        self.root().join(format!("{SESSION}.jsonl"))
    }

    fn session(&self) {
        let cwd = self.root().join("proj");
        let mut lines = String::new();
        let mut last = Value::Null;
        let content = [
            json!("Never rename `a`. Look at it."),
            json!([{"type": "tool_use", "id": "t1", "name": "Read",
                "input": {"file_path": cwd.join("pkg/a.ts")}}]),
            json!([{"type": "tool_result", "tool_use_id": "t1", "content": "1\tlet a = 1;"}]),
            json!([{"type": "text", "text": "It is one."}]),
        ];
        for (number, content) in content.into_iter().enumerate() {
            let uuid = format!("00000000-0000-4000-8000-{number:012}");
            let kind = if number % 2 == 0 { "user" } else { "assistant" };
            let mut message = json!({"role": kind, "content": content});
            if kind == "assistant" {
                message["id"] = json!(format!("msg_{number}"));
                message["model"] = json!("claude-opus-5-5");
            }
            let record = json!({
                "type": kind, "uuid": uuid, "parentUuid": last, "sessionId": SESSION,
                "isSidechain": false, "cwd": cwd, "version": "2.1.332",
                "timestamp": format!("2026-09-01T10:00:{number:02}.000Z"), "message": message,
            });
            last = json!(uuid);
            lines.push_str(&format!("{record}\n"));
        }
        fs::write(self.path(), lines).unwrap();
    }

    fn simulate(&self, session: &std::path::Path, more: &[&str]) -> Value {
        let root = self.root();
        let mut command = support::outcrop(&root);
        command.arg("simulate").arg(session).args(more);
        command.args(["--client", "2.1.332", "--json", "--home"]);
        command.arg(root.join("home")).arg("--managed");
        command.arg(root.join("managed"));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

#[test]
fn a_compaction_tells_what_becomes_of_instruction_files() {
    let world = World::new();
    let seen = world.simulate(&world.path(), &["--preset", "client", "--now"]);
    let fates = seen["loss"]["instructions"].as_array().unwrap();
    let fate = |path: &str| {
        let path = json!(world.root().join(path));
        let found = fates.iter().find(|fate| fate["path"] == path);
        found.map(|fate| fate["fate"].as_str().unwrap())
    };
    assert_eq!(fate("proj/CLAUDE.md"), Some("returns"));
    assert_eq!(fate("proj/docs/more.md"), Some("returns"));
    assert_eq!(
        fate("proj/.claude/rules/ts.md"),
        Some("gone-until-matching-read")
    );
    assert_eq!(fate("proj/pkg/CLAUDE.md"), Some("gone-until-read-below"));
    let kept = &seen["loss"]["constraints"]["kept"][0];
    assert_eq!(kept["text"], "Never rename `a`.");
    let attached = &seen["files"][0];
    assert_eq!(attached["outcome"], "attached", "{attached}");
}

/// What the next request would hold is what a resume of the written copy sends.
#[test]
fn the_written_copy_holds_what_was_predicted() {
    let world = World::new();
    let before = fs::read(world.path()).unwrap();
    let out = world.root().join("out");
    let more = [
        "--preset",
        "client",
        "--now",
        "--out",
        out.to_str().unwrap(),
    ];
    let seen = world.simulate(&world.path(), &more);
    assert_eq!(fs::read(world.path()).unwrap(), before);
    let mut written = fs::read_dir(&out).unwrap().flatten();
    let copy = written.next().unwrap().path();
    assert!(fs::read(&copy).unwrap().starts_with(&before));
    let resumed = world.simulate(&copy, &[]);
    assert_eq!(resumed["context"], seen["context"]);
}
