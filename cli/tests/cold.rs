//! `archive` and `recall` by real processes: killed, several at once, over files whose times are
//! known.
#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where its world cannot be built"
)]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, UNIX_EPOCH};

/// 2026-09-01T10:00:00Z, in seconds since 1970.
const NOW: u64 = 1_788_256_800;
const DAY: u64 = 24 * 60 * 60;

struct World {
    folder: tempfile::TempDir,
}

impl World {
    /// Some sessions of some sizes, the first changed 29 days ago, each next one a day later.
    fn new(sessions: u64) -> Self {
        let world = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        for number in 0..sessions {
            let id = format!("{number:04}aaaa");
            let path = format!("{id}.jsonl");
            world.put(&path, &talk(&id, 20 + 200 * number), 29 - number);
            let path = format!("{id}/subagents/agent-x.jsonl");
            world.put(&path, &talk("x", 3), 29 - number);
        }
        world
    }

    fn home(&self) -> &Path {
        self.folder.path()
    }

    fn project(&self) -> PathBuf {
        self.home().join(".claude/projects/-srv-shop")
    }

    fn put(&self, path: &str, text: &str, days_ago: u64) {
        let path = self.project().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let time = UNIX_EPOCH + Duration::from_secs(NOW - days_ago * DAY);
        let file = File::options().write(true).open(path).unwrap();
        file.set_modified(time).unwrap();
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_outcrop"));
        command.args(args).arg("--home").arg(self.home());
        command.arg("--managed").arg(self.home().join("managed"));
        command.args(["--client", "2.1.332"]);
        if args[0] == "archive" {
            command.args(["--now", "2026-09-01T10:00:00Z"]);
        }
        command.env("NO_COLOR", "1").current_dir(self.home());
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("CLAUDE") {
                command.env_remove(name);
            }
        }
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    fn done(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn archive(&self) -> PathBuf {
        self.home().join(".local/share/outcrop/archive")
    }
}

fn talk(id: &str, turns: u64) -> String {
    let turn = |n: u64| {
        let digest = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        format!(
            "{{\"type\":\"user\",\"uuid\":\"{id}-{n}\",\"timestamp\":\"2026-08-01T10:00:00Z\",\
             \"message\":{{\"role\":\"user\",\"content\":\"M_{n} of {id}: {digest:x}\"}}}}\n"
        )
    };
    (0..turns).map(turn).collect()
}

fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let (mut found, mut waiting) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => waiting.push(path),
                false => found.push((path.clone(), fs::read(path).unwrap())),
            }
        }
    }
    found.sort();
    found
}

