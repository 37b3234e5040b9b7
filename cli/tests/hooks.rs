//! `hook session-start`, `prompt` and `stop` in folders made for them: events name absolute paths,
//! which the scenarios cannot.
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a folder that cannot be made stops the test"
)]

mod support;

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

const SESSION: &str = "5e550000-0000-4000-8000-000000000001";
/// What a hook promises.
const PROMISE: Duration = Duration::from_secs(3);

/// A home folder and a project.
struct World {
    folder: TempDir,
}

impl World {
    fn new() -> Self {
        let world = Self {
            folder: TempDir::new().unwrap(),
        };
        fs::create_dir_all(world.root().join("proj")).unwrap();
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

    fn skill(&self, name: &str, keys: &str) {
        let path = format!("proj/.claude/skills/{name}/SKILL.md");
        self.write(&path, &format!("---\n{keys}\n---\nBody\n"));
    }

    /// Writes the transcript of a session that calls Bash and gets answers: command, answer, failed.
    fn session(&self, id: &str, prompt: &str, calls: &[(&str, &str, bool)]) -> PathBuf {
        let cwd = self.root().join("proj");
        let mut lines: Vec<String> = Vec::new();
        let mut add = |kind: &str, message: Value| {
            let number = lines.len();
            let parent = number.checked_sub(1).map(|before| format!("u{before}"));
            let record = json!({
                "type": kind, "uuid": format!("u{number}"), "parentUuid": parent, "sessionId": id,
                "cwd": cwd, "timestamp": "2026-09-01T10:00:00Z", "version": "2.1.332",
                "message": message,
            });
            lines.push(record.to_string());
        };
        let said = |number: usize, block: Value| {
            json!({ "role": "assistant", "model": "claude-opus-5", "id": format!("m{number}"),
                "content": [block] })
        };
        add("user", json!({ "role": "user", "content": prompt }));
        for (number, (command, answer, failed)) in calls.iter().enumerate() {
            let call = format!("t{number}");
            let block = json!({ "type": "tool_use", "id": call, "name": "Bash",
                "input": { "command": command } });
            add("assistant", said(number, block));
            let block = json!({ "type": "tool_result", "tool_use_id": call, "content": answer,
                "is_error": failed });
            add("user", json!({ "role": "user", "content": [block] }));
        }
        let done = json!({ "type": "text", "text": "All of it is done." });
        add("assistant", said(calls.len(), done));
        let path = format!("home/.claude/projects/p/{id}.jsonl");
        self.write(&path, &format!("{}\n", lines.join("\n")));
        self.root().join(path)
    }

    fn command(&self, hook: &str) -> Command {
        let root = self.root();
        let mut command = support::outcrop(&root.join("proj"));
        command
            .args(["hook", hook, "--client", "2.1.332"])
            .arg("--home")
            .arg(root.join("home"))
            .arg("--managed")
            .arg(root.join("managed"))
            .env_remove("OUTCROP_HOOK_LOG")
            .env("GIT_CEILING_DIRECTORIES", &root);
        command
    }

    fn event(&self, name: &str, more: &Value) -> String {
        let mut event = json!({
            "hook_event_name": name, "session_id": SESSION, "cwd": self.root().join("proj"),
        });
        let object = event.as_object_mut().unwrap();
        object.extend(more.as_object().unwrap().clone());
        event.to_string()
    }

    /// What a hook says to the model; it keeps its promise in any case.
    fn says(&self, hook: &str, name: &str, more: &Value) -> String {
        let output = run(&mut self.command(hook), &self.event(name, more));
        assert!(output.stderr.is_empty(), "{output:?}");
        if output.stdout.is_empty() {
            return String::new();
        }
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        let said = &said["hookSpecificOutput"];
        assert_eq!(said["hookEventName"], name);
        said["additionalContext"].as_str().unwrap().to_owned()
    }

    fn start(&self) -> String {
        self.says(
            "session-start",
            "SessionStart",
            &json!({ "source": "startup" }),
        )
    }

    fn prompt(&self, prompt: &str) -> String {
        self.says("prompt", "UserPromptSubmit", &json!({ "prompt": prompt }))
    }

    fn stop(&self, session: &str, transcript: &PathBuf) {
        let more = json!({ "session_id": session, "transcript_path": transcript });
        assert_eq!(self.says("stop", "Stop", &more), "");
    }

    fn handoffs(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.root().join("home/.claude/handoffs"));
        let entries = entries.into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        paths
    }
}

