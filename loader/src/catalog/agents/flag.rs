//! `--agents`: what newer clients demand of each definition, and older ones pass over.

use serde_json::{Map, Value};

use super::definition::Definition;
use super::hooks;
use super::tools::AgentTools;
use crate::client::Behaviour;

/// The definitions of the flag.
///
/// # Errors
/// What is wrong with one of them, which costs all (fact 73).
pub(super) fn read(text: &str, behaviour: &Behaviour) -> Result<Vec<Definition>, String> {
    let value: Value =
        serde_json::from_str(text).map_err(|error| format!("it is no JSON ({error})"))?;
    let Value::Object(agents) = value else {
        return Err("it must be an object".to_owned());
    };
    let definition = |(name, value): (String, Value)| {
        let Value::Object(keys) = value else {
            return Err(format!("{name}: it must be an object"));
        };
        match fault(&keys, behaviour) {
            Some(fault) => Err(format!("{name}.{fault}")),
            None => Ok(of(name, keys)),
        }
    };
    agents.into_iter().map(definition).collect()
}

fn of(name: String, keys: Map<String, Value>) -> Definition {
    let text = |key: &str| {
        let text = keys.get(key).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    Definition {
        name,
        description: text("description"),
        tools: AgentTools::of(keys.get("tools"), keys.get("disallowedTools")),
        body: text("prompt"),
        keys,
        source: String::new(),
        yaml: 0..0,
    }
}

fn fault(keys: &Map<String, Value>, behaviour: &Behaviour) -> Option<String> {
    type Fits = fn(&Value) -> bool;
    let text: Fits = |value| value.as_str().is_some_and(|text| !text.is_empty());
    let texts: Fits = |value| {
        let items = value.as_array();
        items.is_some_and(|items| items.iter().all(Value::is_string))
    };
    let mode: Fits = |value| {
        value
            .as_str()
            .is_some_and(|mode| super::MODES.contains(&mode))
    };
    let memory: Fits = |value| matches!(value.as_str(), Some("user" | "project" | "local"));
    let isolation: Fits = |value| matches!(value.as_str(), Some("worktree" | "remote"));
    let turns: Fits = |value| value.as_u64().is_some_and(|turns| turns > 0);
    let effort: Fits = |value| value.is_number() || super::is_effort(value);
    let needed: [(&str, Fits, &str); 2] = [
        ("description", text, "a text that is not empty"),
        match behaviour.agents.flag_prompt_empty {
            true => ("prompt", Value::is_string, "a text"),
            false => ("prompt", text, "a text that is not empty"),
        },
    ];
    let optional: [(&str, Fits, &str); 11] = [
        ("tools", texts, "a list of texts"),
        ("disallowedTools", texts, "a list of texts"),
        ("skills", texts, "a list of texts"),
        ("model", text, "a text that is not empty"),
        ("permissionMode", mode, "a permission mode"),
        ("maxTurns", turns, "a whole number above 0"),
        ("memory", memory, "user, project or local"),
        ("isolation", isolation, "worktree or remote"),
        ("background", Value::is_boolean, "true or false"),
        ("mcpServers", Value::is_array, "a list"),
        ("initialPrompt", Value::is_string, "a text"),
    ];
    let of = |(key, _, wanted): &(&str, Fits, &str)| format!("{key} must be {wanted}");
    let missing = |(key, fits, _): &&(&str, Fits, &str)| !keys.get(*key).is_some_and(fits);
    if let Some(row) = needed.iter().find(missing) {
        return Some(of(row));
    }
    let wrong = |(key, fits, _): &&(&str, Fits, &str)| keys.get(*key).is_some_and(|it| !fits(it));
    if let Some(row) = optional.iter().find(wrong) {
        return Some(of(row));
    }
    if keys.get("effort").is_some_and(|it| !effort(it)) {
        return Some("effort is not known".to_owned());
    }
    let fault = keys.get("hooks").and_then(hooks::fault)?;
    Some(format!("hooks: {fault}"))
}
