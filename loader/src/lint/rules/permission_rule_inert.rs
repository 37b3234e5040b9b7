//! L712: a permission rule that matches nothing, or less than it says.

use super::allow_does_not_count::has_rules;
use super::prelude::*;
use crate::lint::known::{is_tool, plain_tool, tools};
use crate::lint::near::nearest;
use crate::permissions::{IgnoredBy, Rule as Permission, RuleKind, Source};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L712",
    name: "permission-rule-inert",
    severity: Severity::Warning,
    summary: "A permission rule matches nothing, or less than it says.",
    page: Page {
        what: "Looks for deny and ask rules that the client cannot read, and for rules of any kind \
               that match no call: paths in rules for `Write`, `Glob` and the like, `/etc/…` where \
               the settings' own folder is meant by `/`, wildcards before `:*`, `Bash(curl)` for a \
               program that always has arguments, and names that are nearly a tool's.",
        why: "What a deny rule seems to forbid is allowed, and nothing says so.",
        instead: "Write paths in `Read(…)` and `Edit(…)`, which bind the other tools for files as \
                  well; `//etc/…` for a path from the root; `Bash(curl:*)` for a program with any \
                  arguments.",
        drawbacks: "A rule may be meant just as it is matched: `Bash(npm run test:* --quiet)` for \
                    scripts with a colon is told as information.",
        evidence: "Facts C6.4 to C6.6, 100 and 101; cases perm-rules-malformed*, perm-pattern-*, \
                   perm-path-*.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "rules that forbid nothing",
            files: &[(
                ".claude/settings.json",
                "{\n  \"permissions\": {\n    \"deny\": [\n      \"Write(secrets/**)\",\n      \
                 \"Bash(curl)\",\n      \"Read(/etc/**)\",\n      \"read(.env)\"\n    ]\n  }\n}\n",
            )],
            fixed: &[(
                ".claude/settings.json",
                "{\n  \"permissions\": {\n    \"deny\": [\n      \"Edit(secrets/**)\",\n      \
                 \"Bash(curl:*)\",\n      \"Read(//etc/**)\",\n      \"Read(.env)\"\n    ]\n  }\n}\n",
            )],
        },
        Example {
            title: "a wildcard before `:*`",
            files: &[(
                ".claude/settings.json",
                "{\"permissions\": {\"allow\": [\"Bash(git *:*)\"]}}\n",
            )],
            fixed: &[(
                ".claude/settings.json",
                "{\"permissions\": {\"allow\": [\"Bash(git *)\"]}}\n",
            )],
        },
    ],
    good: &[Example {
        title: "rules that match what they say",
        files: &[(
            ".claude/settings.json",
            "{\"permissions\": {\"deny\": [\"Read(.env)\", \"Read(//etc/**)\", \"Edit(/src/**)\", \
             \"Bash(curl:*)\", \"Bash(rm -rf *)\", \"WebSearch\", \"mcp__*\"], \"allow\": \
             [\"Bash(curl)\", \"Bash(npm run test:*)\", \"Write(*)\", \"TodoWrite\"]}}\n",
        )],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    if !has_rules(subject) {
        return;
    }
    for rule in &subject.permissions().rules {
        let Some((message, instead, severity)) = fault(rule) else {
            continue;
        };
        let Source::Settings(place) = &rule.source else {
            continue;
        };
        let Some(path) = &place.file else {
            continue;
        };
        let at = subject.quoted(path, place.line, &rule.text);
        let mut draft = report.at(at, message).severity(severity);
        if let Some(instead) = instead {
            draft = draft.help(format!("write `{instead}`"));
            if let Some(range) = subject.only_quoted(path, place.line, &rule.text) {
                let title = format!("write `{instead}`");
                let fix = Fix::one(Applicability::Unsafe, title, path, range, instead);
                draft = draft.fix(fix);
            }
        }
        draft.report();
    }
}

/// What is wrong with a rule, what to write in its place, and how bad it is.
fn fault(rule: &Permission) -> Option<(String, Option<String>, Severity)> {
    let (kind, text) = (rule.kind.key(), &rule.text);
    match (rule.ignored_by, &rule.ignored) {
        (Some(IgnoredBy::Form), Some(why)) => {
            // Those that allow have a rule of their own.
            let message = format!("the {kind} rule `{text}` does not count: {why}");
            let instead = capital(text);
            return (rule.kind != RuleKind::Allow).then_some((message, instead, Severity::Error));
        }
        (Some(IgnoredBy::Policy), _) => return None,
        _ => {}
    }
    if let Some(gap) = &rule.gap {
        let severity = match gap.is_doubtful {
            true => Severity::Info,
            false => Severity::Warning,
        };
        let message = format!("the {kind} rule `{text}` {}", gap.what);
        return Some((message, gap.instead.clone(), severity));
    }
    let tool = plain_tool(text);
    if is_tool(tool) || tool.contains('*') {
        return None;
    }
    let meant = nearest(tool, tools())?;
    let message = format!("the {kind} rule `{text}` matches nothing: there is no tool `{tool}`");
    let instead = format!("{meant}{}", &text[tool.len()..]);
    Some((message, Some(instead), Severity::Warning))
}

/// The rule with the tool's name as the client has it, where that is all that is wrong.
fn capital(text: &str) -> Option<String> {
    let tool = plain_tool(text);
    let mut all = tools();
    let meant = all.find(|name| name.eq_ignore_ascii_case(tool) && *name != tool)?;
    Some(format!("{meant}{}", &text[tool.len()..]))
}
