//! Which model a session uses, and what the name of a model decides of its request.

use serde::Serialize;

use crate::client::{Behaviour, Compacted, Counting, WIDE_LINE};
use crate::session::{Session, is_true};
use crate::settings::Place;

/// Who chose the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum ModelChoice {
    /// `--model`.
    Flag,
    /// `ANTHROPIC_MODEL`.
    Variable {
        /// The settings that set it; else it is of the process.
        place: Option<Place>,
    },
    /// `model` of the settings.
    Setting {
        /// Where.
        place: Place,
    },
    /// Nobody.
    Default,
}

/// The model of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Model {
    /// What was chosen, as written; `default` where nothing was.
    pub written: String,
    /// Who chose it: `--model`, then `ANTHROPIC_MODEL`, then the settings (fact 57).
    pub choice: ModelChoice,
    /// What follows from it.
    pub facts: ModelFacts,
}

/// The two generations of models between which the client tells its prompt's size and its list
/// of skills apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Generation {
    /// Named ones: `claude-3-…` and of 4 those up to opus-4-6, sonnet-4-6 and haiku-4-5.
    Older,
    /// All others, unknown names too.
    Newer,
}

/// What the name of a model decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ModelFacts {
    /// The name that is sent.
    pub name: String,
    /// Its generation.
    pub generation: Generation,
    /// Its window, in tokens.
    pub window: u32,
    /// The characters that the budget of the list of skills takes a token for (fact C1.21), and
    /// the trigger of compaction too (fact C4.6).
    pub listing_characters_per_token: u32,
    /// What the client keeps free of the window for the answer, in tokens: the model's longest
    /// answer, but no more than 20,000 (fact C section 0).
    #[serde(skip)]
    pub reserve: u32,
    /// Whether the client compacts a session with it before the window is full (fact C4.8).
    #[serde(skip)]
    pub compacts: bool,
}

impl ModelFacts {
    /// What a model's full name means, be it with the suffix `[1m]` or without, for a client that
    /// knows the wide window or, by `CLAUDE_CODE_DISABLE_1M_CONTEXT`, does not. Aliases are
    /// names as any: see [`Session::model_facts`].
    #[must_use]
    pub fn of(behaviour: &Behaviour, name: &str, is_narrow: bool) -> Self {
        let (name, asks_wide) = without_suffix(name);
        facts(behaviour, name, asks_wide, is_narrow)
    }

    /// The budget of the list of skills in characters: 1 % of the window (fact C1.21).
    #[must_use]
    pub const fn listing_budget(&self) -> u32 {
        self.window / 100 * self.listing_characters_per_token
    }
}

/// The suffix that asks for the wide window; the client does not send it.
const WIDE: &str = "[1m]";

impl Session<'_> {
    /// The model that the main loop uses.
    #[must_use]
    pub fn model(&self) -> Model {
        let origin = self.origin();
        let variable = origin.env.get("ANTHROPIC_MODEL");
        let variable = variable.filter(|name| !name.is_empty());
        let (written, choice) = if let Some(name) = &origin.flags.model {
            (name.as_str(), ModelChoice::Flag)
        } else if let Some(name) = variable {
            let set = self.settings().env.get("ANTHROPIC_MODEL");
            let place = set.map(|set| set.place.clone());
            (name.as_str(), ModelChoice::Variable { place })
        } else if let Some(set) = self.settings().text("model") {
            (set.value, ModelChoice::Setting { place: set.place })
        } else {
            ("default", ModelChoice::Default)
        };
        Model {
            written: written.to_owned(),
            choice,
            facts: self.model_facts(written),
        }
    }

    /// What a model's name or alias means in this session: aliases follow the client's version
    /// and `ANTHROPIC_DEFAULT_OPUS_MODEL` and the like (fact 58).
    #[must_use]
    pub fn model_facts(&self, written: &str) -> ModelFacts {
        let origin = self.origin();
        let (name, asks_wide) = without_suffix(written);
        let alias = name.to_ascii_lowercase();
        let models = &origin.client.behaviour.models;
        let plans = origin.flags.permission_mode.as_deref() == Some("plan");
        let (line, default) = match alias.as_str() {
            "default" | "best" | "opus" => ("OPUS", models.opus),
            "opusplan" if plans => ("OPUS", models.opus),
            "sonnet" | "opusplan" => ("SONNET", models.sonnet),
            "haiku" => ("HAIKU", models.haiku),
            "fable" => ("FABLE", models.fable),
            _ if is_retired(&alias) => ("OPUS", models.opus),
            _ => ("", name),
        };
        let variable = format!("ANTHROPIC_DEFAULT_{line}_MODEL");
        let replaced = origin.env.get(&variable).filter(|name| !name.is_empty());
        let (name, is_wide) = without_suffix(replaced.map_or(default, String::as_str));
        let is_wide = asks_wide || is_wide || (alias == "default" && models.default_is_wide);
        let narrow = origin.env.get("CLAUDE_CODE_DISABLE_1M_CONTEXT");
        let narrow = narrow.is_some_and(|value| is_true(value));
        facts(&origin.client.behaviour, name, is_wide, narrow)
    }
}

