//! L306: a drawing or list of the project's files in a file that every session is told.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::prelude::*;
use crate::document::{Stretch, StretchKind, outline};
use crate::lint::number::grouped;
use crate::lint::subject::{File, When};
use crate::record::Scope;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L306",
    name: "directory-listing",
    severity: Severity::Info,
    summary: "A drawing or list of files is part of every session.",
    page: Page {
        what: "Looks in files that the start delivers for drawings of a directory tree of 20 lines or \
               more, and for lists of 15 or more names of files, most of which exist below the \
               working directory. Names that are described, and links, are no such list.",
        why: "It is sent in each request of each session, though the model can list the files when it \
              needs to, and it is wrong from the first file on that is moved.",
        instead: "Say in a sentence or two where what is, and why: the folders that matter, and what \
                  does not follow from their names.",
        drawbacks: "A drawing with remarks beside its lines may tell more than the files do.",
        evidence: "Fact 1.1; agnix has the same rule with the same numbers, CC-MEM-021.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a tree",
            files: &[(
                "CLAUDE.md",
                "# Shop\n\n```text\nsrc/\n24 × ├── part{n}.ts\n└── index.ts\n```\n",
            )],
            fixed: &[],
        },
        Example {
            title: "a list of names",
            files: &[
                (
                    "CLAUDE.md",
                    "Files:\n\n\
                     - `src/a.ts`\n- `src/b.ts`\n- `src/c.ts`\n- `src/d.ts`\n- `src/e.ts`\n\
                     - `src/f.ts`\n- `src/g.ts`\n- `src/h.ts`\n- `src/i.ts`\n- `src/j.ts`\n\
                     - `src/k.ts`\n- `src/l.ts`\n- `src/m.ts`\n- `src/n.ts`\n- `src/o.ts`\n",
                ),
                ("src/a.ts", ""),
                ("src/b.ts", ""),
                ("src/c.ts", ""),
                ("src/d.ts", ""),
                ("src/e.ts", ""),
                ("src/f.ts", ""),
                ("src/g.ts", ""),
                ("src/h.ts", ""),
            ],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "a short tree, and names of commands and packages",
        files: &[(
            "CLAUDE.md",
            "```text\nsrc/\n├── web\n├── api\n└── shared\n```\n\n20 × - `pnpm test:{n}`\n\
             \n20 × - `@acme/part{n}`\n\n20 × - `src/part{n}.ts` draws a part of the page.\n",
        )],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in &subject.files {
        if file.when != When::Start || file.scope == Scope::AutoMemory {
            continue;
        }
        let text = &file.document.text;
        for (range, lines) in trees(text, subject.budgets.tree_lines) {
            let message = format!("a drawing of files of {lines} lines is part of every session");
            one(subject, report, file, range, message);
        }
        for (range, names) in lists(text, subject.budgets.listed_files) {
            if most_exist(subject, &names) {
                let number = names.len();
                let message = format!("a list of {number} files is part of every session");
                one(subject, report, file, range, message);
            }
        }
    }
}

fn one(
    subject: &Subject<'_, '_>,
    report: &mut Report<'_, '_>,
    file: &File,
    range: Range<usize>,
    message: String,
) {
    let tokens = subject.tokens(&file.document.text[range.clone()]);
    report
        .at(file.place(range.start), message)
        .chain(subject.chain(&file.path))
        .costs(Cost::Start(tokens))
        .help(format!(
            "say where what is in a sentence: the {} tokens go, and nothing goes stale",
            grouped(tokens)
        ))
        .report();
}

/// Runs of lines that draw a tree, each with its number of lines. Lines between that draw nothing
/// but a rail, or are empty, do not end one.
fn trees(text: &str, least: usize) -> Vec<(Range<usize>, usize)> {
    // The signs of the usual drawings.
    if !text.contains(['├', '└']) && !text.contains("|--") && !text.contains("+--") {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut run: Option<(Range<usize>, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let range = at..at + line.trim_end().len();
        at += line.len();
        if draws(line) {
            let (whole, lines) = run.get_or_insert((range.clone(), 0));
            whole.end = range.end;
            *lines += 1;
        } else if !is_rail(line)
            && let Some(run) = run.take()
        {
            found.push(run);
        }
    }
    found.extend(run);
    found.retain(|(_, lines)| *lines >= least);
    found
}

fn draws(line: &str) -> bool {
    let inner = line.trim_start_matches([' ', '\t', '│', '|', '\u{A0}']);
    ["├─", "└─", "╰─", "+--", "`--", "\\--", "--"]
        .iter()
        .any(|sign| {
            inner.starts_with(sign) && (*sign != "--" || line.trim_start().starts_with("|--"))
        })
}

fn is_rail(line: &str) -> bool {
    line.chars()
        .all(|c| c.is_whitespace() || c == '│' || c == '|')
}

/// Lists of names of files and nothing else, each with these names: items of a list, or the lines
/// of a block of code.
fn lists(text: &str, least: usize) -> Vec<(Range<usize>, Vec<&str>)> {
    let mut found: Vec<(Range<usize>, Vec<&str>)> = Vec::new();
    let mut in_list = false;
    for Stretch { kind, range } in outline(text) {
        let own = &text[range.clone()];
        match kind {
            StretchKind::Item => {
                let Some(name) = file_name(own.trim_start().trim_start_matches(['-', '*', '+']))
                else {
                    in_list = false;
                    continue;
                };
                match found.last_mut().filter(|_| in_list) {
                    Some((whole, names)) => {
                        whole.end = range.end;
                        names.push(name);
                    }
                    None => found.push((range, vec![name])),
                }
                in_list = true;
            }
            StretchKind::Code => {
                in_list = false;
                let lines = own.lines().filter(|line| !line.trim().is_empty());
                let inner: Vec<&str> = lines.skip(1).collect();
                let names: Option<Vec<&str>> = inner
                    .iter()
                    .filter(|line| !line.trim_start().starts_with(['`', '~']))
                    .map(|line| file_name(line))
                    .collect();
                found.extend(names.map(|names| (range, names)));
            }
            _ => in_list = false,
        }
    }
    found.retain(|(_, names)| names.len() >= least);
    found
}

/// A text that is a path and nothing else.
fn file_name(text: &str) -> Option<&str> {
    let name = text.trim().trim_matches('`').trim_start_matches("./");
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/');
    let is_name = name.contains(['.', '/']) && name.chars().all(is_path);
    is_name.then_some(name)
}

/// Whether at least half of the names are those of files or folders here.
fn most_exist(subject: &Subject<'_, '_>, names: &[&str]) -> bool {
    let mut known: FxHashSet<&str> = FxHashSet::default();
    for path in &subject.tree().files {
        known.insert(path);
        known.extend(path.match_indices('/').map(|(at, _)| &path[..at]));
        known.extend(path.match_indices('/').map(|(at, _)| &path[at + 1..]));
    }
    let exist = names
        .iter()
        .filter(|name| known.contains(name.trim_end_matches('/')));
    exist.count() * 2 >= names.len()
}
