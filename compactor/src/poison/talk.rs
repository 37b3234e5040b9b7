//! What is said again and again, and what contradicts itself.

use std::collections::BTreeSet;
use std::io;
use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

use super::{Finding, Rule, Scene, Severity, answers};
use crate::loss::{constraints_in, own_words};
use crate::pipeline::short;
use crate::transcript::record::{Block, Content};
use crate::transcript::{Kind, Source};

/// So many turns in a row that begin alike are a loop.
const TURNS: usize = 3;

fn expression(text: &str) -> Option<Regex> {
    let mut builder = RegexBuilder::new(text);
    builder.case_insensitive(true).build().ok()
}

/// How an answer begins that says sorry, or agrees out of hand.
static SORRY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    expression(
        r"^\W{0,3}(?:(?:oh,? |yes,? |ah,? )?(?:i (?:sincerely |deeply |truly )?apologi[sz]e|i(?:'m| am) (?:so |very |really )?sorry|(?:my )?(?:sincere )?apologies|sorry|my mistake|you(?:'re| are) (?:absolutely|completely|totally|quite|so)? ?right|good catch)\b|抱歉|对不起|非常抱歉|很抱歉|我道歉|你说得对|您说得对|你是对的|您是对的|确实是我的(?:错|问题))",
    )
});
static FORBIDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    expression(
        r"\b(?:never|do not|don't|must not|mustn't|should not|shouldn't|avoid|no longer)\b|千万不要|绝对?不(?:要|能|许)|不(?:要|得|能|许|准)|禁止|别",
    )
});
static DEMANDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    expression(
        r"\b(?:always|must|make sure (?:to|you)|be sure to|please|should|only)\b|必须|务必|一定要|总是|始终",
    )
});

/// A rule of the user.
struct Demand {
    forbids: bool,
    words: BTreeSet<String>,
    sentence: String,
    record: usize,
    turn: usize,
}

pub(super) fn find<S: Source>(scene: &Scene<'_, S>) -> io::Result<Vec<Finding>> {
    let index = scene.index();
    let mut findings = Vec::new();
    let mut sorry: Vec<(usize, usize, String)> = Vec::new();
    let mut demands: Vec<Demand> = Vec::new();
    for turn in &scene.turns {
        let mut answer: Option<(usize, String)> = None;
        for record in turn.records.iter().copied() {
            let entry = &index.entries()[record];
            let has_text = index
                .pieces(entry)
                .iter()
                .any(|piece| index.is(piece.kind, "text"));
            let is_users = entry.kind == Kind::User && !entry.flags.meta && !entry.flags.summary;
            let is_answer = answers::is_sound(index, entry) && answer.is_none();
            if !has_text || !(is_users || is_answer) {
                continue;
            }
            for text in texts(scene.transcript.record(entry)?.content) {
                if is_users {
                    demand(&text, record, turn.number, &mut demands);
                } else if answer.is_none() {
                    answer = Some((record, text));
                }
            }
        }
        let Some((record, text)) = answer else {
            continue;
        };
        if SORRY.as_ref().is_some_and(|sorry| sorry.is_match(&text)) {
            sorry.push((record, turn.number, text));
        } else {
            findings.extend(apologies(scene, &std::mem::take(&mut sorry)));
        }
    }
    findings.extend(apologies(scene, &sorry));
    findings.extend(contradictions(scene, &demands));
    Ok(findings)
}

fn texts(content: Content) -> Vec<String> {
    match content {
        Content::Missing => Vec::new(),
        Content::Text(text) => vec![text],
        Content::Blocks(blocks) => {
            let texts = blocks.into_iter().filter_map(|block| match block {
                Block::Text(text) => Some(text),
                _ => None,
            });
            texts.collect()
        }
    }
}

fn apologies<S: Source>(scene: &Scene<'_, S>, sorry: &[(usize, usize, String)]) -> Option<Finding> {
    let ((record, turn, text), again) = sorry.split_first()?;
    if sorry.len() < TURNS {
        return None;
    }
    let evidence = format!(
        "{} answers in a row begin like this: {}",
        sorry.len(),
        short(text, 60)
    );
    let mut finding = scene.finding(
        Rule::ApologyLoop,
        Severity::Warning,
        *record,
        *turn,
        evidence,
    );
    finding.again = again
        .iter()
        .map(|(record, ..)| scene.line(*record))
        .collect();
    Some(finding)
}

/// Adds the rules in a text.
fn demand(text: &str, record: usize, turn: usize, demands: &mut Vec<Demand>) {
    for part in own_words(text) {
        for sentence in constraints_in(part) {
            let (Some(forbid), Some(ask)) = (FORBIDS.as_ref(), DEMANDS.as_ref()) else {
                return;
            };
            let forbids = forbid.is_match(sentence);
            if !forbids && !ask.is_match(sentence) {
                continue;
            }
            let bare = forbid.replace_all(sentence, " ");
            let bare = ask.replace_all(&bare, " ");
            demands.push(Demand {
                forbids,
                words: words(&bare),
                sentence: sentence.to_owned(),
                record,
                turn,
            });
        }
    }
}

/// The words of a sentence; of scripts without spaces its characters in pairs.
fn words(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        if word.is_ascii() {
            let word = word.to_ascii_lowercase();
            if !word.is_empty() && !matches!(&*word, "the" | "a" | "an" | "you" | "we" | "to") {
                words.insert(word);
            }
            continue;
        }
        let chars: Vec<char> = word.chars().collect();
        words.extend(chars.windows(2).map(|pair| pair.iter().collect::<String>()));
    }
    words
}

/// Rules of which one forbids just what another demands.
fn contradictions<S: Source>(scene: &Scene<'_, S>, demands: &[Demand]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, later) in demands.iter().enumerate() {
        let mut before = demands[..number].iter().rev().take(500);
        let other = before.find(|earlier| {
            earlier.forbids != later.forbids
                && earlier.words.len() >= 2
                && earlier.words == later.words
        });
        let Some(earlier) = other else { continue };
        let evidence = format!(
            "“{}” and, later, “{}”",
            short(&earlier.sentence, 80),
            short(&later.sentence, 80)
        );
        let severity = Severity::Warning;
        let (record, turn) = (earlier.record, earlier.turn);
        let mut finding = scene.finding(Rule::Contradiction, severity, record, turn, evidence);
        finding.again = vec![scene.line(later.record)];
        findings.push(finding);
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_compile() {
        for form in [&SORRY, &FORBIDS, &DEMANDS] {
            assert!(form.is_some());
        }
    }
}
