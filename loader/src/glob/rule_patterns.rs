//! Patterns of a conditional rule: gitignore, whatever the letter case (facts 5.5, 5.6).

use globset::{GlobBuilder, GlobMatcher};

/// The patterns of one rule.
#[derive(Clone, Debug)]
pub struct RulePatterns {
    patterns: Vec<Pattern>,
}

#[derive(Clone, Debug)]
struct Pattern {
    negated: bool,
    directories_only: bool,
    matchers: Vec<GlobMatcher>,
    alphabet: Alphabet,
}

impl RulePatterns {
    /// Reads patterns in order. One that cannot match anything is passed over.
    #[must_use]
    pub fn new<S: AsRef<str>>(patterns: &[S]) -> Self {
        let patterns = patterns.iter().filter_map(|p| Pattern::new(p.as_ref()));
        Self {
            patterns: patterns.collect(),
        }
    }

    /// Whether `path`, relative to the rule's base and with `/` between parts, matches.
    ///
    /// A match on a directory covers all below it, and no later `!` brings that back.
    #[must_use]
    pub fn is_match(&self, path: &str) -> bool {
        let path = lower(path);
        let slashes = memchr::memchr_iter(b'/', path.as_bytes());
        slashes
            .into_iter()
            .any(|end| self.covers(&path[..end], true))
            || self.covers(&path, false)
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

impl Pattern {
    fn new(written: &str) -> Option<Self> {
        let written = without_trailing_spaces(written);
        if written.is_empty() || written.starts_with('#') {
            return None;
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
        let text = lower(text);
        let alphabet = Alphabet::of(&text);
        let text = alphabet.spell(&text);
        let (text, directories_only) = match text.strip_suffix('/') {
            Some(text) => (text, true),
            None => (text.as_str(), false),
        };
        let anchored = text.contains('/');
        let text = text.strip_prefix('/').unwrap_or(text);
        let mut globs = Vec::new();
        let glob = translate(text);
        // `a/**/` names `a` itself as well as the directories below it.
        if directories_only && let Some(above) = glob.strip_suffix("/**") {
            globs.push(above.to_owned());
        }
        if anchored {
            globs.push(glob);
        } else {
            globs.push(format!("**/{glob}"));
        }
        let matchers: Vec<_> = globs.iter().filter_map(|glob| build(glob)).collect();
        (!matchers.is_empty()).then_some(Self {
            negated,
            directories_only,
            matchers,
            alphabet,
        })
    }

    fn matches(&self, path: &str, is_directory: bool) -> bool {
        if self.directories_only && !is_directory {
            return false;
        }
        let path = self.alphabet.spell(path);
        self.matchers
            .iter()
            .any(|matcher| matcher.is_match(path.as_str()))
    }
}

fn build(glob: &str) -> Option<GlobMatcher> {
    GlobBuilder::new(glob)
        .literal_separator(true)
        .backslash_escape(true)
        .build()
        .ok()
        .map(|glob| glob.compile_matcher())
}

fn lower(text: &str) -> String {
    let single = |c: char| {
        let mut lower = c.to_lowercase();
        match (lower.next(), lower.next()) {
            (Some(lower), None) => lower,
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

/// Rewrites a gitignore pattern in globset's language: braces are literal, a class has no
/// negation, an unclosed class matches nothing, a backslash quotes only what needs it.
fn translate(text: &str) -> String {
    let mut glob = String::with_capacity(text.len() + 8);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '{' | '}' => glob.extend(['\\', c]),
            '\\' => match chars.next() {
                Some(next) => glob.extend(['\\', next]),
                None => glob.push_str("\\\\"),
            },
            '[' => {
                let mut class = String::new();
                let mut closed = false;
                for c in chars.by_ref() {
                    if c == ']' {
                        closed = true;
                        break;
                    }
                    class.push(c);
                }
                glob.push_str(&class_of(&class, closed));
            }
            c => glob.push(c),
        }
    }
    glob
}

/// A class; one that is empty or not closed matches nothing.
fn class_of(class: &str, closed: bool) -> String {
    const NOTHING: &str = "\u{1}\u{1}";
    if !closed || class.is_empty() {
        return NOTHING.to_owned();
    }
    // `!` and `^` are ordinary members, so they may not stand first.
    let (signs, rest): (Vec<char>, Vec<char>) = class.chars().partition(|c| matches!(c, '!' | '^'));
    let rest: String = rest.into_iter().filter(|c| *c != '\\').collect();
    let signs: String = signs.into_iter().collect();
    match (rest.is_empty(), signs.as_str()) {
        (false, signs) => format!("[{rest}{signs}]"),
        (true, "!") => "!".to_owned(),
        (true, "^") => "^".to_owned(),
        (true, _) => "[\u{2}!^]".to_owned(),
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

    fn spell(&self, text: &str) -> String {
        if text.is_ascii() {
            return text.to_owned();
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
}
