//! From delivered text back to the file that it came from.

use std::ops::Range;

/// A piece of delivered text that stands unchanged in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Segment {
    /// Byte offset in the delivered text.
    out: usize,
    /// Byte offset in the source.
    source: usize,
}

/// Maps byte offsets and lines of a delivered text to its source (invariant 3).
///
/// What was removed (front matter, comments, trimmed ends, a cut memory index) is a gap
/// between two segments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceMap {
    segments: Vec<Segment>,
}

impl SourceMap {
    /// A text that is the source from byte `start` on.
    #[must_use]
    pub fn identity(start: usize) -> Self {
        Self {
            segments: vec![Segment {
                out: 0,
                source: start,
            }],
        }
    }

    /// A map under construction.
    pub(super) fn building() -> Self {
        Self {
            segments: Vec::new(),
        }
    }

    /// Notes that the delivered text goes on at `out` with the source's byte `source`.
    pub(super) fn push(&mut self, out: usize, source: usize) {
        let goes_on = self
            .segments
            .last()
            .is_some_and(|last| source >= last.source && source - last.source == out - last.out);
        if !goes_on {
            self.segments.push(Segment { out, source });
        }
    }

    /// Adds to `into`, from its byte `out` on, what this map says of the bytes `range`.
    pub(super) fn copy(&self, range: Range<usize>, out: usize, into: &mut Self) {
        if range.is_empty() {
            return;
        }
        into.push(out, self.source_offset(range.start));
        let first = self
            .segments
            .partition_point(|segment| segment.out <= range.start);
        for segment in self.segments[first..]
            .iter()
            .take_while(|segment| segment.out < range.end)
        {
            into.push(out + (segment.out - range.start), segment.source);
        }
    }

    /// Forgets what lies behind the byte `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        let left = self.segments.partition_point(|segment| segment.out < len);
        self.segments.truncate(left);
    }

    /// The source offset of a delivered offset.
    #[must_use]
    pub fn source_offset(&self, out: usize) -> usize {
        let index = self.segments.partition_point(|segment| segment.out <= out);
        match index
            .checked_sub(1)
            .and_then(|index| self.segments.get(index))
        {
            Some(segment) => segment.source + (out - segment.out),
            None => out,
        }
    }

    /// The map of the delivered text without its first `bytes` bytes.
    #[must_use]
    pub fn without_start(&self, bytes: usize) -> Self {
        let mut map = Self::identity(self.source_offset(bytes));
        let later = self.segments.iter().filter(|segment| segment.out > bytes);
        map.segments.extend(later.map(|segment| Segment {
            out: segment.out - bytes,
            source: segment.source,
        }));
        map
    }

    /// The map of the delivered text with one byte more before each of `places`, which are
    /// offsets in order.
    pub(crate) fn with_insertions(&self, places: &[usize]) -> Self {
        let moved = |out: usize| out + places.partition_point(|place| *place <= out);
        let old = self.segments.iter().map(|segment| Segment {
            // What is inserted at the very start of a piece stands before it.
            out: moved(segment.out),
            source: segment.source,
        });
        let new = places.iter().map(|place| Segment {
            out: moved(*place),
            source: self.source_offset(*place),
        });
        let mut segments: Vec<Segment> = old.chain(new).collect();
        segments.sort_by_key(|segment| segment.out);
        segments.dedup_by_key(|segment| segment.out);
        Self { segments }
    }

    /// For each line of `delivered`, its 1-based line in `source`.
    #[must_use]
    pub fn lines(&self, delivered: &str, source: &str) -> Vec<u32> {
        let mut lines = Vec::new();
        let (mut line, mut counted) = (1_u32, 0);
        let starts = std::iter::once(0)
            .chain(memchr::memchr_iter(b'\n', delivered.as_bytes()).map(|end| end + 1));
        for start in starts.take_while(|start| *start < delivered.len()) {
            let offset = self.source_offset(start).min(source.len());
            let passed = &source.as_bytes()[counted..offset.max(counted)];
            let ends = memchr::memchr_iter(b'\n', passed).count();
            line = line.saturating_add(u32::try_from(ends).unwrap_or(u32::MAX));
            counted = offset.max(counted);
            lines.push(line);
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_keep_lines_right() {
        let source = "a\n<!-- gone -->\nb\nc\n";
        let delivered = "a\nb\nc\n";
        let mut map = SourceMap::building();
        map.push(0, 0);
        map.push(2, 16);
        assert_eq!(map.lines(delivered, source), [1, 3, 4]);
        assert_eq!(map.without_start(2).lines("b\nc\n", source), [3, 4]);
    }

    #[test]
    fn adjacent_pieces_are_one_segment() {
        let mut map = SourceMap::building();
        map.push(0, 5);
        map.push(3, 8);
        assert_eq!(map, SourceMap::identity(5));
    }
}