fn facts(behaviour: &Behaviour, name: &str, asks_wide: bool, narrow: bool) -> ModelFacts {
    let generation = generation(name);
    let is_newer = generation == Generation::Newer;
    let newer_are_wide = if is_line(name) {
        behaviour.models.newer_are_wide
    } else {
        behaviour.models.unknown_are_wide
    };
    let is_wide = asks_wide || (is_newer && newer_are_wide);
    let is_wide = is_wide && !narrow;
    ModelFacts {
        name: name.to_owned(),
        generation,
        window: if is_wide { 1_000_000 } else { 200_000 },
        listing_characters_per_token: if is_newer { 3 } else { 4 },
        reserve: reserve(name),
        compacts: if is_newer {
            is_compacted(&behaviour.counting, name, is_wide)
        } else {
            !is_wide && names(name, &["claude-opus-4-6", "claude-sonnet-4-6"])
        },
    }
}

/// Whether a newer model is compacted before its window is full (fact C4.8).
fn is_compacted(counting: &Counting, name: &str, is_wide: bool) -> bool {
    let in_time = match counting.compacted {
        Compacted::Lines(lines) => names(name, lines),
        Compacted::AllBut(lines) => !names(name, lines),
    };
    let as_wide = counting.wide_are_compacted || names(name, &[WIDE_LINE]);
    in_time && (as_wide || !is_wide)
}

/// Only the oldest models give answers shorter than the client keeps free in any case.
fn reserve(name: &str) -> u32 {
    if names(name, &["claude-3-5-", "claude-3-sonnet"]) {
        8_192
    } else if names(name, &["claude-3-opus", "claude-3-haiku"]) {
        4_096
    } else {
        20_000
    }
}

/// Whether a name holds one of these, whatever stands around it.
fn names(name: &str, lines: &[&str]) -> bool {
    let name = name.to_ascii_lowercase();
    lines.iter().any(|line| name.contains(line))
}

fn without_suffix(name: &str) -> (&str, bool) {
    let at = name.len().saturating_sub(WIDE.len());
    match name.split_at_checked(at) {
        Some((name, suffix)) if suffix.eq_ignore_ascii_case(WIDE) => (name, true),
        _ => (name, false),
    }
}

/// The generation of a name; a provider's prefix and a date change nothing (fact 59).
#[must_use]
pub fn generation(name: &str) -> Generation {
    let name = name.to_ascii_lowercase();
    let lines = [
        ("claude-opus-4", ["0", "1", "5", "6"].as_slice()),
        ("claude-sonnet-4", &["0", "5", "6"]),
        ("claude-haiku-4", &["5"]),
    ];
    let is_older = name.contains("claude-3-")
        || lines.iter().any(|(line, minors)| {
            let Some((_, rest)) = name.split_once(line) else {
                return false;
            };
            let minor: String = rest
                .chars()
                .skip(1)
                .take_while(char::is_ascii_digit)
                .collect();
            rest.is_empty() || minor.len() > 2 || minors.contains(&minor.as_str())
        });
    if is_older {
        Generation::Older
    } else {
        Generation::Newer
    }
}

/// Whether a name is of a known line of models.
fn is_line(name: &str) -> bool {
    let lines = [
        "claude-opus-",
        "claude-sonnet-",
        "claude-haiku-",
        "claude-fable-",
    ];
    names(name, &lines)
}

