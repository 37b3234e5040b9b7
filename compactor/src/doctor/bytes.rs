//! Findings that bytes alone show.

use std::io;

use rustc_hash::FxHashSet;

use super::cure::Cure;
use super::finding::{About, Finding, Level};
use super::lines::whole_value;
use crate::chain::Resume;
use crate::transcript::{Fault, FaultKind, Index, Source, Transcript};

/// What is wrong with the bytes.
pub(super) fn find<S: Source>(
    transcript: &Transcript<S>,
    resume: &Resume,
) -> io::Result<Vec<Finding>> {
    let index = transcript.index();
    let mut findings = Vec::new();
    // A record over several lines looks like many broken ones.
    let mut read_until = 0;
    for fault in index.faults() {
        if fault.offset < read_until {
            continue;
        }
        if matches!(fault.kind, FaultKind::Garbage { .. })
            && let Some(length) = whole_value(transcript.source(), fault.offset)?
        {
            read_until = fault.offset + length;
            let about = About::RecordOverLines;
            let finding = Finding::new(about, Level::Notice, fault.line, fault.offset);
            findings.push(finding.with(Cure::Line));
            continue;
        }
        let mut finding = finding(index, fault).with(Cure::Line);
        if fault.kind == FaultKind::NotARecord && resume.needs_content {
            finding.level = Level::Error;
        }
        findings.push(finding);
    }
    Ok(findings)
}

fn finding(index: &Index, fault: &Fault) -> Finding {
    let about = About::of_bytes(&fault.kind);
    let level = match fault.kind.is_notice() {
        true => Level::Notice,
        false => Level::Warning,
    };
    let mut finding = Finding::new(about, level, fault.line, fault.offset);
    match &fault.kind {
        FaultKind::NulBlock { bytes } => finding.bytes = Some(*bytes),
        FaultKind::Garbage { detail } => finding.detail = Some(detail.clone()),
        _ => {}
    }
    // The record on that line; of several the one that holds the place, or begins there.
    let entries = index.entries();
    let from = entries.partition_point(|entry| entry.place.line < fault.line);
    let on_line = entries[from..]
        .iter()
        .take_while(|entry| entry.place.line == fault.line);
    let record = on_line
        .filter(|entry| entry.place.offset <= fault.offset.max(entry.place.offset))
        .filter(|entry| entry.place.offset <= fault.offset || from_start(&fault.kind))
        .last();
    if let Some(entry) = record {
        let uuid = entry.uuid.map(|uuid| index.text(uuid).to_owned());
        finding.record = uuid.filter(|uuid| !uuid.is_empty());
        // What the client does not read is lost.
        if !entry.flags.readable && about == About::TwoRecordsOnOneLine && entry.uuid.is_some() {
            finding.level = Level::Error;
        }
    }
    finding
}

impl About {
    /// The kind of a fault of bytes.
    pub(super) fn of_bytes(kind: &FaultKind) -> Self {
        match kind {
            FaultKind::Bom => Self::Bom,
            FaultKind::CarriageReturns => Self::CarriageReturns,
            FaultKind::BlankLine => Self::BlankLine,
            FaultKind::NulBlock { .. } => Self::NulBlock,
            FaultKind::TornLine => Self::TornLine,
            FaultKind::Garbage { .. } => Self::Garbage,
            FaultKind::TwoRecordsOnOneLine => Self::TwoRecordsOnOneLine,
            FaultKind::InvalidUtf8 => Self::InvalidUtf8,
            FaultKind::LoneSurrogate => Self::LoneSurrogate,
            FaultKind::NotARecord => Self::NotARecord,
        }
    }
}

/// Faults that stand before the record which they concern.
fn from_start(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::Bom | FaultKind::NulBlock { .. })
}

/// The uuids of records that stand in the file and that the client does not read.
pub(super) fn unread(index: &Index) -> FxHashSet<&str> {
    index
        .entries()
        .iter()
        .filter(|entry| !entry.flags.readable)
        .filter_map(|entry| entry.uuid)
        .map(|uuid| index.text(uuid))
        .collect()
}
