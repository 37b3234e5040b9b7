//! Trees in memory that are made to break a loader: it must end, and say what it left out.
//! Texts are in `hostile_texts`; what only a real file system can hold is in `hostile_disk`.

use std::sync::Arc;

use outcrop_loader::host::MemoryHost;
use outcrop_loader::limits;
use outcrop_loader::origin::{Origin, Platform};
use outcrop_loader::path::AbsPath;
use outcrop_loader::record::{Reason, Scope};
use outcrop_loader::session::Session;

pub(crate) fn abs(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

fn origin(cwd: &str) -> Origin {
    let mut origin = Origin::new(abs(cwd), abs("/home"));
    origin.platform = Platform::Linux;
    origin.managed = abs("/managed");
    origin
}

pub(crate) fn start<'h>(host: &'h MemoryHost, cwd: &str) -> Session<'h> {
    Session::start(host, origin(cwd))
}

/// Paths delivered by the `at`-th delivery.
pub(crate) fn layers(session: &Session<'_>, at: usize) -> Vec<String> {
    let layers = session.deliveries()[at].layers.iter();
    layers.map(|layer| layer.path.to_string()).collect()
}

/// Reason and path of what the start left out.
pub(crate) fn skips(session: &Session<'_>) -> Vec<(Reason, String)> {
    let skips = session.deliveries()[0].skipped.iter();
    skips
        .map(|skip| (skip.reason, skip.path.to_string()))
        .collect()
}

pub(crate) fn has_warning(session: &Session<'_>, path: &str, part: &str) -> bool {
    session.diagnostics().iter().any(|diagnostic| {
        let about = diagnostic.path.as_ref().map_or("", AbsPath::as_str);
        about == path && diagnostic.message.contains(part)
    })
}

/// Each of three shapes once made some step look at everything before it.
#[test]
fn a_hundred_thousand_imports_stop_at_the_bound() {
    for separator in ["\n", " ", "\n- "] {
        let names: Vec<String> = (0..100_000).map(|n| format!("@f{n}.md")).collect();
        let mut host = MemoryHost::new();
        let text = format!("- {}", names.join(separator));
        host.file(&abs("/p/CLAUDE.md"), text.into_bytes());
        host.file(&abs("/p/f0.md"), *b"F0");
        let session = start(&host, "/p");
        assert_eq!(layers(&session, 0), ["/p/CLAUDE.md", "/p/f0.md"]);
        let missing = skips(&session).len();
        assert!((limits::CANDIDATES - 10..limits::CANDIDATES).contains(&missing));
        let said = session.diagnostics().iter().filter(|diagnostic| {
            diagnostic
                .message
                .contains("files and references were considered")
        });
        assert_eq!(said.count(), 1, "{separator:?}");
    }
}

/// A reference may be as long as its file, and each folder of it could be one too many.
#[test]
fn a_reference_of_a_million_characters_is_one_skip() {
    let mut host = MemoryHost::new();
    let text = format!("@{}x.md {}", "a/".repeat(500_000), "b ".repeat(500_000));
    host.file(&abs("/p/CLAUDE.md"), text.into_bytes());
    let session = start(&host, "/p");
    assert_eq!(skips(&session).len(), 1);
    assert_eq!(skips(&session)[0].0, Reason::Missing);
}

#[test]
fn a_hundred_thousand_files_stop_at_the_bound() {
    let mut host = MemoryHost::new();
    let mut text = String::new();
    for n in 0..limits::CANDIDATES {
        let rule = if n % 50 == 0 {
            "---\npaths: x\n---\nR"
        } else {
            "R"
        };
        host.file(&abs(&format!("/p/.claude/rules/{n}.md")), rule.as_bytes());
        host.file(&abs(&format!("/p/d/{n}.md")), *b"D");
        text.push_str(&format!("@d/{n}.md\n"));
    }
    host.file(&abs("/p/CLAUDE.md"), text.into_bytes());
    let mut session = start(&host, "/p");
    let found = session.deliveries()[0].layers.len();
    assert!(
        (limits::CANDIDATES / 2 - 2..=limits::CANDIDATES).contains(&found),
        "{found}"
    );
    assert!(has_bound(&session));
    session.read(&abs("/p/x"));
    let waiting = session.waiting().files.len();
    assert_eq!(
        layers(&session, 1).len() + waiting,
        session.conditional_rules().count()
    );
}

fn has_bound(session: &Session<'_>) -> bool {
    let mut said = session.diagnostics().iter();
    said.any(|diagnostic| diagnostic.message.contains("were considered"))
}

