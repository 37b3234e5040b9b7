//! HTML: where blocks of it end, and tags within text.
//!
//! The kinds are CommonMark's, their ends are not: the numbers below are CommonMark's of the
//! kinds, the differences those of findings M2.

use std::ops::Range;

use super::lines::{blank_lines, dedent, is_blank, line_at, line_end};
use crate::javascript::is_space;

/// Tags that begin a block wherever they stand (kind 6), sorted.
#[rustfmt::skip]
const BLOCK_TAGS: &[&str] = &[
    "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption",
    "center", "col", "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "frame", "frameset", "h1", "h2", "h3",
    "h4", "h5", "h6", "head", "header", "hr", "html", "iframe", "legend", "li", "link", "main",
    "menu", "menuitem", "meta", "nav", "noframes", "ol", "optgroup", "option", "p", "param",
    "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "title",
    "tr", "track", "ul",
];

/// Tags whose content is taken as it stands (kind 1).
const RAW_TAGS: &[&str] = &["script", "pre", "style", "textarea"];

/// What a quote's reader takes for the start of HTML.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    Raw,
    Comment,
    Block,
}

fn strip_prefix_any_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let start = text.get(..prefix.len())?;
    start
        .eq_ignore_ascii_case(prefix)
        .then(|| &text[prefix.len()..])
}

/// The length of a tag's name at the start of `text`.
fn name_len(text: &str, more: &[u8]) -> usize {
    let bytes = text.as_bytes();
    if !bytes.first().is_some_and(u8::is_ascii_alphabetic) {
        return 0;
    }
    let word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_' || more.contains(byte);
    bytes.iter().take_while(word).count()
}

fn is_block_tag(name: &str) -> bool {
    name.len() <= 10
        && BLOCK_TAGS
            .binary_search(&name.to_ascii_lowercase().as_str())
            .is_ok()
}

/// The tag of kind 6 at the start of `rest`: what of the text follows its first delimiter.
/// A tab is none; the end of the text is one only where `at_end`.
fn block_tag(rest: &str, at_end: bool) -> Option<usize> {
    let inner = rest.strip_prefix('<')?;
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    let name = name_len(inner, b"-");
    if !is_block_tag(&inner[..name]) {
        return None;
    }
    let after = &inner[name..];
    let delimiter = match after.as_bytes() {
        [b' ', ..] => after.len() - after.trim_start_matches(' ').len(),
        [b'\n' | b'>', ..] => 1,
        [b'/', b'>', ..] => 2,
        [] if at_end => 0,
        _ => return None,
    };
    Some(rest.len() - after.len() + delimiter)
}

/// Whether HTML that begins at column 0 of the line ends a paragraph above: a tag or comment,
/// in lower case (`p\n<DIV>\n@k1` imports).
pub(super) fn ends_paragraph(line: &str, ended: bool) -> bool {
    let Some(inner) = line.strip_prefix('<') else {
        return false;
    };
    if inner.starts_with("!--") || RAW_TAGS.iter().any(|tag| inner.starts_with(tag)) {
        return true;
    }
    let name = inner.strip_prefix('/').unwrap_or(inner);
    let name = &name[..name_len(name, b"-")];
    !name.bytes().any(|byte| byte.is_ascii_uppercase()) && block_tag(line, ended).is_some()
}

/// What a lazy line of a quote may not begin with, in any case and indented by up to three.
pub(super) fn ends_lazy_line(line: &str) -> bool {
    dedent(line, 3).and_then(start).is_some()
}

/// The kind of HTML that begins `rest`, where it is one that can end a paragraph.
fn start(rest: &str) -> Option<Start> {
    let inner = rest.strip_prefix('<')?;
    if inner.starts_with("!--") {
        return Some(Start::Comment);
    }
    for tag in RAW_TAGS {
        if let Some(after) = strip_prefix_any_case(inner, tag)
            && after.chars().next().is_none_or(|c| c == '>' || is_space(c))
        {
            return Some(Start::Raw);
        }
    }
    block_tag(rest, true).map(|_| Start::Block)
}

/// What list items take for the start of HTML: a letter and a `>` on the line, or a comment.
pub(super) fn ends_item(line: &str, limit: usize) -> bool {
    let rest = dedent(line, limit).and_then(|rest| rest.strip_prefix('<'));
    rest.is_some_and(|rest| {
        rest.starts_with("!--")
            || (rest.starts_with(|c: char| c.is_ascii_alphabetic())
                && rest[1..]
                    .split(['\u{2028}', '\u{2029}'])
                    .next()
                    .is_some_and(|line| line.contains('>')))
    })
}

/// The length of the HTML block at the start of `text`.
pub(super) fn block(text: &str) -> Option<usize> {
    let line = line_at(text, 0);
    let indent = line.len() - dedent(line, 3)?.len();
    let rest = &text[indent..];
    let inner = rest.strip_prefix('<')?;
    let len = match inner.as_bytes().first()? {
        b'!' if inner.starts_with("!--") => comment_block(rest),
        b'!' if strip_prefix_any_case(inner, "![CDATA[").is_some() => until(rest, 9, "]]>"),
        b'!' if inner.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic) => until(rest, 3, ">"),
        b'?' => until(rest, 2, "?>"),
        _ => raw_block(rest).or_else(|| {
            let tag = block_tag(rest, false).or_else(|| lone_tag(rest))?;
            Some(until_blank_line(rest, tag))
        })?,
    };
    Some(indent + len)
}

