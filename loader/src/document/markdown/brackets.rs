//! The parts of links and definitions: labels, titles, destinations.

use std::ops::Range;

use super::lines::{dedent, line_at, line_end};
use crate::javascript::is_space;

/// How long a title may be; a bound against texts that open thousands and close none.
const TITLE_BYTES: usize = 4 * 1024;

/// A link reference definition at the start of a text.
pub(super) struct Definition {
    /// Its bytes, with the line ends behind it.
    pub(super) len: usize,
    pub(super) label: Range<usize>,
}

/// The length of a backslash and the character that it escapes; a line end cannot be.
pub(super) fn escape_len(bytes: &[u8], at: usize) -> Option<usize> {
    match *bytes.get(at + 1)? {
        b'\n' => None,
        first if first < 0x80 => Some(2),
        0xE2 if matches!(bytes.get(at + 2..at + 4), Some([0x80, 0xA8 | 0xA9])) => None,
        first if first < 0xE0 => Some(3),
        first if first < 0xF0 => Some(4),
        _ => Some(5),
    }
}

/// The `]` behind a label of a definition or reference, which holds no brackets but escaped ones
/// and something other than blanks.
pub(super) fn plain_label(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        match *bytes.get(at)? {
            b'\\' => at += escape_len(bytes, at)?,
            b'[' => return None,
            b']' => break,
            _ => at += 1,
        }
    }
    let label = std::str::from_utf8(&bytes[from..at]).ok()?;
    (!label.trim_matches(is_space).is_empty()).then_some(at)
}

/// The `]` behind the text of a link: brackets within it one deep, code spans whole.
pub(super) fn link_label(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        match *bytes.get(at)? {
            b'\\' => at += escape_len(bytes, at)?,
            b']' => return Some(at),
            b'[' => at = inner_label(bytes, at + 1)? + 1,
            b'`' => at += 2 + memchr::memchr(b'`', &bytes[at + 1..])?,
            _ => at += 1,
        }
    }
}

fn inner_label(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        match *bytes.get(at)? {
            b'\\' => at += escape_len(bytes, at)?,
            b']' => return Some(at),
            b'[' => return None,
            _ => at += 1,
        }
    }
}

/// What is looked up for a label.
pub(super) fn key(label: &str) -> String {
    let mut key = String::with_capacity(label.len());
    let mut in_blanks = false;
    for c in label.chars() {
        if !is_space(c) {
            key.push(c);
        } else if !in_blanks {
            key.push(' ');
        }
        in_blanks = is_space(c);
    }
    key.to_lowercase()
}

/// The end of the title in quotes or parentheses at the start of `text`, of which `fits` tells
/// whether what follows it is right.
///
/// An escaped closer ends it too if no bare one does, the last one first.
/// Each title is looked for within [`TITLE_BYTES`] only.
fn quoted_end(text: &str, fits: impl Fn(usize) -> bool) -> Option<usize> {
    let bytes = &text.as_bytes()[..text.len().min(TITLE_BYTES)];
    let closer = match *bytes.first()? {
        b'(' => b')',
        quote @ (b'"' | b'\'') => quote,
        _ => return None,
    };
    let mut escaped = Vec::new();
    for at in memchr::memchr_iter(closer, &bytes[1..]).map(|at| at + 1) {
        if at > 1 && bytes[at - 1] == b'\\' {
            escaped.push(at + 1);
        } else if fits(at + 1) {
            return Some(at + 1);
        } else {
            break;
        }
    }
    escaped.into_iter().rev().find(|end| fits(*end))
}

/// The link reference definition at the start of `text` (findings M6).
pub(super) fn definition(text: &str) -> Option<Definition> {
    let line = line_at(text, 0);
    let open = line.len() - dedent(line, 3)?.len();
    let bytes = text.as_bytes();
    if bytes.get(open) != Some(&b'[') {
        return None;
    }
    let close = plain_label(bytes, open + 1)?;
    if bytes.get(close + 1) != Some(&b':') {
        return None;
    }
    let mut at = skip(text, close + 2, b" ");
    if bytes.get(at) == Some(&b'\n') {
        at = skip(text, at + 1, b" \t");
    }
    let ends = |at: usize| {
        let at = skip(text, at, b" ");
        (at == text.len() || bytes[at] == b'\n').then(|| skip(text, at, b"\n"))
    };
    let rest = |at: usize| {
        definition_title(text, at)
            .and_then(ends)
            .or_else(|| ends(at))
    };
    let len = if bytes.get(at) == Some(&b'<') {
        let line = &bytes[at..line_end(text, at)];
        memchr::memchr_iter(b'>', line).find_map(|close| rest(at + close + 1))?
    } else {
        let len = text[at..].find(is_space).unwrap_or(text.len() - at);
        (len > 0).then(|| rest(at + len))??
    };
    Some(Definition {
        len,
        label: open + 1..close,
    })
}

