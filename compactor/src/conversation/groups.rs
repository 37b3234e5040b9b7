//! Items joined to turns: one answer, or what stands between two answers.

use super::Placed;
use super::items::{AnswerId, Item};
use crate::chain::Resume;

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
    /// Whether a user record is among them at all, with or without blocks.
    pub has_record: bool,
    pub results: Vec<Placed>,
    /// What attachments add, each with its pieces.
    pub attached: Vec<Vec<Placed>>,
    /// What user records say, each with its blocks.
    pub texts: Vec<Vec<Placed>>,
    /// Prompts that were typed while the model worked.
    pub queued: Vec<Placed>,
    /// What goes into a system message behind.
    pub told: Vec<Placed>,
}

impl Between {
    fn take(&mut self, item: Item) {
        match item {
            Item::Answer { .. } => {}
            Item::User {
                results, others, ..
            } => {
                self.has_record = true;
                self.results.extend(results);
                self.texts.push(others);
            }
            Item::Attached(blocks) => self.attached.push(blocks),
            Item::Told(blocks) => self.told.extend(blocks),
            Item::Queued(blocks) => self.queued.extend(blocks),
        }
    }
}

/// The groups of some items. Records of one answer are one group although the results of its calls
/// stand between them.
pub(super) fn of(items: Vec<Item>, client: &Resume) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for item in items {
        match item {
            Item::Answer { id, blocks } => {
                let joins = match id {
                    AnswerId::Message(_) => true,
                    AnswerId::None => client.merges_answers_without_id,
                    AnswerId::Made => false,
                };
                let before = joins.then(|| earlier(&groups, id)).flatten();
                match before.and_then(|before| groups.get_mut(before)) {
                    Some(Group::Answer { blocks: all, .. }) => all.extend(blocks),
                    _ => groups.push(Group::Answer { id, blocks }),
                }
            }
            other => {
                if !matches!(groups.last(), Some(Group::User(_))) {
                    groups.push(Group::User(Between::default()));
                }
                if let Some(Group::User(between)) = groups.last_mut() {
                    between.take(other);
                }
            }
        }
    }
    groups
}

/// The group that an answer's record continues, which may stand before results.
fn earlier(groups: &[Group], id: AnswerId) -> Option<usize> {
    for (number, group) in groups.iter().enumerate().rev() {
        match group {
            Group::Answer { id: other, .. } if *other == id => return Some(number),
            Group::Answer { .. } => return None,
            Group::User(between) if between.results.is_empty() => return None,
            Group::User(_) => {}
        }
    }
    None
}
