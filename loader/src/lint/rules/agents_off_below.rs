//! L130: an `AGENTS.md` that sessions of some directories below do not get.

use super::prelude::*;
use crate::lint::subject::{File, When, directory_of};
use crate::record::{Cause, Scope};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L130",
    name: "agents-off-below",
    severity: Severity::Info,
    summary: "An `AGENTS.md` is read here, and not by sessions that start in a directory below.",
    page: Page {
        what: "Looks, where the start delivers an `AGENTS.md`, for directories below that have a \
               `CLAUDE.md` or `CLAUDE.local.md` of their own which does not import it.",
        why: "The client reads `AGENTS.md` only where no directory from the top down to the working \
              directory has such a file. Who starts a session in that directory gets its file and \
              loses the `AGENTS.md` above, without a word.",
        instead: "Put a `CLAUDE.md` with the line `@AGENTS.md` beside the `AGENTS.md` above: it is read \
                  from every directory below. An import of it from below lies outside the working \
                  directory there.",
        drawbacks: "Nobody may start a session there.",
        evidence: "Facts 1.11 and 3.17; cases agents-mixed-chain and agents-above-claude-below.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "one package has a file of its own",
        files: &[
            ("AGENTS.md", "Use pnpm.\n"),
            ("api/CLAUDE.md", "Errors have codes.\n"),
        ],
        fixed: &[],
    }],
    good: &[
        Example {
            title: "a file above that imports it",
            files: &[
                ("CLAUDE.md", "@AGENTS.md\n"),
                ("AGENTS.md", "Use pnpm.\n"),
                ("api/CLAUDE.md", "Errors have codes.\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "files below that say nothing, or import it",
            files: &[
                ("AGENTS.md", "Use pnpm.\n"),
                ("api/CLAUDE.md", "<!-- later -->\n"),
                ("web/CLAUDE.md", "@../AGENTS.md\n"),
            ],
            fixed: &[],
        },
    ],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let is_agents = |file: &&File| {
        file.path.file_name() == "AGENTS.md"
            && matches!(file.cause, Some(Cause::Startup { directory: Some(_) }))
    };
    for agents in subject.files.iter().filter(is_agents) {
        let below = subject.files.iter();
        let below: Vec<&File> = below
            .filter(|file| turns_off(file) && !imports(subject, file, agents))
            .collect();
        one(subject, report, agents, &below);
    }
}

fn one(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, agents: &File, below: &[&File]) {
    let Some(first) = below.first() else {
        return;
    };
    let folder = directory_of(&first.path).unwrap_or_else(|| first.path.clone());
    let more = match below.len() {
        1 => String::new(),
        many => format!(" or in {} more", many - 1),
    };
    let message = format!(
        "a session that starts in `{}`{more} does not get `{}`, since `{}` is there",
        subject.name(&folder),
        subject.name(&agents.path),
        subject.name(&first.path)
    );
    let mut draft = report.at(Place::File(agents.path.clone()), message);
    for file in below {
        draft = draft.also(Place::File(file.path.clone()), "turns `AGENTS.md` off");
    }
    draft
        .costs(Cost::Lost(subject.tokens(&agents.text)))
        .help("put a `CLAUDE.md` beside it that holds the line `@AGENTS.md`")
        .report();
}

/// Whether a file, met at the start, keeps `AGENTS.md` files out.
fn turns_off(file: &File) -> bool {
    file.when == When::Read
        && matches!(file.scope, Scope::Project | Scope::Local)
        && matches!(file.path.file_name(), "CLAUDE.md" | "CLAUDE.local.md")
        && !matches!(file.cause, Some(Cause::Import(_)))
        && !file.text.trim().is_empty()
}

/// Whether a file imports another, which is known already when it is read.
fn imports(subject: &Subject<'_, '_>, file: &File, other: &File) -> bool {
    let mut skips = subject.skips.iter();
    skips.any(|skip| {
        let by = skip.mention.as_ref().map(|mention| &mention.by);
        skip.path == other.path && by == Some(&file.path)
    })
}
