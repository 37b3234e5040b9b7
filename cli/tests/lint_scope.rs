//! What `lint` looks at: the whole repository, changed files, standard input.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod support;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn command(at: &Path, args: &[&str]) -> Command {
    let mut command = support::outcrop(at);
    command.arg("lint").args(args);
    command.args([
        "--format",
        "concise",
        "--managed",
        "none",
        "--client",
        "2.1.332",
    ]);
    command.arg("--home").arg(at.join("../home"));
    command
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn write(at: &Path, name: &str, text: &str) {
    let path = at.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn git(at: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    command
        .current_dir(at)
        .args(["-c", "user.name=t", "-c", "user.email=t@example"]);
    command
        .env("GIT_CONFIG_GLOBAL", "none")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    assert!(
        command.args(args).output().unwrap().status.success(),
        "{args:?}"
    );
}

#[test]
fn standard_input_takes_the_place_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("repo");
    write(&at, "CLAUDE.md", "Use pnpm.\n");
    write(&at, "api/errors.md", "Errors have codes.\n");
    for path in ["CLAUDE.md", "api/CLAUDE.md"] {
        let mut command = command(&at, &["--stdin", "--path", path]);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin
            .write_all(b"The style is in @docs/style.md here.\n")
            .unwrap();
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        assert!(
            told(&output).starts_with(&format!("{path}:1:17: error[L101]")),
            "{output:?}"
        );
    }
    assert_eq!(
        fs::read_to_string(at.join("CLAUDE.md")).unwrap(),
        "Use pnpm.\n"
    );
    assert!(!at.join("api/CLAUDE.md").exists());
}

#[test]
fn only_changed_files_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("repo");
    let missing = "The style is in @docs/style.md here.\n";
    write(&at, "CLAUDE.md", missing);
    write(&at, "api/CLAUDE.md", "Errors have codes.\n");
    git(&at, &["init", "-q"]);
    git(&at, &["add", "-A"]);
    git(&at, &["commit", "-qm", "first"]);
    let none = command(&at, &["--changed"]).output().unwrap();
    assert_eq!(none.status.code(), Some(0), "{none:?}");
    write(&at, "api/CLAUDE.md", missing);
    write(&at, "web/CLAUDE.md", missing);
    git(&at, &["add", "api"]);
    let output = command(&at, &["--changed"]).output().unwrap();
    let told_now = told(&output);
    assert!(told_now.contains("api/CLAUDE.md:1:17") && told_now.contains("web/CLAUDE.md:1:17"));
    assert!(
        !told_now.contains("\nCLAUDE.md") && !told_now.starts_with("CLAUDE.md"),
        "{told_now}"
    );
    let wrong = command(&at, &["--changed=gone"]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(told(&wrong).contains("--changed: "), "{wrong:?}");
}

#[test]
fn directories_with_settings_of_their_own_are_starts() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("repo");
    write(&at, "CLAUDE.md", "Use pnpm.\n");
    git(&at, &["init", "-q"]);
    // A session that starts there has settings of its own.
    let missing = "The style is in @docs/style.md here.\n";
    write(&at, "api/CLAUDE.md", missing);
    write(
        &at,
        "api/.claude/settings.json",
        "{\"claudeMdExcludes\": [\"**/none\"]}",
    );
    // The comment hides something in one session, so it is not unused.
    write(
        &at,
        "web/CLAUDE.md",
        "<!-- outcrop-ignore L101 made later -->\nSee @docs/made.md here.\n",
    );
    write(
        &at,
        "web/.claude/settings.json",
        "{\"claudeMdExcludes\": [\"**/none\"]}",
    );
    let output = command(&at.join("api"), &["--all"]).output().unwrap();
    let told = told(&output);
    assert!(told.contains("L101"), "{told}");
    assert!(!told.contains("L902"), "{told}");
    assert_eq!(
        told.matches("L101").count(),
        1,
        "what two sessions find is told once: {told}"
    );
}

#[test]
fn no_session_starts_where_settings_are_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("repo");
    write(&at, "CLAUDE.md", "@AGENTS.md\n");
    write(&at, "AGENTS.md", "Use pnpm.\n");
    git(&at, &["init", "-q"]);
    // A session there would take the import of the root for an external one, and the settings for broken.
    write(&at, "samples/shop/.claude/settings.json", "no settings");
    let seen = |at: &Path| {
        let output = command(at, &["--all"]).output().unwrap();
        (output.status.code(), told(&output))
    };
    let (_, before) = seen(&at);
    assert!(
        before.contains("L102") && before.contains("settings are not JSON"),
        "{before}"
    );
    write(&at, "outcrop.toml", "[lint]\nignore = [\"/samples/\"]\n");
    let (code, after) = seen(&at);
    assert_eq!(code, Some(0));
    assert_eq!(after, "nothing is wrong in 2 files\n");
}

#[test]
fn files_of_folders_above_are_named_from_here() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().canonicalize().unwrap().join("repo");
    write(&at, "CLAUDE.md", "@../house.md\n");
    write(&at, "../house.md", "Write British English.\n");
    let output = command(&at, &[]).output().unwrap();
    let told = told(&output);
    assert!(
        told.starts_with("CLAUDE.md:1:1: info[L102] `../house.md` lies outside"),
        "a message is the same in every checkout: {told}"
    );
}

/// A session below meets the same file, and must not tell of it by another name.
#[test]
fn what_several_sessions_find_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("repo");
    write(&at, ".git/HEAD", "ref: refs/heads/main\n");
    write(&at, "agents.md", "Use pnpm.\n");
    write(&at, "api/.claude/settings.json", "{}\n");
    let output = command(&at, &["--all"]).output().unwrap();
    let told = told(&output);
    let found: Vec<&str> = told.lines().filter(|line| line.contains("L117")).collect();
    let wanted =
        "agents.md:1:1: warning[L117] `agents.md` is not read: the client looks for `AGENTS.md`";
    assert_eq!(found, [wanted], "{told}");
}
