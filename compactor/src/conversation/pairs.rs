//! Calls and results: each result in the message behind its call, and there once
//! (docs/facts-sessions.md 161 to 165).

use rustc_hash::FxHashSet;

use super::groups::{Between, Group, Said};
use super::items::client_text;
use super::{Block, ClientText, Placed, Speaker};

/// Brings calls and results together.
pub(super) fn mend(groups: &mut Vec<Group>, speaker: &Speaker<'_>) {
    let mut seen: FxHashSet<String> = FxHashSet::default();
    let mut open: Vec<String> = Vec::new();
    let mut mended = Vec::with_capacity(groups.len());
    let mut is_first = true;
    for group in std::mem::take(groups) {
        match group {
            Group::Answer { id, mut blocks } => {
                if !open.is_empty() {
                    let mut between = Between::default();
                    between
                        .records
                        .push(Said::new(missing(std::mem::take(&mut open))));
                    mended.push(Group::User(between));
                }
                let had_blocks = !blocks.is_empty();
                blocks.retain(|placed| placed.call().is_none_or(|id| seen.insert(id.to_owned())));
                if blocks.is_empty() && had_blocks {
                    blocks.push(client_text(ClientText::CallDropped));
                }
                open.extend(
                    blocks
                        .iter()
                        .filter_map(|placed| placed.call().map(str::to_owned)),
                );
                mended.push(Group::Answer { id, blocks });
            }
            Group::User(mut between) => {
                answer(&mut between, &mut open, is_first, speaker);
                mended.push(Group::User(between));
            }
        }
        is_first = false;
    }
    *groups = mended;
}

/// Keeps of a group the results of the calls before it, adds those that are missing, and says so
/// where nothing is left.
fn answer(between: &mut Between, open: &mut Vec<String>, is_first: bool, speaker: &Speaker<'_>) {
    let mut dropped = false;
    for record in &mut between.records {
        record.blocks.retain(|placed| {
            let Some(id) = placed.answered() else {
                return true;
            };
            let wanted = open.iter().position(|open| open == id);
            dropped |= wanted.is_none();
            wanted.map(|wanted| open.remove(wanted)).is_some()
        });
    }
    if !open.is_empty() {
        let missing = Said::new(missing(std::mem::take(open)));
        between.records.insert(0, missing);
        for piece in &mut between.attached {
            piece.behind += 1;
        }
    }
    let is_empty = between.records.iter().all(|said| said.blocks.is_empty());
    if dropped && is_empty && between.attached.is_empty() {
        let text = match (is_first, speaker.resume.attachments_rendered) {
            (true, true) => ClientText::ResultDropped,
            (true, false) => return between.records.clear(),
            (false, _) => ClientText::NoContent,
        };
        between.records = vec![Said::new(vec![client_text(text)])];
    }
}

fn missing(open: Vec<String>) -> Vec<Placed> {
    let results = open.into_iter().map(|id| Placed {
        block: Block::ClientResult(id, ClientText::ResultMissing),
        from: None,
    });
    results.collect()
}
