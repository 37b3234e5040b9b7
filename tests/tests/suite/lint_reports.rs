//! What public bug reports expect of `lint`: each entry that names a finding, or that none is there.

use outcrop_loader::lint::{Finding, Options, RULES, Severity, lint};
use outcrop_loader::session::Session;
use outcrop_tests::report::Tally;
use serde_json::Value;

use crate::bugbank::{self, Entry};

/// Names of the entries for rules that are named otherwise here.
const NAMES: &[(&str, &str)] = &[
    ("empty-paths", "paths-empty"),
    ("frontmatter-not-first", "front-matter-late"),
    ("memory-over-25kb", "memory-cut"),
    ("nested-agents-unread", "agents-not-read"),
    ("over-40000-chars", "file-large"),
    ("rules-fixture", "rule-unintended"),
    ("rules-readme-always", "rule-unintended"),
    ("stray-memory", "memory-stray"),
    ("wrong-case", "name-not-read"),
    ("wrong-key-globs", "key-foreign"),
    ("yaml-unquoted-glob", "pattern-unquoted"),
];

/// Entries, or names of theirs, that are not checked, and why.
const PASSED_OVER: &[(&str, &str)] = &[
    (
        "B028",
        "fact 5.14: the client follows `paths` of the user's rules",
    ),
    ("B043", "found as skill-not-listed"),
    (
        "B054",
        "change 5: from 2.1.239 excludes test the link as well, so it excludes",
    ),
    (
        "B070",
        "the old folder of one platform, which no example can show",
    ),
    (
        "B072",
        "change 6: front matter behind a mark is read; client-differs tells of older clients",
    ),
];

fn name(about: &str) -> &str {
    let ours = NAMES.iter().find(|(theirs, _)| *theirs == about);
    ours.map_or(about, |(_, ours)| ours)
}

fn is_passed_over(entry: &Entry, about: &str) -> bool {
    let is_it = |(id, why): &(&str, &str)| (*id == entry.id || *id == about) && !why.is_empty();
    PASSED_OVER.iter().any(is_it)
}

/// `NAME`, `NAME:SEVERITY`, `NAME@PART-OF-LINE` or `NAME:PATH`.
fn is_absent(what: &str, findings: &[Finding]) -> bool {
    let (about, rest) = match what.find([':', '@']) {
        Some(at) => (&what[..at], Some((&what[at..=at], &what[at + 1..]))),
        None => (what, None),
    };
    let mut own = findings
        .iter()
        .filter(|finding| finding.rule.name == name(about));
    match rest {
        None => own.all(|finding| finding.severity < Severity::Warning),
        Some(("@", part)) => own.all(|finding| !finding.message.contains(part)),
        Some((_, path)) if path.starts_with('/') => {
            own.all(|finding| finding.span.path.as_str() != path)
        }
        Some((_, severity)) => own.all(|finding| finding.severity.name() != severity),
    }
}

fn check(entry: &Entry) -> Vec<String> {
    let host = bugbank::world(entry);
    let mut session = Session::start(&host, bugbank::origin(entry));
    let findings = lint(&mut session, &Options::default()).findings;
    let told: Vec<String> = findings
        .iter()
        .map(|finding| {
            let place = format!("{}:{}", finding.span.path, finding.span.line);
            format!("{place} {} ({})", finding.rule.name, finding.severity)
        })
        .collect();
    let mut faults = Vec::new();
    for wanted in entry
        .check
        .get("lint")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let about = wanted["about"].as_str().unwrap();
        if is_passed_over(entry, about) {
            continue;
        }
        if !RULES.iter().any(|rule| rule.name == name(about)) {
            faults.push(format!("there is no rule {about}"));
            continue;
        }
        let found = findings.iter().any(|finding| {
            let at = |key: &str, value: Value| wanted[key].is_null() || wanted[key] == value;
            let hint = wanted["hint"].as_str().unwrap_or_default();
            finding.rule.name == name(about)
                && at("file", finding.span.path.as_str().into())
                && at("line", finding.span.line.into())
                && at("level", finding.severity.name().into())
                && finding.help.as_deref().unwrap_or_default().contains(hint)
        });
        if !found {
            faults.push(format!("{wanted} is not among {told:?}"));
        }
    }
    for absent in entry
        .check
        .get("lint_absent")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let absent = absent.as_str().unwrap();
        if !is_absent(absent, &findings) {
            faults.push(format!("{absent} is among {told:?}"));
        }
    }
    let files = entry
        .check
        .get("lint_absent_files")
        .and_then(Value::as_array);
    for file in files.into_iter().flatten() {
        if findings
            .iter()
            .any(|finding| Some(finding.span.path.as_str()) == file.as_str())
        {
            faults.push(format!("{file} has findings: {told:?}"));
        }
    }
    if let Some(count) = entry.check.get("lint_count").and_then(Value::as_u64)
        && findings.len() as u64 != count
    {
        faults.push(format!("{count} findings were expected: {told:?}"));
    }
    faults
}

#[test]
fn findings_of_public_reports() {
    let mut tally = Tally::default();
    for entry in bugbank::entries() {
        if entry.check.keys().any(|key| key.starts_with("lint")) {
            let faults = check(&entry);
            tally.add(&entry.id, (!faults.is_empty()).then(|| faults.join("; ")));
        }
    }
    tally.finish("findings of public reports");
}
