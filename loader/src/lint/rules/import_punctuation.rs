//! L107: punctuation that belongs to the path of an import.

use super::prelude::*;
use crate::lint::reach::shown;
use crate::record::Near;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L107",
    name: "import-punctuation",
    severity: Severity::Warning,
    summary: "Punctuation behind an import is part of its path, so it names no file.",
    page: Page {
        what: "Looks for imports that name no file but would without the punctuation at their end, as \
               in `@docs/a.md,` or `@docs/a.md.` at the end of a sentence.",
        why: "Only white space ends the path of an import. With a comma or a full stop it names \
              another file, which does not exist: the client passes over it without a word, and \
              everything that the file would say is missing from every session. Formatters that \
              join lines or add full stops make such paths.",
        instead: "Put a space between path and punctuation, or give each import a line or list item \
                  of its own, which formatters leave alone.",
        drawbacks: "None is known: the file without the punctuation exists, and does not come by \
                    another import.",
        evidence: "Fact 3.2; bug bank B170.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a comma between two imports",
        files: &[
            ("CLAUDE.md", "Read @docs/style.md, @docs/tests.md first.\n"),
            ("docs/style.md", "Indent by two.\n"),
            ("docs/tests.md", "Run them.\n"),
        ],
        fixed: &[("CLAUDE.md", "Read @docs/style.md , @docs/tests.md first.\n")],
    }],
    good: &[Example {
        title: "white space before the punctuation",
        files: &[
            (
                "CLAUDE.md",
                "Read @docs/style.md (short) and @docs/tests.md , too; @docs/style.md, first.\n\
                 - **See @docs/tests.md** and `cat @docs/style.md`\n",
            ),
            ("docs/style.md", "Indent by two.\n"),
            ("docs/tests.md", "Run them.\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let shortest = subject.shortest();
    for skip in &subject.skips {
        let (Some(mention), Some(Near::Punctuation { bare, rest })) =
            (shortest.mention(skip), &skip.near)
        else {
            continue;
        };
        // A mention of what is imported properly elsewhere loses nothing.
        let target = subject.target(&mention.by, bare);
        if target.is_some_and(|target| subject.comes(&target)) {
            continue;
        }
        let message = format!(
            "`{}` is part of the path, so `{bare}` is not imported",
            shown(rest)
        );
        let mut draft = report
            .at(Place::Mention(mention.clone()), message)
            .chain(subject.chain(&mention.by))
            .help(format!("put a space behind `{bare}`"))
            .known(skip.evidence);
        if let Some(lost) = subject.lost(mention, bare) {
            draft = draft.costs(lost);
        }
        if let Some(range) = subject.range(mention) {
            let behind = range.end - rest.len();
            let title = format!("put a space behind `{bare}`");
            let fix = Fix::one(
                Applicability::Unsafe,
                title,
                &mention.by,
                behind..behind,
                " ",
            );
            draft = draft.fix(fix);
        }
        draft.report();
    }
}
