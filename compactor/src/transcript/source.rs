//! Where a transcript's bytes come from.

use std::io;

/// The bytes of one transcript, read at any place.
///
/// This crate opens no file: a program hands it an open one, a test hands it bytes.
pub trait Source {
    /// How many bytes there are. Bytes that are appended later are not part of this reading.
    fn length(&self) -> u64;

    /// Fills `buffer` with the bytes from `offset` on.
    ///
    /// # Errors
    ///
    /// When the bytes cannot be read, or there are fewer than `buffer` asks for.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
}

impl Source for [u8] {
    fn length(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let bytes = usize::try_from(offset)
            .ok()
            .and_then(|start| self.get(start..start.checked_add(buffer.len())?))
            .ok_or(io::ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(bytes);
        Ok(())
    }
}

impl Source for Vec<u8> {
    fn length(&self) -> u64 {
        self.as_slice().length()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.as_slice().read_at(offset, buffer)
    }
}

impl<S: Source + ?Sized> Source for &S {
    fn length(&self) -> u64 {
        (**self).length()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        (**self).read_at(offset, buffer)
    }
}
