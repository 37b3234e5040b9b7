//! L116: `AGENTS.md` files that no session here gets.

use rustc_hash::FxHashSet;

use super::prelude::*;
use crate::path::AbsPath;
use crate::record::{Cause, Scope};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L116",
    name: "agents-not-read",
    severity: Severity::Info,
    summary: "An `AGENTS.md` is not read, since there is a `CLAUDE.md` that does not import it.",
    page: Page {
        what: "Looks for `AGENTS.md` files, in the directories of the walk and below the working \
               directory, that neither load by themselves nor are imported. One that is a link to, \
               or has the text of, the `CLAUDE.md` beside it is left alone, and so are folders of \
               others' code such as `vendor`.",
        why: "The client reads `AGENTS.md` only where no directory from the top down to the working \
              directory has a `CLAUDE.md` or `CLAUDE.local.md` with something in it: one such file \
              turns all of them off, those of directories below included. Clients before 2.1.281 \
              never read it.",
        instead: "Write `@AGENTS.md` into the `CLAUDE.md`; below, put a `CLAUDE.md` with that line \
                  beside each `AGENTS.md`.",
        drawbacks: "The file may be meant for other tools only.",
        evidence: "Facts 1.11, 1.12, 31 and 43; bug bank B048 and B051.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "one beside a `CLAUDE.md` of its own",
            files: &[
                ("CLAUDE.md", "Run the tests.\n"),
                ("AGENTS.md", "Use pnpm.\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "one below",
            files: &[
                ("CLAUDE.md", "@AGENTS.md\n"),
                ("AGENTS.md", "Use pnpm.\n"),
                ("src/AGENTS.md", "Use semantic elements.\n"),
            ],
            fixed: &[],
        },
    ],
    good: &[
        Example {
            title: "imported, linked, copied, or of somebody else",
            files: &[
                ("CLAUDE.md", "@AGENTS.md\n"),
                ("AGENTS.md", "Use pnpm.\n"),
                ("api/CLAUDE.md", "-> AGENTS.md"),
                ("api/AGENTS.md", "Errors have codes.\n"),
                ("web/CLAUDE.md", "Use semantic elements.\n"),
                ("web/AGENTS.md", "Use semantic elements.\n"),
                ("vendor/lib/AGENTS.md", "Lib.\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "no `CLAUDE.md` anywhere",
            files: &[
                ("AGENTS.md", "Use pnpm.\n"),
                ("src/AGENTS.md", "Use semantic elements.\n"),
            ],
            fixed: &[],
        },
    ],
    check,
};

/// Folders of others' code.
const FOREIGN: [&str; 4] = ["node_modules", "vendor", "third_party", "third-party"];

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let world = subject.session.world();
    let switches = &world.switches;
    let is_off = switches.agents_off.is_some() || switches.instructions_off.is_some();
    if is_off || !world.origin.sources.project {
        return;
    }
    let cwd = subject.session.cwd();
    let mut files: Vec<AbsPath> = Vec::new();
    for skip in &subject.skips {
        if matches!(skip.case, "claude-file-present" | "client-without-agents") {
            files.push(skip.path.clone());
        }
    }
    for path in &subject.tree().files {
        let is_foreign = path.split('/').any(|part| FOREIGN.contains(&part));
        if path.rsplit('/').next() == Some("AGENTS.md") && !is_foreign {
            files.push(cwd.join(path));
        }
    }
    files.sort();
    files.dedup();
    // Of those that an import names, other rules tell why they do not come.
    let mentioned = subject.skips.iter().filter(|skip| skip.mention.is_some());
    let mentioned: FxHashSet<&AbsPath> = mentioned.map(|skip| &skip.path).collect();
    for file in files.iter().filter(|file| !mentioned.contains(file)) {
        one(subject, report, file);
    }
}

fn one(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, file: &AbsPath) {
    let world = subject.session.world();
    let excluded = world.excluded_by(Scope::Project, &[file.as_str()]);
    if excluded.is_some() || subject.comes(file) {
        return;
    }
    let Some(directory) = directory_of(file) else {
        return;
    };
    let text = subject.text(file).unwrap_or_default();
    let tokens = subject.tokens(&text);
    if tokens == 0 {
        return;
    }
    let dot_claude = directory.child(".claude");
    let beside = [
        directory.child("CLAUDE.md"),
        dot_claude.child("CLAUDE.md"),
        directory.child("CLAUDE.local.md"),
    ];
    let host = world.host;
    let real = host.canonicalize(file).ok();
    let is_same = |other: &AbsPath| {
        host.canonicalize(other).ok() == real
            || subject
                .text(other)
                .is_some_and(|own| own.trim() == text.trim())
    };
    let beside: Vec<&AbsPath> = beside.iter().filter(|path| subject.is_file(path)).collect();
    if beside.iter().any(|other| is_same(other)) {
        return;
    }
    let name = subject.name(file);
    let reference = |from: &AbsPath| {
        let folder = from.parent().unwrap_or_else(|| from.clone());
        format!("@{}", file.relative_to(&folder))
    };
    // Of a link in place of an import another rule tells.
    let links = |text: &str| text.contains("](AGENTS.md)") || text.contains("](./AGENTS.md)");
    let mut texts = beside.iter().filter_map(|own| subject.text(own));
    if texts.any(|text| links(&text)) {
        return;
    }
    let (message, help, also) = if let Some(claude) = beside.iter().find(|own| subject.comes(own)) {
        let claude_name = subject.name(claude);
        (
            format!(
                "no session here gets `{name}`: `{claude_name}` is there and does not import it"
            ),
            format!("write `{}` into `{claude_name}`", reference(claude)),
            (*claude).clone(),
        )
    } else if let Some(claude) = walk_file(subject) {
        let help = "put a `CLAUDE.md` beside it that holds the line `@AGENTS.md`".to_owned();
        (
            format!(
                "no session here gets `{name}`, since there is `{}`",
                subject.name(claude)
            ),
            help,
            claude.clone(),
        )
    } else {
        return;
    };
    report
        .at(Place::File(file.clone()), message)
        .also(Place::File(also), "turns `AGENTS.md` off")
        .costs(Cost::Lost(tokens))
        .help(help)
        .report();
}

/// The directory to which an `AGENTS.md` belongs.
fn directory_of(file: &AbsPath) -> Option<AbsPath> {
    let folder = file.parent()?;
    match folder.file_name() {
        ".claude" => folder.parent(),
        _ => Some(folder),
    }
}

/// A file of the walk that turns all of them off.
fn walk_file<'s>(subject: &'s Subject<'_, '_>) -> Option<&'s AbsPath> {
    let mut files = subject.files.iter();
    let file = files.find(|file| {
        matches!(file.cause, Some(Cause::Startup { directory: Some(_) }))
            && matches!(file.scope, Scope::Project | Scope::Local)
            && matches!(file.path.file_name(), "CLAUDE.md" | "CLAUDE.local.md")
    })?;
    Some(&file.path)
}
