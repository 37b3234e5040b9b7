//! Properties of the loader on random worlds (design section 7).

use std::collections::BTreeSet;

use outcrop_loader::host::{Host, MemoryHost};
use outcrop_loader::origin::Origin;
use outcrop_loader::path::AbsPath;
use outcrop_loader::record::{Cause, Delivery, Scope};
use outcrop_loader::session::Session;
use proptest::prelude::*;

/// Directories of a random world; the session starts in the third.
const DIRS: [&str; 8] = [
    "/r",
    "/r/top",
    "/r/top/proj",
    "/r/top/proj/a",
    "/r/top/proj/a/b",
    "/r/top/proj/docs",
    "/r/out",
    "/r/home/.claude",
];
const CWD: &str = "/r/top/proj";
const HOME: &str = "/r/home";
const NAMES: [&str; 10] = [
    "CLAUDE.md",
    ".claude/CLAUDE.md",
    "CLAUDE.local.md",
    "AGENTS.md",
    ".claude/rules/r.md",
    ".claude/rules/s/t.md",
    "x.md",
    "y.md",
    "z.txt",
    "w.png",
];

#[derive(Clone, Debug)]
struct World {
    files: Vec<(String, String)>,
    links: Vec<(String, String)>,
    excludes: Vec<String>,
    approved: bool,
    reads: Vec<String>,
}

fn abs(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

fn place() -> impl Strategy<Value = String> {
    (0..DIRS.len(), 0..NAMES.len()).prop_map(|(dir, name)| format!("{}/{}", DIRS[dir], NAMES[name]))
}

/// A reference in one of its forms, to somewhere that may or may not be.
fn reference() -> impl Strategy<Value = String> {
    prop_oneof![
        (0..NAMES.len()).prop_map(|name| format!("@{}", NAMES[name])),
        (0..NAMES.len()).prop_map(|name| format!("@../{}", NAMES[name])),
        (0..NAMES.len()).prop_map(|name| format!("@a/{}", NAMES[name])),
        place().prop_map(|path| format!("@{path}")),
        Just("@~/.claude/x.md".to_owned()),
        Just("@gone.md".to_owned()),
        Just("@a".to_owned()),
        Just("`@x.md`".to_owned()),
        Just("<!-- @y.md -->".to_owned()),
        Just("@x.md#part, @y.md.".to_owned()),
    ]
}

fn text() -> impl Strategy<Value = String> {
    let front = prop_oneof![
        5 => Just(""),
        1 => Just("---\npaths: \"*.ts\"\n---\n"),
        1 => Just("---\npaths: [\"a/**\", \"!a/b\"]\n---\n"),
        1 => Just("---\ntitle: [\n---\n"),
    ];
    let line = prop_oneof![
        3 => "[a-z ]{0,12}",
        3 => reference(),
        1 => Just(String::new()),
        1 => Just("- item @y.md".to_owned()),
    ];
    let end = prop_oneof![Just("\n"), Just("\r\n")];
    (front, prop::collection::vec(line, 0..6), end)
        .prop_map(|(front, lines, end)| format!("{front}{}{end}", lines.join(end)))
}

fn world() -> impl Strategy<Value = World> {
    let target = prop_oneof![
        place(),
        Just("/r/top/proj".to_owned()),
        Just("loop".to_owned()),
        Just("/r/out".to_owned()),
    ];
    let excludes = prop_oneof![
        Just("**/x.md".to_owned()),
        Just("/r/top/**".to_owned()),
        Just("**/.claude/rules/**".to_owned()),
    ];
    (
        prop::collection::vec((place(), text()), 0..24),
        prop::collection::vec((place(), target), 0..3),
        prop::collection::vec(excludes, 0..2),
        any::<bool>(),
        prop::collection::vec(place(), 0..4),
    )
        .prop_map(|(files, links, excludes, approved, reads)| World {
            files,
            links,
            excludes,
            approved,
            reads,
        })
}

fn host(world: &World) -> MemoryHost {
    let mut host = MemoryHost::new();
    for dir in DIRS {
        host.dir(&abs(dir));
    }
    for (path, text) in &world.files {
        host.file(&abs(path), text.clone().into_bytes());
    }
    for (path, target) in &world.links {
        host.link(&abs(path), target);
    }
    let settings = serde_json::json!({ "claudeMdExcludes": world.excludes });
    let settings = settings.to_string().into_bytes();
    host.file(&abs("/r/home/.claude/settings.json"), settings);
    let approved = serde_json::json!({ "hasClaudeMdExternalIncludesApproved": world.approved });
    let state = serde_json::json!({ "projects": { CWD: approved } });
    host.file(&abs("/r/home/.claude.json"), state.to_string().into_bytes());
    host
}

fn run<'h>(host: &'h MemoryHost, reads: &[String]) -> Session<'h> {
    let mut origin = Origin::new(abs(CWD), abs(HOME));
    origin.managed = abs("/r/managed");
    let mut session = Session::start(host, origin);
    for read in reads {
        session.read(&abs(read));
    }
    session
}