fn skip(text: &str, from: usize, bytes: &[u8]) -> usize {
    let rest = text.as_bytes()[from..].iter();
    from + rest.take_while(|byte| bytes.contains(byte)).count()
}

/// The end of the title that follows a definition's destination. One in double quotes may hold
/// blank lines, one in single quotes may not, one in parentheses no parentheses.
fn definition_title(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = skip(text, from, b" ");
    if bytes.get(at) == Some(&b'\n') {
        at = skip(text, at + 1, b" \t");
    } else if at == from {
        return None;
    }
    let title = &text[at..];
    let inner = title.get(1..)?;
    let end = match bytes[at] {
        b'"' => quoted_end(title, |end| {
            let after = skip(title, end, b" ");
            after == title.len() || title.as_bytes()[after] == b'\n'
        })?,
        b'\'' => {
            let close = memchr::memchr(b'\'', inner.as_bytes())?;
            let lines = memchr::memmem::find(&inner.as_bytes()[..close], b"\n\n");
            lines.is_none().then_some(close + 2)?
        }
        b'(' => {
            let close = memchr::memchr2(b'(', b')', inner.as_bytes())?;
            (inner.as_bytes()[close] == b')').then_some(close + 2)?
        }
        _ => return None,
    };
    Some(at + end)
}

/// A link or image with its destination in parentheses.
pub(super) struct Link {
    pub(super) text: Range<usize>,
    pub(super) end: usize,
}

/// The link whose `[` is at `open`, and whose text ends at the `]` at `close`.
pub(super) fn link(text: &str, open: usize, close: usize, words: &mut Words) -> Option<Link> {
    let bytes = text.as_bytes();
    if bytes.get(close + 1) != Some(&b'(') {
        return None;
    }
    let from = close + 2;
    let at = from + blanks(&text[from..]);
    let (target, end) = angled(text, at)
        .or_else(|| words.destination(text, at))
        .or_else(|| link_rest(text, from).map(|end| (from..from, end)))?;
    let link = |end| Link {
        text: open + 1..close,
        end,
    };
    let target = target.start..target.start + text[target].trim_end_matches(is_space).len();
    let written = &text[target];
    if let Some(inner) = written.strip_prefix('<') {
        let inner = inner.strip_suffix('>')?;
        let slashes = inner.len() - inner.trim_end_matches('\\').len();
        return slashes.is_multiple_of(2).then(|| link(end));
    }
    // A destination ends at a parenthesis too many. The reader then counts the link's length
    // without the blanks before the destination.
    let Some(extra) = extra_parenthesis(written) else {
        return Some(link(end));
    };
    let units = 1 + crate::javascript::len(&written[..extra]);
    let end = from + bytes_of_units(&text[from..end], units);
    let end = from + text[from..end].trim_end_matches(is_space).len();
    Some(link(end))
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches(is_space).len()
}

/// As many bytes as the first `units` UTF-16 units of the text take.
pub(super) fn bytes_of_units(text: &str, units: usize) -> usize {
    let mut left = units;
    let chars = text.chars().take_while(|c| {
        let fits = left >= c.len_utf16();
        left = left.saturating_sub(c.len_utf16());
        fits
    });
    chars.map(char::len_utf8).sum()
}

/// The end of a link behind its destination, which ends at `at`: perhaps a title, then `)`.
fn link_rest(text: &str, at: usize) -> Option<usize> {
    let after = at + blanks(&text[at..]);
    let bytes = text.as_bytes();
    if after > at {
        let title = &text[after..];
        let closes = |end: usize| title[end..].trim_start_matches(is_space).starts_with(')');
        if let Some(end) = quoted_end(title, closes) {
            let end = after + end;
            return Some(end + blanks(&text[end..]) + 1);
        }
    }
    (bytes.get(after) == Some(&b')')).then_some(after + 1)
}

/// A destination in angle brackets, and the end of its link.
fn angled(text: &str, at: usize) -> Option<(Range<usize>, usize)> {
    let bytes = text.as_bytes();
    if bytes.get(at) != Some(&b'<') {
        return None;
    }
    let mut end = at + 1;
    loop {
        match *bytes.get(end)? {
            b'\\' => end += escape_len(bytes, end)?,
            b'\n' | b'<' => return None,
            b'>' => break,
            _ => end += 1,
        }
    }
    if end == at + 1 {
        return None;
    }
    link_rest(text, end + 1).map(|rest| (at..end + 1, rest))
}

