//! Which record a resumed session goes on from (facts C7.5, I60, I61; docs/facts.md).

use super::{Resume, Tree, is_linked, is_talk};
use crate::transcript::{Index, Kind};

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

/// The leaf, or nothing where there is no talk.
pub(super) fn choose(index: &Index, tree: &Tree, client: &Resume) -> Option<(usize, LeafReason)> {
    let entries = index.entries();
    let last = entries.iter().rposition(is_talk);
    let pointer = entries.iter().rposition(|entry| {
        entry.kind == Kind::Other
            && index.is(entry.type_name, "last-prompt")
            && entry.leaf.is_some()
    });
    if let Some(pointer) = pointer
        && let Some(target) = entries[pointer].leaf.and_then(|leaf| index.by_uuid(leaf))
        && is_linked(&entries[target])
    {
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
        .below(index, last)
        .into_iter()
        .filter(|record| is_talk(&entries[*record]) && entries[*record].time > entries[last].time)
        .max_by_key(|record| (entries[*record].time, *record));
    Some(match newest {
        Some(newest) => (newest, LeafReason::Newest),
        None => (last, LeafReason::LastInFile),
    })
}

/// The last talk of other branches.
pub(super) fn others(index: &Index, walk: &[usize]) -> Vec<usize> {
    let entries = index.entries();
    let mut has_talk_below = vec![false; entries.len()];
    for record in walk {
        has_talk_below[*record] = true;
    }
    for entry in entries.iter().filter(|entry| is_talk(entry)) {
        let mut parent = entry.parent.record();
        while let Some(above) = parent.and_then(|uuid| index.by_uuid(uuid)) {
            if std::mem::replace(&mut has_talk_below[above], true) {
                break;
            }
            parent = entries[above].parent.record();
        }
    }
    let counts = |record: usize| {
        let uuid = entries[record].uuid;
        uuid.and_then(|uuid| index.by_uuid(uuid)) == Some(record)
    };
    (0..entries.len())
        .filter(|record| is_talk(&entries[*record]) && counts(*record) && !has_talk_below[*record])
        .collect()
}
