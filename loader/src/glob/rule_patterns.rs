//! Patterns of a conditional rule: gitignore, whatever the letter case (facts 5.5, 5.6).

use std::borrow::Cow;
use std::sync::OnceLock;

use globset::{Glob, GlobBuilder, GlobMatcher};

use super::odd_class::OddClass;

/// The patterns of one rule.
#[derive(Clone, Debug)]
pub struct RulePatterns {
    patterns: Vec<Pattern>,
    invalid: bool,
}

#[derive(Clone, Debug)]
struct Pattern {
    /// Its place among the written ones, from 0.
    index: usize,
    negated: bool,
    means: Means,
    alphabet: Alphabet,
}

#[derive(Clone, Debug)]
enum Means {
    Globs {
        directories_only: bool,
        globs: Vec<Glob>,
        /// Made at the first path: most rules of a session never see one.
        matchers: OnceLock<Vec<GlobMatcher>>,
    },
    OddClass(OddClass),
}

impl RulePatterns {
    /// Reads patterns in order. One that cannot match anything is passed over.
    #[must_use]
    pub fn new<S: AsRef<str>>(patterns: &[S]) -> Self {
        let written = patterns.iter().enumerate();
        let read: Vec<_> = written
            .map(|(index, pattern)| Pattern::new(index, pattern.as_ref()))
            .collect();
        Self {
            invalid: read.iter().any(Result::is_err),
            patterns: read.into_iter().flatten().flatten().collect(),
        }
    }

    /// Whether one of the patterns cannot be read by the client at all, such as `[a/x`. Old
    /// clients then lose more than this rule (versions.md 52).
    #[must_use]
    pub fn has_invalid(&self) -> bool {
        self.invalid
    }

    /// Whether `path`, relative to the rule's base and with `/` between parts, matches.
    ///
    /// A match on a directory covers all below it, and no later `!` brings that back. The base
    /// itself never matches (case read-directory-base).
    #[must_use]
    pub fn is_match(&self, path: &str) -> bool {
        let path = fold(path);
        !path.is_empty()
            && directories_and_file(&path)
                .any(|(part, is_directory)| self.covers(part, is_directory))
    }

    /// The first of the written patterns that matches `path` by itself, by its place from 0;
    /// `None` too where only their sequence does.
    #[must_use]
    pub fn first_alone(&self, path: &str) -> Option<usize> {
        let path = fold(path);
        let alone = |pattern: &&Pattern| {
            !pattern.negated
                && directories_and_file(&path)
                    .any(|(part, is_directory)| pattern.matches(part, is_directory))
        };
        self.patterns.iter().find(alone).map(|found| found.index)
    }

    fn covers(&self, path: &str, is_directory: bool) -> bool {
        let mut covered = false;
        for pattern in &self.patterns {
            if covered == pattern.negated && pattern.matches(path, is_directory) {
                covered = !pattern.negated;
            }
        }
        covered
    }
}

/// The directories of a path from the top, then the path, each with whether it is a directory.
fn directories_and_file(path: &str) -> impl Iterator<Item = (&str, bool)> {
    let directories = memchr::memchr_iter(b'/', path.as_bytes()).map(|end| (&path[..end], true));
    directories.chain([(path, false)])
}

impl Pattern {
    fn new(index: usize, written: &str) -> Result<Option<Self>, Invalid> {
        let written = without_trailing_spaces(written);
        if written.is_empty() || written.starts_with('#') {
            return Ok(None);
        }
        let (negated, text) = match written.strip_prefix('!') {
            Some(text) => (true, text),
            None => (false, written),
        };
        // A backslash at the start keeps `!` and `#` from their meaning.
        let text = match text.strip_prefix('\\') {
            Some(rest) if rest.starts_with(['!', '#']) => rest,
            _ => text,
        };
        let folded = fold(text);
        let alphabet = Alphabet::of(&folded);
        if OddClass::is_in(text) {
            let means = OddClass::new(&alphabet.spell(&fold_beyond_ascii(text)))?;
            return Ok(Some(Self {
                index,
                negated,
                means: Means::OddClass(means),
                alphabet,
            }));
        }
        let text = alphabet.spell(&folded);
        let (text, directories_only) = match text.strip_suffix('/') {
            Some(text) if !text.is_empty() => (text, true),
            _ => (text.as_ref(), false),
        };
        let anchored = text.contains('/');
        let text = text.strip_prefix('/').unwrap_or(text);
        let globs = match (text, negated) {
            // A lone `!` takes everything back; a lone `/` names nothing.
            ("", true) => vec!["**".to_owned()],
            ("", false) => Vec::new(),
            (text, _) => globs_of(text, anchored, directories_only),
        };
        let globs: Vec<Glob> = globs.iter().filter_map(|glob| build(glob)).collect();
        Ok((!globs.is_empty()).then_some(Self {
            index,
            negated,
            means: Means::Globs {
                directories_only,
                globs,
                matchers: OnceLock::new(),
            },
            alphabet,
        }))
    }

