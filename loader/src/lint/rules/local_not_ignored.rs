//! L406: a personal file that git does not ignore.

use rustc_hash::FxHashSet;

use super::prelude::*;
use crate::lint::committed::Committed;
use crate::path::AbsPath;
use crate::record::Scope;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L406",
    name: "local-not-ignored",
    severity: Severity::Info,
    summary: "A personal file is not ignored by git, so it may reach everybody.",
    page: Page {
        what: "Looks for `CLAUDE.local.md` and `.claude/settings.local.json` in a checkout whose \
               `.gitignore` files, `.git/info/exclude` and the user's own ignore file do not ignore them.",
        why: "Such a file is meant for one person. Once it is committed, its text loads in the sessions \
              of everybody, and beside a `CLAUDE.local.md` with text no `AGENTS.md` is read.",
        instead: "Add its name to `.gitignore`; if it is committed already, `git rm --cached` it.",
        drawbacks: "Git's index is not read: a file that is ignored and was added by force is not found, \
                    and one that was never added is.",
        evidence: "Facts 1.2 and 1.11; realistic files 37: 1,562 public repositories hold one.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "nothing ignores it",
        files: &[
            (".git/HEAD", "ref: refs/heads/main\n"),
            ("CLAUDE.local.md", "My database is on port 5433.\n"),
        ],
        fixed: &[],
    }],
    good: &[
        Example {
            title: "ignored by a pattern",
            files: &[
                (".git/HEAD", "ref: refs/heads/main\n"),
                (".gitignore", "*.local.*\n"),
                ("CLAUDE.local.md", "My database is on port 5433.\n"),
                (".claude/settings.local.json", "{}\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "ignored by the user's own file and in the checkout's",
            files: &[
                (".git/info/exclude", "CLAUDE.local.md\n"),
                ("~/.config/git/ignore", "**/.claude/settings.local.json\n"),
                ("CLAUDE.local.md", "My database is on port 5433.\n"),
                (".claude/settings.local.json", "{}\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "no checkout",
            files: &[("CLAUDE.local.md", "My database is on port 5433.\n")],
            fixed: &[],
        },
    ],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let is_local = |path: &&AbsPath| path.file_name() == "CLAUDE.local.md";
    let files = subject
        .files
        .iter()
        .filter(|file| file.scope == Scope::Local);
    let mut paths: Vec<AbsPath> = files
        .map(|file| &file.path)
        .filter(is_local)
        .cloned()
        .collect();
    let settings = subject.session.cwd().join(".claude/settings.local.json");
    paths.extend(Some(settings).filter(|path| subject.is_file(path)));
    let mut seen = FxHashSet::default();
    paths.retain(|path| seen.insert(path.clone()));
    let mut committed = Committed::new(subject);
    for path in paths {
        if committed.may_hold(&path) {
            let name = path.file_name();
            report
                .at(
                    Place::File(path.clone()),
                    format!("git does not ignore this personal file, so a commit may give `{name}` to everybody"),
                )
                .help(format!("add `{name}` to `.gitignore`"))
                .report();
        }
    }
}
