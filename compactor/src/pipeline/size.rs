//! The tokens of blocks.

use outcrop_loader::tokens::{Counter, Family};

use crate::conversation::Block;
use crate::transcript::record::{self, Content};

/// Tells the tokens of a block. A context asks once for each block, and again only for one that
/// a stage changed.
pub trait Sizer {
    /// The tokens of a text.
    fn text(&mut self, text: &str) -> u64;

    /// The tokens of a picture.
    fn image(&mut self, image: &record::Image) -> u64;

    /// The tokens of a block. Texts that only the client words count nothing here: their words are
    /// not known, and a recorded usage holds them.
    fn block(&mut self, block: &Block) -> u64 {
        match block {
            Block::Read(block) => read(self, block),
            Block::Client(_) => 0,
        }
    }
}

fn read<S: Sizer + ?Sized>(sizer: &mut S, block: &record::Block) -> u64 {
    match block {
        record::Block::Text(text) | record::Block::Thinking { text, .. } => sizer.text(text),
        record::Block::ToolUse { name, input, .. } => sizer.text(name) + sizer.text(input.get()),
        record::Block::ToolResult { content, .. } => match content {
            Content::Missing => 0,
            Content::Text(text) => sizer.text(text),
            Content::Blocks(blocks) => blocks.iter().map(|block| read(sizer, block)).sum(),
        },
        record::Block::Image(image) => sizer.image(image),
        record::Block::Other { raw, .. } => sizer.text(raw.get()),
    }
}

/// What a picture of the largest size that is not scaled down costs, in tokens. Assumed: no
/// fact tells what the client counts for one (C9).
pub const IMAGE: u64 = 1_500;

/// The client's own estimate (fact C4.5): a token for four UTF-16 units, for some models 4/3 of
/// that (fact C4.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientEstimate {
    /// Units that make three tokens: 12, or 9 for the models of fact C4.6.
    units_for_three: u64,
}

impl Default for ClientEstimate {
    fn default() -> Self {
        Self {
            units_for_three: 12,
        }
    }
}

impl ClientEstimate {
    /// The estimate of the models for which the client takes 4/3 (fact C4.6).
    #[must_use]
    pub fn scaled() -> Self {
        Self { units_for_three: 9 }
    }
}

impl Sizer for ClientEstimate {
    fn text(&mut self, text: &str) -> u64 {
        (units(text) * 3).div_ceil(self.units_for_three)
    }

    fn image(&mut self, _: &record::Image) -> u64 {
        IMAGE
    }
}

/// UTF-16 units of a text, in which the client counts.
pub(crate) fn units(text: &str) -> u64 {
    // Of each character its first byte; those beyond U+FFFF have two units.
    let units = text.bytes().map(|byte| match byte {
        0x80..=0xBF => 0,
        0xF0.. => 2,
        _ => 1,
    });
    units.sum()
}

/// Counts by a tokenizer.
#[derive(Debug, Clone)]
pub struct Counted(Counter);

impl Counted {
    /// By the tokenizer of a family.
    #[must_use]
    pub fn of(family: Family) -> Self {
        Self(Counter::new(family))
    }
}

impl Sizer for Counted {
    fn text(&mut self, text: &str) -> u64 {
        if text.is_empty() {
            return 0;
        }
        self.0.part(text).count
    }

    fn image(&mut self, _: &record::Image) -> u64 {
        IMAGE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_units_are_a_token_and_for_some_models_three() {
        let mut plain = ClientEstimate::default();
        let mut scaled = ClientEstimate::scaled();
        assert_eq!(plain.text(&"x".repeat(4_000)), 1_000);
        assert_eq!(scaled.text(&"x".repeat(4_000)), 1_334);
        assert_eq!(plain.text(""), 0);
    }

    #[test]
    fn units_are_those_of_utf_16() {
        for text in ["", "a", "é", "中文", "a😀b", "\u{FFFF}\u{10000}"] {
            assert_eq!(units(text), text.encode_utf16().count() as u64, "{text}");
        }
    }
}
