//! The rules of `lint`, each by its own examples.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "lists the files of rules; helpers of tests may fail as tests do"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use outcrop_loader::host::{Host, MemoryHost};
use outcrop_loader::lint::fix::{Fix, Plan};
use outcrop_loader::lint::{Example, Outcome, RULES, Rule, Severity, World, lint, path_of_example};
use outcrop_loader::session::Session;

fn linted(world: &World) -> Outcome {
    let mut session = Session::start(&world.host, world.origin());
    lint(&mut session, &world.options())
}

fn told(outcome: &Outcome) -> Vec<String> {
    let findings = outcome.findings.iter();
    let told = findings.map(|finding| {
        let place = format!("{}:{}", finding.span.path, finding.span.line);
        format!("{place}: {} {}", finding.rule.name, finding.message)
    });
    told.collect()
}

#[test]
fn bad_examples_are_found() {
    for rule in RULES {
        assert!(!rule.bad.is_empty(), "{} has no bad example", rule.id);
        for example in rule.bad {
            let outcome = linted(&World::of_example(example));
            let found = outcome
                .findings
                .iter()
                .any(|finding| finding.rule.id == rule.id);
            assert!(
                found,
                "{} `{}`: {:?}",
                rule.id,
                example.title,
                told(&outcome)
            );
        }
    }
}

#[test]
fn good_examples_are_accepted() {
    for rule in RULES {
        assert!(!rule.good.is_empty(), "{} has no good example", rule.id);
        for example in rule.good {
            let mut outcome = linted(&World::of_example(example));
            outcome
                .findings
                .retain(|finding| finding.rule.id == rule.id || finding.severity > Severity::Info);
            let told = told(&outcome);
            assert_eq!(told, [""; 0], "{} `{}`", rule.id, example.title);
        }
    }
}

/// Fixes are made until nothing is left to fix, and what is then there has no such finding.
#[test]
fn fixes_give_what_they_promise() {
    for rule in RULES {
        for example in rule.bad.iter().filter(|example| !example.fixed.is_empty()) {
            let fixed = fixed(rule, example);
            for (path, text) in example.fixed {
                let path = path_of_example(path);
                let bytes = fixed.host.read(&path, u64::MAX).unwrap();
                assert_eq!(String::from_utf8_lossy(&bytes), *text, "{}", rule.id);
            }
            let outcome = linted(&fixed);
            let left = outcome
                .findings
                .iter()
                .filter(|finding| finding.rule.id == rule.id);
            assert_eq!(
                left.count(),
                0,
                "{} `{}`: {:?}",
                rule.id,
                example.title,
                told(&outcome)
            );
        }
    }
}

fn fixed(rule: &Rule, example: &Example) -> World {
    let mut world = World::of_example(example);
    for _ in 0..10 {
        let outcome = linted(&world);
        let findings = outcome.findings.iter();
        let own = findings.filter(|finding| finding.rule.id == rule.id);
        let fixes: Vec<&Fix> = own.filter_map(|finding| finding.fix.as_ref()).collect();
        if fixes.is_empty() {
            break;
        }
        let plan = Plan::of(fixes);
        let mut after: MemoryHost = world.host.clone();
        for path in plan.files() {
            let bytes = world.host.read(path, u64::MAX).unwrap();
            let text = plan.text(path, &String::from_utf8_lossy(&bytes)).unwrap();
            after.file(path, text.into_bytes());
        }
        world.host = after;
    }
    world
}

/// A finding's place lies in its file, on the edges of characters.
#[test]
fn places_lie_in_their_files() {
    for rule in RULES {
        for example in rule.bad.iter().chain(rule.good) {
            let world = World::of_example(example);
            for finding in linted(&world).findings {
                let also = finding.also.iter().map(|(span, _)| span);
                for span in std::iter::once(&finding.span).chain(also) {
                    let bytes = world.host.read(&span.path, u64::MAX).unwrap_or_default();
                    let text = String::from_utf8_lossy(&bytes);
                    assert!(
                        text.get(span.bytes.clone()).is_some(),
                        "{} {span:?}",
                        rule.id
                    );
                }
            }
        }
    }
}

#[test]
fn each_file_is_a_rule() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lint/rules");
    let names = fs::read_dir(folder).unwrap().map(|entry| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        name.trim_end_matches(".rs").replace('_', "-")
    });
    let files: BTreeSet<String> = names.filter(|name| name != "mod").collect();
    let rules: BTreeSet<String> = RULES.iter().map(|rule| rule.name.to_owned()).collect();
    assert_eq!(files, rules);
}

#[test]
fn pages_are_whole() {
    for rule in RULES {
        let page = &rule.page;
        for part in [
            page.what,
            page.why,
            page.instead,
            page.drawbacks,
            page.evidence,
        ] {
            let is_sentence = part.ends_with('.') && part.len() > 20 && !part.contains("  ");
            assert!(is_sentence, "{}: {part:?}", rule.id);
        }
        assert!(rule.summary.ends_with('.'), "{}", rule.id);
    }
}
