//! What a session used in all: each message once, the main session and its sub-agents apart.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::transcript::{Entry, Index, Kind, Usage};
use crate::window;

/// What was used.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Spent {
    /// Requests that were answered.
    pub requests: usize,
    /// Input tokens that no cache held.
    pub input: u64,
    /// Input tokens that were written to the cache.
    pub cache_creation: u64,
    /// Input tokens that the cache held.
    pub cache_read: u64,
    /// Output tokens.
    pub output: u64,
}

/// What a session and its sub-agents used.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct Spending {
    /// The session itself, all its branches.
    pub main: Spent,
    /// Each sub-agent, by its id within the session; the id is empty for side chains in the main
    /// file that name none.
    pub agents: BTreeMap<String, Spent>,
    /// All together.
    pub total: Spent,
}

impl Spent {
    /// All input tokens.
    #[must_use]
    pub fn all_input(&self) -> u64 {
        let cached = self.cache_read.saturating_add(self.cache_creation);
        self.input.saturating_add(cached)
    }

    fn of(answers: &[(Option<&str>, &Usage)]) -> Self {
        let usage = window::total(answers.iter().copied());
        let named: FxHashSet<&str> = answers.iter().filter_map(|(id, _)| *id).collect();
        let unnamed = answers.iter().filter(|(id, _)| id.is_none()).count();
        Self {
            requests: named.len() + unnamed,
            input: usage.input,
            cache_creation: usage.cache_creation,
            cache_read: usage.cache_read,
            output: usage.output,
        }
    }

    fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.input = self.input.saturating_add(other.input);
        self.cache_creation = self.cache_creation.saturating_add(other.cache_creation);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.output = self.output.saturating_add(other.output);
    }
}

impl Spending {
    /// What all sub-agents used.
    #[must_use]
    pub fn of_agents(&self) -> Spent {
        let mut sum = Spent::default();
        for spent in self.agents.values() {
            sum.add(spent);
        }
        sum
    }
}

/// Adds up what a session and the files of its sub-agents report. A message counts where it is
/// met first, the main file before the others (bugs B137, B138, B140, B141).
#[must_use]
pub fn spending<'i>(
    main: &'i Index,
    agents: impl IntoIterator<Item = (&'i str, &'i Index)>,
) -> Spending {
    let mut own: Answers<'i> = Vec::new();
    let mut inline: BTreeMap<&str, Answers<'i>> = BTreeMap::new();
    for (entry, answer) in answers(main) {
        if entry.flags.sidechain {
            let agent = entry.agent.map_or("", |id| main.text(id));
            inline.entry(agent).or_default().push(answer);
        } else {
            own.push(answer);
        }
    }
    let mut spending = Spending {
        main: Spent::of(&own),
        ..Spending::default()
    };
    let mut seen: FxHashSet<&str> = own.iter().filter_map(|(id, _)| *id).collect();
    let mut all = own;
    let files = agents.into_iter().map(|(agent, index)| {
        let answers = answers(index).map(|(_, answer)| answer);
        (agent, answers.collect::<Answers<'i>>())
    });
    for (agent, answers) in files.chain(inline) {
        let is_new = |(id, _): &&(Option<&str>, &Usage)| id.is_none_or(|id| !seen.contains(id));
        let new: Answers<'i> = answers.iter().filter(is_new).copied().collect();
        let spent = Spent::of(&new);
        if spent.requests > 0 {
            let of = spending.agents.entry(agent.to_owned()).or_default();
            of.add(&spent);
        }
        seen.extend(new.iter().filter_map(|(id, _)| *id));
        all.extend(answers);
    }
    spending.total = Spent::of(&all);
    spending
}

/// Answers, by their message ids, with what they report.
type Answers<'i> = Vec<(Option<&'i str>, &'i Usage)>;

fn answers(index: &Index) -> impl Iterator<Item = (&Entry, (Option<&str>, &Usage))> {
    let entries = index.entries().iter();
    entries.filter_map(|entry| {
        let is_answer = entry.kind == Kind::Assistant && !index.is(entry.model, "<synthetic>");
        let usage = entry.usage.as_ref().filter(|_| is_answer)?;
        let message = entry.message.map(|id| index.text(id));
        Some((entry, (message, usage)))
    })
}
