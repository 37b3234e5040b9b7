//! L220: files of a rules folder that are never read.

use super::prelude::*;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L220",
    name: "rule-not-markdown",
    severity: Severity::Warning,
    summary: "A file in a rules folder does not end in `.md`, so it is never read.",
    page: Page {
        what: "Looks in the rules folders of the project for files with the endings `.mdc`, `.mdx`, \
               `.markdown`, `.txt`, or `.md` in other letters. One that another file imports is left \
               alone.",
        why: "The client reads names that end in `.md`, in this letter case. Everything that the file says is \
              missing from every session.",
        instead: "Let the name end in `.md`, and write its patterns under `paths`.",
        drawbacks: "A text that is kept beside the rules for people is found if it has such an ending.",
        evidence: "Fact 1.5 (case rules-kinds).",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "the ending of another tool",
        files: &[
            (
                ".claude/rules/web.mdc",
                "---\nglobs: \"src/**\"\n---\nUse semantic elements.\n",
            ),
            (".claude/rules/OLD.MD", "Use pnpm.\n"),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "files that are no rules, and a text that a rule imports",
        files: &[
            (".claude/rules/all.md", "Words: @words.txt\n"),
            (".claude/rules/words.txt", "Basket, not cart.\n"),
            (".claude/rules/check.sh", "exit 0\n"),
            (".claude/rules/.gitkeep", ""),
            (".claude/rules/off.md.disabled", "Use pnpm.\n"),
            ("docs/notes.txt", "Notes.\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for name in &subject.tree().files {
        let rules = name.starts_with(".claude/rules/") || name.contains("/.claude/rules/");
        if !rules || !is_meant(name) {
            continue;
        }
        let path = subject.session.cwd().join(name);
        if subject.file(&path).is_some() {
            continue;
        }
        let Some(text) = subject.text(&path).filter(|text| !text.trim().is_empty()) else {
            continue;
        };
        let end = name.rsplit('.').next().unwrap_or_default();
        let message = format!("a rule is a file that ends in `.md`: one in `.{end}` is never read");
        report
            .at(Place::File(path), message)
            .costs(Cost::Lost(subject.tokens(&text)))
            .help("let the name end in `.md`")
            .report();
    }
}

fn is_meant(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    let Some((stem, end)) = file.rsplit_once('.') else {
        return false;
    };
    let known = ["mdc", "mdx", "markdown", "txt", "md"];
    !stem.is_empty() && end != "md" && known.contains(&end.to_ascii_lowercase().as_str())
}
