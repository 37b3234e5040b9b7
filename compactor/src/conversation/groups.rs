//! Items joined to turns: one answer, or what stands between two answers.

use rustc_hash::FxHashSet;

use super::items::{AnswerId, Item, client_text};
use super::messages::bare;
use super::{Block, ClientText, Placed, Speaker};
use crate::transcript::Index;

/// What becomes one or two messages.
#[derive(Debug)]
pub(super) enum Group {
    /// An answer.
    Answer { id: AnswerId, blocks: Vec<Placed> },
    /// What stands between two answers.
    User(Between),
}

/// What stands between two answers (fact I70, 5).
#[derive(Debug, Default)]
pub(super) struct Between {
    /// What user records say.
    pub records: Vec<Said>,
    /// What attachments add, piece by piece.
    pub attached: Vec<Attached>,
    /// What goes into a system message behind.
    pub told: Vec<Placed>,
    /// Goes into the user message before it, whatever stands there
    /// (docs/facts-sessions.md 187).
    pub continues: bool,
}

/// What one user record says.
#[derive(Debug)]
pub(super) struct Said {
    pub blocks: Vec<Placed>,
    /// Its first block was a text when it was read, and its last one.
    pub begins_in_text: bool,
    pub ends_in_text: bool,
    /// It held results when it was read.
    pub has_results: bool,
    /// It was one empty block, for which the client's own words stand if it is sent alone.
    pub stands_for_empty: bool,
}

impl Said {
    pub(super) fn new(blocks: Vec<Placed>) -> Self {
        Self {
            begins_in_text: blocks.first().is_some_and(Placed::is_text),
            ends_in_text: blocks.last().is_some_and(Placed::is_text),
            has_results: blocks.iter().any(|placed| placed.answered().is_some()),
            stands_for_empty: false,
            blocks,
        }
    }

    fn answers(&self) -> bool {
        self.blocks.iter().any(|placed| placed.answered().is_some())
    }
}

/// A piece of what an attachment adds.
#[derive(Debug)]
pub(super) struct Attached {
    pub placed: Placed,
    /// How many records stand before it: up to the last one with results, no prompts.
    pub behind: usize,
    /// It joins like a record, and is not put into a result.
    pub is_beside: bool,
    /// It was typed while the model worked.
    pub is_prompt: bool,
    /// It is a pretended call of a tool, to which the next piece answers.
    pub is_call: bool,
}

impl Attached {
    pub(super) fn new(placed: Placed) -> Self {
        Self {
            placed,
            behind: 0,
            is_beside: false,
            is_prompt: false,
            is_call: false,
        }
    }
}

impl Between {
    /// Takes an item; models that take no system messages are told everything by users.
    fn take(&mut self, item: Item, in_messages: bool) {
        match item {
            Item::Answer { .. } | Item::Error | Item::EarlierError | Item::Silent => {}
            Item::User {
                blocks, is_talk, ..
            } => {
                let stands_for_empty = is_talk
                    && matches!(&blocks[..], [placed] if matches!(placed.block, Block::Client(ClientText::NoContent)));
                self.records.push(Said {
                    stands_for_empty,
                    ..Said::new(blocks)
                });
            }
            Item::Attached {
                pieces,
                is_call,
                is_beside,
            } => {
                // Older models are told everything in one way.
                self.attach(pieces, is_call, is_beside && in_messages);
            }
            Item::Told(blocks) | Item::Queued(blocks) if !in_messages => {
                let is_call = blocks.len() == 2;
                self.attach(blocks, is_call, false);
            }
            Item::Told(blocks) => self.told.extend(blocks),
            Item::Queued(blocks) => {
                let behind = self.results();
                let prompts = blocks.into_iter().map(|placed| Attached {
                    placed: bare(placed),
                    behind,
                    is_beside: true,
                    is_prompt: true,
                    is_call: false,
                });
                self.attached.extend(prompts);
            }
        }
    }

    /// Adds pieces: before prompts.
    pub(super) fn attach(&mut self, pieces: Vec<Placed>, is_call: bool, is_beside: bool) {
        let behind = self.results();
        let is_prompt = |piece: &Attached| piece.is_prompt && piece.behind == behind;
        let at = self.attached.iter().position(is_prompt);
        let at = at.unwrap_or(self.attached.len());
        let pieces = pieces.into_iter().enumerate();
        let pieces = pieces.map(|(number, placed)| Attached {
            behind,
            is_beside,
            is_call: is_call && number == 0,
            ..Attached::new(placed)
        });
        self.attached.splice(at..at, pieces);
    }

