//! L501: an order without exception in a file that a compaction takes away.

use super::prelude::*;
use crate::document::{StretchKind, outline};
use crate::lint::absolute::{absolute, may_be};
use crate::lint::subject::{File, When};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L501",
    name: "lost-at-compaction",
    severity: Severity::Info,
    summary: "An order without exception stands where a compaction takes it away.",
    page: Page {
        what: "Looks in rules with `paths` and in nested files, with what they import, for sentences that \
               hold without exception and say so with emphasis: with `must`, `never`, `always` and the \
               like in capitals or bold, or with words such as `under no circumstances`; in English, \
               German, French, Spanish, Chinese and Japanese. There is one finding for a file.",
        why: "Such files come with a read. After a compaction the client sends again what the start \
              delivered; of what reads brought it brings back five files at most, the newest, among \
              which every file counts that was read. The rest is gone until the next read that \
              matches, before 2.1.332 for the rest of the session. The model goes on, and may write \
              to files that it knows from the summary.",
        instead: "Put the few sentences that must hold all the time into `CLAUDE.md` or into a rule \
                  without `paths`, and leave the others where they are.",
        drawbacks: "A sentence that is about the files of the rule only is needed only when one of them \
                    is read, so this is good to know and no fault.",
        evidence: "Facts C6.1, C6.6 and C6.7; bug bank B074, B103.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a rule with `paths` that forbids",
            files: &[
                (
                    ".claude/rules/db.md",
                    "---\npaths: \"db/**\"\n---\n# Database\n\n\
                     Tables are in lower case.\n\n- NEVER drop a table.\n",
                ),
                ("db/schema.sql", "select 1;\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "a nested file in another language",
            files: &[
                ("CLAUDE.md", "Use pnpm.\n"),
                ("api/CLAUDE.md", "绝不修改公共接口。\n"),
            ],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "orders in what every session starts with, and mild words elsewhere",
        files: &[
            ("CLAUDE.md", "Never drop a table.\n"),
            (".claude/rules/all.md", "Commits must be signed.\n"),
            (
                "api/CLAUDE.md",
                "Always prefer small functions. The type `NEVER` is fine.\n\n```ts\n// MUST stay\n```\n",
            ),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in &subject.files {
        // Nested `AGENTS.md` files come by a hook; none was watched over a compaction.
        if file.when != When::Start && !subject.is_agents(file) {
            one(subject, report, file);
        }
    }
}

fn one(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, file: &File) {
    let text = &file.document.text;
    if !may_be(text) {
        return;
    }
    let mut first = None;
    let mut number: usize = 0;
    for stretch in outline(text) {
        if !matches!(stretch.kind, StretchKind::Text | StretchKind::Item) {
            continue;
        }
        let mut at = stretch.range.start;
        for line in text[stretch.range].split_inclusive('\n') {
            if let Some(word) = absolute(line) {
                number += 1;
                first.get_or_insert((at, word));
            }
            at += line.len();
        }
    }
    let Some((at, word)) = first else {
        return;
    };
    let more = match number {
        1 => String::new(),
        2 => " (and one more like it)".to_owned(),
        number => format!(" (and {} more like it)", number - 1),
    };
    let until = if !subject.session.world().behaviour.resume.delivers_again {
        "then it is gone for the rest of the session".to_owned()
    } else if matches!(file.when, When::Match { .. }) {
        "then it is gone until a file that matches is read again".to_owned()
    } else {
        "then it is gone until a file there is read again".to_owned()
    };
    report
        .at(
            file.place(at),
            format!("`{word}` holds until a compaction{more}, {until}"),
        )
        .chain(subject.chain(&file.path))
        .costs(Cost::Lost(subject.tokens(&file.text)))
        .help("what must hold all the time belongs into what every session starts with")
        .report();
}
