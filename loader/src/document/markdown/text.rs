//! Text that was put together from pieces of the source and still knows their places.
//!
//! The client's reader makes a new text of every container's content: markers and indentation
//! go, tabs become spaces. Reading that new text as it does is the only way to get its answers,
//! so the places come along.

use std::borrow::Cow;
use std::ops::Range;

use super::SourceMap;

/// Text with the place of each byte in the source.
#[derive(Clone, Debug)]
pub(super) struct Text<'a> {
    text: Cow<'a, str>,
    map: SourceMap,
}

impl<'a> Text<'a> {
    /// The rest of `source` from byte `start` on, with LF for each CR and CRLF.
    pub(super) fn body(source: &'a str, start: usize) -> Self {
        let body = &source[start..];
        if memchr::memchr(b'\r', body.as_bytes()).is_none() {
            return Self {
                text: Cow::Borrowed(body),
                map: SourceMap::identity(start),
            };
        }
        let whole = Self {
            text: Cow::Borrowed(source),
            map: SourceMap::identity(0),
        };
        let mut text = Text::new();
        let mut at = start;
        for end in memchr::memchr_iter(b'\r', source.as_bytes()).filter(|end| *end >= start) {
            text.push(&whole, at..end);
            // A CR stands for LF; of CRLF the CR goes.
            if source.as_bytes().get(end + 1) != Some(&b'\n') {
                text.push_str("\n", end);
            }
            at = end + 1;
        }
        text.push(&whole, at..source.len());
        text
    }

    /// A text without anything.
    pub(super) fn new() -> Text<'static> {
        Text {
            text: Cow::Owned(String::new()),
            map: SourceMap::building(),
        }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// The source offset of the byte `at`.
    pub(super) fn source(&self, at: usize) -> usize {
        self.map.source_offset(at)
    }

    /// The source bytes of a stretch of this text.
    pub(super) fn source_range(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.source(range.start);
        let last = range.end.max(range.start + 1) - 1;
        start..(self.source(last) + 1).max(start)
    }

    pub(super) fn slice(&self, range: Range<usize>) -> Self {
        let mut map = SourceMap::building();
        self.map.copy(range.clone(), 0, &mut map);
        let text = match &self.text {
            Cow::Borrowed(text) => Cow::Borrowed(&text[range]),
            Cow::Owned(text) => Cow::Owned(text[range].to_owned()),
        };
        Self { text, map }
    }

    /// Appends a stretch of another text.
    pub(super) fn push(&mut self, from: &Text<'_>, range: Range<usize>) {
        self.map_range(from, range.clone());
        self.text.to_mut().push_str(&from.as_str()[range]);
    }

    fn map_range(&mut self, from: &Text<'_>, range: Range<usize>) {
        let out = self.text.len();
        from.map.copy(range, out, &mut self.map);
    }

    /// Appends text that the source does not hold in this form; it stands for what is at `source`.
    pub(super) fn push_str(&mut self, text: &str, source: usize) {
        self.map.push(self.text.len(), source);
        self.text.to_mut().push_str(text);
    }

    pub(super) fn truncate(&mut self, len: usize) {
        if len < self.text.len() {
            match &mut self.text {
                Cow::Borrowed(text) => *text = &text[..len],
                Cow::Owned(text) => text.truncate(len),
            }
            self.map.truncate(len);
        }
    }

    /// The text without each occurrence of `mark`.
    pub(super) fn without(self, mark: &str) -> Self {
        if memchr::memmem::find(self.text.as_bytes(), mark.as_bytes()).is_none() {
            return self;
        }
        let mut left = Text::new();
        let mut at = 0;
        for found in memchr::memmem::find_iter(self.text.as_bytes(), mark.as_bytes()) {
            left.push(&self, at..found);
            at = found + mark.len();
        }
        left.push(&self, at..self.len());
        left
    }

    pub(super) fn into_parts(self) -> (String, SourceMap) {
        (self.text.into_owned(), self.map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_one_byte_and_keep_their_place() {
        let text = Text::body("\u{FEFF}x\r\ny\rz", 3);
        assert_eq!(text.as_str(), "x\ny\nz");
        let places: Vec<_> = (0..5).map(|at| text.source(at)).collect();
        assert_eq!(places, [3, 5, 6, 7, 8]);
    }

    #[test]
    fn pieces_keep_their_places() {
        let body = Text::body("> ab\n> cd", 0);
        let mut text = Text::new();
        text.push(&body, 2..5);
        text.push(&body, 7..9);
        let text = text.slice(1..5);
        assert_eq!((text.as_str(), text.source(0)), ("b\ncd", 3));
        assert_eq!(text.source_range(&(2..4)), 7..9);
        assert_eq!(text.without("\n").source_range(&(1..3)), 7..9);
    }
}
