//! L605: sessions are deleted after a few days.

use super::prelude::*;
use crate::record::Evidence;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L605",
    name: "retention-short",
    severity: Severity::Info,
    summary: "Sessions are deleted after a few days.",
    page: Page {
        what: "Looks for `cleanupPeriodDays` below 7 in the settings that count.",
        why: "Some minutes after an interactive session has started, the client deletes the sessions of \
              all projects that nobody has written to for so many days, with their tool results, \
              plans, file histories and to-do lists. They cannot be resumed, searched or measured any \
              more. With 0 it is reported to write no transcript at all.",
        instead: "Leave the key away: the period is then 30 days.",
        drawbacks: "Short periods may be what a policy asks for. Memory and instruction files are kept \
                    in any case.",
        evidence: "Facts I80 and I81; for 0 client thread 23710, which was not observed.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "one day, for everybody who works on the project",
        files: &[(
            ".claude/settings.json",
            "{\n  \"cleanupPeriodDays\": 1\n}\n",
        )],
        fixed: &[],
    }],
    good: &[Example {
        title: "stronger settings keep sessions longer",
        files: &[
            (
                "~/.claude/settings.json",
                "{\n  \"cleanupPeriodDays\": 1\n}\n",
            ),
            (
                ".claude/settings.local.json",
                "{\n  \"cleanupPeriodDays\": 90\n}\n",
            ),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let Some(set) = subject.session.settings().strongest("cleanupPeriodDays") else {
        return;
    };
    // What is no whole number of days was not observed.
    let (Some(days), Some(place)) = (set.value.number::<u64>(), Place::setting(&set.place)) else {
        return;
    };
    if days >= subject.budgets.retention_days {
        return;
    }
    let (message, evidence) = match days {
        0 => (
            "`cleanupPeriodDays` of 0 is reported to keep no session at all".to_owned(),
            Evidence::Documented,
        ),
        1 => (
            "sessions of all projects are deleted after a day without a change".to_owned(),
            Evidence::Observed,
        ),
        days => (
            format!("sessions of all projects are deleted after {days} days without a change"),
            Evidence::Observed,
        ),
    };
    report
        .at(place, message)
        .help("without the key it is 30 days")
        .known(evidence)
        .report();
}
