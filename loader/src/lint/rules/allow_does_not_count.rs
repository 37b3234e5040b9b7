//! L711: allow rules that do not count.

use super::prelude::*;
use crate::path::AbsPath;
use crate::permissions::{IgnoredBy, Rule as Permission, RuleKind, Source};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L711",
    name: "allow-does-not-count",
    severity: Severity::Warning,
    summary: "An allow rule does not count, so the client asks, or refuses, all the same.",
    page: Page {
        what: "Looks for allow rules that the client cannot read, such as a wildcard that names no \
               server or a tool in small letters; for those that managed settings turn off; and, \
               where the state file knows the folder, for those of a project that its user does \
               not trust.",
        why: "The call is asked for as if the rule were not there; in print mode it is refused.",
        instead: "Write the rule as the message says. A folder is trusted by starting the client \
                  in it once and answering yes.",
        drawbacks: "Whether a folder is trusted depends on the user and the machine. This is told \
                    as information, once a file.",
        evidence: "Facts C6.3, C6.9, 88, 89 and 99; cases perm-rules-malformed*, \
                   perm-managed-only-rules, perm-trust-*.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "forms that the client passes over",
            files: &[(
                ".claude/settings.json",
                "{\"permissions\": {\"allow\": [\"mcp__*\", \"bash(ls:*)\", \"Bash(npm test\"]}}\n",
            )],
            fixed: &[],
        },
        Example {
            title: "a folder that the user does not trust",
            files: &[
                (
                    ".claude/settings.json",
                    "{\"permissions\": {\"allow\": [\"Bash(make:*)\"]}}\n",
                ),
                (
                    "~/.claude.json",
                    "{\"projects\": {\"/home/dev/shop\": {\"hasTrustDialogAccepted\": false}}}\n",
                ),
            ],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "rules that count, on a machine that says nothing of trust",
        files: &[(
            ".claude/settings.json",
            "{\"permissions\": {\"allow\": [\"Bash(make:*)\", \"mcp__docs__*\", \"Read\", \
             \"WebFetch(domain:example.com)\"]}}\n",
        )],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    if !has_rules(subject) {
        return;
    }
    let rules = &subject.permissions().rules;
    let mut told: Vec<(&AbsPath, IgnoredBy)> = Vec::new();
    for rule in rules.iter().filter(|rule| rule.kind == RuleKind::Allow) {
        let (Some(by), Some(why)) = (rule.ignored_by, &rule.ignored) else {
            continue;
        };
        let Source::Settings(place) = &rule.source else {
            continue;
        };
        let Some(path) = &place.file else {
            continue;
        };
        let at = subject.quoted(path, place.line, &rule.text);
        if by == IgnoredBy::Form {
            let message = format!("the allow rule `{}` does not count: {why}", rule.text);
            report.at(at, message).report();
            continue;
        }
        if told.contains(&(path, by)) || by == IgnoredBy::Trust && !knows_folder(subject) {
            continue;
        }
        told.push((path, by));
        let count = count(rules, path, by);
        let why = match by {
            IgnoredBy::Trust => "the user does not trust the folder".to_owned(),
            _ => why.clone(),
        };
        let message = format!(
            "{count} of this file {} not count: {why}",
            do_or_does(&count)
        );
        report.at(at, message).severity(Severity::Info).report();
    }
}

/// Whether any settings have rules: most have none, and nothing is to be gathered then.
pub(super) fn has_rules(subject: &Subject<'_, '_>) -> bool {
    let mut permissions = subject.session.settings().all("permissions");
    permissions.any(|set| {
        let lists = ["allow", "ask", "deny"].map(|key| set.value.get(key));
        lists
            .into_iter()
            .flatten()
            .any(|list| !list.items().is_empty())
    })
}

fn count(rules: &[Permission], path: &AbsPath, by: IgnoredBy) -> String {
    let of_file = |rule: &&Permission| {
        rule.kind == RuleKind::Allow
            && rule.ignored_by == Some(by)
            && rule.source.file() == Some(path)
    };
    match rules.iter().filter(of_file).count() {
        1 => "1 allow rule".to_owned(),
        count => format!("{count} allow rules"),
    }
}

fn do_or_does(count: &str) -> &'static str {
    match count.starts_with("1 ") {
        true => "does",
        false => "do",
    }
}

/// Whether the state file says anything of this project: on a machine where nobody started the
/// client, such as one that runs checks, trust is not known.
fn knows_folder(subject: &Subject<'_, '_>) -> bool {
    subject.session.state().knows_project()
}
