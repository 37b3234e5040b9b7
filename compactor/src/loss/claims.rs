//! Claims of the model, and the results that support them.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::Compared;
use super::finding::{Finding, Place, State};
use super::lessons;
use super::said::{self, Sentence};
use super::talk::{Answer, Call, Passage, Talk, Voice};
use super::terms;
use super::words::claims::HEDGES;
use super::words::{Language, Purpose};
use crate::expression::{Form, is};

/// Why nothing supports a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doubt {
    /// Its evidence came from a call that the user stopped or refused (fact I39).
    Interrupted,
    /// Its evidence came from a call that failed, or whose output tells of failures.
    Failed,
    /// Its evidence is gone.
    Dropped,
    /// Of its evidence only a stub is left.
    Cleared,
    /// No call came before it.
    NoCall,
}

/// A claim that something was done or works.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// The sentence.
    pub text: String,
    /// In which language.
    pub language: Language,
    /// Why nothing supports it.
    pub why: Doubt,
    /// The tool whose answer is its evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The command or file of that call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Where the answer stood.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Place>,
}

fn expression(text: &str) -> Option<Regex> {
    RegexBuilder::new(text)
        .case_insensitive(true)
        .multi_line(true)
        .build()
        .ok()
}

static HEDGED: Form = LazyLock::new(|| expression(&HEDGES.replace('\'', "['’]")));
/// Claims about what a check says.
static ON_CHECKS: Form = LazyLock::new(|| {
    expression(
        r"\b(?:tests?|checks?|specs?|suites?|builds?|lints?|ci|pass|compil|typecheck|pruebas)|[测測][试試]|[编編][译譯]|通[过過]|テスト|ビルド",
    )
});
/// Commands that check something.
static CHECKS: Form = LazyLock::new(|| {
    expression(
        r"\b(?:tests?|check|build|lint|tsc|pytest|jest|vitest|mocha|rspec|phpunit|clippy|mypy|ruff|eslint|make|ctest|tox|gradle|mvn|vet|verify|ci)\b",
    )
});
/// Outputs that tell of failures although the command itself ended well.
static TELLS_FAILURE: Form = LazyLock::new(|| {
    expression(
        r"\b[1-9][0-9]* (?:failed|failing|failures?)\b|^test result: FAILED|^(?:FAIL|FAILED)\b|^npm ERR!",
    )
});

pub(super) fn of(compared: &Compared<'_>) -> Vec<Finding<Claim>> {
    let talk = compared.before;
    let left: FxHashMap<&str, &Answer<'_>> = compared
        .left
        .calls
        .iter()
        .filter_map(|call| Some((call.id, call.result.as_ref()?)))
        .collect();
    let mut answered = Answered::of(talk);
    let mut claims = Vec::new();
    for passage in &talk.passages {
        if passage.voice != Voice::Assistant {
            continue;
        }
        let sentences = said::sentences(&passage.text, &[Purpose::Claim]);
        for sentence in sentences.iter().filter(|sentence| !is_hedged(sentence)) {
            answered.advance(talk, passage.spot);
            claims.extend(judge(compared, passage, sentence, &answered, &left));
        }
    }
    let rank = |claim: &Finding<Claim>| match claim.state {
        State::Kept { .. } => 0,
        State::Part(_) => 1,
        State::Lost => 2,
    };
    claims.sort_by_key(rank);
    claims
}

/// Whether a word before the claim, in its clause, makes it a wish or a condition.
fn is_hedged(sentence: &Sentence<'_>) -> bool {
    let text = sentence.text;
    let is_hedged = |start: usize, end: usize| {
        let (start, end) = (terms::floor(text, start), terms::ceil(text, end));
        let clause = text[..start]
            .rfind([',', ';', ':', '，', '；', '、'])
            .map_or(0, |at| terms::ceil(text, at + 1));
        let clause = &text[clause..end];
        let Some(hedged) = HEDGED.as_ref() else {
            return false;
        };
        // Words such as "no" belong to some claims: "no errors".
        let own = end - start;
        hedged
            .find_iter(clause)
            .any(|hedge| hedge.start() + own < clause.len() || hedge.start() > clause.len() - own)
    };
    sentence
        .found
        .iter()
        .all(|found| is_hedged(found.start, found.end))
}

