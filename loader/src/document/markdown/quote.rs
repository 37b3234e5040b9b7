//! Block quotes, and which lines without `>` belong to them (findings M8, M9).
//!
//! Such lazy lines are where the two readers differ most: to the older one they are blocks of
//! the quote's text once more, to the newer one they go on with the paragraph above or end the
//! quote.

use super::blocks::{Blocks, Kind, Level};
use super::brackets::{self, bytes_of_units};
use super::html;
use super::lines::{self, line_at, line_end};
use super::text::Text;
use crate::javascript;

/// Stands before a lazy line, which is then the start of no block. A noncharacter, a space and
/// the noncharacter again: the space keeps it from being a definition's destination.
pub(super) const LAZY: &str = "\u{FDD0} \u{FDD0}";

impl<'a> Blocks<'a> {
    /// The quote at `at`, and its end.
    pub(super) fn quote(
        &mut self,
        text: &Text<'a>,
        at: usize,
        level: &mut Level<'a>,
    ) -> Option<usize> {
        let all = text.as_str();
        if !starts(line_at(all, at)) {
            return None;
        }
        if !self.reads_lazy_lines {
            self.note(Kind::Quote, level);
            let (end, leaf) = self.quote_lines(text, at);
            level.leaf = leaf;
            return Some(end);
        }
        let end = self.extent(all, at);
        self.note(Kind::Quote, level);
        let (raw, leaf) = self.old_quote(text.slice(at..end));
        level.leaf = leaf;
        let end = at + raw_len(&all[at..], raw.as_str());
        if self.depth == 0 {
            if raw.as_str() != &all[at..end] {
                self.edits.push(super::blocks::Edit::Rewritten {
                    start: at,
                    end,
                    text: raw,
                });
            }
        } else if let Some(last) = &mut level.last {
            last.raw = Some(raw);
        }
        Some(end)
    }

    /// The end of the lines that may belong to the quote at `at`; without fuel, of those before
    /// the first lazy one.
    fn extent(&mut self, text: &str, at: usize) -> usize {
        let lines = Lines {
            text,
            at,
            lazy: false,
        };
        let mut end = at;
        for line in lines {
            if !starts(&text[line.clone()]) {
                let Some(fuel) = self.fuel.checked_sub(line.len()) else {
                    break;
                };
                self.fuel = fuel;
            }
            end = line.end;
        }
        end
    }

    /// Reads the content of a quote.
    fn quoted(&mut self, content: &Text<'a>, level: &mut Level<'a>) {
        let paragraphs = std::mem::replace(&mut self.in_paragraphs, true);
        self.depth += 1;
        self.read(content, level);
        self.depth -= 1;
        self.in_paragraphs = paragraphs;
    }

    /// The newer reader: the end of the quote's last line, and the kind of its last block.
    fn quote_lines(&mut self, text: &Text<'a>, at: usize) -> (usize, Option<Kind>) {
        let all = text.as_str();
        let mut end = at;
        let mut content = Text::new();
        // The last line of the content, and whether it was kept as lazy.
        let (mut last, mut after_lazy) = (0, false);
        for range in (Lines {
            text: all,
            at,
            lazy: false,
        }) {
            let line = &all[range.clone()];
            let quoted = unquoted(line);
            let start = range.end - quoted.map_or(0, str::len);
            let is_lazy = quoted.is_none();
            if is_lazy {
                let ends = lines::is_blank(line)
                    || lines::list_start(line).is_some()
                    || html::ends_lazy_line(line)
                    || (self.depth > 0 && lines::fence(line).is_some());
                if ends {
                    break;
                }
                let known = after_lazy || line.starts_with(LAZY);
                let kind = match known {
                    true => Some(Kind::Paragraph),
                    false if lines::is_blank(&content.as_str()[last..]) => None,
                    false => self.try_leaf(&content),
                };
                let from = range.end - line.trim_start_matches([' ', '\t']).len();
                match kind {
                    Some(Kind::Paragraph | Kind::Text) => {
                        if !after_lazy {
                            keep_as_text(&mut content, last);
                        }
                        after_lazy = true;
                    }
                    Some(Kind::Definition) => {
                        after_lazy = brackets::definition(&all[from..range.end]).is_none();
                    }
                    _ => break,
                }
                content.push_str("\n", text.source(range.start.saturating_sub(1)));
                last = content.len();
                if after_lazy {
                    self.has_lazy_marks = true;
                    content.push_str(LAZY, text.source(from));
                }
                let line = text.slice(from..range.end).without(LAZY);
                content.push(&line, 0..line.len());
            } else {
                if range.start > at {
                    content.push_str("\n", text.source(range.start.saturating_sub(1)));
                }
                last = content.len();
                content.push(text, start..range.end);
                after_lazy = false;
            }
            end = range.end;
        }
        let mut level = Level::default();
        self.quoted(&content, &mut level);
        (end, level.leaf)
    }

