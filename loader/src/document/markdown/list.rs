//! Lists: which lines belong to an item, and what its content is (findings M4, M5).

use super::blocks::{Blocks, Kind, Level};
use super::lines::{self, Bullet, line_at, line_end};
use super::text::Text;
use crate::javascript;

/// The indentation that lines of an item need, and what would end the item.
#[derive(Clone, Copy)]
struct Indent(usize);

impl Indent {
    /// How far what ends an item may be indented.
    fn limit(self) -> usize {
        self.0.saturating_sub(1).min(3)
    }

    fn ends_item(self, line: &str) -> bool {
        let limit = self.limit();
        self.is_block(line)
            || super::html::ends_item(line, limit)
            || lines::item_start(line, limit).is_some()
    }

    /// A line behind which no line of less indentation goes on.
    fn is_block(self, line: &str) -> bool {
        let limit = self.limit();
        lines::looks_like_fence(line, limit)
            || lines::dedent(line, limit).is_some_and(|rest| rest.starts_with('#'))
            || lines::is_rule(line, limit, false)
    }
}

/// An item under construction.
struct Item {
    content: Text<'static>,
    /// Where the next item may begin.
    end: usize,
}

impl<'a> Blocks<'a> {
    /// The list at `at`, and its end.
    pub(super) fn list(
        &mut self,
        text: &Text<'a>,
        at: usize,
        level: &mut Level<'a>,
    ) -> Option<usize> {
        let all = text.as_str();
        let first = lines::list_start(line_at(all, at))?;
        let mut items: Vec<Text<'static>> = Vec::new();
        let mut end = at;
        while end < all.len() {
            let line = line_at(all, end);
            let marker = lines::item_start(line, 3).filter(|marker| marker.continues(first));
            let Some(marker) = marker.filter(|_| !lines::is_rule(line, 3, true)) else {
                break;
            };
            let item = item(text, end, marker);
            end = item.end;
            items.push(item.content);
        }
        let last = items.last_mut()?;
        last.truncate(last.as_str().trim_end_matches(javascript::is_space).len());
        let end = at + all[at..end].trim_end_matches(javascript::is_space).len();

        self.note(Kind::List, level);
        level.leaf = None;
        for item in &items {
            self.in_paragraphs = false;
            self.depth += 1;
            let mut inner = Level::default();
            self.read(item, &mut inner);
            self.depth -= 1;
            level.leaf = inner.leaf;
        }
        if self.reads_lazy_lines
            && self.depth > 0
            && let Some(last) = &mut level.last
        {
            last.raw = Some(text.slice(at..end));
        }
        Some(end)
    }
}

/// The item whose marker stands at `at`.
fn item(text: &Text<'_>, at: usize, marker: Bullet) -> Item {
    let all = text.as_str();
    let stop = line_end(all, at);
    let after = at + marker.len;
    let written = &all[after..stop];
    let mut next = (stop + 1).min(all.len());
    let mut content = Text::new();
    let mut blank = javascript::trim(written).is_empty();
    // Tabs right behind the marker become three spaces each, others four.
    let tabs = written.len() - written.trim_start_matches('\t').len();
    let mut before = "   ".repeat(tabs) + &written[tabs..];
    let indent = if blank {
        marker.len + 1
    } else {
        let spaces = written.len() - written.trim_start_matches(' ').len();
        let spaces = if spaces > 4 { 1 } else { spaces };
        for tab in after..after + tabs {
            content.push_str("   ", text.source(tab));
        }
        content.push(text, after + tabs + spaces..stop);
        marker.len + spaces
    };
    let indent = Indent(indent);
    if blank && lines::is_blank(line_at(all, next)) {
        // An item begins with one blank line at most.
        let end = (line_end(all, next) + 1).min(all.len());
        return Item { content, end };
    }
    while next < all.len() {
        let stop = line_end(all, next);
        let line = &all[next..stop];
        if indent.ends_item(line) {
            break;
        }
        let is_blank = javascript::trim(line).is_empty();
        let indented = first_non_space(line).is_some_and(|column| column >= indent.0);
        if !indented && !is_blank {
            // Less indented: it goes on with a paragraph only.
            let is_code = first_non_space(&before).is_some_and(|column| column >= 4);
            if blank || is_code || indent.is_block(&before) {
                break;
            }
        }
        content.push_str("\n", text.source(next - 1));
        if indented || is_blank {
            push_without_tabs(&mut content, text, next, stop, indent.0);
        } else {
            content.push(text, next..stop);
        }
        blank |= is_blank;
        before = without_tabs(line, indent.0);
        next = (stop + 1).min(all.len());
    }
    Item { content, end: next }
}

/// The column of the first character that is no space, with tabs as four spaces.
fn first_non_space(line: &str) -> Option<usize> {
    let mut column = 0;
    for byte in line.bytes() {
        match byte {
            b' ' => column += 1,
            b'\t' => column += 4,
            _ => return Some(column),
        }
    }
    None
}

/// The line with its tabs as four spaces, without its first `skip` characters.
fn without_tabs(line: &str, skip: usize) -> String {
    let mut chars = line.chars();
    let mut left = String::with_capacity(line.len());
    let mut skip = skip;
    for c in &mut chars {
        match c {
            '\t' => left.push_str(&"    "[skip.min(4)..]),
            _ if skip > 0 => {}
            c => left.push(c),
        }
        skip = skip.saturating_sub(if c == '\t' { 4 } else { 1 });
    }
    left
}

/// Appends what [`without_tabs`] gives of a line.
fn push_without_tabs(to: &mut Text<'_>, text: &Text<'_>, from: usize, end: usize, skip: usize) {
    let line = &text.as_str()[from..end];
    let mut skip = skip;
    let mut at = from;
    for piece in line.split_inclusive('\t') {
        let plain = piece.strip_suffix('\t').unwrap_or(piece);
        let kept = plain
            .char_indices()
            .nth(skip)
            .map_or(plain.len(), |(at, _)| at);
        let passed = if kept < plain.len() {
            skip
        } else {
            plain.chars().take(skip).count()
        };
        to.push(text, at + kept..at + plain.len());
        skip -= passed;
        if plain.len() < piece.len() {
            if skip < 4 {
                to.push_str(&"    "[skip..], text.source(at + plain.len()));
            }
            skip = skip.saturating_sub(4);
        }
        at += piece.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(text: &str) -> String {
        let text = Text::body(text, 0);
        let marker = lines::item_start(line_at(text.as_str(), 0), 3).unwrap();
        item(&text, 0, marker).content.as_str().to_owned()
    }

    #[test]
    fn content_is_dedented() {
        assert_eq!(content("- a\n  b\n\n    c\n- d"), "a\nb\n\n  c");
        assert_eq!(content("1.  a\nb\n   c"), "a\nb\n   c");
        assert_eq!(content("-      a\n  b"), "     a\nb");
        assert_eq!(content("-\n\n  a"), "");
    }

    #[test]
    fn tabs_are_spaces() {
        assert_eq!(content("-\ta"), "   a");
        assert_eq!(content("- a\n\tb\tc\n \t\td"), "a\n  b    c\n       d");
    }

    #[test]
    fn blocks_end_items() {
        assert_eq!(content("- a\n# b"), "a");
        assert_eq!(content("- a\n<b>"), "a");
        assert_eq!(content("- a\n```"), "a");
        assert_eq!(content("- a\n\nb"), "a\n");
        assert_eq!(content("- ```\nb"), "```");
    }
}
