//! What the recorder answers, turn by turn.

use outcrop_loader::session::ToolCall;

/// The answer to one turn.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A text, which ends the session's turn.
    Text(String),
    /// Tool calls of one message; their results come with the next turn.
    Calls(Vec<ToolCall>),
}

impl Answer {
    /// What is answered when a script is at its end.
    #[must_use]
    pub fn done() -> Self {
        Self::Text("ok".to_owned())
    }
}

/// The answers to the turns of a session, in order. Behind the last, each turn is answered with
/// a short text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    answers: Vec<Answer>,
}

impl Script {
    /// One tool call a turn, so that what each brings is told apart (fact 5.22).
    #[must_use]
    pub fn of_calls(calls: impl IntoIterator<Item = ToolCall>) -> Self {
        let answers = calls.into_iter().map(|call| Answer::Calls(vec![call]));
        Self {
            answers: answers.collect(),
        }
    }

    /// The answers.
    #[must_use]
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }
}
