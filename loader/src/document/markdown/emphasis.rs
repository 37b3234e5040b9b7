//! Emphasis: where a run of `*` or `_` that may open it is closed (findings M7).
//!
//! Delimiters are matched on a copy of the text in which links, code spans, tags and escapes
//! are masked, and by a rule of its own that is not CommonMark's: an opener looks ahead for
//! enough closers, counting further openers against them.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::brackets;
use super::punctuation::{Class, class, is_punctuation};
use crate::javascript::is_space;

/// A run of one delimiter in the masked text.
#[derive(Clone, Copy)]
struct Run {
    at: usize,
    len: usize,
    role: Role,
}

/// What a run can do, by the characters on both sides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Close,
    Open,
    Either,
    Neither,
}

/// The masked text and its delimiters, made when the first is asked for.
struct Mask {
    text: Vec<u8>,
    stars: Vec<Run>,
    underscores: Vec<Run>,
}

/// Finds the emphasis of one inline text.
pub(super) struct Emphasis<'a> {
    text: &'a str,
    start: usize,
    labels: &'a FxHashSet<String>,
    mask: Option<Mask>,
    /// The run of delimiters that was looked at last.
    last: Opener,
}

/// A run of delimiters in the text itself.
#[derive(Clone, Copy, Default)]
struct Opener {
    end: usize,
    /// Where the search for what closes it begins.
    search_from: Option<usize>,
}

impl<'a> Emphasis<'a> {
    /// For the text from byte `start` on.
    pub(super) fn new(text: &'a str, start: usize, labels: &'a FxHashSet<String>) -> Self {
        Self {
            text,
            start,
            labels,
            mask: None,
            last: Opener::default(),
        }
    }

    /// The emphasis that opens at `at`: what it holds, and its end. `before` is the character
    /// before it, where that is plain text; `fuel` is how many runs may still be looked at, a
    /// bound against texts of openers only.
    pub(super) fn at(
        &mut self,
        at: usize,
        before: Option<char>,
        fuel: &mut usize,
    ) -> Option<(Range<usize>, usize)> {
        let bytes = self.text.as_bytes();
        let sign = bytes[at];
        // An opener that failed is tried again without its first sign.
        if self.last.end <= at || bytes[self.last.end - 1] != sign {
            let opened = bytes[at..].iter().take_while(|b| **b == sign).count();
            self.last = Opener {
                end: at + opened,
                search_from: None,
            };
        }
        let inner = self.last.end;
        let opened = inner - at;
        let next = self.text[inner..]
            .chars()
            .next()
            .filter(|c| !is_space(*c))?;
        if !is_punctuation(next) {
            // Half of a character beyond the basic plane is no letter to the reader.
            let letter = before.is_some_and(|c| c.is_alphanumeric() && c.len_utf16() == 1);
            if sign == b'_' && letter {
                return None;
            }
        } else if let Some(c) = before
            && (matches!(c, '*' | '_') || c.len_utf16() > 1 || class(c) == Class::Other)
        {
            return None;
        }
        let (text, start, labels) = (self.text, self.start, self.labels);
        let mask = self.mask.get_or_insert_with(|| mask(text, start, labels));
        let from = *self
            .last
            .search_from
            .get_or_insert_with(|| skip_orphan(&mask.text, inner - start, sign) + start);
        let runs = if sign == b'*' {
            &mask.stars
        } else {
            &mask.underscores
        };
        let first = runs.partition_point(|run| run.at < from);
        let (mut open, mut passed) = (opened, 0);
        for run in &runs[first..] {
            *fuel = fuel.checked_sub(1)?;
            match run.role {
                Role::Neither => continue,
                Role::Open => {
                    open += run.len;
                    continue;
                }
                Role::Either
                    if !opened.is_multiple_of(3) && (opened + run.len).is_multiple_of(3) =>
                {
                    passed += run.len;
                    continue;
                }
                Role::Close | Role::Either => {}
            }
            if open > run.len {
                open -= run.len;
                continue;
            }
            let closed = run.len.min(open + passed);
            let end = run.at + closed;
            let width = if opened.min(closed) % 2 == 1 { 1 } else { 2 };
            return Some((at + width..end - width, end));
        }
        None
    }
}

/// Where the search begins: behind a delimiter of this kind that stands alone before a double
/// one of the other, as in `**a __b* c__`.
fn skip_orphan(mask: &[u8], from: usize, sign: u8) -> usize {
    let other = if sign == b'*' { b'_' } else { b'*' };
    let next = |at: usize| {
        memchr::memchr2(b'*', b'_', mask.get(at..).unwrap_or_default()).map(|found| at + found)
    };
    let is_double = |at: usize| mask[at..].starts_with(&[other, other]);
    let found = next(from)
        .filter(|at| is_double(*at))
        .and_then(|at| next(at + 2))
        .filter(|at| mask[*at] == sign)
        .and_then(|at| next(at + 1))
        .filter(|at| is_double(*at));
    found.unwrap_or(from)
}

