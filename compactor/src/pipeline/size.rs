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
            Block::Framed { text, frame } => self.text(text) + u64::from(*frame) / 4,
            Block::Client(_) | Block::ClientResult(..) => 0,
        }
    }
}

impl<S: Sizer + ?Sized> Sizer for Box<S> {
    fn text(&mut self, text: &str) -> u64 {
        (**self).text(text)
    }

    fn image(&mut self, image: &record::Image) -> u64 {
        (**self).image(image)
    }

    fn block(&mut self, block: &Block) -> u64 {
        (**self).block(block)
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

/// The client's own estimate (fact C4.5): each block by itself, four UTF-16 units a token, three
/// with newer models (fact C4.6), rounded to the nearest number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientEstimate {
    units_per_token: u64,
}

/// What the client takes for a picture or a document, whatever its size.
const CLIENT_PICTURE: u64 = 2_000;

impl Default for ClientEstimate {
    /// Four units a token.
    fn default() -> Self {
        Self { units_per_token: 4 }
    }
}

impl ClientEstimate {
    /// The estimate that is measured by the trigger with the models of fact C4.6.
    #[must_use]
    pub fn newer() -> Self {
        Self { units_per_token: 3 }
    }

    fn rounded(self, units: u64) -> u64 {
        let (whole, rest) = (units / self.units_per_token, units % self.units_per_token);
        whole + u64::from(rest * 2 >= self.units_per_token)
    }
}

impl Sizer for ClientEstimate {
    fn text(&mut self, text: &str) -> u64 {
        self.rounded(units(text))
    }

    fn image(&mut self, _: &record::Image) -> u64 {
        CLIENT_PICTURE
    }

    fn block(&mut self, block: &Block) -> u64 {
        match block {
            Block::Read(record::Block::ToolUse { name, input, .. }) => {
                self.rounded(units(name) + units(input.get()))
            }
            Block::Read(record::Block::Other { kind, .. }) if kind == "document" => CLIENT_PICTURE,
            Block::Read(block) => read(self, block),
            Block::Framed { text, frame } => self.rounded(units(text) + u64::from(*frame)),
            Block::Client(_) | Block::ClientResult(..) => 0,
        }
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

/// What a picture costs that is as large as the service takes it without scaling it down, in
/// tokens: assumed, as no fact tells it.
pub const IMAGE: u64 = 1_500;

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
    fn each_block_is_rounded_by_itself() {
        let mut plain = ClientEstimate::default();
        let mut newer = ClientEstimate::newer();
        let of = |sizer: &mut ClientEstimate| {
            [0, 1, 2, 4, 5, 6, 8, 12, 4_000].map(|units| sizer.text(&"x".repeat(units)))
        };
        assert_eq!(of(&mut plain), [0, 0, 1, 1, 1, 2, 2, 3, 1_000]);
        assert_eq!(of(&mut newer), [0, 0, 1, 1, 2, 2, 3, 4, 1_333]);
    }

    #[test]
    fn units_are_those_of_utf_16() {
        for text in ["", "a", "é", "中文", "a😀b", "\u{FFFF}\u{10000}"] {
            assert_eq!(units(text), text.encode_utf16().count() as u64, "{text}");
        }
    }
}
