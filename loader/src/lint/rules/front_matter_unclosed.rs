//! L214: front matter that is never closed, or is closed where nobody meant it.

use super::prelude::*;
use crate::lint::front_block::{self, Fault};
use crate::lint::front_keys;
use crate::lint::subject::File;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L214",
    name: "front-matter-unclosed",
    severity: Severity::Warning,
    summary: "The front matter of a rule is not closed by a line of dashes.",
    page: Page {
        what: "Looks for rules whose front matter with `paths` has no closing line of three dashes, is \
               closed by another line such as `...`, or is closed by dashes within a line further on, as \
               in a table.",
        why: "Without dashes behind it the whole block is text: it is sent to the model, and the rule loads \
              in every session. The first three dashes anywhere close it, also in a table: then \
              everything above them counts as front matter and is lost.",
        instead: "Close it by a line with three dashes and nothing else.",
        drawbacks: "A text that begins with a line of dashes and a line like `paths: …` is found, too.",
        evidence: "Fact 4.1 (cases front-matter-*).",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "nothing closes it",
            files: &[(
                ".claude/rules/web.md",
                "---\npaths: \"src/**\"\n\nUse semantic elements.\n",
            )],
            fixed: &[],
        },
        Example {
            title: "dashes in a description close it",
            files: &[(
                ".claude/rules/web.md",
                "---\ndescription: Pages --- all\npaths: \"src/**\"\n---\nUse semantic elements.\n",
            )],
            fixed: &[],
        },
        Example {
            title: "a table closes it",
            files: &[
                (
                    ".claude/rules/web.md",
                    "---\npaths: \"src/**\"\n\nUse semantic elements.\n\n| old | new |\n|---|---|\n| b | strong |\n",
                ),
                ("src/index.ts", "export {};\n"),
            ],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "a closing line with blanks, and a text between lines of dashes",
        files: &[
            (
                ".claude/rules/web.md",
                "---\npaths: \"src/**\"\n---  \n\n| a |\n|---|\n",
            ),
            (".claude/rules/all.md", "---\n\nUse pnpm.\n"),
            ("src/index.ts", "export {};\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in subject.files.iter().filter(|file| file.is_rule()) {
        if let Some(line) = front_block::end_within_line(&file.document) {
            let keys = front_keys::keys(&file.document);
            let Some(key) = keys.iter().find(|key| key.name == "paths") else {
                cut_off(subject, report, file, line);
                continue;
            };
            let number = file.document.line_of(line.start);
            // A text with dashes, such as a description, or a table below the keys.
            let message = format!(
                "front matter ends at the first three dashes, here within line {number}: what stands above \
                 them is no text"
            );
            report
                .at(Place::Bytes(file.path.clone(), line), message)
                .also(Place::Bytes(file.path.clone(), key.name_range.clone()), "it has `paths`")
                .help("close the front matter by a line `---` of its own, and take dashes out of its values")
                .report();
            continue;
        }
        let Some(block) = front_block::block(&file.document) else {
            continue;
        };
        if !block.has("paths") || !matches!(block.fault, Fault::Open | Fault::Closer) {
            continue;
        }
        let why = match block.fault {
            Fault::Open => "is never closed",
            _ => "is not closed by dashes",
        };
        let message = format!(
            "the front matter {why}, so it is text: the rule loads {}",
            file.how_often()
        );
        report
            .at(Place::Bytes(file.path.clone(), block.opener), message)
            .costs(subject.cost(file))
            .help("close it by a line `---`")
            .report();
    }
}

/// Dashes in a value that stands before `paths`.
fn cut_off(
    subject: &Subject<'_, '_>,
    report: &mut Report<'_, '_>,
    file: &File,
    line: std::ops::Range<usize>,
) {
    let below = file.document.source[line.end..].lines().skip(1);
    let mut keys = below.take_while(|line| !line.trim_end().is_empty() && line.trim_end() != "---");
    if !keys.any(|line| line.starts_with("paths:")) {
        return;
    }
    let message = format!(
        "front matter ends at the first three dashes, here within a line, so `paths` below it is text: \
         the rule loads {}",
        file.how_often()
    );
    report
        .at(Place::Bytes(file.path.clone(), line), message)
        .costs(subject.cost(file))
        .help("take the dashes out of the value")
        .report();
}
