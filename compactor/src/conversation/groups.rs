//! Items joined to turns: one answer, or what stands between two answers.

use super::items::{AnswerId, Item};
use super::{Placed, Speaker};

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
    /// What user records say, each with its blocks.
    pub records: Vec<Vec<Placed>>,
    /// What attachments add, piece by piece.
    pub attached: Vec<Attached>,
    /// The first of them begins with a pretended call of a tool.
    pub begins_with_call: bool,
    /// Prompts that were typed while the model worked.
    pub queued: Vec<Placed>,
    /// What goes into a system message behind.
    pub told: Vec<Placed>,
    /// Goes into the user message before it, whatever stands there
    /// (docs/facts-sessions.md 187).
    pub continues: bool,
}

/// A piece of what an attachment adds.
#[derive(Debug)]
pub(super) struct Attached {
    pub placed: Placed,
    /// The call whose result stands last before it.
    pub behind: Option<String>,
    /// It stands beside results, and is not put into one.
    pub is_beside: bool,
}

impl Attached {
    pub(super) fn new(placed: Placed) -> Self {
        Self {
            placed,
            behind: None,
            is_beside: false,
        }
    }
}

impl Between {
    /// Takes an item; models that take no system messages are told everything by users.
    fn take(&mut self, item: Item, in_messages: bool) {
        match item {
            Item::Answer { .. } | Item::Error | Item::EarlierError | Item::Silent => {}
            Item::User { blocks, .. } => self.records.push(blocks),
            Item::Attached {
                pieces,
                is_call,
                is_beside,
            } => {
                self.begins_with_call |= is_call && self.attached.is_empty();
                let pieces = pieces.into_iter();
                let behind = self.last_result();
                self.attached.extend(pieces.map(|placed| Attached {
                    placed,
                    behind: behind.clone(),
                    is_beside,
                }));
            }
            Item::Told(blocks) | Item::Queued(blocks) if !in_messages => {
                self.begins_with_call |= blocks.len() == 2 && self.attached.is_empty();
                let pieces = blocks.into_iter();
                let behind = self.last_result();
                self.attached.extend(pieces.map(|placed| Attached {
                    behind: behind.clone(),
                    ..Attached::new(placed)
                }));
            }
            Item::Told(blocks) => self.told.extend(blocks),
            Item::Queued(blocks) => self.queued.extend(blocks),
        }
    }

    /// The call whose result stands last.
    fn last_result(&self) -> Option<String> {
        let mut blocks = self.records.iter().flatten().rev();
        blocks.find_map(|placed| placed.answered().map(str::to_owned))
    }

    pub(super) fn has_results(&self) -> bool {
        self.records
            .iter()
            .flatten()
            .any(|placed| placed.answered().is_some())
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
                let before = joins.then(|| earlier(&groups, id)).flatten();
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
fn earlier(groups: &[Group], id: AnswerId) -> Option<usize> {
    for (number, group) in groups.iter().enumerate().rev() {
        match group {
            Group::Answer { id: other, .. } if *other == id => return Some(number),
            Group::User(between) if !between.records.is_empty() && !between.has_results() => {
                return None;
            }
            _ => {}
        }
    }
    None
}
