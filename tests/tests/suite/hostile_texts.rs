//! Files whose text is broken, or made to break a reader.

use outcrop_loader::document::Document;
use outcrop_loader::host::MemoryHost;
use outcrop_loader::record::Reason;

use crate::hostile::{abs, has_warning, layers, skips, start};

/// A broken file says where, and takes nothing from the others with it.
#[test]
fn broken_settings_lose_nothing_else() {
    let deep = "[".repeat(200_000);
    let deep_objects = "{\"a\":".repeat(200_000);
    let forms: [(&str, Option<(u32, u32)>); 19] = [
        ("{", None),
        ("[]", Some((1, 1))),
        ("null", Some((1, 1))),
        ("1", Some((1, 1))),
        ("\"x\"", Some((1, 1))),
        ("{\n  \"claudeMdExcludes\": \"**\"\n}", Some((2, 3))),
        ("{\"claudeMdExcludes\": [1]}", Some((1, 2))),
        ("{\"claudeMdExcludes\": [\"**\", null]}", Some((1, 2))),
        ("{\"claudeMdExcludes\": [\"**\"}", None),
        ("{\"claudeMdExcludes\": [\"**\"] \"x\": 1}", None),
        ("{'claudeMdExcludes': ['**'", None),
        ("{\"claudeMdExcludes\": [\"**\"]}}", None),
        ("{\"claudeMdExcludes\": [\"**\"]} x", None),
        ("\u{FEFF}{\n\"a\" 1}", None),
        ("{\"a\": \"\\u12\"}", None),
        ("{\"a\": \"x\ny\", \"claudeMdExcludes\": [\"**\"]", None),
        ("<<<<<<< HEAD\n{}\n", Some((1, 1))),
        (&deep, None),
        (&deep_objects, None),
    ];
    for (text, place) in forms {
        let mut host = MemoryHost::new();
        let broken = "/p/.claude/settings.json";
        host.file(&abs(broken), text.as_bytes().to_vec());
        let whole = r#"{"claudeMdExcludes": ["**/x.md"], "unknown": {"a": [1]}}"#;
        host.file(
            &abs("/p/.claude/settings.local.json"),
            whole.as_bytes().to_vec(),
        );
        host.file(&abs("/p/CLAUDE.md"), *b"C @x.md");
        host.file(&abs("/p/x.md"), *b"X");
        let session = start(&host, "/p");
        let shown: String = text.chars().take(60).collect();
        assert_eq!(layers(&session, 0), ["/p/CLAUDE.md"], "{shown}");
        assert_eq!(
            skips(&session),
            [(Reason::Excluded, "/p/x.md".to_owned())],
            "{shown}"
        );
        let mut said = session.diagnostics().iter();
        let found = said.find(|found| found.path.as_ref().is_some_and(|p| p.as_str() == broken));
        let found = found.unwrap_or_else(|| panic!("no diagnostic for {shown}"));
        let at = found.line.zip(found.column);
        assert!(at.is_some(), "{shown}: {found:?}");
        assert!(place.is_none() || at == place, "{shown}: {found:?}");
    }
}

#[test]
fn a_broken_state_file_approves_nothing() {
    let deep = format!("{{\"projects\": {}", "[".repeat(200_000));
    let forms = [
        "",
        "{",
        "[]",
        "null",
        "{\"projects\": 1}",
        "{\"projects\": {\"/p\": 1}}",
        "\u{0}",
        &deep,
        "{\"projects\": {\"/p\": {\"hasClaudeMdExternalIncludesApproved\": \"true\"}}}",
        "{\"projects\": {\"/p\": {\"hasClaudeMdExternalIncludesApproved\": true}}",
    ];
    for text in forms {
        let mut host = MemoryHost::new();
        host.file(&abs("/home/.claude.json"), text.as_bytes().to_vec());
        host.file(&abs("/p/CLAUDE.md"), *b"C @../o.md");
        host.file(&abs("/o.md"), *b"O");
        let session = start(&host, "/p");
        let shown: String = text.chars().take(60).collect();
        assert_eq!(layers(&session, 0), ["/p/CLAUDE.md"], "{shown}");
        assert_eq!(skips(&session)[0].0, Reason::ExternalNotApproved, "{shown}");
        let parses = serde_json::from_str::<serde_json::Value>(text).is_ok_and(|v| v.is_object());
        let said = has_warning(&session, "/home/.claude.json", "state file");
        assert!(said || parses, "{shown}");
    }
}

