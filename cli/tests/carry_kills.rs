//! `carry --write` is killed at any point: the old state is there or the new one, and the next run
//! succeeds. `OUTCROP_KILLS` sets how often; CI runs a few, `scripts/kill-test` many.
#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "helpers of tests may fail as tests do; it tells how many runs it killed"
)]

mod support;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use tempfile::TempDir;

const SESSION: &str = "5e550000-dddd-4000-8000-000000000000";

/// A session of some thousand records, so that a run has many moments to be killed in.
fn session() -> String {
    let mut lines = String::new();
    let mut parent = Value::Null;
    for number in 0..4_000 {
        let uuid = format!("5e550000-dddd-4000-8000-{number:012}");
        let (kind, message) = match number % 2 {
            0 => (
                "user",
                json!({"role": "user", "content": format!("Never open sluice {number}. Grind on.")}),
            ),
            _ => (
                "assistant",
                json!({"role": "assistant", "id": format!("m{number}"), "content": [
                    {"type": "text", "text": format!("Sluice {number} stays shut because the brook is high.")}
                ]}),
            ),
        };
        let record = json!({
            "type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": SESSION,
            "cwd": "/srv/mill", "version": "2.1.332", "timestamp": "2026-09-01T10:00:00.000Z",
            "message": message,
        });
        lines.push_str(&format!("{record}\n"));
        parent = json!(uuid);
    }
    lines
}

fn carry(at: &Path) -> std::process::Command {
    let mut command = support::outcrop(at);
    command.args(["carry", SESSION, "--write", "--home", "home"]);
    command.args(["--client", "2.1.332", "--target", "20000"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The sessions of a project, all of them whole.
fn sessions(project: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(project).unwrap().map(Result::unwrap);
    let mut sessions = BTreeSet::new();
    for entry in entries {
        let name = entry.file_name().into_string().unwrap();
        if name.starts_with(".outcrop-") {
            continue;
        }
        let text = fs::read_to_string(entry.path()).unwrap();
        assert!(text.ends_with('\n'), "{name} is cut off");
        let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        let stem = name.strip_suffix(".jsonl").unwrap();
        assert_eq!(last["sessionId"], stem);
        sessions.insert(stem.to_owned());
    }
    sessions
}

#[test]
fn a_kill_leaves_the_old_state_or_the_new_one() {
    let kills = std::env::var("OUTCROP_KILLS").map_or(25, |count| count.parse().unwrap());
    let folder = TempDir::new().unwrap();
    let project = folder.path().join("home/.claude/projects/-srv-mill");
    fs::create_dir_all(&project).unwrap();
    let source = project.join(format!("{SESSION}.jsonl"));
    let text = session();
    fs::write(&source, &text).unwrap();
    let file = File::options().write(true).open(&source).unwrap();
    let old = SystemTime::now() - Duration::from_secs(60);
    file.set_modified(old).unwrap();
    let started = std::time::Instant::now();
    assert!(carry(folder.path()).status().unwrap().success());
    let whole = started.elapsed().as_micros();
    // A sequence that is the same in each run.
    let mut chance: u64 = 7;
    let mut killed = 0;
    for _ in 0..kills {
        chance = chance
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let share = u128::from(chance >> 54);
        let mut child = carry(folder.path()).spawn().unwrap();
        std::thread::sleep(Duration::from_micros((whole * share / 1_000) as u64));
        // A process that has ended cannot be killed.
        let _ = child.kill();
        killed += usize::from(!child.wait().unwrap().success());
        assert_eq!(fs::read_to_string(&source).unwrap(), text);
        let there = sessions(&project);
        let state = folder.path().join("home/.local/state/outcrop");
        let good = fs::read(state.join("last-good/-srv-mill.json")).unwrap();
        let good: Value = serde_json::from_slice(&good).unwrap();
        for session in good["sessions"].as_array().unwrap() {
            assert!(there.contains(session["session"].as_str().unwrap()));
        }
    }
    println!("{killed} of {kills} runs were killed");
    let before = sessions(&project);
    assert!(carry(folder.path()).status().unwrap().success());
    assert_eq!(sessions(&project).len(), before.len() + 1);
}
