//! The forms in which people give rules, reasons and corrections, and claim success, in six
//! languages. The forms are data: one table for each purpose.
//!
//! One pass finds the words that a form needs; only then its expression is tried, on that
//! sentence alone.

pub(super) mod claims;
mod constraints;
mod corrections;
pub(super) mod reasons;

use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex::{Regex, RegexBuilder};
use serde::Serialize;

/// A language that the forms know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Language {
    /// English.
    #[serde(rename = "en")]
    English,
    /// Chinese.
    #[serde(rename = "zh")]
    Chinese,
    /// Japanese.
    #[serde(rename = "ja")]
    Japanese,
    /// German.
    #[serde(rename = "de")]
    German,
    /// French.
    #[serde(rename = "fr")]
    French,
    /// Spanish.
    #[serde(rename = "es")]
    Spanish,
}

/// What a form is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Purpose {
    /// It forbids or demands.
    Constraint,
    /// It gives a reason.
    Reason,
    /// It corrects what the other did.
    Correction,
    /// It claims that something was done or works.
    Claim,
}

/// One form.
#[derive(Debug)]
struct Form {
    purpose: Purpose,
    language: Language,
    /// Parts of words, in lower case, one of which each match holds.
    stems: &'static [&'static str],
    /// What is looked for. `@` stands for the start of a clause.
    find: &'static str,
    /// What makes it mean something else where the two overlap; empty for nothing.
    unless: &'static str,
}

/// Where a clause starts: at the start of the sentence, behind a comma or the like, behind a word
/// that joins clauses or asks.
const CLAUSE: &str = r#"(?:(?:^|[,;:(—–…/]|\s-+\s|\b(?:and|but|or|so|then|also|please|again|just|note|remember|from now on|und|oder|aber|bitte|also|et|mais|ou|donc|svp|merci de|y|e|pero|o|por favor)\s)[\s*_"'“(\[>¡¿-]{0,6})"#;

/// A form that a sentence takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) purpose: Purpose,
    pub(super) language: Language,
    /// The bytes of the sentence that take it.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Which forms a text may take: one bit for each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Candidates(u128);

impl Candidates {
    pub(super) const fn is_none(self) -> bool {
        self.0 == 0
    }

    pub(super) fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// All forms, ready to be looked for.
pub(super) struct Words {
    forms: Vec<&'static Form>,
    /// Each expression is made when it is first needed: together they take some milliseconds.
    expressions: Vec<OnceLock<Option<Expressions>>>,
    stems: Option<AhoCorasick>,
    /// For each stem the forms that need it.
    by_stem: Vec<Candidates>,
    /// The forms of each purpose.
    by_purpose: [Candidates; 4],
}

struct Expressions {
    find: Regex,
    unless: Option<Regex>,
}

static WORDS: LazyLock<Words> = LazyLock::new(Words::new);

/// All forms.
pub(super) fn words() -> &'static Words {
    &WORDS
}

impl Words {
    fn new() -> Self {
        let tables = [
            constraints::FORMS,
            reasons::FORMS,
            corrections::FORMS,
            claims::FORMS,
        ];
        let forms: Vec<&Form> = tables.into_iter().flatten().collect();
        let mut stems: Vec<&str> = Vec::new();
        let mut by_stem: Vec<Candidates> = Vec::new();
        let mut by_purpose = [Candidates::default(); 4];
        for (number, form) in forms.iter().enumerate() {
            by_purpose[form.purpose as usize].0 |= 1 << number;
            for stem in form.stems {
                let place = stems.iter().position(|known| known == stem);
                let place = place.unwrap_or_else(|| {
                    stems.push(stem);
                    by_stem.push(Candidates::default());
                    stems.len() - 1
                });
                by_stem[place].0 |= 1 << number;
            }
        }
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::DFA))
            .build(&stems);
        Self {
            expressions: forms.iter().map(|_| OnceLock::new()).collect(),
            forms,
            stems: automaton.ok(),
            by_stem,
            by_purpose,
        }
    }

    /// The places in a text where a form of these purposes may be, in order, and which form.
    pub(super) fn candidates(&self, text: &str, purposes: &[Purpose]) -> Vec<(usize, Candidates)> {
        let Some(stems) = &self.stems else {
            return Vec::new();
        };
        let mut wanted = Candidates::default();
        for purpose in purposes {
            wanted.add(self.by_purpose[*purpose as usize]);
        }
        let found = stems.find_overlapping_iter(text);
        let mut places: Vec<(usize, Candidates)> = found
            .map(|found| {
                let forms = self.by_stem[found.pattern().as_usize()];
                (found.start(), Candidates(forms.0 & wanted.0))
            })
            .filter(|(_, forms)| !forms.is_none())
            .collect();
        places.sort_unstable_by_key(|(place, _)| *place);
        places
    }

    /// The forms among `candidates` that a sentence takes, the first of each purpose and language.
    pub(super) fn find(&self, sentence: &str, candidates: Candidates) -> Vec<Found> {
        let mut found = Vec::new();
        for (number, form) in self.forms.iter().enumerate() {
            if candidates.0 & (1 << number) == 0 {
                continue;
            }
            let made = self.expressions[number].get_or_init(|| Expressions::of(form));
            let range = made.as_ref().and_then(|made| made.find_in(sentence));
            found.extend(range.map(|(start, end)| Found {
                purpose: form.purpose,
                language: form.language,
                start,
                end,
            }));
        }
        found
    }

    /// The forms of one purpose that a sentence takes.
    pub(super) fn of(&self, sentence: &str, purpose: Purpose) -> Vec<Found> {
        let mut candidates = Candidates::default();
        for (_, more) in self.candidates(sentence, &[purpose]) {
            candidates.add(more);
        }
        self.find(sentence, candidates)
    }
}

