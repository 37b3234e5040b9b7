//! The file of prompts: one line an input that a user sent off (fact I44).

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use serde::Deserialize;

/// How many inputs of each session `history.jsonl` holds.
#[derive(Debug, Default)]
pub struct Prompts(FxHashMap<String, usize>);

impl Prompts {
    /// Counts the lines of the file. What cannot be read is passed over.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Self {
        #[derive(Deserialize)]
        struct Line<'a> {
            #[serde(borrow, rename = "sessionId")]
            session: Cow<'a, str>,
        }
        let mut counts: FxHashMap<String, usize> = FxHashMap::default();
        for line in bytes.split(|byte| *byte == b'\n') {
            let Ok(line) = serde_json::from_slice::<Line<'_>>(line) else {
                continue;
            };
            match counts.get_mut(&*line.session) {
                Some(count) => *count += 1,
                None => {
                    counts.insert(line.session.into_owned(), 1);
                }
            }
        }
        Self(counts)
    }

    /// Those of a session.
    #[must_use]
    pub fn of(&self, session: &str) -> usize {
        self.0.get(session).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_counted_by_session() {
        let file = b"{\"display\":\"M_U1\",\"project\":\"/srv\",\"sessionId\":\"a\"}\n\
            {\"display\":\"!ls\",\"sessionId\":\"b\"}\nnothing\n{\"display\":\"old\"}\n\
            {\"display\":\"M_U2\",\"sessionId\":\"a\"}";
        let prompts = Prompts::read(file);
        assert_eq!(["a", "b", "c"].map(|id| prompts.of(id)), [2, 1, 0]);
    }
}
