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
               others' code such as `vendor`, what lies beside a `SKILL.md`, and what lies in a \
               folder of templates or fixtures. Several that only the directory above turns off are \
               one finding, at the file that does it.",
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
        Example {
            title: "many below",
            files: &[
                ("CLAUDE.md", "@AGENTS.md\n"),
                ("AGENTS.md", "Use pnpm.\n"),
                ("api/AGENTS.md", "Errors have codes.\n"),
                ("web/AGENTS.md", "Use semantic elements.\n"),
                ("web/shop/AGENTS.md", "Prices have two digits.\n"),
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
                ("templates/app/AGENTS.md", "For the new project.\n"),
                (
                    ".agents/skills/react/SKILL.md",
                    "---\nname: react\ndescription: React\n---\nSee AGENTS.md.\n",
                ),
                (".agents/skills/react/AGENTS.md", "Render once.\n"),
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

/// What a file does to others.
const OFF: &str = "turns `AGENTS.md` off";

/// Folders of what is copied or tested.
const MATERIAL: [&str; 6] = [
    "template",
    "templates",
    "fixtures",
    "__fixtures__",
    "testdata",
    "test-fixtures",
];

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
    let files = files.iter().filter(|file| !mentioned.contains(file));
    let mut below = Vec::new();
    for file in files.filter(|file| !is_material(subject, file)) {
        below.extend(one(subject, report, file));
    }
    if let Some(claude) = walk_file(subject) {
        turned_off(subject, report, claude, &below);
    }
}

/// Whether a file lies in what is copied or tested, or belongs to a skill.
fn is_material(subject: &Subject<'_, '_>, file: &AbsPath) -> bool {
    let is_beside = |folder: AbsPath| subject.is_file(&folder.child("SKILL.md"));
    let below = file.below(subject.session.cwd()).unwrap_or_default();
    // The folder itself may have an `AGENTS.md` about templates.
    let parts = below.rsplit('/').skip(2);
    parts.into_iter().any(|part| MATERIAL.contains(&part)) || file.parent().is_some_and(is_beside)
}

/// Tells of a file that the one beside it turns off. Gives one that only the walk turns off, with
/// its tokens.
fn one(
    subject: &Subject<'_, '_>,
    report: &mut Report<'_, '_>,
    file: &AbsPath,
) -> Option<(AbsPath, u64)> {
    let world = subject.session.world();
    let excluded = world.excluded_by(Scope::Project, &[file.as_str()]);
    if excluded.is_some() || subject.comes(file) {
        return None;
    }
    let directory = directory_of(file)?;
    let text = subject.text(file).unwrap_or_default();
    let tokens = subject.tokens(&text);
    if tokens == 0 {
        return None;
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
        return None;
    }
    // Of a link in place of an import another rule tells.
    let links = |text: &str| text.contains("](AGENTS.md)") || text.contains("](./AGENTS.md)");
    let mut texts = beside.iter().filter_map(|own| subject.text(own));
    if texts.any(|text| links(&text)) {
        return None;
    }
    let Some(claude) = beside.iter().find(|own| subject.comes(own)) else {
        return Some((file.clone(), tokens));
    };
    let folder = claude.parent().unwrap_or_else(|| (*claude).clone());
    let (name, claude_name) = (subject.name(file), subject.name(claude));
    let message =
        format!("no session here gets `{name}`: `{claude_name}` is there and does not import it");
    report
        .at(Place::File(file.clone()), message)
        .also(Place::File((*claude).clone()), OFF)
        .costs(Cost::Lost(tokens))
        .help(format!(
            "write `@{}` into `{claude_name}`",
            file.relative_to(&folder)
        ))
        .report();
    None
}

/// Tells of files that a file of the walk turns off: there may be one in every package.
fn turned_off(
    subject: &Subject<'_, '_>,
    report: &mut Report<'_, '_>,
    claude: &AbsPath,
    files: &[(AbsPath, u64)],
) {
    let Some((first, _)) = files.first() else {
        return;
    };
    let (name, claude_name) = (subject.name(first), subject.name(claude));
    let mut draft = match files.len() {
        1 => {
            let message = format!("no session here gets `{name}`, since there is `{claude_name}`");
            let draft = report.at(Place::File(first.clone()), message);
            draft.also(Place::File(claude.clone()), OFF)
        }
        many => {
            let message = format!(
                "no session here gets `{name}` and {} more, since there is `{claude_name}`",
                many - 1
            );
            report.at(Place::File(claude.clone()), message)
        }
    };
    if files.len() > 1 {
        for (file, _) in files {
            draft = draft.also(Place::File(file.clone()), "is not read");
        }
    }
    draft
        .costs(Cost::Lost(files.iter().map(|(_, tokens)| tokens).sum()))
        .help("put a `CLAUDE.md` beside each that holds the line `@AGENTS.md`")
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
