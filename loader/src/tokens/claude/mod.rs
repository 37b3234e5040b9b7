//! Counts of the Claude families, as the package ctok reconstructs them (facts T2 to T4).
//!
//! ```text
//! text ─▶ normal ─▶ runs ─▶ marks (word ends, capitals, absorbed spaces) ─▶ tiling ─▶ count
//! ```
//!
//! A text is normalised ([`normal`]), cut into runs of one class of character ([`runs`]) and
//! written with marks where words begin and end ([`marks`], [`case`]). The count is the number of
//! pieces of the vocabulary that tile it at least cost ([`tiling`]). No piece reaches across the
//! end of a word, so that each part of a text between two such ends is tiled by itself.
//!
//! The rules and the vocabularies are those of ctok by Sander Land (MIT licence); see
//! `loader/vocabulary/README.md`.

mod case;
mod characters;
mod marks;
mod normal;
mod runs;
mod tiling;

use marks::Marker;
use tiling::Tiler;

/// What tells the families apart (fact T3).
#[derive(Clone, Copy, Debug)]
pub(super) struct Traits {
    /// What one message costs beyond its content.
    pub(super) frame: u32,
    /// The message's frame ends as if a word began, which absorbs a space.
    pub(super) frame_begins_word: bool,
    fold_quotes: bool,
    knows_caps: bool,
    vocabulary: tiling::Vocabulary,
}

pub(super) const V3: Traits = Traits {
    frame: 7,
    frame_begins_word: true,
    fold_quotes: true,
    knows_caps: true,
    vocabulary: tiling::V3,
};
pub(super) const V4_7: Traits = Traits {
    frame: 11,
    frame_begins_word: true,
    fold_quotes: false,
    knows_caps: false,
    vocabulary: tiling::V4,
};
pub(super) const V4_8: Traits = Traits {
    frame: 6,
    frame_begins_word: false,
    ..V4_7
};

/// Counts texts of one family.
#[derive(Clone, Debug)]
pub(super) struct Claude {
    traits: Traits,
    marker: Marker,
}

impl Claude {
    pub(super) fn new(traits: Traits) -> Self {
        Self {
            traits,
            marker: Marker::new(Tiler::new(traits.vocabulary), traits.knows_caps),
        }
    }

    /// The tokens of a text that is the content of a message, the frame left out.
    pub(super) fn content(&mut self, text: &str) -> u32 {
        let normal = normal::normal(text, self.traits.fold_quotes);
        let body = normal.trim_end_matches('\n');
        let tail = self.tail(normal.len() - body.len());
        let begins_word = self.traits.frame_begins_word;
        // A space that the normal form made is none that the frame absorbs.
        let absorbed = begins_word && text.starts_with(' ');
        let body = match body.strip_prefix(' ') {
            Some(rest) if absorbed && !rest.starts_with(' ') => rest,
            _ => body,
        };
        self.marker.cost(body, begins_word) + tail
    }

    /// The tokens of a text that stands within a message, between other texts.
    pub(super) fn part(&mut self, text: &str) -> u32 {
        let normal = normal::normal(text, self.traits.fold_quotes);
        self.marker.cost(&normal, false)
    }

    /// What `count` line feeds at the end cost: the frame adds two more, and pays for one piece.
    fn tail(&mut self, count: usize) -> u32 {
        match count {
            0 => 0,
            count => self.marker.tiler.cost("\n".repeat(count + 2).as_bytes()) - 1,
        }
    }
}
