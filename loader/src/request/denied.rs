//! Deny rules that take a whole tool, or a server, out of the request (facts C5.6, C6.9).

use crate::session::{Session, World};
use crate::settings::{Node, Tier};

/// A deny rule without parentheses.
pub(super) struct Rule {
    pub(super) name: String,
    /// Where it stands.
    pub(super) by: String,
}

impl Rule {
    /// Whether it takes a tool away; its name may end in `*`.
    pub(super) fn takes(&self, tool: &str) -> bool {
        match self.name.strip_suffix('*') {
            Some(stem) => tool.starts_with(stem),
            None => self.name == tool,
        }
    }
}

/// A deny rule as written.
pub(crate) struct DenyRule {
    pub(crate) rule: String,
    /// The settings file and line, or the flag.
    pub(crate) place: String,
}

/// The deny rules of the settings, then those of `--disallowedTools`.
pub(crate) fn deny_rules(world: &World<'_>) -> Vec<DenyRule> {
    let settings = &world.settings;
    let switch = "allowManagedPermissionRulesOnly";
    let managed_only = settings.managed_switch(switch).is_some();
    let counts = |tier: Tier| !managed_only || tier == Tier::Managed;
    let mut rules = Vec::new();
    for file in settings.files.iter().filter(|file| counts(file.tier)) {
        let deny = file.root.get("permissions");
        let deny = deny.and_then(|node| node.get("deny"));
        for node in deny.map(Node::items).unwrap_or_default() {
            rules.extend(node.text().map(|rule| DenyRule {
                rule: rule.to_owned(),
                place: file.place(node.line).to_string(),
            }));
        }
    }
    let flag = names(&world.origin.flags.disallowed_tools).into_iter();
    rules.extend(flag.map(|rule| DenyRule {
        rule,
        place: FLAG.to_owned(),
    }));
    rules
}

/// The flag whose rules deny.
const FLAG: &str = "--disallowedTools";

/// The deny rules that name whole tools.
pub(super) fn rules(session: &Session<'_>) -> Vec<Rule> {
    let rules = deny_rules(session.world()).into_iter();
    let whole = rules.filter_map(|DenyRule { rule, place }| {
        let by = match place.as_str() {
            FLAG => place,
            _ => format!("permissions.deny in {place}"),
        };
        whole(&rule).map(|name| Rule { name, by })
    });
    whole.collect()
}

/// The name of a rule that is about all uses of it.
fn whole(rule: &str) -> Option<String> {
    let rule = rule.trim();
    let name = rule.strip_suffix("(*)").unwrap_or(rule);
    // The old name of a tool.
    let name = if name == "Task" { "Agent" } else { name };
    (!name.is_empty() && !name.contains('(')).then(|| name.to_owned())
}

/// Names and rules of a flag, separated by commas or blanks; what is in parentheses stays together.
pub(crate) fn names(values: &[String]) -> Vec<String> {
    values.iter().flat_map(|value| split(value)).collect()
}

fn split(value: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut open = 0_usize;
    for c in value.chars() {
        match c {
            '(' => open += 1,
            ')' => open = open.saturating_sub(1),
            ',' | ' ' if open == 0 => {
                names.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(name) = names.last_mut() {
            name.push(c);
        }
    }
    names.retain(|name| !name.is_empty());
    names
}
