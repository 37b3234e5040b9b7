//! Comments by which authors ask not to be told: `<!-- outcrop-ignore L101 reason -->`.
//!
//! ```text
//! <!-- outcrop-ignore L101 reason -->          the next block, or the line if it has other text
//! <!-- outcrop-ignore-start L101 reason --> … <!-- outcrop-ignore-end -->
//! <!-- outcrop-ignore-file L101,L305 reason --> the file
//! # outcrop-ignore L203 reason                 in front matter: the next key, or the line's own
//! ```
//!
//! What an ignore hides is noted, so that rules can tell what is left: see the rules `ignore-*`.

use std::cell::Cell;
use std::ops::{Range, RangeInclusive};

use memchr::memmem;
use rustc_hash::FxHashMap;

use super::finding::Finding;
use super::ignore_lines::Lines;
use super::rule::Rule;
use crate::path::AbsPath;

/// What every such comment begins with.
const WORD: &str = "outcrop-ignore";

/// What one comment asks.
#[derive(Debug)]
pub(crate) struct Ignore {
    /// Its bytes, from `<!--` to `-->` or from `#` to the end of the line.
    pub(crate) range: Range<usize>,
    /// Nothing for the whole file.
    lines: Option<RangeInclusive<u32>>,
    /// The rules that it names.
    pub(crate) names: Vec<Name>,
    /// It says why.
    pub(crate) has_reason: bool,
}

/// A rule's name in such a comment.
#[derive(Debug)]
pub(crate) struct Name {
    /// Its bytes.
    pub(crate) range: Range<usize>,
    /// The rule, if there is one.
    pub(crate) rule: Option<&'static Rule>,
    /// A finding was hidden by it.
    pub(crate) is_used: Cell<bool>,
}

/// A comment that asks nothing.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) range: Range<usize>,
    pub(crate) kind: FaultKind,
}

/// Why it asks nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// It names no rule.
    NoRule,
    /// What stands behind `outcrop-ignore` is none of `-start`, `-end`, `-file`.
    Form,
    /// It ends what was not started.
    NoStart,
}

/// The ignores of a file.
#[derive(Debug, Default)]
pub(crate) struct FileIgnores {
    pub(crate) ignores: Vec<Ignore>,
    pub(crate) faults: Vec<Fault>,
}

/// The ignores of all files.
#[derive(Debug, Default)]
pub(crate) struct Ignores {
    files: FxHashMap<AbsPath, FileIgnores>,
}

impl Ignores {
    /// Reads the comments of Markdown files. JSON has none.
    pub(super) fn of<'t>(texts: impl Iterator<Item = (&'t AbsPath, &'t str)>) -> Self {
        let texts = texts.filter(|(path, text)| {
            !path.as_str().ends_with(".json")
                && memmem::find(text.as_bytes(), WORD.as_bytes()).is_some()
        });
        Self {
            files: texts
                .map(|(path, text)| (path.clone(), FileIgnores::of(text)))
                .collect(),
        }
    }

    /// Whether a finding is to be hidden; what hides it is noted.
    pub(super) fn hides(&self, finding: &Finding) -> bool {
        let Some(file) = self.files.get(&finding.span.path) else {
            return false;
        };
        let mut is_hidden = false;
        for ignore in &file.ignores {
            let covers = match &ignore.lines {
                None => true,
                Some(lines) => !finding.span.is_file && lines.contains(&finding.span.line),
            };
            let names = ignore.names.iter().filter(|_| covers);
            for name in names {
                if name.rule.is_some_and(|rule| rule.id == finding.rule.id) {
                    name.is_used.set(true);
                    is_hidden = true;
                }
            }
        }
        is_hidden
    }

    /// Where names stand that hid something, as the rule on unused ones places them.
    pub(super) fn used(&self) -> Vec<(AbsPath, usize)> {
        let mut used = Vec::new();
        for (path, file) in self.files() {
            for ignore in &file.ignores {
                for name in ignore.names.iter().filter(|name| name.is_used.get()) {
                    let alone = ignore.names.len() == 1;
                    let at = if alone {
                        ignore.range.start
                    } else {
                        name.range.start
                    };
                    used.push((path.clone(), at));
                }
            }
        }
        used
    }

    /// The ignores of each file, by path.
    pub(crate) fn files(&self) -> Vec<(&AbsPath, &FileIgnores)> {
        let mut files: Vec<_> = self.files.iter().collect();
        files.sort_unstable_by_key(|(path, _)| *path);
        files
    }
}

