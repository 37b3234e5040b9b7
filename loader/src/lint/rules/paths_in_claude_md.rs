//! L221: `paths` outside of rules.

use super::prelude::*;
use crate::lint::front_keys;
use crate::lint::subject::When;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L221",
    name: "paths-in-claude-md",
    severity: Severity::Warning,
    summary: "`paths` in a CLAUDE.md or AGENTS.md restricts nothing.",
    page: Page {
        what: "Looks for `paths` in the front matter of `CLAUDE.md`, `CLAUDE.local.md` and `AGENTS.md`.",
        why: "The front matter of these files is taken out and counts for nothing: they load with the \
              session, or with reads in their directory, whatever `paths` says.",
        instead: "Move the text to a file of `.claude/rules` with these `paths`, or to the `CLAUDE.md` of the \
                  directory that it is about.",
        drawbacks: "A file that another tool reads with its front matter is found, too.",
        evidence: "Facts 3.21 and 4.1 (case front-matter-everywhere).",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a file that loads always",
        files: &[
            (
                "CLAUDE.md",
                "---\npaths: \"src/**\"\n---\nUse strict types.\n",
            ),
            ("src/index.ts", "export {};\n"),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "other front matter, and a rule of this name",
        files: &[
            ("CLAUDE.md", "---\ntitle: Shop\n---\nUse strict types.\n"),
            (
                ".claude/rules/CLAUDE.md",
                "---\npaths: \"src/**\"\n---\nUse named exports.\n",
            ),
            ("src/index.ts", "export {};\n"),
        ],
        fixed: &[],
    }],
    check,
};

const NAMES: &[&str] = &["CLAUDE.md", "CLAUDE.local.md", "AGENTS.md"];

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in subject.files.iter().filter(|file| !file.is_rule()) {
        // A file that a rule imports waits as a rule does.
        if !NAMES.contains(&file.path.file_name()) || matches!(file.when, When::Match { .. }) {
            continue;
        }
        let Some(key) = front_keys::key(&file.document, "paths") else {
            continue;
        };
        let message = format!(
            "`paths` counts in rules only: this loads {}",
            file.how_often()
        );
        report
            .at(Place::Bytes(file.path.clone(), key.name_range), message)
            .chain(subject.chain(&file.path))
            .costs(subject.cost(file))
            .help("move the text to a file of `.claude/rules` with these `paths`")
            .report();
    }
}
