//! L213: front matter that does not begin the file.

use super::prelude::*;
use crate::lint::front_block::{self, Fault};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L213",
    name: "front-matter-late",
    severity: Severity::Warning,
    summary: "Front matter with `paths` does not begin at the first character of a rule, so it is text.",
    page: Page {
        what: "Looks in rules for a block with `paths` between lines of dashes that stands behind blank \
               lines or a heading, or is opened by more than three dashes.",
        why: "Front matter begins with three dashes as the first line of the file. Anything before them makes \
              it text: the block is sent to the model, and the rule loads in every session, with all of \
              its tokens.",
        instead: "Begin the file with three dashes, and put the heading behind the block.",
        drawbacks: "An example of front matter right behind a heading is found, too, unless it stands in a \
                    code block.",
        evidence: "Facts 4.1 and 4.2 (cases front-matter-*).",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a blank line before it",
            files: &[
                (
                    ".claude/rules/web.md",
                    "\n---\npaths: \"src/**\"\n---\nUse semantic elements.\n",
                ),
                ("src/index.ts", "export {};\n"),
            ],
            fixed: &[(
                ".claude/rules/web.md",
                "---\npaths: \"src/**\"\n---\nUse semantic elements.\n",
            )],
        },
        Example {
            title: "a heading before it",
            files: &[(
                ".claude/rules/web.md",
                "# Web\n\n---\npaths: \"src/**\"\n---\nUse semantic elements.\n",
            )],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "front matter in its place, lines of dashes in a text, an example in a code block",
        files: &[
            (
                ".claude/rules/web.md",
                "---  \n\npaths: \"src/**\"\n\n---\n\n# Web\n\n---\n\nUse semantic elements.\n",
            ),
            (
                ".claude/rules/all.md",
                "# All\n\n```\n---\npaths: a\n---\n```\n\n---\n\nUse pnpm.\n",
            ),
            ("src/index.ts", "export {};\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in subject.files.iter().filter(|file| file.is_rule()) {
        let Some(block) = front_block::block(&file.document) else {
            continue;
        };
        if !block.has("paths") || !matches!(block.fault, Fault::Late | Fault::Dashes) {
            continue;
        }
        let source = &*file.document.source;
        let before = &source[block.before.clone()];
        let why = match block.fault {
            Fault::Dashes => "more than three dashes open it",
            _ if before.trim_start_matches('\u{FEFF}').is_empty() => {
                "a byte-order mark stands before it"
            }
            _ if before.trim().is_empty() => "it does not begin on line 1",
            _ => "a heading stands before it",
        };
        let message = format!(
            "this is text and no front matter, since {why}: the rule loads {}",
            file.how_often()
        );
        let mut draft = report
            .at(
                Place::Bytes(file.path.clone(), block.opener.clone()),
                message,
            )
            .costs(subject.cost(file))
            .help("begin the file with `---`");
        if block.fault == Fault::Late
            && before
                .trim_matches(['\u{FEFF}', ' ', '\t', '\r', '\n'])
                .is_empty()
        {
            let title = "take out what stands before it";
            let range = block.before.clone();
            draft = draft.fix(Fix::one(Applicability::Safe, title, &file.path, range, ""));
        }
        draft.report();
    }
}
