//! `carry --write` and `--rollback`: what is written where, and what is never touched.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may fail as tests do"
)]

mod support;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::{Duration, SystemTime};

use serde_json::Value;
use tempfile::TempDir;

const SESSION: &str = "5e550000-aaaa-4000-8000-000000000007";

/// A home with one session in it.
struct World {
    folder: TempDir,
}

impl World {
    fn new() -> Self {
        let world = Self {
            folder: TempDir::new().unwrap(),
        };
        fs::create_dir_all(world.project()).unwrap();
        let mill = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd/carry.in/mill.jsonl");
        fs::copy(mill, world.source()).unwrap();
        aged(&world.source());
        world
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    fn project(&self) -> PathBuf {
        self.home().join(".claude/projects/-srv-mill")
    }

    fn source(&self) -> PathBuf {
        self.project().join(format!("{SESSION}.jsonl"))
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = support::outcrop(self.folder.path());
        let home = self.home();
        let home = home.to_str().unwrap();
        command.args(["carry", "--home", home, "--client", "2.1.332"]);
        command.args(args).output().unwrap()
    }

    fn json(&self, args: &[&str]) -> Value {
        let output = self.run(&[args, &["--json"]].concat());
        let error = String::from_utf8_lossy(&output.stderr);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{args:?}: {error}"))
    }

    fn error(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    /// The transcripts of the project.
    fn sessions(&self) -> Vec<String> {
        let entries = fs::read_dir(self.project()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }
}

/// Lets a file be so old that no session can be writing to it.
fn aged(path: &Path) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(60))
        .unwrap();
}

#[test]
fn a_plan_writes_nothing() {
    let world = World::new();
    let plan = world.json(&[SESSION]);
    assert_eq!(plan["written"], Value::Null);
    assert_eq!(world.sessions(), [format!("{SESSION}.jsonl")]);
    assert!(!world.home().join(".local").exists());
}

#[test]
fn a_new_session_is_written_beside_the_old_one() {
    let world = World::new();
    let before = fs::read(world.source()).unwrap();
    let carried = world.json(&[SESSION, "--write", "--seed", "one"]);
    assert_eq!(fs::read(world.source()).unwrap(), before);
    let written = &carried["written"];
    let session = written["session"].as_str().unwrap();
    assert_eq!(world.sessions().len(), 2);
    let path = world.project().join(format!("{session}.jsonl"));
    assert_eq!(
        written["path"],
        path.canonicalize().unwrap().to_str().unwrap()
    );
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(written["bytes"], text.len() as u64);
    for line in text.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        assert_eq!(record["sessionId"], session);
    }
    let resume = written["resume"].as_str().unwrap();
    assert_eq!(resume, format!("cd /srv/mill && claude --resume {session}"));
    // The same again: it is there, and nothing is written over it.
    let error = world.error(&[SESSION, "--write", "--seed", "one"]);
    assert!(error.contains("nothing is written over it"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    // What was done is told without a word of the session.
    let journal = world.home().join(".local/state/outcrop/journal.jsonl");
    let journal = fs::read_to_string(journal).unwrap();
    assert!(journal.contains(session) && journal.contains("kept last-request"));
    assert!(!journal.contains("sacks") && !journal.contains("ledger"));
}

/// Bug report B151: the program that writes the session may still run.
#[test]
fn a_session_that_may_run_is_not_carried_over() {
    let world = World::new();
    let file = File::options().write(true).open(world.source()).unwrap();
    file.set_modified(SystemTime::now()).unwrap();
    let error = world.error(&[SESSION, "--write"]);
    assert!(error.contains("--live takes it as it is now"), "{error}");
    assert_eq!(world.sessions().len(), 1);
    world.json(&[SESSION, "--write", "--live"]);
    assert_eq!(world.sessions().len(), 2);
}

/// Fault 12 of the reference script: its own output was taken for a session and refined again.
#[test]
fn a_carry_over_that_nobody_went_on_with_is_not_carried_over() {
    let world = World::new();
    let carried = world.json(&[SESSION, "--write"]);
    let session = carried["written"]["session"].as_str().unwrap();
    let path = world.project().join(format!("{session}.jsonl"));
    aged(&path);
    let error = world.error(&[session, "--write"]);
    assert!(
        error.contains(&format!("outcrop carry {SESSION}")),
        "{error}"
    );
    // Once it went on, it is a session like others.
    let mut text = fs::read_to_string(&path).unwrap();
    let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    let parent = last["uuid"].as_str().unwrap();
    text.push_str(&format!(
        "{{\"type\":\"user\",\"uuid\":\"x1\",\"parentUuid\":\"{parent}\",\"cwd\":\"/srv/mill\",\"timestamp\":\"2026-09-03T00:00:00.000Z\",\"message\":{{\"role\":\"user\",\"content\":\"Go on.\"}}}}\n"
    ));
    fs::write(&path, text).unwrap();
    aged(&path);
    world.json(&[session, "--write"]);
    assert_eq!(world.sessions().len(), 3);
}

#[test]
fn a_rollback_goes_back_and_removes_nothing() {
    let world = World::new();
    let first = world.json(&[SESSION, "--write", "--seed", "one"]);
    let second = world.json(&[SESSION, "--write", "--seed", "two", "--tail", "1"]);
    let id = |carried: &Value| carried["written"]["session"].as_str().unwrap().to_owned();
    let back = |args: &[&str]| {
        let args = [&["--rollback", "--cwd", "/srv/mill"], args].concat();
        world.json(&args)
    };
    let rolled = back(&[]);
    assert_eq!(
        (
            rolled["left"]["session"].as_str(),
            rolled["good"]["session"].as_str()
        ),
        (Some(&*id(&second)), Some(SESSION))
    );
    let resume = rolled["resume"].as_str().unwrap();
    assert!(resume.ends_with(&format!("claude --resume {SESSION}")));
    assert_eq!(world.sessions().len(), 3, "nothing is removed: {first}");
}

/// Nothing that a lock or a full disk may leave behind is ever taken for a session.
#[test]
fn another_carry_over_of_the_project_is_waited_for() {
    let world = World::new();
    world.json(&[SESSION, "--write"]);
    let lock = world
        .home()
        .join(".local/state/outcrop/locks/carry-srv-mill.lock");
    let held = File::options().write(true).open(lock).unwrap();
    held.lock().unwrap();
    let error = world.error(&[SESSION, "--write"]);
    assert!(error.contains("is in use by"), "{error}");
    assert_eq!(world.sessions().len(), 2);
}
