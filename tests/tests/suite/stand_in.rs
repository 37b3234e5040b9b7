//! A stand-in for the client: a script that sends what a test gives it, in a place of its own.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use outcrop_tests::disk;
use serde_json::{Value, json};
use tempfile::TempDir;

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(disk::program);

/// Sends each body beside it to the recorder, after what a test wants done.
const CLIENT: &str = r#"#!/usr/bin/env bash
here="$(cd "$(dirname "$0")" && pwd)"
version=2.1.332
address="${ANTHROPIC_BASE_URL#http://}"
connect() { exec 3<>"/dev/tcp/${address%:*}/${address#*:}"; }
. "$here/before.sh"
for body in "$here"/body-*.json; do
  connect
  printf 'POST /v1/messages HTTP/1.1\r\nuser-agent: claude-cli/%s (x)\r\ncontent-length: %s\r\n\r\n' \
    "$version" "$(wc -c < "$body")" >&3
  cat "$body" >&3
  read -r -u 3 line
  exec 3>&-
done
"#;

pub(crate) struct Place {
    _folder: TempDir,
    pub(crate) root: PathBuf,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        let place = Self {
            _folder: folder,
            root,
        };
        for (path, text) in [
            ("home/.claude/CLAUDE.md", "# Me\n@own.md\n"),
            ("home/.claude/own.md", "Own.\n"),
            (
                "home/.claude/settings.json",
                "{\"hooks\":{},\"enabledPlugins\":{\"p@shop\":true}}",
            ),
            ("home/.claude/history.jsonl", "{}\n"),
            ("home/.claude/.credentials.json", "{\"secret\":1}"),
            ("home/.claude.json", "{\"projects\":{}}"),
            ("project/CLAUDE.md", "# Project\nfirst\nsecond\n"),
            ("project/CLAUDE.local.md", "Mine.\n"),
            ("project/sub/CLAUDE.md", "Sub.\n"),
            ("project/sub/code.rs", "x\n"),
            ("bin/before.sh", ""),
        ] {
            place.write(path, text);
        }
        place.write("bin/claude", CLIENT);
        let program = place.root.join("bin/claude");
        fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
        place
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let file = self.root.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    pub(crate) fn command(&self, command: &str) -> Command {
        let mut process = Command::new(&*PROGRAM);
        process
            .arg(command)
            .arg(self.root.join("project"))
            .arg("--home")
            .arg(self.root.join("home"))
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .stdin(Stdio::null());
        process
    }

    pub(crate) fn verify(&self, args: &[&str]) -> Output {
        let mut process = self.command("verify");
        process.arg("--client").arg(self.root.join("bin/claude"));
        process.args(args).output().unwrap()
    }

    /// The statuses of `verify --json`, by path from the root, and its exit code.
    pub(crate) fn statuses(&self, args: &[&str]) -> (Vec<(String, Value)>, i32) {
        let output = self.verify(&[&["--json"], args].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        let shown: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {stderr}"));
        assert_eq!(shown["schema"], "outcrop/verify@1");
        let root = format!("{}/", self.root.display());
        let deliveries = shown["deliveries"].as_array().unwrap().iter();
        let layers = deliveries.flat_map(|delivery| delivery["layers"].as_array().unwrap());
        let statuses = layers.map(|layer| {
            let path = layer["path"].as_str().unwrap().replace(&root, "");
            (path, layer["status"].clone())
        });
        (statuses.collect(), output.status.code().unwrap())
    }

    /// Lets the client send what is predicted, changed by `doctor`: (path, scope, text) each.
    pub(crate) fn sends(&self, doctor: impl Fn(&mut Vec<(String, String, String)>)) {
        let output = self
            .command("show")
            .args(["--json", "--client", "2.1.332"])
            .output()
            .unwrap();
        let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let layers = shown["deliveries"][0]["layers"].as_array().unwrap();
        let mut layers: Vec<_> = layers
            .iter()
            .map(|layer| {
                (
                    text(&layer["path"]),
                    text(&layer["scope"]),
                    text(&layer["text"]),
                )
            })
            .collect();
        doctor(&mut layers);
        let section = |(path, scope, text): &(String, String, String)| {
            let label = match scope.as_str() {
                "managed" => "from the managed folder",
                "user" => "my global notes",
                "project" => "checked into the tree",
                "local" => "kept, but not checked in",
                other => other,
            };
            format!("Contents of {path} ({label}):\n\n{text}")
        };
        let sections: Vec<String> = layers.iter().map(section).collect();
        let sections = sections.join("\n\n");
        let block = format!("<system-reminder>\nFirst line.\n\n{sections}\n</system-reminder>");
        self.sends_block(&block);
    }

    /// Lets the client name the user's file as it sees it, which differs with a temporary home.
    pub(crate) fn before(&self, script: &str) {
        let home = self.root.join("home/.claude/CLAUDE.md");
        let home = home.display();
        let rename =
            format!("sed -i \"s|{home}|$HOME/.claude/CLAUDE.md|\" \"$here\"/body-1.json\n");
        self.sends(|_| {});
        self.write("bin/before.sh", &format!("{rename}{script}"));
    }

    pub(crate) fn sends_block(&self, block: &str) {
        let body = json!({
            "model": "m",
            "tools": [{ "name": "Read" }],
            "system": "System.",
            "messages": [{ "role": "user", "content": [{ "type": "text", "text": block }] }],
        });
        self.write("bin/body-1.json", &body.to_string());
    }

    /// Every file of the user's: path and bytes.
    pub(crate) fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        for folder in ["home", "project", "config"] {
            note_files(&self.root.join(folder), &mut files);
        }
        files
    }
}

fn note_files(folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            note_files(&path, files);
            files.insert(path, Vec::new());
        } else {
            files.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
}

pub(crate) fn of(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let code = output.status.code().unwrap();
    (code, text(&output.stdout), text(&output.stderr))
}
