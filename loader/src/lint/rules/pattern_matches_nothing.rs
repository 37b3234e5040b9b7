//! L204: patterns that match no file.

use super::pattern_base;
use super::prelude::*;
use crate::lint::patterns::{Piece, Scoped, literal_start};
use crate::record::Scope;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L204",
    name: "pattern-matches-nothing",
    severity: Severity::Warning,
    summary: "No file of the project matches a rule's patterns, so the rule never loads.",
    page: Page {
        what: "Matches the patterns of every project rule against the files of the project, as the client \
               does. A rule none of whose patterns matches is found as a whole; a pattern beside others \
               that do match is found for information, where the folder in which it looks is gone. \
               So is a rule for names in any folder, such as `**/*.cs`, in a project with no such file. \
               Files that git ignores count as matched, whether or not they are there.",
        why: "The rule waits for a read that cannot happen: its text reaches no session. Patterns die \
              silently when folders are renamed.",
        instead: "Write the pattern from the folder that holds `.claude`. A name without a slash matches \
                  at any depth, one with a slash from that folder on; letter case does not count.",
        drawbacks: "A rule for files that are yet to be written is found, too. Nothing is said where the \
                    project holds no files but instructions, or more than are looked at.",
        evidence: "Facts 5.4 to 5.7 (cases paths-forms-* and paths-base-*).",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a folder that was renamed",
            files: &[
                (
                    ".claude/rules/web.md",
                    "---\npaths: \"src/pages/**\"\n---\nUse semantic elements.\n",
                ),
                ("src/routes/index.ts", "export {};\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "a folder whose name is in brackets",
            files: &[
                (
                    ".claude/rules/web.md",
                    "---\npaths: \"src/[slug]/*.ts\"\n---\nUse semantic elements.\n",
                ),
                ("src/[slug]/page.ts", "export {};\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "a language that the project does not have",
            files: &[
                (
                    ".claude/rules/cs.md",
                    "---\npaths:\n  - \"**/*.cs\"\n  - \"*.csproj\"\n---\nUse records.\n",
                ),
                ("src/routes/index.ts", "export {};\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "one dead pattern among others",
            files: &[
                (
                    ".claude/rules/web.md",
                    "---\npaths:\n  - \"src/pages/**\"\n  - \"src/routes/**\"\n---\nUse semantic elements.\n",
                ),
                ("src/routes/index.ts", "export {};\n"),
            ],
            fixed: &[],
        },
    ],
    good: &[
        Example {
            title: "every form that the client matches",
            files: &[
                (
                    ".claude/rules/a.md",
                    "---\npaths:\n  - SRC\n  - \"*.{ts,tsx}\"\n  - '/src/[ab].ts'\n  - package.json\n---\nUse strict types.\n",
                ),
                (
                    ".claude/rules/b.md",
                    "---\npaths: \"lib/**, src/**/*.ts\"\n---\nUse named exports.\n",
                ),
                ("src/a.ts", "export {};\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "files that git ignores",
            files: &[
                (
                    ".claude/rules/dist.md",
                    "---\npaths:\n  - \"dist/**\"\n  - \"*.generated.ts\"\n---\nDo not edit these.\n",
                ),
                (".gitignore", "/dist/\n*.generated.ts\n"),
                ("src/a.ts", "export {};\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "rules of the user, which are for every project",
            files: &[
                (
                    "~/.claude/rules/python.md",
                    "---\npaths: \"**/*.py\"\n---\nUse type hints.\n",
                ),
                ("src/a.ts", "export {};\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "a project that has no files yet",
            files: &[
                (
                    ".claude/rules/web.md",
                    "---\npaths: \"src/**\"\n---\nUse semantic elements.\n",
                ),
                ("README.md", "A template.\n"),
            ],
            fixed: &[],
        },
    ],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    if subject.scoped().is_empty() || subject.waiting.truncated || !has_begun(subject) {
        return;
    }
    for rule in subject.scoped() {
        let file = &subject.files[rule.at];
        if file.scope != Scope::Project || !rule.base.is_within(subject.session.cwd()) {
            continue;
        }
        let (dead, alive): (Vec<&Piece>, Vec<&Piece>) = rule
            .pieces
            .iter()
            .filter(|piece| !piece.is_negated())
            .partition(|piece| is_dead(subject, rule, piece));
        if dead.is_empty() {
            continue;
        }
        if alive.is_empty() {
            whole(subject, report, rule, &dead);
            continue;
        }
        for piece in dead {
            if let Some(folder) = lost_folder(subject, rule, piece) {
                let message = format!(
                    "`{}` matches no file: `{folder}` does not exist",
                    piece.text
                );
                report
                    .at(
                        Place::Bytes(file.path.clone(), piece.range.clone()),
                        message,
                    )
                    .severity(Severity::Info)
                    .help("name the folder where the files are now, or take the pattern out")
                    .report();
            }
        }
    }
}

fn whole(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, rule: &Scoped, dead: &[&Piece]) {
    let file = &subject.files[rule.at];
    // Those from the wrong base, and those that are none, are found by rules of their own.
    let is_known = |piece: &&&Piece| {
        piece.set.has_invalid() || pattern_base::wrong(subject, rule, piece).is_some()
    };
    let Some(first) = dead.iter().find(|piece| !is_known(piece)) else {
        return;
    };
    let message = match dead.len() {
        1 if first.text.contains('\n') => {
            "no file matches the lines, which are one pattern, so the rule never loads".to_owned()
        }
        1 => format!("no file matches `{}`, so the rule never loads", first.text),
        many => format!("no file matches any of the {many} patterns, so the rule never loads"),
    };
    let place = match dead.len() {
        1 => first.range.clone(),
        _ => dead[0].range.start..dead[dead.len() - 1].range.end,
    };
    let odd = dead.iter().find_map(|piece| help(piece));
    // A rule that is kept for a language: nothing says that a file was meant.
    let severity = match odd.is_none() && dead.iter().all(|piece| is_of_any_folder(piece)) {
        true => Severity::Info,
        false => RULE.severity,
    };
    let help = odd.unwrap_or_else(|| match severity {
        Severity::Info => "the rule costs nothing as long as there is no such file".to_owned(),
        _ => format!("patterns start at `{}`", subject.name(&rule.base)),
    });
    report
        .at(Place::Bytes(file.path.clone(), place), message)
        .severity(severity)
        .costs(Cost::Lost(subject.tokens(&file.text)))
        .help(help)
        .report();
}

/// Whether a pattern names no folder.
fn is_of_any_folder(piece: &Piece) -> bool {
    let mut patterns = piece.patterns.iter();
    patterns.all(|pattern| !pattern.strip_prefix("**/").unwrap_or(pattern).contains('/'))
}

/// Whether there are files that a rule could be about.
fn has_begun(subject: &Subject<'_, '_>) -> bool {
    let tree = subject.tree();
    let is_work = |file: &String| {
        let hidden = file.split('/').any(|part| part.starts_with('.'));
        let note = file
            .rsplit_once('.')
            .is_some_and(|(_, end)| end.eq_ignore_ascii_case("md"));
        !hidden && !note
    };
    !tree.truncated && tree.files.iter().any(is_work)
}

fn is_dead(subject: &Subject<'_, '_>, rule: &Scoped, piece: &Piece) -> bool {
    subject.first_match(&rule.base, &piece.patterns).is_none()
        && !subject.names_ignored(&rule.base, &piece.patterns)
        && subject.ignored_match(&rule.base, &piece.patterns).is_none()
}

/// The folder that a pattern looks in and that is gone, where the folder above it is there.
fn lost_folder(subject: &Subject<'_, '_>, rule: &Scoped, piece: &Piece) -> Option<String> {
    let start = literal_start(piece.patterns.first()?);
    let start = match piece.text.ends_with("/**") {
        // The client's form of it has lost its end.
        true if !piece.text.contains(['*', '{', '[', '?', '\\']) => return None,
        true => literal_start(&piece.text),
        false => start,
    };
    let start = start.trim_end_matches('/');
    let (above, _) = start.rsplit_once('/')?;
    let is_there = |folder: &str| {
        let pattern = format!("/{folder}/");
        subject.first_match(&rule.base, &[pattern]).is_some()
    };
    (is_there(above) && !is_there(start)).then(|| start.to_owned())
}

/// What of a pattern the client does not take as it seems to be meant.
fn help(piece: &Piece) -> Option<String> {
    let text = &piece.text;
    let has_nested_braces = text.find('{').is_some_and(|open| {
        text[open + 1..]
            .split('}')
            .next()
            .is_some_and(|inner| inner.contains('{'))
    });
    let help = if text.contains('\n') {
        "a text of several lines is one pattern: write a list".to_owned()
    } else if text.contains(['"', '\'']) {
        "the quote is part of the pattern: close it, or take it out".to_owned()
    } else if has_nested_braces {
        "braces within braces are not expanded: write them apart".to_owned()
    } else if text.contains("..") && text.contains('{') {
        "`{a..c}` is no range here: write the names with commas".to_owned()
    } else if ["!(", "@(", "+(", "?(", "*("]
        .iter()
        .any(|open| text.contains(open))
    {
        "groups in parentheses are not expanded: write braces, or several patterns".to_owned()
    } else if text.contains("[!") || text.contains("[^") {
        "a class of characters cannot be negated here".to_owned()
    } else if let Some(name) = in_brackets(text) {
        format!("`[{name}]` stands for one of its characters: write `\\[{name}\\]` for the name")
    } else if text.contains('\\') {
        "folders are parted by `/`, not by `\\`".to_owned()
    } else if text.contains("//") {
        "a doubled slash matches nothing".to_owned()
    } else if text.ends_with('/') {
        "a slash at the end makes it a folder".to_owned()
    } else {
        return None;
    };
    Some(help)
}

/// A name of two letters or more in brackets that fills a whole part of the path.
fn in_brackets(text: &str) -> Option<&str> {
    let mut parts = text.split('/');
    parts.find_map(|part| {
        let name = part.strip_prefix('[')?.split(']').next()?;
        (name.len() > 2 && !name.contains('-')).then_some(name)
    })
}
