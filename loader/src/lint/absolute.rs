//! How an instruction says, with emphasis, that it holds without exception: in six languages.
//!
//! Nearly every instruction file says `always` and `never` of something. Whoever writes them in
//! capitals or in bold, or says that there is no exception, expects them to hold to the end.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

/// Words that count in any letters.
const HARD: &[&str] = &[
    // English
    "under no circumstances",
    "at all costs",
    "without exception",
    "no exceptions",
    "non-negotiable",
    // German
    "ausnahmslos",
    "auf keinen fall",
    "unter keinen umständen",
    // French
    "en aucun cas",
    "sous aucun prétexte",
    // Spanish
    "en ningún caso",
    "bajo ninguna circunstancia",
    "sin excepción",
    // Chinese
    "绝不",
    "絕不",
    "绝对不",
    "絕對不",
    "严禁",
    "嚴禁",
    "切勿",
    // Japanese
    "絶対に",
    "決して",
    "厳禁",
];

/// Words that count in capitals or in bold.
const LOUD: &[&str] = &[
    "must",
    "never",
    "always",
    "forbidden",
    "mandatory",
    "nie",
    "niemals",
    "immer",
    "stets",
    "muss",
    "verboten",
    "jamais",
    "toujours",
    "interdit",
    "obligatoire",
    "nunca",
    "jamás",
    "siempre",
    "prohibido",
    "obligatorio",
    "必须",
    "必須",
    "务必",
    "務必",
    "禁止",
    "必ず",
];

/// The first such word of a line, as it is written, if there is one: code spans say nothing.
pub(super) fn absolute(line: &str) -> Option<&str> {
    if !may_be(line) {
        return None;
    }
    let mut at = 0;
    // What stands between back-ticks is every other piece.
    let mut is_bold = false;
    for (number, piece) in line.split('`').enumerate() {
        let found = if number % 2 == 0 {
            in_piece(piece, &mut is_bold)
        } else {
            None
        };
        if let Some((start, len)) = found {
            return line.get(at + start..at + start + len);
        }
        at += piece.len() + 1;
    }
    None
}

/// Whether a text holds the letters of one where they may count: most do not.
pub(super) fn may_be(text: &str) -> bool {
    let Some(words) = words() else {
        return true;
    };
    words.find_iter(text).any(|found| {
        let is_loud = || !text[found.range()].chars().any(char::is_lowercase);
        let is_bold = || {
            let line = text[..found.start()].rfind('\n').map_or(0, |end| end + 1);
            text[line..found.start()].contains("**")
        };
        found.pattern().as_usize() < HARD.len() || is_loud() || is_bold()
    })
}

fn words() -> Option<&'static AhoCorasick> {
    static WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
        let made = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostLongest)
            .build(HARD.iter().chain(LOUD));
        made.ok()
    });
    WORDS.as_ref()
}

/// The place and length of the first such word of a piece without code.
fn in_piece(piece: &str, is_bold: &mut bool) -> Option<(usize, usize)> {
    let mut marks = piece.match_indices("**").peekable();
    for found in words()?.find_iter(piece) {
        while marks.next_if(|(at, _)| *at < found.start()).is_some() {
            *is_bold = !*is_bold;
        }
        let word = &piece[found.range()];
        let before = piece[..found.start()].chars().next_back();
        let behind = piece[found.end()..].chars().next();
        let is_latin = word
            .bytes()
            .next()
            .is_some_and(|byte| byte.is_ascii_alphabetic());
        if is_latin && (is_inner(before) || is_inner(behind)) {
            continue;
        }
        let is_hard = found.pattern().as_usize() < HARD.len();
        let is_capital = is_latin && !word.chars().any(char::is_lowercase);
        if is_hard || is_capital || *is_bold {
            return Some((found.start(), found.len()));
        }
    }
    for _ in marks {
        *is_bold = !*is_bold;
    }
    None
}

/// Whether a sign beside a word makes it part of another.
fn is_inner(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_with_emphasis_are_found() {
        for (line, word) in [
            ("- NEVER commit keys.", "NEVER"),
            ("- **Always** run `make`.", "Always"),
            ("- **You must** run `make`.", "must"),
            ("Use `x` **and `y` always**.", "always"),
            ("All endpoints MUST answer.", "MUST"),
            ("Under no circumstances push.", "Under no circumstances"),
            ("Verwende AUSNAHMSLOS pnpm.", "AUSNAHMSLOS"),
            ("N'utilise **jamais** npm.", "jamais"),
            ("Usa SIEMPRE pnpm.", "SIEMPRE"),
            ("绝不修改公共接口。", "绝不"),
            ("提交前**必须**运行测试。", "必须"),
            ("絶対に変更しない。", "絶対に"),
        ] {
            assert_eq!(absolute(line), Some(word), "{line}");
        }
    }

    #[test]
    fn plain_orders_descriptions_and_code_are_not() {
        for line in [
            "Never commit keys.",
            "The list is never empty, as it always has a root.",
            "The type `NEVER` and `**must**`.",
            "A MUST-have, and MUSTACHE templates.",
            "**Style**: always two spaces.",
            "提交前必须运行测试。",
        ] {
            assert_eq!(absolute(line), None, "{line}");
        }
    }
}
