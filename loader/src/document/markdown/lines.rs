//! What the start of a line says about the block that begins there.
//!
//! Only spaces count as indentation, and four of them (or a tab within the first four
//! columns) make code; tabs are never expanded to columns here (findings M4).

/// The end of the line that begins at or holds `at`: its `\n`, or the end of the text.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |end| at + end)
}

/// The line that begins at `at`, without its end.
pub(super) fn line_at(text: &str, at: usize) -> &str {
    &text[at..line_end(text, at)]
}

/// The line without at most `limit` spaces of indentation; none if it has more.
pub(super) fn dedent(line: &str, limit: usize) -> Option<&str> {
    let rest = line.trim_start_matches(' ');
    (line.len() - rest.len() <= limit).then_some(rest)
}

pub(super) fn is_blank(line: &str) -> bool {
    line.bytes().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// How many bytes of blank lines stand at the start of `text`. The last one may lack its end.
pub(super) fn blank_lines(text: &str) -> usize {
    let mut at = 0;
    while at < text.len() {
        let end = line_end(text, at);
        if !is_blank(&text[at..end]) {
            break;
        }
        at = (end + 1).min(text.len());
    }
    at
}

/// Four spaces, or up to three and a tab, with anything behind them.
pub(super) fn is_indented_code(line: &str) -> bool {
    has_code_indent(line).is_some_and(|rest| !rest.is_empty())
}

/// The line without the indentation that makes it code.
pub(super) fn has_code_indent(line: &str) -> Option<&str> {
    if let Some(rest) = line.strip_prefix("    ") {
        return Some(rest);
    }
    dedent(line, 3)?.strip_prefix('\t')
}

/// The line of an indented code block as its text: up to four spaces or one tab go.
pub(super) fn undo_code_indent(line: &str) -> &str {
    let spaces = line.bytes().take(4).take_while(|b| *b == b' ').count();
    match line.strip_prefix('\t') {
        Some(rest) => rest,
        None => &line[spaces..],
    }
}

/// A thematic break: three or more of one sign, with spaces and (where `tabs`) tabs between.
pub(super) fn is_rule(line: &str, limit: usize, tabs: bool) -> bool {
    let Some(rest) = dedent(line, limit) else {
        return false;
    };
    let Some(sign) = rest.bytes().next() else {
        return false;
    };
    if !matches!(sign, b'-' | b'_' | b'*') {
        return false;
    }
    let mut count = 0;
    for byte in rest.bytes() {
        match byte {
            b if b == sign => count += 1,
            b' ' => {}
            b'\t' if tabs => {}
            _ => return false,
        }
    }
    count >= 3
}

/// The number signs that open a heading, at most six.
pub(super) fn number_signs(rest: &str) -> usize {
    rest.bytes().take(7).take_while(|b| *b == b'#').count()
}

/// The opener of a fenced code block.
#[derive(Clone, Copy)]
pub(super) struct Fence<'a> {
    /// All its back-ticks or tildes.
    pub(super) run: &'a str,
}

/// A fence opener: three signs, and for back-ticks none in the rest of the line.
pub(super) fn fence(line: &str) -> Option<Fence<'_>> {
    let rest = dedent(line, 3)?;
    let sign = *rest.as_bytes().first()?;
    if !matches!(sign, b'`' | b'~') {
        return None;
    }
    let count = rest.bytes().take_while(|byte| *byte == sign).count();
    let told = &rest[count..];
    let opens = count >= 3 && (sign == b'~' || !told.contains('`'));
    opens.then_some(Fence {
        run: &rest[..count],
    })
}

impl Fence<'_> {
    /// Whether the line closes the block: the opener's run at least, any further signs, then
    /// spaces only; a tab behind them keeps it open (findings M3).
    pub(super) fn closes(self, line: &str) -> bool {
        let rest = dedent(line, 3).and_then(|rest| rest.strip_prefix(self.run));
        rest.is_some_and(|rest| {
            let rest = rest.trim_start_matches(['`', '~']);
            rest.bytes().all(|byte| byte == b' ')
        })
    }
}

/// The start of a line that any fence would have, as list items look for it.
pub(super) fn looks_like_fence(line: &str, limit: usize) -> bool {
    dedent(line, limit).is_some_and(|rest| rest.starts_with("```") || rest.starts_with("~~~"))
}

/// A list marker.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Bullet {
    /// The sign, or what follows the number.
    pub(super) sign: u8,
    pub(super) ordered: bool,
    /// Its bytes with the indentation.
    pub(super) len: usize,
}

/// The list marker at the start of the line, whatever follows it.
pub(super) fn bullet(line: &str, limit: usize) -> Option<Bullet> {
    let rest = dedent(line, limit)?.as_bytes();
    let indent = line.len() - rest.len();
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let sign = *rest.get(digits)?;
    let (ordered, known) = match digits {
        0 => (false, matches!(sign, b'*' | b'+' | b'-')),
        1..=9 => (true, matches!(sign, b'.' | b')')),
        _ => return None,
    };
    known.then_some(Bullet {
        sign,
        ordered,
        len: indent + digits + 1,
    })
}

