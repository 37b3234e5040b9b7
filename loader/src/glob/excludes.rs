//! `claudeMdExcludes`: patterns on absolute paths (fact 7.1).
//!
//! The language has extended globs, which `globset` lacks, so a pattern becomes a regular
//! expression. `!(…)` needs to look ahead, which linear-time expressions cannot: such a pattern
//! becomes two, and a path matches when the first does and the second does not.

use regex::Regex;

/// One pattern of `claudeMdExcludes`.
#[derive(Clone, Debug)]
pub struct ExcludePattern {
    negated: bool,
    matches: Option<Regex>,
    but_not: Option<Regex>,
}

impl ExcludePattern {
    /// Reads a pattern. One that cannot be read matches nothing.
    #[must_use]
    pub fn new(pattern: &str) -> Self {
        let mut text = pattern;
        let mut negated = false;
        while let Some(rest) = text.strip_prefix('!').filter(|rest| !rest.starts_with('(')) {
            negated = !negated;
            text = rest;
        }
        let text = text.strip_prefix("./").unwrap_or(text);
        let chars: Vec<char> = text.chars().collect();
        let mut wide = Translator::new(&chars, false);
        let matches = wide.regex();
        let but_not = wide
            .met_not
            .then(|| Translator::new(&chars, true).regex())
            .flatten();
        Self {
            negated,
            matches,
            but_not,
        }
    }

    /// Whether the pattern matches an absolute path. Letter case counts; dot files match.
    #[must_use]
    pub fn is_match(&self, path: &str) -> bool {
        let matches = self
            .matches
            .as_ref()
            .is_some_and(|regex| regex.is_match(path));
        let but_not = self
            .but_not
            .as_ref()
            .is_some_and(|regex| regex.is_match(path));
        (matches && !but_not) != self.negated
    }
}

/// How deep groups may nest before the rest is taken literally.
const DEPTH: usize = 32;

struct Translator<'a> {
    chars: &'a [char],
    /// `!(x)` stands for `x` itself instead of anything.
    narrow: bool,
    met_not: bool,
}

impl<'a> Translator<'a> {
    fn new(chars: &'a [char], narrow: bool) -> Self {
        Self {
            chars,
            narrow,
            met_not: false,
        }
    }

    fn regex(&mut self) -> Option<Regex> {
        if self.chars.is_empty() {
            return None;
        }
        let body = self.body(0, self.chars.len(), 0);
        Regex::new(&format!("(?s)^(?:{body})$")).ok()
    }

    fn body(&mut self, start: usize, end: usize, depth: usize) -> String {
        let mut out = String::new();
        let mut at = start;
        while at < end {
            let c = self.chars[at];
            let group = matches!(c, '@' | '?' | '+' | '*' | '!')
                && self.chars[..end].get(at + 1) == Some(&'(');
            if group
                && depth < DEPTH
                && let Some(close) = self.close(at + 1, end, '(', ')')
            {
                out.push_str(&self.extended(c, at + 2, close, depth + 1));
                at = close + 1;
                continue;
            }
            match c {
                '\\' if at + 1 < end => {
                    out.push_str(&regex::escape(&self.chars[at + 1].to_string()));
                    at += 2;
                }
                '*' => at = self.stars(at, start, end, &mut out),
                '?' => {
                    out.push_str("[^/]");
                    at += 1;
                }
                '[' => at = self.class(at, end, &mut out),
                '{' => at = self.braces(at, end, depth, &mut out),
                '(' if depth < DEPTH => match self.close(at, end, '(', ')') {
                    Some(close) => {
                        let inner = self.alternatives(at + 1, close, '|', depth + 1);
                        out.push_str(&format!("(?:{inner})"));
                        at = close + 1;
                    }
                    None => {
                        out.push_str("\\(");
                        at += 1;
                    }
                },
                c => {
                    out.push_str(&regex::escape(&c.to_string()));
                    at += 1;
                }
            }
        }
        out
    }

    fn extended(&mut self, sign: char, start: usize, end: usize, depth: usize) -> String {
        let inner = self.alternatives(start, end, '|', depth);
        match sign {
            '?' => format!("(?:{inner})?"),
            '+' => format!("(?:{inner})+"),
            '*' => format!("(?:{inner})*"),
            '!' => {
                self.met_not = true;
                if self.narrow {
                    format!("(?:{inner})")
                } else {
                    "[^/]*".to_owned()
                }
            }
            _ => format!("(?:{inner})"),
        }
    }

    fn alternatives(&mut self, start: usize, end: usize, separator: char, depth: usize) -> String {
        let mut parts = Vec::new();
        let mut from = start;
        for at in self.separators(start, end, separator) {
            parts.push(self.body(from, at, depth));
            from = at + 1;
        }
        parts.push(self.body(from, end, depth));
        parts.join("|")
    }

    /// Places of `separator` outside inner groups.
    fn separators(&self, start: usize, end: usize, separator: char) -> Vec<usize> {
        let mut places = Vec::new();
        let (mut depth, mut at) = (0_usize, start);
        while at < end {
            match self.chars[at] {
                '\\' => at += 1,
                '(' | '{' => depth += 1,
                ')' | '}' => depth = depth.saturating_sub(1),
                c if c == separator && depth == 0 => places.push(at),
                _ => {}
            }
            at += 1;
        }
        places
    }