    /// How many records stand here up to the last one with results.
    fn results(&self) -> usize {
        let result = self.records.iter().rposition(|said| said.has_results);
        result.map_or(0, |result| result + 1)
    }

    pub(super) fn has_results(&self) -> bool {
        self.records.iter().any(Said::answers)
    }
}

/// The groups of some items. Records of one answer are one group although the results of its calls
/// stand between them.
pub(super) fn of(items: Vec<Item>, speaker: &Speaker<'_>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let parts = speaker.resume.attachments_rendered || !speaker.takes_system_messages;
    let mut behind_error = false;
    let mut ends_in_error = false;
    for item in items {
        if matches!(item, Item::Silent) {
            continue;
        }
        let is_error = matches!(item, Item::Error | Item::EarlierError);
        let is_said = !is_error && !matches!(item, Item::Answer { .. });
        if behind_error && is_said && matches!(groups.last(), Some(Group::User(_))) {
            go_on(&mut groups);
        }
        behind_error = parts && is_error;
        ends_in_error = matches!(item, Item::Error);
        match item {
            Item::Error | Item::EarlierError | Item::Silent => {}
            Item::Answer { id, blocks } => {
                let joins = match id {
                    AnswerId::Message(_) => true,
                    AnswerId::None => speaker.resume.merges_answers_without_id,
                    AnswerId::Made => false,
                };
                let before = joins.then(|| earlier(&groups, id, speaker)).flatten();
                match before.and_then(|before| groups.get_mut(before)) {
                    Some(Group::Answer { blocks: all, .. }) => all.extend(blocks),
                    _ => groups.push(Group::Answer { id, blocks }),
                }
            }
            other => last(&mut groups).take(other, speaker.takes_system_messages),
        }
    }
    if parts && ends_in_error {
        go_on(&mut groups);
    }
    groups
}

/// Takes away thoughts of other models than the one that is asked.
pub(super) fn drop_foreign_thoughts(groups: &mut Vec<Group>, index: &Index, speaker: &Speaker<'_>) {
    let is_own = |placed: &Placed| {
        let of = placed
            .from
            .and_then(|from| index.entries().get(from.record));
        let is_kept = speaker.resume.keeps_unsigned_thoughts && placed.is_unsigned();
        placed.is_thought()
            && (is_kept || of.is_some_and(|entry| index.is(entry.model, speaker.model)))
    };
    if speaker.resume.keeps_empty_texts {
        // What stood beside these thoughts was blank. Messages around them stay two.
        let says: FxHashSet<AnswerId> = groups
            .iter()
            .filter_map(|group| match group {
                Group::Answer { id, blocks } => (!blocks.iter().all(is_own)).then_some(*id),
                Group::User(_) => None,
            })
            .collect();
        groups.retain(|group| match group {
            Group::Answer { id, .. } => says.contains(id),
            Group::User(_) => true,
        });
    }
    for group in groups.iter_mut() {
        let Group::Answer { blocks, .. } = group else {
            continue;
        };
        let thinks = blocks.iter().any(Placed::is_thought);
        blocks.retain(|placed| !placed.is_thought() || is_own(placed));
        if thinks && blocks.is_empty() {
            blocks.push(client_text(ClientText::NoContent));
        }
    }
}

/// What follows an error is put together by itself, but sent in one message with what is before it.
fn go_on(groups: &mut Vec<Group>) {
    groups.push(Group::User(Between {
        continues: true,
        ..Between::default()
    }));
}

/// The open group of what users say.
pub(super) fn last(groups: &mut Vec<Group>) -> &mut Between {
    if !matches!(groups.last(), Some(Group::User(_))) {
        groups.push(Group::User(Between::default()));
    }
    match groups.last_mut() {
        Some(Group::User(between)) => between,
        _ => unreachable!("such a group was just added"),
    }
}

/// The group that an answer's record continues: results, attachments and other answers may stand
/// between them, a prompt may not.
fn earlier(groups: &[Group], id: AnswerId, speaker: &Speaker<'_>) -> Option<usize> {
    // With older clients, what is told in a user message parts an answer as a prompt does.
    let speaks = |between: &Between| {
        let is_told = !speaker.resume.attachments_rendered && !between.attached.is_empty();
        !between.records.is_empty() || is_told
    };
    for (number, group) in groups.iter().enumerate().rev() {
        match group {
            Group::Answer { id: other, .. } if *other == id => return Some(number),
            Group::User(between) if speaks(between) && !between.has_results() => return None,
            _ => {}
        }
    }
    None
}
