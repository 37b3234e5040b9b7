//! A session's transcript: one JSON record a line, most of them chained by their parents.
//!
//! The data's way: [`Source`] (bytes) ─▶ lines ─▶ [`Index`] (what each record is and where it
//! stands) ─▶ [`Chain`](crate::chain::Chain) (which of them count). Texts are read when they are needed,
//! by [`Transcript::record`]; the whole file is never held. Nothing is lost on the way: what is
//! not understood stays where it is, and [`Transcript::bytes`] gives it back byte for byte.

mod appended;
mod entry;
mod fault;
mod head;
mod index;
mod lines;
mod loose;
pub mod record;
mod source;
pub mod write;

use std::io;

pub use appended::Appended;
pub use entry::{ContentKind, Entry, Flags, Id, Kind, Piece, Place, Usage};
pub use fault::{Fault, FaultKind};
pub use index::Index;
pub(crate) use index::without_lone_surrogates;
pub(crate) use lines::{Line, Lines};
pub use record::Record;
pub use source::Source;

/// A transcript: its bytes and their index.
#[derive(Debug)]
pub struct Transcript<S> {
    source: S,
    index: Index,
}

impl<S: Source> Transcript<S> {
    /// Reads the index of a transcript.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn read(source: S) -> io::Result<Self> {
        Self::watched(source, |_| {})
    }

    /// The same, telling now and then how many bytes are read.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn watched(source: S, progress: impl FnMut(u64)) -> io::Result<Self> {
        let index = Index::watched(&source, progress)?;
        Ok(Self { source, index })
    }

    /// Bytes whose index was read before.
    pub(crate) fn of(source: S, index: Index) -> Self {
        Self { source, index }
    }

    /// The transcript with lines behind it that are not written.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn appended(&self, lines: &[String]) -> io::Result<Transcript<Appended<&S>>> {
        let source = Appended::new(&self.source, lines)?;
        let mut index = self.index.clone();
        index.append(source.behind());
        Ok(Transcript { source, index })
    }

    /// The bytes.
    #[must_use]
    pub fn source(&self) -> &S {
        &self.source
    }

    /// What each record is and where it stands.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The index alone, where no text is needed any more.
    #[must_use]
    pub fn into_index(self) -> Index {
        self.index
    }

    /// The bytes of a record's JSON, as they stand in the file.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn bytes(&self, entry: &Entry) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; entry.place.length as usize];
        self.source.read_at(entry.place.offset, &mut bytes)?;
        Ok(bytes)
    }

    /// The JSON of a record, with U+FFFD for bytes that are no UTF-8.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn json(&self, entry: &Entry) -> io::Result<String> {
        Ok(String::from_utf8(self.bytes(entry)?)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }

    /// A record read whole, with U+FFFD for halves of surrogate pairs. What is no JSON any more,
    /// because the file changed meanwhile, is an empty record.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn record(&self, entry: &Entry) -> io::Result<Record> {
        let text = self.json(entry)?;
        Ok(Record::read(&text)
            .ok()
            .or_else(|| Record::read(&without_lone_surrogates(&text)?.1).ok())
            .unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One half of a surrogate pair hides neither its block nor those beside it.
    #[test]
    fn half_a_surrogate_pair_hides_no_block() {
        let line = r#"{"type":"user","uuid":"u","message":{"role":"user","content":[{"type":"text","text":"M_\ud83d"},{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"\udc00"}]},{"type":"text","text":"M_2"}]}}"#;
        let transcript = Transcript::read(line.as_bytes()).unwrap();
        let record = transcript.record(&transcript.index().entries()[0]).unwrap();
        let record::Content::Blocks(blocks) = record.content else {
            panic!("no blocks");
        };
        let [
            record::Block::Text(first),
            record::Block::ToolResult {
                content: record::Content::Blocks(inner),
                ..
            },
            record::Block::Text(last),
        ] = &blocks[..]
        else {
            panic!("{blocks:?}");
        };
        assert_eq!((&**first, &**last), ("M_\u{fffd}", "M_2"));
        assert!(matches!(&inner[..], [record::Block::Text(text)] if text == "\u{fffd}"));
    }
}
