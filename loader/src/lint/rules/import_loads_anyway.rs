//! L106: imports of what loads by itself, or is imported here already.

use super::prelude::*;
use crate::document::RulePaths;
use crate::lint::subject::{File, When, directory_of};
use crate::record::{Cause, Mention, Skip};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L106",
    name: "import-loads-anyway",
    severity: Severity::Info,
    summary: "An import adds nothing, since the file loads by itself or is imported already.",
    page: Page {
        what: "Looks for imports of rules and instruction files that load by themselves, for a file \
               that is imported twice by one file, and for imports of nested instruction files, which \
               would wait for a read.",
        why: "Each file is delivered once, so nothing is doubled; but the line does nothing, and \
              whoever takes it out expects the text to go. A nested file that is imported is in every \
              session instead of coming when its directory is worked in.",
        instead: "Take the import out, or put the mention into back-ticks.",
        drawbacks: "An import decides the order: the file comes right behind the one that imports it.",
        evidence: "Facts 1.5, 3.13 and 5.17; realistic files, odd thing 2.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a rule",
            files: &[
                ("CLAUDE.md", "@.claude/rules/style.md\n"),
                (".claude/rules/style.md", "Indent by two.\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "twice in one file",
            files: &[
                ("CLAUDE.md", "@docs/style.md\n\nAgain: @docs/style.md\n"),
                ("docs/style.md", "Indent by two.\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "a nested file",
            files: &[
                ("CLAUDE.md", "@web/CLAUDE.md\n"),
                ("web/CLAUDE.md", "Use semantic elements.\n"),
            ],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "two files that import a third",
        files: &[
            ("CLAUDE.md", "@docs/style.md\n@docs/tests.md\n"),
            ("docs/style.md", "Indent by two.\n@words.md\n"),
            ("docs/tests.md", "Run them.\n@words.md\n"),
            ("docs/words.md", "Say layer.\n"),
            ("web/CLAUDE.md", "@AGENTS.md\n"),
            ("web/AGENTS.md", "Use semantic elements.\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in &subject.files {
        if let Some(Cause::Import(mention)) = &file.cause {
            imported(subject, report, file, mention);
        }
    }
    for skip in &subject.skips {
        if matches!(skip.case, "delivered-already" | "delivered-before") {
            repeated(subject, report, skip);
        }
    }
}

/// A file that an import brings.
fn imported(
    subject: &Subject<'_, '_>,
    report: &mut Report<'_, '_>,
    file: &File,
    mention: &Mention,
) {
    let name = subject.name(&file.path);
    let paths = || file.document.rule_paths(&subject.session.world().behaviour);
    let is_entry = matches!(file.path.file_name(), "CLAUDE.md" | "CLAUDE.local.md");
    let is_plain_rule =
        file.is_rule() && paths() == RulePaths::Always && !in_rule(subject, mention);
    let cwd = subject.session.cwd();
    let is_nested = directory_of(&file.path).is_some_and(|of| of != *cwd && of.is_within(cwd));
    if is_plain_rule && !is_nested {
        let message = format!("`{name}` is a rule without `paths`, which loads by itself");
        report
            .at(Place::Mention(mention.clone()), message)
            .help("take the import out: it changes the order at most")
            .report();
    } else if (is_entry || is_plain_rule) && is_nested && file.when == When::Start {
        let message = format!(
            "`{name}` would come when a file of its directory is read; imported here it is in \
             every session"
        );
        report
            .at(Place::Mention(mention.clone()), message)
            .costs(Cost::Start(subject.tokens(&file.text)))
            .help("take the import out if the file matters in its directory only")
            .report();
    }
}

/// Whether a reference stands in a rule.
fn in_rule(subject: &Subject<'_, '_>, mention: &Mention) -> bool {
    subject.file(&mention.by).is_some_and(File::is_rule)
}

/// A reference to a file that came before.
fn repeated(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, skip: &Skip) {
    let (Some(mention), Some(file)) = (&skip.mention, subject.file(&skip.path)) else {
        return;
    };
    let name = subject.name(&file.path);
    let place = Place::Mention(mention.clone());
    match &file.cause {
        Some(Cause::Import(first)) if first.by == mention.by => {
            if (first.line, first.column) == (mention.line, mention.column) {
                return;
            }
            let message = format!("`{name}` is imported in line {} already", first.line);
            report
                .at(place, message)
                .also(Place::Mention(first.clone()), "imported here")
                .help("take one of the imports out")
                .known(skip.evidence)
                .report();
        }
        Some(Cause::Startup { .. }) => {
            let message = format!("`{name}` loads by itself, so this import adds nothing");
            report
                .at(place, message)
                .help("take the import out, or put the mention into back-ticks")
                .known(skip.evidence)
                .report();
        }
        _ => {}
    }
}
