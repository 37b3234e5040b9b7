//! L103: imports beyond the limit of hops.

use super::prelude::*;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L103",
    name: "import-too-deep",
    severity: Severity::Error,
    summary: "An import is more than four imports away from its root file.",
    page: Page {
        what: "Looks for imports that the client does not follow since more than four imports lie \
               between them and the file that loads by itself.",
        why: "The client stops there without a word. The file's text and all that it imports are \
              missing from every session.",
        instead: "Import the file from one that is nearer to the root file. A file that is met at the \
                  limit first is not looked into again, so the nearer import must stand before the \
                  long chain.",
        drawbacks: "Old pages of the manual allow five; four is what the client does.",
        evidence: "Fact 3.14; bug bank B018.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "five imports in a row",
        files: &[
            ("CLAUDE.md", "@docs/a.md\n"),
            ("docs/a.md", "A\n@b.md\n"),
            ("docs/b.md", "B\n@c.md\n"),
            ("docs/c.md", "C\n@d.md\n"),
            ("docs/d.md", "D\n@e.md\n"),
            ("docs/e.md", "Sign each commit.\n"),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "four imports in a row",
        files: &[
            ("CLAUDE.md", "@docs/a.md\n"),
            ("docs/a.md", "A\n@b.md\n"),
            ("docs/b.md", "B\n@c.md\n"),
            ("docs/c.md", "C\n@d.md\n"),
            ("docs/d.md", "D\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for skip in &subject.skips {
        let (Some(mention), "depth-limit") = (&skip.mention, skip.case) else {
            continue;
        };
        if subject.comes(&skip.path) {
            continue;
        }
        let chain = subject.chain(&mention.by);
        let root = chain.first().map_or(&mention.by, |first| &first.by);
        let message = format!(
            "`{}` is {} imports away from `{}` and the client follows four, so it is not imported",
            subject.name(&skip.path),
            chain.len() + 1,
            subject.name(root)
        );
        let mut draft = report
            .at(Place::Mention(mention.clone()), message)
            .help(format!(
                "import it from `{}` or a file near to it",
                subject.name(root)
            ))
            .chain(chain)
            .known(skip.evidence);
        if let Some(lost) = subject.lost_file(&skip.path) {
            draft = draft.costs(lost);
        }
        draft.report();
    }
}
