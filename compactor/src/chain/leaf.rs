//! Which record a resumed session goes on from (facts C7.5, I60, I61;
//! docs/facts-sessions.md 116 to 130).

use super::links::{Links, Parent, is_boundary, is_linked};
use super::{Refusal, Resume};
use crate::transcript::{ContentKind, Entry, Fault, FaultKind, Kind};

/// Why a record is the leaf.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum LeafReason {
    /// The last `last-prompt` record points to it.
    Pointer,
    /// It is the last of the talk in the file, below the record that the last `last-prompt` points
    /// to.
    BelowPointer,
    /// It is the last of the talk in the file.
    #[default]
    LastInFile,
    /// It was asked for.
    Chosen,
    /// The last of the talk in the file has newer ones below it; this is the newest.
    Newest,
}

impl LeafReason {
    /// As a phrase for output.
    #[must_use]
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Pointer => "the last last-prompt record points to it",
            Self::BelowPointer => "the last record below the one that last-prompt points to",
            Self::LastInFile => "the last record of the talk in the file",
            Self::Chosen => "it was asked for",
            Self::Newest => "the newest record below the last one in the file",
        }
    }
}

/// The leaf, or nothing where there is none.
pub(super) fn choose(links: &Links<'_>, client: &Resume) -> Option<(usize, LeafReason)> {
    let index = links.index;
    let entries = index.entries();
    let mut passed = vec![false; entries.len()];
    let last = links
        .last_to_first()
        .find_map(|record| Some((record, talk_of(links, record, &mut passed)?)));
    let is_of_talk = |record| talk_of(links, record, &mut vec![false; entries.len()]).is_some();
    let is_pointer = |entry: &Entry| {
        index.is(entry.type_name, "last-prompt") && entry.leaf.is_some() && entry.flags.readable
    };
    // A compaction cancels a pointer before it.
    let is_end = |entry: &Entry| is_pointer(entry) || is_boundary(index, entry);
    let pointer = entries.iter().rposition(is_end);
    if let Some(pointer) = pointer.filter(|pointer| is_pointer(&entries[*pointer]))
        && let Some(target) = entries[pointer].leaf.and_then(|leaf| links.find(leaf))
        && (entries[target].flags.sidechain || is_of_talk(target))
    {
        if entries[target].flags.sidechain {
            return None;
        }
        let counts =
            |(line, _): &(usize, usize)| !entries[pointer].flags.explicit || *line > pointer;
        return Some(match last.filter(counts) {
            Some((_, last)) if last != target && links.is_below(last, target) => {
                (last, LeafReason::BelowPointer)
            }
            _ => (target, LeafReason::Pointer),
        });
    }
    let Some((line, last)) = last else {
        // Without talk, notes alone can be gone on from.
        let is_note = |record: &usize| {
            let entry = &entries[*record];
            is_linked(entry)
                && !entry.flags.sidechain
                && matches!(entry.kind, Kind::Attachment | Kind::System)
                && !is_boundary(index, entry)
        };
        let last = links.last_to_first().find(is_note)?;
        return Some((last, LeafReason::LastInFile));
    };
    if !client.goes_down_to_newest_leaf {
        return Some((last, LeafReason::LastInFile));
    }
    // An unordered file: something is newer than its last line.
    let mut others = (0..entries.len()).filter(|record| *record != line && links.has(*record));
    let is_unordered = others
        .any(|record| entries[record].time.is_some() && entries[record].time >= entries[line].time);
    let newest = links
        .below(last, |_| true)
        .into_iter()
        .filter(|record| is_unordered && is_talk(&entries[*record]))
        .filter(|record| entries[*record].time.is_some())
        .max_by_key(|record| (entries[*record].time, *record));
    Some(match newest {
        Some(newest) => (newest, LeafReason::Newest),
        None => (last, LeafReason::LastInFile),
    })
}

/// The talk that a record belongs to: itself, or of an attachment and a system record the talk
/// above it. Records that were passed before, in a circle or for another one, lead to none.
fn talk_of(links: &Links<'_>, record: usize, passed: &mut [bool]) -> Option<usize> {
    let entries = links.index.entries();
    let mut at = record;
    loop {
        let entry = &entries[at];
        if !is_linked(entry) || entry.flags.sidechain {
            return None;
        }
        match entry.kind {
            Kind::User => return entry.has_message.then_some(at),
            Kind::Assistant => return Some(at),
            _ => {}
        }
        if std::mem::replace(&mut passed[at], true) {
            return None;
        }
        let Parent::Record(parent) = links.parent(at) else {
            return None;
        };
        at = parent;
    }
}

/// Whether a record is part of the talk itself, not of a sub-agent's.
pub(super) fn is_talk(entry: &Entry) -> bool {
    matches!(entry.kind, Kind::User | Kind::Assistant) && is_linked(entry) && !entry.flags.sidechain
}

/// Why a client gives up on records.
pub(super) fn refusal(
    links: &Links<'_>,
    leaf: usize,
    records: &[usize],
    client: &Resume,
) -> Option<Refusal> {
    let index = links.index;
    let entries = index.entries();
    let broken = entries.iter().position(|entry| {
        index.is(entry.type_name, "file-history-snapshot")
            && entry.flags.readable
            && !entry.flags.snapshot
    });
    if let Some(broken) = broken {
        return Some(Refusal::BrokenRecord(broken));
    }
    if client.needs_times && entries[leaf].time.is_none() {
        return Some(Refusal::NoConversation);
    }
    if !client.needs_content {
        return None;
    }
    let lacks_message =
        |entry: &Entry| entry.kind == Kind::User && entry.flags.readable && !entry.has_message;
    if let Some(record) = entries.iter().position(lacks_message) {
        return Some(Refusal::BrokenRecord(record));
    }
    let is_no_object = |fault: &&Fault| fault.kind == FaultKind::NotARecord;
    if let Some(fault) = index.faults().iter().find(is_no_object) {
        return Some(Refusal::BrokenLine(fault.line));
    }
    if let Some(boundary) = links.is_broken {
        return Some(Refusal::BrokenRecord(boundary));
    }
    let is_talk = |record: &&usize| matches!(entries[**record].kind, Kind::User | Kind::Assistant);
    let mut talk = records.iter().filter(is_talk);
    let broken = talk.find(|record| {
        let entry = &entries[**record];
        match entry.kind {
            Kind::User => entry.content == ContentKind::Missing,
            _ => entry.content != ContentKind::Blocks,
        }
    });
    broken.map(|record| Refusal::BrokenRecord(*record))
}

/// The last talk of other branches.
pub(super) fn others(links: &Links<'_>, walk: &[usize]) -> Vec<usize> {
    let index = links.index;
    let entries = index.entries();
    let mut has_talk_below = vec![false; entries.len()];
    for record in walk {
        has_talk_below[*record] = true;
    }
    let talk = |record: &usize| is_talk(&entries[*record]) && links.has(*record);
    for record in (0..entries.len()).filter(talk) {
        let mut at = record;
        while let Parent::Record(above) = links.parent(at) {
            if std::mem::replace(&mut has_talk_below[above], true) {
                break;
            }
            at = above;
        }
    }
    (0..entries.len())
        .filter(talk)
        .filter(|record| !has_talk_below[*record])
        .collect()
}
