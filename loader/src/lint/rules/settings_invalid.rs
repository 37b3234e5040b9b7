//! L708: settings that do not count because the file, or a value, has the wrong form.

use super::prelude::*;
use crate::record::Diagnostic;
use crate::settings::{Fault, Lost};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L708",
    name: "settings-invalid",
    severity: Severity::Error,
    summary: "A settings file does not count, since something in it has the wrong form.",
    page: Page {
        what: "Looks for settings files and files of MCP servers that are no plain JSON, for values \
               of a kind that makes the client drop the whole file, and for hooks of the wrong form.",
        why: "A comment, a trailing comma or one value of the wrong kind voids the file: none of its \
              settings count, its deny rules included, and in print mode nothing is said. A hook of \
              the wrong form costs itself alone.",
        instead: "Write plain JSON. The message names the value and what it must be.",
        drawbacks: "Of managed settings the wrong key alone is lost. Clients before 2.1.265 drop the \
                    whole file for a wrong hook, too.",
        evidence: "Facts 7.3, 19, 21, 62 and 64; cases settings-*, hook-wrong-form, \
                   mcp-wrong-entries.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a comma too many",
            files: &[(
                ".claude/settings.json",
                "{\n  \"permissions\": {\"deny\": [\"Read(./.env)\"]},\n}\n",
            )],
            fixed: &[],
        },
        Example {
            title: "a text in place of a list",
            files: &[(
                ".claude/settings.json",
                "{\n  \"claudeMdExcludes\": \"vendor/**\"\n}\n",
            )],
            fixed: &[],
        },
        Example {
            title: "a hook without a type",
            files: &[(
                ".claude/settings.json",
                "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": \"make lint\"}]}]}}\n",
            )],
            fixed: &[],
        },
        Example {
            title: "a file of servers that is no JSON",
            files: &[(".mcp.json", "{mcpServers: {}}\n")],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "plain JSON, an empty file, keys that the client does not know",
        files: &[
            (
                ".claude/settings.json",
                "{\"$schema\": \"x\", \"theme\": \"dark\", \"team\": {\"a\": [1]}}\n",
            ),
            (".claude/settings.local.json", ""),
            (".mcp.json", "{\"mcpServers\": {}}\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for fault in &subject.session.settings().faults {
        of_settings(subject, report, fault);
    }
    for wrong in &subject.hooks().wrong {
        if wrong.unknown_event.is_some() {
            continue;
        }
        let Some((path, line)) = wrong.source.line() else {
            continue;
        };
        let place = Place::Line(path.clone(), line);
        let message = format!("{}, so it does not count", wrong.what);
        report
            .at(place, message)
            .severity(Severity::Warning)
            .report();
    }
    for wrong in &subject.mcp().diagnostics {
        of_servers(subject, report, wrong);
    }
}

fn of_settings(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, fault: &Fault) {
    let Some(path) = &fault.place.file else {
        return;
    };
    let whole = || Place::Line(path.clone(), fault.place.line);
    let place = fault.offset.map_or_else(whole, |at| {
        let text = subject.text(path).unwrap_or_default();
        match word(&text, at) {
            Some(end) => Place::Bytes(path.clone(), at..end),
            None => whole(),
        }
    });
    let follows = match fault.lost {
        Lost::File => "none of its settings count",
        Lost::Key => "the key does not count",
    };
    let draft = report.at(place, format!("{}, so {follows}", fault.what));
    let draft = match fault.lost {
        Lost::File => draft,
        Lost::Key => draft.severity(Severity::Warning),
    };
    draft.report();
}

/// The end of the key or character at a byte.
fn word(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let first = rest.chars().next()?;
    let quoted = rest.strip_prefix('"').and_then(|rest| rest.find('"'));
    Some(at + quoted.map_or(first.len_utf8(), |end| end + 2))
}

fn of_servers(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, wrong: &Diagnostic) {
    let Some(path) = &wrong.path else {
        return;
    };
    if subject.text(path).is_some_and(|text| text.trim() == "{}") {
        return;
    }
    let place = match wrong.line {
        Some(line) => Place::Line(path.clone(), line),
        None => Place::File(path.clone()),
    };
    let draft = report.at(place, wrong.message.clone());
    // A column is known where the file as a whole is no JSON.
    match wrong.column {
        Some(_) => draft.report(),
        None => draft.severity(Severity::Warning).report(),
    }
}
