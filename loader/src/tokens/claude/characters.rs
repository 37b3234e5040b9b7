//! What the tokenizers distinguish in a character.

/// Written by `vocabulary/generate.py`: the numbers of pages and kinds, the page of each 256
/// characters, the kind of each character of a page, the flags of each kind.
static DATA: &[u8] = include_bytes!("../../../vocabulary/characters.bin");

const PAGES: usize = 4;
const KINDS: usize = PAGES + 256;
const KINDS_END: usize = KINDS + 256 * number(0);
const FLAGS: [u16; 256] = {
    let mut flags = [0; 256];
    let mut kind = 0;
    while kind < number(2) {
        flags[kind] = number(KINDS_END + 2 * kind) as u16;
        kind += 1;
    }
    flags
};

const fn number(at: usize) -> usize {
    DATA[at] as usize | (DATA[at + 1] as usize) << 8
}

/// The part that a character takes in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// A letter of a script with words, or a mark that belongs to one.
    Wordy,
    /// Stands by itself: ideographs, emoji, most symbols outside ASCII.
    Hard,
    Digit,
    Punct,
    Space,
    /// A mark that has no letter before it.
    Stray,
}

/// What is known of one character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flags(u16);

/// A character outside the table: all of these stand by themselves.
const ASTRAL: Flags = Flags(1);

impl Flags {
    pub(super) const UPPER: u16 = 1 << 3;
    pub(super) const LOWER: u16 = 1 << 4;
    /// Keeps a word of capitals as it is written.
    pub(super) const NO_CAPS: u16 = 1 << 5;
    /// A combining mark.
    pub(super) const STRAY: u16 = 1 << 6;
    /// A variation selector.
    pub(super) const SELECTOR: u16 = 1 << 7;
    /// NFC may change it, or join it to the character before.
    pub(super) const COMPOSES: u16 = 1 << 8;
    /// Is dropped or replaced beside NFC.
    pub(super) const MAPPED: u16 = 1 << 9;
    /// A digit that takes marks where it borders a space.
    pub(super) const BORDER: u16 = 1 << 13;
    pub(super) const DECIMAL: u16 = 1 << 14;
    pub(super) const OTHER_NUMBER: u16 = 1 << 15;

    pub(super) fn of(c: char) -> Self {
        let code = c as usize;
        if code >= 0x10000 {
            return ASTRAL;
        }
        let page = DATA[PAGES + (code >> 8)] as usize;
        Self(FLAGS[DATA[KINDS + (page << 8) + (code & 0xFF)] as usize])
    }

    /// The flags of an ASCII character.
    pub(super) fn of_ascii(byte: u8) -> Self {
        Self(ASCII[(byte & 0x7F) as usize])
    }

    pub(super) fn has(self, flag: u16) -> bool {
        self.0 & flag != 0
    }

    pub(super) fn class(self) -> Class {
        match self.0 & 7 {
            0 => Class::Wordy,
            1 => Class::Hard,
            2 => Class::Digit,
            3 => Class::Punct,
            _ => Class::Space,
        }
    }

    /// Which characters that stand by themselves form a run: 0 letters, 1 numbers, 2 symbols.
    pub(super) fn hard_kind(self) -> u16 {
        self.0 >> 11 & 3
    }

    pub(super) fn is_symbol(self) -> bool {
        self.class() == Class::Hard && self.hard_kind() == 2
    }

    /// The category of a number; 0 is none.
    pub(super) fn number(self) -> u16 {
        self.0 & (Self::DECIMAL | Self::OTHER_NUMBER)
    }
}

const ASCII: [u16; 128] = {
    let mut flags = [0; 128];
    let page = DATA[PAGES] as usize;
    let mut code = 0;
    while code < 128 {
        flags[code] = FLAGS[DATA[KINDS + (page << 8) + code] as usize];
        code += 1;
    }
    flags
};
