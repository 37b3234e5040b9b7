//! Words of a text in any script: runs of letters and digits; pairs of signs where a script has no
//! blanks between words.

use rustc_hash::FxHashSet;

/// A word, by its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Term {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Whether a sign is of a script without blanks between words.
pub(super) const fn is_dense(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{2FA1F}' | '\u{0E00}'..='\u{0E7F}')
}

/// Each word of a text, in order. A single sign between others is no word.
pub(super) fn each(text: &str, mut found: impl FnMut(Term)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut dense: Option<usize> = None;
    while at < bytes.len() {
        let start = at;
        let byte = bytes[at];
        if byte < 0x80 {
            dense = None;
            if !byte.is_ascii_alphanumeric() {
                at += 1;
                continue;
            }
            at = word_end(text, at);
            found(Term { start, end: at });
            continue;
        }
        let Some(c) = text[at..].chars().next() else {
            break;
        };
        at += c.len_utf8();
        if is_dense(c) {
            if let Some(before) = dense {
                found(Term {
                    start: before,
                    end: at,
                });
            }
            dense = Some(start);
            continue;
        }
        dense = None;
        if c.is_alphanumeric() {
            at = word_end(text, at);
            found(Term { start, end: at });
        }
    }
}

/// The end of a word that goes on at `at`.
fn word_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = at;
    while let Some(byte) = bytes.get(end) {
        if byte.is_ascii_alphanumeric() {
            end += 1;
            continue;
        }
        if *byte < 0x80 {
            break;
        }
        match text[end..].chars().next() {
            Some(c) if c.is_alphanumeric() && !is_dense(c) => end += c.len_utf8(),
            _ => break,
        }
    }
    end
}

/// Whether no word goes on over an end of a range: `src/a.rs` is not whole in `mysrc/a.rs`.
pub(super) fn is_whole(text: &str, start: usize, end: usize) -> bool {
    let joins = |at: usize| {
        let bytes = text.as_bytes();
        let (Some(before), Some(behind)) = (
            at.checked_sub(1).and_then(|at| bytes.get(at)),
            bytes.get(at),
        ) else {
            return false;
        };
        if before.is_ascii() && behind.is_ascii() {
            let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            return is_word(before) && is_word(behind);
        }
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_dense(c));
        is_word(text[..at].chars().next_back()) && is_word(text[at..].chars().next())
    };
    !joins(start) && !joins(end)
}

/// Whether what stands between two words ends a sentence or a line.
pub(super) fn ends_unit(between: &str) -> bool {
    let bytes = between.as_bytes();
    match bytes {
        [] | [b' '] => false,
        _ => {
            bytes.contains(&b'\n')
                || between.contains(['。', '！', '？'])
                || bytes
                    .windows(2)
                    .any(|pair| matches!(pair[0], b'.' | b'!' | b'?' | b';') && pair[1] == b' ')
        }
    }
}

/// Words that say little by themselves, in the languages of the forms. Those that forbid or demand
/// are none of them.
const LITTLE: &[&str] = &[
    "the", "and", "that", "this", "with", "for", "are", "was", "were", "has", "have", "had", "its",
    "our", "your", "you", "they", "them", "from", "into", "will", "would", "can", "could", "but",
    "then", "than", "when", "there", "here", "what", "which", "who", "how", "also", "just",
    "please", "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einer", "und",
    "oder", "ist", "sind", "mit", "von", "auf", "für", "bitte", "les", "des", "une", "est", "sont",
    "dans", "pour", "par", "avec", "que", "qui", "los", "las", "una", "por", "con", "para", "del",
    "est",
];

/// Whether a line that ends in this word goes on in the next one.
pub(super) fn joins(word: &str) -> bool {
    const SHORT: [&str; 22] = [
        "a", "an", "of", "to", "in", "on", "or", "by", "at", "as", "is", "be", "not", "de", "la",
        "le", "du", "el", "zu", "im", "en", "y",
    ];
    let mut words = SHORT.iter().chain(LITTLE);
    words.any(|other| other.eq_ignore_ascii_case(word))
}

/// The words of a text that carry it, each once, in order: all of them where they are few.
pub(super) fn keys(text: &str) -> Vec<Term> {
    let mut all = Vec::new();
    each(text, |term| all.push(term));
    let carries = |term: &Term| {
        let word = &text[term.start..term.end];
        let is_long = word.chars().count() >= 3
            || word.bytes().any(|byte| byte.is_ascii_digit())
            || word.chars().any(is_dense)
            || word.eq_ignore_ascii_case("no");
        is_long
            && !LITTLE
                .iter()
                .any(|little| little.eq_ignore_ascii_case(word))
    };
    let mut keys: Vec<Term> = all.iter().copied().filter(carries).collect();
    if keys.is_empty() {
        keys = all;
    }
    let mut seen = FxHashSet::default();
    keys.retain(|term| seen.insert(text[term.start..term.end].to_ascii_lowercase()));
    keys
}

/// The words that are chosen, as they are written; pairs of signs that overlap as one text.
pub(super) fn runs(text: &str, keys: &[Term], chosen: impl Fn(usize) -> bool) -> Vec<String> {
    let mut runs: Vec<Term> = Vec::new();
    let chosen = keys
        .iter()
        .enumerate()
        .filter(|(number, _)| chosen(*number));
    for (_, key) in chosen {
        match runs.last_mut() {
            Some(last) if key.start < last.end => last.end = key.end,
            _ => runs.push(*key),
        }
    }
    runs.into_iter()
        .map(|run| text[run.start..run.end].to_owned())
        .collect()
}

/// The last end of a sign at or before a byte.
pub(super) fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at)
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

/// The first end of a sign at or behind a byte.
pub(super) fn ceil(text: &str, at: usize) -> usize {
    let mut rest = at..text.len();
    rest.find(|at| text.is_char_boundary(*at))
        .unwrap_or(text.len())
}

/// A text cut to at most `bytes` bytes, at a sign's end.
pub(super) fn cut(text: &str, bytes: usize) -> &str {
    &text[..floor(text, bytes)]
}

/// The same, where possible at a word's end.
pub(super) fn cut_at_word(text: &str, bytes: usize) -> &str {
    let mut end = floor(text, bytes);
    while !is_whole(text, 0, end) {
        end = floor(text, end - 1);
    }
    match end {
        0 => text,
        _ => text[..end].trim_end(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let mut words = Vec::new();
        each(text, |term| words.push(&text[term.start..term.end]));
        words
    }

    #[test]
    fn words_of_every_script() {
        assert_eq!(
            words("Run `cargo-x` 2x, größe"),
            ["Run", "cargo", "x", "2x", "größe"]
        );
        assert_eq!(words("不要改a文"), ["不要", "要改", "a"]);
        assert_eq!(words("é a\u{301}"), ["é", "a"]);
        assert_eq!(words(""), Vec::<&str>::new());
    }

    #[test]
    fn pairs_of_signs_join() {
        let text = "不要改动接口";
        assert_eq!(runs(text, &keys(text), |number| number < 2), ["不要改"]);
        let text = "Never run the migrations";
        assert_eq!(
            runs(text, &keys(text), |_| true),
            ["Never", "run", "migrations"]
        );
    }

    #[test]
    fn units_end_at_sentences_and_lines() {
        assert!(ends_unit(". ") && ends_unit(",\n") && ends_unit("。"));
        assert!(!ends_unit(" ") && !ends_unit(".") && !ends_unit(", "));
    }
}
