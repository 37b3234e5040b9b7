//! What is told of a choice: what became of each record, and what to ask the new session.

use std::collections::{BTreeMap, BTreeSet};

use super::compose::{self, Parts};
use super::said::Voice;
use super::select::{Chosen, Summary};
use super::verdict::{Fate, Reason, Verdict};
use super::{Question, clean};
use crate::pipeline::short;
use crate::redact::redact;
use crate::transcript::Source;

/// What became of each record.
pub(super) fn verdicts<S: Source>(parts: &Parts<'_, S>, chosen: &Chosen) -> Vec<Verdict> {
    let session = parts.session;
    let index = session.transcript.index();
    let mut reasons: BTreeMap<usize, BTreeSet<Reason>> = BTreeMap::new();
    let mut part: BTreeSet<usize> = BTreeSet::new();
    let mut wanted: BTreeSet<usize> = BTreeSet::new();
    let mut put = |record: usize, reason: Reason| {
        reasons.entry(record).or_default().insert(reason);
    };
    for record in &parts.pins.records {
        put(*record, Reason::Pinned);
    }
    put(parts.request, Reason::LastRequest);
    for (number, text) in session.said.texts.iter().enumerate() {
        let is_in_tail = compose::is_in_tail(parts, chosen, text);
        if is_in_tail && text.record != parts.request {
            put(text.record, Reason::Tail);
        }
        if let Some(how) = chosen.summaries.get(&number) {
            put(text.record, Reason::Summary);
            if *how == Summary::Part {
                part.insert(text.record);
            }
        }
        let is_answer = text.voice == Voice::User || text.is_answer;
        if text.voice == Voice::Summary && !text.is_earlier
            || is_answer && !text.is_earlier && parts.tail.contains(&text.turn)
        {
            wanted.insert(text.record);
        }
    }
    for (number, note) in session.notes.iter().enumerate() {
        wanted.insert(note.record);
        if chosen.notes.contains(&number) && !compose::is_told(parts, chosen, note) {
            put(note.record, note.reason);
            part.insert(note.record);
        }
    }
    let mut verdicts = Vec::new();
    let mut counts = vec![false; index.entries().len()];
    for record in &session.chain.records {
        counts[*record] = true;
    }
    for turn in session.turns {
        for record in turn.records.iter().copied() {
            let entry = &index.entries()[record];
            let found = reasons.remove(&record);
            if found.is_none() && !counts[record] {
                continue;
            }
            let whole = [Reason::Pinned, Reason::LastRequest, Reason::Tail];
            let (fate, reasons) = match found {
                Some(found) => {
                    let is_whole = found.iter().any(|reason| whole.contains(reason))
                        || !part.contains(&record);
                    let fate = if is_whole { Fate::Kept } else { Fate::Part };
                    (fate, found.into_iter().collect())
                }
                None => {
                    let reason = session.said.silent.get(&record).copied();
                    let mut texts = session.said.texts.iter();
                    let is_out = texts
                        .any(|text| text.record == record && parts.out.has(record, &text.text));
                    let reason = reason.unwrap_or(match (is_out, wanted.contains(&record)) {
                        (true, _) => Reason::Excluded,
                        (_, true) => Reason::OverTarget,
                        _ => Reason::Expired,
                    });
                    (Fate::Dropped, vec![reason])
                }
            };
            verdicts.push(Verdict {
                record,
                uuid: entry.uuid.map(|uuid| index.text(uuid).to_owned()),
                line: entry.place.line,
                turn: turn.number,
                fate,
                reasons,
            });
        }
    }
    verdicts
}

/// How many lines of each expected answer are told.
const EXPECTED: usize = 5;

pub(super) fn questions<S: Source>(parts: &Parts<'_, S>, chosen: &Chosen) -> Vec<Question> {
    let session = parts.session;
    let texts = session.said.texts.iter();
    let request = texts.filter(|text| text.record == parts.request);
    let request: Vec<String> = request.map(|text| short(&text.text, 200)).collect();
    let notes = |reasons: &[Reason]| -> Vec<String> {
        let chosen = chosen
            .notes
            .iter()
            .rev()
            .map(|number| &session.notes[*number]);
        let of = chosen.filter(|note| reasons.contains(&note.reason));
        of.take(EXPECTED)
            .map(|note| note.sentence.clone())
            .collect()
    };
    let mut state: Vec<String> = notes(&[Reason::Checkpoint]);
    let open = chosen.open.iter().map(|number| parts.open[*number]);
    state.extend(open.map(|item| compose::open(item, session.options)));
    let changed = chosen.files.iter().map(|number| parts.files[*number]);
    let changed: Vec<String> = changed
        .filter(|file| file.changes > 0)
        .map(|file| clean::near(&file.path, &session.options.around))
        .collect();
    if !changed.is_empty() {
        let first = changed.iter().take(EXPECTED).cloned().collect::<Vec<_>>();
        let more = changed.len().saturating_sub(EXPECTED);
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        state.push(format!("changed: {}{more}", first.join(", ")));
    }
    let mut questions = vec![
        Question {
            question: "What are we doing?",
            expected: request,
        },
        Question {
            question: "What is done, and what is not?",
            expected: state,
        },
        Question {
            question: "Which boundaries must not be crossed?",
            expected: notes(&[Reason::Constraint, Reason::Correction]),
        },
    ];
    if session.options.redacts {
        let lines = questions
            .iter_mut()
            .flat_map(|question| &mut question.expected);
        for line in lines {
            *line = redact(line).text.into_owned();
        }
    }
    questions
}
