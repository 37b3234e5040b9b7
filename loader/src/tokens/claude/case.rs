//! Words with their capitals written as marks.

use super::characters::Flags;
use super::tiling::{BEGIN, CAPS, END, SHIFT};

/// The least length of a word of capitals that is marked as such, in characters.
const CAPS_LENGTH: usize = 4;

/// Writes a word with its marks. A word is marked as a whole or not at all: `Word` begins with a
/// capital, `WORD` is all capitals where the family knows that, and `WoRd` stays as it is.
pub(super) fn write(word: &str, knows_caps: bool, into: &mut Vec<u8>) {
    let marked = Case::of(word, knows_caps);
    match marked {
        Case::Plain => {}
        Case::Title => into.push(SHIFT),
        Case::Capitals => into.push(CAPS),
    }
    into.push(BEGIN);
    match marked {
        Case::Plain => into.extend_from_slice(word.as_bytes()),
        _ if word.is_ascii() => into.extend(word.bytes().map(|byte| byte.to_ascii_lowercase())),
        _ => {
            let mut buffer = [0; 4];
            for c in word.chars().map(lower) {
                into.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
            }
        }
    }
    into.push(END);
}

/// How the capitals of a word are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Plain,
    Title,
    Capitals,
}

impl Case {
    fn of(word: &str, knows_caps: bool) -> Self {
        if word.is_ascii() {
            return Self::of_ascii(word.as_bytes(), knows_caps);
        }
        let upper = |c: char| Flags::of(c).has(Flags::UPPER);
        let mut letters = word.chars();
        let Some(first) = letters.next() else {
            return Self::Plain;
        };
        if word.contains('ẞ') {
            return Self::Plain;
        }
        if word.contains('İ') {
            let title = first != 'İ' && upper(first) && !letters.any(|c| c != 'İ' && upper(c));
            return if title { Self::Title } else { Self::Plain };
        }
        if knows_caps && is_capitals(word) {
            return Self::Capitals;
        }
        if upper(first) && !letters.any(upper) {
            return Self::Title;
        }
        Self::Plain
    }

    fn of_ascii(word: &[u8], knows_caps: bool) -> Self {
        let Some((first, rest)) = word.split_first() else {
            return Self::Plain;
        };
        if !first.is_ascii_uppercase() {
            return Self::Plain;
        }
        if !rest.iter().any(u8::is_ascii_uppercase) {
            return Self::Title;
        }
        let all =
            knows_caps && word.len() >= CAPS_LENGTH && rest.iter().all(u8::is_ascii_uppercase);
        if all { Self::Capitals } else { Self::Plain }
    }
}

/// Whether all cased letters of a word are capitals, and none keeps it as it is.
fn is_capitals(word: &str) -> bool {
    let mut cased = false;
    let mut length = 0;
    for flags in word.chars().map(Flags::of) {
        if flags.has(Flags::LOWER) || flags.has(Flags::NO_CAPS) {
            return false;
        }
        cased |= flags.has(Flags::UPPER);
        length += 1;
    }
    cased && length >= CAPS_LENGTH
}

/// The lower case of a letter. `İ` has none here, and `ϴ` has none to the tokenizers.
fn lower(c: char) -> char {
    let mut lower = c.to_lowercase();
    match (c, lower.next(), lower.next()) {
        ('ϴ', ..) => c,
        (_, Some(lower), None) => lower,
        _ => c,
    }
}
