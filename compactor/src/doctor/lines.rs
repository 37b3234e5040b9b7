//! Lines written anew, so that each holds one record and nothing else.

use std::io;

use serde::de::IgnoredAny;

use crate::transcript::write::Edit;
use crate::transcript::{Index, Line, Lines, Source, Transcript, without_lone_surrogates};

/// What becomes of records that the client does not read for what stands before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unread {
    /// Each gets a line of its own.
    Split,
    /// They go: the client reads the file as before.
    Drop,
}

/// A line that is written anew, or goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LineEdit {
    pub line: u32,
    pub offset: u64,
    /// How many records it becomes.
    pub records: usize,
    /// How many records go with it.
    pub dropped: usize,
}

/// The longest record over several lines that is looked for, in bytes.
const LONGEST: u64 = 4 << 20;

/// How much of it is read first, in bytes.
const FIRST: usize = 1 << 14;

/// The length of the object at `offset` if it spans several lines.
pub(super) fn whole_value<S: Source + ?Sized>(source: &S, offset: u64) -> io::Result<Option<u64>> {
    Ok(value_over_lines(source, offset)?.map(|value| value.len() as u64))
}

fn value_over_lines<S: Source + ?Sized>(source: &S, offset: u64) -> io::Result<Option<String>> {
    let mut first = [0; 1];
    if offset >= source.length() {
        return Ok(None);
    }
    source.read_at(offset, &mut first)?;
    if first != *b"{" {
        return Ok(None);
    }
    let most = usize::try_from((source.length() - offset).min(LONGEST)).unwrap_or(0);
    // Most of what is broken is so near its start.
    let mut size = most.min(FIRST);
    loop {
        let mut bytes = vec![0; size];
        source.read_at(offset, &mut bytes)?;
        let text = match std::str::from_utf8(&bytes) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
        };
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
        match values.next() {
            Some(Ok(_)) => {
                let value = &text[..values.byte_offset()];
                return Ok(value.contains('\n').then(|| value.to_owned()));
            }
            Some(Err(error)) if error.is_eof() && size < most => size = most.min(size * 8),
            _ => return Ok(None),
        }
    }
}

/// The edits after which no line has a fault.
pub(super) fn clean<S: Source>(
    transcript: &Transcript<S>,
    unread: Unread,
) -> io::Result<(Vec<Edit>, Vec<LineEdit>)> {
    let index = transcript.index();
    let (mut edits, mut told) = (Vec::new(), Vec::new());
    let mut faults = index.faults().iter().peekable();
    if faults.peek().is_none() {
        return Ok((edits, told));
    }
    let mut entries = index.entries().iter().peekable();
    let mut lines = Lines::of(transcript.source());
    let mut read_until = 0;
    while let Some(line) = lines.read()? {
        let start = line.offset - line.nuls;
        let end = line.offset + line.bytes.len() as u64 + u64::from(line.ended);
        let mut is_faulty = false;
        while faults.next_if(|fault| fault.line <= line.number).is_some() {
            is_faulty = true;
        }
        let mut readable = Vec::new();
        while let Some(entry) = entries.next_if(|entry| entry.place.line <= line.number) {
            readable.push(entry.flags.readable);
        }
        if end <= read_until {
            continue;
        }
        if start < read_until {
            // Behind a record over several lines the client reads no more of the last one.
            edits.push(Edit::cut(read_until..end - u64::from(line.ended)));
            continue;
        }
        if !is_faulty {
            // Of returns only the first is told.
            if line.bytes.ends_with(b"\r") {
                let place = line.offset + line.bytes.trim_ascii_end().len() as u64;
                edits.push(Edit::cut(place..line.offset + line.bytes.len() as u64));
            }
            continue;
        }
        if readable.is_empty() && line.ended {
            let blank = line.bytes.len() - line.bytes.trim_ascii_start().len();
            let offset = line.offset + blank as u64;
            if let Some(value) = value_over_lines(transcript.source(), offset)? {
                read_until = offset + value.len() as u64;
                let text = value.replace(['\r', '\n'], " ").into_bytes();
                edits.push(Edit {
                    range: start..read_until,
                    text,
                });
                told.push(LineEdit {
                    line: line.number,
                    offset,
                    records: 1,
                    dropped: 0,
                });
                continue;
            }
        }
        let records = records_of(&line)?;
        let kept: Vec<&String> = records
            .iter()
            .enumerate()
            .filter(|(number, _)| {
                unread == Unread::Split || readable.get(*number).is_some_and(|readable| *readable)
            })
            .map(|(_, record)| record)
            .collect();
        let mut text = Vec::new();
        for record in &kept {
            text.extend(record.as_bytes());
            text.push(b'\n');
        }
        if !line.ended && !text.is_empty() {
            text.pop();
        }
        told.push(LineEdit {
            line: line.number,
            offset: start,
            records: kept.len(),
            dropped: records.len() - kept.len(),
        });
        edits.push(Edit {
            range: start..end,
            text,
        });
    }
    Ok((edits, told))
}

/// The records of a line, as JSON without faults.
fn records_of(line: &Line<'_>) -> io::Result<Vec<String>> {
    let bytes = line
        .bytes
        .strip_prefix(b"\xEF\xBB\xBF")
        .filter(|_| line.offset == 0);
    let bytes = bytes.unwrap_or(line.bytes);
    let text = String::from_utf8_lossy(bytes);
    let text = match without_lone_surrogates(&text) {
        Some((_, mended)) => mended,
        None => text.into_owned(),
    };
    let index = Index::of(text.as_bytes())?;
    let records = index.entries().iter().map(|entry| {
        let start = usize::try_from(entry.place.offset).unwrap_or(usize::MAX);
        let end = start.saturating_add(entry.place.length as usize);
        text.get(start..end).unwrap_or_default().to_owned()
    });
    Ok(records.collect())
}
