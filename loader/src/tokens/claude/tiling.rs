//! The cheapest tiling of a marked text by the pieces of a vocabulary.

/// Begins a word; a control character, as those never reach the tokenizer.
pub(super) const BEGIN: u8 = 1;
/// Ends a word.
pub(super) const END: u8 = 2;
/// The next word begins with a capital.
pub(super) const SHIFT: u8 = 3;
/// The next word is all capitals.
pub(super) const CAPS: u8 = 4;

/// A vocabulary: a double array of 32-bit cells, written by `vocabulary/generate.py`. The child
/// of a node at `base` under byte `b` is the cell `base ^ b`; a cell is its own base, whether a
/// piece ends there, and `b` again. It is used in place: nothing is loaded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vocabulary {
    cells: &'static [u8],
}

/// A cell of the array.
#[derive(Clone, Copy)]
struct Cell(u32);

impl Cell {
    fn base(self) -> usize {
        (self.0 >> 9) as usize
    }

    fn ends(self) -> bool {
        self.0 & 0x100 != 0
    }

    fn is_under(self, byte: u8) -> bool {
        self.0 as u8 == byte
    }
}

/// Claude 3 to Opus 4.6.
pub(super) const V3: Vocabulary = Vocabulary {
    cells: include_bytes!("../../../vocabulary/v3.trie"),
};
/// Opus 4.7 and later.
pub(super) const V4: Vocabulary = Vocabulary {
    cells: include_bytes!("../../../vocabulary/v4.trie"),
};

impl Vocabulary {
    const PIECES: usize = 0;
    /// Parts of characters.
    const BYTES: usize = 1;

    fn cell(self, at: usize) -> Cell {
        let cell = self.cells.get(4 * at..4 * at + 4);
        let cell = cell.and_then(|cell| cell.try_into().ok());
        Cell(cell.map_or(0, u32::from_le_bytes))
    }

    /// What a character costs of which there is no piece: its bytes, some of them together.
    fn bytes_cost(self, bytes: &[u8]) -> u32 {
        let root = self.cell(Self::BYTES).base();
        let mut best = [u32::MAX; 5];
        best[0] = 0;
        for start in 0..bytes.len().min(4) {
            let cost = best[start] + 1;
            best[start + 1] = best[start + 1].min(cost);
            let mut base = root;
            for end in start..bytes.len().min(4) {
                let cell = self.cell(base ^ bytes[end] as usize);
                if !cell.is_under(bytes[end]) {
                    break;
                }
                if cell.ends() {
                    best[end + 1] = best[end + 1].min(cost);
                }
                base = cell.base();
                if base == 0 {
                    break;
                }
            }
        }
        best[bytes.len().min(4)]
    }
}

/// Tiles texts with one vocabulary.
#[derive(Clone, Debug)]
pub(super) struct Tiler {
    vocabulary: Vocabulary,
    root: usize,
    /// The least cost up to a position, by its last bits: no piece is longer than half of it.
    /// All are unset between texts.
    best: [u32; WINDOW],
}

const WINDOW: usize = 256;
const UNSET: u32 = u32::MAX;

impl Tiler {
    pub(super) fn new(vocabulary: Vocabulary) -> Self {
        Self {
            vocabulary,
            root: vocabulary.cell(Vocabulary::PIECES).base(),
            best: [UNSET; WINDOW],
        }
    }

    /// The number of pieces in the cheapest tiling of a marked text in UTF-8. Takes time in
    /// proportion to the length.
    pub(super) fn cost(&mut self, text: &[u8]) -> u32 {
        self.best[0] = 0;
        let mut at = 0;
        while at < text.len() {
            let here = std::mem::replace(&mut self.best[at % WINDOW], UNSET);
            self.walk(text, at, here + 1);
            let end = (at + width(text[at])).min(text.len());
            let single = &mut self.best[end % WINDOW];
            if *single > here + 1 {
                let cost = match &text[at..end] {
                    [_] => 1,
                    bytes => self.vocabulary.bytes_cost(bytes),
                };
                *single = (*single).min(here + cost);
            }
            at = end;
        }
        std::mem::replace(&mut self.best[at % WINDOW], UNSET)
    }

    /// Notes the cost of each position to which a piece leads from `at`.
    fn walk(&mut self, text: &[u8], at: usize, cost: u32) {
        let mut base = self.root;
        for (index, byte) in text[at..].iter().enumerate() {
            let cell = self.vocabulary.cell(base ^ *byte as usize);
            if !cell.is_under(*byte) {
                return;
            }
            if cell.ends() {
                let best = &mut self.best[(at + index + 1) % WINDOW];
                *best = (*best).min(cost);
            }
            base = cell.base();
            if base == 0 {
                return;
            }
        }
    }
}

/// The length of a character by its first byte.
fn width(first: u8) -> usize {
    match first {
        0..=0xBF => 1,
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Vocabulary {
        fn holds(self, piece: &[u8]) -> bool {
            let mut cell = self.cell(Self::PIECES);
            for byte in piece {
                let base = cell.base();
                cell = self.cell(base ^ *byte as usize);
                if base == 0 || !cell.is_under(*byte) {
                    return false;
                }
            }
            cell.ends()
        }
    }

    /// The same by trying each piece at each place.
    fn slowly(vocabulary: Vocabulary, text: &str) -> u32 {
        let bytes = text.as_bytes();
        let mut best = vec![UNSET; bytes.len() + 1];
        best[0] = 0;
        for (start, c) in text.char_indices() {
            for end in start + 1..=bytes.len() {
                if vocabulary.holds(&bytes[start..end]) {
                    best[end] = best[end].min(best[start] + 1);
                }
            }
            let end = start + c.len_utf8();
            let alone = if c.is_ascii() {
                1
            } else {
                vocabulary.bytes_cost(&bytes[start..end])
            };
            best[end] = best[end].min(best[start] + alone);
        }
        best[bytes.len()]
    }

    #[test]
    fn the_tiling_is_the_cheapest() {
        let parts = [
            "\u{1}the\u{2}",
            "\u{3}\u{1}un",
            "order\u{2}",
            "ing",
            "123",
            "45",
            "==",
            "();",
            "\n\n\n",
            "  ",
            "日本",
            "語",
            "é",
            "😀",
            "\u{301}",
            "ß",
            "न",
            "x",
        ];
        let mut state = 7_usize;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            parts[(state >> 33) % parts.len()]
        };
        for vocabulary in [V3, V4] {
            let mut tiler = Tiler::new(vocabulary);
            for length in 0..200 {
                let text: String = (0..length % 20).map(|_| next()).collect();
                assert_eq!(
                    tiler.cost(text.as_bytes()),
                    slowly(vocabulary, &text),
                    "{text:?}"
                );
            }
        }
    }

    #[test]
    fn parts_of_characters_are_pieces() {
        // Two bytes of three are one piece, so the character is two.
        assert_eq!(V3.bytes_cost("\u{904}".as_bytes()), 2);
        assert_eq!(V3.bytes_cost("\u{F0000}".as_bytes()), 4);
    }
}
