//! `claudeMdExcludes`: patterns on absolute paths (fact 7.1).
//!
//! The client's language has extended globs, quoting and look-ahead, which `globset` lacks, so
//! a pattern becomes a regular expression. Its shape was compared with some 600 recorded
//! patterns; backslashes are slashes to the client, in patterns and in paths, so nothing can
//! be escaped.

use std::fmt::Write as _;

use fancy_regex::Regex;

use crate::path::AbsPath;

/// One pattern of `claudeMdExcludes`.
#[derive(Clone, Debug)]
pub struct ExcludePattern {
    written: String,
    negated: bool,
    regex: Option<Regex>,
    /// The same with its fixed directories resolved, where that differs.
    resolved: Option<Box<Self>>,
}

impl ExcludePattern {
    /// Reads a pattern. One that cannot be read matches nothing but its own text.
    #[must_use]
    pub fn new(pattern: &str) -> Self {
        let written = pattern.replace('\\', "/");
        let mut text = written.as_str();
        let mut negated = false;
        while let Some(rest) = text.strip_prefix('!').filter(|rest| !rest.starts_with('(')) {
            negated = !negated;
            text = rest;
        }
        let text = text.strip_prefix("./").unwrap_or(text);
        // Two slashes at the start keep a pattern from matching (case excludes-double-slash).
        let chars: Vec<char> = if text.starts_with("//") {
            Vec::new()
        } else {
            text.chars().collect()
        };
        Self {
            negated,
            regex: regex_of(&chars),
            resolved: None,
            written,
        }
    }

    /// The same, with the directories before its first wildcard resolved by `real`, under which
    /// it matches as well: links in them are followed, `..` is applied (cases excludes-abs-*).
    #[must_use]
    pub fn resolving(pattern: &str, real: impl Fn(&AbsPath) -> Option<AbsPath>) -> Self {
        let mut this = Self::new(pattern);
        let written = this.written.as_str();
        let is_absolute = AbsPath::new(written).is_some() && !written.starts_with("//");
        if !is_absolute {
            return this;
        }
        let fixed = written.find(['*', '?', '{', '[']).unwrap_or(written.len());
        // The directory part of `/a/b/` is `/a`, so the folder just before a wildcard stays.
        let fixed = written[..fixed].trim_end_matches('/');
        let Some(slash) = fixed.rfind('/') else {
            return this;
        };
        let Some(folder) = AbsPath::new(&written[..=slash]) else {
            return this;
        };
        let folder = real(&folder).unwrap_or(folder);
        let rest = &written[slash + 1..];
        let resolved = if folder.is_root() {
            format!("{folder}{rest}")
        } else {
            format!("{folder}/{rest}")
        };
        if resolved != written {
            this.resolved = Some(Box::new(Self::new(&resolved)));
        }
        this
    }

    /// Whether the pattern matches an absolute path. Letter case counts; dot files match.
    #[must_use]
    pub fn is_match(&self, path: &str) -> bool {
        if self.written.is_empty() {
            return false;
        }
        let plain;
        let path = if path.contains('\\') {
            plain = path.replace('\\', "/");
            plain.as_str()
        } else {
            path
        };
        let regex = self.regex.as_ref();
        // A pattern that would backtrack without end matches nothing.
        let found = regex.is_some_and(|regex| regex.is_match(path).unwrap_or(false));
        let resolved = self.resolved.as_ref();
        found != self.negated
            || self.written == path
            || resolved.is_some_and(|resolved| resolved.is_match(path))
    }
}

/// How deep groups may nest before a pattern matches nothing.
const DEPTH: usize = 32;
/// The longest pattern that is read, in characters, as in the client.
const LENGTH: usize = 65_536;

fn regex_of(chars: &[char]) -> Option<Regex> {
    if chars.is_empty() || chars.len() > LENGTH {
        return None;
    }
    let plain = !chars.iter().any(|c| "*?[]{}()\"".contains(*c));
    let translator = Translator { chars, plain };
    let body = translator.body(0, chars.len(), 0)?;
    Regex::new(&format!("(?s)^(?:{body})$")).ok()
}

