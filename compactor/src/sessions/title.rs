//! What a session is called (facts I37, I50, I51).

use std::io;

use serde::{Deserialize, Serialize};

use crate::pipeline::is_own_words;
use crate::transcript::{Id, Index, Source, Transcript};
use crate::turns::is_prompt;

/// How much of a prompt serves as a title, in characters.
const LONGEST: usize = 200;

/// How many prompts are looked at for one in the user's own words.
const TRIES: usize = 32;

/// Where a title comes from, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TitleSource {
    /// The user gave it.
    Custom,
    /// A model gave it.
    Ai,
    /// A `summary` record, of older clients; it is no compaction (bug B095).
    Summary,
    /// The first prompt.
    Prompt,
}

/// A title on one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Title {
    /// The text, with single spaces.
    pub text: String,
    /// Where it comes from.
    pub source: TitleSource,
}

impl Title {
    /// That of a session, as the client's list of sessions has it.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub(crate) fn of<S: Source>(transcript: &Transcript<S>) -> io::Result<Option<Self>> {
        let index = transcript.index();
        for (kind, source) in [
            ("custom-title", TitleSource::Custom),
            ("ai-title", TitleSource::Ai),
            ("summary", TitleSource::Summary),
        ] {
            let Some(kind) = index.find(kind) else {
                continue;
            };
            // The last one counts (fact I30).
            for entry in index.entries().iter().rev() {
                if entry.type_name != Some(kind) || !is_of_this_session(index, entry.leaf) {
                    continue;
                }
                let json = transcript.json(entry)?;
                let given = serde_json::from_str::<Given>(&json).unwrap_or_default();
                let text = given.custom.or(given.ai).or(given.summary);
                if let Some(title) = text.and_then(|text| Self::new(&text, source)) {
                    return Ok(Some(title));
                }
            }
        }
        let prompts = index.entries().iter();
        for entry in prompts.filter(|entry| is_prompt(index, entry)).take(TRIES) {
            let content = transcript.record(entry)?.content;
            let Some(text) = content.texts().next() else {
                continue;
            };
            if is_own_words(text)
                && let Some(title) = Self::new(text, TitleSource::Prompt)
            {
                return Ok(Some(title));
            }
        }
        Ok(None)
    }

    fn new(text: &str, source: TitleSource) -> Option<Self> {
        // Only the beginning is looked at: a prompt can be megabytes long.
        let start = text.trim_start().chars().take(4 * LONGEST);
        let start: String = start.collect();
        let words: Vec<&str> = start.split_whitespace().collect();
        let text: String = words.join(" ").chars().take(LONGEST).collect();
        (!text.is_empty()).then_some(Self { text, source })
    }
}

/// A `summary` record can be about the session from which this one went on.
fn is_of_this_session(index: &Index, leaf: Option<Id>) -> bool {
    leaf.is_none_or(|leaf| index.by_uuid(leaf).is_some())
}

#[derive(Default, Deserialize)]
struct Given {
    #[serde(rename = "customTitle")]
    custom: Option<String>,
    #[serde(rename = "aiTitle")]
    ai: Option<String>,
    summary: Option<String>,
}
