//! Where the context of a session went.
//!
//! [`Inspection::of`] tells what the next request holds by category, how the context grew turn by
//! turn, which results are the largest, which stand there twice, and what all of it used. It looks
//! at the branch that a resume goes on with, over all its compactions; only what was used is told
//! of every branch.

mod blocks;
mod category;
mod context;
mod results;
mod spending;
mod turns;
mod walk;

#[cfg(test)]
mod tests;

use std::io;

use outcrop_loader::client::Client;
use outcrop_loader::tokens::Model;
use serde::Serialize;

use crate::chain::Chain;
use crate::transcript::{Source, Transcript};

pub use blocks::BlockRow;
pub use category::Category;
pub use context::{Anchored, Holding, Share, ToolShare, TurnShare};
pub use results::{Duplicate, ImageRow, ResultRow, Spot};
pub use spending::{Spending, Spent, spending};
pub use turns::{CompactionRow, Largest, TurnRow};

use walk::Walk;

/// Where the context of a session went.
#[derive(Debug, Clone, Serialize)]
pub struct Inspection {
    /// What the next request holds.
    pub context: Holding,
    /// Its turns, all of them; only those that are shown have their prompts and largest blocks.
    pub turns: Vec<TurnRow>,
    /// Its compactions, in order.
    pub compactions: Vec<CompactionRow>,
    /// Its largest results.
    pub largest: Vec<ResultRow>,
    /// How many results there are.
    pub results: usize,
    /// Results that stand there several times, the most wasteful first.
    pub duplicates: Vec<Duplicate>,
    /// How many such there are.
    pub duplicated: usize,
    /// Its pictures, in order.
    pub images: Vec<ImageRow>,
    /// How many there are.
    pub pictures: usize,
    /// Branches that a resume does not go on with: rewound or abandoned.
    pub other_branches: usize,
}

impl Inspection {
    /// Looks into a session as `client` would go on with it. Of each list, the first `limit` are
    /// told in full; of the turns, the last. Texts are counted as `model` counts.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn of<S: Source>(
        transcript: &Transcript<S>,
        chain: &Chain,
        client: &Client,
        model: Model,
        limit: usize,
    ) -> io::Result<Self> {
        let walk = Walk::of(transcript.index(), chain, &client.behaviour.resume);
        let (context, counts) = context::holding(transcript, chain, &walk, client, model)?;
        let count = walk.turns.len();
        let is_shown = |turn: usize| turn.saturating_add(limit) > count;
        let (turns, compactions) = turns::rows(transcript, chain, &walk, &counts, is_shown)?;
        let mut results = results::Results::of(transcript, &walk, &counts, model);
        let largest = results.largest(limit)?;
        let (duplicates, duplicated) = results.duplicates(limit)?;
        let results = results.len();
        let (images, pictures) = results::images(transcript, &walk, limit)?;
        Ok(Self {
            context,
            turns,
            compactions,
            largest,
            results,
            duplicates,
            duplicated,
            images,
            pictures,
            other_branches: chain.other_leaves.len(),
        })
    }
}

/// The blocks of one turn, by its number; none where there is no such turn, with how many there
/// are.
///
/// # Errors
///
/// When the source cannot be read.
pub fn turn<S: Source>(
    transcript: &Transcript<S>,
    chain: &Chain,
    client: &Client,
    model: Model,
    number: usize,
) -> io::Result<Result<Vec<BlockRow>, usize>> {
    let walk = Walk::of(transcript.index(), chain, &client.behaviour.resume);
    let turn = walk.turns.iter().find(|turn| turn.number == number);
    match turn {
        Some(turn) => {
            let resume = &client.behaviour.resume;
            blocks::rows(transcript, &walk, &turn.records, resume, model).map(Ok)
        }
        None => Ok(Err(walk.turns.len())),
    }
}
