//! L603: a memory index that holds the notes themselves.

use super::prelude::*;
use crate::document::{StretchKind, outline};
use crate::javascript;
use crate::lint::memory_folder::MemoryFolder;
use crate::lint::number::grouped;
use crate::memory;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L603",
    name: "memory-index-form",
    severity: Severity::Info,
    summary: "The memory index holds notes instead of links to them, and nears its limit.",
    page: Page {
        what: "Looks at a `MEMORY.md` that has used half of its 200 lines or of its 25,000 characters, \
               and tells where most of its text is no entry of one line with a link. Smaller ones may \
               have any form.",
        why: "All of the index is sent in each request of each session, and what comes after its \
              limits reaches none. Notes of some lines fill it soon; an index of links does not.",
        instead: "Move each note into a topic file beside the index, which is read when it is needed, \
                  and leave a line with a link and half a sentence on what is in it.",
        drawbacks: "Facts that every session needs may be worth their place.",
        evidence: "Facts 6.3 and 6.5 (cases memory-200-lines to memory-both-limits).",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "notes without a link",
        files: &[(
            "~/.claude/projects/-home-dev-shop/memory/MEMORY.md",
            "# Memory\n\n150 × On day {n} the tests of the cart failed, since its server was busy.\n",
        )],
        fixed: &[],
    }],
    good: &[
        Example {
            title: "entries of one line with a link",
            files: &[
                (
                    "~/.claude/projects/-home-dev-shop/memory/MEMORY.md",
                    "# Memory\n\n150 × - [Day {n}](days.md): the tests of the cart failed\n",
                ),
                (
                    "~/.claude/projects/-home-dev-shop/memory/days.md",
                    "The server was busy.\n",
                ),
            ],
            fixed: &[],
        },
        Example {
            title: "a few notes",
            files: &[(
                "~/.claude/projects/-home-dev-shop/memory/MEMORY.md",
                "20 × On day {n} the tests of the cart failed, since its server was busy.\n",
            )],
            fixed: &[],
        },
    ],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let folder = MemoryFolder::in_use(subject);
    let Some(index) = folder.and_then(|folder| folder.delivered(subject)) else {
        return;
    };
    let text = javascript::trim(&index.text);
    let (lines, characters) = (text.lines().count(), javascript::len(text));
    let limit = |whole: usize| whole * subject.budgets.memory_percent / 100;
    let is_large = lines > limit(memory::LINES) || characters > limit(memory::CHARACTERS);
    // Where it is cut already, that is told.
    if !is_large || index.notice.is_some() {
        return;
    }
    let mut entries = 0;
    let mut in_entries = 0;
    let mut first_note = None;
    for stretch in outline(text) {
        let own = &text[stretch.range.clone()];
        match stretch.kind {
            StretchKind::Heading(_) => in_entries += own.len(),
            StretchKind::Item if memory::is_entry(own) => {
                in_entries += own.len();
                entries += 1;
            }
            _ => {
                first_note.get_or_insert(own);
            }
        }
    }
    let (Some(first), true) = (first_note, in_entries * 2 < text.len()) else {
        return;
    };
    let at = index.document.text.find(first).unwrap_or(0);
    let message = format!(
        "{} of {} lines and {} of {} characters are used, most of them for notes: {entries} {} one \
         line with a link",
        grouped(lines),
        grouped(memory::LINES),
        grouped(characters),
        grouped(memory::CHARACTERS),
        if entries == 1 {
            "entry is"
        } else {
            "entries are"
        },
    );
    report
        .at(index.place(at), message)
        .costs(Cost::Start(subject.tokens(text)))
        .help("move notes into files beside the index, and leave a line with a link for each")
        .report();
}