impl Bullet {
    /// Whether the two may mark items of one list.
    pub(super) fn continues(self, first: Self) -> bool {
        (self.sign, self.ordered) == (first.sign, first.ordered)
    }
}

/// The marker of a line that begins a list: nothing follows it, or a blank and then something.
/// `- ` with nothing behind its one space is none.
pub(super) fn list_start(line: &str) -> Option<Bullet> {
    bullet(line, 3).filter(|bullet| {
        let rest = &line[bullet.len..];
        rest.is_empty() || (rest.len() > 1 && rest.starts_with([' ', '\t']))
    })
}

/// The marker of a line that goes on with a list, or ends an item: here one blank is enough.
pub(super) fn item_start(line: &str, limit: usize) -> Option<Bullet> {
    bullet(line, limit).filter(|bullet| {
        let rest = &line[bullet.len..];
        rest.is_empty() || rest.starts_with([' ', '\t'])
    })
}

/// Whether the line ends a paragraph above it; `ended` tells that it has a `\n`.
///
/// Not what CommonMark says: an opening fence and a bare tag need that `\n` (`p\n``` @k1` at the
/// end of a text imports), a comment and a tag must stand at column 0 and be lower-case, and a
/// line of spaces ends a paragraph while one with a tab does not.
pub(super) fn ends_paragraph(line: &str, ended: bool) -> bool {
    let Some(rest) = dedent(line, 3) else {
        return ended && line.bytes().all(|byte| byte == b' ');
    };
    match rest.bytes().next() {
        None => ended,
        Some(b'>') => true,
        Some(b'#') => {
            let signs = number_signs(rest);
            let next = rest[signs..].chars().next();
            signs <= 6 && next.is_none_or(crate::javascript::is_space)
        }
        Some(b'`' | b'~') => ended && fence(line).is_some(),
        Some(b'<') => rest.len() == line.len() && super::html::ends_paragraph(line, ended),
        Some(b'-' | b'*' | b'_') if is_rule(line, 3, true) => true,
        Some(b'-' | b'*' | b'+') => rest[1..].starts_with(' '),
        Some(b'1') => rest[1..].starts_with(". ") || rest[1..].starts_with(") "),
        _ => false,
    }
}

/// What may not stand at the start of a line of a setext heading's text.
pub(super) fn ends_setext_text(line: &str, ended: bool) -> bool {
    if has_code_indent(line).is_some() {
        return true;
    }
    // A marker only at column 0.
    if bullet(line, 0).is_some_and(|bullet| line[bullet.len..].starts_with(' ')) {
        return true;
    }
    let Some(rest) = dedent(line, 3) else {
        return false;
    };
    match rest.bytes().next() {
        Some(b'>' | b'#') => true,
        Some(b'`' | b'~') => looks_like_fence(rest, 0),
        Some(b'<') => {
            let tag = rest.find('>').filter(|close| *close > 1);
            ended && tag.is_some_and(|close| close + 1 == rest.len())
        }
        _ => false,
    }
}

/// The underline of a setext heading.
pub(super) fn is_underline(line: &str) -> bool {
    let Some(rest) = dedent(line, 3) else {
        return false;
    };
    let rest = rest.trim_end_matches(' ');
    !rest.is_empty() && (rest.bytes().all(|b| b == b'=') || rest.bytes().all(|b| b == b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_four_spaces_or_a_tab() {
        assert!(is_indented_code("    x") && is_indented_code("  \tx"));
        assert!(!is_indented_code("   x") && !is_indented_code("    "));
        assert_eq!(undo_code_indent("  \tx"), "\tx");
        assert_eq!(undo_code_indent("\t x"), " x");
    }

    #[test]
    fn rules_hold_one_sign() {
        assert!(is_rule("  - -\t-", 3, true) && !is_rule("- -\t-", 3, false));
        assert!(!is_rule("- - *", 3, true) && !is_rule("--", 3, true));
    }

    #[test]
    fn a_closing_fence_takes_no_tab() {
        let open = fence("```js").unwrap();
        assert!(open.closes("  ````~  ") && !open.closes("```\t") && !open.closes("``"));
        assert!(fence("``` a`b").is_none() && fence("~~~ a`b").is_some());
    }

    #[test]
    fn markers() {
        assert!(list_start("- ").is_none() && list_start("-").is_some());
        assert!(item_start("- ", 3).is_some() && list_start("-\tx").is_some());
        assert!(list_start("1234567890. x").is_none() && list_start("-x").is_none());
    }

    #[test]
    fn paragraphs_end() {
        for line in [
            "> x", "# x", "#", "---", "* x", "1. x", "<div>", "<!-- c", "   ",
        ] {
            assert!(ends_paragraph(line, true), "{line:?}");
        }
        for line in [
            "#x", "2. x", "-", "<DIV>", " <div>", "<b>", "\t", "===", "    - x",
        ] {
            assert!(!ends_paragraph(line, true), "{line:?}");
        }
        for line in ["```", "   ", "<div"] {
            assert!(ends_paragraph(line, true) && !ends_paragraph(line, false));
        }
    }
}
