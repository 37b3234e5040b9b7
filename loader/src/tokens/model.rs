//! Which model counts by which family.

use super::{Counter, Family, Kind, Tokens};

/// A model's way of counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// Its family.
    pub family: Family,
    /// Whether the name is known; else the family is that of the newest models.
    pub is_known: bool,
    /// White space at the end of a text is free, which its family does not know (fact T3).
    trailing_space_is_free: bool,
}

type Version = (u32, u32);

/// Beginnings of names without vendor and date, and versions from which a family holds: before
/// the first, `claude-v3`.
const NAMES: &[(&str, &[(Version, Family)])] = &[
    (
        "opus",
        &[((4, 7), Family::ClaudeV4_7), ((4, 8), Family::ClaudeV4_8)],
    ),
    ("sonnet", &[((5, 0), Family::ClaudeV4_8)]),
    ("haiku", &[((5, 0), Family::ClaudeV4_8)]),
    ("fable", &[((0, 0), Family::ClaudeV4_8)]),
];

impl Model {
    /// The way in which a model of this name counts: `claude-opus-4-8`, `claude-3-5-sonnet-20241022`,
    /// also behind a provider's prefix or as an alias such as `opus`.
    #[must_use]
    pub fn of(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphanumeric()).collect();
        let newest = Self {
            family: Family::NEWEST,
            is_known: false,
            trailing_space_is_free: false,
        };
        let mut lines = NAMES.iter();
        let Some((line, families)) = lines.find(|(line, _)| words.contains(line)) else {
            return newest;
        };
        let Some(version) = version(&words) else {
            // An alias is the newest model of its line.
            let is_alias = words == [*line];
            return Self {
                is_known: is_alias,
                trailing_space_is_free: is_alias && *line == "opus",
                ..newest
            };
        };
        let mut families = families.iter().rev();
        let family = families.find(|(from, _)| version >= *from);
        Self {
            family: family.map_or(Family::ClaudeV3, |(_, family)| *family),
            is_known: true,
            trailing_space_is_free: *line == "opus" && version.0 >= 5,
        }
    }

    /// A model of which only the family is known.
    #[must_use]
    pub fn plain(family: Family) -> Self {
        Self {
            family,
            is_known: true,
            trailing_space_is_free: false,
        }
    }

    /// Marks a count as an estimate where this model counts in a way that its family does not
    /// know.
    #[must_use]
    pub fn judged(&self, tokens: Tokens, text: &str) -> Tokens {
        let free = self.trailing_space_is_free && text.ends_with(|c: char| c.is_ascii_whitespace());
        Tokens {
            kind: if free { Kind::Estimate } else { tokens.kind },
            ..tokens
        }
    }

    /// A counter for it.
    #[must_use]
    pub fn counter(&self) -> Counter {
        Counter::new(self.family)
    }
}

/// The first one or two short numbers of a name; a date is none.
fn version(words: &[&str]) -> Option<Version> {
    let number = |word: &&str| (word.len() <= 2).then(|| word.parse().ok()).flatten();
    let first = words.iter().position(|word| number(word).is_some())?;
    let minor = words.get(first + 1).and_then(number);
    Some((number(&words[first])?, minor.unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_families() {
        let family = |name| Model::of(name).family;
        assert_eq!(family("claude-3-5-sonnet-20241022"), Family::ClaudeV3);
        assert_eq!(family("claude-opus-4-20250514"), Family::ClaudeV3);
        assert_eq!(family("claude-opus-4-6"), Family::ClaudeV3);
        assert_eq!(
            family("us.anthropic.claude-opus-4-7-v1:0"),
            Family::ClaudeV4_7
        );
        assert_eq!(family("claude-opus-4-8[1m]"), Family::ClaudeV4_8);
        assert_eq!(family("claude-haiku-4-5-20251001"), Family::ClaudeV3);
        assert_eq!(family("claude-sonnet-5"), Family::ClaudeV4_8);
    }

    #[test]
    fn unknown_names_fall_to_the_newest_and_say_so() {
        let other = Model::of("some-model-2");
        assert_eq!((other.family, other.is_known), (Family::NEWEST, false));
        assert!(Model::of("opus").is_known && Model::of("fable").is_known);
    }

    #[test]
    fn what_a_family_does_not_know_is_an_estimate() {
        let kind = |model: &str, text| {
            let model = Model::of(model);
            model.judged(model.counter().message(text), text).kind
        };
        assert_eq!(kind("claude-opus-5", "a\n"), Kind::Estimate);
        assert_eq!(kind("claude-opus-5", "a"), Kind::Reconstructed);
        assert_eq!(kind("claude-opus-4-8", "a\n"), Kind::Reconstructed);
    }
}