#[test]
fn a_chain_of_ten_thousand_ends_after_four_hops() {
    let mut host = MemoryHost::new();
    host.file(&abs("/p/CLAUDE.md"), *b"@0.md");
    for n in 0..10_000 {
        let text = format!("@{}.md", n + 1);
        host.file(&abs(&format!("/p/{n}.md")), text.into_bytes());
    }
    let session = start(&host, "/p");
    assert_eq!(layers(&session, 0).len(), 5);
    assert_eq!(skips(&session), [(Reason::TooDeep, "/p/4.md".to_owned())]);
}

/// Every file imports every file: 40 files, 1,600 references.
#[test]
fn a_complete_graph_of_imports_ends() {
    let mut host = MemoryHost::new();
    let all: String = (0..40).map(|n| format!("@{n}.md\n")).collect();
    for n in 0..40 {
        host.file(&abs(&format!("/p/{n}.md")), all.clone().into_bytes());
    }
    host.file(&abs("/p/CLAUDE.md"), all.into_bytes());
    let session = start(&host, "/p");
    assert_eq!(layers(&session, 0).len(), 41);
    let cycles = skips(&session);
    assert!(cycles.iter().any(|(reason, _)| *reason == Reason::Cycle));
    assert_eq!(outcrop_loader::graph::ImportGraph::of(&session).cycles(), 1);
}

fn levels(count: usize) -> Vec<String> {
    let mut folders = vec!["/d".to_owned()];
    for _ in 1..count {
        folders.push(format!("{}/d", folders[folders.len() - 1]));
    }
    folders
}

#[test]
fn three_hundred_levels_of_directories_load_above_and_below() {
    let mut host = MemoryHost::new();
    let folders = levels(300);
    for folder in &folders {
        host.file(&abs(folder).child("CLAUDE.md"), *b"L");
    }
    let bottom = folders.last().unwrap();
    assert_eq!(layers(&start(&host, bottom), 0).len(), 300);
    let mut session = start(&host, "/d");
    assert_eq!(session.waiting().files.len(), 299);
    let read = abs(bottom).child("x.rs");
    session.read(&read);
    assert_eq!(layers(&session, 1).len(), 299);
}

/// Deeper than any disk allows, and than a search may recurse.
#[test]
fn three_thousand_levels_do_not_exhaust_the_stack() {
    let mut host = MemoryHost::new();
    let folders = levels(3_000);
    for folder in &folders {
        host.dir(&abs(folder));
    }
    host.file(&abs(folders.last().unwrap()).child("CLAUDE.md"), *b"L");
    let session = start(&host, "/d");
    assert!(session.waiting().truncated);
}

#[test]
fn rules_a_hundred_folders_deep_are_cut_with_a_warning() {
    let mut host = MemoryHost::new();
    let mut folder = abs("/p/.claude/rules");
    for _ in 0..100 {
        host.file(&folder.child("r.md"), *b"R");
        folder = folder.child("d");
    }
    let session = start(&host, "/p");
    assert_eq!(layers(&session, 0).len(), limits::RULES_DEPTH + 1);
    assert!(has_warning(&session, "/p/.claude/rules", "folders deep"));
}

#[test]
fn loops_of_links_end() {
    let mut host = MemoryHost::new();
    for (link, target) in [
        ("/p/CLAUDE.md", "CLAUDE.md"),
        ("/p/.claude/CLAUDE.md", "../a/b.md"),
        ("/p/a/b.md", "../.claude/CLAUDE.md"),
        ("/p/.claude/rules/self", "."),
        ("/p/.claude/rules/up", "../.."),
        ("/p/.claude/rules/loop.md", "loop.md"),
        ("/p/.claude/rules/one", "two"),
        ("/p/.claude/rules/two", "one"),
        ("/home/.claude", "../home/.claude"),
        ("/p/.git", ".git"),
        ("/p/sub", "."),
    ] {
        host.link(&abs(link), target);
    }
    host.file(
        &abs("/p/.claude/rules/r.md"),
        *b"R @../../CLAUDE.md @../../sub/sub/x.md",
    );
    host.file(&abs("/p/x.md"), *b"X");
    host.file(&abs("/p/sub2/CLAUDE.md"), *b"S");
    let mut session = start(&host, "/p/sub/sub");
    let got = layers(&session, 0);
    // Each real folder is walked once, so `up` makes rules of what lies beside `.claude` too.
    for rule in ["/p/.claude/rules/r.md", "/p/x.md", "/p/sub2/CLAUDE.md"] {
        assert!(got.iter().any(|path| path == rule), "{rule}: {got:?}");
    }
    let unique: std::collections::BTreeSet<_> = got.iter().collect();
    assert_eq!(unique.len(), got.len(), "{got:?}");
    assert!(skips(&session).contains(&(Reason::Missing, "/p/.claude/rules/loop.md".to_owned())));
    session.read(&abs("/p/sub/sub/sub2/y"));
    session.read(&abs("/p/sub2/y"));
    let again = layers(&session, 2);
    assert!(layers(&session, 1).iter().all(|path| !again.contains(path)));
    assert!(!session.waiting().truncated);
}

