//! L101: an import of a file that does not exist.

use super::prelude::*;
use crate::document::has_known_extension;
use crate::record::{Mention, Near, Skip};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L101",
    name: "import-missing",
    severity: Severity::Error,
    summary: "An import names a file that does not exist.",
    page: Page {
        what: "Looks for `@path` references that the client follows and that name no file. A \
               reference counts only if it looks like a path to a text: it ends in a text \
               extension and is a Markdown file or is written with a folder, or it has the name of \
               a file that is known without one, such as `Makefile`. Mail addresses, handles, \
               decorators, packages and tags of documentation are no imports.",
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
             document each @param, and see `@docs/gone.md` or\n\n```\n@docs/gone.md\n```\n",
        )],
        fixed: &[],
    }],
    check,
};

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
    for skip in &subject.skips {
        let (Some(mention), true) = (&skip.mention, skip.case == "missing") else {
            continue;
        };
        // Those have rules of their own.
        if matches!(
            skip.near,
            Some(Near::Punctuation { .. } | Near::Space { .. } | Near::Case { .. })
        ) {
            continue;
        }
        let Some(severity) = severity(mention) else {
            continue;
        };
        one(subject, report, skip, mention, severity);
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
        if let Some(range) = subject.range(mention) {
            let title = format!("write `{reference}`");
            let fix = Fix::one(Applicability::Unsafe, title, &mention.by, range, reference);
            draft = draft.fix(fix);
        }
    }
    draft.report();
}

/// How bad it is that a reference names nothing; nothing where it may be no path at all.
fn severity(mention: &Mention) -> Option<Severity> {
    let written = mention.reference.trim_start_matches('@');
    let name = written.rsplit('/').next().unwrap_or(written);
    let has_folder = name.len() < written.len();
    let dot = name.rfind('.').filter(|dot| *dot > 0);
    let extension = dot.map(|dot| name[dot + 1..].to_lowercase());
    match extension.as_deref() {
        Some("md") => Some(Severity::Error),
        Some(_) if has_folder && has_known_extension(name) => Some(Severity::Warning),
        Some(_) => None,
        None if !has_folder && PLAIN.contains(&name) => Some(Severity::Warning),
        None => {
            let is_plain = written.starts_with(['.', '~', '/']) && PLAIN.contains(&name);
            is_plain.then_some(Severity::Warning)
        }
    }
}
