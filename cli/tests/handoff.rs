//! `handoff` by many processes at once, killed, edited, and beside git.
#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "helpers of tests may fail as tests do; they tell how much was done"
)]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

fn command(at: &Path, args: &[&str]) -> Command {
    let mut command = support::outcrop(at);
    command.arg("handoff").args(args).args(["--home", "home"]);
    command
        .env("TZ", "UTC")
        .env_remove("VISUAL")
        .env_remove("EDITOR");
    command
}

fn run(at: &Path, args: &[&str]) -> Output {
    command(at, args).output().unwrap()
}

/// Writes a text, and gives whether that succeeded.
fn write(at: &Path, text: &str) -> bool {
    let mut command = command(at, &["write", "--stdin", "--title", "same"]);
    command.stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    child.wait().unwrap().success()
}

fn folder(at: &Path) -> PathBuf {
    at.join("home/.claude/handoffs")
}

fn texts_of(output: &Output) -> Vec<String> {
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let handoffs = json["handoffs"].as_array().unwrap().iter();
    handoffs
        .map(|one| one["text"].as_str().unwrap().to_owned())
        .collect()
}

/// A number that CI keeps small and `scripts/handoff-race` makes large.
fn number(name: &str, usual: usize) -> usize {
    std::env::var(name).map_or(usual, |number| number.parse().unwrap())
}

/// Each write and each take is a process of its own.
#[test]
fn processes_at_once_lose_nothing_and_take_each_once() {
    let writers = number("OUTCROP_WRITERS", 8);
    let each = number("OUTCROP_EACH", 12);
    let takers = number("OUTCROP_TAKERS", 4);
    let world = TempDir::new().unwrap();
    let at = world.path();
    let written = AtomicUsize::new(0);
    let taken = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for writer in 0..writers {
            let written = &written;
            scope.spawn(move || {
                for number in 0..each {
                    assert!(write(at, &format!("{writer} {number}\n")));
                }
                written.fetch_add(1, Ordering::SeqCst);
            });
        }
        for _ in 0..takers {
            scope.spawn(|| {
                loop {
                    let is_last = written.load(Ordering::SeqCst) == writers;
                    let output = run(at, &["take", "--json"]);
                    assert!(output.status.success(), "{output:?}");
                    taken.lock().unwrap().extend(texts_of(&output));
                    if is_last {
                        break;
                    }
                }
            });
        }
    });
    let taken = taken.into_inner().unwrap();
    let different: BTreeSet<&String> = taken.iter().collect();
    println!(
        "{writers} × {each} written, {takers} takers: {} taken",
        taken.len()
    );
    assert_eq!(taken.len(), writers * each, "each is taken once");
    assert_eq!(different.len(), writers * each, "none is lost");
    let names = fs::read_dir(folder(at)).unwrap().flatten();
    let names: Vec<PathBuf> = names.map(|entry| entry.path()).collect();
    assert_eq!(names.len(), writers * each);
    assert!(
        names
            .iter()
            .all(|path| path.to_str().unwrap().ends_with("_done.md"))
    );
}

/// Whatever is there behind a kill is whole, and the next run succeeds.
#[test]
fn a_kill_leaves_no_half_handoff() {
    let kills = number("OUTCROP_KILLS", 25);
    let world = TempDir::new().unwrap();
    let at = world.path();
    let text = format!("# Kept\n\n{}end\n", "Grind the flour.\n".repeat(20_000));
    fs::write(at.join("note.md"), &text).unwrap();
    let spawn = || {
        let mut command = command(at, &["write", "--stdin"]);
        command.stdin(fs::File::open(at.join("note.md")).unwrap());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    };
    // The quickest of some: one that waited for others would leave few moments to be killed in.
    let runs = (0..3).map(|_| {
        let started = std::time::Instant::now();
        assert!(spawn().wait().unwrap().success());
        started.elapsed().as_micros() as u64
    });
    let whole = runs.min().unwrap();
    let mut chance: u64 = 7;
    let (mut killed, mut succeeded) = (0, 3);
    for _ in 0..kills {
        chance = chance
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let mut child = spawn();
        std::thread::sleep(Duration::from_micros(whole * (chance >> 54) / 1_000));
        // A process that has ended cannot be killed.
        let _ = child.kill();
        match child.wait().unwrap().success() {
            true => succeeded += 1,
            false => killed += 1,
        }
        let entries = fs::read_dir(folder(at)).unwrap().flatten();
        let there: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        let handoffs = there
            .iter()
            .filter(|path| path.extension().is_some_and(|e| e == "md"));
        for path in handoffs.clone() {
            assert!(
                fs::read_to_string(path).unwrap() == text,
                "{}",
                path.display()
            );
        }
        assert!(handoffs.count() >= succeeded);
    }
    println!("{killed} of {kills} runs were killed");
    let output = run(at, &["take", "--json"]);
    assert!(texts_of(&output).len() >= succeeded);
    assert!(write(at, "next"));
}