/// Forty links in a row are followed, more are not.
#[test]
fn long_chains_of_links_end() {
    let mut host = MemoryHost::new();
    for n in 0..200 {
        host.link(&abs(&format!("/p/l{n}")), &format!("l{}", n + 1));
    }
    host.file(&abs("/p/l200"), *b"X");
    host.file(&abs("/p/CLAUDE.md"), *b"@l199 @l0");
    let session = start(&host, "/p");
    assert_eq!(layers(&session, 0), ["/p/CLAUDE.md", "/p/l199"]);
    assert_eq!(skips(&session), [(Reason::Missing, "/p/l0".to_owned())]);
}

#[test]
fn a_directory_in_the_place_of_a_file_is_a_skip() {
    let mut host = MemoryHost::new();
    let memory = "/home/.claude/projects/-p/memory/MEMORY.md";
    for path in [
        "/p/CLAUDE.md",
        "/p/.claude/settings.json",
        "/home/.claude.json",
        memory,
    ] {
        host.dir(&abs(path));
    }
    host.file(&abs("/p/CLAUDE.local.md"), *b"L");
    let session = start(&host, "/p");
    assert_eq!(layers(&session, 0), ["/p/CLAUDE.local.md"]);
    let wanted = [
        (Reason::Directory, "/p/CLAUDE.md".to_owned()),
        (Reason::Directory, memory.to_owned()),
    ];
    assert_eq!(skips(&session), wanted);
    assert!(has_warning(
        &session,
        "/p/.claude/settings.json",
        "is a directory"
    ));
    assert!(has_warning(
        &session,
        "/home/.claude.json",
        "is a directory"
    ));
}

#[test]
fn too_large_files_are_skips_with_a_warning() {
    let mut host = MemoryHost::new();
    let size = usize::try_from(limits::FILE_BYTES).unwrap() + 1;
    let big: Arc<[u8]> = vec![b'x'; size].into();
    let memory = "/home/.claude/projects/-p/memory/MEMORY.md";
    for path in [
        "/p/CLAUDE.md",
        "/p/big.txt",
        "/p/.claude/rules/r.md",
        memory,
    ] {
        host.file(&abs(path), Arc::clone(&big));
    }
    host.file(&abs("/p/CLAUDE.local.md"), *b"L @big.txt");
    let session = start(&host, "/p");
    assert_eq!(layers(&session, 0), ["/p/CLAUDE.local.md"]);
    for path in [
        "/p/CLAUDE.md",
        "/p/big.txt",
        "/p/.claude/rules/r.md",
        memory,
    ] {
        let wanted = (Reason::TooLarge, path.to_owned());
        assert!(
            skips(&session).contains(&wanted),
            "{path}: {:?}",
            skips(&session)
        );
        assert!(has_warning(&session, path, "more than the bound"), "{path}");
    }
}

#[test]
fn special_and_unreadable_files_are_skips() {
    let files = ["/p/CLAUDE.md", "/p/x.md", "/p/.claude/rules/r.md"];
    for special in [true, false] {
        let mut host = MemoryHost::new();
        let settings = "/p/.claude/settings.json";
        for path in files.into_iter().chain([settings]) {
            if special {
                host.special(&abs(path));
            } else {
                host.unreadable(&abs(path));
            }
        }
        host.file(&abs("/p/CLAUDE.local.md"), *b"L @x.md");
        let session = start(&host, "/p");
        assert_eq!(layers(&session, 0), ["/p/CLAUDE.local.md"]);
        for path in files {
            let wanted = (Reason::Unreadable, path.to_owned());
            assert!(skips(&session).contains(&wanted), "{path}");
        }
        assert!(has_warning(&session, settings, "its settings do not count"));
    }
}

#[test]
fn a_search_stops_at_its_bound() {
    let mut host = MemoryHost::new();
    for n in 0..=limits::SEARCH_ENTRIES {
        host.dir(&abs("/p").child(&n.to_string()));
    }
    host.file(&abs("/p/CLAUDE.md"), *b"C");
    let session = start(&host, "/p");
    assert!(session.waiting().truncated);
    assert_eq!(session.deliveries()[0].layers[0].scope, Scope::Project);
}
