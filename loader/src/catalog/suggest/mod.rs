//! Which skills a prompt may be about, by the words of their names and texts.
//!
//! TF-IDF: a word counts for more the fewer entries have it. No model and no network; the same
//! prompt and catalog give the same answer. Precision comes first: one word in common is never
//! enough but where it is most of a name, and what stays below [`THRESHOLD`] is not told.

mod words;

use rustc_hash::FxHashMap;

use super::{Catalog, Entry};
use words::words;

/// The most that are suggested.
pub const MOST: usize = 3;
/// The score from which on an entry is suggested, from 0 to 1.
pub const THRESHOLD: f64 = 0.30;
/// A word of a name counts as often.
const IN_NAME: f64 = 2.0;
/// What is less than this part of the best score is left out beside it.
const BESIDE: f64 = 0.55;
/// With no other word in common, a prompt must have this part of a name.
const NAMED: f64 = 0.6;
/// No more of a prompt is read, in bytes: what is longer is a paste.
const PROMPT: usize = 4_000;

/// A skill or command that a prompt may be about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Suggestion<'c> {
    /// It.
    pub entry: &'c Entry,
    /// How well it fits, from [`THRESHOLD`] to 1.
    pub score: f64,
}

impl Catalog {
    /// The skills and commands that a prompt may be about, the best first, at most [`MOST`]. Only
    /// those that the session lists: what is hidden, waits or may not be called is none. A prompt
    /// that is a slash command chose for itself.
    #[must_use]
    pub fn suggestions(&self, prompt: &str) -> Vec<Suggestion<'_>> {
        let prompt = prompt.trim();
        if prompt.starts_with('/') {
            return Vec::new();
        }
        let end = (0..=PROMPT.min(prompt.len()))
            .rev()
            .find(|end| prompt.is_char_boundary(*end));
        let asked = words(&prompt[..end.unwrap_or_default()]);
        if asked.is_empty() {
            return Vec::new();
        }
        let texts: Vec<Text> = self.entries.iter().map(Text::of).collect();
        let rarity = Rarity::of(&texts);
        let mut found: Vec<Suggestion<'_>> = (self.entries.iter().zip(&texts))
            .filter_map(|(entry, text)| {
                let score = text.score(&asked, &rarity);
                (score >= THRESHOLD).then_some(Suggestion { entry, score })
            })
            .collect();
        // Equal scores are told by name, so that the order is always the same.
        found.sort_by(|a, b| {
            let by_score = b.score.total_cmp(&a.score);
            by_score.then_with(|| a.entry.name.cmp(&b.entry.name))
        });
        let best = found.first().map_or(0.0, |best| best.score);
        found.retain(|other| other.score >= BESIDE * best);
        found.truncate(MOST);
        found
    }
}

/// The words of an entry with their weights.
struct Text {
    weights: FxHashMap<String, f64>,
    name: Vec<String>,
}

impl Text {
    fn of(entry: &Entry) -> Self {
        let said = entry.text.as_ref().or(entry.dropped.as_ref());
        let mut weights: FxHashMap<String, f64> = FxHashMap::default();
        for (word, times) in words(said.map_or("", |text| text)) {
            weights.insert(word, 1.0 + f64::from(times).ln());
        }
        let name: Vec<String> = words(&entry.name).into_keys().collect();
        for word in &name {
            *weights.entry(word.clone()).or_default() += IN_NAME;
        }
        Self { weights, name }
    }

    /// How much of a prompt the entry is about: the cosine of both, with the prompt's length
    /// damped, since a long prompt may be about one thing too.
    fn score(&self, asked: &FxHashMap<String, u32>, rarity: &Rarity) -> f64 {
        let (mut both, mut length) = (0.0, 0.0);
        let (mut shared, mut named) = (0.0, 0.0);
        // Sums of floats depend on their order.
        let mut asked: Vec<&String> = asked.keys().collect();
        asked.sort_unstable();
        for word in asked {
            let rare = rarity.of_word(word);
            length += rare * rare;
            if let Some(weight) = self.weights.get(word) {
                both += rare * rare * weight;
                shared += if words::is_usual(word) { 0.5 } else { 1.0 };
                if self.name.contains(word) {
                    named += rare;
                }
            }
        }
        let name: f64 = self.name.iter().map(|word| rarity.of_word(word)).sum();
        let is_told = shared >= 2.0 || named >= rarity.alone && named >= NAMED * name;
        if !is_told || both <= 0.0 {
            return 0.0;
        }
        let mut weights: Vec<(&String, &f64)> = self.weights.iter().collect();
        weights.sort_unstable_by_key(|(word, _)| *word);
        let own: f64 = weights
            .iter()
            .map(|(word, weight)| (rarity.of_word(word) * *weight).powi(2))
            .sum();
        (both / (own.sqrt() * length.powf(0.35) * rarity.most.powf(0.3))).min(1.0)
    }
}

/// How rare each word is among the entries.
struct Rarity {
    entries: f64,
    having: FxHashMap<String, f64>,
    /// The rarity of a word that no entry has.
    most: f64,
    /// From here on the words of a name say enough.
    alone: f64,
}

impl Rarity {
    fn of(texts: &[Text]) -> Self {
        let mut having: FxHashMap<String, f64> = FxHashMap::default();
        for word in texts.iter().flat_map(|text| text.weights.keys()) {
            *having.entry(word.clone()).or_default() += 1.0;
        }
        let mut rarity = Self {
            // A handful of entries tells little about words, so some more count as without any.
            entries: texts.len() as f64 + 20.0,
            having,
            most: 0.0,
            alone: 0.0,
        };
        rarity.most = rarity.entries.ln_1p();
        rarity.alone = 0.6 * rarity.most;
        rarity
    }

    fn of_word(&self, word: &str) -> f64 {
        let having = self.having.get(word).copied().unwrap_or(0.0);
        let rare = (self.entries / (having + 0.5)).ln_1p();
        match words::is_usual(word) {
            true => 0.4 * rare,
            false => rare,
        }
    }
}
