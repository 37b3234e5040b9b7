//! Orders that hold without exception, and are about deeds for which no file is read: in six
//! languages.
//!
//! Nearly every instruction file says `always` and `never` of something, mostly of the code that it
//! stands beside. The compactor has forms of what people say in a conversation; these here are
//! fewer and harder.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

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
    "niemals",
    "verboten",
    "ausnahmslos",
    "auf keinen fall",
    "unter keinen umständen",
    // French
    "en aucun cas",
    "sous aucun prétexte",
    "interdit",
    "obligatoire",
    // Spanish
    "en ningún caso",
    "bajo ninguna circunstancia",
    "sin excepción",
    "prohibido",
    "obligatorio",
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
    // Japanese
    "必ず",
    "絶対に",
    "決して",
    "厳禁",
];

/// Words that count in capitals, or where one word stands before them in their clause at most:
/// elsewhere they mostly describe.
const FIRST: &[&str] = &[
    "never", "always", "nie", "immer", "stets", "jamais", "toujours", "nunca", "jamás", "siempre",
];

/// Deeds that need no file to be read, so that an order about one is missed as soon as it is gone.
/// Those of Latin letters are whole words.
const DEEDS: &[&str] = &[
    "commit",
    "committing",
    "git push",
    "push to",
    "force-push",
    "force push",
    "pushing",
    "deploy",
    "deploying",
    "pull request",
    "pull requests",
    "before merging",
    // German
    "committe",
    "committen",
    "pushen",
    // French
    "commiter",
    "committer",
    "déployer",
    // Spanish
    "desplegar",
    "despliegue",
    // Chinese
    "提交",
    "推送",
    "部署",
    // Japanese
    "コミット",
    "プッシュ",
    "デプロイ",
];

/// The deed that a sentence is about, as it is written.
pub(super) fn deed(sentence: &str) -> Option<&str> {
    static WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| automaton(DEEDS.iter()));
    let mut found = WORDS.as_ref()?.find_iter(sentence);
    let found = found
        .find(|found| is_whole(sentence, found.range()) && !is_thing(sentence, found.range()))?;
    sentence.get(found.range())
}

/// Whether a word is a time or a name and no deed: "a check at commit time", "pinned to a commit SHA".
fn is_thing(sentence: &str, range: Range<usize>) -> bool {
    let is = |text: Option<&str>, words: &[&str]| {
        text.is_some_and(|text| words.iter().any(|word| text.eq_ignore_ascii_case(word)))
    };
    let before = sentence[..range.start].split_ascii_whitespace().next_back();
    let behind = sentence[range.end..].split_ascii_whitespace().next();
    let behind = behind.map(|word| word.trim_end_matches(|c: char| c.is_ascii_punctuation()));
    is(before, &["at"])
        || is(
            behind,
            &["sha", "shas", "hash", "hashes", "id", "ids", "time"],
        )
}

/// The sentences of a paragraph, which add up to it. What ends inside of a code span ends none.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut in_code = false;
        let mut signs = rest.char_indices().peekable();
        while let Some((at, c)) = signs.next() {
            let ends = match c {
                '`' => {
                    in_code = !in_code;
                    false
                }
                '。' | '！' | '？' | '；' => true,
                '.' | '!' | '?' | ';' => signs.peek().is_some_and(|(_, c)| c.is_whitespace()),
                _ => false,
            };
            if ends && !in_code {
                let (sentence, behind) = rest.split_at(at + c.len_utf8());
                rest = behind;
                return Some(sentence);
            }
        }
        (!rest.is_empty()).then(|| std::mem::take(&mut rest))
    })
}

