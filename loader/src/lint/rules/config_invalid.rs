//! L905: something in `outcrop.toml` that cannot be taken.

use super::prelude::*;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L905",
    name: "config-invalid",
    severity: Severity::Warning,
    summary: "`outcrop.toml` has a value that cannot be taken.",
    page: Page {
        what: "Looks for what is no TOML in `outcrop.toml` and in files that it extends, for values \
               of the wrong kind, for patterns that cannot be read, for clients that Outcrop does \
               not model, and for files that cannot be extended.",
        why: "Such a value does nothing. All that can be read beside it counts.",
        instead: "Write the value as docs/configuration.md has it.",
        drawbacks: "A newer Outcrop may take a value that this one does not.",
        evidence: "The kinds of values are those of docs/configuration.md.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a severity that there is not, and a text for a list",
            files: &[
                ("CLAUDE.md", "Use pnpm.\n"),
                (
                    "outcrop.toml",
                    "[lint]\nignore = \"vendor/\"\nrules = { L101 = \"warn\" }\n",
                ),
            ],
            fixed: &[],
        },
        Example {
            title: "a file that is not there",
            files: &[
                ("CLAUDE.md", "Use pnpm.\n"),
                ("outcrop.toml", "extend = \"../shared/outcrop.toml\"\n"),
            ],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "a list, a severity and a version",
        files: &[
            ("CLAUDE.md", "Use pnpm.\n"),
            (
                "outcrop.toml",
                "[lint]\nignore = [\"vendor/\"]\nrules = { L101 = \"warning\" }\nclients = [\"2.1.332\"]\n",
            ),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let problems = subject.config().problems.iter();
    for problem in problems.filter(|problem| !problem.is_key) {
        let place = Place::Bytes(problem.path.clone(), problem.range.clone());
        let draft = report.at(place, problem.message.as_str());
        match &problem.help {
            Some(help) => draft.help(help.as_str()).report(),
            None => draft.report(),
        }
    }
}
