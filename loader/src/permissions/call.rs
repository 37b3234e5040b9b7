//! Tool calls as people write them: like rules, or as JSON.

use serde_json::{Value, json};
use thiserror::Error;

use crate::session::ToolCall;

/// A text that is no tool call.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadCall {
    /// It begins like JSON and is none of a call.
    #[error("`{0}` is no call as JSON, {{\"tool\": \"Bash\", \"input\": {{…}}}}: {1}")]
    Json(String, String),
    /// Its parentheses do not match.
    #[error("`{0}` has no closing parenthesis at its end")]
    Open(String),
    /// It has no tool's name.
    #[error("`{0}` names no tool")]
    NoTool(String),
    /// The tool takes no single text.
    #[error("what `{0}` takes in parentheses is not known; write the call as JSON")]
    Unknown(String),
}

/// Reads `Tool(what)`, `Tool`, or `{"tool": …, "input": {…}}`.
///
/// # Errors
/// [`BadCall`].
pub fn call_of(text: &str) -> Result<ToolCall, BadCall> {
    let text = text.trim();
    if text.starts_with('{') {
        let bad = |error: serde_json::Error| BadCall::Json(text.to_owned(), error.to_string());
        return serde_json::from_str(text).map_err(bad);
    }
    let (tool, what) = match text.split_once('(') {
        Some((tool, rest)) => {
            let what = rest.strip_suffix(')');
            (
                tool,
                Some(what.ok_or_else(|| BadCall::Open(text.to_owned()))?),
            )
        }
        None => (text, None),
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    if tool.is_empty() || !tool.chars().all(is_name) {
        return Err(BadCall::NoTool(text.to_owned()));
    }
    let input = match what {
        None => Value::Object(serde_json::Map::new()),
        Some(what) => {
            let key = key_of(tool).ok_or_else(|| BadCall::Unknown(tool.to_owned()))?;
            json!({ key: what })
        }
    };
    let tool = tool.to_owned();
    Ok(ToolCall { tool, input })
}

/// The key of a tool's input that its rules speak of.
fn key_of(tool: &str) -> Option<&'static str> {
    Some(match tool {
        "Bash" => "command",
        "Read" | "Write" | "Edit" | "MultiEdit" => "file_path",
        "NotebookEdit" => "notebook_path",
        "Glob" | "Grep" => "path",
        "WebFetch" => "url",
        "WebSearch" => "query",
        "Skill" => "skill",
        "Agent" | "Task" => "subagent_type",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        let call = call_of("Bash(echo (a) && b)").unwrap();
        assert_eq!(call.input["command"], "echo (a) && b");
        assert_eq!(call_of("mcp__a-b__c").unwrap().tool, "mcp__a-b__c");
        assert!(call_of("{\"tool\": \"Read\", \"input\": {}}").is_ok());
        for text in [
            "Bash(ls",
            "",
            "(ls)",
            "{\"tool\": 1}",
            "mcp__a__b(c)",
            "ls -l",
        ] {
            assert!(call_of(text).is_err(), "{text}");
        }
    }
}