/// The first such word of a sentence, as it is written, if there is one: code spans say nothing.
pub(super) fn absolute(sentence: &str) -> Option<&str> {
    static WORDS: LazyLock<Option<AhoCorasick>> =
        LazyLock::new(|| automaton(ANYWHERE.iter().chain(FIRST)));
    let mut found = WORDS.as_ref()?.find_iter(sentence);
    let (mut is_code, mut seen) = (false, 0);
    let found = found.find(|found| {
        is_code ^= sentence[seen..found.start()].matches('`').count() % 2 == 1;
        seen = found.start();
        let counts = found.pattern().as_usize() < ANYWHERE.len()
            || !sentence[found.range()].chars().any(char::is_lowercase)
            || is_first(&sentence[..found.start()]);
        !is_code && is_whole(sentence, found.range()) && counts
    })?;
    sentence.get(found.range())
}

/// Whether at most one word stands in the clause that ends here.
fn is_first(before: &str) -> bool {
    // A longer clause has more words, so there is no need to look for its start.
    const LONGEST: usize = 100;
    let mut from = before.len().saturating_sub(LONGEST);
    while !before.is_char_boundary(from) {
        from += 1;
    }
    let near = &before[from..];
    let clause = match near.rfind([':', ',', '(', '—']) {
        Some(sign) => &near[sign..],
        None if from > 0 => return false,
        None => near,
    };
    let words = clause.split_whitespace();
    let words = words.filter(|word| word.contains(char::is_alphanumeric));
    words.count() <= 1
}

fn automaton<'w>(words: impl Iterator<Item = &'w &'w str>) -> Option<AhoCorasick> {
    let made = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .build(words);
    made.ok()
}

/// Whether a word of Latin letters is a whole one; others need not be.
fn is_whole(text: &str, range: Range<usize>) -> bool {
    let is_latin = text.as_bytes()[range.start].is_ascii_alphabetic();
    let before = text[..range.start].chars().next_back();
    let behind = text[range.end..].chars().next();
    !is_latin || !(is_inner(before) || is_inner(behind))
}

/// Whether a sign beside a word makes it part of another.
fn is_inner(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_add_up() {
        let text = "Use `a. b` now. Never\npush; 必须。提交 v1.2";
        let found: Vec<&str> = sentences(text).collect();
        assert_eq!(
            found,
            ["Use `a. b` now.", " Never\npush;", " 必须。", "提交 v1.2"]
        );
    }

    #[test]
    fn deeds_are_told_from_likenesses() {
        let found = [
            "Never Commit keys.",
            "`git push` must not run.",
            "提交前必须运行测试。",
            "Uncommitted rows must go.",
            "The list must push items.",
            "Checks at commit, push or merge time must be quick.",
            "Actions must be pinned to a commit SHA.",
        ];
        let found: Vec<Option<&str>> = found.into_iter().map(deed).collect();
        let told = [Some("Commit"), Some("git push"), Some("提交")];
        let wanted: Vec<Option<&str>> = told.into_iter().chain([None; 4]).collect();
        assert_eq!(found, wanted);
    }

    #[test]
    fn orders_without_exception_are_found() {
        for (line, word) in [
            ("- Never commit keys.", "Never"),
            ("Values are NEVER null", "NEVER"),
            ("- **Always** run `make`.", "Always"),
            ("All endpoints must answer.", "must"),
            ("Style of commits: always short.", "always"),
            ("Under no circumstances push.", "Under no circumstances"),
            ("Verwende immer pnpm.", "immer"),
            ("N'utilise **jamais** npm.", "jamais"),
            ("Usa siempre pnpm.", "siempre"),
            ("提交前必须运行测试。", "必须"),
            ("絶対に変更しない。", "絶対に"),
        ] {
            assert_eq!(absolute(line), Some(word), "{line}");
        }
    }

    #[test]
    fn descriptions_and_code_are_not() {
        for line in [
            "The list is never empty, as it always has a root.",
            "The type `NEVER` and `**must**`.",
            "A MUST-have, and MUSTACHE templates.",
            "Prefer two spaces.",
        ] {
            let found = absolute(line);
            assert_eq!(found, None, "{line}");
        }
    }
}
