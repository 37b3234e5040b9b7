//! Lines of a transcript, in bounded memory.

use std::io;

use memchr::memchr;

use super::source::Source;

/// How much is read at once. A longer line makes the buffer grow to that line's size.
const CHUNK: usize = 1 << 18;

/// One line without its line end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    /// Its number, from 1.
    pub number: u32,
    /// Where its first byte stands in the file, after [`Line::nuls`].
    pub offset: u64,
    /// How many NUL bytes stood before it: they are counted, never kept in memory.
    pub nuls: u64,
    /// The line, without `\n`.
    pub bytes: &'a [u8],
    /// Whether a line break ended it. Only the last line of a file may lack it.
    pub ended: bool,
}

/// Reads `source` from its start, line by line.
pub(crate) struct Lines<'s, S: Source + ?Sized> {
    source: &'s S,
    buffer: Vec<u8>,
    /// The part of `buffer` that is not handed out yet.
    start: usize,
    end: usize,
    /// Where in the file `buffer[end]` stands.
    next: u64,
    length: u64,
    number: u32,
}

impl<'s, S: Source + ?Sized> Lines<'s, S> {
    /// The lines of `source`.
    pub(crate) fn of(source: &'s S) -> Self {
        let length = source.length();
        Self {
            source,
            buffer: vec![0; CHUNK.min(usize::try_from(length).unwrap_or(CHUNK)).max(1)],
            start: 0,
            end: 0,
            next: 0,
            length,
            number: 0,
        }
    }

    /// The next line, or nothing at the end of the file.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub(crate) fn read(&mut self) -> io::Result<Option<Line<'_>>> {
        let mut nuls = 0;
        let mut searched = 0;
        loop {
            if searched == 0 {
                let blank = self.buffer[self.start..self.end]
                    .iter()
                    .take_while(|byte| **byte == 0)
                    .count();
                self.start += blank;
                nuls += blank as u64;
            }
            let waiting = &self.buffer[self.start..self.end];
            if let Some(found) = memchr(b'\n', &waiting[searched..]) {
                let (start, length) = (self.start, searched + found);
                self.start += length + 1;
                self.number += 1;
                return Ok(Some(Line {
                    number: self.number,
                    offset: self.next - (self.end - start) as u64,
                    nuls,
                    bytes: &self.buffer[start..start + length],
                    ended: true,
                }));
            }
            searched = waiting.len();
            if self.next == self.length {
                break;
            }
            self.fill()?;
        }
        if self.start == self.end && nuls == 0 {
            return Ok(None);
        }
        let start = std::mem::replace(&mut self.start, self.end);
        self.number += 1;
        Ok(Some(Line {
            number: self.number,
            offset: self.next - (self.end - start) as u64,
            nuls,
            bytes: &self.buffer[start..self.end],
            ended: false,
        }))
    }

    /// Reads on behind what waits, which moves to the front of the buffer.
    fn fill(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.end == self.buffer.len() {
            // No line is longer than what is left.
            let left = usize::try_from(self.length - self.next).unwrap_or(usize::MAX);
            let more = self.buffer.len().min(left);
            self.buffer.resize(self.buffer.len() + more, 0);
        }
        let room = self.buffer.len() - self.end;
        let left = usize::try_from(self.length - self.next).unwrap_or(room);
        let size = room.min(left);
        self.source
            .read_at(self.next, &mut self.buffer[self.end..self.end + size])?;
        self.end += size;
        self.next += size as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Vec<(u32, u64, u64, Vec<u8>, bool)> {
        let mut lines = Lines::of(bytes);
        let mut all = Vec::new();
        while let Some(line) = lines.read().unwrap() {
            all.push((
                line.number,
                line.offset,
                line.nuls,
                line.bytes.to_vec(),
                line.ended,
            ));
        }
        all
    }

    #[test]
    fn lines_have_numbers_places_and_ends() {
        assert_eq!(
            read(b"one\n\nthree"),
            [
                (1, 0, 0, b"one".to_vec(), true),
                (2, 4, 0, Vec::new(), true),
                (3, 5, 0, b"three".to_vec(), false),
            ]
        );
        assert_eq!(read(b""), []);
        assert_eq!(read(b"\n"), [(1, 0, 0, Vec::new(), true)]);
    }

    #[test]
    fn runs_of_nul_are_counted_and_not_kept() {
        let mut bytes = vec![0; 3 * CHUNK];
        bytes.extend_from_slice(b"x\n");
        bytes.extend_from_slice(&[0; 5]);
        let end = bytes.len() as u64;
        assert_eq!(
            read(&bytes),
            [
                (1, 3 * CHUNK as u64, 3 * CHUNK as u64, b"x".to_vec(), true),
                (2, end, 5, Vec::new(), false),
            ]
        );
        let mut lines = Lines::of(&bytes[..]);
        while lines.read().unwrap().is_some() {}
        assert_eq!(lines.buffer.len(), CHUNK);
    }

    #[test]
    fn a_line_longer_than_the_buffer_is_read_whole() {
        let mut bytes = vec![b'a'; 5 * CHUNK + 7];
        bytes.extend_from_slice(b"\nb\n");
        let lines = read(&bytes);
        assert_eq!(lines[0].3.len(), 5 * CHUNK + 7);
        assert_eq!(lines[1].3, b"b");
    }
}
