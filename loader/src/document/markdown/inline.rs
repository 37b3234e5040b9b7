//! References in the inline text of a block.
//!
//! References are looked for in each run of plain text; whatever is no plain text (an escape, a
//! tag, a link, emphasis, a code span) ends a run (facts 3.1 and 3.2).

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::reference::{self, Cover, Reference};
use super::brackets::{self, Link, Words};
use super::emphasis::Emphasis;
use super::html;
use super::text::Text;

/// How deep links and emphasis are followed; what lies deeper is taken as one run.
const MAX_DEPTH: usize = 100;

/// Collects the references of texts.
pub(super) struct References<'a> {
    pub(super) labels: &'a FxHashSet<String>,
    pub(super) fragment_cut: bool,
    pub(super) imports: Vec<Reference>,
    pub(super) hidden: Vec<Reference>,
    pub(super) stuck: Vec<Reference>,
    /// How many delimiters of emphasis may still be looked at.
    pub(super) fuel: usize,
}

impl References<'_> {
    /// Searches a stretch of text as it stands.
    pub(super) fn search(&mut self, text: &Text<'_>, range: Range<usize>, cover: Option<&Cover>) {
        let found = if cover.is_some() {
            &mut self.hidden
        } else {
            &mut self.imports
        };
        let before = found.len();
        let run = &text.as_str()[range.clone()];
        reference::scan(run, range.start, self.fragment_cut, found);
        for reference in &mut found[before..] {
            reference.range = text.source_range(&reference.range);
            reference.cover = cover.cloned();
        }
    }

    /// Searches a run of plain text.
    fn run(&mut self, text: &Text<'_>, range: Range<usize>) {
        let before = self.stuck.len();
        reference::scan_stuck(&text.as_str()[range.clone()], range.start, &mut self.stuck);
        for reference in &mut self.stuck[before..] {
            reference.range = text.source_range(&reference.range);
        }
        self.search(text, range, None);
    }

    /// Searches the inline text of a block.
    pub(super) fn inline(&mut self, text: &Text<'_>, range: Range<usize>, depth: usize) {
        let all = &text.as_str()[..range.end];
        let bytes = all.as_bytes();
        if memchr::memchr(b'@', &bytes[range.clone()]).is_none() {
            return;
        }
        if depth >= MAX_DEPTH {
            self.search(text, range, None);
            return;
        }
        let mut at = range.start;
        let mut run: Option<usize> = None;
        let mut spans = Spans::default();
        let mut emphasis = Emphasis::new(all, range.start, self.labels);
        let mut absent = html::Absent::default();
        let mut words = Words::default();
        // The character before, where it is plain text.
        let mut before: Option<char> = None;
        while at < all.len() {
            let part = match bytes[at] {
                b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) => {
                    Some(Inline::Nothing(at + 2))
                }
                b'<' => html::inline(all, at, &mut absent)
                    .or_else(|| brackets::address(all, at))
                    .map(Inline::Nothing),
                b'[' => self.link(all, at, &mut words).map(Inline::Link),
                b'!' if bytes.get(at + 1) == Some(&b'[') => self
                    .link(all, at + 1, &mut words)
                    .map(|link| Inline::Nothing(link.end)),
                b'*' | b'_' => emphasis
                    .at(at, before, &mut self.fuel)
                    .map(|(text, end)| Inline::Link(Link { text, end })),
                b'`' => spans.end(all, &range, at).map(Inline::Code),
                _ => None,
            };
            let Some(part) = part else {
                run.get_or_insert(at);
                at = plain_end(all, at);
                let last = all[..at].chars().next_back();
                before = last.filter(|last| *last != '_').or(before);
                continue;
            };
            before = None;
            if let Some(start) = run.take() {
                self.run(text, start..at);
            }
            at = match part {
                Inline::Nothing(end) => end,
                Inline::Code(span) => {
                    let end = span.end + (span.start - at);
                    self.search(text, span, Some(&Cover::Span));
                    end
                }
                Inline::Link(link) => {
                    self.inner(text, link.text, bytes[at] == b'[', depth + 1);
                    link.end
                }
            };
        }
        if let Some(start) = run {
            self.run(text, start..all.len());
        }
    }

    /// Searches the text of a link, where escaped brackets lose their backslash, or emphasis.
    fn inner(&mut self, text: &Text<'_>, range: Range<usize>, is_link: bool, depth: usize) {
        let inner = &text.as_str()[range.clone()];
        let is_escape = |at: usize| matches!(inner.as_bytes().get(at + 1), Some(b'[' | b']'));
        let mut escapes = memchr::memchr_iter(b'\\', inner.as_bytes())
            .filter(|at| is_link && is_escape(*at))
            .peekable();
        if escapes.peek().is_none() {
            return self.inline(text, range, depth);
        }
        let mut plain = Text::new();
        let mut at = 0;
        for escape in escapes {
            plain.push(text, range.start + at..range.start + escape);
            at = escape + 1;
        }
        plain.push(text, range.start + at..range.end);
        self.inline(&plain, 0..plain.len(), depth);
    }

    /// The link whose `[` is at `open`: with a destination, or with a label that is defined.
    fn link(&self, text: &str, open: usize, words: &mut Words) -> Option<Link> {
        let bytes = text.as_bytes();
        let close = brackets::link_label(bytes, open + 1);
        if let Some(link) = close.and_then(|close| brackets::link(text, open, close, words)) {
            return Some(link);
        }
        if self.labels.is_empty() {
            return None;
        }
        let (label, inner, end) = close
            .filter(|close| bytes.get(close + 1) == Some(&b'['))
            .and_then(|close| {
                let end = brackets::plain_label(bytes, close + 2)?;
                Some((close + 2..end, open + 1..close, end + 1))
            })
            .or_else(|| {
                let end = brackets::plain_label(bytes, open + 1)?;
                let empty = text[end + 1..].starts_with("[]");
                let label = open + 1..end;
                Some((label.clone(), label, end + if empty { 3 } else { 1 }))
            })?;
        let known = self.labels.contains(&brackets::key(&text[label]));
        known.then_some(Link { text: inner, end })
    }
}

