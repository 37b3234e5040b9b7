//! Trees that mean harm: they end soon, lose nothing else, and say what was left out.

use std::fmt::Write as _;

use outcrop_loader::host::MemoryHost;
use outcrop_loader::origin::Origin;
use outcrop_loader::path::AbsPath;
use outcrop_loader::record::Reason;
use outcrop_loader::session::Session;

fn abs(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

fn start(host: &MemoryHost) -> Session<'_> {
    let mut origin = Origin::new(abs("/p"), abs("/h"));
    origin.managed = abs("/m");
    Session::start(host, origin)
}

fn layers(session: &Session<'_>) -> Vec<String> {
    let layers = session
        .deliveries()
        .iter()
        .flat_map(|delivery| &delivery.layers);
    layers.map(|layer| layer.path.to_string()).collect()
}

fn reasons(session: &Session<'_>) -> Vec<(String, Reason)> {
    let skips = session
        .deliveries()
        .iter()
        .flat_map(|delivery| &delivery.skipped);
    skips
        .map(|skip| (skip.path.to_string(), skip.reason))
        .collect()
}

#[test]
fn a_hundred_thousand_imports_end_with_a_diagnostic() {
    let mut text = String::new();
    for n in 0..100_000 {
        let _ = writeln!(text, "@gone{n}.md");
    }
    let mut host = MemoryHost::new();
    host.file(&abs("/p/CLAUDE.md"), text.into_bytes());
    host.file(&abs("/p/CLAUDE.local.md"), *b"local");
    let session = start(&host);
    assert!(
        session
            .diagnostics()
            .iter()
            .any(|d| d.message.contains("more than 50000"))
    );
    assert_eq!(layers(&session), ["/p/CLAUDE.md"]);
}

#[test]
fn loops_of_links_end() {
    let mut host = MemoryHost::new();
    host.file(&abs("/p/CLAUDE.md"), *b"text @a.md @b/x.md");
    host.link(&abs("/p/a.md"), "a.md");
    host.link(&abs("/p/b"), "c");
    host.link(&abs("/p/c"), "b");
    host.link(&abs("/p/.claude/rules/again"), "..");
    host.link(&abs("/p/.claude/rules/up"), "/");
    host.file(&abs("/p/.claude/rules/r.md"), *b"rule");
    let session = start(&host);
    let mut found = layers(&session);
    found.sort();
    assert_eq!(found, ["/p/.claude/rules/r.md", "/p/CLAUDE.md"]);
}

#[test]
fn special_and_unreadable_files_are_skips() {
    let mut host = MemoryHost::new();
    host.special(&abs("/p/CLAUDE.md"));
    host.unreadable(&abs("/p/CLAUDE.local.md"));
    host.dir(&abs("/p/.claude/CLAUDE.md"));
    host.special(&abs("/p/.claude/rules/fifo.md"));
    host.file(&abs("/p/.claude/rules/r.md"), *b"rule");
    let session = start(&host);
    assert_eq!(layers(&session), ["/p/.claude/rules/r.md"]);
    let reasons = reasons(&session);
    for (path, reason) in [
        ("/p/CLAUDE.md", Reason::Unreadable),
        ("/p/CLAUDE.local.md", Reason::Unreadable),
        ("/p/.claude/CLAUDE.md", Reason::Directory),
        ("/p/.claude/rules/fifo.md", Reason::Unreadable),
    ] {
        assert!(
            reasons.contains(&(path.to_owned(), reason)),
            "{path}: {reasons:?}"
        );
    }
}

#[test]
fn deep_directories_and_long_chains_end() {
    let mut host = MemoryHost::new();
    let mut rules = abs("/p/.claude/rules");
    for n in 0..100 {
        rules = rules.child(&format!("d{n}"));
    }
    host.file(&rules.child("deep.md"), *b"deep");
    for n in 0..10_000 {
        let text = format!("@c{}.md", n + 1);
        host.file(&abs(&format!("/p/c{n}.md")), text.into_bytes());
    }
    host.file(&abs("/p/CLAUDE.md"), *b"@c0.md");
    let session = start(&host);
    assert_eq!(layers(&session).len(), 5);
    assert!(
        session
            .diagnostics()
            .iter()
            .any(|d| d.message.contains("folders deep"))
    );
    let mut deep = abs("/p");
    for n in 0..200 {
        deep = deep.child(&format!("x{n}"));
    }
    host.file(&deep.child("CLAUDE.md"), *b"bottom");
    let mut origin = Origin::new(deep, abs("/h"));
    origin.managed = abs("/m");
    assert!(layers(&Session::start(&host, origin)).len() > 1);
}

