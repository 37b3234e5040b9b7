//! `lint --fix` changes what it may, byte for byte, and nothing else.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod support;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Output;

const UNUSED: &str = "<!-- outcrop-ignore L101 made later -->";

fn lint(at: &Path, args: &[&str]) -> Output {
    let mut command = support::outcrop(at);
    let home = at.join("home");
    command.arg("lint").args(args).args(["--client", "2.1.332"]);
    command.arg("--home").arg(home).arg("--managed").arg("none");
    command.output().unwrap()
}

fn write(at: &Path, name: &str, bytes: impl AsRef<[u8]>) {
    let path = at.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

#[test]
fn line_ends_marks_and_modes_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let before = format!("\u{feff}Use pnpm.\r\n\r\n{UNUSED}\r\nTests are fast.\r\nNo end");
    write(at, "repo/CLAUDE.md", &before);
    let file = at.join("repo/CLAUDE.md");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let shown = lint(at, &["repo", "--diff"]);
    assert_eq!(shown.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&shown.stdout).contains(&format!("-{UNUSED}\r\n")));
    assert_eq!(
        fs::read(&file).unwrap(),
        before.as_bytes(),
        "--diff writes nothing"
    );
    let fixed = lint(at, &["repo", "--fix"]);
    assert_eq!(fixed.status.code(), Some(0), "{fixed:?}");
    let after = "\u{feff}Use pnpm.\r\n\r\nTests are fast.\r\nNo end";
    assert_eq!(fs::read(&file).unwrap(), after.as_bytes());
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert_eq!(fs::read_dir(at.join("repo")).unwrap().count(), 1);
}

#[test]
fn what_lies_elsewhere_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let text = format!("Use pnpm.\n\n{UNUSED}\nTests are fast.\n");
    write(at, "shared/team.md", &text);
    write(at, "home/.claude/CLAUDE.md", &text);
    fs::create_dir_all(at.join("repo/api")).unwrap();
    symlink("../shared/team.md", at.join("repo/CLAUDE.md")).unwrap();
    let mut broken = text.clone().into_bytes();
    broken.extend(b"\xff\n");
    write(at, "repo/api/CLAUDE.md", &broken);
    let fixed = lint(at, &["repo", "--fix"]);
    let told = String::from_utf8_lossy(&fixed.stderr).into_owned();
    for why in [
        "it is a link to",
        "it is not UTF-8",
        "it is not what was asked for",
    ] {
        assert!(told.contains(why), "{told}");
    }
    assert_eq!(
        fs::read(at.join("shared/team.md")).unwrap(),
        text.as_bytes()
    );
    assert_eq!(fs::read(at.join("repo/api/CLAUDE.md")).unwrap(), broken);
    // A file that is named may be changed, and through its link stays one.
    let fixed = lint(at, &["repo", "repo/CLAUDE.md", "--fix"]);
    assert!(
        String::from_utf8_lossy(&fixed.stdout).contains("fixed"),
        "{fixed:?}"
    );
    assert!(at.join("repo/CLAUDE.md").is_symlink());
    let after = fs::read_to_string(at.join("shared/team.md")).unwrap();
    assert_eq!(after, "Use pnpm.\n\nTests are fast.\n");
}