/// A part of inline text that is no plain text.
enum Inline {
    /// Holds no references that count; its end.
    Nothing(usize),
    /// The content of a code span.
    Code(Range<usize>),
    /// A link or emphasis, and what it holds.
    Link(Link),
}

/// The end of the plain text at `at`: at least one character or all of a run of back-ticks.
fn plain_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let first = if bytes[at] == b'`' {
        bytes[at..].iter().take_while(|b| **b == b'`').count()
    } else {
        text[at..].chars().next().map_or(1, char::len_utf8)
    };
    let rest = bytes[at + first..].iter();
    let special = |byte: &u8| matches!(byte, b'\\' | b'<' | b'!' | b'[' | b'`' | b'*' | b'_');
    at + first + rest.take_while(|byte| !special(byte)).count()
}

/// Runs of back-ticks by their length, the last first; found when the first is asked for.
#[derive(Default)]
struct Spans {
    runs: Option<FxHashMap<usize, Vec<usize>>>,
}

impl Spans {
    /// The content of the code span that opens at `at`.
    fn end(&mut self, text: &str, range: &Range<usize>, at: usize) -> Option<Range<usize>> {
        let bytes = text.as_bytes();
        let count = |at: usize| bytes[at..].iter().take_while(|b| **b == b'`').count();
        let runs = self.runs.get_or_insert_with(|| {
            let mut runs: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
            let mut at = range.start;
            while let Some(found) = memchr::memchr(b'`', &bytes[at..]) {
                let length = count(at + found);
                runs.entry(length).or_default().push(at + found);
                at += found + length;
            }
            runs.values_mut().for_each(|places| places.reverse());
            runs
        });
        let length = count(at);
        let places = runs.get_mut(&length)?;
        while places.last().is_some_and(|place| *place <= at) {
            places.pop();
        }
        places.last().map(|close| at + length..*close)
    }
}