#[test]
fn hostile_markdown_ends() {
    for unit in [
        "> ", "- ", "[", "*", "`", "<!--", "![](", "_a", "\\", "<a ", "1. ",
    ] {
        let mut host = MemoryHost::new();
        let text = format!("@x.md\n\n{}", unit.repeat(20_000));
        host.file(&abs("/p/CLAUDE.md"), text.into_bytes());
        host.file(&abs("/p/x.md"), *b"x");
        assert_eq!(layers(&start(&host)), ["/p/CLAUDE.md", "/p/x.md"], "{unit}");
    }
}

#[test]
fn broken_settings_lose_nothing_else() {
    for broken in [
        "{",
        "[]",
        "{\"claudeMdExcludes\": 5}",
        "nonsense",
        "{\"a\": }",
        "\u{FEFF}{]",
    ] {
        let mut host = MemoryHost::new();
        host.file(&abs("/p/CLAUDE.md"), *b"text");
        host.file(&abs("/p/.claude/settings.json"), broken.as_bytes());
        let user = br#"{ "claudeMdExcludes": ["**/CLAUDE.local.md"] }"#;
        host.file(&abs("/h/.claude/settings.json"), *user);
        host.file(&abs("/p/CLAUDE.local.md"), *b"local");
        host.file(&abs("/h/.claude.json"), *b"{\"projects\": [}");
        let session = start(&host);
        assert_eq!(layers(&session), ["/p/CLAUDE.md"], "{broken}");
        let placed = session.diagnostics().iter().filter(|d| d.line.is_some());
        assert_eq!(placed.count(), 2, "{broken}: {:?}", session.diagnostics());
    }
}

#[test]
fn odd_git_files_are_no_repository_trouble() {
    for text in [
        "",
        "gitdir:",
        "gitdir: \0",
        "nonsense",
        "gitdir: ../../../../..",
    ] {
        let mut host = MemoryHost::new();
        host.file(&abs("/p/.git"), text.as_bytes());
        host.file(&abs("/p/CLAUDE.md"), *b"text");
        assert_eq!(layers(&start(&host)), ["/p/CLAUDE.md"], "{text:?}");
    }
}

#[cfg(unix)]
mod on_disk {
    use std::fs;
    use std::os::unix::ffi::OsStrExt;
    use std::process::Command;

    use outcrop_loader::host::{DiskHost, Host, HostError};

    use super::{Origin, Reason, Session, abs};

    #[test]
    fn fifos_large_files_and_odd_names() {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        let rules = root.join(".claude/rules");
        fs::create_dir_all(&rules).unwrap();
        fs::write(root.join("CLAUDE.md"), "text @big.md @fifo.md").unwrap();
        // A sparse file of a gigabyte costs no disk.
        fs::File::create(root.join("big.md"))
            .unwrap()
            .set_len(1 << 30)
            .unwrap();
        let made = Command::new("mkfifo").arg(root.join("fifo.md")).status();
        assert!(made.is_ok_and(|status| status.success()));
        let odd = std::ffi::OsStr::from_bytes(b"odd\xFF.md");
        fs::write(rules.join(odd), "odd").unwrap();
        fs::write(rules.join("r.md"), "rule").unwrap();
        let root = abs(root.to_str().unwrap());
        let host = DiskHost::new();
        let mut origin = Origin::new(root.clone(), root.child("home"));
        origin.managed = root.child("managed");
        let session = Session::start(&host, origin);
        let delivery = &session.deliveries()[0];
        assert_eq!(delivery.layers.len(), 2);
        let reason = |name: &str| {
            let mut skips = delivery.skipped.iter();
            skips
                .find(|skip| skip.path.file_name().starts_with(name))
                .map(|skip| skip.reason)
        };
        assert_eq!(reason("big.md"), Some(Reason::TooLarge));
        assert_eq!(reason("fifo.md"), Some(Reason::Unreadable));
        assert_eq!(reason("odd"), Some(Reason::Unreadable));
        assert_eq!(
            host.read(&root.child("fifo.md"), 10),
            Err(HostError::Special)
        );
    }
}
