//! One finding, with its evidence.

use serde::Serialize;

use super::rule::{Rule, Severity};

/// One thing that speaks against carrying a session on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// How much it matters.
    pub severity: Severity,
    /// The uuid of the record that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// Its line, from 1.
    pub line: u32,
    /// The turn in which it stands, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
    /// What the record shows, in a few words.
    pub reason: String,
    /// Some of its words, on one line, without control characters and anything like a key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<String>,
    /// How many records it stands for.
    pub count: usize,
    /// The place, among the records of the session, of the evidence.
    #[serde(skip)]
    pub(super) at: usize,
    /// The place of what led to it: the prompt or the result behind the last answer before it.
    #[serde(skip)]
    pub(super) trigger: usize,
}

/// The longest excerpt, in characters.
const EXCERPT: usize = 100;
/// A word of letters and digits that is this long, in characters, may be a key.
const KEY: usize = 20;

/// The beginning of a text as it can be shown: on one line, without control characters, marks of
/// direction, and words that may be keys or ids.
pub(super) fn excerpt(text: &str) -> Option<String> {
    let mut shown = String::new();
    let mut rest = EXCERPT;
    // What is far behind is not looked at.
    let near: String = text.chars().take(8 * EXCERPT).collect();
    for word in near.split(|c: char| c.is_whitespace() || c.is_control()) {
        let word: String = word.chars().filter(|c| !is_hidden(*c)).collect();
        if word.is_empty() {
            continue;
        }
        let word = if may_be_key(&word) { "[…]" } else { &word };
        if !shown.is_empty() {
            shown.push(' ');
            rest = rest.saturating_sub(1);
        }
        for c in word.chars() {
            if rest == 0 {
                shown.push('…');
                return Some(shown);
            }
            shown.push(c);
            rest -= 1;
        }
    }
    (!shown.is_empty()).then_some(shown)
}

/// Signs that are not seen, or turn the direction of others.
fn is_hidden(c: char) -> bool {
    matches!(
        c,
        '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
            | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}'
    )
}

/// Whether a word has a long run of letters and digits, both, as keys and ids have.
fn may_be_key(word: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '=');
    word.split(|c: char| !is_part(c)).any(|run| {
        run.len() >= KEY
            && run.bytes().any(|b| b.is_ascii_digit())
            && run.bytes().any(|b| b.is_ascii_alphabetic())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_can_be_shown() {
        assert_eq!(excerpt(" \n\u{1b}"), None);
        assert_eq!(
            excerpt("a\u{1b}[31m\nb\u{202E}c").unwrap(),
            "a [31m bc",
            "no control characters, no turned direction"
        );
        assert_eq!(
            excerpt("key=tok-a1b2c3d4e5f6a7b8c9d0e1 end").unwrap(),
            "[…] end"
        );
        let long = excerpt(&"很".repeat(300)).unwrap();
        assert_eq!(long.chars().count(), EXCERPT + 1);
        assert!(long.ends_with('…'));
    }
}
