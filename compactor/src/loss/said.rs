//! What was said: rules, decisions with their reasons, corrections.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};
use rustc_hash::FxHashSet;
use serde::Serialize;

use super::finding::{Finding, Findings, Part, State};
use super::talk::{Passage, Voice};
use super::words::{self, Candidates, Found, Language, Purpose, reasons};
use super::{Compared, prose, terms};

/// A sentence in which the user forbids or demands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Constraint {
    /// The sentence.
    pub text: String,
    /// In which language.
    pub language: Language,
    /// Of one that is kept in part: whether the passage that is left still forbids or demands.
    /// Weaker words make a weaker rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub still_demands: Option<bool>,
}

/// A sentence that decides, with its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Decision {
    /// The sentence.
    pub text: String,
    /// In which language.
    pub language: Language,
    /// What was decided.
    pub choice: String,
    /// Why.
    pub reason: String,
    /// Whether the choice is left, by words of its own.
    pub choice_survives: bool,
    /// Whether the reason is.
    pub reason_survives: bool,
}

/// How the user stepped in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CorrectionKind {
    /// They said that something was wrong.
    Said,
    /// They stopped an answer or a call, and then said this (fact I39).
    Interrupted,
}

/// A correction by the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Correction {
    /// What they said, with the sentence behind a mere "no".
    pub text: String,
    /// How they stepped in.
    pub kind: CorrectionKind,
    /// In which language; none where the words show none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
}

/// What was said before the compaction.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) constraints: Findings<Constraint>,
    pub(super) decisions: Findings<Decision>,
    pub(super) corrections: Findings<Correction>,
}

/// A sentence that takes some form.
pub(super) struct Sentence<'t> {
    pub(super) text: &'t str,
    /// The forms that it takes. Their places are those in `text`.
    pub(super) found: Vec<Found>,
    /// Its number among the sentences of its passage.
    pub(super) number: usize,
}

/// The sentences of a passage that take a form of these purposes, and what follows the last one.
pub(super) fn sentences<'t>(text: &'t str, purposes: &[Purpose]) -> Vec<Sentence<'t>> {
    let words = words::words();
    let places = words.candidates(text, purposes);
    if places.is_empty() {
        return Vec::new();
    }
    let mut places = places.into_iter().peekable();
    let mut taken = Vec::new();
    for (number, range) in prose::sentences(text).into_iter().enumerate() {
        let mut candidates = Candidates::default();
        while let Some((_, more)) = places.next_if(|(place, _)| *place < range.end) {
            candidates.add(more);
        }
        // What lay before the sentence is no part of it, but its form is then not found either.
        if candidates.is_none() {
            continue;
        }
        let sentence = &text[range];
        let said = prose::without_quotations(sentence);
        let mut found = words.find(&said, candidates);
        let is_japanese = words::has_kana(sentence);
        found.retain(|found| match found.language {
            Language::Chinese => !is_japanese,
            Language::Japanese => is_japanese || found.purpose != Purpose::Reason,
            _ => true,
        });
        if !found.is_empty() && !words::is_question(&said) {
            taken.push(Sentence {
                text: sentence,
                found,
                number,
            });
        }
    }
    taken
}

/// The sentences of a text that forbid or demand, in order.
#[must_use]
pub fn constraints_in(text: &str) -> Vec<&str> {
    let found = sentences(text, &[Purpose::Constraint]);
    found.into_iter().map(|sentence| sentence.text).collect()
}

/// The sentences of a text that decide and say why, in order.
#[must_use]
pub fn decisions_in(text: &str) -> Vec<&str> {
    let found = sentences(text, &[Purpose::Reason]).into_iter();
    let decides = found.filter(|sentence| parts(sentence.text, sentence.found[0]).is_some());
    decides.map(|sentence| sentence.text).collect()
}

/// The sentences of a text that correct what was done before it, in order.
#[must_use]
pub(crate) fn corrections_in(text: &str) -> Vec<&str> {
    let found = sentences(text, &[Purpose::Correction]);
    let corrects = found
        .iter()
        .filter(|sentence| is_correction(sentence, sentence.found[0]));
    corrects
        .map(|sentence| with_next(text, sentence.text))
        .collect()
}

