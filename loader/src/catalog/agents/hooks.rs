//! Whether `hooks` of a definition are of the form that newer clients demand (fact C2.5).

use serde_json::{Map, Value};

/// The events whose hooks may refuse a call; the values of others are not looked at.
const EVENTS: [&str; 2] = ["PreToolUse", "PermissionRequest"];

/// The text keys that a hook of each type must have.
const NEEDED: &[(&str, &[&str])] = &[
    ("command", &["command"]),
    ("prompt", &["prompt"]),
    ("agent", &["prompt"]),
    ("http", &["url"]),
    ("mcp_tool", &["server", "tool"]),
];

/// What is wrong with the value, if anything is (case agents-hooks-forms).
pub(super) fn fault(hooks: &Value) -> Option<String> {
    match hooks {
        Value::Null => None,
        Value::Object(events) => events.iter().find_map(|(name, value)| {
            if !EVENTS.contains(&name.as_str()) || value.is_null() {
                return None;
            }
            let Some(matchers) = value.as_array() else {
                return Some(format!("{name} must be a list"));
            };
            let wrong = matchers.iter().find_map(matcher_fault)?;
            Some(format!("{name}: {wrong}"))
        }),
        _ => Some("it must be an object".to_owned()),
    }
}

fn matcher_fault(matcher: &Value) -> Option<String> {
    let Some(matcher) = matcher.as_object() else {
        return Some("each item must be an object".to_owned());
    };
    if matcher
        .get("matcher")
        .is_some_and(|value| !value.is_string())
    {
        return Some("matcher must be a text".to_owned());
    }
    match matcher.get("hooks").and_then(Value::as_array) {
        Some(hooks) => hooks.iter().find_map(hook_fault),
        None => Some("each item must have a list `hooks`".to_owned()),
    }
}

fn hook_fault(hook: &Value) -> Option<String> {
    let keys = hook.as_object();
    let kind = keys.and_then(|keys| keys.get("type")?.as_str());
    let needed = NEEDED.iter().find(|(name, _)| Some(*name) == kind);
    let (Some(keys), Some((kind, needed))) = (keys, needed) else {
        return Some("a hook must have a known `type`".to_owned());
    };
    let missing = |key: &&&str| !keys.get(**key).is_some_and(Value::is_string);
    if let Some(key) = needed.iter().find(missing) {
        return Some(format!("a hook of type {kind} must have a text `{key}`"));
    }
    if *kind == "http" && !keys.get("url").and_then(Value::as_str).is_some_and(is_url) {
        return Some("url must be a URL".to_owned());
    }
    option_fault(keys)
}

fn option_fault(keys: &Map<String, Value>) -> Option<String> {
    type Fits = fn(&Value) -> bool;
    let positive: Fits = |value| value.as_f64().is_some_and(|number| number > 0.0);
    let shell: Fits = |value| matches!(value.as_str(), Some("bash" | "powershell"));
    let options: [(&str, Fits, &str); 9] = [
        ("timeout", positive, "a number above 0"),
        ("async", Value::is_boolean, "true or false"),
        ("asyncRewake", Value::is_boolean, "true or false"),
        ("once", Value::is_boolean, "true or false"),
        ("statusMessage", Value::is_string, "a text"),
        ("if", Value::is_string, "a text"),
        ("model", Value::is_string, "a text"),
        ("headers", Value::is_object, "an object"),
        ("shell", shell, "bash or powershell"),
    ];
    let wrong = |(key, fits, _): &&(&str, Fits, &str)| keys.get(*key).is_some_and(|it| !fits(it));
    let (key, _, wanted) = options.iter().find(wrong)?;
    Some(format!("{key} must be {wanted}"))
}

/// A scheme and something behind it.
fn is_url(text: &str) -> bool {
    let scheme = text.split_once(':').map(|(scheme, rest)| {
        let letters = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
        let begins = scheme.starts_with(|c: char| c.is_ascii_alphabetic());
        begins && scheme.chars().all(letters) && !rest.is_empty()
    });
    scheme.unwrap_or(false)
}
