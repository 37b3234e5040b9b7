//! `audit` and `hook` on sessions of folders made for it: transcripts name absolute paths, which
//! the scenarios cannot.
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a folder that cannot be made stops the test"
)]

mod support;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

const SESSION: &str = "aaaa1111-0000-4000-8000-000000000001";

/// A home folder and a project with one session.
struct World {
    folder: TempDir,
}

impl World {
    fn new(files: &[(&str, &str)]) -> Self {
        let world = Self {
            folder: TempDir::new().unwrap(),
        };
        for (path, text) in files {
            world.write(path, text);
        }
        world
    }

    /// Its path with links resolved, as the client names it.
    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes the transcript of a session that started at a time and was told these files.
    fn session(&self, started: &str, told: &[(&str, &str, &str)]) {
        let cwd = self.root().join("proj");
        let files: Vec<Value> = told
            .iter()
            .map(|(path, kind, text)| {
                json!({ "path": cwd.join(path), "type": kind, "content": text })
            })
            .collect();
        let record = |kind: &str, uuid: &str, parent: Option<&str>, rest: Value| {
            let mut record = json!({
                "type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": SESSION,
                "cwd": cwd, "timestamp": started, "version": "2.1.332",
            });
            let object = record.as_object_mut().unwrap();
            object.extend(rest.as_object().unwrap().clone());
            record.to_string()
        };
        let lines = [
            record(
                "user",
                "u1",
                None,
                json!({ "message": { "role": "user", "content": "hi" } }),
            ),
            record(
                "attachment",
                "u2",
                Some("u1"),
                json!({ "attachment": { "type": "instructions", "files": files } }),
            ),
            record(
                "assistant",
                "u3",
                Some("u2"),
                json!({ "message": { "role": "assistant", "model": "claude-opus-5", "id": "m1",
                    "content": [{ "type": "text", "text": "hello" }] } }),
            ),
        ];
        let folder: String = cwd
            .to_str()
            .unwrap()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        let file = format!("home/.claude/projects/{folder}/{SESSION}.jsonl");
        self.write(&file, &lines.join("\n"));
    }

    fn command(&self, args: &[&str]) -> Command {
        let root = self.root();
        let mut command = support::outcrop(&root.join("proj"));
        command
            .args(args)
            .arg("--home")
            .arg(root.join("home"))
            .arg("--managed")
            .arg(root.join("managed"));
        command
    }

    /// The exit code of an audit and its JSON.
    fn audit(&self, args: &[&str]) -> (Option<i32>, Value) {
        let args: Vec<&str> = ["audit", "--json"].iter().chain(args).copied().collect();
        let output = self.command(&args).output().unwrap();
        let json = serde_json::from_slice(&output.stdout);
        (
            output.status.code(),
            json.unwrap_or_else(|_| panic!("{output:?}")),
        )
    }

    /// The verdict on each file of the project, as `name: verdict`.
    fn verdicts(&self, audit: &Value) -> Vec<String> {
        let cwd = self.root().join("proj");
        let texts = audit["texts"].as_array().unwrap().iter();
        texts
            .map(|text| {
                let path = Path::new(text["path"].as_str().unwrap());
                let name = path.strip_prefix(&cwd).unwrap().display();
                format!("{name}: {}", text["verdict"].as_str().unwrap())
            })
            .collect()
    }

