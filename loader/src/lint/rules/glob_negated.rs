//! L211: patterns that take files back.

use super::prelude::*;
use crate::glob::RulePatterns;
use crate::lint::patterns::{Piece, Scoped};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L211",
    name: "glob-negated",
    severity: Severity::Info,
    summary: "A pattern begins with `!`, which takes back less than it seems to.",
    page: Page {
        what: "Looks for patterns that begin with `!` and says how many files of the project each takes \
               back. One that takes back none of the files that it names is a warning.",
        why: "A `!` takes back what patterns before it match, file by file. Nothing comes back below a \
              folder that was matched as a whole: behind `src/**` or `src` no `!src/…` has an effect, and \
              the rule loads for the files that it was meant to spare. The form is not documented.",
        instead: "Match files rather than folders before it, as in `src/*.ts`, or write the patterns so \
                  that nothing must be taken back.",
        drawbacks: "A negation that works is told for information.",
        evidence: "Fact 5.5; bug bank B173; client thread 93249.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "below a folder that was matched",
            files: &[
                (
                    ".claude/rules/ts.md",
                    "---\npaths:\n  - \"src/**\"\n  - \"!src/gen/**\"\n---\nUse strict types.\n",
                ),
                ("src/a.ts", "export {};\n"),
                ("src/gen/b.ts", "export {};\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "one that works",
            files: &[
                (
                    ".claude/rules/ts.md",
                    "---\npaths:\n  - \"src/[ab].ts\"\n  - \"!src/b.ts\"\n---\nUse strict types.\n",
                ),
                ("src/a.ts", "export {};\n"),
                ("src/b.ts", "export {};\n"),
            ],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "a name that begins with the sign",
        files: &[
            (
                ".claude/rules/ts.md",
                "---\npaths:\n  - 'src/\\!a.ts'\n  - \"src/*.ts\"\n---\nUse strict types.\n",
            ),
            ("src/!a.ts", "export {};\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for rule in subject.scoped() {
        for (number, piece) in rule.pieces.iter().enumerate() {
            if piece.is_negated() && !piece.text.starts_with("!(") {
                one(subject, report, rule, number, piece);
            }
        }
    }
}

fn one(
    subject: &Subject<'_, '_>,
    report: &mut Report<'_, '_>,
    rule: &Scoped,
    number: usize,
    piece: &Piece,
) {
    let file = &subject.files[rule.at];
    let set = |pieces: &[Piece]| {
        let patterns = pieces
            .iter()
            .flat_map(|piece| piece.patterns.iter().cloned());
        RulePatterns::new(&patterns.collect::<Vec<_>>())
    };
    let (before, with) = (set(&rule.pieces[..number]), set(&rule.pieces[..=number]));
    let named: Vec<&str> = piece
        .patterns
        .iter()
        .map(|one| one.trim_start_matches('!'))
        .collect();
    let named = RulePatterns::new(&named);
    let (mut taken, mut kept) = (0_usize, 0_usize);
    for path in &subject.tree().files {
        let Some(path) = subject.as_below(&rule.base, path) else {
            continue;
        };
        if before.is_match(&path) && named.is_match(&path) {
            if with.is_match(&path) {
                kept += 1;
            } else {
                taken += 1;
            }
        }
    }
    let text = &piece.text;
    let place = Place::Bytes(file.path.clone(), piece.range.clone());
    if taken == 0 && kept > 0 {
        report
            .at(
                place,
                format!(
                    "`{text}` takes nothing back: {} below a folder that a pattern before it matches \
                     as a whole",
                    files(kept, "lies", "lie")
                ),
            )
            .severity(Severity::Warning)
            .help("match files rather than folders before it, as in `src/*.ts`")
            .report();
        return;
    }
    let message = match (taken, number) {
        (0, 0) => format!("`{text}` takes nothing back: no pattern stands before it"),
        (0, _) => {
            format!("`{text}` takes nothing back: the patterns before it match none of its files")
        }
        _ => format!(
            "`{text}` takes back {} that the patterns before it match",
            files(taken, "", "")
        ),
    };
    report
        .at(place, message)
        .help("`!` counts for what stands before it, and not below a folder that is matched as a whole")
        .report();
}

fn files(count: usize, one: &str, many: &str) -> String {
    let text = if count == 1 {
        format!("1 file {one}")
    } else {
        format!("{count} files {many}")
    };
    text.trim_end().to_owned()
}
