//! L122: references that something right before or around them keeps from being imports.

use super::prelude::*;
use crate::document::{Reference, has_known_extension};
use crate::lint::fix::Edit;
use crate::lint::reach::{is_prose, shown};
use crate::lint::subject::File;
use crate::path::AbsPath;
use crate::record::Scope;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L122",
    name: "import-stuck",
    severity: Severity::Warning,
    summary: "A character right before an import, or quotes in it, keep it from being one.",
    page: Page {
        what: "Looks for references to files that exist and do not come otherwise, with a character \
               right before the `@`, as in `(@docs/a.md)` or `\"@docs/a.md\"`, or with the path in quotes \
               or brackets, as in `@\"docs/a b.md\"`.",
        why: "An import begins at the start of a text or behind white space, and its path is neither \
              quoted nor bracketed. Languages that write no spaces meet this often. The client says \
              nothing.",
        instead: "Put a space before the `@` and behind the path, and write `\\ ` for a space in it. \
                  Emphasis and the text of a link are no hindrance: `**@docs/a.md**` imports.",
        drawbacks: "A mention in parentheses may be meant for readers; back-ticks say so.",
        evidence: "Facts 3.1, 3.4 and 3.5; cases import-position and import-first-*.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "parentheses",
            files: &[
                ("CLAUDE.md", "Style (@docs/style.md).\n"),
                ("docs/style.md", "Indent by two.\n"),
            ],
            fixed: &[("CLAUDE.md", "Style ( @docs/style.md ).\n")],
        },
        Example {
            title: "quotes",
            files: &[
                ("CLAUDE.md", "- @\"docs/house style.md\"\n"),
                ("docs/house style.md", "Indent by two.\n"),
            ],
            fixed: &[("CLAUDE.md", "- @docs/house\\ style.md\n")],
        },
        Example {
            title: "no space",
            files: &[
                (
                    "CLAUDE.md",
                    "\u{53C2}\u{89C1}\u{FF1A}@docs/style.md\u{3002}\n",
                ),
                ("docs/style.md", "Indent by two.\n"),
            ],
            fixed: &[(
                "CLAUDE.md",
                "\u{53C2}\u{89C1}\u{FF1A} @docs/style.md \u{3002}\n",
            )],
        },
    ],
    good: &[Example {
        title: "emphasis, links, addresses, code, and what comes anyway",
        files: &[
            (
                "CLAUDE.md",
                "**@docs/style.md** and [@docs/tests.md](docs/tests.md), again (@docs/tests.md).\n\
                 Mail dev@docs/old.md, run `f(@docs/old.md)` or curl --data=@docs/old.md here.\n",
            ),
            ("docs/style.md", "Indent by two.\n"),
            ("docs/tests.md", "Run them.\n"),
            ("docs/old.md", "Old.\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in &subject.files {
        if file.scope == Scope::AutoMemory || !is_prose(&file.path) {
            continue;
        }
        for reference in &file.document.stuck {
            one(subject, report, file, reference);
        }
    }
}

fn one(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, file: &File, reference: &Reference) {
    let Some((path, target)) = meant(subject, file, &reference.path) else {
        return;
    };
    let source = &*file.document.source;
    let range = reference.range.clone();
    let is_quoted = !source[range.start + 1..].starts_with(path);
    let written = format!("@{}", path.replace(' ', "\\ "));
    let next_is_free = |at: usize| source[at..].chars().next().is_none_or(char::is_whitespace);
    let edit = |range, text: String| Edit {
        path: file.path.clone(),
        range,
        text,
    };
    let (message, end, title, edits) = if is_quoted {
        let space = if next_is_free(range.end) { "" } else { " " };
        let edits = vec![edit(range.clone(), format!("{written}{space}"))];
        let message = "what stands around the path keeps it from being an import".to_owned();
        (message, range.end, format!("write `{written}`"), edits)
    } else {
        let end = range.start + 1 + path.len();
        let mut edits = vec![edit(range.start..range.start, " ".to_owned())];
        if !next_is_free(end) {
            edits.push(edit(end..end, " ".to_owned()));
        }
        let before = source[..range.start].chars().next_back().map(String::from);
        let before = shown(&before.unwrap_or_default());
        let message = format!("`{before}` right before `@{path}` keeps it from being an import");
        let title = format!("put spaces around `@{path}`");
        (message, end, title, edits)
    };
    let fix = Fix {
        title: title.clone(),
        applicability: Applicability::Unsafe,
        edits,
    };
    let mut draft = report
        .at(Place::Bytes(file.path.clone(), range.start..end), message)
        .chain(subject.chain(&file.path))
        .help(title)
        .fix(fix);
    if let Some(lost) = subject.lost_file(&target) {
        draft = draft.costs(lost);
    }
    draft.report();
}

/// The part of a path that names a file which does not come, and that file.
fn meant<'p>(subject: &Subject<'_, '_>, file: &File, path: &'p str) -> Option<(&'p str, AbsPath)> {
    let is_end =
        |c: char| "()[]{}\"'<>*_`|,;".contains(c) || (!c.is_ascii() && !c.is_alphanumeric());
    let to_sign = &path[..path.find(is_end).unwrap_or(path.len())];
    let to_letter = &path[..path.find(|c: char| !c.is_ascii()).unwrap_or(path.len())];
    let mut forms = [path, to_sign, to_letter]
        .into_iter()
        .map(|form| form.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '"', '\'']));
    forms.find_map(|form| {
        let target = subject.target(&file.path, form)?;
        let imports = !form.is_empty()
            && has_known_extension(form)
            && subject.is_file(&target)
            && !subject.comes(&target);
        imports.then_some((form, target))
    })
}
