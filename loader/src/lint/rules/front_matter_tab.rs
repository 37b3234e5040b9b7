//! L215: tabs in the indentation of front matter.

use super::prelude::*;
use crate::document::{Document, Reading, RulePaths};
use crate::lint::fix::Edit;
use crate::lint::front_yaml;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L215",
    name: "front-matter-tab",
    severity: Severity::Warning,
    summary: "Front matter of a rule is indented by a tab, which YAML forbids.",
    page: Page {
        what: "Looks in the front matter of rules for lines that are indented by a tab and that keep it \
               from being YAML, and says what the client makes of them.",
        why: "YAML allows blanks alone. Most versions of the client take a tab where nothing else is wrong; \
              where they do not, `paths` counts for nothing and the rule loads in every session.",
        instead: "Indent by two blanks.",
        drawbacks: "Where the client reads the front matter anyway, only other tools and other versions \
                    stumble.",
        evidence: "Fact 13 of those found since; change 20 of the client's versions.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a list that is indented by a tab",
        files: &[
            (
                ".claude/rules/web.md",
                "---\npaths:\n\t- \"src/**\"\n---\nUse semantic elements.\n",
            ),
            ("src/index.ts", "export {};\n"),
        ],
        fixed: &[(
            ".claude/rules/web.md",
            "---\npaths:\n  - \"src/**\"\n---\nUse semantic elements.\n",
        )],
    }],
    good: &[Example {
        title: "a tab in the body and behind a text",
        files: &[
            (
                ".claude/rules/web.md",
                "---\npaths:\n  - \"src/**\"\t\n---\n\tUse semantic elements.\n",
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
        if front.reading == Reading::Plain {
            return;
        }
        let mut edits = Vec::new();
        let mut at = front.yaml.start;
        for line in file.document.source[front.yaml.clone()].split_inclusive('\n') {
            let indent = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
            if indent.contains('\t') {
                edits.push(Edit {
                    path: file.path.clone(),
                    range: at..at + indent.len(),
                    text: indent.replace('\t', "  "),
                });
            }
            at += line.len();
        }
        let Some(first) = edits.first() else {
            return;
        };
        let place = Place::Bytes(file.path.clone(), first.range.clone());
        let mut mended = file.document.source.to_string();
        for edit in edits.iter().rev() {
            mended.replace_range(edit.range.clone(), &edit.text);
        }
        let mended = Document::from_text(mended.into(), behaviour).rule_paths(behaviour);
        let read = file.document.rule_paths(behaviour);
        let is_same = mended == read;
        let message = match &read {
            _ if is_same => {
                "a tab indents this line, which is no YAML; the client reads it anyway".to_owned()
            }
            RulePaths::Always => format!(
                "a tab indents this line, which is no YAML, so `paths` counts for nothing: the rule loads {}",
                file.how_often()
            ),
            RulePaths::Matching(_) => {
                "a tab indents this line, which is no YAML, so the client reads other patterns"
                    .to_owned()
            }
        };
        let fix = Fix {
            title: "indent by blanks".to_owned(),
            applicability: if is_same {
                Applicability::Safe
            } else {
                Applicability::Unsafe
            },
            edits,
        };
        let mut draft = report
            .at(place, message)
            .help("indent by two blanks")
            .fix(fix);
        if !is_same && read == RulePaths::Always {
            draft = draft.costs(subject.cost(file));
        }
        draft.report();
    });
}
