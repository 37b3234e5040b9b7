//! L113: imports that make a rule, or what it imports, load without a matching read.

use rustc_hash::FxHashMap;

use super::prelude::*;
use crate::document::RulePaths;
use crate::lint::subject::{File, When};
use crate::path::AbsPath;
use crate::record::{Cause, Mention};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L113",
    name: "import-defeats-scope",
    severity: Severity::Warning,
    summary: "An import loads what `paths` should keep for matching files.",
    page: Page {
        what: "Looks for rules with `paths` that an instruction file imports, and for files that a rule \
               with `paths` imports.",
        why: "A rule that a `CLAUDE.md` imports is delivered with it, whatever its `paths` say. And \
              what a rule with `paths` imports is delivered when the session starts, while the rule \
              itself waits. Either way the text is in every session with all of its tokens.",
        instead: "Take the import of the rule out: it loads by itself. Give the file that a rule \
                  imports the same `paths`, seen from the directory that holds the `.claude` folder: \
                  what a rule imports waits for a match as a rule does. Or put its text into the rule.",
        drawbacks: "A rule may be imported on purpose, to have it at once.",
        evidence: "Facts 3.21, 3.22, 5 and 24; cases rule-import-*; realistic file 23.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a rule that is imported",
            files: &[
                ("CLAUDE.md", "@.claude/rules/web.md\n"),
                (
                    ".claude/rules/web.md",
                    "---\npaths: \"src/**\"\n---\nUse semantic elements.\n",
                ),
                ("src/a.ts", "//\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "a rule that imports its text",
            files: &[
                (
                    ".claude/rules/web.md",
                    "---\npaths: \"src/**\"\n---\n@../../docs/web.md\n",
                ),
                ("docs/web.md", "Use semantic elements.\n"),
                ("src/a.ts", "//\n"),
            ],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "an import with `paths` of its own, in a rule",
        files: &[
            (
                ".claude/rules/web.md",
                "---\npaths: \"src/**\"\n---\n@../../docs/web.md\n@../../docs/all.md\n",
            ),
            (
                "docs/web.md",
                "---\npaths: \"src/**\"\n---\nUse semantic elements.\n",
            ),
            ("CLAUDE.md", "@docs/all.md\n"),
            ("docs/all.md", "Use pnpm.\n"),
            ("src/a.ts", "//\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let mut brought: FxHashMap<&Mention, u64> = FxHashMap::default();
    let others = imported_elsewhere(subject);
    for file in &subject.files {
        let Some(Cause::Import(mention)) = &file.cause else {
            continue;
        };
        if file.is_rule() {
            rule(subject, report, file, mention);
        }
        if matches!(file.when, When::Match { .. }) {
            continue;
        }
        if let Some(first) = by_waiting_rule(subject, mention)
            && !others.contains_key(&file.path)
        {
            *brought.entry(first).or_default() += subject.tokens(&file.text);
        }
    }
    let mut brought: Vec<(&Mention, u64)> = brought.into_iter().collect();
    brought.sort_by_key(|(mention, _)| (&mention.by, mention.line, mention.column));
    for (mention, tokens) in brought {
        let rule = subject.name(&mention.by);
        let message = format!(
            "`{rule}` waits for a matching read, and `{}` does not: it loads at once",
            mention.reference
        );
        let at_start = subject.file(&mention.by).is_some_and(|by| {
            let base = subject.session.cwd();
            matches!(&by.when, When::Match { base: from, .. } if base.is_within(from))
        });
        let cost = if at_start {
            Cost::Start(tokens)
        } else {
            Cost::Read(tokens)
        };
        report
            .at(Place::Mention(mention.clone()), message)
            .costs(cost)
            .help("give the file `paths` of its own, or put its text into the rule")
            .report();
    }
}

/// A rule with `paths` that something else than a rule imports.
fn rule(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, file: &File, mention: &Mention) {
    let behaviour = &subject.session.world().behaviour;
    let RulePaths::Matching(patterns) = file.document.rule_paths(behaviour) else {
        return;
    };
    if matches!(file.when, When::Match { .. }) {
        return;
    }
    let tokens = subject.tokens(&file.text);
    let (when, cost) = if file.when == When::Start {
        ("in every session", Cost::Start(tokens))
    } else {
        ("with each read here", Cost::Read(tokens))
    };
    let message = format!(
        "the import loads `{}` {when}, not only where `{}` matches",
        subject.name(&file.path),
        patterns.join(", ")
    );
    report
        .at(Place::Mention(mention.clone()), message)
        .chain(subject.chain(&mention.by))
        .costs(cost)
        .help("take the import out: the rule loads by itself")
        .report();
}

/// The import in a waiting rule through which a reference comes.
fn by_waiting_rule<'s>(subject: &'s Subject<'_, '_>, mention: &'s Mention) -> Option<&'s Mention> {
    let mut at = mention;
    for _ in 0..8 {
        let by = subject.file(&at.by)?;
        if by.is_rule() && matches!(by.when, When::Match { .. }) {
            return Some(at);
        }
        match &by.cause {
            Some(Cause::Import(above)) => at = above,
            _ => return None,
        }
    }
    None
}

/// Files that a reference outside of waiting rules names as well.
fn imported_elsewhere<'s>(subject: &'s Subject<'_, '_>) -> FxHashMap<&'s AbsPath, ()> {
    let skips = subject.skips.iter();
    let named = skips.filter_map(|skip| {
        let mention = skip.mention.as_ref()?;
        let is_known = matches!(skip.case, "delivered-already" | "delivered-before");
        (is_known && by_waiting_rule(subject, mention).is_none()).then_some((&skip.path, ()))
    });
    named.collect()
}
