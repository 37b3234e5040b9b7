//! L713: a hook whose program or script is not there.

use super::prelude::*;
use crate::path::AbsPath;
use crate::request::hooks::{Hook, HookSource, HookState};
use crate::settings::Tier;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L713",
    name: "hook-file-missing",
    severity: Severity::Warning,
    summary: "A hook runs a file that does not exist.",
    page: Page {
        what: "Looks at the commands of hooks that name their program or script by a path: plainly, \
               behind an interpreter, or with `$CLAUDE_PROJECT_DIR`, `$HOME` and the like. \
               Commands whose first word is looked up, or that need a shell to be understood, are \
               passed over.",
        why: "The hook fails each time and the session goes on: what it should check is not \
              checked, and what it should tell the model is not told.",
        instead: "Name the file as it is seen from the working directory, best with \
                  `\"$CLAUDE_PROJECT_DIR\"/…`.",
        drawbacks: "What is built or installed first is missing in a fresh clone: files in folders \
                    such as `node_modules`, and those that git ignores, are passed over. A file \
                    outside of the project may be there for others, and is told as information.",
        evidence: "Facts C3.6, 61 and 62; cases hook-exit-codes.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a script that was moved",
            files: &[
                (
                    ".claude/settings.json",
                    "{\"hooks\": {\"PostToolUse\": [{\"matcher\": \"Edit\", \"hooks\": [{\"type\": \
                     \"command\", \"command\": \
                     \"\\\"$CLAUDE_PROJECT_DIR\\\"/.claude/hooks/format.sh\"}]}]}}\n",
                ),
                (".claude/hooks/lint.sh", "make lint\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "an interpreter's script",
            files: &[(
                ".claude/settings.json",
                "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \
                 \"python3 scripts/check.py --all\"}]}]}}\n",
            )],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "files that are there, that are installed, and commands by name",
        files: &[
            (
                ".claude/settings.json",
                "{\"hooks\": {\"Stop\": [{\"hooks\": [\n{\"type\": \"command\", \"command\": \
                 \"bash .claude/hooks/lint.sh\"},\n{\"type\": \"command\", \"command\": \
                 \"./node_modules/.bin/prettier --check .\"},\n{\"type\": \"command\", \
                 \"command\": \"npx prettier .\"},\n{\"type\": \"command\", \"command\": \"test -f \
                 x.sh && ./x.sh\"},\n{\"type\": \"command\", \"command\": \
                 \"$TOOLS/run.sh\"}\n]}]}}\n",
            ),
            (".claude/hooks/lint.sh", "make lint\n"),
        ],
        fixed: &[],
    }],
    check,
};

/// Folders of what is built or installed.
const MADE: &[&str] = &[
    ".venv",
    "build",
    "dist",
    "node_modules",
    "out",
    "target",
    "vendor",
    "venv",
];

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for hook in &subject.hooks().hooks {
        let (Some(missing), Some(command)) = (&hook.missing, &hook.command) else {
            continue;
        };
        if matches!(hook.state, HookState::Off { .. }) || is_made(subject, missing) {
            continue;
        }
        let Some(place) = subject.hook_place(&hook.source, command) else {
            continue;
        };
        let message = format!(
            "`{}` does not exist, so this hook of `{}` fails each time",
            subject.name(missing),
            hook.event
        );
        report
            .at(place, message)
            .severity(severity(subject, hook, missing))
            .report();
    }
}

/// Whether a file may be made on each machine.
fn is_made(subject: &Subject<'_, '_>, path: &AbsPath) -> bool {
    let Some(below) = path.below(subject.session.cwd()) else {
        return false;
    };
    let mut folders = below.split('/').rev().skip(1);
    folders.any(|folder| MADE.contains(&folder)) || subject.is_ignored(path)
}

/// What a project names outside of itself may be there for others.
fn severity(subject: &Subject<'_, '_>, hook: &Hook, missing: &AbsPath) -> Severity {
    let of_project = matches!(
        &hook.source,
        HookSource::Settings { place } if place.tier == Tier::Project
    );
    if of_project && missing.below(subject.session.cwd()).is_none() {
        Severity::Info
    } else {
        Severity::Warning
    }
}