struct Translator<'a> {
    chars: &'a [char],
    /// Nothing in the pattern has a meaning, so `|` has none either.
    plain: bool,
}

impl Translator<'_> {
    /// The pattern from `start` to `end`; `None` when a group is not closed.
    fn body(&self, start: usize, end: usize, depth: usize) -> Option<String> {
        if depth > DEPTH {
            return None;
        }
        let mut out = String::new();
        let mut at = start;
        while at < end {
            let c = self.chars[at];
            let opens = self.chars[..end].get(at + 1) == Some(&'(');
            at = match c {
                '@' | '?' | '+' | '*' | '!' if opens => {
                    let close = self.close(at + 1, end, '(', ')')?;
                    out.push_str(&self.extended(c, at + 2, close, depth)?);
                    close + 1
                }
                '*' => self.stars(at, start, end, &mut out),
                '?' => {
                    out.push_str("[^/]");
                    at + 1
                }
                '[' => self.class(at, end, &mut out),
                '{' => {
                    let close = self.close(at, end, '{', '}')?;
                    out.push_str(&self.braces(at, close, depth)?);
                    close + 1
                }
                '(' => self.group(at, end, depth, &mut out)?,
                '"' => at + 1,
                '|' if !self.plain => {
                    out.push('|');
                    at + 1
                }
                c => {
                    push_literal(&mut out, c);
                    at + 1
                }
            };
        }
        Some(out)
    }

    /// `?(…)`, `*(…)`, `+(…)`, `@(…)` and `!(…)`; `start..end` is what stands inside.
    fn extended(&self, sign: char, start: usize, end: usize, depth: usize) -> Option<String> {
        let inner = self.body(start, end, depth + 1)?;
        Some(match sign {
            '?' | '+' | '*' => format!("(?:{inner}){sign}"),
            '!' => {
                let rest = &self.chars[end + 1..];
                let inside = &self.chars[start..end];
                let extension = |rest: &[char]| {
                    rest.len() > 1 && rest[0] == '.' && !rest[1..].iter().any(|c| "/.".contains(*c))
                };
                // What follows decides how far the exclusion reaches.
                if inside.len() > 1 && inside.contains(&'/') {
                    format!("(?:(?!(?:{inner})$).*?)")
                } else if rest.iter().all(|c| *c == ')') {
                    format!("(?:(?!(?:{inner})$)[^/]*?)")
                } else if inside.contains(&'*') && extension(rest) {
                    let rest = self.body(end + 1, self.chars.len(), depth + 1)?;
                    format!("(?:(?!(?:{inner}){rest})[^/]*?)")
                } else {
                    format!("(?:(?!(?:{inner}))[^/]*?)")
                }
            }
            _ => format!("(?:{inner})"),
        })
    }

    /// A plain group, or one of the regular expression's own such as `(?:…)`.
    fn group(&self, at: usize, end: usize, depth: usize, out: &mut String) -> Option<usize> {
        let Some(close) = self.close(at, end, '(', ')') else {
            out.push_str("\\(");
            return Some(at + 1);
        };
        let special = [':', '!', '='];
        let sign = self.chars.get(at + 2).filter(|c| special.contains(c));
        let (open, from) = match (self.chars.get(at + 1), sign) {
            (Some('?'), Some(sign)) => (format!("(?{sign}"), at + 3),
            _ => ("(?:".to_owned(), at + 1),
        };
        let _ = write!(out, "{open}{})", self.body(from, close, depth + 1)?);
        Some(close + 1)
    }

    fn close(&self, open: usize, end: usize, opener: char, closer: char) -> Option<usize> {
        let mut depth = 0_usize;
        for at in open..end {
            if self.chars[at] == opener {
                depth += 1;
            } else if self.chars[at] == closer {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
        }
        None
    }

    /// A run of stars. Two of them span directories where they are a whole part of the path,
    /// or make the start of `**.md`; any other number stays within one.
    fn stars(&self, at: usize, start: usize, end: usize, out: &mut String) -> usize {
        let run = self.chars[at..end]
            .iter()
            .take_while(|c| **c == '*')
            .count();
        let mut next = at + run;
        let opens = at == start || self.chars[at - 1] == '/';
        let closes = next == end || self.chars[next] == '/';
        let before_extension = at == 0 && self.chars[..end].get(next) == Some(&'.');
        if run != 2 || !opens || (!closes && !before_extension) {
            out.push_str("[^/]*?");
            return next;
        }
        // `**/**/` is one.
        while self.chars[next..end].starts_with(&['/', '*', '*'])
            && self.chars[..end].get(next + 3).is_none_or(|c| *c == '/')
        {
            next += 3;
        }
        let after_star = at >= 2 && self.chars[at - 2] == '*';
        match (at == start, next == end) {
            (true, false) if closes => {
                out.push_str("(?:^|/|.*?/)");
                next + 1
            }
            (true, _) => {
                out.push_str(".*?");
                next
            }
            // `/**` at the root of the pattern, or behind another star, needs something below.
            (false, true) if at == 1 || after_star => {
                out.push_str(".*?");
                next
            }
            (false, true) => {
                out.pop();
                out.push_str("(?:/.*?|$)");
                next
            }
            (false, false) if at == 1 => {
                out.push_str(".*?/");
                next + 1
            }
            (false, false) => {
                out.pop();
                out.push_str("(?:/.*?/|/|$)");
                next + 1
            }
        }
    }

    /// A class. Without special characters the brackets may also be meant as they stand.
    fn class(&self, at: usize, end: usize, out: &mut String) -> usize {
        let Some((close, members)) = self.members(at, end) else {
            out.push_str("\\[");
            return at + 1;
        };
        let inside = &self.chars[at + 1..close];
        if inside.iter().any(|c| "-*+?.^${}(|)[]".contains(*c)) {
            let _ = write!(out, "[{members}]");
        } else {
            out.push_str("(?:\\[");
            inside.iter().for_each(|c| push_literal(out, *c));
            let _ = write!(out, "\\]|[{members}])");
        }
        close + 1
    }

    /// The end of a class and its members as a regular expression writes them.
    fn members(&self, at: usize, end: usize) -> Option<(usize, String)> {
        let mut members = String::new();
        let mut next = at + 1;
        let negated = self.chars[..end].get(next) == Some(&'^');
        if negated {
            members.push('^');
            next += 1;
        }
        let first = next;
        while next < end {
            match self.chars[next] {
                ']' if next > first => {
                    if negated {
                        members.push('/');
                    }
                    return Some((next, members));
                }
                '[' if self.chars[..end].get(next + 1) == Some(&':') => {
                    let name: String = self.chars[next + 2..end]
                        .iter()
                        .take_while(|c| c.is_ascii_alphabetic())
                        .collect();
                    let behind = next + 2 + name.len();
                    let closes = self.chars[behind..end].starts_with(&[':', ']']);
                    match posix(&name).filter(|_| closes) {
                        Some(class) => {
                            members.push_str(class);
                            next = behind + 2;
                        }
                        None => {
                            members.push_str("\\[");
                            next += 1;
                        }
                    }
                }
                '-' => {
                    members.push('-');
                    next += 1;
                }
                c => {
                    push_literal(&mut members, c);
                    next += 1;
                }
            }
        }
        None
    }

    fn braces(&self, open: usize, close: usize, depth: usize) -> Option<String> {
        let mut parts = Vec::new();
        let (mut level, mut from) = (0_usize, open + 1);
        for at in open + 1..close {
            match self.chars[at] {
                '{' | '(' => level += 1,
                '}' | ')' => level = level.saturating_sub(1),
                ',' if level == 0 => {
                    parts.push(self.body(from, at, depth + 1)?);
                    from = at + 1;
                }
                _ => {}
            }
        }
        let last = self.body(from, close, depth + 1)?;
        if !parts.is_empty() {
            parts.push(last);
            return Some(format!("(?:{})", parts.join("|")));
        }
        let inside: String = self.chars[open + 1..close].iter().collect();
        Some(range(&inside).unwrap_or_else(|| format!("\\{{{last}\\}}")))
    }
}

