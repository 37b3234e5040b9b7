//! Which tools and agents the session's rules and flags leave (facts C1.17, C2.8, C5.6, C6.9).

use crate::request::denied::{DenyRule, deny_rules, names};
use crate::session::World;

/// What rules and flags say of tools.
pub(crate) struct Allowed {
    /// The names of `--tools`; `None` is all.
    tools: Option<Vec<String>>,
    rules: Vec<DenyRule>,
}

impl Allowed {
    pub(crate) fn of(world: &World<'_>) -> Self {
        let tools = world.origin.flags.tools.as_deref().map(names);
        Self {
            tools: tools.filter(|names| !names.iter().any(|name| name == "default")),
            rules: deny_rules(world),
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
