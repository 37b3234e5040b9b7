//! The client's own tags in a text that a read loads (versions.md 51).
//!
//! From 2.1.307 such a text stands between tags of the client, and a tag of the client's own
//! inside it is written with a backslash behind `<`. The names below were each observed; others
//! may exist.

use crate::document::SourceMap;
use crate::javascript::is_space;

/// Names that are escaped; `-` and `_` are the same, letter case does not count.
const NAMES: &[&str] = &[
    "agent-message",
    "bash-input",
    "bash-stderr",
    "bash-stdout",
    "command-args",
    "command-message",
    "command-name",
    "cross-session-message",
    "function-results",
    "local-command-caveat",
    "local-command-stderr",
    "local-command-stdout",
    "persisted-output",
    "remote-review",
    "system-reminder",
    "task-notification",
    "teammate-message",
    "tick",
    "tool-use-error",
    "total-tokens",
    "user-prompt-submit-hook",
];

/// The tag of the client's reminders.
const REMINDER: &str = "system-reminder";
/// A prefix that is escaped whatever follows.
const PREFIX: &str = "antml:";

/// The text with the client's own tags escaped, and its map.
pub(super) fn escape(text: String, map: SourceMap) -> (String, SourceMap) {
    let places: Vec<usize> = memchr::memchr_iter(b'<', text.as_bytes())
        .map(|at| at + 1)
        .filter(|at| is_own_tag(&text[*at..]))
        .collect();
    if places.is_empty() {
        return (text, map);
    }
    let mut escaped = String::with_capacity(text.len() + places.len());
    let mut from = 0;
    for place in &places {
        escaped.push_str(&text[from..*place]);
        escaped.push('\\');
        from = *place;
    }
    escaped.push_str(&text[from..]);
    (escaped, map.with_insertions(&places))
}

/// The text with the tag of the client's reminders as `&lt;`, which its hooks do with what they
/// add, and its map.
pub(super) fn as_entities(text: String, map: SourceMap) -> (String, SourceMap) {
    let is_tag = |rest: &str| {
        let rest = rest.trim_start_matches(|c| c == '/' || is_space(c));
        let start = rest.get(..REMINDER.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(REMINDER))
    };
    let mut escaped = String::with_capacity(text.len());
    let mut places = Vec::new();
    for (at, letter) in text.char_indices() {
        match letter {
            '<' if is_tag(&text[at + 1..]) => {
                escaped.push_str("&lt;");
                // Three bytes come in behind what stands for the `<`.
                places.extend([at + 1; 3]);
            }
            _ => escaped.push(letter),
        }
    }
    if places.is_empty() {
        return (text, map);
    }
    (escaped, map.with_insertions(&places))
}

fn is_own_tag(rest: &str) -> bool {
    let rest = rest.trim_start_matches(|c| c == '/' || is_space(c));
    let starts = |name: &str| {
        rest.get(..name.len()).is_some_and(|start| {
            let same = |(a, b): (u8, u8)| a.to_ascii_lowercase() == b || (a == b'_' && b == b'-');
            start.bytes().zip(name.bytes()).all(same)
        })
    };
    let ends = |name: &&str| {
        let next = rest[name.len()..].chars().next();
        !next.is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
    };
    starts(PREFIX) || NAMES.iter().any(|name| starts(name) && ends(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str) -> String {
        escape(text.to_owned(), SourceMap::identity(0)).0
    }

    #[test]
    fn own_tags_in_every_observed_form() {
        assert_eq!(
            escaped("a <system-reminder> </SYSTEM_reminder x> < / tick <antml:x> <<total_tokens"),
            "a <\\system-reminder> <\\/SYSTEM_reminder x> <\\ / tick <\\antml:x> <<\\total_tokens"
        );
    }

    #[test]
    fn other_tags_stay() {
        let text = "<system-reminders> <system-reminder-x> <example> &lt;tick> <ticks> <";
        assert_eq!(escaped(text), text);
    }

    #[test]
    fn lines_stay_right() {
        let source = "a\n<tick>\nb\n";
        let (text, map) = escape(source.to_owned(), SourceMap::identity(0));
        assert_eq!(map.lines(&text, source), [1, 2, 3]);
        assert_eq!(
            map.source_offset(text.find('b').unwrap()),
            source.find('b').unwrap()
        );
    }
}
