//! A baseline hides what is known, tells what is gone, and replaces no other file.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod support;

use std::fs;
use std::path::Path;
use std::process::Output;

fn lint(at: &Path, args: &[&str]) -> (Output, String) {
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
    let output = command
        .arg("--home")
        .arg(at.join("../home"))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    (output, told)
}

const MISSING: &str = "The style is in @docs/style.md here.\n";

#[test]
fn known_findings_are_not_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("repo");
    fs::create_dir_all(at.join("api")).unwrap();
    fs::write(at.join("CLAUDE.md"), MISSING).unwrap();
    fs::write(at.join("api/CLAUDE.md"), MISSING).unwrap();
    let written = lint(&at, &["--write-baseline", "known.json"]).0;
    assert_eq!(written.status.code(), Some(0), "{written:?}");
    // Lines above may come and go.
    fs::write(at.join("CLAUDE.md"), format!("Use pnpm.\n\n{MISSING}")).unwrap();
    let (output, told) = lint(&at, &["--baseline", "known.json"]);
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert_eq!(
        told,
        "nothing new is wrong in 2 files\n2 known findings are not told\n"
    );
    // The same once more is new, and what is mended is gone.
    fs::write(
        at.join("CLAUDE.md"),
        format!("{MISSING}\nLook into @docs/tests.md here.\n"),
    )
    .unwrap();
    fs::write(at.join("api/CLAUDE.md"), "Errors have codes.\n").unwrap();
    fs::write(
        at.join("outcrop.toml"),
        "[lint]\nbaseline = \"known.json\"\n",
    )
    .unwrap();
    let (output, told) = lint(&at, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        told.contains("1 known finding is not told\n1 known finding is gone"),
        "{told}"
    );
    assert!(
        told.contains("docs/tests.md") && !told.contains("docs/style.md"),
        "{told}"
    );
    lint(&at, &["--write-baseline", "known.json"]);
    let (output, told) = lint(&at, &[]);
    assert_eq!(output.status.code(), Some(0));
    assert!(!told.contains("gone"), "{told}");
}

#[test]
fn no_other_file_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("repo");
    fs::create_dir_all(&at).unwrap();
    fs::write(at.join("CLAUDE.md"), MISSING).unwrap();
    for text in ["mine", "{\"schema\": \"other\", \"findings\": []}"] {
        fs::write(at.join("mine.json"), text).unwrap();
        let output = lint(&at, &["--write-baseline", "mine.json"]).0;
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(fs::read_to_string(at.join("mine.json")).unwrap(), text);
        let output = lint(&at, &["--baseline", "mine.json"]).0;
        assert_eq!(output.status.code(), Some(2));
    }
}

/// What a named file says of files counts from its own folder, and the one of the directory does not count.
#[test]
fn a_named_configuration_has_its_own_folder() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("repo");
    fs::create_dir_all(at.join("team")).unwrap();
    fs::write(at.join("CLAUDE.md"), MISSING).unwrap();
    let named = "[lint]\nbaseline = \"known.json\"\n";
    fs::write(at.join("team/lint.toml"), named).unwrap();
    let off = "[lint]\nrules = { L101 = \"off\" }\n";
    fs::write(at.join("outcrop.toml"), off).unwrap();
    assert_eq!(lint(&at, &[]).0.status.code(), Some(0));
    let isolated = lint(&at, &["--isolated"]).1;
    assert!(isolated.contains("docs/style.md"), "{isolated}");
    let found = lint(&at, &["--config", "team/lint.toml"]).1;
    assert!(found.contains("docs/style.md"), "{found}");
    lint(&at, &["--isolated", "--write-baseline", "team/known.json"]);
    let (output, told) = lint(&at, &["--config", "team/lint.toml"]);
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(told.contains("1 known finding is not told"), "{told}");
    // Switched off, the baseline does not count either.
    assert_eq!(lint(&at, &["--isolated"]).0.status.code(), Some(1));
    let (output, _) = lint(&at, &["--isolated", "--config", "team/lint.toml"]);
    assert_eq!(output.status.code(), Some(2));
}