    fn matches(&self, path: &str, is_directory: bool) -> bool {
        let path = self.alphabet.spell(path);
        match &self.means {
            Means::Globs {
                directories_only,
                globs,
                matchers,
            } => {
                let made = || globs.iter().map(Glob::compile_matcher).collect();
                (is_directory || !directories_only)
                    && matchers
                        .get_or_init(made)
                        .iter()
                        .any(|glob| glob.is_match(path.as_ref()))
            }
            Means::OddClass(class) => class.is_match(&path, is_directory),
        }
    }
}

fn globs_of(text: &str, anchored: bool, directories_only: bool) -> Vec<String> {
    let glob = translate(text);
    let mut globs = Vec::new();
    // `a/**/` names `a` itself as well as the directories below it.
    if directories_only && let Some(above) = glob.strip_suffix("/**") {
        globs.push(above.to_owned());
    }
    globs.push(if anchored { glob } else { format!("**/{glob}") });
    globs
}

fn build(glob: &str) -> Option<Glob> {
    GlobBuilder::new(glob)
        .literal_separator(true)
        .backslash_escape(true)
        .build()
        .ok()
}

/// Folds all letters that [`fold`] folds but those of ASCII.
fn fold_beyond_ascii(text: &str) -> String {
    let folded = fold(text);
    text.chars()
        .zip(folded.chars())
        .map(|(c, folded)| if c.is_ascii() { c } else { folded })
        .collect()
}

/// Folds letter case as JavaScript's `/i` does: to upper case, character by character, and
/// never from outside ASCII into it (finding P8).
fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_uppercase();
    }
    let single = |c: char| {
        let mut upper = c.to_uppercase();
        match (upper.next(), upper.next()) {
            (Some(upper), None) if c.is_ascii() || !upper.is_ascii() => upper,
            _ => c,
        }
    };
    text.chars().map(single).collect()
}

fn without_trailing_spaces(text: &str) -> &str {
    let trimmed = text.trim_end();
    // An escaped space at the end belongs to the pattern.
    if trimmed.len() < text.len() && trimmed.ends_with('\\') {
        &text[..=trimmed.len()]
    } else {
        trimmed
    }
}

/// A pattern that the client cannot turn into a regular expression (finding P6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Invalid;

/// Matches no name: a control character that no path keeps.
const NOTHING: char = '\u{1}';

/// Rewrites a gitignore pattern in globset's language: braces are literal, a class has no
/// negation, a backslash quotes only what has a meaning and else stands for itself.
fn translate(text: &str) -> String {
    let mut glob = String::with_capacity(text.len() + 8);
    let mut chars = text.chars().peekable();
    // Of several leading `**/` only the first spans directories.
    if let Some(rest) = text.strip_prefix("**/")
        && rest.starts_with("**/")
    {
        glob.push_str("**/*");
        chars = rest[2..].chars().peekable();
    }
    while let Some(c) = chars.next() {
        match c {
            '{' | '}' => glob.extend(['\\', c]),
            '\\' => glob.push_str(&escape(chars.next(), chars.peek().is_none())),
            '[' => {
                let rest: String = chars.clone().collect();
                let members = rest.split(']').next().unwrap_or_default();
                glob.push_str(&class_of(members));
                // The members, and the bracket that closes them.
                chars.nth(members.chars().count());
            }
            c => glob.push(c),
        }
    }
    glob
}

/// A backslash and the character behind it, `last` at the end of the pattern. The client hands
/// both to a regular expression, where letters such as `\s` mean classes that no path part
/// passes in practice; a star is a wildcard again at the end.
fn escape(quoted: Option<char>, last: bool) -> String {
    match quoted {
        None => NOTHING.to_string(),
        Some('*') if last => "*".to_owned(),
        Some('/') => "\\\\/".to_owned(),
        Some(c) if c.is_ascii_digit() || "BCDFKNRSTUVWX".contains(c.to_ascii_uppercase()) => {
            NOTHING.to_string()
        }
        Some(c) => format!("\\{c}"),
    }
}

/// A class as globset writes it. `!`, `^` and `[` are ordinary members and may not stand where
/// they would mean something; a range in the wrong order holds nothing.
fn class_of(class: &str) -> String {
    let members: Vec<char> = class.chars().filter(|c| *c != '\\').collect();
    let (mut plain, mut signs, mut slash) = (String::new(), String::new(), false);
    let mut at = 0;
    while at < members.len() {
        let c = members[at];
        if members.get(at + 1) == Some(&'-')
            && let Some(&end) = members.get(at + 2)
        {
            if c <= end {
                plain.extend([c, '-', end]);
            }
            at += 3;
            continue;
        }
        match c {
            '!' | '^' | '[' => signs.push(c),
            '/' => slash = true,
            '-' => signs.push(c),
            c => plain.push(c),
        }
        at += 1;
    }
    // A member that no name holds keeps the signs from the first place.
    let class = format!("[{NOTHING}{plain}{signs}]");
    if slash {
        format!("{{/,{class}}}")
    } else {
        class
    }
}

