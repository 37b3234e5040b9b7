//! The index of a transcript: what each record is and where it stands.

use std::io;

use memchr::memchr;
use rustc_hash::FxHashMap;

use super::entry::{Entry, Flags, Id, Ids, Kind, Piece, Place, Usage};
use super::fault::{Fault, FaultKind};
use super::head::{Head, UsageHead};
use super::lines::{Line, Lines};
use super::source::Source;

/// What each record of a transcript is and where it stands, in the order of the file.
#[derive(Debug, Default, Clone)]
pub struct Index {
    entries: Vec<Entry>,
    pieces: Vec<Piece>,
    ids: Ids,
    /// Of the kinds that can be in a chain; the last record with a uuid counts (fact C7.6).
    by_uuid: FxHashMap<Id, usize>,
    /// Records of progress, which older clients chained.
    progress: FxHashMap<Id, usize>,
    /// The usage of the last round of answers that took several, by record.
    last_rounds: FxHashMap<usize, Usage>,
    faults: Vec<Fault>,
    length: u64,
    lines: u32,
}

impl Index {
    /// Reads `source` once, from its start to its end.
    ///
    /// # Errors
    ///
    /// When the source cannot be read. What is wrong with its contents is a [`Fault`].
    pub fn of<S: Source + ?Sized>(source: &S) -> io::Result<Self> {
        Self::watched(source, |_| {})
    }

