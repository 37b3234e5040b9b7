//! Words by which an instruction says that it holds without exception, in six languages.
//!
//! The compactor has forms of what people say in a conversation. These here are fewer and harder:
//! instruction files are nothing but orders, so only such count as leave no choice.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// Words that count wherever they stand. Those of Latin letters are whole words.
const ANYWHERE: &[&str] = &[
    // English
    "must",
    "under no circumstances",
    "at all costs",
    "without exception",
    "no exceptions",
    "non-negotiable",
    "mandatory",
    "forbidden",
    "prohibited",
    // German
    "muss",
    "müssen",
    "niemals",
    "zwingend",
    "verboten",
    "ausnahmslos",
    "auf keinen fall",
    "unter keinen umständen",
    // French
    "doit",
    "doivent",
    "en aucun cas",
    "sous aucun prétexte",
    "interdit",
    "obligatoire",
    "impérativement",
    // Spanish
    "debe",
    "deben",
    "en ningún caso",
    "bajo ninguna circunstancia",
    "prohibido",
    "obligatorio",
    "sin excepción",
    // Chinese
    "必须",
    "必須",
    "务必",
    "務必",
    "禁止",
    "严禁",
    "嚴禁",
    "绝不",
    "絕不",
    "绝对不",
    "絕對不",
    "切勿",
    "一定要",
    // Japanese
    "必ず",
    "絶対に",
    "決して",
    "厳禁",
    "てはいけ",
    "てはなら",
    "なければなら",
];

/// Words that count where they stand among the first two of a sentence, or in capitals: elsewhere
/// they mostly describe.
const FIRST: &[&str] = &[
    "never", "always", "nie", "immer", "stets", "jamais", "toujours", "nunca", "jamás", "siempre",
];

/// The first such word of a line, as it is written, and whether there is one: code spans say
/// nothing.
pub(super) fn absolute(line: &str) -> Option<&str> {
    if !may_be(line) {
        return None;
    }
    let mut at = 0;
    // What stands between back-ticks is every other piece.
    for (number, piece) in line.split('`').enumerate() {
        let found = (number % 2 == 0)
            .then(|| in_piece(piece, number == 0))
            .flatten();
        if let Some((start, len)) = found {
            return line.get(at + start..at + start + len);
        }
        at += piece.len() + 1;
    }
    None
}

/// Whether a line holds the letters of one, which most do not.
fn may_be(line: &str) -> bool {
    static LETTERS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
        let words = ANYWHERE.iter().chain(FIRST);
        let made = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(words);
        made.ok()
    });
    LETTERS
        .as_ref()
        .is_none_or(|letters| letters.is_match(line))
}

/// The place and length of the first such word.
fn in_piece(piece: &str, is_start: bool) -> Option<(usize, usize)> {
    let lower = lowered(piece);
    let anywhere = ANYWHERE.iter().filter_map(|word| whole_word(&lower, word));
    let first = first_words(piece, &lower, is_start);
    anywhere.chain(first).min()
}

/// In lower case, where that changes no length, so that places stay.
fn lowered(text: &str) -> String {
    let mut lower = String::with_capacity(text.len());
    for c in text.chars() {
        let mut small = c.to_lowercase();
        match (small.next(), small.next()) {
            (Some(one), None) if one.len_utf8() == c.len_utf8() => lower.push(one),
            _ => lower.push(c),
        }
    }
    lower
}

fn whole_word(lower: &str, word: &str) -> Option<(usize, usize)> {
    let is_latin = word
        .bytes()
        .next()
        .is_some_and(|byte| byte.is_ascii_alphabetic());
    let found = lower.match_indices(word).find(|(at, _)| {
        let before = lower[..*at].chars().next_back();
        let behind = lower[at + word.len()..].chars().next();
        !is_latin || !(is_inner(before) || is_inner(behind))
    });
    found.map(|(at, _)| (at, word.len()))
}

/// Whether a sign beside a word makes it part of another.
fn is_inner(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '/'))
}

fn first_words(piece: &str, lower: &str, is_start: bool) -> Option<(usize, usize)> {
    // How many words of the sentence came before; what follows a code span goes on with one.
    let mut before = if is_start { 0 } else { 2 };
    let mut at = 0;
    for part in lower.split_inclusive(|c: char| !is_inner(Some(c)) && !matches!(c, '\'' | '’')) {
        let start = at;
        at += part.len();
        let word = part.trim_end_matches(|c: char| !c.is_alphanumeric());
        let end = part[word.len()..].chars().next();
        if FIRST.contains(&word) {
            let is_loud = piece[start..start + word.len()]
                .chars()
                .all(char::is_uppercase);
            if before < 2 || is_loud {
                return Some((start, word.len()));
            }
        }
        before += usize::from(!word.is_empty());
        if matches!(end, Some('.' | ':' | ';' | '!' | '?' | '(')) {
            before = 0;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_without_exception_are_found() {
        for (line, word) in [
            ("- Never commit keys.", "Never"),
            ("Values are NEVER null", "NEVER"),
            ("- **Always** run `make`.", "Always"),
            ("All endpoints must answer.", "must"),
            ("Tests first. Always write one.", "Always"),
            ("Verwende immer pnpm.", "immer"),
            ("Das ist verboten.", "verboten"),
            ("N'utilise jamais npm.", "jamais"),
            ("Usa siempre pnpm.", "siempre"),
            ("提交前必须运行测试。", "必须"),
            ("テストは必ず実行する。", "必ず"),
            ("Use `x`. You must not use y.", "must"),
        ] {
            assert_eq!(absolute(line), Some(word), "{line}");
        }
    }

    #[test]
    fn descriptions_and_code_are_not() {
        for line in [
            "The list is never empty, as it always has a root.",
            "The type `never` and `must`.",
            "A must-have, and mustache templates.",
            "Prefer two spaces.",
            "Use x; it is always there.",
            "`Always` is a variant of the enum.",
        ] {
            assert_eq!(absolute(line), None, "{line}");
        }
    }
}
