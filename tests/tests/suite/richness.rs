//! What random worlds must show, or the properties would hold of nothing.

use std::collections::BTreeMap;

use outcrop_loader::document::{Document, RulePaths};
use outcrop_loader::host::{Host, MemoryHost};
use outcrop_loader::record::{Cause, Delivery, Trigger};
use outcrop_loader::session::Session;
use outcrop_tests::case::Case;
use outcrop_tests::memory;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::properties::run;
use crate::worlds::{config, world};

/// The properties say something only of worlds in which much happens.
#[test]
fn random_worlds_are_rich() {
    let mut runner = TestRunner::new(config(256));
    let (mut seen, mut layers) = (BTreeMap::<String, usize>::new(), 0);
    for _ in 0..256 {
        let case = world().new_tree(&mut runner).unwrap().current();
        let host = memory::host(&case);
        let session = run(&case, &host);
        let mut note = |text: String| *seen.entry(text).or_default() += 1;
        for (at, delivery) in session.deliveries().iter().enumerate() {
            for layer in &delivery.layers {
                layers += 1;
                let cause = format!("{:?}", layer.cause);
                note(cause.split([' ', '(']).next().unwrap().to_owned());
                note(layer.owner.to_string());
            }
            for skip in &delivery.skipped {
                note(skip.case.to_owned());
            }
            if at > 0 {
                note(brought(delivery));
            }
        }
        for form in forms(&case, &host, &session) {
            note(form.to_owned());
        }
    }
    println!("{layers} layers in 256 random worlds: {seen:?}");
    for wanted in WANTED {
        assert!(
            seen.get(*wanted).is_some_and(|count| *count > 1),
            "{wanted}: {:?}",
            seen.get(*wanted)
        );
    }
}

/// What random worlds must show: causes, owners, cases of skips, what calls bring, and forms.
const WANTED: &[&str] = &[
    "Startup",
    "Import",
    "PathRule",
    "Nested",
    "managed",
    "user",
    "project",
    "local",
    "auto-memory",
    "missing",
    "external-never-asked",
    "external-declined",
    "external-on-read",
    "excluded",
    "cycle",
    "depth-limit",
    "directory",
    "non-text-extension",
    "delivered-already",
    "delivered-before",
    "claude-file-present",
    "setting-sources",
    "empty",
    "symlink-outside",
    "dangling-link",
    "worktree-main-copy",
    "trailing-slash",
    "Read brings",
    "Read brings nothing",
    "Write brings",
    "Edit brings",
    "Bash brings",
    "Bash brings nothing",
    "Grep brings nothing",
    "Glob brings nothing",
    "prompt brings",
    "deep",
    "cut memory",
    "agents file",
    "linked layer",
    "linked cwd",
    "added directory",
    "configuration folder",
    "settings flag",
    "managed text",
    "crlf",
    "lone cr",
    "byte order mark",
    "removed comment",
    "hidden reference",
    "rule without patterns",
    "rule with patterns",
    "inner repository",
];

fn brought(delivery: &Delivery) -> String {
    let by = match &delivery.trigger {
        Trigger::Tool { tool, .. } => tool,
        _ => "prompt",
    };
    let nothing = if delivery.layers.is_empty() {
        " nothing"
    } else {
        ""
    };
    format!("{by} brings{nothing}")
}

/// The forms that the files of a world have, as far as they were delivered, and its start.
fn forms<'n>(case: &Case, host: &MemoryHost, session: &Session<'_>) -> Vec<&'n str> {
    let mut forms = Vec::new();
    let mut note = |name, holds: bool| {
        if holds {
            forms.push(name);
        }
    };
    note("linked cwd", case.cwd == "way");
    note(
        "configuration folder",
        session.origin().config_dir.is_some(),
    );
    note("settings flag", session.origin().settings.is_some());
    note(
        "inner repository",
        case.files.contains_key("proj/a/.git/HEAD"),
    );
    let lone_cr = |text: &str| text.replace("\r\n", "").contains('\r');
    for (at, delivery) in session.deliveries().iter().enumerate() {
        let nested = delivery
            .layers
            .iter()
            .filter(|layer| matches!(layer.cause, Cause::Nested { .. }));
        note("deep", at > 0 && nested.count() > 3);
        for layer in &delivery.layers {
            let document = Document::from_text(layer.source.clone(), &session.client().behaviour);
            let patterns = document.rule_paths(&session.client().behaviour);
            let is_rule =
                layer.path.as_str().contains("/rules/") && document.front_matter.is_some();
            let waits = matches!(patterns, RulePaths::Matching(_));
            note("cut memory", layer.notice.is_some());
            note("agents file", layer.path.file_name() == "AGENTS.md");
            note(
                "linked layer",
                host.canonicalize(&layer.path)
                    .is_ok_and(|real| real != layer.path),
            );
            note("managed text", layer.title.is_some());
            note("crlf", layer.text.contains("\r\n"));
            note("lone cr", lone_cr(&layer.text));
            note("byte order mark", layer.source.starts_with('\u{FEFF}'));
            note("removed comment", !document.comments.is_empty());
            note("hidden reference", !document.hidden.is_empty());
            note("rule without patterns", is_rule && !waits);
            note("rule with patterns", is_rule && waits);
            let added = session
                .origin()
                .add_dirs
                .iter()
                .any(|dir| layer.path.is_within(dir));
            note(
                "added directory",
                added && !layer.path.is_within(session.cwd()),
            );
        }
    }
    forms
}