/// Runs a hook, which ends in time and with code 0.
fn run(command: &mut Command, event: &str) -> Output {
    let begin = Instant::now();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // One that gave up does not read any more.
    let _ = stdin.write_all(event.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(begin.elapsed() < PROMISE, "{:?}", begin.elapsed());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    output
}

const FAILED: [(&str, &str, bool); 2] = [
    ("npm run tset", "npm ERR! Missing script: \"tset\"", true),
    ("npm run test", "12 passed", false),
];

#[test]
fn a_stop_is_told_to_the_next_session() {
    let world = World::new();
    assert_eq!(world.start(), "");
    let transcript = world.session(SESSION, "Fix the total of the cart", &FAILED);
    world.stop(SESSION, &transcript);
    world.stop(SESSION, &transcript);
    let [handoff] = &world.handoffs()[..] else {
        panic!("{:?}", world.handoffs());
    };
    let text = fs::read_to_string(handoff).unwrap();
    for line in [
        "# Fix the total of the cart",
        "## Session summary",
        "Asked first: Fix the total of the cart",
        "The last answer ends: All of it is done.",
        "## What changed",
        "## What remains",
        "## Key decisions",
        "## Current context",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\n{text}");
    }
    // The session itself knows what it wrote.
    let own = world.start();
    assert!(
        !own.contains("handoff") && own.contains("npm run tset"),
        "{own}"
    );
    let more = json!({ "session_id": "another", "source": "clear" });
    let said = world.says("session-start", "SessionStart", &more);
    let name = handoff.file_name().unwrap().to_str().unwrap();
    assert!(said.starts_with("1 handoff of the last 48 hours"), "{said}");
    assert!(
        said.contains(&format!("- {name}: Fix the total of the cart")),
        "{said}"
    );
    assert!(said.contains("`npm run tset` fails"), "{said}");
    assert!(
        !said.contains("All of it is done"),
        "pointers, not content: {said}"
    );
}

#[test]
fn the_cap_holds_and_other_directories_are_counted() {
    let world = World::new();
    for number in 0..20 {
        let text = format!("# Handoff number {number} of the shop\n");
        world.write(&format!("home/.claude/handoffs/{number:02}.md"), &text);
    }
    world.write(
        "home/.claude/handoffs/99.md",
        "# Far\n- Directory: /elsewhere\n",
    );
    world.write("home/.claude/handoffs/98_done.md", "# Taken\n");
    let said = world.start();
    assert!(said.contains("20 handoffs"), "{said}");
    assert!(
        said.contains(", 1 of other directories") && said.contains("- and 15 more"),
        "{said}"
    );
    assert!(!said.contains("Far") && !said.contains("Taken"), "{said}");
    let mut command = world.command("session-start");
    command.args(["--tokens", "80"]);
    let output = run(&mut command, &world.event("SessionStart", &json!({})));
    let short = String::from_utf8(output.stdout).unwrap();
    assert!(
        short.contains("20 handoffs") && short.len() < said.len(),
        "{short}"
    );
}

#[test]
fn skills_are_suggested_and_nothing_else_is_said() {
    let world = World::new();
    let scale = "description: Scale bakery recipes to another batch size";
    world.skill("recipe-scaling", scale);
    world.skill(
        "hidden",
        &format!("{scale}\ndisable-model-invocation: true"),
    );
    world.skill(
        "invoices",
        "description: Export invoices for the tax office",
    );
    let said = world.prompt("scale the rye recipe to a batch of 60 loaves");
    assert!(said.starts_with("Suggestions, not instructions"), "{said}");
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(
        said.ends_with("- recipe-scaling: Scale bakery recipes to another batch size"),
        "{said}"
    );
    for prompt in [
        "/recipe-scaling 60",
        "fix the bug in the cart",
        "continue",
        "",
    ] {
        assert_eq!(world.prompt(prompt), "", "{prompt}");
    }
}

#[test]
fn what_was_taken_or_edited_stays() {
    let world = World::new();
    let transcript = world.session(SESSION, "Fix the total", &[]);
    world.stop(SESSION, &transcript);
    let first = world.handoffs().pop().unwrap();
    let done = PathBuf::from(first.to_str().unwrap().replace(".md", "_done.md"));
    fs::rename(&first, &done).unwrap();
    world.stop(SESSION, &transcript);
    assert_eq!(world.handoffs(), std::slice::from_ref(&done));
    let transcript = world.session(SESSION, "Fix the total, and the tax", &[]);
    world.stop(SESSION, &transcript);
    let mut second = world.handoffs();
    second.retain(|path| *path != done);
    fs::write(&second[0], "# Mine\n").unwrap();
    let transcript = world.session(SESSION, "And the docs", &[]);
    world.stop(SESSION, &transcript);
    assert_eq!(fs::read_to_string(&second[0]).unwrap(), "# Mine\n");
    assert_eq!(world.handoffs().len(), 2);
}

#[test]
fn many_stops_at_once_lose_nothing() {
    let world = World::new();
    std::thread::scope(|scope| {
        for number in 0..12 {
            let world = &world;
            scope.spawn(move || {
                let wrong = format!("npm run tset{number}");
                let right = format!("npm run test{number}");
                let calls = [
                    (wrong.as_str(), "npm ERR! Missing script", true),
                    (&right, "ok", false),
                ];
                let session = format!("5e55{number:04}-0000-4000-8000-000000000001");
                let transcript = world.session(&session, "Fix the total", &calls);
                let more = json!({ "session_id": session, "transcript_path": transcript });
                let output = run(&mut world.command("stop"), &world.event("Stop", &more));
                assert!(
                    output.stdout.is_empty() && output.stderr.is_empty(),
                    "{output:?}"
                );
            });
        }
    });
    assert_eq!(world.handoffs().len(), 12);
    let folder = world.root().join("home/.local/state/outcrop/instincts");
    let files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let kept: Value = serde_json::from_slice(&fs::read(&files[0]).unwrap()).unwrap();
    assert_eq!(kept["instincts"].as_array().unwrap().len(), 12);
}

#[test]
fn whatever_is_wrong_fails_no_session() {
    let world = World::new();
    let log = world.root().join("failures.jsonl");
    let gone = json!({ "transcript_path": world.root().join("gone.jsonl") });
    let events = [
        ("stop", String::new()),
        ("stop", "{".to_owned()),
        ("stop", "null".to_owned()),
        ("stop", world.event("SessionStart", &json!({}))),
        ("stop", world.event("Stop", &json!({}))),
        ("stop", world.event("Stop", &gone)),
        (
            "stop",
            world.event(
                "Stop",
                &json!({ "session_id": "../x", "transcript_path": "/" }),
            ),
        ),
        ("session-start", "[]".to_owned()),
        ("session-start", world.event("Stop", &json!({}))),
        (
            "prompt",
            world.event("UserPromptSubmit", &json!({ "prompt": 5 })),
        ),
        ("prompt", world.event("UserPromptSubmit", &json!({}))),
    ];
    for (number, (hook, event)) in events.iter().enumerate() {
        let mut command = world.command(hook);
        command.arg("--log").arg(&log);
        let output = run(&mut command, event);
        assert!(
            output.stdout.is_empty() && !output.stderr.is_empty(),
            "{output:?}"
        );
        let told = fs::read_to_string(&log).unwrap();
        assert_eq!(told.lines().count(), number + 1, "{told}");
    }
    assert!(world.handoffs().is_empty());
    let last = fs::read_to_string(&log).unwrap();
    let last: Value = serde_json::from_str(last.lines().last().unwrap()).unwrap();
    assert_eq!(last["hook"], "prompt");
    // As wrong usage it would keep a prompt back.
    for words in [["prompt", "--none"], ["none", "x"]] {
        let mut command = support::outcrop(&world.root());
        command.arg("hook").args(words);
        let output = run(&mut command, "");
        assert!(
            output.stdout.is_empty() && !output.stderr.is_empty(),
            "{output:?}"
        );
    }
}

/// Files in the place of folders: what a read-only home is, for a user that may write anywhere too.
#[test]
fn where_nothing_can_be_kept_or_read_no_session_fails() {
    let world = World::new();
    let transcript = world.session(SESSION, "Fix the total", &FAILED);
    world.write("home/.local", "a file");
    let stop = json!({ "transcript_path": transcript });
    let output = run(&mut world.command("stop"), &world.event("Stop", &stop));
    assert!(output.stdout.is_empty(), "{output:?}");
    assert!(
        String::from_utf8_lossy(&output.stderr).contains(".local"),
        "{output:?}"
    );
    world.write("home/.claude/handoffs", "a file");
    let start = world.event("SessionStart", &json!({}));
    let output = run(&mut world.command("session-start"), &start);
    assert!(
        output.stdout.is_empty() && !output.stderr.is_empty(),
        "{output:?}"
    );
    // No home at all: what stands below a file cannot even be made.
    let home = transcript.join("none");
    for (hook, event) in [
        ("stop", world.event("Stop", &stop)),
        ("session-start", start),
    ] {
        let mut command = support::outcrop(&world.root().join("proj"));
        command
            .args(["hook", hook])
            .env("HOME", &home)
            .env_remove("XDG_STATE_HOME");
        let output = run(&mut command, &event);
        assert!(output.stdout.is_empty(), "{output:?}");
    }
}

#[test]
fn a_state_that_is_broken_is_left_and_the_rest_is_said() {
    let world = World::new();
    let transcript = world.session(SESSION, "Fix the total", &FAILED);
    world.stop(SESSION, &transcript);
    let folder = world.root().join("home/.local/state/outcrop/instincts");
    let path = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|end| end == "json"))
        .unwrap();
    fs::write(&path, "{ broken").unwrap();
    let event = world.event("SessionStart", &json!({ "session_id": "another" }));
    let output = run(&mut world.command("session-start"), &event);
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("1 handoff"),
        "{output:?}"
    );
    assert!(!output.stderr.is_empty());
    let event = world.event("Stop", &json!({ "transcript_path": transcript }));
    assert!(run(&mut world.command("stop"), &event).stdout.is_empty());
    assert_eq!(fs::read_to_string(&path).unwrap(), "{ broken");
}

