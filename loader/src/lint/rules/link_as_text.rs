//! L120: links that were checked out as texts.

use super::prelude::*;
use crate::host::Kind;
use crate::path::AbsPath;
use crate::record::Scope;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L120",
    name: "link-as-text",
    severity: Severity::Warning,
    summary: "The whole text of a file is the path of another, as of a link checked out as text.",
    page: Page {
        what: "Looks for instruction files, rules and imports whose whole text is one relative path of \
               a file that exists, and for files in place of a `.claude` or rules folder whose text is \
               the path of a directory.",
        why: "Where git may not make links, as on Windows mostly, it writes the path as the text of \
              the file. The model is then told that path and nothing else; of a folder of rules \
              nothing loads at all.",
        instead: "Let git make links (`core.symlinks`) and check the file out again, or write an \
                  import, `@AGENTS.md`, which works everywhere.",
        drawbacks: "An author may have left the `@` of an import out; the help fits as well.",
        evidence: "Realistic files, row 36; fact 2.10.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a wrapper",
            files: &[("CLAUDE.md", "AGENTS.md"), ("AGENTS.md", "Use pnpm.\n")],
            fixed: &[("CLAUDE.md", "@AGENTS.md")],
        },
        Example {
            title: "a folder of rules",
            files: &[
                ("CLAUDE.md", "Use pnpm.\n"),
                (".claude/rules", "../shared/rules"),
                ("shared/rules/style.md", "Indent by two.\n"),
            ],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "a real link, an import, and one word",
        files: &[
            ("CLAUDE.md", "-> AGENTS.md"),
            ("AGENTS.md", "Use pnpm.\n"),
            ("web/CLAUDE.md", "@AGENTS.md"),
            ("web/AGENTS.md", "Use semantic elements.\n"),
            (".claude/rules/style.md", "Makefile.md\n"),
        ],
        fixed: &[],
    }],
    check,
};

/// The longest text that is taken for a path, in bytes.
const LENGTH: usize = 300;

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in &subject.files {
        if file.scope == Scope::AutoMemory {
            continue;
        }
        let source = &*file.document.source;
        let Some((path, target)) = named(subject, &file.path, source) else {
            continue;
        };
        if !subject.is_file(&target) || target == file.path {
            continue;
        }
        let message = format!(
            "all that `{}` says is the path `{path}`: it seems to be a link that was checked out \
             as text",
            subject.name(&file.path)
        );
        let start = source.len() - source.trim_start().len();
        let range = start..start + path.len();
        let fix = Fix::one(
            Applicability::Unsafe,
            "write an import",
            &file.path,
            start..start,
            "@",
        );
        let mut draft = report
            .at(Place::Bytes(file.path.clone(), range), message)
            .chain(subject.chain(&file.path))
            .help(format!("let git make links, or write `@{path}`"))
            .fix(fix);
        if let Some(lost) = subject.lost_file(&target) {
            draft = draft.costs(lost);
        }
        draft.report();
    }
    let cwd = subject.session.cwd();
    for path in &subject.tree().files {
        let is_folder = path == ".claude"
            || path == ".claude/rules"
            || path.ends_with("/.claude")
            || path.ends_with("/.claude/rules");
        if is_folder {
            folder(subject, report, &cwd.join(path));
        }
    }
}

/// A file in place of a folder.
fn folder(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, path: &AbsPath) {
    let host = subject.session.world().host;
    if host.is_link(path) {
        return;
    }
    let Some(text) = subject.text(path) else {
        return;
    };
    let Some((written, target)) = named(subject, path, &text) else {
        return;
    };
    if host
        .metadata(&target)
        .is_ok_and(|meta| meta.kind == Kind::Directory)
    {
        let message = format!(
            "`{}` is a file with the path `{written}` and no folder: it seems to be a link that was \
             checked out as text, so nothing in it loads",
            subject.name(path)
        );
        report
            .at(Place::File(path.clone()), message)
            .help("let git make links, and check it out again")
            .report();
    }
}

/// The path that a text is, and what it names.
fn named<'t>(subject: &Subject<'_, '_>, by: &AbsPath, text: &'t str) -> Option<(&'t str, AbsPath)> {
    if text.len() > LENGTH {
        return None;
    }
    let path = text.trim();
    let is_path = !path.is_empty()
        && !path.starts_with(['@', '/', '~'])
        && path.contains(['/', '.'])
        && !path.contains(char::is_whitespace);
    is_path.then(|| Some((path, subject.target(by, path)?)))?
}
