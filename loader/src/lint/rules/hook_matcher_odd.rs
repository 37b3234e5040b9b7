//! L714: a hook that can never run.

use super::prelude::*;
use crate::lint::known::tools;
use crate::lint::near::nearest;
use crate::request::hooks::{EVENTS, Hook, HookState, fits, is_broken};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L714",
    name: "hook-matcher-odd",
    severity: Severity::Warning,
    summary: "A hook never runs: no such event, or a matcher that nothing fits.",
    page: Page {
        what: "Looks for events that the client does not have, and for matchers that no value of \
               the event fits: broken regular expressions, permission rules such as \
               `Bash(git:*)`, names of tools in other letters, file patterns, and ways to start \
               that there are not.",
        why: "The client accepts the entry and never runs the hook, so what it should check or tell \
              is left out without a word.",
        instead: "A matcher is a name, several between `|`, or a regular expression, with capitals \
                  as the client writes them. To run for some commands or files alone, let the \
                  hook look at its input.",
        drawbacks: "A newer client may have more events: one that is near no known event is told as \
                    information.",
        evidence: "Facts C3.5, 61 and 62; cases hook-matchers, hook-wrong-form.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "an event in other letters",
            files: &[(
                ".claude/settings.json",
                "{\"hooks\": {\"preToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \
                 \"make lint\"}]}]}}\n",
            )],
            fixed: &[(
                ".claude/settings.json",
                "{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \
                 \"make lint\"}]}]}}\n",
            )],
        },
        Example {
            title: "a permission rule as matcher",
            files: &[(
                ".claude/settings.json",
                "{\"hooks\": {\"PreToolUse\": [{\"matcher\": \"Bash(git:*)\", \"hooks\": \
                 [{\"type\": \"command\", \"command\": \"make lint\"}]}]}}\n",
            )],
            fixed: &[],
        },
        Example {
            title: "a tool in small letters, a file pattern, a way to start that there is not",
            files: &[(
                ".claude/settings.json",
                "{\"hooks\": {\"PostToolUse\": [{\"matcher\": \"edit|write\", \"hooks\": \
                 [{\"type\": \"command\", \"command\": \"make lint\"}]}, {\"matcher\": \"*.ts\", \
                 \"hooks\": [{\"type\": \"command\", \"command\": \"make types\"}]}], \
                 \"SessionStart\": [{\"matcher\": \"start\", \"hooks\": [{\"type\": \"command\", \
                 \"command\": \"make hello\"}]}]}}\n",
            )],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "names, lists, expressions, servers and all",
        files: &[(
            ".claude/settings.json",
            "{\"hooks\": {\"PreToolUse\": [\n{\"matcher\": \"Edit|Write\", \"hooks\": [{\"type\": \
             \"command\", \"command\": \"make a\"}]},\n{\"matcher\": \"mcp__docs__.*\", \"hooks\": \
             [{\"type\": \"command\", \"command\": \"make b\"}]},\n{\"matcher\": \"Notebook.*\", \
             \"hooks\": [{\"type\": \"command\", \"command\": \"make c\"}]},\n{\"matcher\": \"*\", \
             \"hooks\": [{\"type\": \"command\", \"command\": \"make d\"}]},\n{\"matcher\": \
             \"MultiEdit\", \"hooks\": [{\"type\": \"command\", \"command\": \"make e\"}]}],\n\
             \"SessionStart\": [{\"matcher\": \"startup|resume\", \"hooks\": [{\"type\": \
             \"command\", \"command\": \"make f\"}]}],\n\"Stop\": [{\"matcher\": \"\", \"hooks\": \
             [{\"type\": \"command\", \"command\": \"make g\"}]}]}}\n",
        )],
        fixed: &[],
    }],
    check,
};

/// Events whose matchers are compared with the name of a tool.
const OF_TOOLS: &[&str] = &[
    "PermissionDenied",
    "PermissionRequest",
    "PostToolUse",
    "PostToolUseFailure",
    "PreToolUse",
];

