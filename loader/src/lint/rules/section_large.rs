//! L303: one section that is most of a large file.

use std::ops::Range;

use super::prelude::*;
use crate::document::{Stretch, StretchKind, outline};
use crate::lint::number::{grouped, percent};
use crate::lint::subject::{File, When};
use crate::record::Scope;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L303",
    name: "section-large",
    severity: Severity::Info,
    summary: "One section is most of a large file that every session is told.",
    page: Page {
        what: "Looks in files of more than 2,000 tokens that the start delivers for a section that is \
               60 % of the file or more. A section goes from its heading to the next one of its \
               level or above. One that stands alone at its level, such as the title, is none, and \
               neither is one of the first level that is all but the first lines of the file.",
        why: "Most of what the file costs, in each request of each session, is about one subject. \
              That subject is often needed for some files only.",
        instead: "Move the section into a rule with `paths`, into a `CLAUDE.md` of the folder that it \
                  is about, or into a document that is named in a sentence.",
        drawbacks: "The section may well be what every session needs.",
        evidence: "Facts 1.1 and 5.1; `automagik-dev/genie` thread 2967, where one section was 67 % of \
                   the file.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a catalogue of components among a few rules",
        files: &[(
            "CLAUDE.md",
            "# Shop\n\n## Style\n\nIndent by two.\n\n## Components\n\n\
             200 × - Component {n} has a story, a test and a page of documentation.\n\
             \n## Tests\n\nRun them.\n",
        )],
        fixed: &[],
    }],
    good: &[
        Example {
            title: "sections of like size",
            files: &[(
                "CLAUDE.md",
                "# Shop\n\n## Components\n\n\
                 100 × - Component {n} has a story, a test and a page of documentation.\n\
                 \n## Hooks\n\n\
                 100 × - Hook {n} has a test, an example and an owner who reviews it.\n",
            )],
            fixed: &[],
        },
        Example {
            title: "a second title, below which all of the file stands",
            files: &[(
                "CLAUDE.md",
                "# CLAUDE.md\n\nFor the model.\n\n# Shop\n\n\
                 ## Components\n\n\
                 100 × - Component {n} has a story, a test and a page of documentation.\n\
                 \n## Hooks\n\n\
                 100 × - Hook {n} has a test, an example and an owner who reviews it.\n",
            )],
            fixed: &[],
        },
        Example {
            title: "a small file",
            files: &[(
                "CLAUDE.md",
                "# Shop\n\n## Style\n\nIndent by two.\n\n## Components\n\n\
                 20 × - Component {n} has a story, a test and a page of documentation.\n",
            )],
            fixed: &[],
        },
    ],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in &subject.files {
        let is_long = u64::try_from(file.document.text.len())
            .is_ok_and(|bytes| bytes > subject.budgets.sectioned_file_tokens);
        if file.when == When::Start && file.scope != Scope::AutoMemory && is_long {
            one(subject, report, file);
        }
    }
}

fn one(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, file: &File) {
    let text = &file.document.text;
    let Some((heading, range)) = largest(text, subject.budgets.section_percent) else {
        return;
    };
    let whole = subject.tokens(text);
    if whole <= subject.budgets.sectioned_file_tokens {
        return;
    }
    let own = subject.tokens(&text[range.clone()]);
    if percent(own, whole) < subject.budgets.section_percent {
        return;
    }
    let message = format!(
        "the section `{}` is {} of the {} tokens of `{}`",
        heading.trim_matches(['#', ' ', '\t']),
        grouped(own),
        grouped(whole),
        subject.name(&file.path)
    );
    report
        .at(file.place(range.start), message)
        .chain(subject.chain(&file.path))
        .costs(Cost::Start(own))
        .help("move it into a rule with `paths`, or into a folder that it is about")
        .report();
}

/// The deepest section of at least such a share of the bytes, with its heading's first line; of
/// those that have a neighbour at their level.
fn largest(text: &str, share: u64) -> Option<(&str, Range<usize>)> {
    let headings: Vec<(u8, Range<usize>)> = outline(text)
        .into_iter()
        .filter_map(|Stretch { kind, range }| match kind {
            StretchKind::Heading(level) => Some((level, range)),
            _ => None,
        })
        .collect();
    // For each heading the end of its section, and whether it has a neighbour: one look back
    // over those that are still open.
    let mut ends = vec![text.len(); headings.len()];
    let mut has_neighbour = vec![false; headings.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, (level, range)) in headings.iter().enumerate() {
        while let Some(last) = open.last().copied()
            && headings[last].0 >= *level
        {
            open.pop();
            ends[last] = range.start;
            if headings[last].0 == *level {
                has_neighbour[last] = true;
                has_neighbour[at] = true;
            }
        }
        open.push(at);
    }
    let is_large = |range: &Range<usize>| {
        let sizes = (u64::try_from(range.len()), u64::try_from(text.len()));
        matches!(sizes, (Ok(own), Ok(whole)) if percent(own, whole) >= share)
    };
    let sections = (0..headings.len()).map(|at| (at, headings[at].1.start..ends[at]));
    // What stands above it is a title of its own, and a word about the file.
    let is_title = |at: usize, range: &Range<usize>| {
        let mut below = headings[at + 1..].iter();
        let is_parted = below.next().is_some_and(|(level, _)| *level > 1);
        headings[at].0 == 1 && is_parted && range.len() > text.len() / 20 * 19
    };
    let mut large = sections
        .filter(|(at, range)| has_neighbour[*at] && !is_title(*at, range) && is_large(range));
    let (at, range) = large.next_back()?;
    let heading = text[headings[at].1.clone()].lines().next()?;
    Some((heading, range))
}