pub(super) fn of(compared: &Compared<'_>) -> Said {
    let (mut constraints, mut decisions, mut corrections) = (Vec::new(), Vec::new(), Vec::new());
    let mut seen = FxHashSet::default();
    let mut has_answer = false;
    let mut stopped = false;
    let mut corrected = None;
    for passage in &compared.before.passages {
        let purposes: &[Purpose] = match passage.voice {
            Voice::User if has_answer => {
                &[Purpose::Constraint, Purpose::Reason, Purpose::Correction]
            }
            Voice::User => &[Purpose::Constraint, Purpose::Reason],
            Voice::Assistant => &[Purpose::Reason],
            Voice::Interrupt => {
                stopped = true;
                continue;
            }
            _ => continue,
        };
        has_answer |= passage.voice == Voice::Assistant;
        stopped &= passage.voice == Voice::User;
        if std::mem::take(&mut stopped)
            && let Some(text) = beginning(&passage.text)
        {
            corrected = Some(passage.spot);
            corrections.push(correction(
                compared,
                passage,
                text,
                CorrectionKind::Interrupted,
                None,
            ));
        }
        for sentence in sentences(&passage.text, purposes) {
            let first = |purpose| {
                let mut found = sentence.found.iter();
                found.find(|found| found.purpose == purpose).copied()
            };
            if let Some(found) = first(Purpose::Constraint)
                && seen.insert((Purpose::Constraint, sentence.text))
            {
                constraints.push(constraint(compared, passage, sentence.text, found.language));
            }
            if let Some(found) = first(Purpose::Reason)
                && seen.insert((Purpose::Reason, sentence.text))
            {
                decisions.extend(decision(compared, passage, sentence.text, found));
            }
            if let Some(found) = first(Purpose::Correction)
                && corrected != Some(passage.spot)
                && is_correction(&sentence, found)
            {
                corrected = Some(passage.spot);
                let text = with_next(&passage.text, sentence.text);
                let kind = CorrectionKind::Said;
                corrections.push(correction(
                    compared,
                    passage,
                    text,
                    kind,
                    Some(found.language),
                ));
            }
        }
    }
    Said {
        constraints: constraints.into_iter().collect(),
        decisions: decisions.into_iter().collect(),
        corrections: corrections.into_iter().collect(),
    }
}

fn constraint(
    compared: &Compared<'_>,
    passage: &Passage<'_>,
    text: &str,
    language: Language,
) -> Finding<Constraint> {
    let state = compared.after.state(text);
    let still_demands = match &state {
        State::Part(part) => Some(
            !words::words()
                .of(&part.passage, Purpose::Constraint)
                .is_empty(),
        ),
        _ => None,
    };
    Finding {
        what: Constraint {
            text: text.to_owned(),
            language,
            still_demands,
        },
        place: compared.place(passage.spot),
        state,
    }
}

/// The words of a decision, whatever the language.
static DECIDES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let made = RegexBuilder::new(reasons::DECIDES)
        .case_insensitive(true)
        .build();
    made.ok()
});

/// The choice and the reason of a sentence; none where it explains how something is, or where its
/// reason stands in another one.
fn parts(text: &str, found: Found) -> Option<(&str, &str)> {
    let (choice, reason) = split(text, found)?;
    let decides = DECIDES.as_ref().is_some_and(|made| made.is_match(choice));
    decides.then_some((choice, reason))
}

fn decision(
    compared: &Compared<'_>,
    passage: &Passage<'_>,
    text: &str,
    found: Found,
) -> Option<Finding<Decision>> {
    let (choice, reason) = parts(text, found)?;
    let after = &compared.after;
    let (of_choice, of_reason) = (after.state(choice), after.state(reason));
    let state = match after.state(text) {
        State::Lost => halves((choice, &of_choice), (reason, &of_reason)),
        state => state,
    };
    let is_kept = matches!(state, State::Kept { .. });
    let choice_survives = is_kept || of_choice != State::Lost;
    let reason_survives = is_kept || of_reason != State::Lost;
    Some(Finding {
        what: Decision {
            text: text.to_owned(),
            language: found.language,
            choice: choice.to_owned(),
            reason: reason.to_owned(),
            choice_survives,
            reason_survives,
        },
        place: compared.place(passage.spot),
        state,
    })
}

