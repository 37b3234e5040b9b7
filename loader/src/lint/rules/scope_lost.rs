//! L218: a rule that is restricted in another tool's folder and not here.

use super::prelude::*;
use crate::document::Document;
use crate::lint::front_keys::{self, Key};
use crate::lint::subject::When;
use crate::path::AbsPath;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L218",
    name: "scope-lost",
    severity: Severity::Info,
    summary: "A rule loads always, while the file of its name in another tool's folder is restricted.",
    page: Page {
        what: "Compares rules without `paths` with the file of their name in `.cursor/rules`, \
               `.github/instructions` and `.windsurf/rules`, and reports those where that file has `globs` \
               or `applyTo`.",
        why: "Tools that copy rules from one folder to another drop front matter that they do not know. The \
              copy then loads in every session, with all of its tokens.",
        instead: "Write the patterns under `paths`.",
        drawbacks: "Two files of one name may be about different things.",
        evidence: "Fact 5.3; bug bank B176.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a copy without front matter",
        files: &[
            (".claude/rules/ts.md", "Use strict types.\n"),
            (
                ".cursor/rules/ts.mdc",
                "---\nglobs: \"**/*.ts\"\n---\nUse strict types.\n",
            ),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "rules that load always there, too, and one with `paths`",
        files: &[
            (".claude/rules/all.md", "Use pnpm.\n"),
            (
                ".cursor/rules/all.mdc",
                "---\nglobs:\nalwaysApply: true\n---\nUse pnpm.\n",
            ),
            (".claude/rules/git.md", "Write short messages.\n"),
            (
                ".github/instructions/git.instructions.md",
                "---\napplyTo: \"**\"\n---\nWrite short messages.\n",
            ),
            (
                ".claude/rules/ts.md",
                "---\npaths: \"**/*.ts\"\n---\nUse strict types.\n",
            ),
            (
                ".cursor/rules/ts.mdc",
                "---\nglobs: \"**/*.ts\"\n---\nUse strict types.\n",
            ),
            ("src/index.ts", "export {};\n"),
        ],
        fixed: &[],
    }],
    check,
};

/// Folders of other tools, and how the names of their rules end.
const FOLDERS: &[(&str, &str)] = &[
    (".cursor/rules", ".mdc"),
    (".github/instructions", ".instructions.md"),
    (".windsurf/rules", ".md"),
];

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in subject.files.iter().filter(|file| file.is_rule()) {
        if matches!(file.when, When::Match { .. }) {
            continue;
        }
        let keys = front_keys::keys(&file.document);
        let own = [
            "paths",
            "globs",
            "applyTo",
            "alwaysApply",
            "path",
            "trigger",
        ];
        if keys.iter().any(|key| own.contains(&key.name.as_str())) {
            continue;
        }
        let Some((path, key)) = sibling(subject, &file.path) else {
            continue;
        };
        let message = format!(
            "`{}` is restricted by `{}`, and this loads {}",
            subject.name(&path),
            key.name,
            file.how_often()
        );
        report
            .at(Place::File(file.path.clone()), message)
            .also(Place::Bytes(path, key.name_range), "the patterns there")
            .costs(subject.cost(file))
            .help("write the patterns under `paths`")
            .report();
    }
}

/// The file of a rule's name in another tool's folder, with the key that restricts it.
fn sibling(subject: &Subject<'_, '_>, rule: &AbsPath) -> Option<(AbsPath, Key)> {
    let holder = rule
        .ancestors()
        .find(|above| above.file_name() == ".claude")?;
    let below = rule.below(&holder.child("rules"))?;
    let stem = below.strip_suffix(".md")?;
    let base = holder.parent()?;
    FOLDERS.iter().find_map(|(folder, end)| {
        let path = base.join(&format!("{folder}/{stem}{end}"));
        if !subject.is_file(&path) {
            return None;
        }
        let text = subject.text(&path)?;
        let document = Document::from_text(text, &subject.session.world().behaviour);
        let key = restricting(&document)?;
        Some((path, key))
    })
}

/// The key by which another tool restricts a rule.
fn restricting(document: &Document) -> Option<Key> {
    let keys = front_keys::keys(document);
    let texts = |key: &Key| {
        front_keys::items(document, key)
            .into_iter()
            .map(|item| item.text)
    };
    let is_always = |key: &Key| {
        let says = |wanted: &str| texts(key).any(|text| text == wanted);
        (key.name == "alwaysApply" && says("true")) || (key.name == "trigger" && says("always_on"))
    };
    if keys.iter().any(is_always) {
        return None;
    }
    keys.into_iter().find(|key| {
        let is_scope = key.name == "globs" || key.name == "applyTo";
        let mut texts = texts(key).filter(|text| !text.is_empty()).peekable();
        is_scope
            && texts.peek().is_some()
            && !texts.any(|text| {
                text.split(',')
                    .any(|part| matches!(part.trim(), "*" | "**" | "**/*"))
            })
    })
}
