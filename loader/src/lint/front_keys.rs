//! The keys of front matter with their places, line by line: also where the YAML cannot be read.

use std::ops::Range;

use crate::document::{Document, FrontMatter};

/// A key at the left edge of front matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its name, without quotes.
    pub name: String,
    /// The bytes of the name in the file, quotes included.
    pub name_range: Range<usize>,
    /// The bytes of what follows the colon, with the indented lines below, white space at the ends
    /// left out; empty where nothing follows.
    pub value_range: Range<usize>,
}

/// The keys of a document's front matter, in order; none where it has none.
#[must_use]
pub fn keys(document: &Document) -> Vec<Key> {
    let front = document.front_matter.as_ref();
    front.map_or_else(Vec::new, |front| keys_in(&document.source, front))
}

/// The same for any text with its front matter.
#[must_use]
pub fn keys_in(source: &str, front: &FrontMatter) -> Vec<Key> {
    let mut keys: Vec<Key> = Vec::new();
    let mut at = front.yaml.start;
    for line in source[front.yaml.clone()].split_inclusive('\n') {
        let start = at;
        at += line.len();
        let text = line.trim_end();
        let belongs = text.starts_with([' ', '\t', '-', '#']) || text.is_empty();
        if let Some((name, value)) = text.split_once(':').filter(|_| !belongs) {
            let bare = name.trim_end().trim_matches(['"', '\'']);
            let own = value.trim_start();
            let value_start = start + text.len() - own.len();
            keys.push(Key {
                name: bare.to_owned(),
                name_range: start..start + name.trim_end().len(),
                value_range: value_start..start + text.len(),
            });
        } else if let Some(key) = keys.last_mut().filter(|_| !text.is_empty()) {
            let indent = text.len() - text.trim_start().len();
            if key.value_range.is_empty() {
                key.value_range.start = start + indent;
            }
            key.value_range.end = start + text.len();
        }
    }
    keys
}

/// The key of this name, the last where it is repeated, as the client takes it.
#[must_use]
pub fn key(document: &Document, name: &str) -> Option<Key> {
    keys(document).into_iter().rfind(|key| key.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Client;

    #[test]
    fn keys_have_their_values() {
        let text = "---\n\"name\": x\npaths:\n\n  - \"a\" # one\n- b\ndescription:\n---\nT: no\n";
        let document = Document::from_text(text.into(), &Client::newest().behaviour);
        let found = keys(&document);
        let found: Vec<(&str, &str, &str)> = found
            .iter()
            .map(|key| {
                let part = |range: &Range<usize>| &text[range.clone()];
                (
                    key.name.as_str(),
                    part(&key.name_range),
                    part(&key.value_range),
                )
            })
            .collect();
        let wanted = [
            ("name", "\"name\"", "x"),
            ("paths", "paths", "- \"a\" # one\n- b"),
            ("description", "description", ""),
        ];
        assert_eq!(found, wanted);
    }
}