/// Kinds 3 to 5 end at their closer, not at its line's end: `<?a ?> @k1` imports.
fn until(rest: &str, from: usize, closer: &str) -> usize {
    let Some(found) = memchr::memmem::find(&rest.as_bytes()[from..], closer.as_bytes()) else {
        return rest.len();
    };
    skip_newlines(rest, from + found + closer.len())
}

fn skip_newlines(text: &str, at: usize) -> usize {
    let ends = text.as_bytes()[at..].iter().take_while(|b| **b == b'\n');
    at + ends.count()
}

/// Kind 2: to the end of the line that closes the comment. `<!-->` and `<!--->` close at once.
fn comment_block(rest: &str) -> usize {
    let inner = &rest[4..];
    let close = if inner.starts_with('>') || inner.starts_with("->") {
        Some(4)
    } else {
        memchr::memmem::find(inner.as_bytes(), b"-->").map(|found| 4 + found)
    };
    close.map_or(rest.len(), |close| {
        skip_newlines(rest, line_end(rest, close))
    })
}

/// Kind 1: to the line of its own closing tag. That line must have an end.
fn raw_block(rest: &str) -> Option<usize> {
    let inner = &rest[1..];
    let tag = RAW_TAGS.iter().find(|tag| {
        let after = strip_prefix_any_case(inner, tag).and_then(|after| after.chars().next());
        after.is_some_and(|c| c == '>' || is_space(c))
    })?;
    for close in memchr::memmem::find_iter(rest.as_bytes(), b"</") {
        let closes = strip_prefix_any_case(&rest[close + 2..], tag);
        if closes.is_some_and(|after| after.starts_with('>')) {
            return Some(skip_newlines(rest, line_end(rest, close)));
        }
    }
    Some(rest.len())
}

/// Kinds 6 and 7: to the blank lines behind it, those included but for the last one's blanks.
fn until_blank_line(rest: &str, from: usize) -> usize {
    let mut at = from;
    while let Some(found) = memchr::memchr(b'\n', &rest.as_bytes()[at..]) {
        at += found + 1;
        let blank = blank_lines(&rest[at..]);
        // Blanks without a line end behind them belong to no blank line.
        let whole = rest[at..at + blank].rfind('\n').map_or(0, |end| end + 1);
        if whole > 0 {
            return at + whole;
        }
    }
    rest.len()
}

/// A tag of kind 7, alone on its line; its length.
fn lone_tag(rest: &str) -> Option<usize> {
    let closing = rest.starts_with("</");
    let inner = &rest[if closing { 2 } else { 1 }..];
    let name = name_len(inner, b"-");
    if name == 0
        || RAW_TAGS
            .iter()
            .any(|tag| strip_prefix_any_case(inner, tag).is_some())
    {
        return None;
    }
    let start = rest.len() - inner.len() + name;
    let end = if closing {
        start + (rest[start..].len() - rest[start..].trim_start_matches(is_space).len())
    } else {
        skip_attributes(rest, start, |c| c == ' ', false)
    };
    let end = if !closing && rest[end..].starts_with('/') {
        end + 1
    } else {
        end
    };
    let after = rest[end..].strip_prefix('>')?;
    is_blank(line_at(after, 0)).then_some(end + 1)
}

/// Skips attributes and the blanks behind them; `blank` tells what may stand between.
fn skip_attributes(text: &str, from: usize, blank: fn(char) -> bool, lines: bool) -> usize {
    let bytes = text.as_bytes();
    let skip = |at: usize| at + (text[at..].len() - text[at..].trim_start_matches(blank).len());
    let mut at = from;
    loop {
        let name = skip(at);
        let first = bytes.get(name).copied().unwrap_or(0);
        if name == at || !(first.is_ascii_alphabetic() || matches!(first, b':' | b'_')) {
            return name;
        }
        let more = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.:-".contains(byte);
        at = name + bytes[name..].iter().take_while(more).count();
        let equals = skip(at);
        if bytes.get(equals) == Some(&b'=')
            && let Some(end) = attribute_value(text, skip(equals + 1), lines)
        {
            at = end;
        }
    }
}

fn attribute_value(text: &str, at: usize, lines: bool) -> Option<usize> {
    let bytes = text.as_bytes();
    match *bytes.get(at)? {
        quote @ (b'"' | b'\'') => {
            let end = at + 1 + memchr::memchr(quote, &bytes[at + 1..])?;
            (lines || !bytes[at..end].contains(&b'\n')).then_some(end + 1)
        }
        _ => {
            let ends = |c: char| is_space(c) || "\"'=<>`".contains(c);
            let len = text[at..].find(ends).unwrap_or(text.len() - at);
            // A slash before the `>` is the tag's, not the value's.
            let len = match &text[at..at + len] {
                value if value.ends_with('/') && bytes.get(at + len) == Some(&b'>') => len - 1,
                _ => len,
            };
            (len > 0 || bytes.get(at) == Some(&b'/')).then_some(at + len)
        }
    }
}

