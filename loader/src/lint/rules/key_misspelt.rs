//! L212: keys that were meant as `paths`.

use super::prelude::*;
use crate::lint::front_keys;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L212",
    name: "key-misspelt",
    severity: Severity::Info,
    summary: "A rule has a key that is nearly `paths`, which restricts nothing.",
    page: Page {
        what: "Looks in rules without `paths` for keys that differ from it by letter case or by one letter, \
               such as `path` and `Paths`.",
        why: "The client knows `paths` alone, in this letter case. With another key the rule loads in every \
              session, with all of its tokens.",
        instead: "Write `paths`, in small letters.",
        drawbacks: "`path` may be a note of where the file came from; one that names a file of Markdown is \
                    left alone.",
        evidence: "Fact 5.1; bug bank B158.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "one path",
        files: &[(
            ".claude/rules/web.md",
            "---\npath: \"src/**\"\n---\nUse semantic elements.\n",
        )],
        fixed: &[(
            ".claude/rules/web.md",
            "---\npaths: \"src/**\"\n---\nUse semantic elements.\n",
        )],
    }],
    good: &[Example {
        title: "`paths` beside it, and a note of where a file came from",
        files: &[
            (
                ".claude/rules/web.md",
                "---\npath: src\npaths: \"src/**\"\n---\nUse semantic elements.\n",
            ),
            (
                ".claude/rules/all.md",
                "---\npath: rules/all.md\npatch: 1\n---\nUse pnpm.\n",
            ),
            ("src/index.ts", "export {};\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in subject.files.iter().filter(|file| file.is_rule()) {
        let keys = front_keys::keys(&file.document);
        if keys.iter().any(|key| key.name == "paths") {
            continue;
        }
        let means_it = |key: &&front_keys::Key| {
            let items = front_keys::items(&file.document, key);
            let names_note = items.iter().all(|item| item.text.ends_with(".md"));
            is_near(&key.name) && !names_note
        };
        let Some(key) = keys.iter().find(means_it) else {
            continue;
        };
        let message = format!(
            "`{}` restricts nothing, `paths` would: the rule loads {}",
            key.name,
            file.how_often()
        );
        let range = key.name_range.clone();
        let title = format!("rename `{}` to `paths`", key.name);
        let fix = Fix::one(
            Applicability::Unsafe,
            title,
            &file.path,
            range.clone(),
            "paths",
        );
        report
            .at(Place::Bytes(file.path.clone(), range), message)
            .costs(subject.cost(file))
            .help("write `paths`")
            .fix(fix)
            .report();
    }
}

/// Whether a name is `paths` but for letter case, or one letter more, less or in another place.
fn is_near(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "path", "paths", "pathes", "pathss", "paht", "pahts", "ptahs", "pats", "phats",
    ];
    NAMES.contains(&name.to_ascii_lowercase().as_str())
}
