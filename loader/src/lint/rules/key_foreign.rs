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
    bad: &[
        Example {
            title: "a list without quotes, and a key that says when",
            files: &[
                (
                    ".claude/rules/flags.md",
                    "---\nglobs:\n  - **/*.py\n  - src/flags/**\n---\nName each flag.\n",
                ),
                (
                    ".claude/rules/issues.md",
                    "---\ndescription: Issues\nglobs:\nalwaysApply: false\n---\nWrite issues so.\n",
                ),
            ],
            fixed: &[],
        },
        Example {
            title: "the key of another editor",
            files: &[(
                ".claude/rules/web.md",
                "---\ndescription: Web\nglobs: \"src/web/**\"\n---\nUse semantic elements.\n",
            )],
            fixed: &[(
                ".claude/rules/web.md",
                "---\ndescription: Web\npaths: \"src/web/**\"\n---\nUse semantic elements.\n",
            )],
        },
    ],
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
            (
                ".claude/rules/universal.md",
                "---\napplyTo: \"**\"\npriority: high\n---\nWrite tests.\n",
            ),
            (
                ".claude/rules/both.md",
                "---\nglobs:\n  - \"src/**\"\nalwaysApply: true\n---\nName things well.\n",
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
        let texts = |key: &front_keys::Key| front_keys::items(&file.document, key);
        let says = |name: &str, wanted: &str| {
            let mut named = keys.iter().filter(|key| key.name == name);
            named.any(|key| texts(key).iter().any(|item| item.text == wanted))
        };
        // Where another tool is told to load it always, it is meant to load always here.
        if says("alwaysApply", "true") || says("trigger", "always_on") {
            continue;
        }
        let restricts = |key: &&front_keys::Key| {
            let texts = texts(key);
            let parts = texts.iter().flat_map(|item| item.text.split(','));
            let mut parts = parts
                .map(str::trim)
                .filter(|part| !part.is_empty())
                .peekable();
            KEYS.contains(&key.name.as_str())
                && parts.peek().is_some()
                && !parts.any(|part| matches!(part, "*" | "**" | "**/*"))
        };
        let Some(key) = keys.iter().find(restricts) else {
            continue;
        };
        let message = format!(
            "`{}` restricts nothing here: the rule loads {}",
            key.name,
            file.how_often()
        );
        let place = Place::Bytes(file.path.clone(), key.name_range.clone());
        let mut draft = report
            .at(place, message)
            .costs(subject.cost(file))
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
