//! The client's own estimate of what the service has not counted yet.
//!
//! Every block is measured in UTF-16 units and rounded by itself; the frame of a message costs
//! nothing, and neither does a record of type `system`, though local commands are sent. Numbers
//! that a transcript keeps (`preTokens`, `postTokens`) take 4 units for a token with every model;
//! trigger and block limit take 3 with newer models (facts C4.5, C4.6;
//! docs/facts-sessions.md 224 to 229).

use outcrop_loader::client::Counting;
use outcrop_loader::request::ModelFacts;

/// What an image counts whatever its size, and a document that is not text. It does not depend
/// on the model.
pub const PICTURE_TOKENS: u64 = 2_000;

/// The units of the client's tags around an attachment, line ends included. The estimate has
/// them also where the text goes into a system message, which is sent without them.
pub const REMINDER_UNITS: u64 = 37;

/// Types of attachments that the client adds to a new prompt after it looked at the trigger, so
/// that they count from the next request on. The block limit counts them at once. Client 2.1.332.
pub const ADDED_AFTER_TRIGGER: [&str; 4] = [
    "instructions",
    "session_context",
    "date",
    "remote_session_change",
];

/// A block of a message or of a tool's result, or a piece of an attachment, by its size in
/// UTF-16 units. JSON is measured in its shortest form: see [`json_units`](super::json_units).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A text: of user, assistant, a tool's result, or one piece of an attachment with
    /// [the tags around it](REMINDER_UNITS).
    Text(u64),
    /// What was thought; its signature counts nothing.
    Thinking(u64),
    /// The data of thinking that is not shown.
    Redacted(u64),
    /// A tool call: its name, and its input as JSON.
    ToolUse {
        /// Of the name.
        name: u64,
        /// Of the input.
        input: u64,
    },
    /// An image, in a message or in a tool's result.
    Image,
    /// A document that is given by its data or its address.
    Document,
    /// A document that is given as text: that text alone.
    DocumentText(u64),
    /// Any other block, as JSON.
    Other(u64),
}

/// How a client estimates tokens from sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    units_per_token: u64,
    measures_document_texts: bool,
}

impl Estimate {
    /// By which trigger and block limit are told.
    #[must_use]
    pub fn for_limits(model: &ModelFacts, counting: &Counting) -> Self {
        Self {
            units_per_token: u64::from(model.listing_characters_per_token),
            measures_document_texts: counting.measures_document_texts,
        }
    }

    /// By which the transcript's `preTokens` and `postTokens` are told.
    #[must_use]
    pub fn for_records(counting: &Counting) -> Self {
        Self {
            units_per_token: 4,
            measures_document_texts: counting.measures_document_texts,
        }
    }

    /// The tokens of one block.
    #[must_use]
    pub fn part(self, part: Part) -> u64 {
        let units = match part {
            Part::Text(units)
            | Part::Thinking(units)
            | Part::Redacted(units)
            | Part::Other(units) => units,
            Part::ToolUse { name, input } => name.saturating_add(input),
            Part::DocumentText(units) if self.measures_document_texts => units,
            Part::Image | Part::Document | Part::DocumentText(_) => return PICTURE_TOKENS,
        };
        rounded(units, self.units_per_token)
    }

    /// The tokens of some blocks.
    pub fn sum(self, parts: impl IntoIterator<Item = Part>) -> u64 {
        let tokens = parts.into_iter().map(|part| self.part(part));
        tokens.fold(0, u64::saturating_add)
    }
}

/// A quotient rounded to the nearest whole number, halves upwards.
fn rounded(units: u64, per_token: u64) -> u64 {
    let (whole, rest) = (units / per_token, units % per_token);
    whole + u64::from(rest * 2 >= per_token)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outcrop_loader::client::Client;

    fn records(client: &str) -> Estimate {
        let client = Client::of(client.parse().unwrap()).unwrap();
        Estimate::for_records(&client.behaviour.counting)
    }

    fn limits(client: &str, model: &str) -> Estimate {
        let client = Client::of(client.parse().unwrap()).unwrap();
        let model = ModelFacts::of(&client.behaviour, model, false);
        Estimate::for_limits(&model, &client.behaviour.counting)
    }

    /// `preTokens` less that of the same transcript without the blocks, in both clients.
    #[test]
    fn each_block_is_rounded_by_itself() {
        let text = Part::Text;
        let call = |name, input| Part::ToolUse { name, input };
        for client in ["2.1.332", "2.1.197"] {
            let estimate = records(client);
            for (parts, tokens) in [
                (&[text(1)][..], 0),
                (&[text(2)], 1),
                (&[text(5)], 1),
                (&[text(6)], 2),
                (&[text(2), text(2)], 2),
                (&[text(1), text(1), text(1), text(1)], 0),
                (&[text(4000), text(4000)], 2000),
                (&[call(4, 2), text(0)], 2),
                (&[call(41, 2), text(0)], 11),
                (&[call(4, 408), text(0)], 103),
                (&[call(4, 808), text(0)], 203),
                (&[Part::Image, Part::Image], 4000),
                (&[text(400), Part::Image], 2100),
                (&[Part::Document], 2000),
                (&[Part::Thinking(400)], 100),
                (&[Part::Redacted(400)], 100),
                (&[Part::Other(485), Part::Other(73)], 139),
            ] {
                assert_eq!(estimate.sum(parts.iter().copied()), tokens, "{parts:?}");
            }
        }
        assert_eq!(records("2.1.332").part(Part::DocumentText(4000)), 1000);
        assert_eq!(records("2.1.197").part(Part::DocumentText(4000)), 2000);
    }

    /// How much lower than 67,000 the last usage must be to miss that trigger.
    #[test]
    fn newer_models_reach_a_limit_at_three_units_a_token() {
        let hundred_small = || std::iter::repeat_n(Part::Text(2), 100);
        for (client, model) in [
            ("2.1.332", "claude-opus-5-5"),
            ("2.1.197", "claude-sonnet-5"),
        ] {
            let estimate = limits(client, model);
            assert_eq!(estimate.sum(hundred_small()), 100);
            let prompts = [4, 8, 12].map(|units| estimate.part(Part::Text(units)));
            assert_eq!(prompts, [1, 3, 4]);
            assert_eq!(estimate.part(Part::Image), 2000);
            assert_eq!(estimate.part(Part::Thinking(400)), 133);
            assert_eq!(
                estimate.part(Part::ToolUse {
                    name: 4,
                    input: 408
                }),
                137
            );
        }
        // What the start announces to a resumed session, by attachment.
        let pieces = [810, 161, 404, 1673, 6312].map(Part::Text);
        let sum = |client, model| limits(client, model).sum(pieces);
        assert_eq!(sum("2.1.332", "claude-opus-5-5"), 3121);
        assert_eq!(
            limits("2.1.332", "claude-sonnet-4-6").part(Part::Text(6312)),
            1578
        );
    }
}
