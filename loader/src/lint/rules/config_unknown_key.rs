//! L904: a key or rule in `outcrop.toml` that there is not.

use super::prelude::*;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L904",
    name: "config-unknown-key",
    severity: Severity::Warning,
    summary: "`outcrop.toml` has a key or rule that does not exist.",
    page: Page {
        what: "Looks for keys of `outcrop.toml`, and of files that it extends, that Outcrop does not \
               know, and for rules and budgets that there are not.",
        why: "What is not known does nothing: a rule that should be off is on, or a budget is not \
              held.",
        instead: "Write the name as docs/configuration.md has it.",
        drawbacks: "A newer Outcrop may know a key that this one does not.",
        evidence: "The keys are those of docs/configuration.md.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a key and a rule with a slip",
        files: &[
            ("CLAUDE.md", "Use pnpm.\n"),
            (
                "outcrop.toml",
                "[lint]\nignores = [\"vendor/\"]\nrules = { import-mising = \"off\" }\n",
            ),
        ],
        fixed: &[(
            "outcrop.toml",
            "[lint]\nignore = [\"vendor/\"]\nrules = { import-missing = \"off\" }\n",
        )],
    }],
    good: &[Example {
        title: "every key",
        files: &[
            ("CLAUDE.md", "Use pnpm.\n"),
            ("team.toml", "[lint.budgets]\nstart_tokens = 9000\n"),
            (
                "outcrop.toml",
                "extend = \"team.toml\"\n\n[lint]\nrules = { L107 = \"off\" }\nignore = [\"vendor/\"]\n\n\
                 [[lint.overrides]]\npaths = [\"api/**\"]\nrules = { import-missing = \"info\" }\n",
            ),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let problems = subject.config().problems.iter();
    for problem in problems.filter(|problem| problem.is_key) {
        let place = Place::Bytes(problem.path.clone(), problem.range.clone());
        let mut draft = report.at(place, problem.message.as_str());
        if let Some(help) = &problem.help {
            draft = draft.help(help.as_str());
        }
        if let Some(nearest) = problem.nearest {
            let fix = Fix::one(
                Applicability::Unsafe,
                format!("write `{nearest}`"),
                &problem.path,
                problem.range.clone(),
                nearest,
            );
            draft = draft.fix(fix);
        }
        draft.report();
    }
}