/// Ways to start.
const STARTS: &[&str] = &["startup", "resume", "clear", "compact"];

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for wrong in &subject.hooks().wrong {
        let Some(event) = &wrong.unknown_event else {
            continue;
        };
        let Some((path, line)) = wrong.source.line() else {
            continue;
        };
        let message = format!("the client has no event `{event}`, so its hooks never run");
        let mut draft = report.at(subject.quoted(path, line, event), message);
        match nearest(event, EVENTS) {
            Some(meant) => {
                draft = draft.help(format!("write `{meant}`"));
                if let Some(range) = subject.only_quoted(path, line, event) {
                    let title = format!("rename `{event}` to `{meant}`");
                    let fix = Fix::one(Applicability::Unsafe, title, path, range, meant);
                    draft = draft.fix(fix);
                }
            }
            None => draft = draft.severity(Severity::Info),
        }
        draft.report();
    }
    // Hooks of one entry share its matcher and are told once.
    let mut told: Vec<(&str, &str)> = Vec::new();
    for hook in &subject.hooks().hooks {
        let Some(matcher) = hook.matcher.as_deref() else {
            continue;
        };
        if matches!(hook.state, HookState::Off { .. }) || told.contains(&(&hook.event, matcher)) {
            continue;
        }
        if let Some((why, help)) = fault(&hook.event, matcher) {
            told.push((&hook.event, matcher));
            matcher_never_fits(subject, report, hook, matcher, (&why, &help));
        }
    }
}

fn matcher_never_fits(
    subject: &Subject<'_, '_>,
    report: &mut Report<'_, '_>,
    hook: &Hook,
    matcher: &str,
    (why, help): (&str, &str),
) {
    let Some((path, line)) = hook.source.line() else {
        return;
    };
    let place = matcher_place(subject, path, line, matcher);
    let message = format!("no `{}` fits the matcher `{matcher}`: {why}", hook.event);
    report.at(place, message).help(help).report();
}

/// The matcher that stands last before a hook, or on its line.
fn matcher_place(
    subject: &Subject<'_, '_>,
    path: &crate::path::AbsPath,
    line: u32,
    matcher: &str,
) -> Place {
    let found = subject.text(path).and_then(|text| {
        let quoted = serde_json::to_string(matcher).ok()?;
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let end: usize = lines
            .iter()
            .take(line as usize)
            .map(|line| line.len())
            .sum();
        let at = text.get(..end)?.rfind(&quoted)?;
        Some(Place::Bytes(path.clone(), at..at + quoted.len()))
    });
    found.unwrap_or_else(|| Place::Line(path.clone(), line))
}

/// Why nothing fits a matcher, and what to do.
fn fault(event: &str, matcher: &str) -> Option<(String, String)> {
    if event == "SessionStart" {
        let never = !STARTS.iter().any(|start| fits(matcher, start));
        return never.then(|| {
            let why = "a session starts by `startup`, `resume`, `clear` or `compact`";
            (
                why.to_owned(),
                "write one of them, or leave the matcher out".to_owned(),
            )
        });
    }
    if !OF_TOOLS.contains(&event) {
        return None;
    }
    let name = matcher.split('(').next().unwrap_or_default();
    let is_rule = matcher.ends_with(')') && tools().any(|tool| tool == name);
    if is_rule && !tools().any(|tool| fits(matcher, tool)) {
        let why = "it is a permission rule, and is read as a regular expression";
        let help = format!("write `{name}`, and let the hook look at its input");
        return Some((why.to_owned(), help));
    }
    if is_broken(matcher) {
        let why = "it is no regular expression";
        let help = "a matcher names tools; let the hook look at its input for files";
        return Some((why.to_owned(), help.to_owned()));
    }
    let names: Vec<&str> = matcher.split(['|', ',']).map(str::trim).collect();
    let is_list = matcher
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '|' | ',' | ' '));
    if !is_list || names.iter().any(|name| tools().any(|tool| tool == *name)) {
        return None;
    }
    let near = names.iter().find_map(|name| {
        let mut all = tools();
        all.find(|tool| tool.eq_ignore_ascii_case(name))
    })?;
    let why = "names of tools are compared with their capitals";
    Some((why.to_owned(), format!("write `{near}`")))
}
