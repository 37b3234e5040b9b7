//! L206: patterns that are written from the wrong directory.

use super::prelude::*;
use crate::lint::patterns::{Piece, Scoped};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L206",
    name: "pattern-base",
    severity: Severity::Warning,
    summary: "A pattern is written from the wrong directory, so it matches nothing.",
    page: Page {
        what: "Looks for patterns that begin with `./`, `../`, `~/` or an absolute path, and for those \
               that repeat the folders above the rule's own `.claude`.",
        why: "Patterns of a project's rule are matched against paths from the folder that holds its \
              `.claude`, those of the user's rules against paths from the working directory. No such path \
              begins with `./` or `../`, so the pattern matches nothing and the rule never loads.",
        instead: "Write the path from that folder, without anything before it.",
        drawbacks: "A folder that holds a folder of its own name is told by the files in it.",
        evidence: "Facts 5.5 to 5.7; client thread 25562.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a path that begins with `./`",
            files: &[
                (
                    ".claude/rules/web.md",
                    "---\npaths: \"./src/**/*.ts\"\n---\nUse semantic elements.\n",
                ),
                ("src/index.ts", "export {};\n"),
            ],
            fixed: &[(
                ".claude/rules/web.md",
                "---\npaths: \"src/**/*.ts\"\n---\nUse semantic elements.\n",
            )],
        },
        Example {
            title: "a path from the folder of the rule",
            files: &[
                (
                    ".claude/rules/web.md",
                    "---\npaths: \"../../src/**\"\n---\nUse semantic elements.\n",
                ),
                ("src/index.ts", "export {};\n"),
            ],
            fixed: &[(
                ".claude/rules/web.md",
                "---\npaths: \"src/**\"\n---\nUse semantic elements.\n",
            )],
        },
        Example {
            title: "a path from the root, in a nested rule",
            files: &[
                (
                    "packages/api/.claude/rules/sql.md",
                    "---\npaths:\n  - \"packages/api/src/**\"\n---\nBind every value.\n",
                ),
                ("packages/api/src/index.ts", "export {};\n"),
            ],
            fixed: &[(
                "packages/api/.claude/rules/sql.md",
                "---\npaths:\n  - \"src/**\"\n---\nBind every value.\n",
            )],
        },
        Example {
            title: "an absolute path",
            files: &[
                (
                    ".claude/rules/web.md",
                    "---\npaths: /home/dev/shop/src/**\n---\nUse semantic elements.\n",
                ),
                ("src/index.ts", "export {};\n"),
            ],
            fixed: &[(
                ".claude/rules/web.md",
                "---\npaths: src/**\n---\nUse semantic elements.\n",
            )],
        },
    ],
    good: &[Example {
        title: "a slash at the start, hidden folders, and a folder of the same name",
        files: &[
            (
                ".claude/rules/web.md",
                "---\npaths:\n  - \"/src/**\"\n  - \".github/**\"\n  - shop/*.ts\n---\nUse semantic elements.\n",
            ),
            ("src/index.ts", "export {};\n"),
            ("shop/index.ts", "export {};\n"),
            (".github/ci.yml", "on: push\n"),
        ],
        fixed: &[],
    }],
    check,
};

/// What is wrong with a pattern's beginning.
pub(super) struct Wrong {
    /// What it is, for a message.
    what: &'static str,
    /// How it is written instead.
    instead: Option<String>,
    /// Whether that is the only thing that can be meant.
    is_sure: bool,
}

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for rule in subject.scoped() {
        let file = &subject.files[rule.at];
        for piece in &rule.pieces {
            let Some(wrong) = wrong(subject, rule, piece) else {
                continue;
            };
            let base = match subject.session.cwd() == &rule.base {
                true => "the working directory".to_owned(),
                false => format!("`{}`", subject.name(&rule.base)),
            };
            let message = format!(
                "`{}` matches nothing: patterns are matched against paths from {base}, and this is {}",
                piece.text, wrong.what
            );
            let place = Place::Bytes(file.path.clone(), piece.range.clone());
            let mut draft = report.at(place, message);
            if rule.pieces.len() == 1 {
                draft = draft.costs(Cost::Lost(subject.tokens(&file.text)));
            }
            if let Some(instead) = &wrong.instead {
                draft = draft.help(format!("write `{instead}`"));
                if piece.is_exact {
                    let applicability = if wrong.is_sure {
                        Applicability::Safe
                    } else {
                        Applicability::Unsafe
                    };
                    let title = format!("write `{instead}`");
                    let range = piece.range.clone();
                    draft = draft.fix(Fix::one(applicability, title, &file.path, range, instead));
                }
            }
            draft.report();
        }
    }
}

/// What is wrong with the beginning of a pattern, if anything is.
pub(super) fn wrong(subject: &Subject<'_, '_>, rule: &Scoped, piece: &Piece) -> Option<Wrong> {
    let text = piece.text.as_str();
    let file = &subject.files[rule.at];
    let first = text.split('/').next()?;
    let matches = |text: &str| {
        let patterns = subject.client_patterns(text);
        subject.first_match(&rule.base, &patterns).is_some()
    };
    match first {
        "." => {
            let rest = text.trim_start_matches("./").trim_start_matches('/');
            // A slash keeps it from matching at any depth.
            let instead = if rest.trim_end_matches('/').contains('/') {
                rest.to_owned()
            } else {
                format!("/{rest}")
            };
            let instead = (!rest.is_empty() && rest != ".").then_some(instead);
            return Some(Wrong {
                what: "a path with `./`",
                instead,
                is_sure: true,
            });
        }
        ".." => {
            let end = text.find(['*', '?', '[', '{', '\\']).unwrap_or(text.len());
            let end = text[..end].rfind('/').map_or(0, |slash| slash + 1);
            let path = file.path.parent()?.join(&text[..end]);
            let below = path.below(&rule.base).map(|below| match below {
                "" => text[end..].to_owned(),
                below => format!("{below}/{}", &text[end..]),
            });
            return Some(Wrong {
                what: "a path that leaves it",
                instead: below.filter(|below| matches(below)),
                is_sure: false,
            });
        }
        "~" => {
            let home = &subject.session.origin().home;
            let instead = rule.base.below(home).and_then(|base| {
                let rest = text[1..].trim_start_matches('/').strip_prefix(base)?;
                rest.strip_prefix('/').map(str::to_owned)
            });
            return Some(Wrong {
                what: "a path from the home folder",
                instead: instead.filter(|instead| !instead.is_empty()),
                is_sure: true,
            });
        }
        "" => {
            let rest = text.strip_prefix(rule.base.as_str())?.strip_prefix('/')?;
            return (!rest.is_empty() && !matches(text)).then(|| Wrong {
                what: "an absolute path",
                instead: Some(rest.to_owned()),
                is_sure: true,
            });
        }
        _ => {}
    }
    // The folders above it, from the working directory on or the last one alone.
    let cwd = subject.session.cwd();
    let whole = rule.base.below(cwd).unwrap_or_default();
    let last = rule.base.file_name();
    let rest = [whole, last].into_iter().find_map(|folder| {
        let rest = text.strip_prefix(folder)?.strip_prefix('/')?;
        (!folder.is_empty() && !rest.is_empty()).then_some(rest)
    })?;
    let is_wrong = matches(rest) && rest != "**" && !matches(text);
    is_wrong.then(|| Wrong {
        what: "a path from a folder above it",
        instead: Some(rest.to_owned()),
        is_sure: false,
    })
}
