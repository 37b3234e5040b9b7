//! The tokens of blocks.

use outcrop_loader::javascript;
use outcrop_loader::tokens::{Counter, Family};

use crate::conversation::Block;
use crate::transcript::record::{self, Content};
use crate::window::{Estimate, Part, block_parts};

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

/// The client's own estimate (facts C4.5, C4.6).
impl Sizer for Estimate {
    fn text(&mut self, text: &str) -> u64 {
        self.part(Part::Text(units(text)))
    }

    fn image(&mut self, _: &record::Image) -> u64 {
        self.part(Part::Image)
    }

    fn block(&mut self, block: &Block) -> u64 {
        match block {
            Block::Read(block) => self.sum(block_parts(block)),
            Block::Framed { text, frame } => self.part(Part::Text(units(text) + u64::from(*frame))),
            Block::Client(_) | Block::ClientResult(..) => 0,
        }
    }
}

/// UTF-16 units of a text, in which the client counts.
pub(crate) fn units(text: &str) -> u64 {
    javascript::len(text) as u64
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