    fn hook(&self, event: &str) -> Output {
        let mut child = self
            .command(&["hook", "instructions-loaded"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(event.as_bytes())
            .unwrap();
        child.wait_with_output().unwrap()
    }

    fn event(&self, path: &str) -> String {
        json!({
            "hook_event_name": "InstructionsLoaded", "session_id": SESSION,
            "cwd": self.root().join("proj"), "file_path": self.root().join("proj").join(path),
            "memory_type": "Project", "load_reason": "session_start",
        })
        .to_string()
    }

    fn log(&self, end: &str) -> PathBuf {
        let name = format!("home/.local/state/outcrop/instructions-loaded.jsonl{end}");
        self.root().join(name)
    }

    fn git(&self, time: &str, args: &[&str]) {
        let mut command = Command::new("git");
        command
            .args(["-c", "user.name=dev", "-c", "user.email=dev@example.com"])
            .args([
                "-c",
                "init.defaultBranch=main",
                "-c",
                "commit.gpgsign=false",
            ])
            .args(args)
            .env("GIT_COMMITTER_DATE", time)
            .env("GIT_AUTHOR_DATE", time)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .current_dir(self.root().join("proj"));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{args:?} {output:?}");
    }
}

#[test]
fn todays_files_and_what_was_received() {
    let world = World::new(&[
        ("proj/CLAUDE.md", "M_NEW\n"),
        ("proj/.claude/rules/a.md", "M_RULE\n"),
        ("proj/CLAUDE.local.md", "M_LOCAL\n"),
    ]);
    world.session(
        "2026-09-01T10:00:00Z",
        &[
            ("CLAUDE.md", "Project", "M_OLD"),
            ("CLAUDE.local.md", "Local", "M_LOCAL"),
            ("docs/gone.md", "Project", "M_GONE"),
        ],
    );
    let (code, audit) = world.audit(&[]);
    assert_eq!((code, &audit["verdict"]), (Some(1), &json!("differs")));
    assert_eq!(
        world.verdicts(&audit),
        [
            "CLAUDE.md: other-content",
            "CLAUDE.local.md: equal",
            "docs/gone.md: extra",
            ".claude/rules/a.md: missing",
        ]
    );
    let (code, all) = world.audit(&["--all"]);
    assert_eq!(code, Some(1));
    assert_eq!(all["sessions"][0]["counts"], audit["counts"]);
    // The same when only what was told is there.
    world.write("proj/CLAUDE.md", "M_OLD\n");
    world.write("proj/docs/gone.md", "M_GONE\n");
    world.write("proj/CLAUDE.local.md", "M_LOCAL\n");
    world.session(
        "2026-09-01T10:00:00Z",
        &[
            ("CLAUDE.md", "Project", "M_OLD"),
            (".claude/rules/a.md", "Project", "M_RULE"),
            ("CLAUDE.local.md", "Local", "M_LOCAL"),
        ],
    );
    let (code, audit) = world.audit(&[]);
    assert_eq!((code, &audit["verdict"]), (Some(0), &json!("equal")));
}

#[test]
fn the_files_of_the_sessions_time() {
    let world = World::new(&[
        ("proj/CLAUDE.md", "M_OLD\n@docs/a.txt\n"),
        ("proj/docs/a.txt", "M_DOC\n"),
        ("proj/.gitignore", "CLAUDE.local.md\n"),
        ("proj/CLAUDE.local.md", "M_LOCAL\n"),
        ("proj/sub/CLAUDE.md", "M_SUB\n"),
    ]);
    let told = [
        ("CLAUDE.md", "Project", "M_OLD\n@docs/a.txt"),
        ("docs/a.txt", "Project", "M_DOC"),
        ("CLAUDE.local.md", "Local", "M_LOCAL"),
    ];
    world.session("2026-09-02T10:00:00Z", &told);
    let (code, audit) = world.audit(&["--git"]);
    assert_eq!((code, &audit["verdict"]), (Some(0), &json!("not-compared")));
    assert!(
        audit["compared_with"]["why"]
            .as_str()
            .unwrap()
            .contains("no git repository")
    );

    world.git("2026-09-01T00:00:00Z", &["init", "-q"]);
    world.git("2026-09-01T00:00:00Z", &["add", "-A"]);
    world.git("2026-09-01T00:00:00Z", &["commit", "-qm", "one"]);
    world.write("proj/CLAUDE.md", "M_NEW\n");
    world.write("proj/.claude/rules/b.md", "M_LATER\n");
    fs::remove_file(world.root().join("proj/docs/a.txt")).unwrap();
    world.git("2026-09-05T00:00:00Z", &["add", "-A"]);
    world.git("2026-09-05T00:00:00Z", &["commit", "-qm", "two"]);
    assert_eq!(world.audit(&[]).0, Some(1), "today's files are others");
    let (code, audit) = world.audit(&["--git"]);
    assert_eq!((code, &audit["verdict"]), (Some(0), &json!("equal")));
    assert_eq!(
        world.verdicts(&audit),
        [
            "CLAUDE.md: equal",
            "docs/a.txt: equal",
            "CLAUDE.local.md: equal"
        ]
    );
    assert_eq!(audit["compared_with"]["branch"], "main");
    assert_eq!(audit["compared_with"]["was_clean"], Value::Null);

    world.session("2026-08-01T10:00:00Z", &told);
    let (code, audit) = world.audit(&["--git"]);
    assert_eq!(code, Some(0));
    assert!(
        audit["compared_with"]["why"]
            .as_str()
            .unwrap()
            .contains("no commit")
    );
}

#[test]
fn many_hooks_at_once_lose_no_event() {
    let world = World::new(&[("proj/CLAUDE.md", "M_1\n"), ("proj/x.md", "M_X\n")]);
    world.session("2026-09-01T10:00:00Z", &[("CLAUDE.md", "Project", "M_1")]);
    std::thread::scope(|scope| {
        for number in 0..24 {
            let world = &world;
            scope.spawn(move || {
                let name = if number == 0 {
                    "CLAUDE.md".to_owned()
                } else {
                    format!("{number}.md")
                };
                let output = world.hook(&world.event(&name));
                assert!(
                    output.status.success() && output.stdout.is_empty(),
                    "{output:?}"
                );
            });
        }
    });
    let log = fs::read_to_string(world.log("")).unwrap();
    assert_eq!(log.lines().count(), 24);
    let (code, audit) = world.audit(&["--log"]);
    assert_eq!((code, &audit["log"]["events"]), (Some(1), &json!(24)));
    assert_eq!(audit["log"]["not_logged"], json!([]));
    assert_eq!(audit["log"]["only_logged"].as_array().unwrap().len(), 23);
    assert_eq!(audit["texts"][0]["logged"], true);
}

#[test]
fn the_log_is_bounded() {
    let world = World::new(&[("proj/CLAUDE.md", "M_1\n")]);
    let line = format!("{}\n", "x".repeat(1023));
    world.write(
        "home/.local/state/outcrop/instructions-loaded.jsonl",
        &line.repeat(512),
    );
    world.write(
        "home/.local/state/outcrop/instructions-loaded.jsonl.1",
        &line,
    );
    assert!(world.hook(&world.event("CLAUDE.md")).status.success());
    let length = |end: &str| fs::metadata(world.log(end)).unwrap().len();
    assert_eq!(length(".1"), 512 * 1024);
    assert!(length("") < 1024);
    assert!(world.hook(&world.event("CLAUDE.md")).status.success());
    let log = fs::read_to_string(world.log("")).unwrap();
    assert_eq!(log.lines().count(), 2);
}

#[test]
fn what_is_no_event_fails_no_session() {
    let world = World::new(&[("proj/CLAUDE.md", "M_1\n")]);
    for event in ["", "{", "null", r#"{"hook_event_name":"Stop"}"#] {
        let output = world.hook(event);
        assert_eq!(
            (output.status.code(), output.stdout.len()),
            (Some(0), 0),
            "{event}"
        );
        assert!(!output.stderr.is_empty(), "{event}");
    }
    assert!(!world.log("").exists());
    // Nor does a place where no log can be.
    world.write("home/.local", "a file");
    let output = world.hook(&world.event("CLAUDE.md"));
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
}