impl Expressions {
    /// None for a form whose expression cannot be read, which a test rules out.
    fn of(form: &Form) -> Option<Self> {
        let unless = match form.unless {
            "" => None,
            unless => Some(expression(unless)?),
        };
        Some(Self {
            find: expression(form.find)?,
            unless,
        })
    }

    /// The first place that takes the form and lies in none where it means something else.
    fn find_in(&self, sentence: &str) -> Option<(usize, usize)> {
        let others = self.unless.iter();
        let mut others = others
            .flat_map(|unless| unless.find_iter(sentence))
            .peekable();
        let mut found = self.find.find_iter(sentence);
        let found = found.find(|found| {
            while others
                .next_if(|other| other.end() <= found.start())
                .is_some()
            {}
            others
                .peek()
                .is_none_or(|other| other.start() >= found.end())
        })?;
        Some((found.start(), found.end()))
    }
}

fn expression(text: &str) -> Option<Regex> {
    let text = text.replace('@', CLAUSE);
    let text = text.replace('\'', "['’]");
    let made = RegexBuilder::new(&text).case_insensitive(true).build();
    made.ok()
}

/// Whether a sentence asks. A tag such as "ok?" asks only for assent.
pub(super) fn is_question(sentence: &str) -> bool {
    static TAG: LazyLock<Option<Regex>> = LazyLock::new(|| {
        expression(
            r"[,，、.]\s*(?:ok(?:ay)?|right|alright|please|understood|got it|yes|verstanden|bitte|klar|in ordnung|d'accord|compris|s'il (?:te|vous) pla[iî]t|vale|entendido|de acuerdo|por favor|好吗|好嗎|好吧|知道吗|知道嗎|明白吗|明白嗎|可以吗|可以嗎|行吗|いい(?:です)?ね|分かった|わかった|お願いします)\s*[?？]$",
        )
    });
    static ASKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        expression(
            r"^do (?:i|we|you|they|these|those|any)\b|^(?:must|should|shall|does|did|can|could|is|are|am|was|were|will|would|may|have|has) (?:i|we|you|it|the|this|that|they|there)\b|^(?:why|what|when|where|who|which|how|warum|wieso|weshalb|wer|wie|muss ich|soll ich|darf ich|pourquoi|comment|est-ce|qu'est-ce|faut-il|dois-je|por qué|qué|cómo|cuándo|debo)\b|(?:吗|嗎|呢|か|かな)[。.]?$|要不要|能不能|是不是|可不可以|为什么|為什麼|なぜ|どうして",
        )
    });
    let is =
        |made: &LazyLock<Option<Regex>>| made.as_ref().is_some_and(|made| made.is_match(sentence));
    if is(&TAG) {
        return false;
    }
    sentence.ends_with(['?', '？']) || is(&ASKS)
}

/// Whether a sentence is written with kana, so that its Chinese signs are Japanese.
pub(super) fn has_kana(sentence: &str) -> bool {
    sentence
        .chars()
        .any(|c| matches!(c, '\u{3040}'..='\u{30FF}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_can_be_looked_for() {
        let words = words();
        assert!(words.stems.is_some());
        assert!(words.forms.len() <= 128, "one bit for each form");
        for form in &words.forms {
            assert!(Expressions::of(form).is_some(), "{form:?}");
            assert!(!form.stems.is_empty(), "{form:?}");
        }
        assert!(is_question("Muss ich das tun?"));
    }
}