fn shape(delivery: &Delivery) -> String {
    let layers: Vec<_> = delivery
        .layers
        .iter()
        .map(|layer| {
            (
                layer.path.clone(),
                layer.scope,
                layer.cause.clone(),
                layer.text.clone(),
            )
        })
        .collect();
    format!("{layers:?} {:?}", delivery.skipped)
}

fn shapes(session: &Session<'_>) -> Vec<String> {
    session.deliveries().iter().map(shape).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_same_world_gives_the_same_answer(world in world()) {
        let host = host(&world);
        prop_assert_eq!(shapes(&run(&host, &world.reads)), shapes(&run(&host, &world.reads)));
    }

    #[test]
    fn reads_one_by_one_are_the_reads_replayed(world in world()) {
        let host = host(&world);
        let whole = shapes(&run(&host, &world.reads));
        for count in 0..world.reads.len() {
            prop_assert_eq!(&shapes(&run(&host, &world.reads[..count]))[..], &whole[..=count]);
        }
    }

    #[test]
    fn no_file_twice_and_importers_first(world in world()) {
        let host = host(&world);
        let session = run(&host, &world.reads);
        let mut seen = BTreeSet::new();
        let conditional: BTreeSet<AbsPath> =
            session.conditional_rules().map(|(path, _)| path).collect();
        for layer in session.deliveries().iter().flat_map(|delivery| &delivery.layers) {
            let real = host.canonicalize(&layer.path).unwrap();
            prop_assert!(seen.insert(real.clone()), "{} twice", layer.path);
            if let Cause::Import(mention) = &layer.cause {
                let by = host.canonicalize(&mention.by).unwrap();
                let read = world.reads.iter().any(|read| host.canonicalize(&abs(read)) == Ok(by.clone()));
                let empty = !seen.contains(&by);
                // An importer that is empty, waits or was read by itself sends no text.
                prop_assert!(!empty || conditional.contains(&by) || read || is_silent(&host, &by));
            }
        }
    }

    #[test]
    fn each_reference_ends_once(world in world()) {
        let host = host(&world);
        let session = run(&host, &[]);
        let startup = &session.deliveries()[0];
        let layers = startup.layers.iter().filter_map(|layer| match &layer.cause {
            Cause::Import(mention) => Some((mention.by.clone(), mention.line, mention.column)),
            _ => None,
        });
        let skips = startup.skipped.iter().filter_map(|skip| {
            skip.mention.as_ref().map(|mention| (mention.by.clone(), mention.line, mention.column))
        });
        let mut seen = BTreeSet::new();
        for place in layers.chain(skips) {
            prop_assert!(seen.insert(place.clone()), "{place:?} ends twice");
        }
    }

    #[test]
    fn outer_directories_come_first(world in world()) {
        let host = host(&world);
        let session = run(&host, &[]);
        let mut deepest = 0;
        for layer in &session.deliveries()[0].layers {
            if let (Scope::Project | Scope::Local, Cause::Startup { directory: Some(directory) }) =
                (layer.scope, &layer.cause)
            {
                let depth = directory.ancestors().count();
                prop_assert!(depth >= deepest, "{} after a deeper one", layer.path);
                deepest = depth;
            }
        }
    }

    #[test]
    fn an_excluded_file_is_never_delivered(world in world()) {
        let host = host(&world);
        let session = run(&host, &world.reads);
        for layer in session.deliveries().iter().flat_map(|delivery| &delivery.layers) {
            for exclude in &world.excludes {
                let pattern = outcrop_loader::glob::ExcludePattern::new(exclude);
                prop_assert!(!pattern.is_match(layer.path.as_str()), "{} by {exclude}", layer.path);
            }
        }
    }

    #[test]
    fn an_unrelated_file_below_changes_nothing(world in world(), text in text()) {
        // A link to the whole project makes every file of it a rule.
        let whole = |target: &String| target == CWD;
        prop_assume!(!world.links.iter().any(|(_, target)| whole(target)));
        let mut host = host(&world);
        let before = shapes(&run(&host, &[]));
        host.file(&abs("/r/top/proj/unrelated/deep/CLAUDE.md"), text.into_bytes());
        prop_assert_eq!(before, shapes(&run(&host, &[])));
    }

    #[test]
    fn reads_outside_bring_nothing(world in world()) {
        let host = host(&world);
        let session = run(&host, &["/r/out/x.md".to_owned(), "/r/top/y.md".to_owned()]);
        prop_assert!(session.deliveries()[1..].iter().all(|delivery| delivery.layers.is_empty()));
    }

    #[test]
    fn delivered_lines_stand_in_the_file(world in world()) {
        let host = host(&world);
        let session = run(&host, &world.reads);
        for layer in session.deliveries().iter().flat_map(|delivery| &delivery.layers) {
            let source: Vec<&str> = layer.source.split('\n').collect();
            let lines = layer.source_lines();
            prop_assert_eq!(lines.len(), layer.text.split_inclusive('\n').count());
            for (text, line) in layer.text.split_inclusive('\n').zip(lines) {
                let there = source[usize::try_from(line).unwrap() - 1];
                let text = text.trim_end_matches(['\n', '\r']);
                prop_assert!(there.contains(text), "{text:?} is not in {there:?}");
            }
        }
    }

    #[test]
    fn any_text_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut host = MemoryHost::new();
        host.file(&abs("/p/CLAUDE.md"), bytes);
        let mut origin = Origin::new(abs("/p"), abs("/h"));
        origin.managed = abs("/m");
        let session = Session::start(&host, origin);
        prop_assert!(session.deliveries()[0].layers.len() <= 1);
    }

    #[test]
    fn any_markdown_can_be_read(text in "([-*_`~<>!\\[\\]()#@: \\\\\n\r\ta-c]|<!--|-->|---\n|é){0,80}") {
        let mut host = MemoryHost::new();
        host.file(&abs("/p/CLAUDE.md"), text.into_bytes());
        host.file(&abs("/p/a"), *b"M");
        let mut origin = Origin::new(abs("/p"), abs("/h"));
        origin.managed = abs("/m");
        let session = Session::start(&host, origin);
        for layer in &session.deliveries()[0].layers {
            prop_assert_eq!(layer.source_lines().len(), layer.text.split_inclusive('\n').count());
        }
    }
}

/// Whether nothing but blanks is left of a file.
fn is_silent(host: &MemoryHost, path: &AbsPath) -> bool {
    let bytes = host.read(path, u64::MAX).unwrap();
    let behaviour = outcrop_loader::client::Client::newest().behaviour;
    let document = outcrop_loader::document::Document::read(&bytes, &behaviour);
    document.text.trim().is_empty()
}