/// One-byte stand-ins for a pattern's characters outside ASCII.
///
/// globset matches bytes, so that `?` and classes would take a third of `日`. Every such
/// character of the pattern gets a control character that no file name holds; all others of
/// a path, which only a wildcard can match, share one.
#[derive(Clone, Debug, Default)]
struct Alphabet {
    letters: Vec<char>,
}

impl Alphabet {
    const OTHER: u8 = 3;
    const FIRST: u8 = 4;
    const LAST: u8 = 31;

    fn of(pattern: &str) -> Self {
        let mut letters: Vec<char> = pattern.chars().filter(|c| !c.is_ascii()).collect();
        letters.sort_unstable();
        letters.dedup();
        Self { letters }
    }

    fn spell<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if text.is_ascii() {
            return Cow::Borrowed(text);
        }
        let stand_in = |c: char| {
            if c.is_ascii() {
                return c;
            }
            let place = self.letters.binary_search(&c).ok();
            let place = place.and_then(|place| u8::try_from(place).ok());
            let byte = place.and_then(|place| Self::FIRST.checked_add(place));
            char::from(
                byte.filter(|byte| *byte <= Self::LAST)
                    .unwrap_or(Self::OTHER),
            )
        };
        text.chars().map(stand_in).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(patterns: &[&str], path: &str) -> bool {
        RulePatterns::new(patterns).is_match(path)
    }

    #[test]
    fn names_match_at_any_depth_and_paths_from_the_base() {
        assert!(matches(&["*.ts"], "a/b/x.ts"));
        assert!(matches(&["src"], "src/a.ts") && matches(&["src/"], "lib/src/a.ts"));
        assert!(!matches(&["src/*.ts"], "lib/src/a.ts"));
        assert!(matches(&["/a.ts"], "a.ts") && !matches(&["/a.ts"], "b/a.ts"));
        assert!(!matches(&["**/*"], "") && !matches(&["!"], ""));
        assert!(matches(&["src/**/"], "src/a.ts") && !matches(&["src/a.ts/"], "src/a.ts"));
    }

    #[test]
    fn letter_case_does_not_count() {
        assert!(matches(&["SRC/É*.TS"], "src/éa.ts"));
    }

    #[test]
    fn nothing_below_a_matched_directory_comes_back() {
        assert!(matches(&["src", "!src/a.ts"], "src/a.ts"));
        assert!(!matches(&["src/*.ts", "!src/a.ts"], "src/a.ts"));
        assert!(matches(&["!src/a.ts", "src/*.ts"], "src/a.ts"));
    }

    #[test]
    fn the_first_that_matches_alone_is_named() {
        let alone = |patterns: &[&str], path| RulePatterns::new(patterns).first_alone(path);
        assert_eq!(alone(&["# no", "!src", "*.rs", "src"], "src/a.ts"), Some(3));
        assert_eq!(alone(&["src/*.ts", "*.ts"], "src/a.ts"), Some(0));
        assert_eq!(alone(&["src/*.ts"], "lib/a.ts"), None);
    }

    #[test]
    fn wildcards_take_whole_characters() {
        assert!(matches(&["src/?.ts"], "src/日.ts"));
        assert!(!matches(&["src/??.ts"], "src/日.ts"));
        assert!(matches(&["日*/[本]"], "日x/本") && !matches(&["日*/[本]"], "日x/日"));
    }

    #[test]
    fn classes_do_not_negate() {
        assert!(!matches(&["src/[!b].ts"], "src/a.ts"));
        assert!(!matches(&["src/[^b].ts"], "src/a.ts"));
        assert!(matches(&["src/[ab].ts"], "src/a.ts"));
        assert!(!matches(&["src/[ab.ts"], "src/a.ts"));
    }

    /// Cases paths-odd-class*.
    #[test]
    fn a_wildcard_closes_an_open_class() {
        assert!(
            matches(&["[**"], "a/App.TSX"),
            "a run of members, then anything"
        );
        assert!(matches(&["[a/*"], "a/code.rs") && !matches(&["[a/*"], "b/code.rs"));
        assert!(matches(&["[a?"], "xa/A") && !matches(&["[a?"], "ab"));
        assert!(matches(&["[a*b]"], "aab]") && !matches(&["[a*b]"], "b"));
        assert!(!matches(&["[ab"], "a") && !matches(&["[a\\]"], "a"));
    }

    /// Cases paths-invalid-regexp*.
    #[test]
    fn an_open_class_with_a_slash_is_no_expression() {
        let invalid = |pattern: &str| RulePatterns::new(&[pattern]).has_invalid();
        assert!(invalid("[a/x") && invalid("[a/**/b") && invalid("[a/"));
        assert!(!invalid("[a/*.rs") && !invalid("[**/c d/") && !invalid("[ab"));
    }
}
