//! L210: a large rule that comes with nearly every file.

use super::prelude::*;
use crate::javascript;
use crate::lint::number::grouped;
use crate::record::Scope;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L210",
    name: "broad-and-large",
    severity: Severity::Warning,
    summary: "A large rule has patterns that match nearly every file.",
    page: Page {
        what: "Looks for project rules of more than 10,000 characters whose patterns match nine of ten of \
               the project's files or more.",
        why: "Such a rule comes with the first file that is read, whatever the task is. Its `paths` save \
              nothing, and a compaction loses it until the next read.",
        instead: "Part it by what it is about, each with patterns of its own; keep what holds everywhere \
                  in a short rule.",
        drawbacks: "In a project of one language a rule for its files is broad by nature: part it by \
                    topic, or configure the rule off for it.",
        evidence: "Facts 5.10 and 5.16; bug bank B178; realistic file 22.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a handbook for every file of a folder that holds all",
        files: &[
            (
                ".claude/rules/big.md",
                "---\npaths:\n  - \"crates/**\"\n---\n200 × Point {n}: think of the ring, its peers, and of the order of messages.\n",
            ),
            ("crates/a/src/x.rs", "//\n"),
            ("crates/b/src/y.rs", "//\n"),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "a short rule for all files, and a large one for some",
        files: &[
            (
                ".claude/rules/short.md",
                "---\npaths: \"**/*\"\n---\nThink of the order of messages.\n",
            ),
            (
                ".claude/rules/big.md",
                "---\npaths: crates/a/**\n---\n200 × Point {n}: think of the ring, its peers, and of the order of messages.\n",
            ),
            ("crates/a/src/x.rs", "//\n"),
            ("crates/b/src/y.rs", "//\n"),
        ],
        fixed: &[],
    }],
    check,
};

/// From how many characters on a rule is large.
const LARGE: usize = 10_000;
/// From which share of the files on its patterns are broad, in percent.
const BROAD: usize = 90;

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let is_large = |at: usize| javascript::len(&subject.files[at].text) >= LARGE;
    for rule in subject.scoped().iter().filter(|rule| is_large(rule.at)) {
        let file = &subject.files[rule.at];
        let tree = subject.tree();
        if file.scope != Scope::Project || tree.truncated {
            continue;
        }
        let is_work = |name: &str| {
            !name.split('/').any(|part| part.starts_with('.'))
                && subject.file(&subject.session.cwd().join(name)).is_none()
        };
        let all = tree.files.iter().filter(|name| is_work(name)).count();
        let matched = subject
            .matches(rule)
            .filter(|at| is_work(&tree.files[*at]))
            .count();
        // Of one file every pattern matches all or none.
        if all < 2 || matched * 100 < all * BROAD {
            continue;
        }
        let percent = matched * 100 / all;
        let message = format!(
            "{} characters come with nearly every file: the patterns match {percent} percent of the files",
            grouped(javascript::len(&file.text))
        );
        let (Some(first), Some(last)) = (rule.pieces.first(), rule.pieces.last()) else {
            continue;
        };
        report
            .at(
                Place::Bytes(file.path.clone(), first.range.start..last.range.end),
                message,
            )
            .costs(Cost::Read(subject.tokens(&file.text)))
            .help("part it by what it is about, each part with patterns of its own")
            .report();
    }
}
