//! What an error of the service is about, by the record that the client wrote of it.

/// What the service said no to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ErrorKind {
    /// What the request is about.
    Policy,
    /// Thoughts that are not as it gave them.
    Thinking,
    /// Calls and results that do not belong together.
    Pairing,
    /// How long the request is.
    Length,
}

/// Words of each kind, in lower case: all of one group must be there.
const WORDS: &[(ErrorKind, &[&str])] = &[
    (ErrorKind::Policy, &["usage polic"]),
    (ErrorKind::Policy, &["acceptable use"]),
    (ErrorKind::Policy, &["legal/aup"]),
    (ErrorKind::Policy, &["content filtering policy"]),
    (ErrorKind::Policy, &["violat", "policy"]),
    (ErrorKind::Policy, &["violat", "terms of service"]),
    (ErrorKind::Policy, &["safeguards", "flagged"]),
    (ErrorKind::Thinking, &["thinking", "cannot be modified"]),
    (ErrorKind::Thinking, &["thinking", "signature"]),
    (ErrorKind::Thinking, &["thinking", "first block must be"]),
    (ErrorKind::Thinking, &["expected `thinking`"]),
    (ErrorKind::Pairing, &["tool_use", "tool_result"]),
    (ErrorKind::Pairing, &["tool_use_id"]),
    (ErrorKind::Pairing, &["`tool_use` ids"]),
    (ErrorKind::Length, &["prompt is too long"]),
    (ErrorKind::Length, &["input is too long"]),
    (ErrorKind::Length, &["exceed", "context"]),
];

/// The kind of an error; none where it says nothing about the conversation, such as a limit on
/// rates.
pub(super) fn kind(text: &str) -> Option<ErrorKind> {
    let text = text.to_lowercase();
    let holds = |words: &[&str]| words.iter().all(|word| text.contains(word));
    let found = WORDS.iter().find(|(_, words)| holds(words));
    found.map(|(kind, _)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_by_what_they_are_about() {
        for (text, want) in [
            (
                "API Error: this request appears to violate our Usage Policy.",
                Some(ErrorKind::Policy),
            ),
            (
                "API Error: 400 output blocked by content filtering policy",
                Some(ErrorKind::Policy),
            ),
            (
                "API Error: 400 messages.9: `tool_use` ids without `tool_result` blocks: toolu_1",
                Some(ErrorKind::Pairing),
            ),
            (
                "API Error: 400 messages.1.content.0: Invalid `signature` in `thinking` block",
                Some(ErrorKind::Thinking),
            ),
            ("Prompt is too long", Some(ErrorKind::Length)),
            ("API Error: 529 Overloaded", None),
            ("API Error: 429 rate limit of your organization", None),
            ("Please run /login", None),
        ] {
            assert_eq!(kind(text), want, "{text}");
        }
    }
}
