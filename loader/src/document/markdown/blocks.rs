//! The blocks of a text: which stretches are prose, code, HTML, and where each stands.

use rustc_hash::FxHashSet;

use super::super::reference::Cover;
use super::lines::{self, line_at, line_end};
use super::text::Text;
use super::{brackets, html};
use crate::javascript;

/// How deep containers are followed; what lies deeper is read as one text.
const MAX_DEPTH: usize = 100;

/// A stretch of text that may hold references, in text order.
#[derive(Debug)]
pub(super) enum Part<'a> {
    /// The text of a paragraph or heading.
    Prose(Text<'a>),
    /// The plain text of a list item.
    ItemText(Text<'a>),
    Code(Text<'a>, Cover),
    Html(Text<'a>),
}

/// A stretch of the body that the delivered text does not hold as it stands.
#[derive(Debug)]
pub(super) enum Edit<'a> {
    /// An HTML block that begins with a comment.
    Comment { start: usize, end: usize },
    /// A definition.
    Definition { start: usize, end: usize },
    /// Anything that the older reader writes otherwise than it stood.
    Rewritten {
        start: usize,
        end: usize,
        text: Text<'a>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Space,
    Paragraph,
    Text,
    Code,
    Definition,
    List,
    Quote,
    Other,
}

/// The last block that was read at one level.
#[derive(Debug)]
pub(super) struct Last<'a> {
    pub(super) kind: Kind,
    /// How many parts there were before it.
    pub(super) parts: usize,
    /// Its text, where a quote's reader may have to read it again.
    pub(super) raw: Option<Text<'a>>,
}

/// What is known of one level of blocks while it is read.
#[derive(Debug, Default)]
pub(super) struct Level<'a> {
    pub(super) last: Option<Last<'a>>,
    /// The kind of its last block but blank lines, in lists and quotes of their last block.
    pub(super) leaf: Option<Kind>,
    /// The next paragraph goes on with the one before it.
    pub(super) joins: bool,
}

/// Reads blocks.
pub(super) struct Blocks<'a> {
    pub(super) parts: Vec<Part<'a>>,
    /// The labels that are defined anywhere.
    pub(super) labels: FxHashSet<String>,
    pub(super) edits: Vec<Edit<'a>>,
    /// Lazy lines of quotes are read as blocks (findings M8).
    pub(super) reads_lazy_lines: bool,
    /// Text is a paragraph here, not an item's text.
    pub(super) in_paragraphs: bool,
    pub(super) depth: usize,
    /// Above zero, what is read is only tried and leaves nothing behind.
    pub(super) trials: usize,
    pub(super) tried_labels: Vec<String>,
    /// How many bytes may still be read more than once.
    pub(super) fuel: usize,
    /// Set once a text holds [`LAZY`](super::quote::LAZY).
    pub(super) has_lazy_marks: bool,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(body: &Text<'_>, reads_lazy_lines: bool) -> Self {
        Self {
            parts: Vec::new(),
            labels: FxHashSet::default(),
            edits: Vec::new(),
            reads_lazy_lines,
            in_paragraphs: true,
            depth: 0,
            trials: 0,
            tried_labels: Vec::new(),
            fuel: 256 * 1024 + 8 * body.len(),
            has_lazy_marks: false,
        }
    }

    /// Reads the blocks of `text` to the end.
    pub(super) fn read(&mut self, text: &Text<'a>, level: &mut Level<'a>) {
        let all = text.as_str();
        if self.depth >= MAX_DEPTH {
            self.add(Kind::Text, level, || Part::ItemText(text.clone()));
            self.in_paragraphs = true;
            return;
        }
        // Up to here no line is a setext heading's underline.
        let mut no_setext = 0;
        let mut at = 0;
        while at < all.len() {
            at = self.read_one(text, at, level, &mut no_setext);
        }
        self.in_paragraphs = true;
    }

    /// Reads the block at `at` and gives its end. The order of the attempts decides.
    fn read_one(
        &mut self,
        text: &Text<'a>,
        at: usize,
        level: &mut Level<'a>,
        no_setext: &mut usize,
    ) -> usize {
        let all = text.as_str();
        let rest = &all[at..];
        let line = line_at(rest, 0);
        let line_stop = at + line.len();
        let next = (line_stop + 1).min(all.len());
        let blank = lines::blank_lines(rest);
        if blank > 0 {
            self.space(text, at, blank, level);
            return at + blank;
        }
        if lines::is_indented_code(line) {
            return self.indented_code(text, at, level);
        }
        let first = line.trim_start_matches(' ').bytes().next().unwrap_or(0);
        if matches!(first, b'`' | b'~')
            && let Some(fence) = lines::fence(line)
        {
            return self.fenced_code(text, at, fence, level);
        }
        if first == b'#'
            && let Some(heading) = heading_text(line)
        {
            let slice = at + heading.start..at + heading.end;
            self.add(Kind::Other, level, || Part::Prose(text.slice(slice)));
            return skip_newlines(all, next);
        }
        if matches!(first, b'-' | b'*' | b'_') && lines::is_rule(line, 3, true) {
            self.note(Kind::Other, level);
            return line_stop;
        }
        if first == b'>'
            && let Some(end) = self.quote(text, at, level)
        {
            return end;
        }
        if let Some(end) = self.list(text, at, level) {
            return end;
        }
        if first == b'<'
            && let Some(len) = html::block(rest)
        {
            if self.depth == 0 && html_opens_with_comment(&rest[..len]) {
                self.edits.push(Edit::Comment {
                    start: at,
                    end: at + len,
                });
            }
            self.add(Kind::Other, level, || Part::Html(text.slice(at..at + len)));
            return at + len;
        }
        if first == b'['
            && let Some(end) = self.definition(text, at, level)
        {
            return end;
        }
        if let Some((stop, end)) = setext(all, at, no_setext) {
            self.add(Kind::Other, level, || Part::Prose(text.slice(at..stop)));
            return end;
        }
        if self.in_paragraphs {
            return self.paragraph(text, at, level);
        }
        if matches!(&level.last, Some(last) if last.kind == Kind::Text) {
            self.append(text, at, |to| to.push(text, at..line_stop));
        } else {
            self.add(Kind::Text, level, || {
                Part::ItemText(text.slice(at..line_stop))
            });
        }
        line_stop
    }

    /// Notes a block that holds no references itself.
    pub(super) fn note(&mut self, kind: Kind, level: &mut Level<'a>) {
        if kind != Kind::Space {
            level.leaf = Some(kind);
        }
        level.last = Some(Last {
            kind,
            parts: self.parts.len(),
            raw: None,
        });
    }

    fn add(&mut self, kind: Kind, level: &mut Level<'a>, part: impl FnOnce() -> Part<'a>) {
        self.note(kind, level);
        if self.trials == 0 {
            let mut part = part();
            if self.has_lazy_marks {
                part = part.without_marks();
            }
            self.parts.push(part);
        }
    }

    /// Adds a line end and more to the part that was read last.
    fn append(&mut self, from: &Text<'a>, at: usize, add: impl FnOnce(&mut Text<'a>)) {
        if self.trials > 0 {
            return;
        }
        let marks = self.has_lazy_marks;
        if let Some(Part::Prose(text) | Part::ItemText(text)) = self.parts.last_mut() {
            text.push_str("\n", from.source(at.saturating_sub(1)));
            if marks {
                let mut added = Text::new();
                add(&mut added);
                let added = added.without(super::quote::LAZY);
                text.push(&added, 0..added.len());
            } else {
                add(text);
            }
        }
    }

    /// Blank lines: the single line end of the line above is no block of its own.
    fn space(&mut self, text: &Text<'a>, at: usize, len: usize, level: &mut Level<'a>) {
        let is_newline = text.as_str().as_bytes()[at] == b'\n';
        if len == 1
            && (is_newline || self.reads_lazy_lines)
            && let Some(last) = &mut level.last
        {
            if let Some(raw) = &mut last.raw {
                raw.push_str("\n", text.source(at));
            }
            // The older reader writes a last lone blank as a line end (findings T5).
            if self.depth == 0 && !is_newline {
                let mut line_end = Text::new();
                line_end.push_str("\n", text.source(at));
                self.edits.push(Edit::Rewritten {
                    start: at,
                    end: at + 1,
                    text: line_end,
                });
            }
            return;
        }
        self.note(Kind::Space, level);
    }

    /// Indented code takes the blank lines between and behind it. Right behind text it is text.
    fn indented_code(&mut self, text: &Text<'a>, at: usize, level: &mut Level<'a>) -> usize {
        let all = text.as_str();
        let mut end = at;
        while end < all.len() {
            let line = line_at(all, end);
            if !lines::is_blank(line) && !lines::is_indented_code(line) {
                break;
            }
            end = (end + line.len() + 1).min(all.len());
        }
        if !matches!(&level.last, Some(last) if matches!(last.kind, Kind::Paragraph | Kind::Text)) {
            self.add(Kind::Code, level, || {
                Part::Code(text.slice(at..end), Cover::Indent)
            });
            return end;
        }
        let stop = at + all[at..end].trim_end_matches('\n').len();
        self.append(text, at, |to| {
            let mut from = at;
            while from < stop {
                let line = &all[from..line_end(all, from).min(stop)];
                let kept = lines::undo_code_indent(line).len();
                let line_stop = from + line.len();
                to.push(text, line_stop - kept..(line_stop + 1).min(stop));
                from = line_stop + 1;
            }
        });
        end
    }

    fn fenced_code(
        &mut self,
        text: &Text<'a>,
        at: usize,
        fence: lines::Fence<'_>,
        level: &mut Level<'a>,
    ) -> usize {
        let all = text.as_str();
        let start = (line_end(all, at) + 1).min(all.len());
        let mut from = start;
        let mut end = all.len();
        let mut closed = false;
        while from < all.len() {
            let stop = line_end(all, from);
            if fence.closes(&all[from..stop]) {
                end = stop;
                closed = true;
                break;
            }
            from = stop + 1;
        }
        let inner = start..from.clamp(start, all.len());
        self.add(Kind::Code, level, || {
            let opened = text.source(at);
            Part::Code(text.slice(inner), Cover::Fence { opened, closed })
        });
        end
    }

    fn definition(&mut self, text: &Text<'a>, at: usize, level: &mut Level<'a>) -> Option<usize> {
        let all = text.as_str();
        let found = brackets::definition(&all[at..])?;
        let end = at + found.len;
        if matches!(&level.last, Some(last) if matches!(last.kind, Kind::Paragraph | Kind::Text)) {
            self.append(text, at, |to| to.push(text, at..end));
            return Some(end);
        }
        let key = brackets::key(&all[at + found.label.start..at + found.label.end]);
        if self.trials > 0 && !self.labels.contains(&key) {
            self.tried_labels.push(key.clone());
        }
        self.labels.insert(key);
        if self.depth == 0 {
            self.edits.push(Edit::Definition { start: at, end });
        }
        // To the older reader a definition is no block.
        if !self.reads_lazy_lines {
            self.note(Kind::Definition, level);
        }
        Some(end)
    }

    fn paragraph(&mut self, text: &Text<'a>, at: usize, level: &mut Level<'a>) -> usize {
        let all = text.as_str();
        let mut end = line_end(all, at);
        while end + 1 < all.len() {
            let stop = line_end(all, end + 1);
            let line = &all[end + 1..stop];
            if line.is_empty() || lines::ends_paragraph(line, stop < all.len()) {
                break;
            }
            end = stop;
        }
        let joins = std::mem::take(&mut level.joins);
        if joins && matches!(&level.last, Some(last) if last.kind == Kind::Paragraph) {
            self.append(text, at, |to| to.push(text, at..end));
        } else {
            self.add(Kind::Paragraph, level, || Part::Prose(text.slice(at..end)));
        }
        end
    }
}

