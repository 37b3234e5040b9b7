//! L710: a setting that the client does not take from this place.

use super::prelude::*;
use crate::path::AbsPath;
use crate::settings::{Node, Property, SettingsFile, Tier};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L710",
    name: "setting-ignored-here",
    severity: Severity::Warning,
    summary: "A setting stands in a file from which the client does not take it.",
    page: Page {
        what: "Looks for settings that count in other files alone: `claudeMd` and the switches \
               for managed rules and hooks outside of managed settings, `mcpServers` in any \
               settings, variables and modes that a project may not set, and an \
               `autoMemoryDirectory` that is relative or, in older clients, of a project.",
        why: "The client passes over the key without a word, so what it would bring or forbid is \
              not there. A relative `autoMemoryDirectory` also hides those of weaker settings.",
        instead: "Move the key to the settings that the message names.",
        drawbacks: "Other switches for managed settings may exist that are not known here.",
        evidence: "Facts 6.7, 7.13, 20, 40, 62, 64, 89 and 92; cases user-setting-text, \
                   memory-dir-relative*, env-*-in-project, perm-default-bypass-*.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "instructions in a project's settings",
            files: &[(
                ".claude/settings.json",
                "{\"claudeMd\": \"Use pnpm, not npm.\"}\n",
            )],
            fixed: &[],
        },
        Example {
            title: "a relative folder of memory",
            files: &[(
                ".claude/settings.json",
                "{\"autoMemoryDirectory\": \"./memory\"}\n",
            )],
            fixed: &[],
        },
        Example {
            title: "servers in settings",
            files: &[(
                ".claude/settings.json",
                "{\"mcpServers\": {\"docs\": {\"command\": \"docs-server\"}}}\n",
            )],
            fixed: &[],
        },
        Example {
            title: "a mode that a project may not choose",
            files: &[(
                ".claude/settings.json",
                "{\"permissions\": {\"defaultMode\": \"bypassPermissions\"}}\n",
            )],
            fixed: &[],
        },
        Example {
            title: "a variable that a project may not set",
            files: &[(
                ".claude/settings.json",
                "{\"env\": {\"CLAUDE_CONFIG_DIR\": \"/srv/claude\"}}\n",
            )],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "settings that count where they are",
        files: &[
            (
                "~/.claude/settings.json",
                "{\"autoMemoryDirectory\": \"~/notes\", \"permissions\": {\"defaultMode\": \
                 \"bypassPermissions\"}}\n",
            ),
            (
                ".claude/settings.json",
                "{\"env\": {\"LANG\": \"C\"}, \"permissions\": {\"defaultMode\": \"acceptEdits\"}}\n",
            ),
        ],
        fixed: &[],
    }],
    check,
};

/// Keys that count in managed settings alone.
const MANAGED: &[&str] = &[
    "claudeMd",
    "allowManagedHooksOnly",
    "allowManagedPermissionRulesOnly",
];

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in &subject.session.settings().files {
        let Some(path) = &file.path else {
            continue;
        };
        for property in file.root.properties() {
            let Some((message, help)) = of_key(subject, file, property) else {
                continue;
            };
            let mut draft = report
                .at(subject.quoted(path, property.line, &property.name), message)
                .help(help);
            if property.name == "claudeMd"
                && let Some(text) = property.value.text()
            {
                draft = draft.costs(Cost::Lost(subject.tokens(text)));
            }
            draft.report();
        }
        if matches!(file.tier, Tier::Project | Tier::Local) {
            of_project(subject, report, file, path);
        }
    }
}

fn of_key(
    subject: &Subject<'_, '_>,
    file: &SettingsFile,
    property: &Property,
) -> Option<(String, String)> {
    let name = property.name.as_str();
    let managed = "it counts in managed settings alone";
    if MANAGED.contains(&name) && file.tier != Tier::Managed {
        let is_off = property.value.bool() == Some(false);
        return (!is_off).then(|| {
            let help = match name {
                "claudeMd" => "write the text into a CLAUDE.md",
                _ => "leave it to whoever manages the machine",
            };
            (
                format!("`{name}` is ignored here: {managed}"),
                help.to_owned(),
            )
        });
    }
    match name {
        "mcpServers" if !property.value.properties().is_empty() => Some((
            "`mcpServers` is ignored here: servers are not read from settings".to_owned(),
            match file.tier {
                Tier::Project | Tier::Local => "write them into `.mcp.json`",
                _ => "add them with `claude mcp add`",
            }
            .to_owned(),
        )),
        "autoMemoryDirectory" => of_memory(subject, file, &property.value),
        _ => None,
    }
}

fn of_memory(
    subject: &Subject<'_, '_>,
    file: &SettingsFile,
    value: &Node,
) -> Option<(String, String)> {
    let text = value.text()?;
    let behaviour = &subject.session.client().behaviour;
    if file.tier == Tier::Project && !behaviour.memory_dir_of_project {
        let message = "`autoMemoryDirectory` is ignored here: this client takes it from no project";
        let help = "write it into the settings of the user";
        return Some((message.to_owned(), help.to_owned()));
    }
    if text.starts_with("~/") || AbsPath::new(text).is_some() {
        return None;
    }
    let message =
        "a relative `autoMemoryDirectory` is ignored, and those of weaker settings with it";
    let help = "write a path that begins with `/` or `~/`";
    Some((message.to_owned(), help.to_owned()))
}

/// What newer clients take from no project.
fn of_project(
    subject: &Subject<'_, '_>,
    report: &mut Report<'_, '_>,
    file: &SettingsFile,
    path: &AbsPath,
) {
    let behaviour = &subject.session.client().behaviour;
    let env = file
        .root
        .get("env")
        .filter(|_| behaviour.project_env_limited);
    for variable in env.map(Node::properties).unwrap_or_default() {
        let name = variable.name.as_str();
        if matches!(name, "CLAUDE_CONFIG_DIR" | "CLAUDE_CODE_SIMPLE") {
            let message = format!("`{name}` is ignored here: a project cannot set it");
            report
                .at(subject.quoted(path, variable.line, name), message)
                .help("set it in the settings of the user, or where the client is started")
                .report();
        }
    }
    let mode = file.root.get("permissions");
    let mode = mode.and_then(|node| node.property("defaultMode"));
    let Some(mode) = mode.filter(|mode| mode.value.text() == Some("bypassPermissions")) else {
        return;
    };
    if subject.permissions().mode.name == "bypassPermissions" {
        return;
    }
    report
        .at(
            subject.quoted(path, mode.line, "defaultMode"),
            "`bypassPermissions` is ignored here: a project cannot choose it",
        )
        .help("choose it in the settings of the user, or with `--permission-mode`")
        .report();
}