/// `a..c`: the client sorts the ends and makes a class of their characters, so `1..10` is the
/// class `[1-10]`; one that is no class is taken as written.
fn range(inside: &str) -> Option<String> {
    let mut ends: Vec<&str> = inside.split("..").collect();
    if ends.len() < 2 || ends.iter().any(|end| end.is_empty()) {
        return None;
    }
    ends.sort_unstable();
    let class = format!("[{}]", ends.join("-"));
    if Regex::new(&class).is_ok() && !inside.contains(['[', ']', '^']) {
        return Some(class);
    }
    let mut text = String::new();
    ends.join("..")
        .chars()
        .for_each(|c| push_literal(&mut text, c));
    Some(text)
}

fn posix(name: &str) -> Option<&'static str> {
    Some(match name {
        "alnum" => "a-zA-Z0-9",
        "alpha" => "a-zA-Z",
        "ascii" => "\\x00-\\x7F",
        "blank" => " \\t",
        "cntrl" => "\\x00-\\x1F\\x7F",
        "digit" => "0-9",
        "graph" => "\\x21-\\x7E",
        "lower" => "a-z",
        "print" => "\\x20-\\x7E ",
        "punct" => "\\-!\"#$%&'()*+,./:;<=>?@\\[\\]^_`{|}~",
        "space" => " \\t\\r\\n\\x0B\\x0C",
        "upper" => "A-Z",
        "word" => "A-Za-z0-9_",
        "xdigit" => "A-Fa-f0-9",
        _ => return None,
    })
}

