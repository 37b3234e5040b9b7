//! L701: two skills or commands of one name.

use super::prelude::*;
use crate::catalog::{Absence, EntryKind};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L701",
    name: "skill-shadowed",
    severity: Severity::Warning,
    summary: "Another skill or command has the name, so this one is never offered.",
    page: Page {
        what: "Looks for skills and commands whose name another one has already. Managed ones go \
               before the user's, these before the project's, the nearest directory first; a skill \
               goes before a command. Two that say the same are accepted.",
        why: "The client lists one of a name and passes over the other without a word. A skill of \
              the project is lost for each user who has one of its name at home, and a command \
              that became a skill stays behind as a file that nothing reads.",
        instead: "Give one of them another name, or remove the one that does not count.",
        drawbacks: "One at home may be meant to take the place of the project's. Clients before \
                    2.1.216 list both.",
        evidence: "Facts C1.11, C1.12 and 48; cases skills-duplicates, skills-sources-order.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a command that became a skill",
            files: &[
                (
                    ".claude/skills/deploy/SKILL.md",
                    "---\ndescription: Ships the shop\n---\nRun make ship.\n",
                ),
                (
                    ".claude/commands/deploy.md",
                    "---\ndescription: Ships the shop\n---\nRun make deploy.\n",
                ),
            ],
            fixed: &[],
        },
        Example {
            title: "one at home and one in the project",
            files: &[
                (
                    "~/.claude/skills/deploy/SKILL.md",
                    "---\ndescription: Ships my pages\n---\nRun rsync.\n",
                ),
                (
                    ".claude/skills/deploy/SKILL.md",
                    "---\ndescription: Ships the shop\n---\nRun make ship.\n",
                ),
            ],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "the same skill twice, and a second name of a folder between",
        files: &[
            (
                "~/.claude/skills/deploy/SKILL.md",
                "---\ndescription: Ships the shop\n---\nRun make ship.\n",
            ),
            (
                ".claude/skills/deploy/SKILL.md",
                "---\ndescription: Ships the shop\n---\nRun make ship.\n",
            ),
            (".claude/commands/web/deploy.md", "Run make web.\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for absent in &subject.catalog().absent {
        let Absence::Duplicate { of } = &absent.absence else {
            continue;
        };
        if subject.is_same_text(&absent.path, of) {
            continue;
        }
        let kind = match absent.kind {
            EntryKind::Skill => "skill",
            EntryKind::Command => "command",
        };
        let name = &absent.name;
        let message = format!(
            "the {kind} `{name}` is never offered: `{}` has its name",
            subject.name(of)
        );
        let mut draft = report
            .at(Place::File(absent.path.clone()), message)
            .also(Place::File(of.clone()), "this one counts")
            .help("give one of them another name, or remove this one");
        if let Some(text) = subject.text(&absent.path) {
            draft = draft.costs(Cost::Lost(subject.tokens(&text)));
        }
        draft.report();
    }
}
