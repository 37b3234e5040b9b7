//! L202: `paths` that is neither a text nor a list of texts.

use super::prelude::*;
use crate::document::{Reading, RulePaths};
use crate::lint::front_yaml;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L202",
    name: "paths-type",
    severity: Severity::Error,
    summary: "`paths` of a rule, or an item of it, is no text.",
    page: Page {
        what: "Looks in the front matter of rules for `paths` that is a number, a boolean or a mapping, \
               and for such items in its list.",
        why: "The client takes texts only. An item of another type counts for nothing, and without any \
              pattern the rule loads in every session, with all of its tokens.",
        instead: "Write a text or a list of texts. A name that looks like a number or a boolean, such as \
                  `2024`, needs quotes.",
        drawbacks: "None is known: what YAML makes of the value is told by the client's rules.",
        evidence: "Facts 5.2 and 5.3; bug bank B158, B175.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a number",
            files: &[(".claude/rules/n.md", "---\npaths: 7\n---\nUse pnpm.\n")],
            fixed: &[],
        },
        Example {
            title: "a boolean in a list",
            files: &[
                (
                    ".claude/rules/b.md",
                    "---\npaths:\n  - true\n  - \"src/**\"\n---\nUse strict types.\n",
                ),
                ("src/index.ts", "export {};\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "a mapping",
            files: &[(
                ".claude/rules/m.md",
                "---\npaths:\n  include: \"src/**\"\n---\nUse strict types.\n",
            )],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "a list, a text, a list in one text, a number in quotes",
        files: &[
            (
                ".claude/rules/l.md",
                "---\npaths:\n  - \"src/**\"\n  - lib/**\n---\nUse strict types.\n",
            ),
            (
                ".claude/rules/s.md",
                "---\npaths: \"src/**, lib/**/*.{ts,tsx}\"\n---\nUse named exports.\n",
            ),
            (
                ".claude/rules/y.md",
                "---\npaths: [\"2024\", 'src']\n---\nKeep the archive.\n",
            ),
            ("src/index.ts", "export {};\n"),
            ("lib/index.ts", "export {};\n"),
            ("2024/notes.txt", "Notes.\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    front_yaml::each(subject, report, |front, behaviour, report| {
        let file = front.file;
        let (Some(value), Some(key)) = (&front.paths, &front.key) else {
            return;
        };
        // What a pattern without quotes became has a rule of its own.
        if front.reading == Reading::Broken || front.unquoted(behaviour).is_some() {
            return;
        }
        let loads = match file.document.rule_paths(behaviour) {
            RulePaths::Always => format!("the rule loads {}", file.how_often()),
            RulePaths::Matching(_) => "only the others count".to_owned(),
        };
        if let Some(kind) = front_yaml::kind(value) {
            let range = if key.value_range.is_empty() {
                key.name_range.clone()
            } else {
                key.value_range.clone()
            };
            let message = format!("`paths` is {kind}, which restricts nothing: {loads}");
            report
                .at(Place::Bytes(file.path.clone(), range), message)
                .costs(subject.cost(file))
                .help("write a text, or a list of texts")
                .report();
            return;
        }
        if !value.is_array() {
            return;
        }
        for item in front.items() {
            let Some(kind) = front_yaml::kind_of(&item, behaviour) else {
                continue;
            };
            let message = format!("`{}` is {kind} and counts for nothing: {loads}", item.text);
            report
                .at(Place::Bytes(file.path.clone(), item.range), message)
                .help("put it in quotes if it is a name; else take it out")
                .report();
        }
    });
}
