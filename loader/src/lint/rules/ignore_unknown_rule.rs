//! L903: an ignore comment that names no rule.

use super::prelude::*;
use crate::lint::ignore::{FaultKind, Name};
use crate::lint::near::nearest_of_all;
use crate::lint::registry::RULES;
use crate::path::AbsPath;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L903",
    name: "ignore-unknown-rule",
    severity: Severity::Warning,
    summary: "An ignore comment names a rule that does not exist.",
    page: Page {
        what: "Looks for `outcrop-ignore` comments that name no rule, or one that does not exist, \
               and for forms other than `outcrop-ignore`, `-start`, `-end` and `-file`.",
        why: "Such a comment hides nothing, though its author believes that it does.",
        instead: "Name the rule by its id or name; `outcrop rule --list` lists all.",
        drawbacks: "A newer Outcrop may have a rule that this one does not know.",
        evidence: "What comments ask is documented in docs/configuration.md.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a name with a slip",
            files: &[(
                "CLAUDE.md",
                "<!-- outcrop-ignore import-mising made by the build -->\nSee @docs/notes.md first.\n",
            )],
            fixed: &[(
                "CLAUDE.md",
                "<!-- outcrop-ignore import-missing made by the build -->\nSee @docs/notes.md first.\n",
            )],
        },
        Example {
            title: "no rule, and a form that there is not",
            files: &[(
                "CLAUDE.md",
                "<!-- outcrop-ignore -->\n<!-- outcrop-ignore-next-line L101 why -->\nUse pnpm.\n",
            )],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "ids and names",
        files: &[(
            "CLAUDE.md",
            "<!-- outcrop-ignore l101 made by the build -->\nSee @docs/notes.md first.\n\n\
             <!-- outcrop-ignore import-missing made by the build -->\nSee @docs/more.md first.\n",
        )],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for (path, file) in subject.ignores().files() {
        let names = file.ignores.iter().flat_map(|ignore| &ignore.names);
        for name in names.filter(|name| name.rule.is_none()) {
            unknown(subject, report, path, name);
        }
        for fault in &file.faults {
            let (message, help) = match fault.kind {
                FaultKind::NoStart => continue,
                FaultKind::NoRule => (
                    "the comment names no rule, so nothing is hidden",
                    "write the rule behind it: `outcrop-ignore L101 reason`",
                ),
                FaultKind::Form => (
                    "there is no such comment, so nothing is hidden",
                    "the forms are `outcrop-ignore`, `outcrop-ignore-start`, \
                     `outcrop-ignore-end` and `outcrop-ignore-file`",
                ),
            };
            let place = Place::Bytes(path.clone(), fault.range.clone());
            report.at(place, message).help(help).report();
        }
    }
}

fn unknown(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, path: &AbsPath, name: &Name) {
    let text = subject.text(path).unwrap_or_default();
    let written = &text[name.range.clone()];
    let message = format!("there is no rule `{written}`, so it hides nothing");
    let place = Place::Bytes(path.clone(), name.range.clone());
    let draft = report.at(place, message);
    match known(written) {
        Some(meant) => {
            let title = format!("write `{meant}`");
            let fix = Fix::one(
                Applicability::Unsafe,
                title,
                path,
                name.range.clone(),
                meant,
            );
            draft.help(format!("`{meant}` is near")).fix(fix).report();
        }
        None => draft.help("`outcrop rule --list` lists all rules").report(),
    }
}

/// The id or name of a rule that is near.
fn known(written: &str) -> Option<&'static str> {
    let is_id = written.len() <= 5;
    let names = RULES
        .iter()
        .map(|rule| if is_id { rule.id } else { rule.name });
    nearest_of_all(written, names)
}
