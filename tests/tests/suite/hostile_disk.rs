//! What only a real file system can hold: FIFOs, devices, sparse files, names that are no UTF-8.
#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use outcrop_loader::host::{DiskHost, Host, HostError};
use outcrop_loader::limits;
use outcrop_loader::origin::Origin;
use outcrop_loader::record::Reason;
use outcrop_loader::session::Session;
use tempfile::TempDir;

use crate::hostile::{abs, has_warning};

/// A project `p` beside a home `home` and managed files `managed`, removed at the end.
struct Tree {
    _folder: TempDir,
    root: PathBuf,
}

impl Tree {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir_all(root.join("p")).unwrap();
        Self {
            _folder: folder,
            root,
        }
    }

    fn place(&self, path: impl AsRef<Path>) -> PathBuf {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    }

    fn file(&self, path: impl AsRef<Path>, text: &str) {
        fs::write(self.place(path), text).unwrap();
    }

    fn fifo(&self, path: &str) {
        let made = Command::new("mkfifo").arg(self.place(path)).status();
        assert!(made.is_ok_and(|status| status.success()), "{path}");
    }

    /// A file of a gigabyte that costs no disk.
    fn sparse(&self, path: &str) {
        let file = fs::File::create(self.place(path)).unwrap();
        file.set_len(1 << 30).unwrap();
    }

    fn text(&self, path: &str) -> String {
        self.root.join(path).to_str().unwrap().to_owned()
    }

    fn start<'h>(&self, host: &'h DiskHost) -> Session<'h> {
        let mut origin = Origin::new(abs(&self.text("p")), abs(&self.text("home")));
        origin.managed = abs(&self.text("managed"));
        Session::start(host, origin)
    }

    fn relative(&self, path: &str) -> String {
        let rest = path
            .strip_prefix(self.root.to_str().unwrap())
            .unwrap_or(path);
        rest.trim_start_matches('/').to_owned()
    }

    fn layers(&self, session: &Session<'_>) -> Vec<String> {
        let layers = session.deliveries()[0].layers.iter();
        layers
            .map(|layer| self.relative(layer.path.as_str()))
            .collect()
    }

    /// Case and reason of the skip of `path`.
    fn skip(&self, session: &Session<'_>, path: &str) -> Option<(&'static str, Reason)> {
        let mut skips = session.deliveries()[0].skipped.iter();
        let skip = skips.find(|skip| self.relative(skip.path.as_str()) == path)?;
        Some((skip.case, skip.reason))
    }
}

/// Opening a FIFO waits for a writer that never comes, so this test ends only if none is opened.
#[test]
fn fifos_are_never_opened() {
    let tree = Tree::new();
    let name = outcrop_loader::memory::folder_name(&tree.text("p"));
    let memory = format!("home/.claude/projects/{name}/memory/MEMORY.md");
    let instructions = [
        "managed/CLAUDE.md",
        "home/.claude/CLAUDE.md",
        "p/CLAUDE.md",
        "p/.claude/CLAUDE.md",
        "p/.claude/rules/r.md",
        "p/x.md",
        &memory,
    ];
    let settings = [
        "managed/managed-settings.json",
        "managed/managed-settings.d/a.json",
        "home/.claude/settings.json",
        "home/.claude.json",
        "p/.claude/settings.json",
        "p/.claude/settings.local.json",
    ];
    for path in instructions.iter().chain(&settings) {
        tree.fifo(path);
    }
    for path in [
        "p/.git",
        "p/.gitignore",
        "p/sub/CLAUDE.md",
        "p/sub/.gitignore",
    ] {
        tree.fifo(path);
    }
    tree.file("p/CLAUDE.local.md", "L @x.md @sub/CLAUDE.md");
    let host = DiskHost::new();
    let mut session = tree.start(&host);
    assert_eq!(tree.layers(&session), ["p/CLAUDE.local.md"]);
    for path in instructions {
        let found = tree.skip(&session, path);
        assert_eq!(
            found.map(|found| found.1),
            Some(Reason::Unreadable),
            "{path}"
        );
    }
    for path in settings {
        assert!(
            has_warning(&session, &tree.text(path), "is not a regular file"),
            "{path}"
        );
    }
    let read = abs(&tree.text("p/sub/CLAUDE.md"));
    assert!(session.read(&read).layers.is_empty());
    assert!(!session.waiting().truncated);
    assert_eq!(host.read(&read, 10), Err(HostError::Special));
}

