//! The links between records, as a client has them once it has read a file: the last boundary
//! moves the messages that it keeps (facts C7.7, I35; docs/facts-sessions.md 134 to 153).

use std::io;

use rustc_hash::{FxHashMap, FxHashSet};

use super::fault::{ChainFault, ChainFaultKind};
use crate::transcript::record::Compaction;
use crate::transcript::{Entry, Id, Index, Kind, Source, Transcript};

/// The parent of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parent {
    /// It is a root.
    Root,
    /// Another record.
    Record(usize),
    /// A record that is not there.
    Missing(Id),
}

/// The records of an index and their parents.
#[derive(Debug)]
pub(super) struct Links<'a> {
    pub index: &'a Index,
    /// The last record that is there.
    last: usize,
    /// Parents that the last boundary changed.
    moved: FxHashMap<usize, Parent>,
    /// The last boundary of the file, before which only kept records are left.
    cut: Option<usize>,
    /// The records that it keeps, in order.
    pub kept: Vec<usize>,
    is_kept: FxHashSet<usize>,
    /// The record behind which they hang.
    pub anchor: Option<usize>,
    /// Its metadata lacks a part that some clients rely on.
    pub is_broken: Option<usize>,
    children: FxHashMap<usize, Vec<usize>>,
    named: Vec<Option<Id>>,
}

/// Whether a record can be part of the chain.
pub(super) fn is_linked(entry: &Entry) -> bool {
    entry.uuid.is_some() && entry.flags.readable && entry.kind != Kind::Other
}

