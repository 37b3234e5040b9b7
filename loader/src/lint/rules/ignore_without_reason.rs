//! L901: an ignore comment that does not say why.

use super::prelude::*;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L901",
    name: "ignore-without-reason",
    severity: Severity::Warning,
    summary: "An ignore comment gives no reason.",
    page: Page {
        what: "Looks for `outcrop-ignore` comments that name rules and say nothing else. The finding \
               is hidden all the same.",
        why: "Whoever meets the comment later cannot tell whether what it hides is meant, or may be \
              mended. A reason is also what a reviewer agrees to.",
        instead: "Write behind the rules why the finding does not count here.",
        drawbacks: "It cannot tell a good reason from any other word.",
        evidence: "What comments ask is documented in docs/configuration.md.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a rule and nothing else",
        files: &[(
            "CLAUDE.md",
            "Use pnpm.\n\n<!-- outcrop-ignore L101 -->\nSee @docs/notes.md for more.\n",
        )],
        fixed: &[],
    }],
    good: &[Example {
        title: "a rule with its reason",
        files: &[(
            "CLAUDE.md",
            "Use pnpm.\n\n<!-- outcrop-ignore L101 each developer makes it -->\nSee @docs/notes.md for more.\n",
        )],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for (path, file) in subject.ignores().files() {
        for ignore in file.ignores.iter().filter(|ignore| !ignore.has_reason) {
            report
                .at(
                    Place::Bytes(path.clone(), ignore.range.clone()),
                    "the comment hides findings and does not say why",
                )
                .help("write the reason behind the rules that it names")
                .report();
        }
    }
}