/// The stretch without blanks that was looked at last, which is the destination of every link
/// that opens in it: keeps a text of `[a](` linear.
#[derive(Default)]
pub(super) struct Words {
    start: usize,
    end: usize,
    /// Its last `)`.
    close: Option<usize>,
    /// The end of a link whose destination is its end.
    link_end: Option<usize>,
}

impl Words {
    /// A destination without blanks, and the end of its link: the last `)` in it if none follows.
    fn destination(&mut self, text: &str, at: usize) -> Option<(Range<usize>, usize)> {
        if at < self.start || self.end <= at {
            let ends = |c: char| is_space(c) || c < ' ';
            self.start = at;
            self.end = at + text[at..].find(ends).unwrap_or(text.len() - at);
            self.close = text[at..self.end].rfind(')').map(|close| at + close);
            self.link_end = link_rest(text, self.end);
        }
        if let Some(end) = self.link_end {
            return Some((at..self.end, end));
        }
        let close = self.close.filter(|close| *close >= at)?;
        Some((at..close, close + 1))
    }
}

/// The first `)` that closes nothing.
fn extra_parenthesis(target: &str) -> Option<usize> {
    let bytes = target.as_bytes();
    let (mut at, mut open) = (0, 0_usize);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'(' => open += 1,
            b')' if open == 0 => return Some(at),
            b')' => open -= 1,
            _ => {}
        }
        at += 1;
    }
    None
}

/// The end of the address in angle brackets at `at`: `<scheme:…>` or `<name@host>`.
pub(super) fn address(text: &str, at: usize) -> Option<usize> {
    let inner = &text.as_bytes()[at + 1..];
    let close = inner.iter().position(|byte| matches!(byte, b'<' | b'>'))?;
    if inner[close] == b'<' {
        return None;
    }
    let address = &text[at + 1..at + 1 + close];
    let end = at + close + 2;
    if address.chars().any(|c| is_space(c) || c < ' ') {
        return None;
    }
    if let Some((scheme, _)) = address.split_once(':') {
        let letters = scheme
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"+.-".contains(&b));
        let first = scheme.starts_with(|c: char| c.is_ascii_alphabetic());
        if letters && first && (2..=32).contains(&scheme.len()) {
            return Some(end);
        }
    }
    let (name, host) = address.split_once('@')?;
    let in_name = |b: u8| b.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&b);
    let is_part = |part: &str| {
        (1..=63).contains(&part.len())
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !part.starts_with('-')
            && !part.ends_with('-')
    };
    let fits = !name.is_empty() && name.bytes().all(in_name) && host.contains('.');
    (fits && host.split('.').all(is_part)).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defined(text: &str) -> Option<&str> {
        definition(text).map(|found| &text[..found.len])
    }

    fn linked(text: &str) -> Option<(&str, &str)> {
        let close = link_label(text.as_bytes(), 1)?;
        let link = link(text, 0, close, &mut Words::default())?;
        Some((&text[link.text], &text[..link.end]))
    }

    #[test]
    fn definitions() {
        assert_eq!(defined("[x]: y\n\nz"), Some("[x]: y\n\n"));
        assert_eq!(
            defined("[x]:\n  y\n\"a\n\n b\"\nz"),
            Some("[x]:\n  y\n\"a\n\n b\"\n")
        );
        assert_eq!(defined("[x]: y\n'a\n\n b'\nz"), Some("[x]: y\n"));
        assert_eq!(defined("[x]: <a> b>\nz"), Some("[x]: <a> b>\n"));
        assert_eq!(defined("[x]: y 't' z"), None);
        assert_eq!(defined("[x]:\u{A0}y"), None);
        assert_eq!(defined("[ ]: y"), None);
        assert_eq!(defined("[a\n\nb]: y"), Some("[a\n\nb]: y"));
    }

    #[test]
    fn links() {
        assert_eq!(
            linked("[a [b] `]` c](x \"t\\\" u\") d"),
            Some(("a [b] `]` c", "[a [b] `]` c](x \"t\\\" u\")"))
        );
        assert_eq!(linked("[a](x(y))z"), Some(("a", "[a](x(y))")));
        assert_eq!(linked("[a](x)y)"), Some(("a", "[a](x)")));
        assert_eq!(linked("[a]( 'b c')"), Some(("a", "[a]( 'b c')")));
        assert_eq!(linked("[a](<b c>)"), Some(("a", "[a](<b c>)")));
        assert_eq!(linked("[a](x\u{A0}b)"), None);
        assert_eq!(linked("[a [b [c]]](x)"), None);
    }

    #[test]
    fn addresses() {
        assert_eq!(address("<ab:c@d>", 0), Some(8));
        assert_eq!(address("<a@b.c>", 0), Some(7));
        assert_eq!(address("<a:b>", 0), None);
        assert_eq!(address("<a@b>", 0), None);
    }
}