    /// The kind of the last block of `content`, which is read for that alone.
    fn try_leaf(&mut self, content: &Text<'a>) -> Option<Kind> {
        let Some(fuel) = self.fuel.checked_sub(content.len()) else {
            return Some(Kind::Paragraph);
        };
        self.fuel = fuel;
        let outer = std::mem::take(&mut self.tried_labels);
        self.trials += 1;
        let mut level = Level::default();
        self.quoted(content, &mut level);
        self.trials -= 1;
        for label in std::mem::replace(&mut self.tried_labels, outer) {
            self.labels.remove(&label);
        }
        level.leaf
    }

    /// The older reader: lines from a lazy one to the next with `>` are read as blocks that
    /// follow those before. A quote or list that ended there is read again together with them.
    /// Gives the text that it takes for the quote's, which is not always the one that stands there.
    fn old_quote(&mut self, quote: Text<'a>) -> (Text<'a>, Option<Kind>) {
        let mut level = Level::default();
        let mut raw: Text<'a> = Text::new();
        let mut left = quote;
        let mut first = true;
        loop {
            let taken = up_to_lazy_line(left.as_str());
            if !first {
                let place = raw.source(raw.len());
                raw.push_str("\n", place);
            }
            first = false;
            raw.push(&left, 0..taken);
            let content = old_content(&left, taken);
            level.joins = true;
            self.quoted(&content, &mut level);
            if taken >= left.len() {
                break;
            }
            let Some(fuel) = self.fuel.checked_sub(left.len() - taken) else {
                break;
            };
            self.fuel = fuel;
            let rest = left.slice(taken + 1..left.len());
            let Some(last) = &mut level.last else {
                left = rest;
                continue;
            };
            let kind = last.kind;
            if kind == Kind::Code {
                break;
            }
            let Some(mut again) = last
                .raw
                .take()
                .filter(|_| matches!(kind, Kind::Quote | Kind::List))
            else {
                left = rest;
                continue;
            };
            let old_units = javascript::len(again.as_str());
            again.push_str("\n", left.source(taken));
            again.push(&rest, 0..rest.len());
            let Some(fuel) = self.fuel.checked_sub(again.len()) else {
                break;
            };
            self.fuel = fuel;
            self.parts.truncate(last.parts);
            let kept = javascript::len(raw.as_str()).saturating_sub(old_units);
            let kept = bytes_of_units(raw.as_str(), kept);
            raw.truncate(kept);
            self.depth += 1;
            if kind == Kind::Quote {
                let end = self.extent(again.as_str(), 0);
                let (new, leaf) = self.old_quote(again.slice(0..end));
                self.depth -= 1;
                raw.push(&new, 0..new.len());
                level.leaf = leaf;
                break;
            }
            let end = self.list(&again, 0, &mut level);
            self.depth -= 1;
            let Some(end) = end else {
                break;
            };
            raw.push(&again, 0..end);
            left = again.slice(end..again.len());
        }
        (raw, level.leaf)
    }
}

/// How much of `text` the reader passes over for the quote's text that it made.
fn raw_len(text: &str, raw: &str) -> usize {
    if text.starts_with(raw) {
        raw.len()
    } else {
        bytes_of_units(text, javascript::len(raw))
    }
}

