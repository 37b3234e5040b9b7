//! A text as the tokenizers read it: composed (NFC), without control characters, with plain
//! spaces and, in the older family, plain quotes.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

use super::characters::Flags;

/// The normal form of a text. `fold_quotes` makes curly quotes plain.
pub(super) fn normal(text: &str, fold_quotes: bool) -> Cow<'_, str> {
    let (composes, mapped) = changes(text);
    let composed: Cow<'_, str> = if composes {
        Cow::Owned(text.nfc().collect())
    } else {
        Cow::Borrowed(text)
    };
    if composes || mapped {
        Cow::Owned(map(&composed, fold_quotes))
    } else {
        composed
    }
}

/// Whether NFC, and whether the rest may change a text.
fn changes(text: &str) -> (bool, bool) {
    let (mut composes, mut mapped) = (false, false);
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        if byte < 0x80 {
            mapped |= Flags::of_ascii(byte).has(Flags::MAPPED);
            at += 1;
            continue;
        }
        let Some(c) = text[at..].chars().next() else {
            break;
        };
        let flags = Flags::of(c);
        composes |= flags.has(Flags::COMPOSES) || is_astral_mark(c);
        mapped |= flags.has(Flags::MAPPED);
        at += c.len_utf8();
    }
    (composes, mapped)
}

/// Whether NFC may change a character above U+FFFF: all but the blocks that texts are full of.
fn is_astral_mark(c: char) -> bool {
    let plain = matches!(c, '\u{1F000}'..='\u{1FAFF}' | '\u{20000}'..='\u{2F7FF}');
    c >= '\u{10000}' && !plain
}

fn map(text: &str, fold_quotes: bool) -> String {
    let mut normal = String::with_capacity(text.len());
    // The character before, control characters left out.
    let mut before = '\0';
    for c in text.chars() {
        if c != '\0' && is_dropped_control(c) {
            continue;
        }
        match c {
            '\u{E000}'..='\u{F8FF}' => {}
            '\0' => normal.push(' '),
            // The two parts of a Thai vowel.
            '\u{0E32}' if before == '\u{0E4D}' => {
                normal.pop();
                normal.push('\u{0E33}');
            }
            '\u{2018}' | '\u{2019}' if fold_quotes => normal.push('\''),
            '\u{201C}' | '\u{201D}' if fold_quotes => normal.push('"'),
            '\u{00A0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200A}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202F}'
            | '\u{205F}' => normal.push(' '),
            c => normal.push(c),
        }
        before = c;
    }
    normal
}

/// All control characters but NUL, tab and line feed.
fn is_dropped_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_texts_are_borrowed() {
        for text in ["", "a b\n\tc", "日本語 😀", "é"] {
            assert!(matches!(normal(text, true), Cow::Borrowed(_)), "{text}");
        }
    }

    #[test]
    fn texts_are_composed_and_cleaned() {
        assert_eq!(normal("e\u{301}\r\n\0x\u{7F}", true), "é\n x");
        assert_eq!(normal("\u{201C}a\u{2019}\u{A0}", true), "\"a' ");
        assert_eq!(normal("\u{201C}a\u{A0}", false), "\u{201C}a ");
        assert_eq!(normal("ก\u{E4D}\u{1}\u{E32}", true), "ก\u{E33}");
        assert_eq!(normal("a\u{E000}b", true), "ab");
    }
}
