//! New bytes from a transcript's: what is not changed is copied as it stands.
//!
//! [`Patched`] is a transcript's source with [`Edit`]s: itself a [`Source`], so that what would be
//! written can be read first, and written with [`Patched::copy_to`]. Texts are made by [`Json`],
//! which changes single values of a record and keeps the rest byte for byte.

mod json;

use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::source::Source;

pub use json::{Changes, ItemChange, Json};

/// How much is copied at once.
const CHUNK: usize = 1 << 18;

/// Bytes that stand in the place of others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Which bytes go.
    pub range: Range<u64>,
    /// What comes in their place.
    pub text: Vec<u8>,
}

impl Edit {
    /// Takes bytes out.
    #[must_use]
    pub fn cut(range: Range<u64>) -> Self {
        Self {
            range,
            text: Vec::new(),
        }
    }
}

/// One stretch of a patched source.
#[derive(Debug, Clone)]
enum Piece {
    /// These bytes of the source.
    Copy(Range<u64>),
    /// Others, in the place of source bytes from `at` on.
    Text {
        bytes: Arc<[u8]>,
        part: Range<usize>,
        at: u64,
    },
}

impl Piece {
    fn length(&self) -> u64 {
        match self {
            Self::Copy(range) => range.end - range.start,
            Self::Text { part, .. } => part.len() as u64,
        }
    }

    /// The part of this piece between two of its own offsets.
    fn part(&self, from: u64, to: u64) -> Self {
        match self {
            Self::Copy(range) => Self::Copy(range.start + from..range.start + to),
            Self::Text { bytes, part, at } => {
                let place = |offset: u64| part.start + usize::try_from(offset).unwrap_or(0);
                Self::Text {
                    bytes: Arc::clone(bytes),
                    part: place(from)..place(to),
                    at: *at,
                }
            }
        }
    }
}

/// A source with edits. Only the edits are held in memory.
#[derive(Debug, Clone)]
pub struct Patched<S> {
    source: S,
    pieces: Vec<Piece>,
    /// Where each piece begins.
    starts: Vec<u64>,
    length: u64,
}

impl<S: Source> Patched<S> {
    /// The source as it is.
    pub fn of(source: S) -> Self {
        let length = source.length();
        Self {
            source,
            pieces: vec![Piece::Copy(0..length)],
            starts: vec![0],
            length,
        }
    }

    /// This with more edits, whose places are those of the bytes as they are by now. Of edits
    /// that overlap the first counts.
    #[must_use]
    pub fn edited(self, mut edits: Vec<Edit>) -> Self {
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        let mut pieces = Vec::with_capacity(self.pieces.len() + 2 * edits.len());
        let mut done = 0;
        for edit in edits {
            if edit.range.start < done || edit.range.end > self.length {
                continue;
            }
            self.take(done..edit.range.start, &mut pieces);
            if !edit.text.is_empty() {
                pieces.push(Piece::Text {
                    part: 0..edit.text.len(),
                    bytes: edit.text.into(),
                    at: self.origin(edit.range.start),
                });
            }
            done = edit.range.end;
        }
        self.take(done..self.length, &mut pieces);
        let mut length = 0;
        let mut starts = Vec::with_capacity(pieces.len());
        for piece in &pieces {
            starts.push(length);
            length += piece.length();
        }
        Self {
            source: self.source,
            pieces,
            starts,
            length,
        }
    }

    /// The pieces between two places.
    fn take(&self, range: Range<u64>, into: &mut Vec<Piece>) {
        let mut at = range.start;
        let mut number = self.piece_at(at);
        while at < range.end {
            let (Some(piece), Some(start)) = (self.pieces.get(number), self.starts.get(number))
            else {
                return;
            };
            let end = range.end.min(start + piece.length());
            into.push(piece.part(at - start, end - start));
            at = end;
            number += 1;
        }
    }

    fn piece_at(&self, offset: u64) -> usize {
        self.starts
            .partition_point(|start| *start <= offset)
            .saturating_sub(1)
    }

