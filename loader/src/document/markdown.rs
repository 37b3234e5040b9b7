//! The body of an instruction file: which comments go, which references are prose.
//!
//! The client reads CommonMark without extensions, and looks for references in each run of
//! inline text separately. `pulldown-cmark` supplies blocks and text with byte ranges; the
//! places where the client's reader differs are handled here, each with its fact.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::item_text::{Blocks, ItemText};
use super::reference::{self, Reference};
use super::source_map::SourceMap;
use crate::client::{Behaviour, Comments};
use crate::javascript;

/// What a body delivers and names.
pub(super) struct Body {
    pub(super) text: String,
    pub(super) map: SourceMap,
    pub(super) imports: Vec<Reference>,
    pub(super) hidden: Vec<Reference>,
    pub(super) comments: Vec<Range<usize>>,
    /// The text is not the body as it stands.
    rebuilt: bool,
}

/// Reads the body of `source` that begins at byte `start`.
///
/// The client's reader takes CR and CRLF for LF before anything else, so a body that has any
/// is read in that form and its places are mapped back.
pub(super) fn read(source: &str, start: usize, behaviour: &Behaviour) -> Body {
    let body = &source[start..];
    if memchr::memchr(b'\r', body.as_bytes()).is_none() {
        return read_lines(source, start, behaviour);
    }
    let (plain, map) = rebuild(source, start, &[]);
    let mut read = read_lines(&plain, 0, behaviour);
    let place = |range: &Range<usize>| map.source_offset(range.start)..map.source_offset(range.end);
    for reference in read.imports.iter_mut().chain(&mut read.hidden) {
        reference.range = place(&reference.range);
    }
    read.comments = read.comments.iter().map(place).collect();
    if read.rebuilt {
        read.map = read.map.then(&map, &read.text);
    } else {
        read.text = body.to_owned();
        read.map = SourceMap::identity(start);
    }
    read
}

fn read_lines(source: &str, start: usize, behaviour: &Behaviour) -> Body {
    let body = &source[start..];
    let mut scan = Scan {
        source,
        start,
        fragment_cut: behaviour.fragment_cut,
        comments_kept: behaviour.comments == Comments::Kept,
        paragraph_end: None,
        imports: Vec::new(),
        hidden: Vec::new(),
        comments: Vec::new(),
    };
    let has_comment = memchr::memmem::find(body.as_bytes(), b"<!--").is_some();
    let may_import = memchr::memchr(b'@', body.as_bytes()).is_some();
    let mut definitions = Vec::new();
    if has_comment || may_import {
        definitions = scan.walk(body);
    }
    let comments = scan.comments;
    let rebuilt = match behaviour.comments {
        Comments::Kept => false,
        Comments::Rebuilt => has_comment,
        Comments::Removed => !comments.is_empty(),
    };
    let (text, map) = if rebuilt {
        let mut gaps = comments.clone();
        if behaviour.comments == Comments::Rebuilt {
            gaps.extend(definitions);
            gaps.sort_by_key(|gap| gap.start);
        }
        rebuild(source, start, &gaps)
    } else {
        (body.to_owned(), SourceMap::identity(start))
    };
    Body {
        text,
        map,
        imports: scan.imports,
        hidden: scan.hidden,
        comments,
        rebuilt,
    }
}

struct Scan<'a> {
    source: &'a str,
    start: usize,
    fragment_cut: bool,
    comments_kept: bool,
    /// The end of the last paragraph.
    paragraph_end: Option<usize>,
    imports: Vec<Reference>,
    hidden: Vec<Reference>,
    comments: Vec<Range<usize>>,
}

