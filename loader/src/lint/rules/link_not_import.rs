//! L127: Markdown links in place of imports.

use std::ops::Range;

use super::prelude::*;
use crate::lint::reach::{is_prose, line_around};
use crate::lint::subject::File;
use crate::record::Scope;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L127",
    name: "link-not-import",
    severity: Severity::Warning,
    summary: "A Markdown link to the `AGENTS.md` of the same folder stands in place of an import.",
    page: Page {
        what: "Looks for links such as `[AGENTS.md](AGENTS.md)` in instruction files, where that file \
               lies in the same folder and does not come otherwise.",
        why: "A link brings nothing: the model is told that there is such a file and may or may not read \
              it. The `CLAUDE.md` that holds the link even keeps the client from reading `AGENTS.md` by \
              itself.",
        instead: "Write `@AGENTS.md` in place of the link.",
        drawbacks: "The link may be meant for readers only. Links to files of other folders, which \
                    the model may open when it needs them, are left alone, and so are lines that \
                    want the file to be read on demand.",
        evidence: "Facts 1.11 and 3.1; bug bank B045.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a link to the file beside it",
        files: &[
            ("CLAUDE.md", "See [AGENTS.md](AGENTS.md).\n"),
            ("AGENTS.md", "Use pnpm.\n"),
        ],
        fixed: &[("CLAUDE.md", "See @AGENTS.md .\n")],
    }],
    good: &[Example {
        title: "an import beside it, other folders, and code",
        files: &[
            (
                "CLAUDE.md",
                "@AGENTS.md, see [AGENTS.md](./AGENTS.md) and [web](web/AGENTS.md)\n- @AGENTS.md\n",
            ),
            ("AGENTS.md", "Use pnpm.\n"),
            ("web/CLAUDE.md", "Write `[AGENTS.md](AGENTS.md)`.\n"),
            ("web/AGENTS.md", "Use semantic elements.\n"),
            (
                "api/CLAUDE.md",
                "Read [AGENTS.md](AGENTS.md) on demand, not at the start.\n",
            ),
            ("api/AGENTS.md", "Errors have codes.\n"),
        ],
        fixed: &[],
    }],
    check,
};

/// Words of a line that wants the file to be read later.
const LATER: [&str; 5] = [
    "on demand",
    "on-demand",
    "when needed",
    "if needed",
    "as needed",
];

/// The ends of such links.
const LINKS: [&str; 2] = ["](AGENTS.md)", "](./AGENTS.md)"];

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in &subject.files {
        let target = file.path.parent().map(|folder| folder.child("AGENTS.md"));
        let Some(target) = target.filter(|target| *target != file.path) else {
            continue;
        };
        let Some(range) = link(file) else { continue };
        if !subject.is_file(&target) || subject.comes(&target) {
            continue;
        }
        let source = &file.document.source;
        let is_free = |next: Option<char>| next.is_none_or(char::is_whitespace);
        let space = |is_free: bool| if is_free { "" } else { " " };
        let before = space(is_free(source[..range.start].chars().next_back()));
        let behind = space(is_free(source[range.end..].chars().next()));
        let fix = Fix::one(
            Applicability::Unsafe,
            "write `@AGENTS.md`",
            &file.path,
            range.clone(),
            format!("{before}@AGENTS.md{behind}"),
        );
        let mut draft = report
            .at(
                Place::Bytes(file.path.clone(), range),
                "a link imports nothing, so no session here gets `AGENTS.md`",
            )
            .chain(subject.chain(&file.path))
            .help("write `@AGENTS.md`")
            .fix(fix);
        if let Some(lost) = subject.lost_file(&target) {
            draft = draft.costs(lost);
        }
        draft.report();
    }
}

/// The first such link of a file, outside of code and comments.
fn link(file: &File) -> Option<Range<usize>> {
    if file.scope == Scope::AutoMemory || !is_prose(&file.path) {
        return None;
    }
    let source = &*file.document.source;
    LINKS.iter().find_map(|link| {
        let mut found = memchr::memmem::find_iter(source.as_bytes(), link).take(100);
        found.find_map(|at| {
            let line = line_around(source, &(at..at));
            let said = source[line.clone()].to_ascii_lowercase();
            if LATER.iter().any(|word| said.contains(word)) {
                return None;
            }
            let before = &source[line.start..at];
            let start = line.start + before.rfind('[')?;
            let range = start..at + link.len();
            let comments = &file.document.comments;
            let in_comment = comments.iter().any(|comment| comment.contains(&at));
            let in_code =
                before.contains('`') || before.starts_with("    ") || before.starts_with('\t');
            (!in_comment && !in_code).then_some(range)
        })
    })
}
