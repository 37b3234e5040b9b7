//! The client's own events about instruction files, and the log of them (fact 9.1).

use serde::{Deserialize, Serialize};

/// One event: a file was loaded. A line of the log, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loaded {
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The session's id.
    pub session: String,
    /// The working directory of the session.
    #[serde(default)]
    pub cwd: String,
    /// The file.
    pub path: String,
    /// The owner, in the client's word: `Managed`, `User`, `Project`, `Local`.
    #[serde(default)]
    pub scope: String,
    /// Why, in the client's word: `session_start`, `include`, `nested_traversal`,
    /// `path_glob_match`.
    #[serde(default)]
    pub reason: String,
    /// The file whose reading brought it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<String>,
    /// The file that imports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The sub-agent that it was loaded for; none for the session itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// What [`file_hash`] gave for the file's bytes at the time, where it could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
}

/// Why a text is no such event.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotLoaded {
    /// It is no JSON object.
    #[error("the event is no JSON object: {0}")]
    NotJson(String),
    /// It is another event.
    #[error("the event is {0}, not InstructionsLoaded")]
    OtherEvent(String),
    /// A key is missing.
    #[error("the event has no {0}")]
    Lacks(&'static str),
}

/// What the client hands to a hook.
#[derive(Deserialize)]
struct Event {
    hook_event_name: Option<String>,
    session_id: Option<String>,
    cwd: Option<String>,
    file_path: Option<String>,
    memory_type: Option<String>,
    load_reason: Option<String>,
    trigger_file_path: Option<String>,
    parent_file_path: Option<String>,
    agent_id: Option<String>,
}

impl Loaded {
    /// Reads what the client hands to a hook; `at` is the time, in milliseconds since 1970.
    ///
    /// # Errors
    ///
    /// When it is no such event.
    pub fn of_event(json: &str, at: i64) -> Result<Self, NotLoaded> {
        let event: Event =
            serde_json::from_str(json).map_err(|error| NotLoaded::NotJson(error.to_string()))?;
        match event.hook_event_name {
            Some(name) if name == "InstructionsLoaded" => {}
            Some(name) => return Err(NotLoaded::OtherEvent(name)),
            None => return Err(NotLoaded::Lacks("hook_event_name")),
        }
        Ok(Self {
            at,
            session: event.session_id.ok_or(NotLoaded::Lacks("session_id"))?,
            cwd: event.cwd.unwrap_or_default(),
            path: event.file_path.ok_or(NotLoaded::Lacks("file_path"))?,
            scope: event.memory_type.unwrap_or_default(),
            reason: event.load_reason.unwrap_or_default(),
            read: event.trigger_file_path,
            by: event.parent_file_path,
            agent: event.agent_id,
            hash: None,
        })
    }

    /// A line of the log, with its end.
    #[must_use]
    pub fn line(&self) -> String {
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }
}

/// The hash by which a file is told from its earlier versions: the first 16 bytes of BLAKE3, in
/// hexadecimal digits.
#[must_use]
pub fn file_hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..32].to_owned()
}

/// The events of a log, and the numbers of lines that hold none, from 1.
#[must_use]
pub fn read_log(text: &str) -> (Vec<Loaded>, Vec<usize>) {
    let (mut events, mut broken) = (Vec::new(), Vec::new());
    for (number, line) in text.lines().enumerate() {
        match serde_json::from_str(line) {
            Ok(event) => events.push(event),
            Err(_) if line.trim().is_empty() => {}
            Err(_) => broken.push(number + 1),
        }
    }
    (events, broken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_become_lines_and_lines_events() {
        let event = r#"{"hook_event_name":"InstructionsLoaded","session_id":"s","transcript_path":"/t",
            "cwd":"/w","file_path":"/w/sub/CLAUDE.md","memory_type":"Project",
            "load_reason":"nested_traversal","trigger_file_path":"/w/sub/x","globs":["a"]}"#;
        let mut loaded = Loaded::of_event(event, 7).unwrap();
        loaded.hash = Some(file_hash(b"M_1"));
        let log = format!("{}half a li\n\n{}", loaded.line(), loaded.line());
        let (events, broken) = read_log(&log);
        assert_eq!(events, [loaded.clone(), loaded.clone()]);
        assert_eq!(broken, [2]);
        assert_eq!(loaded.read.as_deref(), Some("/w/sub/x"));
        assert_eq!(loaded.by, None);
    }

    #[test]
    fn what_is_no_event_says_why() {
        let why = |json: &str| Loaded::of_event(json, 0).unwrap_err().to_string();
        assert!(why("[").contains("no JSON object"));
        assert!(why(r#"{"hook_event_name":"Stop"}"#).contains("Stop"));
        assert!(why(r#"{"hook_event_name":"InstructionsLoaded"}"#).contains("session_id"));
        assert!(why("{}").contains("hook_event_name"));
    }
}
