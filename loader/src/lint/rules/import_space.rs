//! L108: imports that end at a space in the file's name.

use super::prelude::*;
use crate::record::Near;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L108",
    name: "import-space",
    severity: Severity::Warning,
    summary: "A space in the name of a file ends the path of an import.",
    page: Page {
        what: "Looks for imports that name no file, but would if the words behind them belonged to \
               the path, as in `@docs/house style.md`.",
        why: "White space ends the path. The client looks for `docs/house`, finds nothing and says \
              nothing, so that all of the file is missing from every session.",
        instead: "Write a backslash before each space, `@docs/house\\ style.md`, or rename the file. \
                  Quotes do not help.",
        drawbacks: "None is known: the file with the space exists.",
        evidence: "Facts 3.2 and 3.5; bug bank B012.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a name of two words",
        files: &[
            ("CLAUDE.md", "Style: @docs/house style.md.\r\nMore.\r\n"),
            ("docs/house style.md", "Indent by two.\n"),
        ],
        fixed: &[("CLAUDE.md", "Style: @docs/house\\ style.md .\r\nMore.\r\n")],
    }],
    good: &[Example {
        title: "a backslash before the space, and a name that ends where it ends",
        files: &[
            (
                "CLAUDE.md",
                "Style: @docs/house\\ style.md and @docs/style md too.\n",
            ),
            ("docs/house style.md", "Indent by two.\n"),
            ("docs/style", "Indent by four.\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for skip in &subject.skips {
        let (Some(mention), Some(Near::Space { rest })) = (&skip.mention, &skip.near) else {
            continue;
        };
        let whole = format!("{}{rest}", mention.reference);
        let written = whole.replace("\\ ", " ").replace(' ', "\\ ");
        let message = format!(
            "the path ends at the space, so `{}` is looked for and nothing is imported",
            mention.reference
        );
        let mut draft = report
            .at(Place::Mention(mention.clone()), message)
            .chain(subject.chain(&mention.by))
            .help(format!("write `{written}`"))
            .known(skip.evidence);
        if let Some(lost) = subject.lost(mention, &written) {
            draft = draft.costs(lost);
        }
        let range = subject.range(mention);
        if let (Some(range), Some(source)) = (range, subject.text(&mention.by)) {
            let range = range.start..range.end + rest.len();
            // Punctuation of the sentence would become part of the path.
            let next = source[range.end..].chars().next();
            let space = next.is_some_and(|next| !next.is_whitespace());
            let text = format!("{written}{}", if space { " " } else { "" });
            let title = "put a backslash before each space";
            let fix = Fix::one(Applicability::Safe, title, &mention.by, range, text);
            draft = draft.fix(fix);
        }
        draft.report();
    }
}
