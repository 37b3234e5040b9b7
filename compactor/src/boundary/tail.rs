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
        Trigger::Auto | Trigger::Refused { .. } if ids.len() < 2 => talk[start..]
            .iter()
            .filter(|record| crate::turns::is_prompt(index, &entries[**record]))
            .copied()
            .collect(),
        Trigger::Auto => talk[start..].to_vec(),
        Trigger::Refused { sent, allowed } => {
            let start = start_behind_refusal(index, &talk, &ids, (sent, allowed));
            talk[start..].to_vec()
        }
    }
}

/// What the instruction of the summary takes of the room, in tokens (fact C5.2, fitted).
const INSTRUCTION: u64 = 1_600;

/// Where the kept messages begin when a request was refused: with so many rounds that the others
/// fit, but no more than half of them; without numbers with the last one.
fn start_behind_refusal(
    index: &Index,
    talk: &[usize],
    rounds: &[Option<Id>],
    (sent, allowed): (u64, u64),
) -> usize {
    let entries = index.entries();
    let tokens = |records: &[usize]| -> u64 {
        let units = records.iter().map(|record| {
            let pieces = index.pieces(&entries[*record]).iter();
            pieces.map(|piece| u64::from(piece.chars)).sum::<u64>()
        });
        units.sum::<u64>() / 4
    };
    let all = tokens(talk);
    let too_many = sent.saturating_sub(allowed);
    let wanted = match sent {
        0 => 0,
        _ => too_many.saturating_mul(all) / sent + INSTRUCTION,
    };
    let most = rounds.len() - rounds.len() / 2;
    let starts = rounds.iter().rev().filter_map(|round| {
        let begins =
            |record: &usize| is_answer(index, *record) && entries[*record].message == *round;
        talk.iter().position(begins)
    });
    let mut start = talk.len();
    for earlier in starts.take(most) {
        start = earlier;
        if tokens(&talk[start..]) >= wanted {
            break;
        }
    }
    start
}

fn is_answer(index: &Index, record: usize) -> bool {
    let entry = &index.entries()[record];
    entry.kind == Kind::Assistant
        && !(entry.flags.api_error && index.is(entry.model, "<synthetic>"))
}
