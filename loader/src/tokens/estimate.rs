//! Tokens from the kinds of characters alone.

/// What a character costs in the newest models, in twentieths of a token, on the texts of this
/// repository; docs/performance.md has the error by kind of text.
fn cost(byte: u8) -> u64 {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' => 7,
        b' ' | b'\t' | b'\n' | b'\r' => 3,
        // Digits and signs.
        ..=0x7F => 20,
        // The rest of a character.
        0x80..=0xBF => 0,
        // Alphabets, to U+07FF.
        0xC0..=0xDF => 10,
        // Mostly ideographs and syllables.
        _ => 20,
    }
}

/// An estimate for the newest models.
pub(super) fn count(text: &str) -> u64 {
    text.bytes().map(cost).sum::<u64>().div_ceil(20)
}
