//! A text as stretches of a kind, line by line: to measure and compare, not to decide what loads.
//!
//! The reader beside this file gives the texts that may hold references and forgets what they
//! were; it is not asked where nothing may be one. A CommonMark parser would be one more
//! dependency of the loader and see other fences than the client. So lines are looked at by the
//! reader's own rules, without what lies in containers.

use std::ops::Range;

use super::lines;

/// What a stretch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StretchKind {
    /// A heading of this level.
    Heading(u8),
    /// A paragraph, or anything else.
    Text,
    /// An item of a list, without the items below it.
    Item,
    /// A fenced block, with its fences.
    Code,
}

/// Lines that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) kind: StretchKind,
    /// Its bytes, without the last line's end.
    pub(crate) range: Range<usize>,
}

/// The stretches of a text, in order, without the blank lines between them.
pub(crate) fn outline(text: &str) -> Vec<Stretch> {
    let mut found: Vec<Stretch> = Vec::new();
    // The opener of the fenced block that is read, and whether it stands in an item.
    let mut open: Option<(lines::Fence<'_>, bool)> = None;
    let mut goes_on = false;
    let mut in_list = false;
    let mut at = 0;
    while at < text.len() {
        let stop = lines::line_end(text, at);
        let line = text[at..stop].trim_end_matches('\r');
        let end = at + line.len();
        let inner = line.trim_start_matches([' ', '\t']);
        let start = at;
        at = stop + 1;
        if let Some((fence, is_inner)) = open {
            extend(&mut found, end);
            if fence.closes(if is_inner { inner } else { line }) {
                open = None;
            }
            continue;
        }
        if lines::is_blank(line) {
            goes_on = false;
            continue;
        }
        let is_inner = in_list && inner.len() < line.len();
        if let Some(fence) = lines::fence(if is_inner { inner } else { line }) {
            open = Some((fence, is_inner));
            found.push(stretch(StretchKind::Code, start..end));
            goes_on = false;
            continue;
        }
        if let Some(level) = heading(line) {
            found.push(stretch(StretchKind::Heading(level), start..end));
            (goes_on, in_list) = (false, false);
            continue;
        }
        if let Some(last) = found.last_mut()
            && goes_on
            && last.kind == StretchKind::Text
            && lines::is_underline(line)
        {
            let level = if line.contains('=') { 1 } else { 2 };
            *last = stretch(StretchKind::Heading(level), last.range.start..end);
            goes_on = false;
            continue;
        }
        if lines::is_rule(line, 3, true) {
            goes_on = false;
            continue;
        }
        if lines::item_start(inner, 3).is_some() && (in_list || inner.len() + 4 > line.len()) {
            found.push(stretch(StretchKind::Item, start..end));
            (goes_on, in_list) = (true, true);
        } else if goes_on {
            extend(&mut found, end);
        } else {
            found.push(stretch(StretchKind::Text, start..end));
            goes_on = true;
            in_list &= is_inner;
        }
    }
    found
}

fn stretch(kind: StretchKind, range: Range<usize>) -> Stretch {
    Stretch { kind, range }
}

fn extend(found: &mut [Stretch], end: usize) {
    if let Some(last) = found.last_mut() {
        last.range.end = end;
    }
}

/// The level of a heading with number signs.
fn heading(line: &str) -> Option<u8> {
    let rest = lines::dedent(line, 3)?;
    let signs = lines::number_signs(rest);
    let follows = rest[signs..].is_empty() || rest[signs..].starts_with([' ', '\t']);
    let level = u8::try_from(signs).ok()?;
    ((1..=6).contains(&level) && follows).then_some(level)
}

#[cfg(test)]
mod tests {
    use super::StretchKind::{Code, Heading, Item, Text};
    use super::*;

    #[test]
    fn lines_belong_together() {
        let text =
            "# A\np\nq\r\n\n- a\n  b\n  - c\n\n  ```sh\n  # no\n\n  ```\n\nr\n---\n\n~~~\nx\n";
        let found: Vec<(StretchKind, &str)> = outline(text)
            .into_iter()
            .map(|stretch| (stretch.kind, &text[stretch.range]))
            .collect();
        let wanted = [
            (Heading(1), "# A"),
            (Text, "p\nq"),
            (Item, "- a\n  b"),
            (Item, "  - c"),
            (Code, "  ```sh\n  # no\n\n  ```"),
            (Heading(2), "r\n---"),
            (Code, "~~~\nx"),
        ];
        assert_eq!(found, wanted);
    }
}