/// The calls that were answered up to some place.
struct Answered {
    /// Calls by the place of their answer.
    calls: Vec<usize>,
    next: usize,
    /// The last call, the last check and the last change so far.
    last: Option<usize>,
    check: Option<usize>,
    change: Option<usize>,
}

impl Answered {
    fn of(talk: &Talk<'_>) -> Self {
        let mut calls: Vec<usize> = (0..talk.calls.len())
            .filter(|call| talk.calls[*call].result.is_some())
            .collect();
        calls.sort_by_key(|call| talk.calls[*call].result.as_ref().map(|answer| answer.spot));
        Self {
            calls,
            next: 0,
            last: None,
            check: None,
            change: None,
        }
    }

    fn advance(&mut self, talk: &Talk<'_>, spot: usize) {
        while let Some(call) = self.calls.get(self.next).copied()
            && talk.calls[call]
                .result
                .as_ref()
                .is_some_and(|answer| answer.spot < spot)
        {
            self.next += 1;
            self.last = Some(call);
            let made = &talk.calls[call];
            if is_check(talk, made) {
                self.check = Some(call);
            }
            if super::files::tool(made.tool).is_some_and(|(_, action)| action.changes()) {
                self.change = Some(call);
            }
        }
    }

    /// The call whose answer supports a claim: of a claim on checks the last check, of another one
    /// the last check or change of its turn, else the last call.
    fn evidence(&self, talk: &Talk<'_>, text: &str, turn: u32) -> Option<usize> {
        let in_turn = |call: &usize| talk.spots[talk.calls[*call].spot].turn == turn;
        if is(&ON_CHECKS, text) {
            return self.check.or(self.last);
        }
        let check = self.check.filter(in_turn);
        check.or(self.change.filter(in_turn)).or(self.last)
    }
}

fn is_check(talk: &Talk<'_>, call: &Call<'_>) -> bool {
    call.tool == "Bash"
        && talk
            .input(call, "command")
            .is_some_and(|command| is(&CHECKS, command))
}

/// None for a claim whose evidence is sound and left.
fn judge(
    compared: &Compared<'_>,
    passage: &Passage<'_>,
    sentence: &Sentence<'_>,
    answered: &Answered,
    left: &FxHashMap<&str, &Answer<'_>>,
) -> Option<Finding<Claim>> {
    let talk = compared.before;
    let turn = talk.spots[passage.spot].turn;
    let call = answered.evidence(talk, sentence.text, turn);
    let call = call.map(|call| &talk.calls[call]);
    let answer = call.and_then(|call| call.result.as_ref());
    let why = match (call, answer) {
        (Some(call), Some(answer)) => {
            let tells_failure = is_check(talk, call) && is(&TELLS_FAILURE, &answer.text);
            match left.get(call.id) {
                _ if answer.is_interrupted => Doubt::Interrupted,
                _ if answer.failed() || tells_failure => Doubt::Failed,
                None => Doubt::Dropped,
                Some(left) if left.text != answer.text => Doubt::Cleared,
                Some(_) => return None,
            }
        }
        _ => Doubt::NoCall,
    };
    Some(Finding {
        what: Claim {
            text: sentence.text.to_owned(),
            language: sentence.found[0].language,
            why,
            tool: call.map(|call| call.tool.to_owned()),
            target: call
                .and_then(|call| lessons::target(talk, call))
                .map(str::to_owned),
            evidence: answer.map(|answer| compared.place(answer.spot)),
        },
        place: compared.place(passage.spot),
        state: compared.after.state(sentence.text),
    })
}