/// Whether the line has the `>` of a quote.
fn starts(line: &str) -> bool {
    lines::dedent(line, 3).is_some_and(|rest| rest.starts_with('>'))
}

/// The lines that may belong to a quote: those with `>`, and behind each that is not empty the
/// lines that do not end a paragraph.
struct Lines<'t> {
    text: &'t str,
    at: usize,
    /// The next line may be lazy.
    lazy: bool,
}

impl Iterator for Lines<'_> {
    type Item = std::ops::Range<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.text.len() {
            return None;
        }
        let stop = line_end(self.text, self.at);
        let line = &self.text[self.at..stop];
        if let Some(rest) = lines::dedent(line, 3).and_then(|rest| rest.strip_prefix('>')) {
            self.lazy = !matches!(rest, "" | " ");
        } else if !self.lazy
            || line.is_empty()
            || lines::ends_paragraph(line, stop < self.text.len())
        {
            return None;
        }
        let range = self.at..stop;
        self.at = stop + 1;
        Some(range)
    }
}

/// The line without its `>` and one blank behind it.
fn unquoted(line: &str) -> Option<&str> {
    let rest = lines::dedent(line, 3)?.strip_prefix('>')?;
    Some(rest.strip_prefix([' ', '\t']).unwrap_or(rest))
}

/// A line before a lazy one that would begin code or HTML with it stays text.
fn keep_as_text(content: &mut Text<'_>, at: usize) {
    let line = &content.as_str()[at..];
    let opens = lines::fence(line).is_some() || is_open_tag(line);
    if opens {
        let from = at + (line.len() - line.trim_start_matches(javascript::is_space).len());
        let line = content.slice(from..content.len());
        content.truncate(at);
        content.push_str(LAZY, line.source(0));
        content.push(&line, 0..line.len());
    }
}

/// `<name` with nothing behind it.
fn is_open_tag(line: &str) -> bool {
    let name = lines::dedent(line, 3).and_then(|rest| rest.strip_prefix('<'));
    name.is_some_and(|name| {
        let name = name.strip_prefix('/').unwrap_or(name);
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// The end of the lines up to the first lazy one behind a line with `>`.
fn up_to_lazy_line(text: &str) -> usize {
    let mut in_quote = false;
    let mut at = 0;
    loop {
        let stop = line_end(text, at);
        if unquoted(&text[at..stop]).is_some() {
            in_quote = true;
        } else if in_quote {
            return at - 1;
        }
        if stop >= text.len() {
            return text.len();
        }
        at = stop + 1;
    }
}

/// The content of the first `end` bytes: without `>`, and with lines that would underline a
/// heading indented, except the first.
fn old_content(text: &Text<'_>, end: usize) -> Text<'static> {
    let all = text.as_str();
    let mut content = Text::new();
    let mut at = 0;
    loop {
        let stop = line_end(all, at).min(end);
        let line = &all[at..stop];
        if at > 0 {
            content.push_str("\n", text.source(at - 1));
        }
        if at > 0 && lines::is_underline(line) {
            let spaces = line.len() - line.trim_start_matches(' ').len();
            content.push_str("    ", text.source(at));
            content.push(text, at + spaces..stop);
        } else {
            let kept = unquoted(line).unwrap_or(line).len();
            content.push(text, stop - kept..stop);
        }
        if stop >= end {
            return content;
        }
        at = stop + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_end_where_paragraphs_do() {
        let lines = |text| {
            Lines {
                text,
                at: 0,
                lazy: false,
            }
            .count()
        };
        assert_eq!(lines("> a\nb\n> c\n\nd"), 3);
        assert_eq!(lines(">\na"), 1);
        assert_eq!(lines("> a\n- b"), 1);
        assert_eq!(lines("a"), 0);
    }

    #[test]
    fn old_underlines_are_indented() {
        let text = Text::body("> a\n===\n> ---", 0);
        assert_eq!(old_content(&text, text.len()).as_str(), "a\n    ===\n---");
    }
}
