//! L101: an import of a file that does not exist.

use super::prelude::*;
use crate::document::has_known_extension;
use crate::lint::reach::{is_alone, is_of_home, is_prose, path_of};
use crate::record::{Mention, Near, Skip};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L101",
    name: "import-missing",
    severity: Severity::Error,
    summary: "An import names a file that does not exist.",
    page: Page {
        what: "Looks for `@path` references that the client follows and that name no file. A \
               reference counts only if it looks like a path to a text: it names a Markdown file, a \
               document or data in a folder, code in a folder where it has a line of its own, or a \
               file that is known without an extension, such as `Makefile`. Mail addresses, handles, \
               decorators, packages, tags of documentation and paths to be filled in are no imports.",
        why: "The client passes over it without a word. Everything that the file would say is \
              missing from every session, and the line still stands there as if it were said.",
        instead: "Name the file as it is seen from the folder of the file that imports it: a \
                  relative path starts there, not at the root of the repository.",
        drawbacks: "A file that is generated, or that is ignored by git and made on each machine, \
                    is missing in a fresh clone.",
        evidence: "Facts 3.1 to 3.11; bug bank B154, B155.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a file that was renamed",
            files: &[
                ("CLAUDE.md", "Rules of style: @docs/style.md\n"),
                ("docs/code-style.md", "Indent by two.\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "a path from the root of the repository, in a nested file",
            files: &[
                ("CLAUDE.md", "Use pnpm.\n"),
                ("api/CLAUDE.md", "@docs/errors.md\n"),
                ("docs/errors.md", "Errors have codes.\n"),
            ],
            fixed: &[("api/CLAUDE.md", "@../docs/errors.md\n")],
        },
    ],
    good: &[Example {
        title: "references that are no paths",
        files: &[(
            "CLAUDE.md",
            "Ask dev@team.example or @octo-friend. Mark classes with @Entity, use @acme/ui-kit,\n\
             document each @param, and see `@docs/gone.md` or\n\n```\n@docs/gone.md\n```\n\n\
             Imports are written @path/to/file.md or @docs/{topic}.md; buttons come from \
             @components/Button.tsx or @/lib/utils.ts.\n- Run `cat @docs/gone.md`\n",
        )],
        fixed: &[],
    }],
    check,
};

/// Extensions of documents and data.
const TEXTS: [&str; 12] = [
    "adoc", "csv", "html", "ini", "json", "org", "rst", "text", "toml", "txt", "yaml", "yml",
];

/// Files that are known without an extension.
const PLAIN: &[&str] = &[
    "AGENTS",
    "BUILD",
    "CHANGELOG",
    "CLAUDE",
    "CONTRIBUTING",
    "Dockerfile",
    "Gemfile",
    "Justfile",
    "LICENSE",
    "Makefile",
    "NOTICE",
    "Procfile",
    "README",
    "Rakefile",
    "Vagrantfile",
    "justfile",
    "makefile",
];

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let shortest = subject.shortest();
    for skip in &subject.skips {
        let (Some(mention), "missing") = (shortest.mention(skip), skip.case) else {
            continue;
        };
        // Those have rules of their own.
        if matches!(
            skip.near,
            Some(Near::Punctuation { .. } | Near::Space { .. } | Near::Case { .. })
        ) {
            continue;
        }
        if let Some(severity) = severity(subject, mention) {
            one(subject, report, skip, mention, severity);
        }
    }
}

fn one(
    subject: &Subject<'_, '_>,
    report: &mut Report<'_, '_>,
    skip: &Skip,
    mention: &Mention,
    severity: Severity,
) {
    let message = format!(
        "`{}` does not exist, so nothing is imported",
        subject.name(&skip.path)
    );
    let mut draft = report
        .at(Place::Mention(mention.clone()), message)
        .severity(severity)
        .chain(subject.chain(&mention.by))
        .known(skip.evidence);
    if let Some(Near::Folder { reference }) = &skip.near {
        draft = draft.help(format!(
            "a path starts at the folder of the file that names it: write `{reference}`"
        ));
        if let Some(lost) = subject.lost(mention, reference) {
            draft = draft.costs(lost);
        }
        if let Some(range) = subject.range(mention) {
            let title = format!("write `{reference}`");
            let fix = Fix::one(Applicability::Unsafe, title, &mention.by, range, reference);
            draft = draft.fix(fix);
        }
    } else if mention.reference.contains('*') {
        draft = draft.help("patterns are not expanded: name each file");
    }
    draft.report();
}

/// How bad it is that a reference names nothing; nothing where it may be no path at all.
fn severity(subject: &Subject<'_, '_>, mention: &Mention) -> Option<Severity> {
    let written = path_of(&mention.reference)?;
    // Code and data have marks of their own that begin with `@`.
    if !is_prose(&mention.by) {
        return None;
    }
    // A personal file that is missing for others is a matter of its own.
    let file = subject.file(&mention.by);
    if is_of_home(&mention.reference) && file.is_none_or(|file| subject.is_shared(file)) {
        return None;
    }
    let name = written.rsplit('/').next().unwrap_or(written);
    let has_folder = name.len() < written.len();
    let extension = name.rfind('.').filter(|dot| *dot > 0);
    let extension = extension.map(|dot| name[dot + 1..].to_lowercase());
    let is_warned = match extension.as_deref() {
        Some("md") => return Some(Severity::Error),
        Some(extension) if has_folder && TEXTS.contains(&extension) => true,
        // Code is mentioned by such names, too, often by an alias of a folder.
        Some(_) => has_folder && has_known_extension(name) && is_line(subject, mention),
        None if !has_folder => PLAIN.contains(&name),
        None => written.starts_with(['.', '~', '/']) && PLAIN.contains(&name),
    };
    is_warned.then_some(Severity::Warning)
}

/// Whether a reference is all that its line holds.
fn is_line(subject: &Subject<'_, '_>, mention: &Mention) -> bool {
    let (Some(source), Some(range)) = (subject.text(&mention.by), subject.range(mention)) else {
        return false;
    };
    is_alone(&source, &range)
}