impl Scan<'_> {
    /// Walks the body and gives the byte ranges of its top-level link reference definitions.
    fn walk(&mut self, body: &str) -> Vec<Range<usize>> {
        let parser = Parser::new_ext(body, Options::empty());
        let start = self.start;
        let definitions: Vec<_> = parser
            .reference_definitions()
            .iter()
            .map(|(_, definition)| definition.span.clone())
            .collect();
        let mut run: Option<Range<usize>> = None;
        let mut blocks = Blocks::default();
        let (mut depth, mut images, mut code) = (0_usize, 0_usize, false);
        let mut html: Option<Range<usize>> = None;
        for (event, range) in parser.into_offset_iter() {
            let range = start + range.start..start + range.end;
            if let Some(text) = blocks.step(&event, &range, self.imports.len()) {
                self.flush(&mut run);
                self.item_text(text);
            }
            match event {
                Event::Text(_) if images > 0 || html.is_some() => {}
                Event::Text(_) if code => self.hide(&range),
                Event::Text(_) => {
                    run = Some(self.extend(run.take(), range));
                    continue;
                }
                Event::Start(Tag::Image { .. }) => images += 1,
                Event::End(TagEnd::Image) => images = images.saturating_sub(1),
                Event::Start(Tag::CodeBlock(_)) => code = true,
                Event::End(TagEnd::CodeBlock) => code = false,
                Event::Start(Tag::HtmlBlock) => html = Some(range),
                Event::End(TagEnd::HtmlBlock) => {
                    if let Some(block) = html.take() {
                        self.html_block(block, depth == 0);
                    }
                }
                Event::End(TagEnd::Paragraph) => self.paragraph_end = Some(range.end),
                Event::Code(_) => self.hide(&range),
                Event::Start(Tag::List(_) | Tag::BlockQuote(_)) => depth += 1,
                Event::End(TagEnd::List(_) | TagEnd::BlockQuote(_)) => {
                    depth = depth.saturating_sub(1);
                }
                _ => {}
            }
            self.flush(&mut run);
        }
        self.flush(&mut run);
        let mut top: Vec<_> = definitions
            .into_iter()
            .map(|span| start + span.start..start + span.end)
            .filter(|span| self.at_top_level(span))
            .map(|span| span.start..self.end_of_blank_lines(span.end))
            .collect();
        top.sort_by_key(|span| span.start);
        top
    }

    /// The text of a list item is searched as it stands before its inline parts are, so that
    /// code spans, link titles and attributes in it hide nothing behind a blank: `- x ` @k1 ``
    /// imports, and a paragraph of the same text does not (case import-list-raw).
    fn item_text(&mut self, text: ItemText) {
        let inline = self
            .imports
            .split_off(text.imports_before.min(self.imports.len()));
        let raw = &self.source[text.range.clone()];
        let before = self.imports.len();
        reference::scan(raw, text.range.start, self.fragment_cut, &mut self.imports);
        // Both lists are in text order, which keeps a long item from costing a square of it.
        let mut known = self.imports[before..].iter().peekable();
        let is_new = |reference: &Reference| {
            let at = reference.range.start;
            while known.next_if(|known| known.range.start < at).is_some() {}
            known.peek() != Some(&reference)
        };
        let new: Vec<_> = inline.into_iter().filter(is_new).collect();
        self.imports.extend(new);
    }

    /// Joins a text event to the run before it, or starts a new run.
    ///
    /// An escaped character ends a run, and the next one begins behind it (fact 3.1).
    fn extend(&mut self, run: Option<Range<usize>>, text: Range<usize>) -> Range<usize> {
        let escaped = self.is_escaped(text.start);
        match run {
            Some(before) if before.end == text.start && !escaped => before.start..text.end,
            before => {
                self.flush(&mut { before });
                let first = self.source[text.clone()].chars().next();
                let skip = if escaped {
                    first.map_or(0, char::len_utf8)
                } else {
                    0
                };
                text.start + skip..text.end
            }
        }
    }

    /// Whether the character at `at` is escaped: an odd number of backslashes stands before it,
    /// of which the last is no text of its own.
    fn is_escaped(&self, at: usize) -> bool {
        let bytes = self.source.as_bytes();
        let before = bytes[self.start..at].iter().rev();
        let slashes = before.take_while(|byte| **byte == b'\\').count();
        slashes % 2 == 1 && bytes.get(at).is_some_and(u8::is_ascii_punctuation)
    }

    fn flush(&mut self, run: &mut Option<Range<usize>>) {
        if let Some(range) = run.take() {
            let text = &self.source[range.clone()];
            reference::scan(text, range.start, self.fragment_cut, &mut self.imports);
        }
    }

    fn hide(&mut self, range: &Range<usize>) {
        let text = &self.source[range.clone()];
        let inner = text.trim_matches('`');
        let skipped = text.len() - text.trim_start_matches('`').len();
        reference::scan(
            inner,
            range.start + skipped,
            self.fragment_cut,
            &mut self.hidden,
        );
    }

    /// An HTML block: one that begins with a comment loses its complete comments (fact 4.3),
    /// and what is left of it may import (fact 3.9); all other HTML hides its references.
    fn html_block(&mut self, block: Range<usize>, top_level: bool) {
        // The block begins with its indentation.
        let block = self.line_start(block.start)..block.end;
        let text = &self.source[block.clone()];
        let opens = text.trim_start_matches([' ', '\t']).starts_with("<!--");
        if !opens || self.comments_kept {
            reference::scan(text, block.start, self.fragment_cut, &mut self.hidden);
            return;
        }
        let mut gaps = Vec::new();
        let mut from = 0;
        while let Some(open) = text[from..].find("<!--").map(|open| from + open) {
            let Some(close) = text[open + 4..].find("-->").map(|close| open + 7 + close) else {
                break;
            };
            gaps.push(block.start + open..block.start + close);
            from = close;
        }
        if gaps.is_empty() {
            return;
        }
        let mut left = String::with_capacity(text.len());
        let mut at = block.start;
        let mut pieces = Vec::new();
        for gap in &gaps {
            pieces.push((left.len(), at));
            left.push_str(&self.source[at..gap.start]);
            at = gap.end;
        }
        pieces.push((left.len(), at));
        left.push_str(&self.source[at..block.end]);
        self.scan_left(&left, &pieces);
        if !top_level || self.continues_paragraph(&block) {
            return;
        }
        if javascript::trim(&left).is_empty() {
            self.comments
                .push(block.start..self.end_of_blank_lines(block.end));
        } else {
            self.comments.extend(gaps);
        }
    }

    /// The start of the line of `at` if only blanks stand between, else `at`.
    fn line_start(&self, at: usize) -> usize {
        let before = &self.source[self.start..at];
        let blanks = before.len() - before.trim_end_matches([' ', '\t']).len();
        match before[..before.len() - blanks].chars().next_back() {
            None | Some('\n') => at - blanks,
            Some(_) => at,
        }
    }

    /// Whether an indented comment stands right behind a line of a paragraph, which it then
    /// belongs to: `p\n <!-- c -->` keeps its comment, unlike `p\n<!-- c -->`.
    fn continues_paragraph(&self, block: &Range<usize>) -> bool {
        self.paragraph_end == Some(block.start) && self.source[block.clone()].starts_with(' ')
    }

    /// Scans the rest of a comment block, whose pieces stand at different places.
    fn scan_left(&mut self, left: &str, pieces: &[(usize, usize)]) {
        let mut found = Vec::new();
        reference::scan(left, 0, self.fragment_cut, &mut found);
        for reference in found {
            let index = pieces.partition_point(|piece| piece.0 <= reference.range.start);
            let (out, source) = pieces[index.saturating_sub(1)];
            let at = source + (reference.range.start - out);
            self.imports.push(Reference {
                range: at..at + reference.range.len(),
                path: reference.path,
            });
        }
    }

    /// The end of the line ends that follow `at`.
    fn end_of_blank_lines(&self, at: usize) -> usize {
        let rest = &self.source.as_bytes()[at..];
        at + rest
            .iter()
            .take_while(|byte| matches!(byte, b'\n' | b'\r'))
            .count()
    }

    fn at_top_level(&self, span: &Range<usize>) -> bool {
        let before = &self.source[self.start..span.start];
        let line = &before[before.rfind(['\n', '\r']).map_or(0, |end| end + 1)..];
        line.len() <= 3 && line.bytes().all(|byte| byte == b' ')
    }
}

/// The body without its gaps and with LF line ends (fact 4.6).
fn rebuild(source: &str, start: usize, gaps: &[Range<usize>]) -> (String, SourceMap) {
    let mut text = String::with_capacity(source.len() - start);
    let mut map = SourceMap::building();
    let mut at = start;
    let mut copy = |from: usize, to: usize, text: &mut String| {
        let mut piece = from;
        while piece < to {
            let rest = &source.as_bytes()[piece..to];
            let end = memchr::memchr(b'\r', rest).map_or(to, |end| piece + end);
            if end > piece {
                map.push(text.len(), piece);
                text.push_str(&source[piece..end]);
            }
            if end == to {
                break;
            }
            // A CR stands for LF; of CRLF the CR goes.
            if source.as_bytes().get(end + 1) != Some(&b'\n') {
                map.push(text.len(), end);
                text.push('\n');
            }
            piece = end + 1;
        }
    };
    for gap in gaps {
        copy(at, gap.start.max(at), &mut text);
        at = at.max(gap.end);
    }
    copy(at, source.len(), &mut text);
    (text, map)
}