/// What is left of a sentence of which one half may be.
fn halves(choice: (&str, &State), reason: (&str, &State)) -> State {
    for ((half, state), (other, _)) in [(choice, reason), (reason, choice)] {
        match state {
            State::Kept { found } => {
                return State::Part(Part {
                    found: found.clone(),
                    passage: half.to_owned(),
                    survives: vec![half.to_owned()],
                    missing: vec![other.to_owned()],
                });
            }
            State::Part(part) => {
                let mut part = part.clone();
                part.missing.push(other.to_owned());
                return State::Part(part);
            }
            State::Lost => {}
        }
    }
    State::Lost
}

/// What is decided and why. The reason stands behind the word that gives it; where that word opens
/// the sentence, or closes a clause as in Japanese, the choice stands behind the next comma.
fn split(text: &str, found: Found) -> Option<(&str, &str)> {
    const COMMAS: [char; 3] = [',', '，', '、'];
    let (start, end) = (
        terms::floor(text, found.start),
        terms::ceil(text, found.end),
    );
    let trim = |part: &'_ str| -> (usize, usize) {
        let is_edge = |c: char| {
            c.is_whitespace()
                || COMMAS.contains(&c)
                || matches!(c, '.' | '。' | ':' | '：' | '—' | '-' | ';')
        };
        let left = part.len() - part.trim_start_matches(is_edge).len();
        (left, part.trim_end_matches(is_edge).len())
    };
    let cut = |from: usize, to: usize| {
        let part = text.get(from..to)?;
        let (left, right) = trim(part);
        (left < right).then(|| &part[left..right])
    };
    if found.language == Language::Japanese && !text[start..].starts_with(['理', 'な'])
        || is_result(&text[start..end])
    {
        return Some((cut(end, text.len())?, cut(0, end)?));
    }
    if let Some(choice) = cut(0, start) {
        return Some((choice, cut(start, text.len())?));
    }
    let comma = end + text[end..].find(COMMAS)?;
    Some((cut(comma, text.len())?, cut(0, comma)?))
}

/// Whether what follows the word is what comes of the reason.
fn is_result(word: &str) -> bool {
    matches!(word, "所以" | "因此")
}

/// Whether a sentence corrects: forms at a start count in the first sentences of a message only.
fn is_correction(sentence: &Sentence<'_>, found: Found) -> bool {
    sentence.number < 2 || found.start > 0
}

/// The longest text of a correction, in bytes.
const CORRECTION: usize = 400;

/// A sentence, with the next one where it is too short to say what to do.
fn with_next<'t>(text: &'t str, sentence: &'t str) -> &'t str {
    let words = sentence.split_whitespace().count();
    if words > 3 || sentence.chars().count() > 24 {
        return sentence;
    }
    let start = sentence.as_ptr() as usize - text.as_ptr() as usize;
    let next = prose::sentences(text)
        .into_iter()
        .find(|range| range.start > start);
    next.filter(|next| next.end - start <= CORRECTION)
        .map_or(sentence, |next| &text[start..next.end])
}

/// The first sentences of a text.
fn beginning(text: &str) -> Option<&str> {
    let sentences = prose::sentences(text);
    let first = sentences.first()?;
    let fits = |range: &&std::ops::Range<usize>| range.end - first.start <= CORRECTION;
    let last = sentences.iter().take(2).take_while(fits).last();
    Some(&text[first.start..last.unwrap_or(first).end])
}

fn correction(
    compared: &Compared<'_>,
    passage: &Passage<'_>,
    text: &str,
    kind: CorrectionKind,
    language: Option<Language>,
) -> Finding<Correction> {
    Finding {
        what: Correction {
            text: text.to_owned(),
            kind,
            language,
        },
        place: compared.place(passage.spot),
        state: compared.after.state(text),
    }
}
