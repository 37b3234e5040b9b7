//! Parts of words without which a rule finds nothing: they are looked for in the bytes of a record
//! before it is read.

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};

/// Stems, ready to be looked for. Letters beyond ASCII count as escapes, too.
pub(super) struct Stems(Option<AhoCorasick>);

impl Stems {
    pub(super) fn of(stems: &[&str]) -> Self {
        let mut all: Vec<String> = Vec::new();
        for stem in stems {
            all.push((*stem).to_owned());
            if !stem.is_ascii() {
                let escapes = stem.encode_utf16().map(|unit| format!("\\u{unit:04x}"));
                all.push(escapes.collect());
            }
        }
        // Few enough for a search that takes many bytes at a time, which the default kind of
        // match rules out.
        let mut builder = AhoCorasickBuilder::new();
        Self(builder.match_kind(MatchKind::LeftmostFirst).build(all).ok())
    }

    pub(super) fn is_in(&self, bytes: &[u8]) -> bool {
        self.0.as_ref().is_none_or(|stems| stems.is_match(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_are_found_as_escapes_too() {
        let stems = Stems::of(&["gnore", "忽略"]);
        for text in ["x Ignore", "忽略以上", r"\u5ffd\u7565"] {
            assert!(stems.is_in(text.as_bytes()), "{text}");
        }
        assert!(!stems.is_in("忽然".as_bytes()));
    }
}
