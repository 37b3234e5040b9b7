//! L411: a comment that is never closed.

use super::prelude::*;
use crate::document::Document;
use crate::lint::subject::File;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L411",
    name: "html-comment-open",
    severity: Severity::Warning,
    summary: "A comment is never closed, so all of it is delivered and imports below are not followed.",
    page: Page {
        what: "Looks for `<!--` at the start of a line without a `-->` anywhere below.",
        why: "Pages show nothing of such a file from there on, so it looks as if its rest were hidden. \
              The client removes only comments that end: the model receives the opener and all that \
              follows. At the same time no import below is followed, for it stands in HTML.",
        instead: "Write `-->` where the comment should end, or delete the opener.",
        drawbacks: "None is known: what is said is what the client does.",
        evidence: "Fact 4.4; case comment-unclosed.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "an opener above an import",
        files: &[
            (
                "CLAUDE.md",
                "Use pnpm.\n\n<!-- older rules\n\nUse npm.\n\n@docs/a.md\n",
            ),
            ("docs/a.md", "Indent by two.\n"),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "comments that end, and an opener in code or in a sentence",
        files: &[(
            "CLAUDE.md",
            "<!-- one\n\ntwo -->\n\nBegin comments with `<!--`, that is <!-- in pages.\n\n```html\n<!-- open\n```\n",
        )],
        fixed: &[],
    }],
    check,
};

const OPENER: &str = "<!--";

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in &subject.files {
        let source = &file.document.source;
        // The last opener is the one that is open, if one is: comments do not nest.
        let last_end = source.rfind("-->").unwrap_or_default();
        if !source[last_end..].contains(OPENER) {
            continue;
        }
        let prose = subject.prose(file);
        let Some(open) = prose.html.iter().find(|html| {
            let html = &source[(*html).clone()];
            html.trim_start().starts_with(OPENER) && !html.contains("-->")
        }) else {
            continue;
        };
        let at = open.start + source[open.clone()].find(OPENER).unwrap_or_default();
        let imports = match imports(subject, file, &source[at + OPENER.len()..]) {
            0 => String::new(),
            1 => ", but the import below is not followed".to_owned(),
            below => format!(", but the {below} imports below are not followed"),
        };
        report
            .at(
                Place::Bytes(file.path.clone(), at..at + OPENER.len()),
                format!(
                    "this comment never ends, so the {} that follow are delivered{imports}",
                    lines(&source[at..])
                ),
            )
            .chain(subject.chain(&file.path))
            .costs(file.cost(subject.tokens(&source[at..])))
            .help("write `-->` where it should end")
            .report();
    }
}

/// The references to files that would be imports if the comment had ended at once.
fn imports(subject: &Subject<'_, '_>, file: &File, rest: &str) -> usize {
    let Some(folder) = file.path.parent() else {
        return 0;
    };
    let rest = Document::from_text(rest.into(), &subject.session.client().behaviour);
    let paths = rest.imports.iter().map(|import| folder.join(&import.path));
    paths.filter(|path| subject.is_file(path)).count()
}

fn lines(rest: &str) -> String {
    let count = rest.trim_end().lines().count();
    format!("{count} {}", if count == 1 { "line" } else { "lines" })
}