    /// The same, telling now and then how many bytes are read.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn watched<S: Source + ?Sized>(
        source: &S,
        mut progress: impl FnMut(u64),
    ) -> io::Result<Self> {
        let mut index = Self {
            length: source.length(),
            ..Self::default()
        };
        let mut lines = Lines::of(source);
        let mut told = 0;
        while let Some(line) = lines.read()? {
            let end = line.offset + line.bytes.len() as u64;
            index.take(line);
            if end - told > 1 << 22 {
                told = end;
                progress(end);
            }
        }
        index.entries.shrink_to_fit();
        index.pieces.shrink_to_fit();
        Ok(index)
    }

    /// Reads on over bytes that stand behind those that were read.
    pub(super) fn append(&mut self, bytes: &[u8]) {
        // A first line break ends the line before.
        let rest = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        let start = self.length + (bytes.len() - rest.len()) as u64;
        let mut lines = Lines::of(rest);
        let before = self.lines;
        // Bytes in memory can always be read.
        while let Ok(Some(line)) = lines.read() {
            self.take(Line {
                number: before + line.number,
                offset: start + line.offset,
                ..line
            });
        }
        self.length += bytes.len() as u64;
    }

    /// All records, in the order of the file.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The number of the user, assistant, attachment or system record with this uuid; of several,
    /// the last (fact C7.6).
    #[must_use]
    pub fn by_uuid(&self, uuid: Id) -> Option<usize> {
        self.by_uuid.get(&uuid).copied()
    }

    /// The usage of the last round of an answer that took several (docs/facts-sessions.md 235).
    #[must_use]
    pub fn last_round(&self, record: usize) -> Option<&Usage> {
        self.last_rounds.get(&record)
    }

    /// The number of the record of progress with this uuid.
    #[must_use]
    pub fn progress(&self, uuid: Id) -> Option<usize> {
        self.progress.get(&uuid).copied()
    }

    /// Whether a record is the one that counts for its uuid.
    #[must_use]
    pub fn counts(&self, record: usize) -> bool {
        let uuid = self.entries.get(record).and_then(|entry| entry.uuid);
        uuid.and_then(|uuid| self.by_uuid(uuid)) == Some(record)
    }

    /// The id of a text that occurs in the transcript.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Id> {
        self.ids.find(text)
    }

    /// The text of an id.
    #[must_use]
    pub fn text(&self, id: Id) -> &str {
        self.ids.text(id)
    }

    /// Whether an id stands for this text.
    #[must_use]
    pub fn is(&self, id: Option<Id>, text: &str) -> bool {
        id.is_some_and(|id| self.text(id) == text)
    }

    /// The blocks of a record's message.
    #[must_use]
    pub fn pieces(&self, entry: &Entry) -> &[Piece] {
        let range = entry.pieces.start as usize..entry.pieces.end as usize;
        self.pieces.get(range).unwrap_or_default()
    }

    /// What is wrong with the bytes, in the order of the file.
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The bytes that were read.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The lines that were read, empty ones included.
    #[must_use]
    pub fn lines(&self) -> u32 {
        self.lines
    }

    fn fault(&mut self, line: u32, offset: u64, kind: FaultKind) {
        self.faults.push(Fault { line, offset, kind });
    }

    fn take(&mut self, line: Line<'_>) {
        self.lines = line.number;
        let mut bytes = line.bytes;
        let mut offset = line.offset;
        if line.nuls > 0 {
            let kind = FaultKind::NulBlock { bytes: line.nuls };
            self.fault(line.number, offset - line.nuls, kind);
        }
        if offset == 0
            && let Some(rest) = bytes.strip_prefix(b"\xEF\xBB\xBF")
        {
            self.fault(line.number, 0, FaultKind::Bom);
            bytes = rest;
            offset += 3;
        }
        let behind = bytes.iter().rev().take_while(|byte| **byte == 0).count();
        if behind > 0 {
            bytes = &bytes[..bytes.len() - behind];
            let kind = FaultKind::NulBlock {
                bytes: behind as u64,
            };
            self.fault(line.number, offset + bytes.len() as u64, kind);
        }
        if let Some(rest) = bytes.strip_suffix(b"\r") {
            bytes = rest;
            let known = self
                .faults
                .iter()
                .any(|fault| fault.kind == FaultKind::CarriageReturns);
            if !known {
                let place = offset + bytes.len() as u64;
                self.fault(line.number, place, FaultKind::CarriageReturns);
            }
        }
        let before = bytes.iter().take_while(|byte| is_space(**byte)).count();
        bytes = bytes[before..].trim_ascii_end();
        offset += before as u64;
        if bytes.is_empty() {
            if line.nuls == 0 && behind == 0 {
                self.fault(line.number, line.offset, FaultKind::BlankLine);
            }
            return;
        }
        let line = Line {
            offset,
            bytes,
            ..line
        };
        match std::str::from_utf8(bytes) {
            Ok(text) => self.take_text(&line, text, false),
            Err(error) => {
                let place = offset + error.valid_up_to() as u64;
                self.fault(line.number, place, FaultKind::InvalidUtf8);
                self.take_text(&line, &String::from_utf8_lossy(bytes), true);
            }
        }
    }

    /// Takes the records of one line. Places in `text` are places in the file unless it was
    /// mended, which may have changed its length.
    fn take_text(&mut self, line: &Line<'_>, text: &str, mended: bool) {
        let mut start = 0;
        // Behind the first record, or something broken, the client reads no more of a line.
        let mut readable = line.nuls == 0;
        while start < text.len() {
            let rest = &text[start..];
            let (head, length) = Head::read(rest);
            match head {
                Ok(head) => {
                    let alone = start == 0 && rest[length..].trim_ascii().is_empty();
                    let length_in_file = match mended && alone {
                        true => line.bytes.len(),
                        false => length,
                    };
                    self.take_head(line, &head, start, length_in_file, readable);
                    readable = false;
                    start += length;
                    start += text[start..].len() - text[start..].trim_ascii_start().len();
                    if start < text.len() && self.is_record(&text[start..]) {
                        let place = line.offset + start as u64;
                        self.fault(line.number, place, FaultKind::TwoRecordsOnOneLine);
                    }
                }
                Err(error) => {
                    if let Some((place, text)) = without_lone_surrogates(text) {
                        let place = line.offset + place as u64;
                        self.fault(line.number, place, FaultKind::LoneSurrogate);
                        // Records before it on this line are already taken.
                        return self.take_text(
                            &Line {
                                offset: line.offset + start as u64,
                                ..*line
                            },
                            text.get(start..).unwrap_or_default(),
                            true,
                        );
                    }
                    let torn = error.is_eof() && !line.ended;
                    let kind = if torn {
                        FaultKind::TornLine
                    } else {
                        FaultKind::Garbage {
                            detail: error.to_string(),
                        }
                    };
                    self.fault(line.number, line.offset + start as u64, kind);
                    // A record that was cut off can have a whole one behind it.
                    let Some(next) = next_record(rest) else {
                        return;
                    };
                    start += next;
                    readable = false;
                }
            }
        }
    }

    fn is_record(&self, text: &str) -> bool {
        matches!(Head::read(text), (Ok(head), _) if head.is_object)
    }

    fn take_head(
        &mut self,
        line: &Line<'_>,
        head: &Head<'_>,
        start: usize,
        length: usize,
        readable: bool,
    ) {
        let offset = line.offset + start as u64;
        if !head.is_object {
            return self.fault(line.number, offset, FaultKind::NotARecord);
        }
        let first = self.pieces.len();
        for piece in &head.message.content.pieces {
            let piece = Piece {
                kind: self.id(piece.kind.as_deref()),
                tool: self.id(piece.tool.as_deref()),
                name: self.id(piece.name.as_deref()),
                chars: piece.sizes.chars,
                images: piece.sizes.images,
                is_error: piece.is_error,
                is_note: piece.is_note,
            };
            self.pieces.push(piece);
        }
        let kind = match head.kind.as_deref() {
            Some("user") => Kind::User,
            Some("assistant") => Kind::Assistant,
            Some("attachment") => Kind::Attachment,
            Some("system") => Kind::System,
            _ => Kind::Other,
        };
        let detail = match kind {
            Kind::Attachment => &head.attachment,
            _ => &head.subtype,
        };
        let entry = Entry {
            place: Place {
                line: line.number,
                offset,
                length: u32::try_from(length).unwrap_or(u32::MAX),
            },
            kind,
            type_name: self.id(head.kind.as_deref()),
            detail: self.id(detail.as_deref()),
            uuid: self.id(head
                .uuid
                .0
                .as_deref()
                .or((kind != Kind::Other).then_some(""))),
            parent: self.id(head.parent.0.as_deref()),
            logical_parent: self.id(head.logical_parent.as_deref()),
            session: self.id(head.session.as_deref()),
            agent: self.id(head.agent.as_deref()),
            leaf: self.id(head.leaf.0.as_deref()),
            message: self.id(head.message.id.as_deref()),
            model: self.id(head.message.model.as_deref()),
            cwd: self.id(head.cwd.as_deref()),
            version: self.id(head.version.as_deref()),
            time: head.timestamp.as_deref().and_then(milliseconds),
            usage: head.message.usage.map(UsageHead::usage),
            flags: Flags {
                sidechain: head.sidechain,
                meta: head.meta,
                summary: head.summary,
                api_error: head.api_error,
                refused: head.message.refused,
                display_only: head.display_only,
                explicit: head.explicit,
                metadata: head.has_metadata,
                snapshot: head.has_snapshot,
                readable,
            },
            has_message: head.message.is_object,
            content: head.message.content.kind,
            chars: head.text.chars,
            pieces: number(first)..number(self.pieces.len()),
        };
        let number = self.entries.len();
        match (entry.uuid.filter(|_| readable), kind) {
            (None, _) => {}
            (Some(uuid), Kind::Other) if head.kind.as_deref() == Some("progress") => {
                self.progress.insert(uuid, number);
            }
            (Some(_), Kind::Other) => {}
            (Some(uuid), _) => {
                self.by_uuid.insert(uuid, number);
            }
        }
        if let Some(round) = head.message.usage.and_then(|usage| usage.last_round) {
            self.last_rounds.insert(number, round);
        }
        self.entries.push(entry);
    }

    fn id(&mut self, text: Option<&str>) -> Option<Id> {
        text.map(|text| self.ids.of(text))
    }
}