impl FileIgnores {
    fn of(text: &str) -> Self {
        let lines = Lines::of(text);
        let mut comments = lines.comments(WORD);
        comments.sort_by_key(|comment| comment.start);
        let mut file = Self::default();
        let mut started: Vec<Ignore> = Vec::new();
        for range in &comments {
            let asked = Asked::of(text, range);
            let mut fault = None;
            let mut ignore = Ignore {
                range: range.clone(),
                lines: None,
                names: asked.names,
                has_reason: asked.has_reason,
            };
            match asked.form {
                "-end" => match started.pop() {
                    Some(mut started) => {
                        started.lines =
                            Some(lines.number(started.range.start)..=lines.number(range.start));
                        file.ignores.push(started);
                    }
                    None => fault = Some(FaultKind::NoStart),
                },
                "" | "-start" | "-file" if ignore.names.is_empty() => {
                    fault = Some(FaultKind::NoRule);
                }
                "" => {
                    ignore.lines = Some(lines.covered(range, &comments));
                    file.ignores.push(ignore);
                }
                "-start" => started.push(ignore),
                "-file" => file.ignores.push(ignore),
                _ => fault = Some(FaultKind::Form),
            }
            if let Some(kind) = fault {
                file.faults.push(Fault {
                    range: range.clone(),
                    kind,
                });
            }
        }
        // What is not ended holds to the end of the file.
        for mut ignore in started {
            ignore.lines = Some(lines.number(ignore.range.start)..=u32::MAX);
            file.ignores.push(ignore);
        }
        file.ignores.sort_by_key(|ignore| ignore.range.start);
        file
    }
}

/// What a comment says.
struct Asked<'t> {
    /// What stands directly behind the word.
    form: &'t str,
    names: Vec<Name>,
    has_reason: bool,
}

