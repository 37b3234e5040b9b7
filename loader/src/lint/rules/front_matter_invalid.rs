//! L201: front matter that is no YAML.

use super::prelude::*;
use crate::document::Reading;
use crate::lint::front_block;
use crate::lint::front_yaml;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L201",
    name: "front-matter-invalid",
    severity: Severity::Warning,
    summary: "The front matter of a rule is no YAML, so its `paths` may count for nothing.",
    page: Page {
        what: "Looks for rules with `paths` whose front matter cannot be read as YAML, and says what \
               the client makes of it. Unquoted patterns and tabs have rules of their own.",
        why: "The client puts plain values in quotes and tries again. Where that does not help it has no \
              keys at all: the rule loads in every session, with all of its tokens, as if it had no \
              `paths`. Nothing is said.",
        instead: "Put texts with `: `, `#` or quotes in them in quotes, and close every quote and \
                  bracket.",
        drawbacks: "Where the client reads the front matter anyway the finding is for information: other \
                    tools that read the file may stop at it.",
        evidence: "Fact 5.2 and fact 13 of those found since; client threads 33581 and 17204.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a quote that is not closed",
            files: &[(
                ".claude/rules/web.md",
                "---\ndescription: \"Pages\npaths: src/web/**\n---\nUse semantic elements.\n",
            )],
            fixed: &[],
        },
        Example {
            title: "a colon in a text, which the client mends",
            files: &[
                (
                    ".claude/rules/web.md",
                    "---\ndescription: Pages: how to write them\npaths: \"src/**\"\n---\nUse semantic elements.\n",
                ),
                ("src/index.ts", "export {};\n"),
            ],
            fixed: &[],
        },
    ],
    good: &[
        Example {
            title: "well-formed front matter of every kind",
            files: &[
                (
                    ".claude/rules/a.md",
                    "---\nname: a\ndescription: \"Pages: how\"\npriority: 2\npaths: \n\n  - 'src/**'\n\n---\nUse semantic elements.\n",
                ),
                (
                    ".claude/rules/b.md",
                    "---\r\npaths:\r\n  - \"src/**/*.{ts,tsx}\"\r\n---\r\nUse strict types.\r\n",
                ),
                (
                    ".claude/rules/c.md",
                    "---\npaths: src/**, lib/*.ts\n---\nUse named exports.\n",
                ),
                (
                    ".claude/rules/d.md",
                    "---\nname: d\ndescription: All\n---\nUse pnpm.\n",
                ),
                (".claude/rules/e.md", "# Tests\n\nUse the runner.\n"),
                ("src/index.ts", "export {};\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "a text with a colon where nothing depends on it",
            files: &[(
                ".claude/rules/all.md",
                "---\ndescription: Commits: how to write them\n---\nWrite short messages.\n",
            )],
            fixed: &[],
        },
    ],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    front_yaml::each(subject, report, |front, behaviour, report| {
        let (file, reading) = (front.file, &front.reading);
        let has_paths = front
            .key
            .as_ref()
            .is_some_and(|key| !key.value_range.is_empty());
        if !has_paths
            || matches!(reading, Reading::Plain | Reading::Tabbed)
            || front_block::end_within_line(&file.document).is_some()
            || front.unquoted(behaviour).is_some()
        {
            return;
        }
        let place = Place::Bytes(
            file.path.clone(),
            front_yaml::first_bad_line(front, behaviour),
        );
        if *reading == Reading::Broken {
            let message = format!(
                "the front matter is no YAML, so `paths` counts for nothing: the rule loads {}",
                file.how_often()
            );
            report
                .at(place, message)
                .costs(subject.cost(file))
                .help("put the text in quotes, and close every quote and bracket")
                .report();
            return;
        }
        report
            .at(
                place,
                "the front matter is no YAML; the client puts plain values in quotes and reads it anyway",
            )
            .severity(Severity::Info)
            .help("put the text in quotes")
            .report();
    });
}
