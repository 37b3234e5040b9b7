//! `outcrop verify` with a stand-in for the client. Real clients are the matter of the
//! differential suite.
#![cfg(unix)]

use std::fs;

use outcrop_verify::sandbox::Namespace;
use serde_json::{Value, json};

use crate::stand_in::{Place, of};

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

/// The same where the configuration folder lies elsewhere.
#[test]
fn nothing_of_another_configuration_folder_is_changed() {
    let place = Place::new();
    place.write("config/CLAUDE.md", "# Configured\n");
    place.write("config/.claude.json", "{}");
    place.sends(|_| {});
    let write = "[ -f \"$CLAUDE_CONFIG_DIR/CLAUDE.md\" ] || exit 9\n\
                 echo x >> \"$CLAUDE_CONFIG_DIR/.claude.json\"; mkdir \"$CLAUDE_CONFIG_DIR/made\"\n\
                 echo x > \"$HOME/new\"\n";
    place.write("bin/before.sh", write);
    let before = place.files();
    let config = place.root.join("config");
    let mut ways = vec!["mirror"];
    if Namespace::available().is_ok() {
        ways.push("namespace");
    }
    for way in ways {
        let args = ["--config-dir", config.to_str().unwrap(), "--isolation", way];
        let (code, _, stderr) = of(&place.verify(&args));
        // The stand-in sends what is predicted for the usual folder, so it differs; it ran.
        assert_eq!(code, 1, "{way}: {stderr}");
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
    let flags = ["--managed", managed.to_str().unwrap()];
    // The second names a settings file that cannot be read, at which the client would end.
    for more in [&[][..], &["--settings", "gone.json"]] {
        let (code, _, stderr) = of(&place.verify(&[&flags, more].concat()));
        assert_eq!(code, 2);
        assert!(
            stderr.contains("managed-settings.json sets ANTHROPIC_BASE_URL"),
            "{stderr}"
        );
    }
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
