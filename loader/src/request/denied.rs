//! Deny rules that take a whole tool, or a server, out of the request (facts C5.6, C6.9).

use crate::session::Session;
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

/// The deny rules that name whole tools, of the settings and of `--disallowedTools`.
pub(super) fn rules(session: &Session<'_>) -> Vec<Rule> {
    let mut only = session.settings().all("allowManagedPermissionRulesOnly");
    let managed_only =
        only.any(|set| set.place.tier == Tier::Managed && set.value.bool() == Some(true));
    let mut rules = Vec::new();
    for file in &session.settings().files {
        if managed_only && file.tier != Tier::Managed {
            continue;
        }
        let deny = file
            .root
            .get("permissions")
            .and_then(|node| node.get("deny"));
        for node in deny.map(Node::items).unwrap_or_default() {
            if let Some(name) = node.text().and_then(whole) {
                rules.push(Rule {
                    name,
                    by: format!("permissions.deny in {}", file.place(node.line)),
                });
            }
        }
    }
    for rule in names(&session.origin().flags.disallowed_tools) {
        rules.extend(whole(&rule).map(|name| Rule {
            name,
            by: "--disallowedTools".to_owned(),
        }));
    }
    rules
}

/// The name of a rule that is about all uses of it.
fn whole(rule: &str) -> Option<String> {
    let rule = rule.trim();
    let name = rule.strip_suffix("(*)").unwrap_or(rule);
    // The old name of a tool.
    let name = if name == "Task" { "Agent" } else { name };
    (!name.is_empty() && !name.contains('(')).then(|| name.to_owned())
}

/// Names of a flag, separated by commas or blanks; those in parentheses stay together.
pub(super) fn names(values: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    for value in values {
        let (mut name, mut depth) = (String::new(), 0_usize);
        for c in value.chars() {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 && (c == ',' || c.is_whitespace()) {
                names.push(std::mem::take(&mut name));
            } else {
                name.push(c);
            }
        }
        names.push(name);
    }
    names.retain(|name| !name.is_empty());
    names
}