/// Secrets and the names of other projects stay in their transcript.
#[test]
fn nothing_private_is_learned_or_handed_on() {
    let world = World::new();
    let token = concat!("gh", "p_9fK2mQ7xWd41LzRbVt83NcYpHs60JgEaUi5o");
    let bad = format!("curl -u kit:{token} x");
    let calls = [
        (bad.as_str(), "curl: (6) Could not resolve host", true),
        ("curl y", "ok", false),
        (
            "python /home/kit/diary/a.py",
            "can't open file '/home/kit/diary/a.py'",
            true,
        ),
        ("python b.py", "ok", false),
    ];
    let prompt = format!("The token is {token}, use it");
    let transcript = world.session(SESSION, &prompt, &calls);
    world.stop(SESSION, &transcript);
    let said = world.start();
    assert!(said.contains("…/a.py"), "{said}");
    assert!(!said.contains("diary") && !said.contains("curl"), "{said}");
    let text = fs::read_to_string(&world.handoffs()[0]).unwrap();
    assert!(!text.contains(&token[4..20]), "{text}");
    let name = world.handoffs()[0].display().to_string();
    assert!(!name.contains("9fk2"), "{name}");
}

#[cfg(unix)]
#[test]
fn a_git_that_hangs_is_not_waited_for() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = World::new();
    world.write("bin/git", "#!/bin/sh\nexec sleep 600\n");
    let git = world.root().join("bin/git");
    fs::set_permissions(&git, fs::Permissions::from_mode(0o755)).unwrap();
    let transcript = world.session(SESSION, "Fix the total", &FAILED);
    let mut command = world.command("stop");
    let path = std::env::var("PATH").unwrap();
    command.env(
        "PATH",
        format!("{}:{path}", world.root().join("bin").display()),
    );
    let event = world.event("Stop", &json!({ "transcript_path": transcript }));
    let output = run(&mut command, &event);
    assert!(output.stdout.is_empty(), "{output:?}");
    let text = fs::read_to_string(&world.handoffs()[0]).unwrap();
    assert!(text.contains("git said nothing here"), "{text}");
}

