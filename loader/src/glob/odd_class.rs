//! Patterns of `paths` whose class is none: it has no end, or holds a slash or a wildcard.
//!
//! The client writes a pattern as a JavaScript regular expression, wildcards first, and lets
//! such a class stand in it as it is. What a wildcard became then ends the class with a bracket
//! of its own: `[a*` is `[a[^/]*`, any run of the characters `a`, `[`, `^` and `/` (cases
//! paths-odd-class*).

use fancy_regex::Regex;

use super::rule_patterns::Invalid;

/// What a pattern whose class is none matches.
#[derive(Clone, Debug)]
pub(super) struct OddClass {
    /// `None` where nothing can match.
    expression: Option<Regex>,
}

/// What became of a class.
enum Class {
    /// Its expression, and how many characters of the pattern it took.
    Members(String, usize),
    /// Nothing matches the whole pattern.
    Nothing,
}

impl OddClass {
    /// Whether `pattern` holds a class of this kind.
    pub(super) fn is_in(pattern: &str) -> bool {
        let mut rest = pattern;
        while let Some(at) = rest.find(['[', '\\']) {
            let behind = &rest[at + 1..];
            if rest[at..].starts_with('\\') {
                rest = behind.get(1..).unwrap_or_default();
                continue;
            }
            let Some(close) = behind.find(']') else {
                return true;
            };
            let members = &behind[..close];
            if members.contains(['/', '*', '?']) || members.ends_with('\\') {
                return true;
            }
            rest = &behind[close + 1..];
        }
        false
    }

    /// Reads a pattern without its `!`, in ASCII. Paths are matched in upper case.
    pub(super) fn new(pattern: &str) -> Result<Self, Invalid> {
        let expression = expression(pattern)?;
        let compiled = expression.map(|text| Regex::new(&text).map_err(|_| Invalid));
        Ok(Self {
            expression: compiled.transpose()?,
        })
    }

    pub(super) fn is_match(&self, path: &str, is_directory: bool) -> bool {
        let Some(expression) = &self.expression else {
            return false;
        };
        let path = format!("{path}{}", if is_directory { "/" } else { "" });
        expression.is_match(&path).unwrap_or(false)
    }
}

/// The regular expression; `None` where it could match nothing.
fn expression(pattern: &str) -> Result<Option<String>, Invalid> {
    let anchored = pattern.strip_suffix('/').unwrap_or(pattern).contains('/');
    let mut text = String::from(if anchored { "^" } else { "(?:^|/)" });
    let mut rest = pattern.strip_prefix('/').unwrap_or(pattern);
    if let Some(behind) = rest.strip_prefix("**/") {
        text.push_str("(?:.*/)?");
        rest = behind;
    }
    let mut before = '/';
    while let Some(c) = rest.chars().next() {
        let mut taken = 1;
        match c {
            '/' if rest.starts_with("/**/") => {
                text.push_str("(?:/[^/]+)*");
                taken = 3;
            }
            '*' if rest.len() == 1 && before == '/' && anchored => text.push_str("[^/]+"),
            '*' => text.push_str("[^/]*"),
            '?' => text.push_str("[^/]"),
            '\\' => {
                let Some(quoted) = rest[1..].chars().next() else {
                    return Ok(None);
                };
                text.push_str(&literal(quoted));
                taken = 2;
            }
            '[' => match class(&rest[1..])? {
                Class::Members(members, length) => {
                    text.push_str(&members);
                    taken = length + 1;
                }
                Class::Nothing => return Ok(None),
            },
            c => text.push_str(&literal(c)),
        }
        before = c;
        rest = &rest[taken..];
    }
    text.push_str(if before == '/' { "$" } else { "/?$" });
    Ok(Some(text))
}

/// The class that opens before `rest`.
fn class(rest: &str) -> Result<Class, Invalid> {
    let mut members = Vec::new();
    let mut quoted = false;
    for (at, c) in rest.char_indices() {
        let wildcard = "*?".contains(c) && !quoted;
        if wildcard {
            members.extend(['[', '^', '/']);
            let stars = rest[at..].len() - rest[at..].trim_start_matches('*').len();
            let last = at + stars.max(1) == rest.len();
            let slashed = members[..members.len() - 3].contains(&'/');
            // A last star is none yet when the client looks for classes.
            let (repeated, taken) = match stars {
                0 => ("", 1),
                1 if last && !slashed => return Ok(Class::Nothing),
                1 if last && rest[..at].ends_with('/') => ("+", 1),
                _ if last && stars > 1 => ("*", stars - 1),
                _ => ("*", stars),
            };
            return Ok(match of(&members)? {
                Some(class) => Class::Members(class + repeated, at + taken),
                None => Class::Nothing,
            });
        }
        if c == ']' {
            let class = if members.contains(&'/') {
                of(&members)?
            } else {
                of_ordered(&members)
            };
            return Ok(match class {
                Some(class) if !quoted => Class::Members(class, at + 1),
                _ => Class::Nothing,
            });
        }
        if rest[at..].starts_with("/**") && !rest[at + 3..].starts_with('*') {
            // The bracket that this opens in the client's expression is never closed.
            return Err(Invalid);
        }
        quoted = c == '\\' && !quoted;
        if !quoted {
            members.push(c);
        }
    }
    let Some(slash) = members.iter().rposition(|member| *member == '/') else {
        return Ok(Class::Nothing);
    };
    // A bracket behind the last slash is an empty class to the client, whose end ends this.
    let bracket = members[slash..].iter().position(|member| *member == '[');
    let within = slash + bracket.ok_or(Invalid)?;
    let class = of(&members[..=within])?.unwrap_or_default();
    Ok(Class::Members(class, rest.len()))
}

/// A class of these members, `-` between two of them a range; `None` where it holds none.
fn of(members: &[char]) -> Result<Option<String>, Invalid> {
    match ranges(members).all(|(first, last)| first <= last) {
        true => Ok(of_ordered(members)),
        false => Err(Invalid),
    }
}

/// The same without the ranges whose ends are in the wrong order, as in a class proper.
fn of_ordered(members: &[char]) -> Option<String> {
    let mut class = String::new();
    for (first, last) in ranges(members).filter(|(first, last)| first <= last) {
        class.push_str(&format!("{}-{}", exactly(first), exactly(last)));
        let (low, high) = (first.max('a'), last.min('z'));
        if low <= high {
            class.push_str(&format!("{}-{}", literal(low), literal(high)));
        }
    }
    (!class.is_empty()).then(|| format!("[{class}]"))
}

fn ranges(members: &[char]) -> impl Iterator<Item = (char, char)> {
    let mut rest = members;
    std::iter::from_fn(move || {
        let (range, behind) = match rest {
            [] => return None,
            [first, '-', last, behind @ ..] => ((*first, *last), behind),
            [only, behind @ ..] => ((*only, *only), behind),
        };
        rest = behind;
        Some(range)
    })
}

/// A character as paths hold it, in upper case.
fn literal(c: char) -> String {
    exactly(c.to_ascii_uppercase())
}

fn exactly(c: char) -> String {
    format!("\\x{{{:x}}}", u32::from(c))
}
