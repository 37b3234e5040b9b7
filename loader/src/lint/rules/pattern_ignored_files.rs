//! L217: patterns that match nothing but files of others.

use super::prelude::*;
use crate::lint::patterns::Scoped;
use crate::record::Scope;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L217",
    name: "pattern-ignored-files",
    severity: Severity::Info,
    summary: "A rule matches only files that git ignores, or those of packages.",
    page: Page {
        what: "Looks for rules whose patterns match no file of the project itself, but files in folders \
               that git ignores, or in folders of packages such as `node_modules`. A rule that names such \
               a folder is left alone.",
        why: "The rule loads when a file of a package is read and never for the project's own work, so its \
              text is rarely there when it is needed.",
        instead: "Write a pattern for the project's own files, or take the rule out.",
        drawbacks: "A rule that is meant for generated files is found where it does not name their \
                    folder.",
        evidence: "Fact 5.10; client thread 93249.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "files of a package alone",
        files: &[
            (
                ".claude/rules/flow.md",
                "---\npaths: \"**/*.flow\"\n---\nUse exact types.\n",
            ),
            (".gitignore", "node_modules/\n"),
            ("node_modules/lib/index.flow", "export {};\n"),
            ("src/index.ts", "export {};\n"),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "files of both, and a rule about packages",
        files: &[
            (
                ".claude/rules/ts.md",
                "---\npaths: \"**/*.ts\"\n---\nUse exact types.\n",
            ),
            (
                ".claude/rules/packages.md",
                "---\npaths: \"node_modules/**\"\n---\nDo not edit these.\n",
            ),
            (".gitignore", "node_modules/\n"),
            ("node_modules/lib/index.ts", "export {};\n"),
            ("src/index.ts", "export {};\n"),
        ],
        fixed: &[],
    }],
    check,
};

/// Folders that hold the work of others.
const PACKAGES: &[&str] = &[
    "node_modules",
    "bower_components",
    "vendor",
    ".venv",
    "venv",
    "Pods",
];

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    if subject.waiting.truncated {
        return;
    }
    for rule in subject.scoped() {
        let file = &subject.files[rule.at];
        if file.scope != Scope::Project || !rule.base.is_within(subject.session.cwd()) {
            continue;
        }
        if let Some(found) = only_others(subject, rule) {
            let (Some(first), Some(last)) = (rule.pieces.first(), rule.pieces.last()) else {
                continue;
            };
            let place = Place::Bytes(file.path.clone(), first.range.start..last.range.end);
            let message = format!(
                "only files of others match, such as `{found}`, and none of the project itself"
            );
            report
                .at(place, message)
                .costs(Cost::Lost(subject.tokens(&file.text)))
                .help("write a pattern for the project's own files")
                .report();
        }
    }
}

/// A file of others that a rule matches, where it matches no other.
fn only_others(subject: &Subject<'_, '_>, rule: &Scoped) -> Option<String> {
    let names = |text: &str| text.split('/').any(|part| PACKAGES.contains(&part));
    let mut found = None;
    for piece in rule.pieces.iter().filter(|piece| !piece.is_negated()) {
        if names(&piece.text) || subject.names_ignored(&rule.base, &piece.patterns) {
            return None;
        }
        match subject.first_match(&rule.base, &piece.patterns) {
            Some(file) if names(file) => {
                found = Some(file.to_owned());
            }
            Some(_) => return None,
            None => {
                let ignored = subject.ignored_match(&rule.base, &piece.patterns);
                found = found.or(ignored.map(str::to_owned));
            }
        }
    }
    // The first file in order may be one of a package while others follow.
    let own = |at: usize| !names(&subject.tree().files[at]);
    let any_own = found.is_some() && subject.matches(rule).any(own);
    found.filter(|_| !any_own)
}
