//! L102: imports from outside the working directory.

use super::prelude::*;
use crate::record::Skip;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L102",
    name: "import-external",
    severity: Severity::Info,
    summary: "An import lies outside the working directory, so it needs an approval.",
    page: Page {
        what: "Looks for imports and linked rules whose real file lies outside the directory in which \
               the session starts, and that no approval lets in. A file of the same repository above \
               that directory is outside, too. Imports of the user's own files are exempt.",
        why: "An interactive session asks once for each project; a headless run never asks and leaves \
              the text out without a word. Once declined, the client does not ask again. What a read \
              loads imports nothing from outside, approved or not: that is a warning, and so is a \
              declined import.",
        instead: "Start the session in the directory that holds both files, keep a copy or the file \
                  itself below the working directory, or approve external imports once in an \
                  interactive session before headless runs.",
        drawbacks: "The approval is a matter of each machine: it is read from the client's state file \
                    where the rule runs, and a build machine mostly has none.",
        evidence: "Facts 3.17 to 3.20, 5.18 and 2.11; bug bank B001, B004, B024; threads 78697 and \
                   89461 of the client's tracker.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a file beside the project, not approved",
            files: &[
                ("CLAUDE.md", "@../house.md\n"),
                ("../house.md", "Write British English.\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "declined",
            files: &[
                ("CLAUDE.md", "@../house.md\n"),
                ("../house.md", "Write British English.\n"),
                (
                    "~/.claude.json",
                    "{\"projects\":{\"/home/dev/shop\":{\
                     \"hasClaudeMdExternalIncludesWarningShown\":true}}}",
                ),
            ],
            fixed: &[],
        },
        Example {
            title: "in a nested file, though approved",
            files: &[
                ("web/CLAUDE.md", "@../../house.md\n"),
                ("../house.md", "Write British English.\n"),
                (
                    "~/.claude.json",
                    "{\"projects\":{\"/home/dev/shop\":{\
                     \"hasClaudeMdExternalIncludesApproved\":true}}}",
                ),
            ],
            fixed: &[],
        },
    ],
    good: &[
        Example {
            title: "approved",
            files: &[
                ("CLAUDE.md", "@../house.md\n"),
                ("../house.md", "Write British English.\n"),
                (
                    "~/.claude.json",
                    "{\"projects\":{\"/home/dev/shop\":{\
                     \"hasClaudeMdExternalIncludesApproved\":true}}}",
                ),
            ],
            fixed: &[],
        },
        Example {
            title: "the user's own file",
            files: &[
                ("~/.claude/CLAUDE.md", "@~/notes.md\n"),
                ("~/notes.md", "Be brief.\n"),
            ],
            fixed: &[],
        },
    ],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for skip in &subject.skips {
        if subject.comes(&skip.path) {
            continue;
        }
        one(subject, report, skip);
    }
}

fn one(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, skip: &Skip) {
    let name = subject.name(&skip.path);
    let outside = format!("`{name}` lies outside the working directory");
    let (message, severity, help) = match skip.case {
        "external-never-asked" => (
            format!("{outside}: headless runs leave it out, an interactive session asks first"),
            Severity::Info,
            "approve external imports in an interactive session, or keep the file below the \
             working directory",
        ),
        "external-declined" => (
            format!("{outside}, and external imports were declined, so it never loads"),
            Severity::Warning,
            "set `hasClaudeMdExternalIncludesApproved` for this project in the client's state \
             file, or keep the file below the working directory",
        ),
        "external-on-read" => (
            format!("{outside}, and what a read loads imports nothing from there"),
            Severity::Warning,
            "start the session in a directory that holds both files, or import it from a file \
             that loads when the session starts",
        ),
        "symlink-outside" => (
            format!(
                "a link leads from `{name}` out of the working directory, so it loads only once \
                 external imports are approved"
            ),
            Severity::Info,
            "approve external imports in an interactive session, or keep a copy of the rule here",
        ),
        _ => return,
    };
    let place = match &skip.mention {
        Some(mention) => Place::Mention(mention.clone()),
        None => Place::File(skip.path.clone()),
    };
    let mut draft = report
        .at(place, message)
        .severity(severity)
        .help(help)
        .known(skip.evidence);
    if let Some(mention) = &skip.mention {
        draft = draft.chain(subject.chain(&mention.by));
    }
    if let Some(lost) = subject.lost_file(&skip.path) {
        draft = draft.costs(lost);
    }
    draft.report();
}
