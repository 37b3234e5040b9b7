//! L308: a README, changelog or lock file that is imported as a whole.

use super::prelude::*;
use crate::lint::number::grouped;
use crate::lint::subject::When;
use crate::record::Cause;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L308",
    name: "imported-readme",
    severity: Severity::Info,
    summary: "A long README, changelog or lock file is imported into every session.",
    page: Page {
        what: "Looks for imports of READMEs, changelogs, licences and lock files of more than 1,500 \
               tokens that the start delivers.",
        why: "Such files are written for people or for programs. Badges, history and checksums are \
              sent in each request of each session, and the model could read the file when it \
              needs it.",
        instead: "Name the file in a code span and say when it is worth reading, or write the few \
                  sentences that every session needs.",
        drawbacks: "A README may be the best description of the project that there is.",
        evidence: "Facts 3.1 and 1.1; client thread 2766.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a changelog",
        files: &[
            ("CLAUDE.md", "Releases are in @CHANGELOG.md\n"),
            (
                "CHANGELOG.md",
                "200 × - 1.{n}.0: the cart keeps its items when a session ends.\n",
            ),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "a short README, and a changelog that is named",
        files: &[
            (
                "CLAUDE.md",
                "See @README.md and, for releases, `CHANGELOG.md`.\n",
            ),
            ("README.md", "# Shop\n\nA shop.\n"),
            (
                "CHANGELOG.md",
                "200 × - 1.{n}.0: the cart keeps its items when a session ends.\n",
            ),
        ],
        fixed: &[],
    }],
    check,
};

/// Names of documents, without an extension and in lower case.
const DOCUMENTS: &[&str] = &[
    "changelog",
    "changes",
    "copying",
    "history",
    "licence",
    "license",
    "news",
    "readme",
    "releases",
];

/// Names of lock files that can be imported.
const LOCKS: &[&str] = &[
    "go.sum",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "packages.lock.json",
    "pnpm-lock.yaml",
];

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in &subject.files {
        let (When::Start, Some(Cause::Import(mention))) = (&file.when, &file.cause) else {
            continue;
        };
        let name = file.path.file_name().to_lowercase();
        let stem = name.split('.').next().unwrap_or(&name);
        let is_lock = LOCKS.contains(&name.as_str()) || name.ends_with(".lock");
        if !is_lock && !DOCUMENTS.contains(&stem) {
            continue;
        }
        let tokens = subject.tokens(&file.text);
        if tokens <= subject.budgets.imported_document_tokens {
            continue;
        }
        let message = format!(
            "`{}` comes as a whole into every session, {} tokens",
            subject.name(&file.path),
            grouped(tokens)
        );
        report
            .at(Place::Mention(mention.clone()), message)
            .chain(subject.chain(&mention.by))
            .costs(Cost::Start(tokens))
            .help(format!(
                "write `{}` in a code span and say when it is worth reading",
                mention.reference.trim_start_matches('@')
            ))
            .report();
    }
}
