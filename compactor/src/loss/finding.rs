//! What is said of each thing that a compaction may lose: where it stood and what became of it.

use serde::Serialize;

/// Where something stands in the messages that were compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The record's uuid; none where the client made the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uuid: Option<String>,
    /// The record's line in the transcript, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// `user`, `assistant` or `system`.
    pub role: &'static str,
    /// The turn, from 1: how many prompts the user had given. 0 before the first.
    pub turn: u32,
    /// The message's number in its list, from 0.
    pub message: usize,
    /// The block's number in the message, from 0.
    pub block: usize,
}

/// What became of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum State {
    /// It is still there, word for word.
    Kept {
        /// The first place that holds it.
        found: Place,
    },
    /// Its words are still there, but not the text.
    Part(Part),
    /// Nothing of it is left.
    Lost,
}

/// What is left of a text that is not there word for word. That its words stand near one another
/// does not mean that they still say the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// The passage that holds the most of it.
    pub found: Place,
    /// That passage, cut to some 200 bytes.
    pub passage: String,
    /// What of the text stands in it.
    pub survives: Vec<String>,
    /// What does not.
    pub missing: Vec<String>,
}

/// One thing, its place before the compaction, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding<T> {
    /// What it is.
    #[serde(flatten)]
    pub what: T,
    /// Where it was first said; of files and open items, where they were last touched.
    pub place: Place,
    /// What became of it.
    #[serde(flatten)]
    pub state: State,
}

/// Findings of one kind by what became of them, each list in the order of the talk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Findings<T> {
    /// Still there word for word.
    pub kept: Vec<Finding<T>>,
    /// Still there in part.
    pub part: Vec<Finding<T>>,
    /// Gone.
    pub lost: Vec<Finding<T>>,
}

impl<T> Default for Findings<T> {
    fn default() -> Self {
        Self {
            kept: Vec::new(),
            part: Vec::new(),
            lost: Vec::new(),
        }
    }
}

impl<T> Findings<T> {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.len() + self.part.len() + self.lost.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All of them: the kept ones, those in part, the lost ones.
    pub fn iter(&self) -> impl Iterator<Item = &Finding<T>> {
        self.kept.iter().chain(&self.part).chain(&self.lost)
    }
}

impl<T> FromIterator<Finding<T>> for Findings<T> {
    fn from_iter<I: IntoIterator<Item = Finding<T>>>(findings: I) -> Self {
        let mut all = Self::default();
        for finding in findings {
            let list = match finding.state {
                State::Kept { .. } => &mut all.kept,
                State::Part(_) => &mut all.part,
                State::Lost => &mut all.lost,
            };
            list.push(finding);
        }
        all
    }
}