impl Part<'_> {
    fn without_marks(self) -> Self {
        match self {
            Self::Prose(text) => Self::Prose(text.without(super::quote::LAZY)),
            Self::ItemText(text) => Self::ItemText(text.without(super::quote::LAZY)),
            Self::Code(text, cover) => Self::Code(text.without(super::quote::LAZY), cover),
            Self::Html(text) => Self::Html(text.without(super::quote::LAZY)),
        }
    }
}

/// Whether a stretch of HTML begins with a comment and holds the end of one (findings W2).
pub(super) fn html_opens_with_comment(html: &str) -> bool {
    html.trim_start_matches(javascript::is_space)
        .starts_with("<!--")
        && html.contains("-->")
}

fn skip_newlines(text: &str, at: usize) -> usize {
    let ends = text.as_bytes()[at..].iter().take_while(|b| **b == b'\n');
    at + ends.count()
}

/// The text of a heading with number signs, without those at its end.
fn heading_text(line: &str) -> Option<std::ops::Range<usize>> {
    let rest = lines::dedent(line, 3)?;
    let signs = lines::number_signs(rest);
    let text = &rest[signs..];
    let follows = text.chars().next().is_none_or(javascript::is_space);
    if signs > 6 || !follows || text.contains(['\u{2028}', '\u{2029}']) {
        return None;
    }
    let end = line.trim_end_matches(javascript::is_space).len();
    let from = line.len() - text.len();
    let start = from + (text.len() - text.trim_start_matches(javascript::is_space).len());
    if start >= end {
        return Some(start..start);
    }
    let bare = line[start..end].trim_end_matches('#');
    if bare.is_empty() || bare.ends_with(' ') {
        let bare = bare.trim_end_matches(javascript::is_space);
        return Some(start..start + bare.len());
    }
    Some(start..end)
}

/// A setext heading at `at`: the end of its text, and its own.
///
/// `none_before` keeps the place up to which there is none, so that the lines of an item's text,
/// which are read one by one, are looked through once.
fn setext(text: &str, at: usize, none_before: &mut usize) -> Option<(usize, usize)> {
    if at < *none_before {
        return None;
    }
    let mut stop = line_end(text, at);
    if lines::ends_setext_text(&text[at..stop], stop < text.len()) {
        return None;
    }
    let has_separator = |line: &str| line.contains(['\u{2028}', '\u{2029}']);
    let one_line = has_separator(&text[at..stop]);
    while stop < text.len() && !one_line {
        let start = stop + 1;
        let end = line_end(text, start);
        let line = &text[start..end];
        if lines::is_underline(line) {
            return Some((stop, skip_newlines(text, end)));
        }
        let ended = end < text.len();
        let blank = ended && javascript::trim(line).is_empty();
        if blank || lines::ends_setext_text(line, ended) || has_separator(line) {
            break;
        }
        stop = end;
    }
    *none_before = stop;
    None
}
