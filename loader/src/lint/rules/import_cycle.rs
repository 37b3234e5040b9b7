//! L104: files that import each other.

use super::prelude::*;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L104",
    name: "import-cycle",
    severity: Severity::Warning,
    summary: "Files import each other in a circle.",
    page: Page {
        what: "Looks for imports of a file that is on the way of imports to this very place, the \
               file itself included.",
        why: "The client ends the circle there, and each file comes once: the import does nothing. \
              Which file comes first then depends on where the circle is entered, so that a session \
              that starts elsewhere has another order. A file that names itself is harmless and \
              only noted.",
        instead: "Let one of the files import the other, or put a mention that is meant for readers \
                  into back-ticks, which import nothing.",
        drawbacks: "Nothing is lost or doubled by a circle as such.",
        evidence: "Fact 3.15; case import-cycle.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "two files of each other",
        files: &[
            ("CLAUDE.md", "@docs/style.md\n"),
            ("docs/style.md", "Style.\n@tests.md\n"),
            ("docs/tests.md", "Tests.\n@style.md\n"),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "two ways to one file",
        files: &[
            ("CLAUDE.md", "@docs/style.md\n@docs/tests.md\n"),
            ("docs/style.md", "Style, as in `@tests.md`.\n"),
            ("docs/tests.md", "Tests.\n@style.md\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for skip in &subject.skips {
        let (Some(mention), "cycle") = (&skip.mention, skip.case) else {
            continue;
        };
        let name = subject.name(&skip.path);
        let itself = skip.path == mention.by;
        let message = if itself {
            format!("`{name}` names itself here, which imports nothing")
        } else {
            format!("`{name}` is on the way to this import already, so the client ends here")
        };
        let mut draft = report
            .at(Place::Mention(mention.clone()), message)
            .chain(subject.chain(&mention.by))
            .known(skip.evidence);
        if itself {
            draft = draft
                .severity(Severity::Info)
                .help("put a mention that is no import into back-ticks");
        } else {
            draft = draft.help("take out one of the imports of the circle");
        }
        draft.report();
    }
}
