//! What of a session must hold on: rules, corrections, who the user is, promises, decisions, how far
//! the task is. Sentences, word for word.

use rustc_hash::FxHashMap;

use super::forms;
use super::said::{Said, Text, Voice};
use super::verdict::Reason;
use crate::loss::{constraints_in, corrections_in, decisions_in, sentence_ranges};

/// The longest sentence that is taken, in bytes: what is longer is hardly one.
const SENTENCE: usize = 600;

/// A sentence that is to be carried over.
#[derive(Debug, Clone)]
pub(super) struct Note {
    pub(super) reason: Reason,
    pub(super) sentence: String,
    pub(super) record: usize,
    pub(super) turn: usize,
    /// The user's words, not the model's.
    pub(super) is_users: bool,
}

/// The notes of a session in its order; of a sentence that is said again, the last.
pub(super) fn find(said: &Said) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    let mut has_answer = false;
    for text in &said.texts {
        match text.voice {
            Voice::User => of_user(text, has_answer, &mut notes),
            Voice::Assistant => {
                has_answer = true;
                of_model(text, &mut notes);
            }
            Voice::Summary => {}
        }
    }
    let mut last: FxHashMap<String, usize> = FxHashMap::default();
    for (number, note) in notes.iter().enumerate() {
        last.insert(note.sentence.clone(), number);
    }
    let mut number = 0;
    notes.retain(|note| {
        number += 1;
        last.get(&note.sentence) == Some(&(number - 1))
    });
    notes
}

fn push(text: &Text, sentence: &str, reason: Reason, notes: &mut Vec<Note>) {
    let sentence = sentence.trim();
    let is_known = |note: &Note| note.record == text.record && note.sentence == sentence;
    if sentence.is_empty() || sentence.len() > SENTENCE || notes.iter().rev().take(64).any(is_known)
    {
        return;
    }
    notes.push(Note {
        reason,
        sentence: sentence.to_owned(),
        record: text.record,
        turn: text.turn,
        is_users: text.voice == Voice::User,
    });
}

fn of_user(text: &Text, has_answer: bool, notes: &mut Vec<Note>) {
    for sentence in constraints_in(&text.text) {
        push(text, sentence, Reason::Constraint, notes);
    }
    if has_answer {
        for sentence in corrections_in(&text.text) {
            push(text, sentence, Reason::Correction, notes);
        }
    }
    for sentence in decisions_in(&text.text) {
        push(text, sentence, Reason::Decision, notes);
    }
    for range in sentence_ranges(&text.text) {
        let sentence = &text.text[range];
        if let Some(reason) = forms::of_user(sentence) {
            push(text, sentence, reason, notes);
        }
    }
}

fn of_model(text: &Text, notes: &mut Vec<Note>) {
    for sentence in decisions_in(&text.text) {
        push(text, sentence, Reason::Decision, notes);
    }
    // What was promised holds; how far a task was before a boundary does not.
    if text.is_earlier && !forms::may_promise(&text.text) {
        return;
    }
    for range in sentence_ranges(&text.text) {
        let sentence = &text.text[range];
        match forms::of_model(sentence) {
            Some(Reason::Checkpoint) if text.is_earlier => {}
            Some(reason) => push(text, sentence, reason, notes),
            None => {}
        }
    }
}

/// The sentences of a summary that must hold on, where the whole has no room, in order.
pub(super) fn of_summary(text: &str) -> Vec<&str> {
    let (rules, decisions) = (constraints_in(text), decisions_in(text));
    let ranges = sentence_ranges(text).into_iter();
    let sentences = ranges.map(|range| &text[range]);
    let holds = |sentence: &&str| {
        let same = |other: &&str| std::ptr::eq(other.as_ptr(), sentence.as_ptr());
        rules.iter().any(same)
            || decisions.iter().any(same)
            || forms::of_model(sentence).is_some()
            || forms::of_user(sentence).is_some()
    };
    sentences.filter(holds).collect()
}