    /// Where in the source the byte at `offset` comes from, or what it stands in the place of.
    #[must_use]
    pub fn origin(&self, offset: u64) -> u64 {
        let number = self.piece_at(offset);
        match (self.pieces.get(number), self.starts.get(number)) {
            (Some(Piece::Copy(range)), Some(start)) => range.start + (offset - start),
            (Some(Piece::Text { at, .. }), _) => *at,
            _ => self.source.length(),
        }
    }

    /// Whether nothing is changed.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        let mut next = 0;
        for piece in &self.pieces {
            match piece {
                Piece::Copy(range) if range.start == next => next = range.end,
                _ => return false,
            }
        }
        next == self.source.length()
    }

    /// Writes all bytes, and tells how many there were.
    ///
    /// # Errors
    ///
    /// When the source cannot be read, or `out` not be written to.
    pub fn copy_to(&self, out: &mut dyn io::Write) -> io::Result<u64> {
        let mut buffer = vec![0; CHUNK];
        let mut done = 0;
        while done < self.length {
            let size = usize::try_from(self.length - done).map_or(CHUNK, |left| left.min(CHUNK));
            self.read_at(done, &mut buffer[..size])?;
            out.write_all(&buffer[..size])?;
            done += size as u64;
        }
        Ok(done)
    }
}

impl<S: Source> Source for Patched<S> {
    fn length(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let mut number = self.piece_at(offset);
        let mut at = offset;
        let mut filled = 0;
        while filled < buffer.len() {
            let (Some(piece), Some(start)) = (self.pieces.get(number), self.starts.get(number))
            else {
                return Err(io::ErrorKind::UnexpectedEof.into());
            };
            let inside = at - start;
            let left = usize::try_from(piece.length() - inside).unwrap_or(usize::MAX);
            let size = left.min(buffer.len() - filled);
            let target = &mut buffer[filled..filled + size];
            match piece {
                Piece::Copy(range) => self.source.read_at(range.start + inside, target)?,
                Piece::Text { bytes, part, .. } => {
                    let from = part.start + usize::try_from(inside).unwrap_or(usize::MAX);
                    let text = bytes.get(from..from + size);
                    target.copy_from_slice(text.ok_or(io::ErrorKind::UnexpectedEof)?);
                }
            }
            filled += size;
            at += size as u64;
            number += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(range: Range<u64>, text: &str) -> Edit {
        Edit {
            range,
            text: text.as_bytes().to_vec(),
        }
    }

    fn text<S: Source>(patched: &Patched<S>) -> String {
        let mut out = Vec::new();
        patched.copy_to(&mut out).unwrap();
        assert_eq!(out.len() as u64, patched.length());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn edits_replace_cut_and_insert() {
        let source = b"one two three".to_vec();
        let patched = Patched::of(&source);
        assert!(patched.is_unchanged());
        assert_eq!(text(&patched), "one two three");
        let patched = patched.edited(vec![edit(8..8, "and "), edit(4..7, "2"), edit(0..1, "O")]);
        assert_eq!(text(&patched), "One 2 and three");
        assert!(!patched.is_unchanged());
        let again = patched.edited(vec![edit(4..10, ""), edit(12..13, "R"), edit(15..15, "!")]);
        assert_eq!(text(&again), "One thRee!");
        assert_eq!(again.origin(0), 0);
        assert_eq!(again.origin(4), 8);
        assert_eq!(again.origin(6), 10);
    }

    #[test]
    fn any_part_can_be_read() {
        let source = b"abcdef".to_vec();
        let patched = Patched::of(&source).edited(vec![edit(2..4, "XYZ")]);
        let mut two = [0; 2];
        for (offset, want) in [(0, b"ab"), (1, b"bX"), (4, b"Ze"), (5, b"ef")] {
            patched.read_at(offset, &mut two).unwrap();
            assert_eq!(&two, want);
        }
        assert!(patched.read_at(6, &mut two).is_err());
    }
}
