//! Which record a resumed session goes on from (facts C7.5, I60, I61; docs/facts.md).

use super::tree::{Tree, is_linked, is_talk};
use super::walk::parent;
use super::{Refusal, Resume};
use crate::transcript::{ContentKind, Entry, Index, Kind};

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
            Self::Newest => "the newest record below the last one in the file",
        }
    }
}

/// The leaf, or nothing where there is none.
pub(super) fn choose(index: &Index, tree: &Tree, client: &Resume) -> Option<(usize, LeafReason)> {
    let entries = index.entries();
    let last = entries.iter().rposition(|entry| can_be_leaf(index, entry));
    let pointer = entries.iter().rposition(|entry| {
        index.is(entry.type_name, "last-prompt") && entry.leaf.is_some() && entry.flags.alone
    });
    if let Some(pointer) = pointer
        && let Some(target) = entries[pointer].leaf.and_then(|leaf| index.by_uuid(leaf))
    {
        if entries[target].flags.sidechain {
            return None;
        }
        let counts = |last: &usize| !entries[pointer].flags.explicit || *last > pointer;
        return Some(match last.filter(counts) {
            Some(last) if last != target && tree.is_below(index, last, target) => {
                (last, LeafReason::BelowPointer)
            }
            _ => (target, LeafReason::Pointer),
        });
    }
    let last = last?;
    if !client.goes_down_to_newest_leaf {
        return Some((last, LeafReason::LastInFile));
    }
    let newest = tree
        .below(index, last, |_| true)
        .into_iter()
        .filter(|record| is_talk(&entries[*record]))
        .filter(|record| {
            entries[*record].time.is_some() && entries[*record].time >= entries[last].time
        })
        .max_by_key(|record| (entries[*record].time, *record));
    Some(match newest {
        Some(newest) => (newest, LeafReason::Newest),
        None => (last, LeafReason::LastInFile),
    })
}

/// Whether a session can go on from a record when nothing points elsewhere.
fn can_be_leaf(index: &Index, entry: &Entry) -> bool {
    is_linked(entry)
        && !entry.flags.sidechain
        && match entry.kind {
            Kind::User => entry.has_message,
            Kind::Assistant | Kind::Attachment => true,
            Kind::System => !index.is(entry.detail, "compact_boundary"),
            Kind::Other => false,
        }
}

/// Why a client gives up on records.
pub(super) fn refusal(index: &Index, records: &[usize], client: &Resume) -> Option<Refusal> {
    let entries = index.entries();
    let broken = entries.iter().position(|entry| {
        index.is(entry.type_name, "file-history-snapshot")
            && entry.flags.alone
            && !entry.flags.snapshot
    });
    if let Some(broken) = broken {
        return Some(Refusal::BrokenRecord(broken));
    }
    let is_talk = |record: &&usize| matches!(entries[**record].kind, Kind::User | Kind::Assistant);
    if client.needs_times
        && !records
            .iter()
            .filter(is_talk)
            .any(|record| entries[*record].time.is_some())
    {
        return Some(Refusal::NoConversation);
    }
    if !client.needs_content {
        return None;
    }
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
pub(super) fn others(index: &Index, walk: &[usize]) -> Vec<usize> {
    let entries = index.entries();
    let mut has_talk_below = vec![false; entries.len()];
    for record in walk {
        has_talk_below[*record] = true;
    }
    for (number, _) in entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| is_talk(entry))
    {
        let mut at = number;
        while let Some(above) = parent(index, at).and_then(|uuid| index.by_uuid(uuid)) {
            if std::mem::replace(&mut has_talk_below[above], true) {
                break;
            }
            at = above;
        }
    }
    (0..entries.len())
        .filter(|record| {
            is_talk(&entries[*record]) && index.counts(*record) && !has_talk_below[*record]
        })
        .collect()
}
