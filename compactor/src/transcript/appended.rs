//! A transcript with lines behind it that are not written yet.

use std::io;

use super::Source;

/// The bytes of a source, and some behind them.
#[derive(Debug)]
pub struct Appended<S> {
    base: S,
    length: u64,
    behind: Vec<u8>,
}

impl<S: Source> Appended<S> {
    /// Puts lines behind a source. A last line that has no end gets one first, as the client does
    /// it when it goes on.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn new(base: S, lines: &[String]) -> io::Result<Self> {
        let length = base.length();
        let mut behind = Vec::new();
        if let Some(last) = length.checked_sub(1) {
            let mut byte = [0];
            base.read_at(last, &mut byte)?;
            if byte != *b"\n" {
                behind.push(b'\n');
            }
        }
        for line in lines {
            behind.extend_from_slice(line.as_bytes());
            behind.push(b'\n');
        }
        Ok(Self {
            base,
            length,
            behind,
        })
    }

    /// What stands behind the source.
    #[must_use]
    pub fn behind(&self) -> &[u8] {
        &self.behind
    }
}

impl<S: Source> Source for Appended<S> {
    fn length(&self) -> u64 {
        self.length + self.behind.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let of_base = self.length.saturating_sub(offset);
        let of_base = usize::try_from(of_base).map_or(buffer.len(), |left| left.min(buffer.len()));
        let (base, behind) = buffer.split_at_mut(of_base);
        if !base.is_empty() {
            self.base.read_at(offset, base)?;
        }
        if !behind.is_empty() {
            let start = (offset + of_base as u64) - self.length;
            self.behind.as_slice().read_at(start, behind)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_over_the_seam() {
        let appended = Appended::new(b"ab".to_vec(), &["cd".to_owned()]).unwrap();
        assert_eq!(appended.length(), 6);
        for start in 0..6 {
            for end in start..=6 {
                let mut buffer = vec![0; end - start];
                appended.read_at(start as u64, &mut buffer).unwrap();
                assert_eq!(buffer, b"ab\ncd\n"[start..end]);
            }
        }
        assert!(appended.read_at(5, &mut [0; 2]).is_err());
    }
}