/// Masks what may not be taken for delimiters, with as many bytes.
fn mask(text: &str, start: usize, labels: &FxHashSet<String>) -> Mask {
    let mut bytes = text.as_bytes()[start..].to_vec();
    if !labels.is_empty() {
        mask_references(&mut bytes, labels);
    }
    mask_spans(&mut bytes);
    mask_escapes(&mut bytes);
    let runs = |sign| runs(&bytes, start, sign);
    Mask {
        stars: runs(b'*'),
        underscores: runs(b'_'),
        text: bytes,
    }
}

fn fill(bytes: &mut [u8], range: Range<usize>) {
    let last = range.end - 1;
    bytes[range.clone()].fill(b'a');
    bytes[range.start] = b'[';
    bytes[last] = b']';
}

/// Masks links by a label that is defined and written as it is looked up.
fn mask_references(bytes: &mut [u8], labels: &FxHashSet<String>) {
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'[', &bytes[at..]) {
        let open = at + found;
        let start = if found > 0 && bytes[open - 1] == b'!' {
            open - 1
        } else {
            open
        };
        at = open + 1;
        let full = brackets::link_label(bytes, open + 1)
            .filter(|close| bytes.get(close + 1) == Some(&b'['))
            .and_then(|close| Some((close + 2, brackets::plain_label(bytes, close + 2)?)));
        let (label, end) = if let Some((from, end)) = full {
            (from..end, end + 1)
        } else {
            let Some(close) = brackets::plain_label(bytes, open + 1) else {
                continue;
            };
            let after = &bytes[close + 1..];
            if after.starts_with(b"(") {
                continue;
            }
            if after.starts_with(b"[]") && after.get(2) != Some(&b'(') {
                (close + 2..close + 2, close + 3)
            } else {
                (open + 1..close, close + 1)
            }
        };
        at = end;
        // What counts is the text behind the last bracket.
        let label = match memchr::memrchr(b'[', &bytes[label.clone()]) {
            Some(inner) => label.start + inner + 1..label.end,
            None => label,
        };
        let known = std::str::from_utf8(&bytes[label]).is_ok_and(|label| labels.contains(label));
        if known {
            fill(bytes, start..end);
        }
    }
}

/// Masks links with a destination, code spans and tags, each as a rough pattern.
fn mask_spans(bytes: &mut [u8]) {
    let mut at = 0;
    while let Some(found) = memchr::memchr3(b'[', b'`', b'<', &bytes[at..]) {
        let start = at + found;
        at = start + 1;
        let rest = &bytes[at..];
        let end = match bytes[start] {
            b'[' => memchr::memchr2(b'[', b']', rest)
                .filter(|close| rest[*close..].starts_with(b"]("))
                .and_then(|close| parentheses(bytes, at + close + 2)),
            b'`' => memchr::memchr(b'`', rest).map(|close| at + close + 1),
            _ => memchr::memchr2(b'<', b'>', rest)
                .filter(|close| rest[*close] == b'>')
                .map(|close| at + close + 1),
        };
        if let Some(end) = end {
            fill(bytes, start..end);
            at = end;
        }
    }
}

/// The end of parentheses whose content begins at `from`, with one pair deep inside.
fn parentheses(bytes: &[u8], from: usize) -> Option<usize> {
    let (mut at, mut inner) = (from, false);
    loop {
        match *bytes.get(at)? {
            b'\\' => at += brackets::escape_len(bytes, at)?,
            b'(' if inner => return None,
            b'(' => {
                inner = true;
                at += 1;
            }
            b')' if inner => {
                inner = false;
                at += 1;
            }
            b')' => return Some(at + 1),
            _ => at += 1,
        }
    }
}

fn mask_escapes(bytes: &mut [u8]) {
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', &bytes[at..]) {
        let start = at + found;
        at = start + 1;
        let end = brackets::escape_len(bytes, start).map_or(at, |len| start + len);
        let escaped = std::str::from_utf8(&bytes[at..end.min(bytes.len())]).unwrap_or_default();
        if escaped.chars().next().is_some_and(is_punctuation) {
            bytes[start..end].fill(b'+');
            at = end;
        }
    }
}

/// The runs of `sign`, at their places in the whole text.
fn runs(mask: &[u8], start: usize, sign: u8) -> Vec<Run> {
    let text = std::str::from_utf8(mask).unwrap_or_default();
    let mut runs = Vec::new();
    let mut at = 0;
    while let Some(found) = memchr::memchr(sign, &text.as_bytes()[at..]) {
        let from = at + found;
        let len = text[from..].bytes().take_while(|b| *b == sign).count();
        at = from + len;
        let before = text[..from].chars().next_back().map(class);
        let after = text[at..].chars().next().map(class);
        runs.push(Run {
            at: start + from,
            len,
            role: role(before, after, sign),
        });
    }
    runs
}

fn role(before: Option<Class>, after: Option<Class>, sign: u8) -> Role {
    use Class::{Other, Punctuation, Space};
    match (before, after) {
        (Some(Punctuation), None | Some(Space)) => Role::Close,
        (Some(Other), None | Some(Space | Punctuation)) => Role::Close,
        (Some(Space | Punctuation), Some(Other)) => Role::Open,
        (Some(Space), Some(Punctuation)) => Role::Open,
        (Some(Punctuation), Some(Punctuation)) => Role::Either,
        (Some(Other), Some(Other)) if sign == b'*' => Role::Either,
        _ => Role::Neither,
    }
}