fn push_literal(out: &mut String, c: char) {
    if c.is_ascii_punctuation() && !matches!(c, '_' | '/' | '\'' | '"' | '<' | '>' | '`') {
        out.push('\\');
    }
    out.push(c);
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
        assert!(matches("**.md", "/a/b.md") && !matches("/a/**.md", "/a/b/c.md"));
        assert!(!matches("***", "/a/b") && matches("**/**/c", "/c"));
    }

    #[test]
    fn groups() {
        assert!(matches("**/{a,b{c,d}}.md", "/x/bd.md") && matches("**/f{1..3}", "/f2"));
        assert!(matches("**/CLAUDE?(.local).md", "/CLAUDE.md"));
        assert!(matches("**/+(u|r).md", "/uru.md") && !matches("**/+(u|r).md", "/.md"));
        assert!(matches("**/!(a).md", "/b.md") && !matches("**/!(a).md", "/ab.md"));
        assert!(!matches("**/!(a)", "/a") && matches("**/!(a)", "/ab"));
        assert!(matches("**/{a}.md", "/{a}.md") && matches("**/[ab", "/[ab"));
    }

    #[test]
    fn classes_may_stand_for_themselves() {
        assert!(matches("**/[id].md", "/[id].md") && matches("**/[id].md", "/i.md"));
        assert!(matches("**/[[:digit:]].md", "/1.md") && !matches("**/[^a].md", "/a.md"));
    }

    #[test]
    fn backslashes_are_slashes() {
        assert!(matches("C:\\p\\CLAUDE.md", "C:/p/CLAUDE.md"));
        assert!(!matches("**/a\\*b", "/a*b"));
    }

    #[test]
    fn leading_mark_inverts() {
        assert!(!matches("!**/a", "/a") && matches("!**/a", "/b"));
    }

    #[test]
    fn odd_patterns_do_not_panic() {
        for pattern in [
            "", "!", "[", "[]", "[^", "{", "(((", "\\", "**/+(", "a{b,", "[\\", "{..}", "[a", "!(",
        ] {
            matches(pattern, "/a/b");
        }
        let deep = format!("{}a{}", "{(".repeat(5000), ")}".repeat(5000));
        matches(&deep, "/a");
        matches(&"*(a|a)".repeat(40), &"a".repeat(200));
    }
}