impl<'t> Asked<'t> {
    fn of(text: &'t str, range: &Range<usize>) -> Self {
        let comment = &text[range.clone()];
        let inner = comment.strip_suffix("-->").unwrap_or(comment);
        let at = inner.find(WORD).unwrap_or_default() + WORD.len();
        let mut rest = inner.get(at..).unwrap_or_default();
        let form_end = rest
            .find(|letter: char| letter != '-' && !letter.is_alphanumeric())
            .unwrap_or(rest.len());
        let form = rest[..form_end].trim_end_matches('-');
        rest = &rest[form.len()..];
        let mut names = Vec::new();
        loop {
            rest = rest.trim_start();
            let end = rest
                .find(|letter: char| letter == ',' || letter == ':' || letter.is_whitespace())
                .unwrap_or(rest.len());
            let written = &rest[..end];
            if !written.is_empty() && written.contains(char::is_alphanumeric) {
                let start = range.start + (inner.len() - rest.len());
                names.push(Name {
                    range: start..start + end,
                    rule: super::rule(written),
                    is_used: Cell::new(false),
                });
                rest = &rest[end..];
            }
            match rest.trim_start().strip_prefix(',') {
                Some(more) => rest = more,
                None => break,
            }
        }
        Self {
            form,
            names,
            has_reason: rest.contains(char::is_alphanumeric),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each ignore as its lines, rules, and whether it gives a reason.
    fn read(text: &str) -> Vec<String> {
        let file = FileIgnores::of(text);
        let ignores = file.ignores.iter().map(|ignore| {
            let names = ignore.names.iter().map(|name| match name.rule {
                Some(rule) => rule.id.to_owned(),
                None => format!("?{}", &text[name.range.clone()]),
            });
            let lines = match &ignore.lines {
                None => "file".to_owned(),
                Some(lines) if *lines.end() == u32::MAX => format!("{}-end", lines.start()),
                Some(lines) => format!("{}-{}", lines.start(), lines.end()),
            };
            let reason = if ignore.has_reason { "" } else { " bare" };
            format!("{lines} {}{reason}", names.collect::<Vec<_>>().join("+"))
        });
        let faults = file.faults.iter().map(|fault| format!("{:?}", fault.kind));
        ignores.chain(faults).collect()
    }

    #[test]
    fn the_next_block_is_meant() {
        let comment = "<!-- outcrop-ignore L101 why -->";
        let cases = [
            ("\n\nOne\ntwo\n\nthree\n", "3-4"),
            ("\n# Heading\ntext\n", "2-2"),
            ("\n- a\n  b\n\n  c\n- d\n", "2-5"),
            ("\n1. a\n   - b\n2. c\n", "2-3"),
            ("\n```\na\n\nb\n```\nc\n", "2-6"),
            ("\nCommands:\n- a\n", "2-2"),
            (" the same line\n\nother\n", "1-1"),
            ("\n", "1-1"),
        ];
        for (after, lines) in cases {
            let wanted = format!("{lines} L101");
            assert_eq!(read(&format!("{comment}{after}")), [wanted], "{after:?}");
            let crlf = after.replace('\n', "\r\n");
            assert_eq!(read(&format!("{comment}{crlf}")), [format!("{lines} L101")]);
        }
        assert_eq!(read(&format!("- item {comment}\n- b\n")), ["1-1 L101"]);
        let two = "<!-- outcrop-ignore L101 a -->\n<!-- outcrop-ignore L203\nb -->\n\nOne\n";
        assert_eq!(read(two), ["5-5 L101", "5-5 L203"]);
    }

    #[test]
    fn names_and_reasons_are_told_apart() {
        let cases = [
            ("L101, key-foreign: why", "file L101+L203"),
            ("l101,L999 why", "file L101+?L999"),
            ("L101", "file L101 bare"),
            ("L101 --", "file L101 bare"),
            ("L101 - why", "file L101"),
        ];
        for (written, wanted) in cases {
            let text = format!("x\n<!--outcrop-ignore-file {written}-->\n");
            assert_eq!(read(&text), [wanted], "{written}");
        }
        assert_eq!(read("<!-- outcrop-ignore -->"), ["NoRule"]);
        assert_eq!(read("<!-- outcrop-ignore-next L101 x -->"), ["Form"]);
    }

    #[test]
    fn ranges_end() {
        let text = "a\n<!-- outcrop-ignore-start L101 x -->\nb\n<!-- outcrop-ignore-end -->\n\
                    <!-- outcrop-ignore-end -->\n<!-- outcrop-ignore-start L203 x -->\n";
        assert_eq!(read(text), ["2-4 L101", "6-end L203", "NoStart"]);
    }

    #[test]
    fn code_is_no_comment() {
        let text = "```\n<!-- outcrop-ignore L101 x -->\n```\n`<!-- outcrop-ignore L101 x -->` is how\n\
                    ~~~md\n```\n<!-- outcrop-ignore L101 x -->\n~~~\n# outcrop-ignore L101 x\n\
                    <!-- outcrop-ignore L101 never closed\n";
        assert_eq!(read(text), [""; 0]);
    }

    #[test]
    fn front_matter_has_its_own() {
        let text = "---\n# outcrop-ignore L203 why\nglobs:\n  - a\n\n  - b\nname: x # outcrop-ignore L203\n\
                    c: '#outcrop-ignore'\n---\n# outcrop-ignore L101 no\n";
        assert_eq!(read(text), ["3-6 L203", "7-7 L203 bare"]);
    }
}
