//! What a session sends before any file of the user's: sizes that were measured, by client and
//! model (facts C7.1–C7.3, 68).

mod rows;

use serde::Serialize;

use super::models::{Generation, ModelFacts};
use crate::client::{Client, Version};
use crate::record::Evidence;
use crate::session::Session;

use rows::ROWS;

/// The client's patch version (of 2.1), the model (`[1m]`: asked for so), the system prompt, the
/// tools and the length of their JSON, all messages but the prompt, and of these the lists of
/// agents and skills, the environment and the attribution. Sizes are UTF-16 units.
pub(crate) struct Row(u16, &'static str, usize, usize, usize, usize, Option<Parts>);

/// The lists of agents and skills, the environment, the attribution.
type Parts = (usize, usize, Option<usize>, Option<usize>);

impl Row {
    fn version(&self) -> Version {
        Version::new(2, 1, self.0)
    }
}

/// Sizes in UTF-16 units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FixedCost {
    /// All blocks of the system prompt.
    pub system: usize,
    /// How many tools there are.
    pub tools: usize,
    /// The compact JSON of their list.
    pub tools_json: usize,
    /// All text of messages but the prompt; the parts below are in it.
    pub messages: usize,
    /// The list of the client's own agents.
    pub agents: Option<usize>,
    /// The list of its own skills.
    pub skills: Option<usize>,
    /// Environment and model; before 2.1.281 they are in the system prompt.
    pub environment: Option<usize>,
    /// The block about attribution.
    pub attribution: Option<usize>,
    /// The client that was measured.
    pub measured: Version,
    /// The model that was measured.
    pub model: &'static str,
    /// Observed: this client with this model, or the versions on both sides.
    pub evidence: Evidence,
}

/// UTF-16 units that no short system prompt has, and every long one (fact C7.1).
const LONG: usize = 15_000;

impl FixedCost {
    /// The model is told the long prompt of two (fact C7.1).
    #[must_use]
    pub const fn is_long(&self) -> bool {
        self.system > LONG
    }

    /// System prompt, tools and messages.
    #[must_use]
    pub const fn total(&self) -> usize {
        self.system + self.tools_json + self.messages
    }
}

/// The lengths of the measured working directory and home folder, in UTF-16 units.
pub const PATHS: usize = 36;

/// The sizes for a client and a model, with paths of these lengths, in UTF-16 units.
#[must_use]
pub fn fixed_cost(
    client: &Client,
    model: &ModelFacts,
    mode: Option<&str>,
    cwd: usize,
    home: usize,
) -> FixedCost {
    let (row, evidence) = row_for(client.version, model);
    let in_messages = client.behaviour.session_in_messages;
    // The system prompt names the memory folder: home, and the working directory encoded.
    let (in_system, in_text) = if in_messages { (1, 1) } else { (2, 0) };
    let with = |size: usize, cwds: usize, homes: usize| {
        (size + cwds * cwd + homes * home).saturating_sub((cwds + homes) * PATHS)
    };
    let newer = model.generation == Generation::Newer;
    // Fact C7.2; 68.
    let (added, less_tools) = match (mode, in_messages, newer) {
        (Some("plan"), true, true) => (4_917, 311),
        (Some("plan"), true, false) => (4_955, 0),
        (Some("plan"), false, true) => (4_903, 0),
        (Some("plan"), false, false) => (4_935, 0),
        (Some("bypassPermissions"), true, true) => (495, 311),
        _ => (0, 0),
    };
    let part = |part: fn(&Parts) -> Option<usize>| row.6.as_ref().and_then(part);
    FixedCost {
        system: with(row.2, in_system, 1),
        tools: row.3,
        tools_json: row.4.saturating_sub(less_tools),
        messages: with(row.5, in_text, 0) + added,
        agents: part(|parts| Some(parts.0)),
        skills: part(|parts| Some(parts.1)),
        environment: part(|parts| parts.2).map(|size| with(size, in_text, 0)),
        attribution: part(|parts| parts.3),
        measured: row.version(),
        model: row.1,
        evidence,
    }
}

/// The newest row of the model that is not newer than the client, else one of a model like it.
fn row_for(client: Version, model: &ModelFacts) -> (&'static Row, Evidence) {
    // A date behind a name changes nothing that was seen.
    let name = model.name.to_ascii_lowercase();
    let is_wide = model.window > 200_000;
    let of_model = |row: &&Row| match row.1.strip_suffix("[1m]") {
        Some(plain) => is_wide && name == plain,
        None => name == row.1 || name.strip_prefix(row.1).is_some_and(is_date),
    };
    let like = match model.generation {
        Generation::Newer => "claude-unknown-9",
        Generation::Older => "claude-sonnet-4-5",
    };
    let newest = |fits: &dyn Fn(&&'static Row) -> bool| {
        let mut rows = ROWS.iter().rev().filter(|row| fits(row));
        rows.find(|row| row.version() <= client)
    };
    if let Some(row) = newest(&of_model) {
        let is_followed = ROWS
            .iter()
            .any(|next| of_model(&next) && next.version() > client);
        let is_seen = row.version() == client || (is_followed && row.6.is_none());
        let evidence = if is_seen {
            Evidence::Observed
        } else {
            Evidence::Assumed
        };
        return (row, evidence);
    }
    let row = newest(&|row| row.1 == like).unwrap_or(&ROWS[0]);
    (row, Evidence::Assumed)
}

fn is_date(rest: &str) -> bool {
    let digits = rest.strip_prefix('-').unwrap_or_default();
    digits.len() == 8 && digits.bytes().all(|digit| digit.is_ascii_digit())
}

impl Session<'_> {
    /// What this session sends before any file of the user's, and before flags and settings
    /// change it, for paths of [`PATHS`] characters: so the answer is the same on every machine.
    /// The working directory and the home folder are named in it a few times.
    #[must_use]
    pub fn fixed_cost(&self) -> FixedCost {
        let mode = self.origin().flags.permission_mode.as_deref();
        fixed_cost(self.client(), &self.model().facts, mode, PATHS, PATHS)
    }
}