/// Killed at any point, the store is sound, and the next run does what was left.
#[test]
fn a_killed_archiver_leaves_a_sound_store() {
    let world = World::new(5);
    let before = files(&world.project());
    let mut seed = 20_260_901_u64;
    let mut killed = 0;
    for round in 0..25 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        // Mostly while it writes; a whole run takes some 20 to 60 ms here.
        let delay = Duration::from_micros(seed >> 33 & 0x7fff);
        if round % 5 == 0 {
            let _ = fs::remove_dir_all(world.archive());
        }
        let mut command = world.command(&["archive", "--all", "--recheck"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(delay);
        child.kill().unwrap();
        killed += usize::from(child.wait().unwrap().code().is_none());
        let verified = world.run(&["archive", "--verify"]);
        let text = String::from_utf8_lossy(&verified.stdout).into_owned();
        assert!(
            text.starts_with("sound: "),
            "round {round} after {delay:?}: {text}"
        );
    }
    assert!(killed > 0, "each run was over before it was killed");
    world.done(&["archive", "--all"]);
    let out = world.home().join("out");
    for number in 0..5 {
        let id = format!("{number:04}aaaa");
        world.done(&["recall", "--restore", &id, "--to", "out"]);
    }
    let after = files(&out.join("projects/-srv-shop"));
    assert_eq!(after.len(), before.len());
    for ((there, text), (restored, again)) in before.iter().zip(&after) {
        assert_eq!(there.file_name(), restored.file_name());
        assert_eq!(text, again);
    }
    assert_eq!(
        files(&world.project()),
        before,
        "the client's files are as they were"
    );
}

#[test]
fn archivers_at_once_lose_nothing() {
    let world = World::new(4);
    let start = |_| {
        let mut command = world.command(&["archive", "--all"]);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let children: Vec<_> = (0..8).map(start).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    let text = world.done(&["archive", "--verify"]);
    assert!(text.starts_with("sound: 4 sessions, 8 files, "), "{text}");
    let journal = world.home().join(".local/state/outcrop/journal.jsonl");
    let journal = fs::read_to_string(journal).unwrap();
    assert_eq!(journal.matches("\"outcome\":\"archived\"").count(), 1);
    assert_eq!(journal.matches("\"outcome\":\"unchanged\"").count(), 7);
    assert!(!journal.contains("M_1"), "no content");
}

/// What the client deletes soon is named before, and archived when that is asked for.
#[test]
fn what_goes_soon_is_named() {
    let world = World::new(5);
    // A stored result that is older than its session goes before it.
    world.put("0004aaaa/tool-results/t1.txt", "M_STORED", 28);
    let text = world.done(&["archive"]);
    assert!(text.starts_with("5 sessions of all projects, 0 kept as they are, 0 in part\n"));
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| line.ends_with("-srv-shop"))
        .collect();
    let left = ["1d", "2d", "2d", "3d", "4d"];
    assert_eq!(lines.len(), left.len(), "{text}");
    for (line, left) in lines.iter().zip(left) {
        assert!(line.contains(&format!(" {left} no ")), "{line}");
    }
    assert!(!world.archive().exists(), "nothing is written");
    let text = world.done(&["archive", "--expiring", "2", "--dry-run"]);
    assert!(text.starts_with("would archive 3 sessions: "), "{text}");
    assert!(!world.archive().exists(), "nothing is written");
    world.done(&["archive", "--expiring", "2"]);
    let text = world.done(&["archive"]);
    assert!(text.starts_with("5 sessions of all projects, 3 kept as they are, 0 in part\n"));
    world.done(&["archive", "--older", "26"]);
    let listed = world.done(&["archive", "--list"]);
    assert!(listed.starts_with("5 sessions in the store, "), "{listed}");
    // The client deletes one; it is found, and comes back as if it were new.
    let gone = world.project().join("0000aaaa.jsonl");
    let whole = fs::read(&gone).unwrap();
    fs::remove_file(&gone).unwrap();
    assert!(world.done(&["archive", "--list"]).contains(" gone "));
    assert!(
        world
            .done(&["recall", "M_7 of 0000aaaa"])
            .contains("line 8")
    );
    world.done(&["recall", "--restore", "0000"]);
    assert_eq!(fs::read(&gone).unwrap(), whole);
    let age = fs::metadata(&gone).unwrap().modified().unwrap().elapsed();
    assert!(
        age.unwrap() < Duration::from_secs(3600),
        "the client counts anew"
    );
}

#[test]
fn the_store_is_kept_out_of_the_client_s_folder() {
    let world = World::new(1);
    let refused = world.run(&["archive", "--all", "--archive-dir", ".claude/cold"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("lies in the client's folder"));
}

/// Damage ends in its own exit code, and what can be searched is.
#[test]
fn damage_is_told() {
    let world = World::new(2);
    world.done(&["archive", "--all"]);
    let objects = files(&world.archive().join("objects"));
    let (object, bytes) = objects.iter().max_by_key(|(_, bytes)| bytes.len()).unwrap();
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 4;
    fs::write(object, damaged).unwrap();
    let name = object.file_name().unwrap().to_str().unwrap();
    let verified = world.run(&["archive", "--verify"]);
    assert_eq!(verified.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&verified.stdout).contains(name));
    let found = world.run(&["recall", "M_1 of"]);
    assert_eq!(found.status.code(), Some(2));
    let text = String::from_utf8_lossy(&found.stdout).into_owned();
    assert!(
        text.contains("M_1 of 0000aaaa") && text.contains(name),
        "{text}"
    );
    let refused = world.run(&["recall", "--restore", "0001", "--to", "out"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains(name));
    assert!(!world.home().join("out").exists());
    world.done(&["archive", "0001", "--recheck"]);
    world.done(&["archive", "--verify"]);
    world.done(&["recall", "--restore", "0001", "--to", "out"]);
}

#[test]
fn nothing_found_has_an_exit_code() {
    let world = World::new(1);
    world.done(&["archive", "--all"]);
    assert_eq!(world.run(&["recall", "M_ABSENT"]).status.code(), Some(1));
    assert_eq!(
        world.run(&["recall", "--regex", "("]).status.code(),
        Some(2)
    );
    assert_eq!(
        world.run(&["recall", "--restore", "none"]).status.code(),
        Some(2)
    );
}
