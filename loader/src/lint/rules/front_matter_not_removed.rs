//! L223: front matter that is delivered as text.

use super::prelude::*;
use crate::lint::front_block::{self, Fault};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L223",
    name: "front-matter-not-removed",
    severity: Severity::Info,
    summary: "A block that looks like front matter is none, so it is sent as text.",
    page: Page {
        what: "Looks for keys between lines of dashes that are no front matter to the client: something stands \
               before them, more than three dashes open them, or another line closes them. Rules with \
               `paths` in such a block have rules of their own.",
        why: "Front matter is taken out of every instruction file before it is sent. This block stays and \
              costs its tokens, in a form that says nothing to the model.",
        instead: "Begin the file with three dashes and close the block by three dashes.",
        drawbacks: "A list of facts between lines of dashes is found if it begins the file.",
        evidence: "Facts 4.1 and 4.2 (cases front-matter-*).",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a blank line before it",
        files: &[(
            "CLAUDE.md",
            "\n---\ntitle: Shop\nowner: web\n---\nUse pnpm.\n",
        )],
        fixed: &[],
    }],
    good: &[Example {
        title: "front matter, and a text between lines of dashes",
        files: &[
            ("CLAUDE.md", "---\ntitle: Shop\n---\nUse pnpm.\n"),
            (
                ".claude/rules/a.md",
                "# A\n\n---\n\nNote: this holds everywhere.\n\n---\n\nWrite tests.\n",
            ),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in &subject.files {
        let Some(block) = front_block::block(&file.document) else {
            continue;
        };
        if block.fault == Fault::Open || (block.has("paths") && file.is_rule()) {
            continue;
        }
        let text = &file.document.source[block.whole.clone()];
        // A sentence with a colon between two rules of dashes is text.
        if block
            .keys
            .iter()
            .any(|key| key.starts_with(char::is_uppercase))
            || text.contains("\n\n")
        {
            continue;
        }
        let message = "this is no front matter to the client, so it is sent as text";
        let cost = file.cost(subject.tokens(text));
        report
            .at(Place::Bytes(file.path.clone(), block.opener), message)
            .chain(subject.chain(&file.path))
            .costs(cost)
            .help("begin the file with `---`, and close the block by `---`")
            .report();
    }
}
