//! L117: files whose names look like those of instruction files.

use super::prelude::*;
use crate::path::AbsPath;
use crate::session::lookalikes::{Lookalike, is_like_rule};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L117",
    name: "name-not-read",
    severity: Severity::Warning,
    summary: "A file has almost the name of an instruction file, and is not read.",
    page: Page {
        what: "Looks for `claude.md`, `Claude.md`, `CLAUDE.MD`, `CLAUDE.md.txt`, `AGENT.md` and the \
               like where an instruction file would be read, and for files in rules folders that end in \
               `.mdc`, `.mdx`, `.markdown` or `.MD`. In directories below, small letters count only \
               beside a manifest such as `package.json`, since a document may be about Claude. Files \
               of other tools, and files that something imports, are left alone.",
        why: "Names are matched exactly. On a system that does not tell capital letters from small \
              ones `Claude.md` is read, and on Linux and in most build machines it is not; nothing \
              says so.",
        instead: "Rename the file: `CLAUDE.md`, `CLAUDE.local.md`, `AGENTS.md`, and `.md` in small \
                  letters for rules.",
        drawbacks: "A document that is no instruction may have such a name.",
        evidence: "Facts 1.5, 1.7 and 1.14; bug bank B042; realistic file 38.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "letters",
            files: &[
                ("Claude.md", "Use pnpm.\n"),
                (".claude/claude.md", "Use pnpm.\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "the rule of another editor",
            files: &[(".claude/rules/web.mdc", "Use semantic elements.\n")],
            fixed: &[],
        },
        Example {
            title: "below",
            files: &[
                ("CLAUDE.md", "Use pnpm.\n"),
                ("web/package.json", "{}\n"),
                ("web/claude.md", "Use semantic elements.\n"),
            ],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "documents, other tools, and what is imported",
        files: &[
            ("CLAUDE.md", "@notes/claude.md\n"),
            ("notes/claude.md", "Use pnpm.\n"),
            ("docs/models/claude.md", "About a model.\n"),
            (
                ".claude/agents/claude.md",
                "---\nname: a\ndescription: b\n---\nC\n",
            ),
            ("agents.md", "About agents.\n"),
            (".cursorrules", "Use pnpm.\n"),
            ("AGENT.md", "Use pnpm.\n"),
            (".claude/rules/data.json", "{}\n"),
        ],
        fixed: &[],
    }],
    check,
};

/// Files that tell a package's own directory.
const MANIFESTS: [&str; 8] = [
    "package.json",
    "Cargo.toml",
    "go.mod",
    "pyproject.toml",
    "pom.xml",
    "build.gradle",
    "composer.json",
    "Gemfile",
];

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let world = subject.session.world();
    if world.switches.instructions_off.is_some() {
        return;
    }
    let cwd = subject.session.cwd();
    for path in &subject.tree().files {
        let name = path.rsplit('/').next().unwrap_or(path);
        let in_rules = path.contains(".claude/rules/");
        if in_rules && is_like_rule(name) {
            rule(subject, report, &cwd.join(path));
        } else if !in_rules && let Some(like) = Lookalike::of(name) {
            one(subject, report, &cwd.join(path), like);
        }
    }
    // The directories of the repository above, and the user's own.
    let root = subject.session.git().map(|git| git.root.clone());
    let above = cwd.ancestors().skip(1);
    let mut folders: Vec<AbsPath> = above
        .filter(|folder| root.as_ref().is_some_and(|root| folder.is_within(root)))
        .flat_map(|folder| [folder.child(".claude"), folder])
        .collect();
    let config = world.origin.config();
    if !config.is_within(cwd) {
        folders.push(config);
    }
    for folder in folders {
        for name in subject.names_in(&folder) {
            if let Some(like) = Lookalike::of(&name) {
                one(subject, report, &folder.child(&name), like);
            }
        }
    }
}

fn rule(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, path: &AbsPath) {
    if !subject.is_file(path) || subject.comes(path) {
        return;
    }
    let message = format!(
        "`{}` is no rule: only files that end in `.md`, in small letters, are",
        subject.name(path)
    );
    let mut draft = report
        .at(Place::File(path.clone()), message)
        .help("rename it to end in `.md`");
    if let Some(lost) = subject.lost_file(path) {
        draft = draft.costs(lost);
    }
    draft.report();
}

fn one(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, path: &AbsPath, like: Lookalike) {
    let Some(folder) = path.parent() else { return };
    let world = subject.session.world();
    let known = match like {
        Lookalike::Letters { known } | Lookalike::Other { known, .. } => known,
    };
    let is_user = folder == world.origin.config();
    let of = match folder.file_name() {
        ".claude" if !is_user => folder.parent().unwrap_or_else(|| folder.clone()),
        _ => folder.clone(),
    };
    let is_walk = is_user || subject.session.cwd().is_within(&of);
    let has = |names: &[&str]| {
        let folders = [of.clone(), of.child(".claude")];
        let mut paths = folders
            .iter()
            .flat_map(|folder| names.iter().map(|name| folder.child(name)));
        paths.any(|path| subject.is_file(&path))
    };
    let is_meant = match like {
        // A project folder of its own, a `.claude` folder, or capital letters.
        Lookalike::Letters { known: "AGENTS.md" } => {
            is_walk && !is_user && !has(&["CLAUDE.md", "AGENTS.md"])
        }
        Lookalike::Letters { .. } => {
            let capital = path.file_name().starts_with("CLAUDE");
            is_walk || capital || of != folder || has(&MANIFESTS)
        }
        Lookalike::Other { foreign: false, .. } => is_walk || has(&MANIFESTS),
        Lookalike::Other {
            foreign: true,
            known,
        } => {
            let is_agents = known == "AGENTS.md";
            is_agents && is_walk && !is_user && !has(&["CLAUDE.md", "AGENTS.md"])
        }
    };
    let is_link = world.host.is_link(path);
    if !is_meant || !subject.is_file(path) || subject.comes(path) || is_link {
        return;
    }
    let name = subject.name(path);
    let folds = world.host.folds_case() && matches!(like, Lookalike::Letters { .. });
    let draft = if folds {
        let message = format!("`{name}` is read here, and not where the case of letters counts");
        let place = Place::File(path.clone());
        report.at(place, message).severity(Severity::Info)
    } else {
        let message = format!("`{name}` is not read: the client looks for `{known}`");
        let draft = report.at(Place::File(path.clone()), message);
        match subject.lost_file(path) {
            Some(lost) => draft.costs(lost),
            None => draft,
        }
    };
    draft.help(format!("rename it to `{known}`")).report();
}
