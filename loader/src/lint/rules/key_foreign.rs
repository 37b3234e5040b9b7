//! L203: front matter of another tool, which restricts nothing here.

use super::prelude::*;
use crate::lint::front_keys;
use crate::lint::subject::When;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L203",
    name: "key-foreign",
    severity: Severity::Warning,
    summary: "A rule is restricted by a key of another tool, so it loads in every session.",
    page: Page {
        what: "Looks in rules without `paths` for `globs`, `applyTo` and `alwaysApply`, by which other \
               tools restrict rules.",
        why: "The client knows `paths` alone. The rule looks as if it were for some files and loads in \
              every session, with all of its tokens.",
        instead: "Write the patterns under `paths`. Keys of other tools may stand beside it.",
        drawbacks: "A file that serves several tools and is meant to load always here is found, too; \
                    `applyTo: \"**\"` and `alwaysApply: true` are therefore accepted.",
        evidence: "Facts 5.1 to 5.4; realistic files 19 to 21.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "the key of another editor",
        files: &[(
            ".claude/rules/web.md",
            "---\ndescription: Web\nglobs: \"src/web/**\"\n---\nUse semantic elements.\n",
        )],
        fixed: &[(
            ".claude/rules/web.md",
            "---\ndescription: Web\npaths: \"src/web/**\"\n---\nUse semantic elements.\n",
        )],
    }],
    good: &[Example {
        title: "`paths` beside it, and a key that says always",
        files: &[
            (
                ".claude/rules/web.md",
                "---\nglobs: \"src/**\"\npaths: \"src/**\"\n---\nUse semantic elements.\n",
            ),
            ("src/index.ts", "export {};\n"),
            (
                ".claude/rules/all.md",
                "---\nalwaysApply: true\n---\nUse pnpm.\n",
            ),
        ],
        fixed: &[],
    }],
    check,
};

/// Keys that restrict rules of other tools.
const KEYS: &[&str] = &["globs", "applyTo", "alwaysApply"];

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in subject.files.iter().filter(|file| file.is_rule()) {
        if matches!(file.when, When::Match { .. }) {
            continue;
        }
        let keys = front_keys::keys(&file.document);
        if keys.iter().any(|key| key.name == "paths") {
            continue;
        }
        let restricts = |key: &&front_keys::Key| {
            let value = file.document.source[key.value_range.clone()].trim_matches(['"', '\'']);
            KEYS.contains(&key.name.as_str()) && !matches!(value, "" | "true" | "**" | "**/*")
        };
        let Some(key) = keys.iter().find(restricts) else {
            continue;
        };
        let message = format!(
            "`{}` restricts nothing here: the rule loads in every session",
            key.name
        );
        let place = Place::Bytes(file.path.clone(), key.name_range.clone());
        let mut draft = report
            .at(place, message)
            .costs(Cost::Start(subject.tokens(&file.text)))
            .help("the client reads `paths` alone");
        if key.name != "alwaysApply" {
            let title = format!("rename `{}` to `paths`", key.name);
            let range = key.name_range.clone();
            let fix = Fix::one(Applicability::Unsafe, title, &file.path, range, "paths");
            draft = draft.fix(fix);
        }
        draft.report();
    }
}
