//! The vocabularies of another vendor.

use super::{Family, Kind, Tokens};

/// How many bytes the library is given at a time: on a run of a million spaces it panics.
const BOUND: usize = 16 * 1024;

/// The tokens of a text. An estimate where a text had to be cut at a place that changes counts.
pub(super) fn count(family: Family, text: &str) -> Tokens {
    let vocabulary = match family {
        Family::Cl100k => tiktoken_rs::cl100k_base_singleton(),
        _ => tiktoken_rs::o200k_base_singleton(),
    };
    let (mut count, mut kind, mut rest) = (0, Kind::Exact, text);
    while !rest.is_empty() {
        let (end, is_safe) = cut(rest);
        if !is_safe {
            kind = Kind::Estimate;
        }
        let (part, behind) = rest.split_at(end);
        count += vocabulary.encode_ordinary(part).len() as u64;
        rest = behind;
    }
    Tokens { count, kind }
}

/// Where to cut a text, and whether no token reaches across: before a space between letters.
fn cut(text: &str) -> (usize, bool) {
    if text.len() <= BOUND {
        return (text.len(), true);
    }
    let bytes = &text.as_bytes()[..BOUND];
    let is_safe = |at: &usize| {
        let [before, space, behind] = [bytes[at - 1], bytes[*at], bytes[at + 1]];
        space == b' ' && before.is_ascii_alphabetic() && behind.is_ascii_alphabetic()
    };
    let safe = (BOUND / 2..BOUND - 1).rev().find(is_safe);
    let forced = || (0..=BOUND).rev().find(|at| text.is_char_boundary(*at));
    match safe {
        Some(at) => (at, true),
        None => (forced().unwrap_or(text.len()), false),
    }
}