/// Which closers a text is known not to hold any more: keeps a text of openers linear.
#[derive(Default)]
pub(super) struct Absent([bool; 4]);

/// The end of the tag, comment or the like at `at` within text.
pub(super) fn inline(text: &str, at: usize, absent: &mut Absent) -> Option<usize> {
    let rest = &text[at..];
    let inner = &rest[1..];
    let mut find = |from: usize, kind: usize| {
        let closer = ["-->", "?>", "]]>", ">"][kind];
        if absent.0[kind] {
            return None;
        }
        let found = memchr::memmem::find(&rest.as_bytes()[from..], closer.as_bytes());
        absent.0[kind] = found.is_none();
        found.map(|found| from + found + closer.len())
    };
    let len = if let Some(comment) = inner.strip_prefix("!--") {
        match comment.as_bytes() {
            [b'>', ..] => 5,
            [b'-', b'>', ..] => 6,
            _ => find(4, 0)?,
        }
    } else if inner.starts_with('?') {
        find(2, 1)?
    } else if inner.starts_with("![CDATA[") {
        find(9, 2)?
    } else if let Some(word) = inner.strip_prefix('!') {
        let letters = word.bytes().take_while(u8::is_ascii_alphabetic).count();
        let blank = word[letters..].chars().next().filter(|c| is_space(*c))?;
        if letters == 0 {
            return None;
        }
        find(2 + letters + blank.len_utf8(), 3)?
    } else if let Some(closing) = inner.strip_prefix('/') {
        let name = name_len(closing, b":-");
        let after = closing[name..].trim_start_matches(is_space);
        if name == 0 || !after.starts_with('>') {
            return None;
        }
        rest.len() - after.len() + 1
    } else {
        let name = name_len(inner, b"-");
        if name == 0 {
            return None;
        }
        let end = skip_attributes(rest, 1 + name, is_space, true);
        let end = end + usize::from(rest[end..].starts_with('/'));
        rest[end..].starts_with('>').then_some(end + 1)?
    };
    Some(at + len)
}

/// The complete comments of a stretch of HTML.
pub(super) fn comments(html: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(open) = memchr::memmem::find(&html.as_bytes()[from..], b"<!--") {
        let inner = from + open + 4;
        let Some(close) = memchr::memmem::find(&html.as_bytes()[inner..], b"-->") else {
            break;
        };
        found.push(from + open..inner + close + 3);
        from = inner + close + 3;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(text: &str) -> Option<&str> {
        block(text).map(|len| &text[..len])
    }

    #[test]
    fn tags_are_sorted() {
        assert!(BLOCK_TAGS.is_sorted());
    }

    #[test]
    fn raw_blocks_end_at_their_own_tag() {
        assert_eq!(
            taken("<script>\n</pre>\n\n</SCRIPT> x\n\ny"),
            Some("<script>\n</pre>\n\n</SCRIPT> x\n\n")
        );
        assert_eq!(taken("<scripty>\nx"), None);
        assert_eq!(taken("<pre/>\nx"), None);
    }

    #[test]
    fn declarations_end_at_their_closer() {
        assert_eq!(taken("<?a\n\n?> x"), Some("<?a\n\n?>"));
        assert_eq!(taken("<![cdata[ > ]]>\n\nx"), Some("<![cdata[ > ]]>\n\n"));
        assert_eq!(taken("<!x a> y"), Some("<!x a>"));
    }

    #[test]
    fn tags_end_at_a_blank_line() {
        assert_eq!(
            taken("<my_tag a=b>\nx\n \t\n  y"),
            Some("<my_tag a=b>\nx\n \t\n")
        );
        assert_eq!(taken("<my_tag> x"), None);
        assert_eq!(taken("<div\n\nx\n\ny"), Some("<div\n\nx\n\n"));
        assert_eq!(taken("</x-y >\nx"), Some("</x-y >\nx"));
        assert_eq!(taken("<DIV> x\n  "), Some("<DIV> x\n  "));
    }

    #[test]
    fn comments_close_on_their_line() {
        assert_eq!(taken("  <!-- a --> b\n\nc"), Some("  <!-- a --> b\n\n"));
        assert_eq!(taken("<!--> a\nb"), Some("<!--> a\n"));
        assert_eq!(comments("<!-->a-->b<!-- c --><!-- d"), [0..9, 10..20]);
    }

    #[test]
    fn inline_tags() {
        let end = |text| inline(text, 0, &mut Absent::default());
        assert_eq!(end("<a b='>' c=d/>x"), Some(14));
        assert_eq!(end("<a b=\"x>"), None);
        assert_eq!(end("</a:b\n>x"), Some(7));
        assert_eq!(end("<!X y>"), Some(6));
        assert_eq!(end("<a_b>"), Some(5));
        assert_eq!(end("< a>"), None);
    }
}
