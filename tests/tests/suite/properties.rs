//! Properties of the loader on random worlds (design section 7).

use outcrop_loader::client::{CHANGES, Version};
use outcrop_loader::graph::ImportGraph;
use outcrop_loader::host::{Host, MemoryHost};
use outcrop_loader::memory::{CHARACTERS, LINES};
use outcrop_loader::path::AbsPath;
use outcrop_loader::record::Cause;
use outcrop_loader::session::Session;
use outcrop_tests::case::{self, Case};
use outcrop_tests::memory::{self, ROOT};
use proptest::prelude::*;
use proptest::sample::select;

use crate::hostile::abs;
use crate::record_checks::{CHECKS, all, targets};
use crate::worlds::{config, world};

pub(crate) fn run<'h>(case: &Case, host: &'h MemoryHost) -> Session<'h> {
    memory::run(case, host, Version::NEWEST)
}

fn shapes(session: &Session<'_>) -> Vec<String> {
    let deliveries = session.deliveries().iter();
    deliveries.map(|delivery| format!("{delivery:?}")).collect()
}

/// How many deliveries come before those of the calls: the start, and a prompt's.
fn before_calls(case: &Case) -> usize {
    1 + usize::from(case.prompt.is_some())
}

/// Everything that a session has to say can be said.
fn views(session: &Session<'_>) -> String {
    let graph = ImportGraph::of(session);
    let nodes: Vec<_> = graph.nodes().collect();
    let edges: Vec<_> = graph.edges().collect();
    format!(
        "{nodes:?} {edges:?} {:?} {:?}",
        session.waiting(),
        session.diagnostics()
    )
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn the_record_holds(case in world()) {
        let host = memory::host(&case);
        let session = run(&case, &host);
        for (name, check) in CHECKS {
            check(&host, &session).map_err(|error| {
                TestCaseError::fail(format!("{name}: {error}"))
            })?;
        }
    }

    /// The same world gives the same answer, one call after another or all at once, and calls
    /// that come a second time bring nothing.
    #[test]
    fn calls_can_be_replayed(case in world()) {
        let host = memory::host(&case);
        let session = run(&case, &host);
        let whole = shapes(&session);
        prop_assert_eq!(views(&session), views(&run(&case, &host)));
        for count in 0..=case.steps.len() {
            let mut part = case.clone();
            part.steps.truncate(count);
            prop_assert_eq!(&shapes(&run(&part, &host))[..], &whole[..before_calls(&case) + count]);
        }
        let mut twice = case.clone();
        twice.steps.extend(case.steps.clone());
        for delivery in &run(&twice, &host).deliveries()[before_calls(&case) + case.steps.len()..] {
            prop_assert!(delivery.layers.is_empty(), "{:?}", delivery.layers);
        }
    }

    /// No old behaviour panics, loses a line's place, or depends on the run.
    #[test]
    fn every_version_answers(case in world(), change in select(CHANGES), before in any::<bool>()) {
        let host = memory::host(&case);
        let version = if before { Version::OLDEST } else { change.from.max(Version::OLDEST) };
        let session = memory::run(&case, &host, version);
        prop_assert_eq!(shapes(&session), shapes(&memory::run(&case, &host, version)));
        for layer in all(&session) {
            prop_assert_eq!(layer.source_lines().len(), layer.text.split_inclusive('\n').count());
        }
        prop_assert!(!views(&session).is_empty());
    }

    #[test]
    fn an_unrelated_file_below_changes_nothing(case in world()) {
        let mut host = memory::host(&case);
        let session = run(&case, &host);
        let cwd = session.cwd().clone();
        let before = shapes(&session)[0].clone();
        // A link to a folder above makes every file of it a rule.
        let encloses = |path: &String| {
            let real = host.canonicalize(&abs(ROOT).join(path));
            real.is_ok_and(|real| cwd.is_within(&real))
        };
        prop_assume!(!case.links.keys().any(encloses));
        for name in ["CLAUDE.md", ".claude/rules/r.md", "AGENTS.md"] {
            host.file(&cwd.join("unrelated/deep").join(name), *b"U @../../x.md");
        }
        prop_assert_eq!(&before, &shapes(&run(&case, &host))[0]);
    }

    /// What a call finds below was announced, unless a link leads there.
    #[test]
    fn what_enters_was_waiting(case in world()) {
        let host = memory::host(&case);
        let mut session = memory::started(&case, &host, Version::NEWEST);
        for step in &case.steps {
            let waiting = session.waiting();
            let delivery = memory::call(&mut session, step);
            let mut read = targets(delivery).iter().flat_map(AbsPath::ancestors);
            if read.any(|part| host.is_link(&part)) {
                continue;
            }
            for layer in &delivery.layers {
                let linked = host.canonicalize(&layer.path) != Ok(layer.path.clone());
                // A rule is shown under its real path (fact 0.5), also behind a linked folder.
                let leads_there = |path: &String| {
                    let real = host.canonicalize(&abs(ROOT).join(path));
                    path.contains(".claude") && real.is_ok_and(|real| layer.path.is_within(&real))
                };
                let linked = linked || case.links.keys().any(leads_there);
                if linked || matches!(layer.cause, Cause::Import(_)) {
                    continue;
                }
                let known = waiting.files.iter().any(|file| file.path == layer.path);
                prop_assert!(known, "{} was not waiting for {:?}", layer.path, layer.cause);
            }
        }
    }

    #[test]
    fn a_memory_index_keeps_to_its_limits(
        lines in prop::collection::vec((select(&["a", "é", "😀"][..]), 0..200_usize), 0..400),
    ) {
        let lines: Vec<String> = lines.iter().map(|(unit, count)| unit.repeat(*count)).collect();
        let text = lines.join("\n");
        let (kept, notice) = outcrop_loader::memory::cut(&text);
        prop_assert!(text.starts_with(kept));
        prop_assert!(kept.split('\n').count() <= LINES);
        prop_assert!(kept.encode_utf16().count() <= CHARACTERS);
        prop_assert_eq!(notice.is_some(), kept.len() < text.len());
    }

    #[test]
    fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read_all(&bytes)?;
    }

    #[test]
    fn any_markdown_can_be_read(text in "([-*_`~<>!\\[\\]()#@: \\\\\n\r\ta-c]|<!--|-->|---\n|é){0,80}") {
        read_all(text.as_bytes())?;
    }
}

/// Reads bytes as an instruction file and as a rule, in the newest and an old client.
fn read_all(bytes: &[u8]) -> Result<(), TestCaseError> {
    let mut case: Case =
        serde_json::from_value(serde_json::json!({ "name": "bytes", "cwd": "p" })).unwrap();
    case.reads = vec!["p/sub/x".to_owned()];
    let mut host = memory::host(&case);
    let root = abs(&case::fill("{root}", ROOT));
    for path in ["p/CLAUDE.md", "p/.claude/rules/r.md", "p/sub/CLAUDE.md"] {
        host.file(&root.join(path), bytes);
    }
    host.file(&root.join("p/a"), *b"M");
    for version in [Version::NEWEST, Version::new(2, 1, 197), Version::OLDEST] {
        let session = memory::run(&case, &host, version);
        for layer in all(&session) {
            prop_assert_eq!(
                layer.source_lines().len(),
                layer.text.split_inclusive('\n').count()
            );
        }
    }
    Ok(())
}
