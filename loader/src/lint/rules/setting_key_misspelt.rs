//! L709: a key of settings that is nearly one that decides what loads.

use super::prelude::*;
use crate::lint::near::nearest;
use crate::settings::Property;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L709",
    name: "setting-key-misspelt",
    severity: Severity::Info,
    summary: "A key of settings is nearly one that decides what loads, and so decides nothing.",
    page: Page {
        what: "Looks in settings for keys that the client does not know and that are one or two \
               letters away from a key that decides what loads, what is listed or what may run, or \
               differ from it in capitals and dashes alone.",
        why: "The client accepts any key and passes over those that it does not know.",
        instead: "Write the key as the client knows it.",
        drawbacks: "The list of keys is that of this version: a newer client may know the key.",
        evidence: "Facts 7.1 to 7.13, C1.18, C1.22, 62 and 65; cases settings-*, excludes-from-*.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a letter is missing",
            files: &[(
                ".claude/settings.json",
                "{\"claudeMdExclude\": [\"**/vendor/**\"]}\n",
            )],
            fixed: &[(
                ".claude/settings.json",
                "{\"claudeMdExcludes\": [\"**/vendor/**\"]}\n",
            )],
        },
        Example {
            title: "a list of rules of another name",
            files: &[(
                ".claude/settings.json",
                "{\"permissions\": {\"denied\": [\"Read(./.env)\"]}}\n",
            )],
            fixed: &[(
                ".claude/settings.json",
                "{\"permissions\": {\"deny\": [\"Read(./.env)\"]}}\n",
            )],
        },
        Example {
            title: "beside the key itself, where none is renamed",
            files: &[(
                ".claude/settings.json",
                "{\"permissions\": {\"deny\": [], \"denied\": [\"Read(./.env)\"]}}\n",
            )],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "keys that the client knows, and some of others",
        files: &[(
            ".claude/settings.json",
            "{\"claudeMdExcludes\": [], \"env\": {}, \"envs\": {}, \"modelOverrides\": {}, \
             \"permissions\": {\"allow\": [], \"defaultMode\": \"plan\"}, \"hook_notes\": \"x\"}\n",
        )],
        fixed: &[],
    }],
    check,
};

/// Keys that decide what loads, what is listed, what runs.
const KEYS: &[&str] = &[
    "additionalDirectories",
    "agent",
    "allowManagedHooksOnly",
    "allowManagedMcpServersOnly",
    "allowManagedPermissionRulesOnly",
    "allowedMcpServers",
    "attribution",
    "autoCompactEnabled",
    "autoMemoryDirectory",
    "autoMemoryEnabled",
    "claudeMd",
    "claudeMdExcludes",
    "cleanupPeriodDays",
    "deniedMcpServers",
    "disableAllHooks",
    "disableBundledSkills",
    "disableSkillShellExecution",
    "disabledMcpjsonServers",
    "enableAllProjectMcpServers",
    "enabledMcpjsonServers",
    "enabledPlugins",
    "hooks",
    "includeCoAuthoredBy",
    "includeGitInstructions",
    "language",
    "model",
    "outputStyle",
    "permissions",
    "skillListingBudgetFraction",
    "skillListingMaxDescChars",
    "skillOverrides",
    "statusLine",
];

/// Keys of `permissions`.
const OF_PERMISSIONS: &[&str] = &[
    "additionalDirectories",
    "allow",
    "ask",
    "defaultMode",
    "deny",
    "disableAutoMode",
    "disableBypassPermissionsMode",
];

/// Other ways to say them, more letters away.
const SYNONYMS: &[(&str, &str)] = &[
    ("allowed", "allow"),
    ("allows", "allow"),
    ("denied", "deny"),
    ("denies", "deny"),
    ("asks", "ask"),
    ("mode", "defaultMode"),
];

/// Keys that are near those and known, too.
const OTHERS: &[&str] = &[
    "agents",
    "models",
    "plugins",
    "skillOverride",
    "allowedTools",
];

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in &subject.session.settings().files {
        let Some(path) = &file.path else {
            continue;
        };
        let mut look = |property: &Property, all: &[Property], known: &[&'static str]| {
            let name = property.name.as_str();
            if known.contains(&name) {
                return;
            }
            let is_of_permissions = known.len() == OF_PERMISSIONS.len();
            let synonym = SYNONYMS.iter().filter(|_| is_of_permissions);
            let mut synonym = synonym.filter(|(other, _)| *other == name);
            let near = || nearest(name, known.iter().copied());
            let Some(meant) = synonym.next().map(|(_, key)| *key).or_else(near) else {
                return;
            };
            if OTHERS.contains(&name) {
                return;
            }
            let place = subject.quoted(path, property.line, name);
            let mut draft = report
                .at(
                    place,
                    format!("`{name}` decides nothing: the key is `{meant}`"),
                )
                .help(format!("write `{meant}`"));
            // Beside the key itself, a second one would take its place.
            let is_there = all.iter().any(|other| other.name == meant);
            let range = subject.only_quoted(path, property.line, name);
            if let Some(range) = range.filter(|_| !is_there) {
                let title = format!("rename `{name}` to `{meant}`");
                draft = draft.fix(Fix::one(Applicability::Unsafe, title, path, range, meant));
            }
            draft.report();
        };
        let root = file.root.properties();
        for property in root {
            look(property, root, KEYS);
        }
        let rules = file.root.get("permissions");
        let rules = rules.map(|node| node.properties()).unwrap_or_default();
        for property in rules {
            look(property, rules, OF_PERMISSIONS);
        }
    }
}
