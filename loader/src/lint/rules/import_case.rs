//! L110: imports in other letters than the file's.

use super::prelude::*;
use crate::record::Near;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L110",
    name: "import-case",
    severity: Severity::Warning,
    summary: "An import names a file in other letters than it has.",
    page: Page {
        what: "Looks for imports that name no file on a system that tells capital letters from small \
               ones, where a file of that name in other letters exists.",
        why: "The import works on a system that does not tell them apart, such as macOS or Windows as \
              they are mostly set up, and brings nothing on Linux and in most build machines. The \
              client says nothing.",
        instead: "Write the name as the file has it.",
        drawbacks: "None is known: the file in other letters exists.",
        evidence: "Fact 1.7; bug bank B042.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "capital letters",
        files: &[
            ("CLAUDE.md", "@docs/Style.md\n"),
            ("docs/STYLE.md", "Indent by two.\n"),
        ],
        fixed: &[("CLAUDE.md", "@docs/STYLE.md\n")],
    }],
    good: &[Example {
        title: "two files that differ in letters only",
        files: &[
            ("CLAUDE.md", "@docs/Style.md\n"),
            ("docs/Style.md", "Indent by two.\n"),
            ("docs/style.md", "Indent by four.\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for skip in &subject.skips {
        let (Some(mention), Some(Near::Case { reference })) = (&skip.mention, &skip.near) else {
            continue;
        };
        // `@Entity` beside a file `entity` is no import.
        if !reference.contains(['/', '.']) {
            continue;
        }
        let message = format!(
            "`{}` does not exist in these letters, so nothing is imported",
            subject.name(&skip.path)
        );
        let mut draft = report
            .at(Place::Mention(mention.clone()), message)
            .chain(subject.chain(&mention.by))
            .help(format!("write `{reference}`"))
            .known(skip.evidence);
        if let Some(lost) = subject.lost(mention, reference) {
            draft = draft.costs(lost);
        }
        if let Some(range) = subject.range(mention) {
            let title = format!("write `{reference}`");
            let fix = Fix::one(Applicability::Safe, title, &mention.by, range, reference);
            draft = draft.fix(fix);
        }
        draft.report();
    }
}
