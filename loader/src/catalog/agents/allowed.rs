//! Which tools and agents the session's rules and flags leave (facts C1.17, C2.8, C5.6, C6.9).

use super::tools::split;
use crate::session::World;
use crate::settings::Tier;

/// A deny rule, and where it stands.
pub(crate) struct DenyRule {
    pub(crate) rule: String,
    pub(crate) place: String,
}

/// What rules and flags say of tools.
pub(crate) struct Allowed {
    /// The names of `--tools`; `None` is all.
    tools: Option<Vec<String>>,
    rules: Vec<DenyRule>,
}

impl Allowed {
    pub(crate) fn of(world: &World<'_>) -> Self {
        let flags = &world.origin.flags;
        let tools = flags.tools.as_ref();
        let tools: Option<Vec<String>> =
            tools.map(|texts| texts.iter().flat_map(|text| split(text)).collect());
        let mut rules = rules_of_settings(world);
        let flag = flags.disallowed_tools.iter();
        rules.extend(flag.flat_map(|text| split(text)).map(|rule| DenyRule {
            rule,
            place: "--disallowedTools".to_owned(),
        }));
        Self {
            tools: tools.filter(|names| !names.iter().any(|name| name == "default")),
            rules,
        }
    }

    /// Whether `--tools` names a tool, or nothing is said of any.
    pub(crate) fn is_given(&self, tool: &str) -> bool {
        let tools = self.tools.as_ref();
        tools.is_none_or(|tools| tools.iter().any(|written| is(written, tool)))
    }

    /// The rule that takes a whole tool away; one with parentheses does not, but for `*`.
    pub(crate) fn rule_against(&self, tool: &str) -> Option<&DenyRule> {
        self.rules.iter().find(|rule| is(&rule.rule, tool))
    }

    /// The rule against one agent, whose name is taken as written.
    pub(super) fn rule_against_agent(&self, name: &str) -> Option<&DenyRule> {
        let agent = format!("Agent({name})");
        let task = format!("Task({name})");
        self.rules
            .iter()
            .find(|rule| rule.rule == agent || rule.rule == task)
    }

    /// Whether the session has a tool.
    pub(crate) fn has(&self, tool: &str) -> bool {
        self.is_given(tool) && self.rule_against(tool).is_none()
    }
}

/// Whether a name or rule means a whole tool; `Task` is the old name of `Agent`.
fn is(written: &str, tool: &str) -> bool {
    let written = written.strip_suffix("(*)").unwrap_or(written);
    written == tool || (written == "Task" && tool == "Agent")
}

fn rules_of_settings(world: &World<'_>) -> Vec<DenyRule> {
    let settings = &world.settings;
    let managed_only = settings
        .bool("allowManagedPermissionRulesOnly")
        .is_some_and(|set| set.value && set.place.tier == Tier::Managed);
    let mut rules = Vec::new();
    for file in &settings.files {
        if managed_only && file.tier != Tier::Managed {
            continue;
        }
        let deny = file
            .root
            .get("permissions")
            .and_then(|root| root.get("deny"));
        for item in deny.map(|deny| deny.items()).unwrap_or_default() {
            rules.extend(item.text().map(|rule| DenyRule {
                rule: rule.to_owned(),
                place: file.place(item.line).to_string(),
            }));
        }
    }
    rules
}