fn number(of: usize) -> u32 {
    u32::try_from(of).unwrap_or(u32::MAX)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

fn milliseconds(text: &str) -> Option<i64> {
    text.parse::<jiff::Timestamp>()
        .ok()
        .map(|time| time.as_millisecond())
}

/// How often a record is looked for behind a broken one: each try may read to the line's end.
const TRIES: usize = 64;

/// Where behind the start of a broken record a whole one begins.
fn next_record(text: &str) -> Option<usize> {
    if !text.trim_ascii_end().ends_with('}') {
        return None;
    }
    let mut from = 1;
    for _ in 0..TRIES {
        from += memchr::memmem::find(text.as_bytes().get(from..)?, b"{\"")?;
        let (head, length) = Head::read(&text[from..]);
        if head.is_ok_and(|head| head.is_object && head.kind.is_some())
            && text[from + length..].trim_ascii().is_empty()
        {
            return Some(from);
        }
        from += 1;
    }
    None
}

/// The text with U+FFFD for each escape of half a surrogate pair, and where the first stood. Both
/// are six bytes long in the text, so places stay.
pub(crate) fn without_lone_surrogates(text: &str) -> Option<(usize, String)> {
    let bytes = text.as_bytes();
    let unit = |at: usize| -> Option<u32> {
        let escape = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u32::from_str_radix(std::str::from_utf8(escape).ok()?, 16).ok()
    };
    let mut lone = Vec::new();
    let mut at = 0;
    while let Some(found) = memchr(b'\\', &bytes[at..]) {
        at += found;
        match unit(at) {
            Some(0xD800..=0xDBFF) if matches!(unit(at + 6), Some(0xDC00..=0xDFFF)) => at += 12,
            Some(0xD800..=0xDFFF) => {
                lone.push(at);
                at += 6;
            }
            Some(_) => at += 6,
            None => at += 2,
        }
        if at >= bytes.len() {
            break;
        }
    }
    let first = *lone.first()?;
    let mut mended = text.to_owned();
    for place in lone {
        mended.replace_range(place..place + 6, "\\ufffd");
    }
    Some((first, mended))
}
