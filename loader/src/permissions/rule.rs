//! A permission rule as it is written: `Tool` or `Tool(what)`.

use serde::Serialize;

/// What a rule says. In this order they are asked (fact C6.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RuleKind {
    /// The call is refused.
    Deny,
    /// The user is asked.
    Ask,
    /// The call runs without a question.
    Allow,
}

impl RuleKind {
    /// All of them, in the order in which they are asked.
    pub const ALL: [Self; 3] = [Self::Deny, Self::Ask, Self::Allow];

    /// The key in settings.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Allow => "allow",
        }
    }
}

/// The two parts of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parsed {
    pub(super) tool: String,
    /// What is in the parentheses; `None` speaks of the whole tool.
    pub(super) what: Option<String>,
}

/// Reads a rule, or says why the client passes over it (cases perm-rules-malformed*).
pub(super) fn parse(kind: RuleKind, text: &str) -> Result<Parsed, String> {
    let Some((tool, rest)) = text.split_once('(') else {
        return whole_tool(kind, text);
    };
    let Some(what) = rest.strip_suffix(')') else {
        return Err("its parentheses do not match".to_owned());
    };
    let what = unescaped(what);
    if what.is_empty() {
        return Err("its parentheses are empty; without them it is the whole tool".to_owned());
    }
    if tool.starts_with("mcp__") {
        return Err("rules for MCP tools take no parentheses".to_owned());
    }
    if !tool.starts_with(|c: char| c.is_ascii_uppercase()) {
        return Err("names of tools begin with a capital letter".to_owned());
    }
    match tool {
        "Bash" if what == ":*" => return Err("it has nothing before `:*`".to_owned()),
        _ if what == "*" && !is_in_directories(kind, tool) => return whole_tool(kind, tool),
        "WebFetch" if !what.starts_with("domain:") => {
            return Err("rules for WebFetch are written WebFetch(domain:HOST)".to_owned());
        }
        "WebSearch" if what.contains(['*', '?']) => {
            return Err("rules for WebSearch take no wildcards".to_owned());
        }
        _ => {}
    }
    Ok(Parsed {
        tool: tool.to_owned(),
        what: Some(what),
    })
}

/// Whether `Tool(*)` grants the tool in the session's directories only in newer clients; of other
/// tools and in other rules it always means the whole tool (cases perm-rules-star-*).
fn is_in_directories(kind: RuleKind, tool: &str) -> bool {
    kind == RuleKind::Allow && matches!(tool, "Read" | "Write" | "Edit")
}

fn whole_tool(kind: RuleKind, tool: &str) -> Result<Parsed, String> {
    if tool.is_empty() {
        return Err("it is empty".to_owned());
    }
    if kind == RuleKind::Allow && tool.contains('*') && server_of_pattern(tool).is_none() {
        return Err("an allow rule with a wildcard must name the MCP server".to_owned());
    }
    let capital = tool.starts_with(|c: char| c.is_ascii_uppercase());
    if !capital && !tool.starts_with("mcp__") && !tool.starts_with('*') {
        return Err("names of tools begin with a capital letter".to_owned());
    }
    Ok(Parsed {
        tool: tool.to_owned(),
        what: None,
    })
}

/// The server that a pattern for MCP tools names in full.
fn server_of_pattern(tool: &str) -> Option<&str> {
    let (server, _) = tool.strip_prefix("mcp__")?.split_once("__")?;
    (!server.is_empty() && !server.contains('*')).then_some(server)
}

/// `\(`, `\)` and `\\` stand for themselves.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some(next @ ('(' | ')' | '\\')) if c == '\\' => {
                plain.push(*next);
                chars.next();
            }
            _ => plain.push(c),
        }
    }
    plain
}

/// Whether a rule without parentheses speaks of a tool: by its name, an MCP server's, or a
/// pattern (cases perm-mcp-*).
pub(super) fn names_tool(rule: &str, tool: &str) -> bool {
    if rule == tool || (rule == "Task" && tool == "Agent") || (rule == "Agent" && tool == "Task") {
        return true;
    }
    if rule.contains('*') {
        return wildcard(rule, tool);
    }
    let of_server = tool
        .strip_prefix(rule)
        .is_some_and(|rest| rest.starts_with("__"));
    rule.starts_with("mcp__") && !rule["mcp__".len()..].contains("__") && of_server
}

/// Whether `*` in a pattern, each for any text, makes it the text.
pub(super) fn wildcard(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_that_do_not_count() {
        for text in [
            "Bash()",
            "Bash(:*)",
            "Bash(ls",
            "Bash(ls) ",
            "bash(ls)",
            "*",
            "mcp__*",
            "mcp__s*",
            "mcp__s__t(x)",
            "WebFetch(example.org)",
            "WebSearch(a*)",
            "",
        ] {
            assert!(parse(RuleKind::Allow, text).is_err(), "{text}");
        }
        assert!(parse(RuleKind::Deny, "mcp__*").is_ok());
        assert!(parse(RuleKind::Allow, "mcp__s__*").is_ok());
        assert_eq!(parse(RuleKind::Allow, "Bash(*)").unwrap().what, None);
        assert_eq!(parse(RuleKind::Deny, "Read(*)").unwrap().what, None);
        assert!(parse(RuleKind::Allow, "Write(*)").unwrap().what.is_some());
        let escaped = parse(RuleKind::Allow, "Bash(f \\(1\\))").unwrap();
        assert_eq!(escaped.what.as_deref(), Some("f (1)"));
    }

    #[test]
    fn names_of_tools() {
        for rule in [
            "mcp__s",
            "mcp__s__*",
            "mcp__s__get_*",
            "mcp__*",
            "mcp__s__*_a",
        ] {
            assert!(names_tool(rule, "mcp__s__get_a"), "{rule}");
        }
        assert!(!names_tool("mcp__s__get", "mcp__s__get_a"));
        assert!(!names_tool("mcp__s", "mcp__s2__a"));
        assert!(!names_tool("Read", "ReadX"));
        assert!(wildcard("a*b*c", "a1b2bc") && !wildcard("a*a", "a"));
    }
}
