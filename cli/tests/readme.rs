//! The commands of README and what they print; `TRYCMD=overwrite cargo test -p outcrop` rewrites it.
#![cfg(unix)]

mod cases;

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn readme() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let readme = root.join("README.md");
    let text = fs::read_to_string(&readme).unwrap();
    // A reader makes a copy of the samples first, and so does the test, with the line that stands there.
    let mut lines = text.lines();
    let copying = lines.find(|line| line.starts_with("cd \"$(mktemp -d)\" && "));
    let folder = tempfile::tempdir().unwrap();
    let mut shell = Command::new("sh");
    shell
        .arg("-c")
        .arg(format!("{} && pwd", copying.unwrap()))
        .current_dir(root)
        .env("TMPDIR", folder.path());
    let output = shell.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let copy = String::from_utf8(output.stdout).unwrap();
    std::env::set_current_dir(copy.trim_end()).unwrap();
    cases::quiet().case(readme);
}
