//! Which records of a transcript count: from the leaf to the root, and from the last boundary on.

mod fault;
mod leaf;
mod links;
mod siblings;
mod walk;

use std::io;

use crate::transcript::{Index, Source, Transcript};

use links::Links;
pub(crate) use links::is_boundary;

pub use fault::{ChainFault, ChainFaultKind};
pub use leaf::LeafReason;

/// How a client version chooses and walks; see `docs/client-versions.md`.
pub use outcrop_loader::client::Resume;

/// Which records count.
#[derive(Debug, Default)]
pub struct Chain {
    /// The record from which the walk began; none where there is nothing to resume.
    pub leaf: Option<usize>,
    /// Why this one.
    pub reason: LeafReason,
    /// Why the client does not resume it at all.
    pub refused: Option<Refusal>,
    /// From the root to the leaf, by parents, and notes that hang below the leaf.
    pub walk: Vec<usize>,
    /// What counts: the walk behind its last boundary, with the messages that the boundary keeps
    /// and the results of parallel calls.
    pub records: Vec<usize>,
    /// The boundary that cuts the walk.
    pub boundary: Option<usize>,
    /// The records before it that it keeps, in order.
    pub kept: Vec<usize>,
    /// Leaves of other branches, in the order of the file.
    pub other_leaves: Vec<usize>,
    /// What is wrong with the walk.
    pub faults: Vec<ChainFault>,
}

/// Why a client does not resume a transcript: it ends with exit code 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It finds no conversation (fact C7.6).
    NoConversation,
    /// A record lacks a part that the client relies on.
    BrokenRecord(usize),
    /// A line, by its number from 1, holds JSON that is no object.
    BrokenLine(u32),
}

impl Chain {
    /// Follows the records of `transcript` as a client that resumes it does.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn of<S: Source>(transcript: &Transcript<S>, client: &Resume) -> io::Result<Self> {
        let mut chain = Self::default();
        let links = Links::of(transcript, &mut chain.faults)?;
        let Some((leaf, reason)) = leaf::choose(&links, client) else {
            chain.refused = Some(Refusal::NoConversation);
            return Ok(chain);
        };
        chain.follow(&links, leaf, reason, client);
        Ok(chain)
    }

    /// The same, as the session stood when a record was its last.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn ending_at<S: Source>(
        transcript: &Transcript<S>,
        leaf: usize,
        client: &Resume,
    ) -> io::Result<Self> {
        let mut chain = Self::default();
        let links = Links::until(transcript, leaf, &mut chain.faults)?;
        chain.follow(&links, leaf, LeafReason::Chosen, client);
        Ok(chain)
    }

    fn follow(&mut self, links: &Links<'_>, leaf: usize, reason: LeafReason, client: &Resume) {
        let chain = self;
        let index = links.index;
        chain.leaf = Some(leaf);
        chain.reason = reason;
        chain.walk = walk::up(links, leaf, &mut chain.faults);
        let mut walked = vec![false; index.entries().len()];
        for record in &chain.walk {
            walked[*record] = true;
        }
        // In a circle, what is above the leaf is below it, too.
        let below = walk::notes_below(links, leaf).into_iter();
        chain.walk.extend(below.filter(|record| !walked[*record]));
        chain.other_leaves = leaf::others(links, &chain.walk);
        chain.records = chain.walk.clone();
        let cut = |record: &usize| is_boundary(index, &index.entries()[*record]);
        if let Some(at) = chain.walk.iter().rposition(cut) {
            chain.boundary = Some(chain.walk[at]);
            chain.records.drain(..=at);
        }
        chain.kept.clone_from(&links.kept);
        siblings::add(
            index,
            |record| links.has(record),
            client,
            &mut chain.records,
        );
        chain.refused = leaf::refusal(links, leaf, &chain.records, client);
    }

    /// The session from its start to the leaf: boundaries are gone back over to the records that
    /// they follow, and results of parallel calls stand with the others.
    #[must_use]
    pub fn whole(&self, index: &Index, client: &Resume) -> Vec<usize> {
        let mut records = walk::whole(index, &self.walk, &self.kept);
        siblings::add(index, |record| index.counts(record), client, &mut records);
        records
    }
}
