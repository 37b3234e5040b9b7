//! The turns of a session: each prompt with what followed it.

use crate::chain::{Chain, Resume};
use crate::transcript::{Entry, Index, Kind};

/// One turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Its number, from 1, over the whole session, compactions included.
    pub number: usize,
    /// The record of the prompt; none for what stands before the first.
    pub prompt: Option<usize>,
    /// Its records, in order.
    pub records: Vec<usize>,
    /// How many boundaries stand before it.
    pub compactions: usize,
}

/// The turns of the session that a chain belongs to: back over its boundaries to its start.
#[must_use]
pub fn of(index: &Index, chain: &Chain, client: &Resume) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    let mut compactions = 0;
    for record in chain.whole(index, client) {
        let entry = &index.entries()[record];
        if entry.kind == Kind::System && index.is(entry.detail, "compact_boundary") {
            compactions += 1;
        }
        if is_prompt(index, entry) || turns.is_empty() {
            turns.push(Turn {
                number: turns.len() + 1,
                prompt: is_prompt(index, entry).then_some(record),
                records: Vec::new(),
                compactions,
            });
        }
        if let Some(turn) = turns.last_mut() {
            if turn.prompt.is_none() && is_prompt(index, entry) {
                turn.prompt = Some(record);
            }
            turn.records.push(record);
        }
    }
    turns
}

/// Whether a record is what a user typed: no result, no text that the client put in, no summary.
#[must_use]
pub fn is_prompt(index: &Index, entry: &Entry) -> bool {
    entry.kind == Kind::User
        && !entry.flags.meta
        && !entry.flags.summary
        && !entry.flags.sidechain
        && index
            .pieces(entry)
            .iter()
            .any(|piece| index.is(piece.kind, "text") || index.is(piece.kind, "image"))
        && !index
            .pieces(entry)
            .iter()
            .any(|piece| index.is(piece.kind, "tool_result"))
}
