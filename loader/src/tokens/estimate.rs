//! Tokens from the number of characters alone.

/// An estimate for the newest models: two and a half characters a token in ASCII, one and a half
/// a character elsewhere. docs/performance.md has its error by kind of text.
pub(super) fn count(text: &str) -> u64 {
    let ascii = text.bytes().filter(u8::is_ascii).count() as u64;
    let others = text.chars().count() as u64 - ascii;
    (2 * ascii + 5 * others).div_ceil(5)
}
