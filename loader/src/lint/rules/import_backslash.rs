//! L109: imports with backslashes.

use super::prelude::*;
use crate::document::Places;
use crate::lint::reach::{is_prose, path_of};
use crate::record::{Mention, Scope};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L109",
    name: "import-backslash",
    severity: Severity::Warning,
    summary: "A backslash ends the path of an import.",
    page: Page {
        what: "Looks for imports whose path goes on behind a backslash: paths as Windows writes them, \
               such as `@docs\\a.md`, and signs that a formatter escaped, such as `@docs/my\\_a.md`.",
        why: "A backslash ends the path unless a space follows. The client looks for what stands \
              before it, finds a directory or nothing, and says nothing.",
        instead: "Write slashes, on Windows too, and no backslash before a sign.",
        drawbacks: "Where no file fits, only a path that ends in `.md` or begins with a drive letter \
                    is found.",
        evidence: "Fact 3.2; bug bank B010.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a path of Windows",
            files: &[
                ("CLAUDE.md", "@docs\\style.md\n"),
                ("docs/style.md", "Indent by two.\n"),
            ],
            fixed: &[("CLAUDE.md", "@docs/style.md\n")],
        },
        Example {
            title: "a sign that is escaped",
            files: &[
                ("CLAUDE.md", "See @docs/my\\_style.md here.\n"),
                ("docs/my_style.md", "Indent by two.\n"),
            ],
            fixed: &[("CLAUDE.md", "See @docs/my_style.md here.\n")],
        },
        Example {
            title: "a drive",
            files: &[("~/.claude/CLAUDE.md", "@c:\\work\\core.md\n")],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "an escaped space, a line break, and code",
        files: &[
            (
                "CLAUDE.md",
                "@docs/my\\ style.md\n@docs/a.md\\\nUse @param\\foo and `@docs\\a.md`.\n",
            ),
            ("docs/my style.md", "Indent by two.\n"),
            ("docs/a.md", "A.\n"),
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
        let source = &file.document.source;
        let mut places = Places::new(source);
        for reference in &file.document.imports {
            let range = &reference.range;
            if source.as_bytes().get(range.end) != Some(&b'\\') {
                continue;
            }
            let end = source[range.end..].find(char::is_whitespace);
            let end = end.map_or(source.len(), |end| range.end + end);
            let written = &source[range.start..end];
            if written.len() <= range.len() + 1 || written.len() > 1_000 {
                continue;
            }
            let whole = range.start..end;
            let mention = Mention::at(&mut places, &file.path, range);
            one(subject, report, &mention, whole, written);
        }
    }
}

fn one(
    subject: &Subject<'_, '_>,
    report: &mut Report<'_, '_>,
    mention: &Mention,
    whole: std::ops::Range<usize>,
    written: &str,
) {
    // A sentence may end behind the path.
    let forms = [written.replace('\\', "/"), written.replace('\\', "")];
    let mut forms = forms
        .iter()
        .filter_map(|form| Some(format!("@{}", path_of(form)?)));
    let is_file = |form: &str| {
        let target = subject.target(&mention.by, form);
        target.is_some_and(|target| subject.is_file(&target))
    };
    // What stands before the backslash may be all that is meant.
    if is_file(&mention.reference) {
        return;
    }
    let meant = forms.find(|form| !form.ends_with('/') && is_file(form));
    let is_drive = written.as_bytes().get(2) == Some(&b':');
    let is_path = is_drive || path_of(written).is_some_and(|path| path.ends_with(".md"));
    if meant.is_none() && !is_path {
        return;
    }
    let message = format!(
        "the path ends at the backslash, so `{}` is looked for and nothing is imported",
        mention.reference
    );
    let mut draft = report
        .at(Place::Bytes(mention.by.clone(), whole.clone()), message)
        .chain(subject.chain(&mention.by));
    if let Some(meant) = meant {
        draft = draft.help(format!("write `{meant}`"));
        if let Some(lost) = subject.lost(mention, &meant) {
            draft = draft.costs(lost);
        }
        // Punctuation behind the path is kept apart from it.
        let signs = written.len() - path_of(written).map_or(0, |path| path.len() + 1);
        let space = if signs > 0 { " " } else { "" };
        let title = format!("write `{meant}`");
        let range = whole.start..whole.end - signs;
        let text = format!("{meant}{space}");
        draft = draft.fix(Fix::one(
            Applicability::Safe,
            title,
            &mention.by,
            range,
            text,
        ));
    } else {
        draft = draft.help("write the path with slashes");
    }
    draft.report();
}
