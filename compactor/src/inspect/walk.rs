//! The records of a whole session, each with its turn, and the calls in them.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::chain::{Chain, Resume};
use crate::pipeline::{Input, short};
use crate::transcript::record::{Block, Content};
use crate::transcript::{Id, Index, Kind, Source, Transcript};
use crate::turns::{self, Turn};

/// How much of what a call is about is kept, in characters.
const TARGET: usize = 200;

/// The records of a session's branch, over all its compactions.
pub(super) struct Walk {
    /// The turns, each with the results that the walk by parents passes by (fact C1.5).
    pub turns: Vec<Turn>,
    /// The turn of each record, by its place in `turns`.
    turn_of: FxHashMap<usize, usize>,
    /// Each call by its id: its record and block.
    calls: FxHashMap<Id, (usize, usize)>,
    /// The records that the next request holds.
    now: FxHashSet<usize>,
}

impl Walk {
    /// That of a session.
    pub(super) fn of(index: &Index, chain: &Chain, client: &Resume) -> Self {
        let mut walk = Self {
            turns: turns::of(index, chain, client),
            turn_of: FxHashMap::default(),
            calls: FxHashMap::default(),
            now: chain.records.iter().copied().collect(),
        };
        for (number, turn) in walk.turns.iter().enumerate() {
            let records = turn.records.iter();
            walk.turn_of.extend(records.map(|record| (*record, number)));
        }
        for record in walk.records() {
            let entry = &index.entries()[record];
            if entry.kind != Kind::Assistant {
                continue;
            }
            for (block, piece) in index.pieces(entry).iter().enumerate() {
                if let (Some(id), Some(_)) = (piece.tool, piece.name) {
                    walk.calls.entry(id).or_insert((record, block));
                }
            }
        }
        walk
    }

    /// All records, turn by turn.
    pub(super) fn records(&self) -> Vec<usize> {
        let turns = self.turns.iter();
        turns
            .flat_map(|turn| turn.records.iter().copied())
            .collect()
    }

    /// The number of the turn of a record.
    pub(super) fn turn(&self, record: usize) -> Option<usize> {
        let turn = self.turn_of.get(&record)?;
        Some(self.turns[*turn].number)
    }

    /// Whether the next request holds what a record says.
    pub(super) fn is_now(&self, record: usize) -> bool {
        self.now.contains(&record)
    }

    /// The tool that a call with this id called.
    pub(super) fn tool<'i>(&self, index: &'i Index, call: Id) -> Option<&'i str> {
        let (record, block) = self.calls.get(&call)?;
        let pieces = index.pieces(&index.entries()[*record]);
        pieces.get(*block)?.name.map(|name| index.text(name))
    }

    /// What the call with this id was about.
    pub(super) fn target<S: Source>(&self, transcript: &Transcript<S>, call: Id) -> Option<String> {
        let index = transcript.index();
        let (record, block) = self.calls.get(&call)?;
        let read = transcript.record(&index.entries()[*record]).ok()?;
        let Content::Blocks(blocks) = read.content else {
            return None;
        };
        match blocks.get(*block)? {
            Block::ToolUse { input, .. } => target(input.get()),
            _ => None,
        }
    }
}

/// What a call with an input is about, on one line.
pub(super) fn target(input: &str) -> Option<String> {
    Input::read(input)
        .target()
        .map(|target| short(target, TARGET))
}
