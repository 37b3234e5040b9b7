//! The commands of docs/carrying-on.md, run in a home of their own, and what they print. With
//! `OVERWRITE=1` the page is written anew.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod support;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use outcrop_compactor::sessions::folder_of;
use regex::Regex;
use serde_json::json;
use tempfile::TempDir;

const SESSION: &str = "5e550000-aaaa-4000-8000-000000000007";

/// A project, a home, and one session in it.
struct World {
    folder: TempDir,
}

impl World {
    fn new() -> Self {
        let world = Self {
            folder: TempDir::new().unwrap(),
        };
        let mill = world.root().join("mill");
        let cwd = mill.to_str().unwrap();
        let project = world
            .root()
            .join("home/.claude/projects")
            .join(folder_of(cwd));
        fs::create_dir_all(mill.join("src")).unwrap();
        fs::write(mill.join("src/single.rs"), "// One pass.\n").unwrap();
        let mut git = std::process::Command::new("git");
        assert!(
            git.args(["init", "-q", "-b", "main"])
                .arg(&mill)
                .status()
                .unwrap()
                .success()
        );
        fs::create_dir_all(&project).unwrap();
        let transcript = project.join(format!("{SESSION}.jsonl"));
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd/carry.in/mill.jsonl");
        let text = fs::read_to_string(sample)
            .unwrap()
            .replace("/srv/mill", cwd);
        fs::write(&transcript, text).unwrap();
        let old = SystemTime::now() - Duration::from_secs(60);
        let file = File::options().write(true).open(&transcript).unwrap();
        file.set_modified(old).unwrap();
        for (name, event) in [
            (
                "stop.json",
                json!({"hook_event_name": "Stop", "session_id": SESSION}),
            ),
            (
                "start.json",
                json!({"hook_event_name": "SessionStart", "source": "startup",
                       "session_id": "5e550000-bbbb-4000-8000-000000000001"}),
            ),
        ] {
            let mut event = event;
            event["transcript_path"] = json!(transcript);
            event["cwd"] = json!(cwd);
            fs::write(world.root().join(name), event.to_string()).unwrap();
        }
        world
    }

    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    /// What a line of a shell prints, without what differs from run to run.
    fn run(&self, line: &str, times: &Regex) -> String {
        let outcrop = Path::new(env!("CARGO_BIN_EXE_outcrop")).parent().unwrap();
        let command = support::outcrop(&self.root().join("mill"));
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &format!("{line} 2>&1")]);
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        let path = format!("{}:/usr/bin:/bin", outcrop.display());
        let output = shell
            .current_dir(self.root().join("mill"))
            .env("PATH", path)
            .env("HOME", self.root().join("home"))
            .env("TZ", "UTC")
            .env_remove("XDG_STATE_HOME")
            .env_remove("XDG_DATA_HOME")
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let root = self.root();
        let root = root.to_str().unwrap();
        let text = text
            .replace(&folder_of(root), "-home-kit")
            .replace(&format!("{root}/home"), "/home/kit")
            .replace(root, "/home/kit");
        let text = times.replace_all(&text, "<time>");
        // How well a folder's random name can be packed.
        let sizes = Regex::new(r"\d+(?:\.\d)? kB").unwrap();
        let text = sizes.replace_all(&text, "<size>");
        let ages = Regex::new(r"\b\d+[ms] waits").unwrap();
        ages.replace_all(&text, "0m waits").into_owned()
    }
}

#[test]
fn the_page_shows_what_is_printed() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/carrying-on.md");
    let before = fs::read_to_string(&page).unwrap();
    let world = World::new();
    let times = Regex::new(
        r"\d{4}-\d\d-\d\d_\d{6}|20[2-9]\d-(?:0[1-9]|1[0-2])-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z| UTC(?:[+-]\d\d)?)?",
    )
    .unwrap();
    let mut after = String::new();
    let mut in_block = false;
    for line in before.lines() {
        if line.starts_with("```") {
            in_block = line == "```console";
        }
        match line.strip_prefix("$ ").filter(|_| in_block) {
            Some(command) => {
                after.push_str(&format!("{line}\n{}", world.run(command, &times)));
            }
            // What was printed before is printed anew.
            None if in_block && !line.starts_with("```") => {}
            None => after.push_str(&format!("{line}\n")),
        }
    }
    if std::env::var_os("OVERWRITE").is_some() {
        fs::write(&page, &after).unwrap();
    } else {
        assert_eq!(before, after, "OVERWRITE=1 writes the page anew");
    }
    // The old session is as it was, and the new one is beside it.
    let mill = world.root().join("mill");
    let project = folder_of(mill.to_str().unwrap());
    let project = world.root().join("home/.claude/projects").join(project);
    let sessions = fs::read_dir(project).unwrap().count();
    assert_eq!(sessions, 2);
}