/// Whether the client defers tools for a model: not for the oldest ones (fact 66).
pub(super) fn takes_deferred_tools(name: &str) -> bool {
    !name.to_ascii_lowercase().contains("claude-3-")
}

/// Names for which the client takes its current opus (fact 58).
fn is_retired(name: &str) -> bool {
    ["claude-opus-4-0", "claude-opus-4-1", "claude-opus-4-2025"]
        .iter()
        .any(|retired| name.starts_with(retired))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{Client, Version};

    /// The table of fact 59: budgets read off the lists that real clients sent.
    #[test]
    fn budgets_by_model_and_client() {
        let budget = |client: &str, name: &str| {
            let client = Client::of(client.parse().unwrap()).unwrap();
            let (name, wide) = without_suffix(name);
            facts(&client.behaviour, name, wide, false).listing_budget()
        };
        for (name, new, old) in [
            ("claude-opus-5-5", 30_000, 6_000),
            ("claude-sonnet-5", 30_000, 6_000),
            ("claude-opus-4-8", 30_000, 6_000),
            ("Claude-Opus-4-8", 30_000, 6_000),
            ("claude-opus-4-7", 30_000, 6_000),
            ("claude-fable-5", 30_000, 6_000),
            ("claude-unknown-9", 30_000, 6_000),
            ("claude-2", 30_000, 6_000),
            ("claude-opus-4-9", 30_000, 6_000),
            ("claude-opus-4-6", 8_000, 8_000),
            ("claude-opus-4", 8_000, 8_000),
            ("claude-sonnet-4-20250514", 8_000, 8_000),
            ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", 8_000, 8_000),
            ("claude-haiku-4-5", 8_000, 8_000),
            ("claude-3-5-haiku", 8_000, 8_000),
            ("claude-opus-4-6[1m]", 40_000, 40_000),
            ("claude-sonnet-5[1M]", 30_000, 30_000),
        ] {
            assert_eq!(budget("2.1.332", name), new, "{name}");
            assert_eq!(budget("2.1.197", name), old, "{name}");
        }
        assert_eq!(budget("2.1.316", "claude-unknown-9"), 6_000);
        assert_eq!(budget("2.1.285", "claude-opus-4-8"), 30_000);
    }

    /// Resumes with usages far above every trigger, in the versions on both sides of each change.
    #[test]
    fn models_are_compacted_by_client() {
        let versions = [197, 217, 222, 223, 265, 284, 285, 332];
        for (name, compacted) in [
            ("claude-sonnet-5", "yyyyyyyy"),
            ("claude-sonnet-5[1m]", "yyyyyyyy"),
            ("claude-sonnet-5-5", "yyyyynyy"),
            ("claude-opus-4-8", "nyyyyyyy"),
            ("claude-opus-4-8[1m]", "nnnnnnyy"),
            ("claude-opus-5", "nnyyyyyy"),
            ("claude-opus-5-5", "nnyyyyyy"),
            ("claude-opus-5[1m]", "nnnnnnyy"),
            ("claude-opus-4-9", "nnnyyyyy"),
            ("claude-sonnet-6", "nnnyyyyy"),
            ("claude-haiku-5-5", "nnnyyyyy"),
            ("claude-haiku-5-5[1m]", "nnnnnnyy"),
            ("my-model", "nnnyyyyy"),
            ("claude-opus-4-7", "nnnnnnyy"),
            ("claude-fable-5", "nnnnnnyy"),
            ("claude-fable-5-1", "nnnnnnyy"),
            ("claude-sonnet-4-6", "yyyyyyyy"),
            ("claude-opus-4-6", "yyyyyyyy"),
            ("claude-opus-4-6[1m]", "nnnnnnnn"),
            ("claude-sonnet-4-5", "nnnnnnnn"),
        ] {
            let found: String = versions
                .iter()
                .map(|patch| {
                    let client = Client::of(Version::new(2, 1, *patch)).unwrap();
                    let facts = ModelFacts::of(&client.behaviour, name, false);
                    if facts.compacts { 'y' } else { 'n' }
                })
                .collect();
            assert_eq!(found, compacted, "{name}");
        }
    }
}
