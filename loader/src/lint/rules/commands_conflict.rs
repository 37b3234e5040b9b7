//! L401: two files that choose different tools for the same job.

use super::prelude::*;
use crate::lint::statements::{Statement, is_of_part, statements};
use crate::lint::subject::{File, When, directory_of};
use crate::path::AbsPath;
use crate::record::Scope;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L401",
    name: "commands-conflict",
    severity: Severity::Warning,
    summary: "Two files that load together choose different tools for the same job.",
    page: Page {
        what: "Looks for orders that choose a package manager, a test runner or an indentation, such as \
               `Use pnpm` and `Run npm test before each commit`, in files that are in one context, and \
               compares what they choose. Sentences about a part of the project, sections and files \
               named after one, and files that name both tools are left alone.",
        why: "The client adds all files up; nothing says which of them wins. The model follows the one or \
              the other, from session to session, and each file costs its tokens.",
        instead: "Keep the order in one file. Where a folder differs on purpose, say so in its own file, and \
                  for what it holds.",
        drawbacks: "An order that a file below, a rule for some files, or a personal file gives otherwise may \
                    be meant: that is information, no warning.",
        evidence: "Facts 1.1 and 5.14: files add up, in this order; peers' checks of contradictions.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a rule that says otherwise than the project's file",
            files: &[
                ("CLAUDE.md", "# Shop\n\nUse pnpm, never npm.\n"),
                (
                    ".claude/rules/testing.md",
                    "# Tests\n\n- Run `npm test` before each commit.\n",
                ),
            ],
            fixed: &[],
        },
        Example {
            title: "the user's own file",
            files: &[
                ("~/.claude/CLAUDE.md", "Use tabs for indentation.\n"),
                ("CLAUDE.md", "- Indent with 2 spaces.\n"),
            ],
            fixed: &[],
        },
    ],
    good: &[
        Example {
            title: "parts of the project, and a file that names both",
            files: &[
                ("CLAUDE.md", "Use pnpm.\n\n## Legacy\n\nUse npm.\n"),
                (".claude/rules/web.md", "Use bun.\n"),
                (
                    ".claude/rules/tools.md",
                    "Never use yarn. Run `npm publish` to publish.\n",
                ),
                ("~/.claude/CLAUDE.md", "Use npm. Use pnpm.\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "two folders that never meet",
            files: &[
                ("CLAUDE.md", "Be brief.\n"),
                ("api/CLAUDE.md", "Use pytest.\n"),
                ("jobs/CLAUDE.md", "Run `python -m unittest`.\n"),
            ],
            fixed: &[],
        },
    ],
    check,
};

/// An order, and where it holds.
struct Order<'f> {
    file: &'f File,
    /// The directory for which its file speaks.
    directory: AbsPath,
    statement: Statement,
}

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let mut orders: Vec<Order<'_>> = Vec::new();
    for file in &subject.files {
        let root = subject.root_of(file);
        if file.scope == Scope::AutoMemory || names_part(&file.path) || names_part(&root) {
            continue;
        }
        let found = statements(&file.document.source, &subject.prose(file));
        for statement in &found {
            let own = |other: &&Statement| other.job == statement.job;
            let mut others = found.iter().filter(own);
            // A file that names two of a kind tells when to use which.
            let is_first = others.clone().next() == Some(statement);
            if is_first && others.all(|other| other.tool == statement.tool) {
                orders.push(Order {
                    file,
                    directory: directory_of(&root).unwrap_or_else(|| root.clone()),
                    statement: statement.clone(),
                });
            }
        }
    }
    for (at, order) in orders.iter().enumerate() {
        let earlier = orders[..at].iter();
        let mut against = earlier.filter(|other| {
            other.statement.job == order.statement.job
                && other.statement.tool != order.statement.tool
                && meet(other, order)
        });
        if let Some(other) = against.next() {
            told(subject, report, order, other);
        }
    }
}

fn told(
    subject: &Subject<'_, '_>,
    report: &mut Report<'_, '_>,
    order: &Order<'_>,
    other: &Order<'_>,
) {
    let place =
        |order: &Order<'_>| Place::Bytes(order.file.path.clone(), order.statement.range.clone());
    let (job, tool) = (order.statement.job.name(), order.statement.tool);
    let message = format!(
        "`{tool}` is the {job} here and `{}` in `{}`, and both are in one context",
        other.statement.tool,
        subject.name(&other.file.path)
    );
    let mut draft = report
        .at(place(order), message)
        .also(place(other), format!("`{}` here", other.statement.tool))
        .chain(subject.chain(&order.file.path))
        .help("keep one of them, or say for which part each holds");
    if may_differ(order, other) {
        draft = draft.severity(Severity::Info);
    }
    draft.report();
}

/// Whether two files are in one context: what the start brings always is, and what reads bring is
/// where its directory lies below the other's.
fn meet(a: &Order<'_>, b: &Order<'_>) -> bool {
    let starts = [a, b].map(|order| order.file.when == When::Start);
    match starts {
        [true, true] => true,
        [true, false] => {
            let is_of_all = !matches!(a.file.scope, Scope::Project | Scope::Local);
            is_of_all || b.directory.is_within(&a.directory)
        }
        [false, true] => meet(b, a),
        [false, false] => {
            let is_match = |order: &Order<'_>| matches!(order.file.when, When::Match { .. });
            !is_match(a)
                && !is_match(b)
                && (a.directory.is_within(&b.directory) || b.directory.is_within(&a.directory))
        }
    }
}

/// Whether the one may be meant to differ from the other.
fn may_differ(a: &Order<'_>, b: &Order<'_>) -> bool {
    let is_below = |a: &AbsPath, b: &AbsPath| a != b && a.is_within(b);
    let is_personal = |order: &Order<'_>| order.file.scope == Scope::Local;
    let is_late = |order: &Order<'_>| order.file.when != When::Start;
    let differs = |test: &dyn Fn(&Order<'_>) -> bool| test(a) != test(b);
    let of_project = |order: &Order<'_>| matches!(order.file.scope, Scope::Project | Scope::Local);
    let nested = of_project(a)
        && of_project(b)
        && (is_below(&a.directory, &b.directory) || is_below(&b.directory, &a.directory));
    nested || differs(&is_personal) || differs(&is_late)
}

/// Whether the name of a file, or of its folder of rules, is that of a part.
fn names_part(path: &AbsPath) -> bool {
    let name = path.file_name();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let general = [
        "claude",
        "agents",
        "local",
        "md",
        "code",
        "style",
        "coding",
        "conventions",
        "convention",
        "general",
        "guide",
        "guidelines",
        "formatting",
        "format",
        "readme",
        "rules",
        "testing",
        "test",
        "tests",
        "commands",
        "command",
        "build",
        "git",
        "workflow",
        "workflows",
        "tooling",
        "tools",
        "packages",
        "dependencies",
        "setup",
        "development",
        "standards",
        "project",
        "core",
        "base",
        "common",
        "main",
        "index",
        "quality",
        "and",
        "stack",
        "tech",
        "universal",
        "always",
        "global",
        "shared",
        "preferences",
        "contributing",
    ];
    let lower = stem.to_lowercase();
    let mut words = lower
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty());
    let is_general = words.all(|word| general.contains(&word));
    let folder = path.parent().map(|folder| folder.file_name().to_owned());
    !is_general
        || (path.as_str().contains("/rules/")
            && folder.is_some_and(|folder| folder != "rules" && is_of_part(&folder)))
}
