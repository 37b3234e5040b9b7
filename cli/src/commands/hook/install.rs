//! What belongs into the client's settings.

use anyhow::Result;
use serde_json::{Map, Value, json};

use crate::args::hook::{Event, Install};
use crate::commands::DONE;
use crate::render::Output;

/// When the client ends a hook that hangs, in seconds: later than each ends by itself.
const TIMEOUT: u32 = 5;
/// The events with their names on both sides, and the sources that a start is heard from.
const EVENTS: [(Event, &str, &str, Option<&str>); 4] = [
    (
        Event::InstructionsLoaded,
        "InstructionsLoaded",
        "instructions-loaded",
        None,
    ),
    (
        Event::SessionStart,
        "SessionStart",
        "session-start",
        Some("startup|resume|clear|compact|fork"),
    ),
    (Event::Prompt, "UserPromptSubmit", "prompt", None),
    (Event::Stop, "Stop", "stop", None),
];

pub(super) fn run(args: &Install, output: &mut Output) -> Result<u8> {
    let mut hooks = Map::new();
    for (event, name, command, matcher) in EVENTS {
        if !args.only.is_empty() && !args.only.contains(&event) {
            continue;
        }
        let command = format!("{} hook {command}", quoted(&args.program));
        let mut group = Map::new();
        if let Some(matcher) = matcher {
            group.insert("matcher".to_owned(), json!(matcher));
        }
        let hook = json!([{ "type": "command", "command": command, "timeout": TIMEOUT }]);
        group.insert("hooks".to_owned(), hook);
        hooks.insert(name.to_owned(), json!([group]));
    }
    let settings: Value = json!({ "hooks": hooks });
    output.json(&settings)?;
    Ok(DONE)
}

/// A word as a shell takes it for one.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+~@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_for_a_shell() {
        for (word, want) in [
            ("outcrop", "outcrop"),
            ("~/bin/outcrop", "~/bin/outcrop"),
            ("/opt/my tools/outcrop", "'/opt/my tools/outcrop'"),
            ("it's", r"'it'\''s'"),
            ("a;b", "'a;b'"),
        ] {
            assert_eq!(quoted(word), want);
        }
    }
}