#[test]
fn devices_are_never_opened() {
    let tree = Tree::new();
    symlink("/dev/zero", tree.place("p/CLAUDE.md")).unwrap();
    symlink("/dev/zero", tree.place("p/x.md")).unwrap();
    symlink("/dev/null", tree.place("p/.claude/rules/r.md")).unwrap();
    tree.file("p/CLAUDE.local.md", "L @x.md @/dev/zero @/dev/fd");
    let host = DiskHost::new();
    let session = tree.start(&host);
    assert_eq!(tree.layers(&session), ["p/CLAUDE.local.md"]);
    for path in ["p/CLAUDE.md", "p/x.md"] {
        assert_eq!(
            tree.skip(&session, path),
            Some(("special-file", Reason::Unreadable))
        );
    }
    assert!(tree.skip(&session, "p/.claude/rules/r.md").is_some());
}

#[test]
fn a_gigabyte_is_not_read() {
    let tree = Tree::new();
    for path in [
        "p/CLAUDE.md",
        "p/big.md",
        "p/.claude/rules/r.md",
        "p/.claude/settings.json",
    ] {
        tree.sparse(path);
    }
    tree.file("p/CLAUDE.local.md", "L @big.md");
    let host = DiskHost::new();
    let session = tree.start(&host);
    assert_eq!(tree.layers(&session), ["p/CLAUDE.local.md"]);
    for path in ["p/CLAUDE.md", "p/big.md", "p/.claude/rules/r.md"] {
        assert_eq!(
            tree.skip(&session, path),
            Some(("too-large", Reason::TooLarge)),
            "{path}"
        );
        assert!(
            has_warning(&session, &tree.text(path), "more than the bound"),
            "{path}"
        );
    }
    assert!(has_warning(
        &session,
        &tree.text("p/.claude/settings.json"),
        "more than the bound"
    ));
}

#[test]
fn loops_of_links_end() {
    let tree = Tree::new();
    for (path, target) in [
        ("p/CLAUDE.md", "CLAUDE.md"),
        ("p/.claude/CLAUDE.md", "../sub/CLAUDE.md"),
        ("p/sub/CLAUDE.md", "../.claude/CLAUDE.md"),
        ("p/.claude/rules/self", "."),
        ("p/.claude/rules/up", "../rules"),
        ("p/.claude/rules/loop.md", "loop.md"),
        ("p/sub/again", ".."),
        ("p/.gitignore", ".gitignore"),
        ("home/.claude", "../home/.claude"),
        ("managed", "managed"),
    ] {
        symlink(target, tree.place(path)).unwrap();
    }
    tree.file("p/.claude/rules/r.md", "R @../../sub/again/sub/again/x.md");
    tree.file("p/x.md", "X");
    let host = DiskHost::new();
    let mut session = tree.start(&host);
    let found = tree.layers(&session);
    assert_eq!(
        found,
        ["p/.claude/rules/r.md", "p/sub/again/sub/again/x.md"]
    );
    let dangling = Some(("dangling-link", Reason::Missing));
    assert_eq!(tree.skip(&session, "p/.claude/rules/loop.md"), dangling);
    session.read(&abs(&tree.text("p/sub/again/sub/x.md")));
    assert!(session.waiting().files.len() < 3);
}

