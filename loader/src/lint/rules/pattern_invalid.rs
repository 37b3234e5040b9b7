//! L222: patterns that the client cannot compile.

use super::prelude::*;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L222",
    name: "pattern-invalid",
    severity: Severity::Warning,
    summary: "A pattern is none that the client can read, so it matches nothing.",
    page: Page {
        what: "Looks for patterns whose bracket opens a class that is never closed and holds a slash, such \
               as `[a/x`: the client cannot make an expression of them.",
        why: "The pattern counts for nothing. In versions before 2.1.207 it ends the loading that met it: \
              nested files and other rules are lost with it, so there it is an error.",
        instead: "Close the bracket, or write `\\[` where the name holds one.",
        drawbacks: "None is known: the pattern is read as the client reads it.",
        evidence: "Fact 3 of those found since; client version 2.1.207.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a bracket that is not closed",
        files: &[
            (
                ".claude/rules/web.md",
                "---\npaths:\n  - \"src/[slug/page.ts\"\n  - \"src/**\"\n---\nUse semantic elements.\n",
            ),
            ("src/index.ts", "export {};\n"),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "a class, and a bracket that is quoted",
        files: &[
            (
                ".claude/rules/web.md",
                "---\npaths:\n  - 'src/\\[slug\\]/*.ts'\n  - \"src/[ab].ts\"\n---\nUse semantic elements.\n",
            ),
            ("src/[slug]/page.ts", "export {};\n"),
            ("src/a.ts", "export {};\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let breaks = subject.session.world().behaviour.invalid_pattern_breaks;
    // What is read instead of what is written lacks quotes, which has a rule of its own.
    for rule in subject.scoped().iter().filter(|rule| rule.is_as_written) {
        let file = &subject.files[rule.at];
        for piece in rule.pieces.iter().filter(|piece| piece.set.has_invalid()) {
            let place = Place::Bytes(file.path.clone(), piece.range.clone());
            let (message, severity) = if breaks {
                let lost =
                    "ends the loading that meets it: other rules and nested files are lost, too";
                (
                    format!("`{}` is no pattern and {lost}", piece.text),
                    Severity::Error,
                )
            } else {
                let message = format!("`{}` is no pattern and counts for nothing", piece.text);
                (message, Severity::Warning)
            };
            report
                .at(place, message)
                .severity(severity)
                .help("close the bracket, or write `\\[` where the name holds one")
                .report();
        }
    }
}