/// A reader that is gone read nothing: what was taken for it waits again.
#[test]
fn what_reaches_nobody_waits_again() {
    let world = TempDir::new().unwrap();
    let at = world.path();
    assert!(write(at, &"Grind the flour.\n".repeat(30_000)));
    let mut child = command(at, &["take"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    // A broken pipe is no failure.
    assert!(child.wait().unwrap().success());
    assert_eq!(texts_of(&run(at, &["take", "--json"])).len(), 1);
    assert!(texts_of(&run(at, &["take", "--json"])).is_empty());
}

#[test]
fn the_editor_has_the_last_word() {
    let world = TempDir::new().unwrap();
    let at = world.path();
    fs::write(at.join("note.md"), "# Draft\n").unwrap();
    let edit = |editor: &str| {
        let mut command = command(at, &["write", "--stdin", "--edit"]);
        command.stdin(fs::File::open(at.join("note.md")).unwrap());
        command.env("EDITOR", editor).output().unwrap()
    };
    assert!(edit("sed -i s/Draft/Edited/").status.success());
    let failed = edit("false");
    assert_eq!(failed.status.code(), Some(2));
    let message = String::from_utf8_lossy(&failed.stderr).into_owned();
    let kept = message.trim().rsplit(' ').next().unwrap();
    assert_eq!(fs::read_to_string(kept).unwrap(), "# Draft\n", "{message}");
    fs::remove_file(kept).unwrap();
    let emptied = edit("truncate -s 0");
    assert_eq!(emptied.status.code(), Some(2));
    let texts = texts_of(&run(at, &["take", "--json"]));
    assert_eq!(texts, ["# Edited\n"]);
}

/// The draft tells the branch and what differs, and git's own files stay byte for byte.
#[test]
fn git_is_asked_and_not_changed() {
    let world = TempDir::new().unwrap();
    let at = fs::canonicalize(world.path()).unwrap();
    let mill = at.join("mill");
    fs::create_dir(&mill).unwrap();
    let git = |args: &[&str]| {
        let status = Command::new("git")
            .args(["-c", "user.name=Kit", "-c", "user.email=kit@mill.example"])
            .args(args)
            .current_dir(&mill)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert!(status.success(), "{args:?}");
    };
    git(&["init", "-q", "-b", "stones"]);
    fs::write(mill.join("a.txt"), "a").unwrap();
    git(&["add", "a.txt"]);
    git(&["commit", "-q", "-m", "Lay the stones"]);
    // The index is stale now, and would be refreshed under a lock.
    fs::write(mill.join("a.txt"), "a").unwrap();
    fs::write(mill.join("b.txt"), "b").unwrap();
    let record = serde_json::json!({
        "type": "user", "uuid": "u1", "parentUuid": null, "sessionId": "5e550000-aaaa",
        "cwd": mill, "version": "2.1.332", "timestamp": "2020-01-01T00:00:00.000Z",
        "message": {"role": "user", "content": "Lay them."},
    });
    fs::write(at.join("one.jsonl"), format!("{record}\n")).unwrap();
    let index = fs::read(mill.join(".git/index")).unwrap();
    let output = run(
        &at,
        &["write", "one.jsonl", "--dry-run", "--client", "2.1.332"],
    );
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("- branch: stones\n"), "{text}");
    assert!(text.contains("- git status: `?? b.txt`\n"), "{text}");
    // Committed after the session began.
    let changed = text.split("## What changed").nth(1).unwrap();
    let changed = changed.split("## What remains").next().unwrap();
    assert!(changed.contains("Lay the stones"), "{text}");
    assert_eq!(fs::read(mill.join(".git/index")).unwrap(), index);
    assert!(!folder(&at).exists(), "--dry-run makes no folder");
}
