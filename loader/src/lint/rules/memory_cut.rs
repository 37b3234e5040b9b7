//! L304: a memory index of which the end is cut.

use super::prelude::*;
use crate::document::{StretchKind, outline};
use crate::lint::number::grouped;
use crate::memory;
use crate::{javascript, record::Scope};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L304",
    name: "memory-cut",
    severity: Severity::Warning,
    summary: "The memory index is over its limit, so its end reaches no session.",
    page: Page {
        what: "Looks whether `MEMORY.md` has more than 200 lines or 25,000 characters, and tells which \
               entries lie behind the cut. Characters are UTF-16 units of the trimmed text without \
               front matter and comments.",
        why: "The client sends the first 200 lines, and of them what fits into 25,000 characters. A note \
              for the model says that something was cut. What lies behind is never seen, and new \
              entries are mostly added at the end.",
        instead: "Keep the index a list of one line an entry with a link, and put the details into \
                  topic files beside it, which are read when they are needed.",
        drawbacks: "None is known: the cut is the client's own.",
        evidence: "Facts 6.4 and 6.5; bug bank B063.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "an entry a day",
        files: &[(
            "~/.claude/projects/-home-dev-shop/memory/MEMORY.md",
            "# Memory\n\n230 × - Day {n}: the tests of the cart passed.\n",
        )],
        fixed: &[],
    }],
    good: &[Example {
        title: "an index of 200 lines",
        files: &[
            (
                "~/.claude/projects/-home-dev-shop/memory/MEMORY.md",
                "200 × - [Day {n}](days.md): the cart\n",
            ),
            (
                "~/.claude/projects/-home-dev-shop/memory/days.md",
                "Day 1: the tests of the cart passed.\n",
            ),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in &subject.files {
        let (Scope::AutoMemory, Some(notice)) = (file.scope, &file.notice) else {
            continue;
        };
        let text = &file.document.text;
        let start = text.len() - text.trim_start_matches(javascript::is_space).len();
        let whole = javascript::trim(text);
        let kept = file.text.len();
        let behind = whole.get(kept..).unwrap_or_default();
        let lost = behind.trim_start_matches(['\n', '\r']);
        let from = start + kept + (behind.len() - lost.len());
        let entries = outline(lost).into_iter();
        let entries = entries.filter(|stretch| stretch.kind == StretchKind::Item);
        let message = format!(
            "the index has {} lines and {} characters: {}",
            grouped(notice.lines),
            grouped(notice.characters),
            match entries.count() {
                0 => "what follows here reaches no session".to_owned(),
                1 => "the entry from here on reaches no session".to_owned(),
                entries => format!("the {entries} entries from here on reach no session"),
            }
        );
        report
            .at(file.place(from), message)
            .costs(Cost::Lost(subject.tokens(lost)))
            .help(format!(
                "keep at most {} lines and {} characters: one line an entry, details in files \
                 beside the index",
                memory::LINES,
                grouped(memory::CHARACTERS)
            ))
            .report();
    }
}
