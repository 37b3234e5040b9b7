//! L205: `paths` without a pattern.

use serde_json::Value;

use super::prelude::*;
use crate::document::{Reading, RulePaths};
use crate::lint::front_yaml;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L205",
    name: "paths-empty",
    severity: Severity::Warning,
    summary: "`paths` of a rule holds no pattern, so it restricts nothing.",
    page: Page {
        what: "Looks for rules whose `paths` is there but holds no pattern: nothing, an empty text or \
               list, or commas alone.",
        why: "The rule loads in every session, with all of its tokens, as if `paths` did not stand there.",
        instead: "Write the patterns, or take the key out where the rule is meant to load always.",
        drawbacks: "A template that is filled in later is found, too.",
        evidence: "Facts 5.2b and 5.3 (cases paths-forms-*).",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "an empty list",
            files: &[(".claude/rules/a.md", "---\npaths: []\n---\nUse pnpm.\n")],
            fixed: &[],
        },
        Example {
            title: "nothing but a comment",
            files: &[(
                ".claude/rules/a.md",
                "---\nname: a\npaths: # src/**\n---\nUse pnpm.\n",
            )],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "a key that is not there, and a pattern for everything",
        files: &[
            (".claude/rules/a.md", "---\nname: a\n---\nUse pnpm.\n"),
            (
                ".claude/rules/b.md",
                "---\npaths: \"**\"\n---\nWrite tests.\n",
            ),
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
        let always = file.document.rule_paths(behaviour) == RulePaths::Always;
        if front.reading == Reading::Broken
            || !always
            || !is_empty(value)
            || front.unquoted(behaviour).is_some()
        {
            return;
        }
        let message = format!(
            "`paths` holds no pattern, so it restricts nothing: the rule loads {}",
            file.how_often()
        );
        report
            .at(
                Place::Bytes(file.path.clone(), key.name_range.clone()),
                message,
            )
            .costs(subject.cost(file))
            .help("write the patterns, or take the key out")
            .report();
    });
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.chars().all(|c| c == ',' || c.is_whitespace()),
        Value::Array(items) => items.iter().all(is_empty),
        _ => false,
    }
}
