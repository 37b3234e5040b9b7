//! L216: patterns that need quotes and have none.

use super::prelude::*;
use crate::document::RulePaths;
use crate::lint::fix::Edit;
use crate::lint::front_yaml;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L216",
    name: "pattern-unquoted",
    severity: Severity::Warning,
    summary: "A pattern begins with a character that means something in YAML and has no quotes.",
    page: Page {
        what: "Looks for patterns without quotes that begin with `*`, `{`, `!`, `&`, `@`, `%` or a \
               backtick, and for braces in a list in brackets, and says what the client makes of them.",
        why: "To YAML a `*` names an anchor, a `{` opens a mapping and a `!` is a tag. The client mends \
              such a value behind `paths:`. Items of a list it never mends: one `- *.ts` makes all keys \
              unreadable, and the rule loads in every session, with all of its tokens. A `!` or `&` \
              makes the pattern vanish.",
        instead: "Put every pattern in quotes.",
        drawbacks: "Behind `paths:` most such values work as they are; the finding then is about other \
                    tools, and about the day when a list is made of it.",
        evidence: "Fact 5.2 and fact 13 of those found since; realistic files, section 2.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "an item of a list, which makes the front matter unreadable",
            files: &[
                (
                    ".claude/rules/ts.md",
                    "---\npaths:\n  - **/*.ts\n  - \"*.tsx\"\n---\nUse strict types.\n",
                ),
                ("src/index.ts", "export {};\n"),
                ("src/page.tsx", "export {};\n"),
            ],
            fixed: &[(
                ".claude/rules/ts.md",
                "---\npaths:\n  - \"**/*.ts\"\n  - \"*.tsx\"\n---\nUse strict types.\n",
            )],
        },
        Example {
            title: "a value that the client mends",
            files: &[
                (
                    ".claude/rules/ts.md",
                    "---\npaths: **/*.{ts,tsx}\n---\nUse strict types.\n",
                ),
                ("src/index.ts", "export {};\n"),
            ],
            fixed: &[(
                ".claude/rules/ts.md",
                "---\npaths: \"**/*.{ts,tsx}\"\n---\nUse strict types.\n",
            )],
        },
    ],
    good: &[Example {
        title: "quotes, and characters that mean nothing to YAML where they stand",
        files: &[
            (
                ".claude/rules/ts.md",
                "---\npaths:\n  - \"**/*.ts\"\n  - '*.{ts,tsx}'\n---\nUse strict types.\n",
            ),
            (
                ".claude/rules/lib.md",
                "---\npaths: src/**/*.{ts,tsx}\n---\nUse named exports.\n",
            ),
            ("src/index.ts", "export {};\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    front_yaml::each(subject, report, |front, behaviour, report| {
        let file = front.file;
        let Some(unquoted) = front.unquoted(behaviour) else {
            return;
        };
        let Some(first) = unquoted.items.first() else {
            return;
        };
        let text = &first.text;
        let is_same = unquoted.mended == unquoted.read;
        let message = match &unquoted.read {
            _ if is_same => {
                format!("`{text}` is no YAML without quotes; the client reads it anyway")
            }
            RulePaths::Always => format!(
                "`{text}` is no text to YAML without quotes, so the client reads no pattern: the rule loads {}",
                file.how_often()
            ),
            RulePaths::Matching(patterns) => format!(
                "`{text}` is no text to YAML without quotes, so the client reads `{}` instead",
                patterns.join("`, `")
            ),
        };
        let edits = unquoted.items.iter().map(|item| Edit {
            path: file.path.clone(),
            range: item.range.clone(),
            text: front_yaml::quoted(&item.text),
        });
        let fix = Fix {
            title: "put the pattern in quotes".to_owned(),
            applicability: if is_same {
                Applicability::Safe
            } else {
                Applicability::Unsafe
            },
            edits: edits.collect(),
        };
        let place = Place::Bytes(file.path.clone(), first.range.clone());
        let mut draft = report
            .at(place, message)
            .help("put every pattern in quotes")
            .fix(fix);
        if unquoted.read == RulePaths::Always {
            draft = draft.costs(subject.cost(file));
        }
        draft.report();
    });
}
