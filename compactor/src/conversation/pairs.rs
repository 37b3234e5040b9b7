//! Calls and results: each result in the message behind its call, and there once
//! (docs/facts-sessions.md 161 to 165, 260). The client looks when messages are put together: what was
//! put into a result goes with it.

use rustc_hash::FxHashSet;

use super::groups::Between;
use super::items::client_text;
use super::{Block, ClientText, Placed, Speaker};

/// Brings calls and results together, message by message.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    /// The calls of all answers so far.
    seen: FxHashSet<String>,
    /// Those of the last answer that have no result yet.
    open: Vec<String>,
    is_behind: bool,
}

impl Pairs {
    /// Whether results belong here.
    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Whether a result stands there that belongs there.
    pub(super) fn wants(&self, between: &Between) -> bool {
        let mut blocks = between.records.iter().flat_map(|said| &said.blocks);
        blocks.any(|placed| {
            let result = placed.answered();
            result.is_some_and(|id| self.open.iter().any(|open| open == id))
        })
    }

    /// Keeps of an answer the calls that no other has.
    pub(super) fn answer(&mut self, blocks: &mut Vec<Placed>) {
        let had_blocks = !blocks.is_empty();
        blocks.retain(|placed| {
            let call = placed.call();
            call.is_none_or(|id| self.seen.insert(id.to_owned()))
        });
        if blocks.is_empty() && had_blocks {
            blocks.push(client_text(ClientText::CallDropped));
        }
        let calls = blocks.iter().filter_map(Placed::call);
        self.open.extend(calls.map(str::to_owned));
        self.is_behind = true;
    }

    /// Keeps of what follows an answer, from a block on, the results of its calls, adds those that
    /// are missing, and says so where nothing is left.
    pub(super) fn user(&mut self, blocks: &mut Vec<Placed>, from: usize, speaker: &Speaker<'_>) {
        let is_first = !std::mem::replace(&mut self.is_behind, true);
        let own = blocks.split_off(from);
        let count = own.len();
        let mut kept: Vec<Placed> = own
            .into_iter()
            .filter(|placed| {
                let Some(id) = placed.answered() else {
                    return true;
                };
                let wanted = self.open.iter().position(|open| open == id);
                wanted.map(|wanted| self.open.remove(wanted)).is_some()
            })
            .collect();
        let dropped = kept.len() < count;
        blocks.extend(missing(std::mem::take(&mut self.open)));
        blocks.append(&mut kept);
        if dropped && blocks.is_empty() {
            match (is_first, speaker.resume.attachments_rendered) {
                (true, true) => blocks.push(client_text(ClientText::ResultDropped)),
                (true, false) => {}
                (false, _) => blocks.push(client_text(ClientText::NoContent)),
            }
        }
    }
}

fn missing(open: Vec<String>) -> impl Iterator<Item = Placed> {
    open.into_iter().map(|id| Placed {
        block: Block::ClientResult(id, ClientText::ResultMissing),
        from: None,
    })
}
