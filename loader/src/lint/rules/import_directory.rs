//! L105: imports of directories.

use super::prelude::*;
use crate::lint::reach::{is_alone, is_prose};
use crate::record::{Mention, Reason};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L105",
    name: "import-directory",
    severity: Severity::Warning,
    summary: "An import names a directory, of which nothing is imported.",
    page: Page {
        what: "Looks for imports of directories, and for directories that have the name of an \
               instruction file. Within a sentence a reference counts only where it is written as a \
               path; handles, packages and aliases of folders in code do not count, if a directory \
               has the same name.",
        why: "The client imports files only. It looks for no `CLAUDE.md` in the directory either, and \
              says nothing.",
        instead: "Name each file, or one file of the directory that imports the others.",
        drawbacks: "A sentence may just mention the directory; back-ticks keep such a mention from \
                    being an import.",
        evidence: "Fact 3.6; case import-path-forms.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a folder of documents",
            files: &[
                ("CLAUDE.md", "Specifications:\n- @docs/specs\n"),
                ("docs/specs/one.md", "One.\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "in a sentence",
            files: &[
                ("CLAUDE.md", "Read @docs/ first.\n"),
                ("docs/one.md", "One.\n"),
            ],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "handles and aliases",
        files: &[
            (
                "CLAUDE.md",
                "Ask @platform for help. Components are in @web/components here, and \
                 @docs/<topic>.md has more.\n",
            ),
            ("platform/a.ts", "//\n"),
            ("web/components/b.ts", "//\n"),
            ("docs/one.md", "One.\n"),
        ],
        fixed: &[],
    }],
    check,
};

/// Files by which a directory is often meant.
const ENTRIES: [&str; 4] = ["CLAUDE.md", "AGENTS.md", "README.md", "index.md"];

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for skip in &subject.skips {
        let Some(mention) = &skip.mention else {
            if skip.reason == Reason::Directory {
                let message = "a directory has the name of an instruction file, so nothing loads";
                report
                    .at(Place::File(skip.path.clone()), message)
                    .known(skip.evidence)
                    .report();
            }
            continue;
        };
        let is_directory = match skip.case {
            "directory" => true,
            // A slash at the end of an absolute path.
            "trailing-slash" => {
                !subject.is_file(&skip.path) && !subject.names_in(&skip.path).is_empty()
            }
            _ => false,
        };
        if !is_directory || !is_meant(subject, mention) {
            continue;
        }
        let entries = ENTRIES.iter().map(|name| skip.path.child(name));
        let entry = entries
            .into_iter()
            .find(|entry| subject.is_file(entry) && !subject.comes(entry));
        let help = entry.map_or_else(
            || "name a file".to_owned(),
            |entry| {
                let written = mention.reference.trim_end_matches('/');
                format!("name a file, such as `{written}/{}`", entry.file_name())
            },
        );
        let message = format!(
            "`{}` is a directory, of which nothing is imported",
            subject.name(&skip.path)
        );
        report
            .at(Place::Mention(mention.clone()), message)
            .chain(subject.chain(&mention.by))
            .help(help)
            .known(skip.evidence)
            .report();
    }
}

/// Whether a reference is likely to be meant as an import.
fn is_meant(subject: &Subject<'_, '_>, mention: &Mention) -> bool {
    let (Some(source), Some(range)) = (subject.text(&mention.by), subject.range(mention)) else {
        return false;
    };
    // What follows at once, as in `@docs/<name>.md`, makes another path of it.
    let behind = source[range.end..].chars().next();
    if !is_prose(&mention.by) || behind.is_some_and(|next| !next.is_whitespace()) {
        return false;
    }
    let written = mention.reference.trim_start_matches('@');
    let is_path = written.ends_with('/') || written.starts_with(['.', '~', '/']);
    if !written.contains(char::is_alphanumeric) {
        return false;
    }
    is_path || (is_alone(&source, &range) && written.contains('/'))
}
