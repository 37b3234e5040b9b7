//! `outcrop verify` with a stand-in for the client: a script that sends what a test gives it.
//! Real clients are the matter of the differential suite.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use outcrop_tests::disk;
use outcrop_verify::sandbox::Namespace;
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

struct Place {
    _folder: TempDir,
    root: PathBuf,
}

impl Place {
    fn new() -> Self {
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

    fn write(&self, path: &str, text: &str) {
        let file = self.root.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    fn command(&self, command: &str) -> Command {
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

    fn verify(&self, args: &[&str]) -> Output {
        let mut process = self.command("verify");
        process.arg("--client").arg(self.root.join("bin/claude"));
        process.args(args).output().unwrap()
    }

    /// The statuses of `verify --json`, by path from the root, and its exit code.
    fn statuses(&self, args: &[&str]) -> (Vec<(String, Value)>, i32) {
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
    fn sends(&self, doctor: impl Fn(&mut Vec<(String, String, String)>)) {
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
    fn before(&self, script: &str) {
        let home = self.root.join("home/.claude/CLAUDE.md");
        let home = home.display();
        let rename =
            format!("sed -i \"s|{home}|$HOME/.claude/CLAUDE.md|\" \"$here\"/body-1.json\n");
        self.sends(|_| {});
        self.write("bin/before.sh", &format!("{rename}{script}"));
    }

    fn sends_block(&self, block: &str) {
        let body = json!({
            "model": "m",
            "tools": [{ "name": "Read" }],
            "system": "System.",
            "messages": [{ "role": "user", "content": [{ "type": "text", "text": block }] }],
        });
        self.write("bin/body-1.json", &body.to_string());
    }

    /// Every file of the user's: path and bytes.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
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

fn of(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let code = output.status.code().unwrap();
    (code, text(&output.stdout), text(&output.stderr))
}

#[test]
fn what_is_sent_as_predicted_is_equal() {
    let place = Place::new();
    place.sends(|_| {});
    let (code, stdout, stderr) = of(&place.verify(&[]));
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(
        stdout.contains("equal: 4 layers, all sent as predicted"),
        "{stdout}"
    );
    let (statuses, code) = place.statuses(&[]);
    let paths: Vec<&str> = statuses.iter().map(|(path, _)| path.as_str()).collect();
    let wanted = [
        "home/.claude/CLAUDE.md",
        "home/.claude/own.md",
        "project/CLAUDE.md",
        "project/CLAUDE.local.md",
    ];
    assert_eq!((paths.as_slice(), code), (&wanted[..], 0));
}

/// A doctored answer shows each kind of difference.
#[test]
fn each_kind_of_difference_is_told() {
    let place = Place::new();
    place.sends(|layers| {
        layers[2].2 = "# Project\nfirst\nchanged".to_owned();
        layers[3].1 = "project".to_owned();
        layers.swap(0, 1);
        layers.push((
            "/elsewhere/CLAUDE.md".to_owned(),
            "user".to_owned(),
            "E".to_owned(),
        ));
    });
    let (code, stdout, _) = of(&place.verify(&["--read", "sub/code.rs"]));
    assert_eq!(code, 1);
    for wanted in [
        "predicted in place 1, sent in place 2",
        "-second",
        "+changed",
        "predicted as local, sent as project",
        "extra          user         ../../../elsewhere/CLAUDE.md",
        "missing        project      sub/CLAUDE.md",
        "differs: of 6 layers 1 equal, 1 text differs, 1 scope differs, 1 moved, 1 missing, 1 extra",
    ] {
        assert!(stdout.contains(wanted), "{wanted}: {stdout}");
    }
    let (statuses, _) = place.statuses(&["--read", "sub/code.rs"]);
    let statuses: Vec<Value> = statuses.into_iter().map(|(_, status)| status).collect();
    let wanted = json!([
        ["equal"],
        ["moved"],
        ["text-differs"],
        ["scope-differs"],
        ["extra"],
        ["missing"]
    ]);
    assert_eq!(Value::from(statuses), wanted);
}

#[test]
fn an_unknown_form_is_no_difference() {
    let place = Place::new();
    place.sends_block("nothing");
    let (code, _, _) = of(&place.verify(&[]));
    assert_eq!(code, 1, "texts that are nowhere in the request are missing");
    let project = place.root.join("project/CLAUDE.md");
    let text = format!(
        "# {}: Contents of {}\n# Project\nfirst\nsecond",
        "x",
        project.display()
    );
    place.sends_block(&text);
    let (code, stdout, stderr) = of(&place.verify(&[]));
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(
        stderr.contains("unknown form") && stderr.contains("project/CLAUDE.md"),
        "{stderr}"
    );
    place.write("bin/body-1.json", "no JSON");
    let (code, _, stderr) = of(&place.verify(&[]));
    assert_eq!(code, 2);
    assert!(
        stderr.contains("no request that offers tools; 1 other"),
        "{stderr}"
    );
}

#[test]
fn a_client_that_fails_is_told_with_its_words() {
    let place = Place::new();
    place.write("bin/before.sh", "echo 'no such flag' >&2; exit 7\n");
    let (code, stdout, stderr) = of(&place.verify(&[]));
    assert_eq!((code, stdout.as_str()), (2, ""));
    let wanted = "outcrop: the client ended with exit code 7:\nno such flag\n";
    assert_eq!(stderr, wanted);
    place.write("bin/before.sh", "sleep 600 & sleep 600\n");
    let (code, _, stderr) = of(&place.verify(&["--time-limit", "1"]));
    assert_eq!(code, 2);
    assert!(stderr.contains("stopped at its time limit"), "{stderr}");
    let (code, _, stderr) = of(&place
        .command("verify")
        .args(["--client", "/none"])
        .output()
        .unwrap());
    assert_eq!(code, 2);
    assert!(
        stderr.contains("--client /none: there is no such program"),
        "{stderr}"
    );
}

/// A client of another version is compared with the prediction for that version.
#[test]
fn the_version_is_what_the_client_says() {
    let place = Place::new();
    place.sends(|_| {});
    place.write("bin/before.sh", "version=2.1.197\n");
    let (code, stdout, _) = of(&place.verify(&[]));
    assert_eq!(code, 0);
    assert!(stdout.starts_with("What client 2.1.197 sends"), "{stdout}");
    place.write("bin/before.sh", "version=1.0.0\n");
    assert_eq!(of(&place.verify(&[])).0, 2);
}

#[test]
fn other_addresses_are_refused_and_told() {
    let place = Place::new();
    place.sends(|_| {});
    let ask = "connect; printf 'CONNECT example.invalid:443 HTTP/1.1\\r\\n\\r\\n' >&3; \
               read -r -u 3 line; exec 3>&-; [ \"$HTTPS_PROXY\" = \"$ANTHROPIC_BASE_URL\" ] || exit 9\n";
    place.write("bin/before.sh", ask);
    let (code, _, stderr) = of(&place.verify(&[]));
    assert_eq!(code, 0);
    assert!(
        stderr.contains("asked for example.invalid:443 and was refused"),
        "{stderr}"
    );
}

/// Whatever the client writes, the user's folders stay as they are.
#[test]
fn nothing_of_the_user_is_changed() {
    let place = Place::new();
    let write = "for file in \"$HOME/.claude.json\" \"$HOME/.claude/settings.json\" \
                 \"$HOME/.claude/new/x\" \"$HOME/new\" \"$HOME/.claude/projects/p/s.jsonl\"; do\n  \
                 mkdir -p \"$(dirname \"$file\")\"; echo written >> \"$file\"; done\n\
                 rm -f \"$HOME/.claude/history.jsonl\"\n";
    let before = place.files();
    let mut ways = vec![("mirror", write.to_owned())];
    if Namespace::available().is_ok() {
        let all = "echo written >> CLAUDE.md; rm -r sub; mkdir made\n";
        ways.push(("namespace", format!("{write}{all}")));
    }
    for (way, script) in ways {
        place.before(&script);
        let (statuses, code) = place.statuses(&["--isolation", way]);
        assert_eq!((statuses.len(), code), (4, 0), "{way}");
        assert!(place.files() == before, "{way}: a file has changed");
    }
}

/// What the client sees: no credentials, no variables of the process but those it needs.
#[test]
fn the_client_sees_no_credentials() {
    let place = Place::new();
    let look = "case \"$(cat \"$HOME/.claude/.credentials.json\" 2>/dev/null)\" in *secret*) exit 8;; esac\n\
                [ \"$ANTHROPIC_API_KEY\" = sk-ant-dummy ] && [ -z \"$OWN_SECRET\" ] || exit 9\n";
    let mut ways = vec!["mirror"];
    if Namespace::available().is_ok() {
        ways.push("namespace");
    }
    for way in ways {
        place.before(look);
        let mut process = place.command("verify");
        process.arg("--client").arg(place.root.join("bin/claude"));
        process
            .env("OWN_SECRET", "1")
            .env("ANTHROPIC_API_KEY", "real");
        let (code, _, stderr) = of(&process.args(["--isolation", way]).output().unwrap());
        assert_eq!(code, 0, "{way}: {stderr}");
    }
}

#[test]
fn a_dry_run_starts_nothing() {
    let place = Place::new();
    place.write("bin/before.sh", "touch \"$here/started\"\n");
    let (code, stdout, _) = of(&place.verify(&["--dry-run", "--setting-sources", "user"]));
    assert_eq!(code, 0);
    for wanted in [
        "bin/claude -p 'outcrop verifies' --setting-sources user --strict-mcp-config --settings",
        "\"disableAllHooks\":true",
        "\"p@shop\":false",
        "ANTHROPIC_BASE_URL=http://127.0.0.1:PORT",
    ] {
        assert!(stdout.contains(wanted), "{wanted}: {stdout}");
    }
    assert!(!place.root.join("bin/started").exists());
    let (_, stdout, _) = of(&place.verify(&["--dry-run", "--with-hooks", "--json"]));
    let plan: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(plan["schema"], "outcrop/verify-plan@1");
    assert!(!plan["command"].to_string().contains("disableAllHooks"));
}

#[test]
fn calls_that_change_something_are_refused() {
    let place = Place::new();
    place.write(
        "steps.json",
        "[{\"tool\":\"Write\",\"input\":{\"file_path\":\"/x\"}}]",
    );
    let steps = place.root.join("steps.json");
    let (code, _, stderr) = of(&place.verify(&["--steps", steps.to_str().unwrap()]));
    assert_eq!(code, 2);
    assert!(stderr.contains("Write may change something"), "{stderr}");
}

/// Managed settings beat ours, so a run that they would send elsewhere is not started.
#[test]
fn managed_settings_that_lead_elsewhere_are_refused() {
    if Namespace::available().is_err() {
        return;
    }
    let place = Place::new();
    place.write("bin/before.sh", "touch \"$here/started\"\n");
    let setting = "{\"env\":{\"ANTHROPIC_BASE_URL\":\"http://example.invalid\"}}";
    place.write("managed/managed-settings.json", setting);
    let managed = place.root.join("managed");
    let (code, _, stderr) = of(&place.verify(&["--managed", managed.to_str().unwrap()]));
    assert_eq!(code, 2);
    assert!(
        stderr.contains("managed-settings.json sets ANTHROPIC_BASE_URL"),
        "{stderr}"
    );
    assert!(!place.root.join("bin/started").exists());
}

/// What was learned is kept, counted by `show`, and printed around the texts.
#[test]
fn what_was_learned_is_shown() {
    let place = Place::new();
    place.sends(|_| {});
    let cache = place.root.join("cache");
    let cache = ["--cache-dir", cache.to_str().unwrap()];
    let (code, _, stderr) = of(&place.verify(&cache));
    assert_eq!(code, 0);
    assert!(stderr.contains("learned what the client adds"), "{stderr}");
    let (_, _, stderr) = of(&place.verify(&cache));
    assert_eq!(stderr, "", "it is learned once");
    let show = |args: &[&str]| {
        let mut process = place.command("show");
        of(&process
            .args(["--client", "2.1.332"])
            .args(cache)
            .args(args)
            .output()
            .unwrap())
    };
    let shown: Value = serde_json::from_str(&show(&["--json"]).1).unwrap();
    let learned = &shown["learned"];
    assert_eq!(
        (&learned["system"], &learned["model"]),
        (&json!(7), &json!("m"))
    );
    let labels = [
        "my global notes",
        "checked into the tree",
        "kept, but not checked in",
    ];
    let (_, text, _) = show(&["--text"]);
    let block = text.split_once("<==\n").unwrap().1;
    assert!(
        block.starts_with("<system-reminder>\nFirst line.\n\nContents of "),
        "{text}"
    );
    assert!(labels.iter().all(|label| block.contains(label)), "{text}");
    // Characters of the block that are not the layers' own.
    let layers = shown["deliveries"][0]["layers"].as_array().unwrap();
    let own: u64 = layers
        .iter()
        .map(|layer| layer["characters"].as_u64().unwrap())
        .sum();
    let whole = block.trim_end().chars().count() as u64;
    assert_eq!(learned["framing"], json!(whole - own));
    let file = place.root.join("cache/clients/2.1.332.json");
    fs::write(&file, "{").unwrap();
    let (code, _, stderr) = show(&[]);
    assert_eq!(code, 0);
    assert!(stderr.contains("may be deleted"), "{stderr}");
}
