//! `action.yml` and `.pre-commit-hooks.yaml` are well-formed, and their commands are run with the binary at hand.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]
#![expect(clippy::panic, reason = "helpers of tests may fail as tests do")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn yaml(name: &str) -> Value {
    let text = fs::read_to_string(root().join(name)).unwrap();
    serde_saphyr::from_str(&text).unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}"))
}

/// Repositories: one in which something is wrong, and one in which nothing is.
#[cfg(unix)]
fn repositories() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in [
        ("bad/.git/HEAD", "ref: refs/heads/main\n"),
        ("bad/CLAUDE.md", "Use pnpm.\nSee @docs/gone.md here.\n"),
        ("bad/pack a/CLAUDE.md", "See @gone.md here.\n"),
        ("good/.git/HEAD", "ref: refs/heads/main\n"),
        ("good/CLAUDE.md", "Use pnpm.\n"),
    ] {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

#[test]
fn the_action_passes_on_what_it_is_given() {
    let action = yaml("action.yml");
    assert_eq!(action["runs"]["using"], "composite");
    let inputs = action["inputs"].as_object().unwrap();
    let mut used = Vec::new();
    for step in action["runs"]["steps"].as_array().unwrap() {
        assert_eq!(step["shell"], "bash");
        // A value that is put into a script could be a command.
        assert!(!text(&step["run"]).contains("${{"));
        for value in step["env"].as_object().unwrap().values() {
            let input = text(value).strip_prefix("${{ inputs.");
            used.extend(input.map(|input| input.trim_end_matches(" }}").to_owned()));
        }
    }
    used.sort();
    let mut declared: Vec<String> = inputs.keys().cloned().collect();
    declared.sort();
    assert_eq!(used, declared);
    // The page says what the inputs are by default.
    let page = fs::read_to_string(root().join("docs/ci.md")).unwrap();
    for (name, input) in inputs {
        let row = format!("| `{name}` | `{}` |", text(&input["default"]));
        assert!(page.contains(&row), "{row}");
    }
    // What is installed is there.
    let install = text(&action["runs"]["steps"][0]["run"]);
    assert!(install.contains("--path cli "), "{install}");
    assert!(root().join("cli/Cargo.toml").exists());
}

/// The last step with the environment and the shell that GitHub gives.
#[cfg(unix)]
#[test]
fn the_action_lints() {
    use std::process::{Command, Output};

    let folder = repositories();
    let at = folder.path();
    let bin = at.join("temp/outcrop/bin");
    fs::create_dir_all(&bin).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_outcrop"), bin.join("outcrop")).unwrap();
    let action = yaml("action.yml");
    let step = &action["runs"]["steps"][1];
    let script = at.join("script.sh");
    fs::write(&script, text(&step["run"])).unwrap();
    let run = |repository: &str, given: &[(&str, &str)]| -> (Output, String) {
        let mut command = Command::new("bash");
        command.args(["--noprofile", "--norc", "-eo", "pipefail"]);
        command.arg(&script).current_dir(at.join(repository));
        command.env("HOME", at.join("home"));
        command.env("RUNNER_TEMP", at.join("temp"));
        for (name, value) in step["env"].as_object().unwrap() {
            let input = text(value).strip_prefix("${{ inputs.").unwrap();
            let input = input.strip_suffix(" }}").unwrap();
            let given = given.iter().find(|(name, _)| *name == input);
            let default = text(&action["inputs"][input]["default"]);
            command.env(name, given.map_or(default, |(_, value)| value));
        }
        let output = command.output().unwrap();
        let told = String::from_utf8(output.stdout.clone()).unwrap();
        (output, told)
    };
    let all = ("args", "--all --managed none");
    let (output, told) = run("good", &[all]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(!told.contains("::"), "{told}");
    let (output, told) = run("bad", &[all]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let lines: Vec<&str> = told.lines().filter(|line| line.starts_with("::")).collect();
    let of = |name: &str| format!("::error file={name},line=");
    assert_eq!(lines.len(), 2, "{told}");
    assert!(lines[0].starts_with(&of("CLAUDE.md")), "{told}");
    assert!(lines[1].starts_with(&of("pack a/CLAUDE.md")), "{told}");
    // Paths count from the root of the repository, wherever one lints. Arguments may have lines.
    let lines = ("args", "--managed none\n  --min-severity\n  error\n");
    let below = [("path", "pack a"), lines, ("client", "2.1.332")];
    let (output, told) = run("bad", &below);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(told.contains(&of("pack a/CLAUDE.md")), "{told}");
    // Wrong usage, and a directory that is not there, let the step fail.
    for given in [("args", "--no-such"), ("path", "gone"), ("client", "x")] {
        let (output, told) = run("good", &[given]);
        assert!(
            !output.status.success() && !told.contains("::"),
            "{output:?}"
        );
    }
    // Nothing of what is given is a command.
    let (output, _) = run("good", &[all, ("client", "$(touch x); touch x")]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    run("good", &[("args", "$(touch x) `touch x`;touch x")]);
    assert!(!at.join("good/x").exists());
}

/// pip builds what pre-commit runs.
#[test]
fn hooks_have_what_they_need() {
    let hooks = yaml(".pre-commit-hooks.yaml");
    let hooks = hooks.as_array().unwrap();
    let languages = hooks
        .iter()
        .map(|hook| (text(&hook["id"]), text(&hook["language"])));
    let languages: Vec<(&str, &str)> = languages.collect();
    let wanted = [
        ("outcrop-lint", "python"),
        ("outcrop-lint-system", "system"),
    ];
    assert_eq!(languages, wanted);
    let page = fs::read_to_string(root().join("docs/ci.md")).unwrap();
    for (id, _) in languages {
        assert!(page.contains(&format!("id: {id}")), "{id}");
    }
    let project = fs::read_to_string(root().join("pyproject.toml")).unwrap();
    let manifest = project
        .lines()
        .find_map(|line| line.strip_prefix("manifest-path = "));
    assert!(root().join(manifest.unwrap().trim_matches('"')).exists());
    for hook in hooks {
        assert_eq!(hook["pass_filenames"], false);
        let files = regex::Regex::new(text(&hook["files"])).unwrap();
        for file in [
            "CLAUDE.md",
            "a/CLAUDE.local.md",
            "AGENTS.md",
            ".claude/rules/x/y.md",
            "a/.claude/settings.json",
            "outcrop.toml",
        ] {
            assert!(files.is_match(file), "{file}");
        }
        for file in ["README.md", "MYCLAUDE.md", "CLAUDE.md.txt", "a.claude/x"] {
            assert!(!files.is_match(file), "{file}");
        }
    }
}

#[cfg(unix)]
#[test]
fn hooks_lint() {
    let folder = repositories();
    for hook in yaml(".pre-commit-hooks.yaml").as_array().unwrap() {
        let mut words = text(&hook["entry"]).split(' ');
        assert_eq!(words.next(), Some("outcrop"));
        let words: Vec<&str> = words.collect();
        for (repository, code) in [("good", 0), ("bad", 1)] {
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_outcrop"));
            command.args(&words).args(["--managed", "none"]);
            command.current_dir(folder.path().join(repository));
            let output = command.env("HOME", folder.path().join("home")).output();
            let output = output.unwrap();
            assert_eq!(output.status.code(), Some(code), "{output:?}");
        }
    }
}
