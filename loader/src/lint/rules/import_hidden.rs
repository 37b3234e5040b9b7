//! L111: imports that HTML or indentation hides.

use std::ops::Range;

use super::prelude::*;
use crate::document::{Cover, has_known_extension};
use crate::lint::reach::{is_alone, is_prose, line_around};
use crate::lint::subject::File;
use crate::record::Scope;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L111",
    name: "import-hidden",
    severity: Severity::Info,
    summary: "A line that is an import stands in an HTML block or is indented, so it imports nothing.",
    page: Page {
        what: "Looks for lines that are nothing but an import of a file that exists and does not \
               come otherwise, in a block that begins with a tag or in code by indentation. Code spans, \
               fenced code, comments, and tags for examples are taken as meant.",
        why: "A block that begins with a tag, such as `<important>` in a line of its own, is HTML up to \
              the next blank line, and nothing in HTML is an import. Four spaces behind a blank line \
              make code.",
        instead: "Put a blank line between the tag and the import, and take the indentation out.",
        drawbacks: "An example may be indented on purpose; a fence says so more clearly.",
        evidence: "Fact 3.8; case import-context.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "within a tag",
            files: &[
                (
                    "CLAUDE.md",
                    "<important>\r\n@docs/style.md\r\n</important>\r\n",
                ),
                ("docs/style.md", "Indent by two.\n"),
            ],
            fixed: &[(
                "CLAUDE.md",
                "<important>\r\n\r\n@docs/style.md\r\n</important>\r\n",
            )],
        },
        Example {
            title: "four spaces",
            files: &[
                ("CLAUDE.md", "Rules:\n\n    @docs/style.md\n"),
                ("docs/style.md", "Indent by two.\n"),
            ],
            fixed: &[("CLAUDE.md", "Rules:\n\n@docs/style.md\n")],
        },
    ],
    good: &[Example {
        title: "comments, examples, fences, and a blank line",
        files: &[
            (
                "CLAUDE.md",
                "<div>\n<!--\n@docs/old.md\n-->\n</div>\n\n<example>\n@docs/old.md\n</example>\n\n\
                 ```\n@docs/old.md\n```\n\n    For example:\n    @docs/old.md\n\n\
                 <important>\n\n@docs/style.md\n\n</important>\n",
            ),
            ("docs/style.md", "Indent by two.\n"),
            ("docs/old.md", "Indent by four.\n"),
        ],
        fixed: &[],
    }],
    check,
};

/// Tags that hold what is meant as it stands.
const LITERAL: [&str; 9] = [
    "pre", "code", "script", "style", "textarea", "example", "examples", "sample", "template",
];

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in &subject.files {
        if file.scope == Scope::AutoMemory || !is_prose(&file.path) {
            continue;
        }
        for reference in &file.document.hidden {
            let range = &reference.range;
            let source = &*file.document.source;
            let is_hidden = match reference.cover {
                Some(Cover::Html) => is_alone(source, range) && is_in_tag(source, range),
                Some(Cover::Indent) => is_alone(source, range) && is_apart(source, range),
                _ => false,
            };
            if is_hidden && has_known_extension(&reference.path) {
                one(
                    subject,
                    report,
                    file,
                    range,
                    reference.cover == Some(Cover::Html),
                );
            }
        }
    }
}

fn one(
    subject: &Subject<'_, '_>,
    report: &mut Report<'_, '_>,
    file: &File,
    range: &Range<usize>,
    is_html: bool,
) {
    let source = &*file.document.source;
    let written = &source[range.clone()];
    let Some(target) = subject.target(&file.path, written) else {
        return;
    };
    if !subject.is_file(&target) || subject.comes(&target) {
        return;
    }
    let line = line_around(source, range);
    let line_end = if source[line.end.saturating_sub(1)..].starts_with('\r') {
        "\r\n"
    } else {
        "\n"
    };
    let (message, title, edit, text) = if is_html {
        (
            format!("an HTML block holds `{written}`, so it imports nothing"),
            "put a blank line before it",
            line.start..line.start,
            line_end,
        )
    } else {
        let indent = source[line.clone()].len() - source[line.clone()].trim_start().len();
        (
            format!("its indentation makes code of `{written}`, so it imports nothing"),
            "take the indentation out",
            line.start..line.start + indent,
            "",
        )
    };
    let fix = Fix::one(Applicability::Unsafe, title, &file.path, edit, text);
    let mut draft = report
        .at(Place::Bytes(file.path.clone(), range.clone()), message)
        .chain(subject.chain(&file.path))
        .help(title)
        .fix(fix);
    if let Some(lost) = subject.lost_file(&target) {
        draft = draft.costs(lost);
    }
    draft.report();
}

/// Whether the block begins with a tag that is no example, and no comment holds the reference.
fn is_in_tag(source: &str, range: &Range<usize>) -> bool {
    let mut start = line_around(source, range).start;
    // A block of HTML goes up to a blank line.
    for _ in 0..50 {
        if start == 0 {
            break;
        }
        let above = line_around(source, &(start - 1..start - 1));
        if source[above.clone()].trim().is_empty() {
            break;
        }
        start = above.start;
    }
    let block = &source[start..range.start];
    let is_comment = match (block.rfind("<!--"), block.rfind("-->")) {
        (Some(open), Some(close)) => open > close,
        (Some(_), None) => true,
        _ => false,
    };
    let mut tags = block.split('<').skip(1).map(|tag| {
        let name = tag.find(|c: char| !c.is_ascii_alphanumeric());
        tag[..name.unwrap_or(tag.len())].to_ascii_lowercase()
    });
    !is_comment && !tags.any(|tag| LITERAL.contains(&tag.as_str()))
}

/// Whether the lines above and below are blank or such references, too.
fn is_apart(source: &str, range: &Range<usize>) -> bool {
    let line = line_around(source, range);
    let is_free = |at: usize| {
        let text = source[line_around(source, &(at..at))].trim();
        text.is_empty() || (text.starts_with('@') && !text.contains(' '))
    };
    (line.start == 0 || is_free(line.start - 1))
        && (line.end >= source.len() || is_free(line.end + 1))
}
