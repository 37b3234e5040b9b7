//! L121: fences that swallow the imports below them.

use std::collections::BTreeMap;

use super::prelude::*;
use crate::document::{Cover, has_known_extension};
use crate::lint::reach::is_prose;
use crate::path::AbsPath;
use crate::record::Scope;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L121",
    name: "fence-unclosed",
    severity: Severity::Warning,
    summary: "A fence of code is never closed, and imports below it are code.",
    page: Page {
        what: "Looks for fences of back-ticks or tildes that no line closes, where references below \
               would import files that exist and do not come otherwise.",
        why: "Everything below an open fence is code up to the end of the file, list item or quote, \
              and no import in code is followed. The client says nothing.",
        instead: "Close the fence. A closing line has at least as many signs as the opening one, and \
                  nothing behind them but spaces.",
        drawbacks: "An example at the end of a file works without a closing fence; it is found only \
                    if it holds such a reference.",
        evidence: "Fact 3.8; bug bank B161.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a block that goes on to the end",
        files: &[
            (
                "CLAUDE.md",
                "Intro.\n\n```sh\nmake\n\nMore text.\n@docs/a.md\n",
            ),
            ("docs/a.md", "A.\n"),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "closed, or with nothing below",
        files: &[
            (
                "CLAUDE.md",
                "```sh\n@docs/a.md\n```\n\n````md\n```\n@docs/a.md\n````\n\n```py\n@tool\n@docs/gone.md\n",
            ),
            ("docs/a.md", "A.\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in &subject.files {
        if file.scope == Scope::AutoMemory || !is_prose(&file.path) {
            continue;
        }
        let source = &file.document.source;
        let mut below: BTreeMap<usize, Vec<AbsPath>> = BTreeMap::new();
        for reference in &file.document.hidden {
            let Some(Cover::Fence {
                opened,
                closed: false,
            }) = reference.cover
            else {
                continue;
            };
            if !has_known_extension(&reference.path) {
                continue;
            }
            let written = &source[reference.range.clone()];
            if let Some(target) = subject.target(&file.path, written)
                && subject.is_file(&target)
                && !subject.comes(&target)
            {
                below.entry(opened).or_default().push(target);
            }
        }
        for (opened, targets) in below {
            let line = file.document.line_of(opened);
            let count = targets.len();
            let (s, are) = if count == 1 { ("", "is") } else { ("s", "are") };
            let message = format!(
                "fence opened on line {line} is never closed; {count} import{s} below it {are} \
                 inactive"
            );
            let tokens = targets.iter().filter_map(|target| subject.text(target));
            let tokens = tokens.map(|text| subject.tokens(&text)).sum();
            report
                .at(Place::Line(file.path.clone(), line), message)
                .chain(subject.chain(&file.path))
                .costs(Cost::Lost(tokens))
                .help("close the fence where the code ends")
                .report();
        }
    }
}