impl<'a> Links<'a> {
    /// Those of a transcript.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub(super) fn of<S: Source>(
        transcript: &'a Transcript<S>,
        faults: &mut Vec<ChainFault>,
    ) -> io::Result<Self> {
        Self::until(transcript, usize::MAX, faults)
    }

    /// Those of the records up to one.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub(super) fn until<S: Source>(
        transcript: &'a Transcript<S>,
        last: usize,
        faults: &mut Vec<ChainFault>,
    ) -> io::Result<Self> {
        let index = transcript.index();
        let mut links = Self {
            index,
            last,
            moved: FxHashMap::default(),
            cut: None,
            kept: Vec::new(),
            is_kept: FxHashSet::default(),
            anchor: None,
            is_broken: None,
            children: FxHashMap::default(),
            named: named_parents(index),
        };
        links.move_kept(transcript, faults)?;
        for (number, entry) in index.entries().iter().enumerate() {
            if is_linked(entry)
                && links.has(number)
                && let Parent::Record(parent) = links.parent(number)
                && parent != number
            {
                links.children.entry(parent).or_default().push(number);
            }
        }
        Ok(links)
    }

    /// Whether a record is still there.
    pub(super) fn has(&self, record: usize) -> bool {
        record <= self.last
            && self.index.counts(record)
            && self
                .cut
                .is_none_or(|cut| record >= cut || self.is_kept.contains(&record))
    }

    /// The record with a uuid, if it is still there.
    pub(super) fn find(&self, uuid: Id) -> Option<usize> {
        self.index.by_uuid(uuid).filter(|record| self.has(*record))
    }

    /// The parent of a record.
    pub(super) fn parent(&self, record: usize) -> Parent {
        if let Some(parent) = self.moved.get(&record) {
            return *parent;
        }
        let Some(uuid) = self.named[record] else {
            return Parent::Root;
        };
        if let Some(parent) = self.find(uuid) {
            return Parent::Record(parent);
        }
        // What was taken away is stood for by the last record that was kept.
        match (self.index.by_uuid(uuid), self.kept.last()) {
            (Some(_), Some(tail)) => Parent::Record(*tail),
            _ => Parent::Missing(uuid),
        }
    }

    pub(super) fn children(&self, record: usize) -> &[usize] {
        self.children.get(&record).map_or(&[], Vec::as_slice)
    }

    /// Whether a record stands below another.
    pub(super) fn is_below(&self, record: usize, above: usize) -> bool {
        let mut at = record;
        // No chain is longer than the file; a circle is.
        for _ in 0..self.index.entries().len() {
            match self.parent(at) {
                Parent::Record(parent) if parent == above => return true,
                Parent::Record(parent) => at = parent,
                Parent::Root | Parent::Missing(_) => return false,
            }
        }
        false
    }

    /// All records below one that `goes_on` lets through, itself left out, each before its own
    /// children.
    pub(super) fn below(&self, from: usize, goes_on: impl Fn(&Entry) -> bool) -> Vec<usize> {
        let entries = self.index.entries();
        let mut found = Vec::new();
        let mut seen = vec![false; entries.len()];
        let mut waiting = vec![from];
        seen[from] = true;
        while let Some(record) = waiting.pop() {
            if record != from {
                found.push(record);
            }
            for child in self.children(record).iter().rev() {
                if goes_on(&entries[*child]) && !std::mem::replace(&mut seen[*child], true) {
                    waiting.push(*child);
                }
            }
        }
        found
    }

    /// Records from the last line to the first; kept ones stand behind their anchor, or behind the
    /// boundary where that is not there.
    pub(super) fn last_to_first(&self) -> impl Iterator<Item = usize> + '_ {
        let place = self.anchor.or(self.cut.filter(|_| !self.kept.is_empty()));
        (0..self.index.entries().len())
            .rev()
            .flat_map(move |record| {
                let kept = match place {
                    Some(place) if place == record => self.kept.as_slice(),
                    _ => &[],
                };
                kept.iter().rev().copied().chain([record])
            })
            .filter(|record| self.has(*record))
    }

    fn move_kept<S: Source>(
        &mut self,
        transcript: &Transcript<S>,
        faults: &mut Vec<ChainFault>,
    ) -> io::Result<()> {
        let entries = self.index.entries();
        let boundaries: Vec<usize> = (0..entries.len())
            .filter(|number| {
                *number <= self.last
                    && is_linked(&entries[*number])
                    && is_boundary(self.index, &entries[*number])
            })
            .collect();
        let Some((&last, earlier)) = boundaries.split_last() else {
            return Ok(());
        };
        let read = |boundary: usize| -> io::Result<Compaction> {
            let record = transcript.record(&entries[boundary])?;
            Ok(record.compaction.unwrap_or_default())
        };
        let compaction = read(last)?;
        if compaction.messages.is_none() && compaction.segment.is_none() {
            for boundary in earlier {
                let compaction = read(*boundary)?;
                if compaction.messages.is_some() || compaction.segment.is_some() {
                    self.cut = Some(last);
                }
            }
            return Ok(());
        }
        let (anchor, kept) = match self.kept_by(&compaction) {
            Ok(found) => found,
            Err(uuid) => {
                let lacks_list = compaction
                    .messages
                    .as_ref()
                    .is_some_and(|messages| messages.uuids.is_none());
                self.is_broken = lacks_list.then_some(last);
                let kind = ChainFaultKind::KeptMessagesMissing { uuid };
                faults.push(ChainFault::new(last, kind));
                return Ok(());
            }
        };
        let find = |uuid: &str| {
            self.index
                .find(uuid)
                .and_then(|uuid| self.index.by_uuid(uuid))
        };
        let anchor = find(&anchor).filter(|anchor| *anchor >= last);
        let tail = kept.last().copied();
        for (number, record) in kept.iter().enumerate() {
            let parent = match number.checked_sub(1) {
                Some(before) => Parent::Record(kept[before]),
                None => anchor.map_or(Parent::Root, Parent::Record),
            };
            self.moved.insert(*record, parent);
        }
        if let (Some(anchor), Some(tail)) = (anchor, tail) {
            for number in 0..entries.len() {
                let hangs = self.named[number].and_then(|uuid| self.index.by_uuid(uuid));
                if hangs == Some(anchor) && !self.moved.contains_key(&number) && number != anchor {
                    self.moved.insert(number, Parent::Record(tail));
                }
            }
        }
        self.is_kept = kept.iter().copied().collect();
        self.kept = kept;
        self.anchor = anchor;
        self.cut = Some(last);
        Ok(())
    }

    /// The anchor and the records that a boundary keeps, or the uuid that led nowhere.
    fn kept_by(&self, compaction: &Compaction) -> Result<(String, Vec<usize>), String> {
        let find = |uuid: &str| {
            self.index
                .find(uuid)
                .and_then(|uuid| self.index.by_uuid(uuid))
        };
        if let Some(messages) = &compaction.messages {
            let uuids = messages.uuids.as_deref().unwrap_or_default();
            if uuids.is_empty() {
                return Err(String::new());
            }
            let records: Result<Vec<usize>, String> = uuids
                .iter()
                .map(|uuid| find(uuid).ok_or_else(|| uuid.clone()))
                .collect();
            return Ok((messages.anchor.clone(), records?));
        }
        let segment = compaction.segment.clone().unwrap_or_default();
        let head = find(&segment.head).ok_or_else(|| segment.head.clone())?;
        let mut at = find(&segment.tail).ok_or_else(|| segment.tail.clone())?;
        let mut records = vec![at];
        while at != head {
            at = self.named[at]
                .and_then(|uuid| self.index.by_uuid(uuid))
                .filter(|_| records.len() <= self.index.entries().len())
                .ok_or_else(|| segment.head.clone())?;
            records.push(at);
        }
        records.reverse();
        Ok((segment.anchor, records))
    }
}

/// Whether a record is the mark of a compaction.
pub(crate) fn is_boundary(index: &Index, entry: &Entry) -> bool {
    entry.kind == Kind::System && index.is(entry.detail, "compact_boundary")
}

/// The uuid of each record's parent as the file has it. Records of progress stand for their own
/// parents, where they stand before their children in the file.
pub(super) fn named_parents(index: &Index) -> Vec<Option<Id>> {
    let mut named: Vec<Option<Id>> = Vec::with_capacity(index.entries().len());
    for (record, entry) in index.entries().iter().enumerate() {
        let passed = entry
            .parent
            .filter(|parent| index.by_uuid(*parent).is_none())
            .and_then(|parent| index.progress(parent))
            .filter(|progress| *progress < record);
        named.push(match passed {
            Some(progress) => named[progress],
            None => entry.parent,
        });
    }
    named
}
