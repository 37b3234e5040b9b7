//! L501: an order about commits and the like in a file that a compaction takes away.

use super::prelude::*;
use crate::document::{StretchKind, outline};
use crate::lint::absolute::{absolute, deed, sentences};
use crate::lint::subject::{File, When};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L501",
    name: "lost-at-compaction",
    severity: Severity::Info,
    summary: "An order about commits and the like stands where a compaction takes it away.",
    page: Page {
        what: "Looks in rules with `paths` and in nested files, with what they import, for sentences about \
               commits, pushes, deployments and pull requests that hold without exception: with \
               `must`, `never`, `always` and the like, in English, German, French, Spanish, Chinese \
               and Japanese. There is one finding for a file.",
        why: "Such files come with a read. After a compaction the client sends again what the start \
              delivered; of what reads brought it brings back five files at most, the newest, among \
              which every file counts that was read. The rest is gone until the next read that \
              matches, in older clients for the rest of the session. What is about the code of those \
              files comes back with them; but to commit or to deploy, no file is read.",
        instead: "Put the sentence into `CLAUDE.md` or into a rule without `paths`, and leave the others \
                  where they are.",
        drawbacks: "Words decide, not meanings: a sentence may speak of another kind of commit.",
        evidence: "Facts C6.1, C6.6 and C6.7; bug bank B074, B076, B103.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a rule with `paths` that forbids",
            files: &[
                (
                    ".claude/rules/db.md",
                    "---\npaths: \"db/**\"\n---\n# Database\n\n\
                     Tables are in lower case.\n\n- NEVER commit a dump of the database.\n",
                ),
                ("db/schema.sql", "select 1;\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "a nested file in another language",
            files: &[
                ("CLAUDE.md", "Use pnpm.\n"),
                ("api/CLAUDE.md", "绝不提交生成的文件。\n"),
            ],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "orders in what every session starts with, mild words, and orders about code",
        files: &[
            ("CLAUDE.md", "NEVER commit a dump.\n"),
            (".claude/rules/all.md", "Commits must be signed.\n"),
            (
                "api/CLAUDE.md",
                "Small commits are good. Endpoints MUST check their input. The type `NEVER` is fine in a \
                 commit.\n\n```sh\n# MUST commit\n```\n",
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
    // Most texts are about no such deed.
    if deed(text).is_none() {
        return;
    }
    let mut first = None;
    let mut number: usize = 0;
    for stretch in outline(text) {
        if !matches!(stretch.kind, StretchKind::Text | StretchKind::Item) {
            continue;
        }
        let mut at = stretch.range.start;
        for sentence in sentences(&text[stretch.range]) {
            if let Some(deed) = deed(sentence)
                && let Some(word) = absolute(sentence)
            {
                number += 1;
                let indent = sentence.len() - sentence.trim_start().len();
                first.get_or_insert((at + indent, word, deed));
            }
            at += sentence.len();
        }
    }
    let Some((at, word, deed)) = first else {
        return;
    };
    let more = match number {
        1 => String::new(),
        number => format!(" and {} more like it", number - 1),
    };
    let until = if !subject.session.world().behaviour.resume.delivers_again {
        "for the rest of the session"
    } else if matches!(file.when, When::Match { .. }) {
        "until a file that matches is read again"
    } else {
        "until a file there is read again"
    };
    let message =
        format!("what `{word}` says of `{deed}`{more} is gone after a compaction {until}");
    report
        .at(file.place(at), message)
        .chain(subject.chain(&file.path))
        .costs(Cost::Lost(subject.tokens(&file.text)))
        .help("what must hold all the time belongs into what every session starts with")
        .report();
}