#[test]
fn garbage_in_a_git_pointer_makes_an_ordinary_root() {
    let forms: [&[u8]; 9] = [
        b"",
        b"\xFF\xFE\x00",
        b"gitdir:",
        b"gitdir: ",
        b"gitdir: /nowhere/at/all",
        b"gitdir: ../../../../../../..",
        b"gitdir: .git",
        b"gitdir: \0",
        b"worktree: x\ngitdir: y\n",
    ];
    for text in forms {
        let mut host = MemoryHost::new();
        host.file(&abs("/m/p/.git"), text.to_vec());
        host.file(&abs("/m/CLAUDE.md"), *b"M");
        host.file(&abs("/m/p/CLAUDE.md"), *b"C");
        let session = start(&host, "/m/p");
        assert_eq!(layers(&session, 0), ["/m/CLAUDE.md", "/m/p/CLAUDE.md"]);
        assert_eq!(
            session.git().unwrap().main_checkout,
            abs("/m/p"),
            "{text:?}"
        );
    }
}

/// Markdown, YAML and globs that make a naive reader quadratic, exponential or recursive.
#[test]
fn texts_made_against_readers_end() {
    let aliases: String = (1..60)
        .map(|n| format!("a{n}: &a{n} [*a{m}, *a{m}]\n", m = n - 1))
        .collect();
    let bodies = [
        ">".repeat(50_000),
        "- ".repeat(5_000),
        "* a\n".repeat(20_000),
        "[".repeat(50_000),
        "![".repeat(50_000),
        "*a **a ".repeat(20_000),
        "`".repeat(50_000),
        "<!--".repeat(50_000),
        "<!-- -->\n".repeat(20_000),
        "@".repeat(100_000),
        "@a@".repeat(50_000),
        "\\@a ".repeat(50_000),
        "&amp;".repeat(50_000),
        "[a]: b\n".repeat(20_000),
        format!("---\npaths: {}\n---\n", "[".repeat(50_000)),
        format!("---\npaths: \"{}\"\n---\n", "{a,b}".repeat(60)),
        format!("---\npaths: \"{}\"\n---\n", "**/".repeat(5_000)),
        format!("---\npaths: \"{}x\"\n---\n", "*a".repeat(200)),
        format!("---\na0: &a0 x\n{aliases}paths: *a59\n---\n"),
        format!("---\n{}\n---\n", "x: ".repeat(20_000)),
        format!("---\n{}\n---\n", "\t- x:\n".repeat(20_000)),
        format!("---\n{}", "-".repeat(100_000)),
        format!("---\r{}", "\r---".repeat(20_000)),
    ];
    for body in bodies {
        let mut host = MemoryHost::new();
        let text = format!("{body}\nEND");
        host.file(&abs("/p/.claude/rules/r.md"), text.clone().into_bytes());
        host.file(&abs("/p/CLAUDE.md"), text.clone().into_bytes());
        let mut session = start(&host, "/p");
        session.read(&abs(&format!("/p/{}", "a/".repeat(5))));
        let all = session
            .deliveries()
            .iter()
            .flat_map(|delivery| &delivery.layers);
        let claude = all
            .into_iter()
            .find(|layer| layer.path.as_str() == "/p/CLAUDE.md");
        let shown: String = body.chars().take(20).collect();
        assert!(claude.unwrap().text.ends_with("END"), "{shown}");
        let behaviour = outcrop_loader::client::Client::newest().behaviour;
        let document = Document::read(text.as_bytes(), &behaviour);
        assert!(document.text.len() <= text.len());
    }
}

#[test]
fn patterns_made_against_matchers_end() {
    let patterns = [
        "*".repeat(10_000),
        "**/".repeat(3_000),
        "{".repeat(5_000),
        "!(".repeat(5_000),
        format!("{}x", "*(a|b)".repeat(200)),
        format!("/{}", "?(*a)".repeat(100)),
        "[".repeat(70_000),
    ];
    let list: Vec<String> = patterns
        .iter()
        .map(|pattern| format!("{pattern:?}"))
        .collect();
    let mut host = MemoryHost::new();
    let text = format!("{{\"claudeMdExcludes\": [{}]}}", list.join(","));
    host.file(&abs("/p/.claude/settings.json"), text.into_bytes());
    let folder = abs(&format!("/p/{}", "a".repeat(200)));
    host.file(&folder.child("CLAUDE.md"), *b"C");
    let session = start(&host, folder.as_str());
    let found = &session.deliveries()[0];
    assert_eq!(found.layers.len() + found.skipped.len(), 1);
}
