//! L209: two waiting rules of one text that come for the same files.

use rustc_hash::{FxHashMap, FxHashSet};

use super::prelude::*;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L209",
    name: "rules-overlap",
    severity: Severity::Info,
    summary: "Two rules say the same, and where one comes the other comes, too.",
    page: Page {
        what: "Looks for two rules with `paths` whose texts are the same but for white space, and of which \
               one matches only files that the other matches as well.",
        why: "With such a file both are delivered: the same text is sent twice.",
        instead: "Keep the rule whose patterns reach further.",
        drawbacks: "None is known: rules that only share files are left alone.",
        evidence: "Facts 2.7 and 5.14; client thread 78341.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a copy for a part of the files",
        files: &[
            (
                ".claude/rules/ts.md",
                "---\npaths: \"src/**\"\n---\nUse strict types.\n",
            ),
            (
                ".claude/rules/web/ts.md",
                "---\npaths: \"src/web/**\"\n---\nUse strict types.\n",
            ),
            ("src/index.ts", "export {};\n"),
            ("src/web/page.ts", "export {};\n"),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "one text for files apart, and two texts for the same files",
        files: &[
            (
                ".claude/rules/a.md",
                "---\npaths: \"src/**\"\n---\nUse strict types.\n",
            ),
            (
                ".claude/rules/b.md",
                "---\npaths: \"lib/**\"\n---\nUse strict types.\n",
            ),
            (
                ".claude/rules/c.md",
                "---\npaths: \"src/**\"\n---\nUse named exports.\n",
            ),
            ("src/index.ts", "export {};\n"),
            ("lib/index.ts", "export {};\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let mut of_text: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for (number, rule) in subject.scoped().iter().enumerate() {
        let words: Vec<&str> = subject.files[rule.at].text.split_whitespace().collect();
        of_text.entry(words.join(" ")).or_default().push(number);
    }
    for (text, same) in of_text {
        if same.len() < 2 || text.is_empty() {
            continue;
        }
        let rules: Vec<_> = same
            .iter()
            .map(|number| &subject.scoped()[*number])
            .collect();
        let files: Vec<FxHashSet<usize>> = rules
            .iter()
            .map(|rule| subject.matches(rule).collect())
            .collect();
        // Each is told once, of the first that covers it; of two that are equal, the later.
        for (at, own) in files.iter().enumerate() {
            let covers = |other: &usize| {
                let (other_at, other) = (*other, &files[*other]);
                other_at != at && own.is_subset(other) && (own.len() < other.len() || other_at < at)
            };
            let cover = (0..files.len()).find(covers).filter(|_| !own.is_empty());
            let Some(cover) = cover else {
                continue;
            };
            let (file, other) = (
                &subject.files[rules[at].at],
                &subject.files[rules[cover].at],
            );
            let message = format!(
                "`{}` says the same and comes wherever this comes, so it is sent twice",
                subject.name(&other.path)
            );
            report
                .at(Place::File(file.path.clone()), message)
                .also(Place::File(other.path.clone()), "the other one")
                .costs(Cost::Read(subject.tokens(&file.text)))
                .help("keep the rule whose patterns reach further")
                .report();
        }
    }
}
