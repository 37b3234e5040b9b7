//! L902: an ignore comment that hides nothing.

use super::prelude::*;
use crate::lint::ignore::{FaultKind, Ignore};
use crate::path::AbsPath;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L902",
    name: "ignore-unused",
    severity: Severity::Warning,
    summary: "An ignore comment hides nothing.",
    page: Page {
        what: "Looks for `outcrop-ignore` comments whose rule finds nothing in the lines for which \
               they are meant, and for ends of ranges that were never started. Rules that are off \
               in `outcrop.toml` are passed over.",
        why: "What was wrong is mended, or the comment stands at the wrong place. In both cases it \
              would hide the next finding there, which nobody has looked at.",
        instead: "Delete the comment. Where it should hide something, put it directly above the \
                  block, or use `outcrop-ignore-file` for what is found of a file as a whole.",
        drawbacks: "A file that only exists on some machines may make a finding come and go.",
        evidence: "What comments ask is documented in docs/configuration.md.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "the import was mended, the comment stayed",
            files: &[
                (
                    "CLAUDE.md",
                    "Use pnpm.\n\n<!-- outcrop-ignore L101 made later -->\n@docs/notes.md\n",
                ),
                ("docs/notes.md", "Notes are short.\n"),
            ],
            fixed: &[("CLAUDE.md", "Use pnpm.\n\n@docs/notes.md\n")],
        },
        Example {
            title: "an end without a start",
            files: &[("CLAUDE.md", "Use pnpm.\n\n<!-- outcrop-ignore-end -->\n")],
            fixed: &[("CLAUDE.md", "Use pnpm.\n\n")],
        },
    ],
    good: &[Example {
        title: "comments that hide something, and one that is shown",
        files: &[(
            "CLAUDE.md",
            "<!-- outcrop-ignore-file L101 the files are made by the build -->\nSee @docs/a.md first.\n\n\
             Write `<!-- outcrop-ignore L101 reason -->` where a file is made later.\n",
        )],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for (path, file) in subject.ignores().files() {
        for ignore in &file.ignores {
            unused(subject, report, path, ignore);
        }
        let ends = file.faults.iter();
        for end in ends.filter(|fault| fault.kind == FaultKind::NoStart) {
            report
                .at(
                    Place::Bytes(path.clone(), end.range.clone()),
                    "the comment ends a range that was never started",
                )
                .fix(delete(subject, path, end.range.clone()))
                .report();
        }
    }
}

fn unused(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, path: &AbsPath, ignore: &Ignore) {
    let left = ignore.names.iter().filter_map(|name| {
        let rule = name.rule.filter(|_| !name.is_used.get())?;
        // What is said of comments is said only now, so it cannot have been hidden yet.
        let is_told = !rule.is_last() && subject.tells(rule, path);
        is_told.then_some((name, rule))
    });
    let left: Vec<_> = left.collect();
    let is_all = left.len() == ignore.names.len();
    for (name, rule) in left {
        let message = format!("`{}` finds nothing here, so nothing is hidden", rule.id);
        let place = match is_all && ignore.names.len() == 1 {
            true => ignore.range.clone(),
            false => name.range.clone(),
        };
        let mut draft = report.at(Place::Bytes(path.clone(), place), message);
        if is_all {
            draft = draft.fix(delete(subject, path, ignore.range.clone()));
        }
        draft.report();
    }
}

/// Deletes a comment, with its line where nothing else is on it.
fn delete(subject: &Subject<'_, '_>, path: &AbsPath, comment: std::ops::Range<usize>) -> Fix {
    let text = subject.text(path).unwrap_or_default();
    let start = text[..comment.start].rfind('\n').map_or(0, |end| end + 1);
    let end = text[comment.end..].find('\n');
    let end = end.map_or(text.len(), |end| comment.end + end + 1);
    let before = text[start..comment.start].trim_matches([' ', '\t', '\u{feff}']);
    let is_alone = before.is_empty() && text[comment.end..end].trim().is_empty();
    let range = match is_alone {
        // A mark of the byte order at the beginning stays.
        true => {
            start
                + text[start..comment.start]
                    .rfind('\u{feff}')
                    .map_or(0, |at| at + 3)..end
        }
        false => {
            let gap = text[..comment.start].trim_end_matches([' ', '\t']).len();
            let ends_line = text[comment.end..end].trim().is_empty();
            let start = if ends_line {
                gap.max(start)
            } else {
                comment.start
            };
            let after = &text[comment.end..end];
            let blank = after.len() - after.trim_start_matches([' ', '\t']).len();
            start..comment.end + if ends_line { 0 } else { blank }
        }
    };
    Fix::one(Applicability::Safe, "delete the comment", path, range, "")
}