    fn close(&self, open: usize, end: usize, opener: char, closer: char) -> Option<usize> {
        let (mut depth, mut at) = (0_usize, open);
        while at < end {
            match self.chars[at] {
                '\\' => at += 1,
                c if c == opener => depth += 1,
                c if c == closer => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// A run of stars: `**` between slashes spans directories, all else one level.
    fn stars(&self, at: usize, start: usize, end: usize, out: &mut String) -> usize {
        let run = self.chars[at..end]
            .iter()
            .take_while(|c| **c == '*')
            .count();
        let next = at + run;
        let opens = at == start || self.chars[at - 1] == '/';
        let closes = next == end || self.chars[next] == '/';
        if run < 2 || !opens || !closes {
            out.push_str("[^/]*");
            return next;
        }
        if next < end {
            out.push_str("(?:[^/]*/)*");
            return next + 1;
        }
        // `a/**` matches `a` as well.
        if at > start && out.ends_with('/') {
            out.pop();
            out.push_str("(?:/.*)?");
        } else {
            out.push_str(".*");
        }
        next
    }

    fn class(&self, at: usize, end: usize, out: &mut String) -> usize {
        let mut close = at + 1;
        if close < end && self.chars[close] == '^' {
            close += 1;
        }
        // `]` first is a member.
        close += 1;
        while close < end && self.chars[close] != ']' {
            close += if self.chars[close] == '\\' { 2 } else { 1 };
        }
        if close >= end {
            out.push_str("\\[");
            return at + 1;
        }
        let negated = self.chars[at + 1] == '^';
        let members = &self.chars[at + 1 + usize::from(negated)..close];
        out.push_str(if negated { "[^" } else { "[" });
        let mut escaped = false;
        for c in members {
            match c {
                '\\' if !escaped => {
                    escaped = true;
                    continue;
                }
                '-' if !escaped => out.push('-'),
                c if c.is_alphanumeric() => out.push(*c),
                c if c.is_ascii() => out.extend(['\\', *c]),
                c => out.push(*c),
            }
            escaped = false;
        }
        out.push(']');
        close + 1
    }

    fn braces(&mut self, at: usize, end: usize, depth: usize, out: &mut String) -> usize {
        let close = self.close(at, end, '{', '}').filter(|_| depth < DEPTH);
        let Some(close) = close else {
            out.push_str("\\{");
            return at + 1;
        };
        if !self.separators(at + 1, close, ',').is_empty() {
            let inner = self.alternatives(at + 1, close, ',', depth + 1);
            out.push_str(&format!("(?:{inner})"));
            return close + 1;
        }
        let inner: String = self.chars[at + 1..close].iter().collect();
        if let Some(range) = range(&inner) {
            out.push_str(&range);
            return close + 1;
        }
        out.push_str("\\{");
        at + 1
    }
}

/// `a..c` and `1..12` as a choice of texts.
fn range(inner: &str) -> Option<String> {
    let (from, to) = inner.split_once("..")?;
    let texts: Vec<String> = if let (Ok(from), Ok(to)) = (from.parse::<u16>(), to.parse::<u16>()) {
        (from.min(to)..=from.max(to))
            .map(|n| n.to_string())
            .collect()
    } else {
        let (mut a, mut b) = (from.chars(), to.chars());
        let (Some(a), None, Some(b), None) = (a.next(), a.next(), b.next(), b.next()) else {
            return None;
        };
        (a.min(b)..=a.max(b))
            .map(|c| regex::escape(&c.to_string()))
            .collect()
    };
    Some(format!("(?:{})", texts.join("|")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, path: &str) -> bool {
        ExcludePattern::new(pattern).is_match(path)
    }

    #[test]
    fn stars_and_levels() {
        assert!(matches("**", "/a/.b/c") && matches("**/c", "/a/c"));
        assert!(!matches("*", "/a") && matches("/*/c", "/a/c") && !matches("/*/c", "/a/b/c"));
        assert!(matches("/a/**", "/a") && matches("/a/**/c", "/a/c"));
        assert!(!matches("c", "/a/c") && !matches("./c", "/a/c"));
    }

    #[test]
    fn groups() {
        assert!(matches("**/{a,b{c,d}}.md", "/x/bd.md") && matches("**/f{1..3}", "/f2"));
        assert!(matches("**/CLAUDE?(.local).md", "/CLAUDE.md"));
        assert!(matches("**/+(u|r).md", "/uru.md") && !matches("**/+(u|r).md", "/.md"));
        assert!(matches("**/!(a).md", "/b.md") && !matches("**/!(a).md", "/a.md"));
        assert!(matches("**/{a}.md", "/{a}.md") && matches("**/[ab", "/[ab"));
    }

    #[test]
    fn leading_mark_inverts() {
        assert!(!matches("!**/a", "/a") && matches("!**/a", "/b"));
    }

    #[test]
    fn odd_patterns_do_not_panic() {
        for pattern in [
            "", "!", "[", "[]", "[^", "{", "(((", "\\", "**/+(", "a{b,", "[\\",
        ] {
            matches(pattern, "/a/b");
        }
        let deep = format!("{}a{}", "{(".repeat(5000), ")}".repeat(5000));
        matches(&deep, "/a");
    }
}
