//! Which messages a compaction keeps verbatim (facts C4.10, C5.2).

use crate::chain::Chain;
use crate::transcript::{Id, Index, Kind};

use super::Trigger;

/// The records that stay, in the order of the chain: the last answer with its results and, before
/// a request, the prompt that waits. Notes of the system stay with them, attachments go.
pub(super) fn kept(index: &Index, chain: &Chain, trigger: Trigger) -> Vec<usize> {
    let entries = index.entries();
    let is_talk = |record: &&usize| {
        matches!(
            entries[**record].kind,
            Kind::User | Kind::Assistant | Kind::System
        )
    };
    let talk: Vec<usize> = chain.records.iter().filter(is_talk).copied().collect();
    let answers: Vec<usize> = talk
        .iter()
        .filter(|record| is_answer(index, **record))
        .copied()
        .collect();
    let Some(last) = answers.last() else {
        return Vec::new();
    };
    let id = entries[*last].message;
    let is_of_last = |record: &&usize| id.is_some() && entries[**record].message == id;
    let first = answers.iter().find(is_of_last).unwrap_or(last);
    let mut ids: Vec<Option<Id>> = answers
        .iter()
        .map(|record| entries[*record].message)
        .collect();
    ids.dedup();
    let start = talk.iter().position(|record| record == first).unwrap_or(0);
    match trigger {
        // Only what the model said last.
        Trigger::Manual => talk[start..]
            .iter()
            .filter(|record| entries[**record].kind != Kind::User)
            .copied()
            .collect(),
        // With a single round nothing is left to summarise but the round itself.
        Trigger::Auto if ids.len() < 2 => talk[start..]
            .iter()
            .filter(|record| crate::turns::is_prompt(index, &entries[**record]))
            .copied()
            .collect(),
        Trigger::Auto => talk[start..].to_vec(),
    }
}

fn is_answer(index: &Index, record: usize) -> bool {
    let entry = &index.entries()[record];
    entry.kind == Kind::Assistant
        && !(entry.flags.api_error && index.is(entry.model, "<synthetic>"))
}