#[test]
fn names_that_are_no_utf8_are_passed_over() {
    let tree = Tree::new();
    let odd = |before: &str, after: &str| {
        let bytes = [before.as_bytes(), b"\xFF", after.as_bytes()].concat();
        PathBuf::from(OsStr::from_bytes(&bytes))
    };
    // Some file systems refuse such names; then there is nothing to pass over.
    if fs::write(tree.root.join(odd("probe", "")), "").is_ok() {
        tree.file(odd("p/.claude/rules/", ".md"), "O");
        tree.file(odd("p/.claude/rules/", "/in.md"), "O");
        tree.file(odd("p/", "/CLAUDE.md"), "O");
        tree.file(odd("managed/managed-settings.d/", ".json"), "{}");
    }
    tree.file("p/.claude/rules/r.md", "R");
    tree.file("p/sub/CLAUDE.md", "S");
    let host = DiskHost::new();
    let session = tree.start(&host);
    assert_eq!(tree.layers(&session), ["p/.claude/rules/r.md"]);
    let waiting = session.waiting();
    let waiting: Vec<_> = waiting
        .files
        .iter()
        .map(|file| file.path.as_str())
        .collect();
    assert_eq!(waiting, [tree.text("p/sub/CLAUDE.md")]);
}

/// The super user may read everything; what is refused to others is a skip.
#[test]
fn what_the_system_refuses_is_a_skip() {
    let tree = Tree::new();
    let closed = fs::Permissions::from_mode(0o000);
    for path in ["p/CLAUDE.md", "p/x.md", "p/.claude/rules/r.md"] {
        tree.file(path, "C");
        fs::set_permissions(tree.place(path), closed.clone()).unwrap();
    }
    tree.file("p/sub/CLAUDE.md", "S");
    fs::set_permissions(tree.root.join("p/sub"), closed).unwrap();
    tree.file("p/CLAUDE.local.md", "L @x.md @sub/CLAUDE.md");
    let readable = fs::read(tree.root.join("p/CLAUDE.md")).is_ok();
    let host = DiskHost::new();
    let session = tree.start(&host);
    let found = tree.layers(&session);
    let open = fs::Permissions::from_mode(0o700);
    fs::set_permissions(tree.root.join("p/sub"), open).unwrap();
    for path in [
        "p/CLAUDE.md",
        "p/x.md",
        "p/.claude/rules/r.md",
        "p/sub/CLAUDE.md",
    ] {
        let delivered = found.iter().any(|layer| layer == path);
        let skip = tree.skip(&session, path).map(|skip| skip.1);
        assert_eq!(delivered, readable, "{path}");
        assert_eq!(skip, (!readable).then_some(Reason::Unreadable), "{path}");
    }
}

#[test]
fn rules_a_hundred_folders_deep_are_cut_with_a_warning() {
    let tree = Tree::new();
    let mut folder = PathBuf::from("p/.claude/rules");
    for _ in 0..100 {
        tree.file(folder.join("r.md"), "R");
        folder.push("d");
    }
    let host = DiskHost::new();
    let session = tree.start(&host);
    assert_eq!(tree.layers(&session).len(), limits::RULES_DEPTH + 1);
    assert!(has_warning(
        &session,
        &tree.text("p/.claude/rules"),
        "folders deep"
    ));
}

/// As deep as a path can be: the system refuses a longer name, and no stack is exhausted.
#[test]
fn a_tree_as_deep_as_paths_can_be_is_searched() {
    let tree = Tree::new();
    let levels = (4_000 - tree.text("p").len()) / 2;
    let deep = tree.root.join("p").join("d/".repeat(levels.min(1_900)));
    if fs::create_dir_all(&deep).is_err() {
        fs::create_dir_all(tree.root.join("p/d")).unwrap();
    }
    tree.file("p/d/CLAUDE.md", "D");
    tree.file("p/CLAUDE.md", &format!("C @{}x.md", "d/".repeat(3_000)));
    let host = DiskHost::new();
    let session = tree.start(&host);
    assert_eq!(tree.layers(&session), ["p/CLAUDE.md"]);
    assert_eq!(session.deliveries()[0].skipped.len(), 1);
    let waiting = session.waiting();
    assert_eq!(waiting.files.len(), 1);
}
