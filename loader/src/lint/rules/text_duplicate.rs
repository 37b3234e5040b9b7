//! L305: the same text in two files that load together.

use std::hash::{Hash, Hasher};
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHasher};

use super::prelude::*;
use crate::document::{StretchKind, outline};
use crate::lint::subject::{File, When, directory_of};
use crate::path::AbsPath;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L305",
    name: "text-duplicate",
    severity: Severity::Info,
    summary: "The same text stands in two files that load together.",
    page: Page {
        what: "Looks for paragraphs, lists and blocks of code of 200 characters or more that stand in \
               two files of one session: in two that the start delivers, in one of these and one \
               that a read brings, or in nested files of a folder and a folder above. White space \
               and line breaks do not matter. There is one finding for two files, at the one that \
               comes later.",
        why: "The model is told the same twice, and each of the two is paid for. When one of them is \
              changed, the other goes on saying what was true before.",
        instead: "Keep one of the two. What several projects need belongs to the user's own \
                  `CLAUDE.md`, what one folder needs into its `CLAUDE.md`.",
        drawbacks: "A text that is for a team stays in the project, even if one of its members has it \
                    in a file of his own, too.",
        evidence: "Facts 1.1 and 5.5; client thread 78341.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a list that was copied into a rule",
        files: &[
            (
                "CLAUDE.md",
                "# Shop\n\n## Tests\n\n\
                 - Run the tests of the package that you changed before you commit anything.\n\
                 - Write a test that fails first, then the change that makes it pass.\n\
                 - Never change a test so that it passes without telling why it was wrong.\n",
            ),
            (
                ".claude/rules/tests.md",
                "# How we test\n\n\
                 - Run the tests of the package that you changed\n  before you commit anything.\n\
                 - Write a test that fails first, then the change that makes it pass.\n\
                 - Never change a test so that it passes without telling why it was wrong.\n",
            ),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "a short sentence twice, and folders that do not load together",
        files: &[
            (
                "CLAUDE.md",
                "# Shop\n\nUse pnpm.\n\n```sh\npnpm test\n```\n",
            ),
            (
                "web/CLAUDE.md",
                "Use pnpm.\n\n```sh\npnpm test\n```\n\n\
                 Every component has a story, a test and a page of documentation. A page tells what \
                 the component is for, which properties it takes, and what it looks like when it \
                 is empty, busy or broken.\n",
            ),
            (
                "desk/CLAUDE.md",
                "Every component has a story, a test and a page of documentation. A page tells what \
                 the component is for, which properties it takes, and what it looks like when it \
                 is empty, busy or broken.\n",
            ),
        ],
        fixed: &[],
    }],
    check,
};

/// How many earlier places of a text are compared, so that a text which stands everywhere is not
/// compared with all of its places.
const PLACES: usize = 8;

/// A stretch of a file, to compare.
struct Unit {
    hash: u64,
    /// Its characters; one for a heading, which adds nothing to what stands twice, but never none,
    /// so that a comparison ends soon where it finds nothing.
    characters: usize,
    range: Range<usize>,
}

/// Text of a file that stands in another.
struct Run {
    tokens: u64,
    /// Where the first stretch of it begins, in both.
    here: usize,
    there: usize,
    /// How many there are.
    number: usize,
}

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let files = &subject.files;
    let units: Vec<Vec<Unit>> = files.iter().map(units).collect();
    let folders: Vec<Option<AbsPath>> = files.iter().map(|file| folder(subject, file)).collect();
    let load_together = |one: usize, other: usize| match (&files[one].when, &files[other].when) {
        (When::Start, _) | (_, When::Start) => true,
        (When::Read, When::Read) => are_nested(folders[one].as_ref(), folders[other].as_ref()),
        _ => false,
    };
    let mut places: FxHashMap<u64, Vec<(usize, usize)>> = FxHashMap::default();
    for (number, own) in units.iter().enumerate() {
        let mut runs: FxHashMap<usize, Run> = FxHashMap::default();
        let mut at = 0;
        while at < own.len() {
            let found = places.get(&own[at].hash).into_iter().flatten();
            let found = found.filter(|(other, _)| load_together(*other, number));
            let longest = found
                .take(PLACES)
                .map(|(other, from)| {
                    let (same, characters) = same(&own[at..], &units[*other][*from..]);
                    (characters, same, *other, *from)
                })
                .max_by_key(|(characters, ..)| *characters);
            let least = subject.budgets.duplicate_characters;
            let Some((_, same, other, from)) = longest.filter(|(found, ..)| *found >= least) else {
                at += 1;
                continue;
            };
            let range = own[at].range.start..own[at + same - 1].range.end;
            let tokens = subject.tokens(&files[number].document.text[range.clone()]);
            let run = runs.entry(other).or_insert(Run {
                tokens: 0,
                here: range.start,
                there: units[other][from].range.start,
                number: 0,
            });
            run.tokens += tokens;
            run.number += 1;
            at += same;
        }
        for (other, run) in runs {
            one(subject, report, &files[number], &files[other], &run);
        }
        for (at, unit) in own.iter().enumerate() {
            let known = places.entry(unit.hash).or_default();
            if known.last().is_none_or(|(last, _)| *last != number) {
                known.push((number, at));
            }
        }
    }
}

fn one(
    subject: &Subject<'_, '_>,
    report: &mut Report<'_, '_>,
    file: &File,
    other: &File,
    run: &Run,
) {
    let message = match run.number {
        1 => format!(
            "this text stands in `{}`, too, and both load together",
            subject.name(&other.path)
        ),
        number => format!(
            "{number} texts from here on stand in `{}`, too, and both load together",
            subject.name(&other.path)
        ),
    };
    report
        .at(file.place(run.here), message)
        .also(other.place(run.there), "the same text")
        .chain(subject.chain(&file.path))
        .costs(file.cost(run.tokens))
        .help("keep one of the two")
        .report();
}

fn units(file: &File) -> Vec<Unit> {
    let text = &file.document.text;
    let stretches = outline(text).into_iter();
    let units = stretches.map(|stretch| {
        let mut hasher = FxHasher::default();
        let mut characters = 0;
        for word in text[stretch.range.clone()].split_ascii_whitespace() {
            word.hash(&mut hasher);
            characters += 1 + match word.is_ascii() {
                true => word.len(),
                false => word.chars().count(),
            };
        }
        Unit {
            hash: hasher.finish(),
            characters: match stretch.kind {
                StretchKind::Heading(_) => 1,
                _ => characters.max(1),
            },
            range: stretch.range,
        }
    });
    units.collect()
}

/// How many stretches are the same from the start of both on, and their characters.
fn same(one: &[Unit], other: &[Unit]) -> (usize, usize) {
    let pairs = one.iter().zip(other);
    let same = pairs.take_while(|(one, other)| one.hash == other.hash);
    same.fold((0, 0), |(number, characters), (unit, _)| {
        (number + 1, characters + unit.characters)
    })
}

/// The folder in which a read brings a file, or the one that imports it.
fn folder(subject: &Subject<'_, '_>, file: &File) -> Option<AbsPath> {
    directory_of(&subject.root_of(file))
}

/// Whether a read in one of two folders brings the files of both.
fn are_nested(one: Option<&AbsPath>, other: Option<&AbsPath>) -> bool {
    let both = one.zip(other);
    both.is_some_and(|(one, other)| one.below(other).is_some() || other.below(one).is_some())
}