/// Standard input that is never closed.
#[test]
fn an_event_that_never_comes_is_not_waited_for() {
    let world = World::new();
    let begin = Instant::now();
    let mut child = world
        .command("prompt")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let held = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(held);
    assert!(begin.elapsed() < PROMISE);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
}

/// Of a transcript that is long only its end is read.
#[test]
fn a_long_transcript_is_read_from_its_end() {
    let world = World::new();
    let answer = "x".repeat(64 << 10);
    let mut calls = vec![("cat big", answer.as_str(), false); 64];
    calls.extend(FAILED);
    let transcript = world.session(SESSION, "Fix the total", &calls);
    assert!(fs::metadata(&transcript).unwrap().len() > 4 << 20);
    world.stop(SESSION, &transcript);
    assert!(world.start().contains("npm run tset"));
}

/// The client's rules find nothing wrong with what is to be put into its settings.
#[test]
fn settings_as_they_are_printed_are_sound() {
    let world = World::new();
    let mut command = support::outcrop(&world.root());
    let output = command
        .args(["hook", "install", "--print"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    world.write("proj/.claude/settings.json", &text);
    let root = world.root();
    let output = support::outcrop(&root.join("proj"))
        .args(["lint", "--all", "--concise", "--home"])
        .arg(root.join("home"))
        .arg("--managed")
        .arg(root.join("managed"))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!told.contains("hook"), "{told}");
}
