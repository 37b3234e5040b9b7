//! What the client's language means by white space and by the length of a text.

/// White space as JavaScript's `\s` and `trim` take it (fact 1.10): Unicode's `White_Space`
/// less U+0085, with the byte-order mark.
#[must_use]
pub fn is_space(c: char) -> bool {
    matches!(
        c,
        '\t'..='\r'
            | ' '
            | '\u{A0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200A}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202F}'
            | '\u{205F}'
            | '\u{3000}'
            | '\u{FEFF}'
    )
}

/// The text without white space at both ends.
#[must_use]
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// The number of UTF-16 units, the client's measure of characters.
#[must_use]
pub fn len(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.chars().map(char::len_utf16).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trims_what_javascript_trims() {
        assert_eq!(trim("\u{FEFF} \u{A0}x\u{200B}\u{2028}"), "x\u{200B}");
        assert_eq!(trim("\u{85}x"), "\u{85}x");
    }

    #[test]
    fn counts_utf16_units() {
        assert_eq!(len("aé😀"), 4);
    }
}
