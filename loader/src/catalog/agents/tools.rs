//! The tools of a definition: how they are written, and how the listing names them (fact C2.6).

use serde::Serialize;
use serde_json::Value;

/// What a definition says of tools.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AgentTools {
    /// The names as written, in order; `None` is no list, or one with `*`: all tools. An empty
    /// list is no tool at all, though the listing then says that it has all of them (fact 70).
    pub listed: Option<Vec<String>>,
    /// `disallowedTools`.
    pub disallowed: Vec<String>,
    /// Those that `memory` added to the list.
    pub added: Vec<String>,
}

/// What an agent with a memory is given besides its list.
const OF_MEMORY: [&str; 3] = ["Write", "Edit", "Read"];

impl AgentTools {
    /// From the values of `tools` and `disallowedTools`, where the keys are there.
    pub(super) fn of(tools: Option<&Value>, disallowed: Option<&Value>) -> Self {
        Self {
            listed: tools.and_then(list),
            disallowed: disallowed.and_then(list).unwrap_or_default(),
            added: Vec::new(),
        }
    }

    /// Adds what an agent with a memory needs to its list.
    pub(super) fn remember(&mut self) {
        let Some(listed) = &mut self.listed else {
            return;
        };
        for tool in OF_MEMORY {
            if !listed.iter().any(|name| name == tool) {
                listed.push(tool.to_owned());
                self.added.push(tool.to_owned());
            }
        }
    }

    /// The words behind `Tools:` in the listing. Names are compared as written there, so that
    /// `Bash` does not take `Bash(git:*)` away.
    #[must_use]
    pub fn label(&self) -> String {
        match &self.listed {
            Some(listed) if !listed.is_empty() => {
                let kept = listed.iter().filter(|name| !self.disallowed.contains(name));
                let kept: Vec<&str> = kept.map(String::as_str).collect();
                match kept.is_empty() {
                    true => "None".to_owned(),
                    false => kept.join(", "),
                }
            }
            _ if self.disallowed.is_empty() => "All tools".to_owned(),
            _ => format!("All tools except {}", self.disallowed.join(", ")),
        }
    }
}

/// The names in a value: a text, or a list of texts; anything else is an empty list. `None` where
/// one of them is `*`.
fn list(value: &Value) -> Option<Vec<String>> {
    let names: Vec<String> = match value {
        Value::String(text) => split(text),
        Value::Array(items) => {
            let texts = items.iter().filter_map(Value::as_str);
            texts.flat_map(split).collect()
        }
        _ => Vec::new(),
    };
    let is_all = names.iter().any(|name| name == "*");
    (!is_all).then_some(names)
}

/// Splits at commas and blanks outside parentheses, which do not nest.
pub(crate) fn split(text: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut within = false;
    for c in text.chars() {
        match c {
            ',' | ' ' if !within => {
                names.push(String::new());
                continue;
            }
            '(' => within = true,
            ')' => within = false,
            _ => {}
        }
        if let Some(name) = names.last_mut() {
            name.push(c);
        }
    }
    let names = names.iter().map(|name| crate::javascript::trim(name));
    let names = names.filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As both clients listed them (case agents-tools-odd).
    #[test]
    fn forms_that_clients_listed() {
        for (text, names) in [
            ("Bash(a, b, Read", &["Bash(a, b, Read"][..]),
            ("Bash) a, Read", &["Bash)", "a", "Read"]),
            ("Bash(a (b, c) d), Read", &["Bash(a (b, c)", "d)", "Read"]),
            ("Bash (x), Read", &["Bash", "(x)", "Read"]),
            ("Read\nBash", &["Read\nBash"]),
            (" , ", &[]),
        ] {
            assert_eq!(split(text), names, "{text}");
        }
    }
}
