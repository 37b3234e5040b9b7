//! The limits of a context: window, reserve, trigger, block limit (facts C section 0, C4.3).

use std::collections::BTreeMap;

use crate::client::{Client, Coverage, Version};
use crate::record::Evidence;
use crate::request::ModelFacts;
use crate::session::Session;
use crate::settings::Settings;
use crate::state::ClientState;
use serde::Serialize;

use super::remark::Remark;
use super::source::{Decided, Source};
use super::variables::Variables;

/// How far below the effective window compaction begins, in tokens (fact C4.3).
pub const TRIGGER_MARGIN: u64 = 13_000;
/// How far below the model's own window, less the reserve, no request is sent any more, in
/// tokens (fact C4.9).
pub const BLOCK_MARGIN: u64 = 3_000;

/// The oldest client on which these numbers were measured.
const OLDEST_MEASURED: Version = Version::new(2, 1, 197);

/// What decides a window beside the name of the model.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// The client.
    pub client: &'a Client,
    /// The environment with what settings add to it, as a
    /// [session's origin](crate::session::Session::origin) has it.
    pub env: &'a BTreeMap<String, String>,
    /// The settings.
    pub settings: &'a Settings,
    /// The client's state file.
    pub state: Option<&'a ClientState>,
    /// The model's window in tokens, if the user says what it is.
    pub window: Option<u64>,
    /// The largest total that was recorded with the model, 0 where there
    /// is none: transcripts do not keep the suffix `[1m]`, and this tells a wide window.
    pub largest_usage: u64,
}

impl<'a> Given<'a> {
    /// What a session that starts now is given.
    #[must_use]
    pub fn of(session: &'a Session<'_>) -> Self {
        Self {
            client: session.client(),
            env: &session.origin().env,
            settings: session.settings(),
            state: Some(session.state()),
            window: None,
            largest_usage: 0,
        }
    }
}

/// Whether the client compacts by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Mode {
    /// At the trigger.
    AtTrigger {
        /// Who says so.
        source: Source,
    },
    /// Only after the service refused a request as too long: the model is none of those with
    /// which the client counts by itself (facts C4.8, C4.12).
    OnRefusal,
    /// Never: at the block limit a turn ends with an error (fact C4.9).
    Off {
        /// Who says so.
        source: Source,
    },
}

/// `CLAUDE_AUTOCOMPACT_PCT_OVERRIDE`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Share {
    /// The value, in percent of the effective window.
    pub percent: f64,
    /// That many tokens.
    pub tokens: u64,
    /// Whether it lowers the trigger. It cannot raise it.
    pub effective: bool,
    /// Where it was set.
    pub source: Source,
}

/// The limits of a context, in tokens.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Window {
    /// The client.
    pub client: Version,
    /// The model.
    #[serde(skip)]
    pub model: ModelFacts,
    /// What the model can hold.
    pub model_window: Decided<u64>,
    /// What the client lets it hold.
    pub window: Decided<u64>,
    /// What of it is kept free for the answer.
    pub reserve: Decided<u64>,
    /// `window` less `reserve`.
    pub effective: u64,
    /// A share of `effective` that someone asked for.
    pub share: Option<Share>,
    /// From how many tokens on a session is compacted, where it is: `effective` less
    /// [`TRIGGER_MARGIN`], or the share where it is lower.
    pub trigger: u64,
    /// From how many tokens on no request is sent: `model_window`, whatever `window` is, less
    /// `reserve` and [`BLOCK_MARGIN`] (docs/facts-sessions.md 238).
    pub block: u64,
    /// Whether the client compacts by itself.
    pub mode: Mode,
    /// Who turned `/compact` off; none where it works.
    pub command_off: Option<Source>,
    /// How these numbers are known.
    pub evidence: Evidence,
    /// What is odd about the settings of them.
    pub remarks: Vec<Remark>,
    #[serde(skip)]
    single_answer_compacts: bool,
}

/// What comes of the next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Next {
    /// It is sent.
    Request,
    /// The session is compacted first.
    Compaction,
    /// The turn ends: the prompt is too long.
    TooLong,
}

impl Window {
    /// The limits with a model, by its full name; `[1m]` may stand behind it.
    #[must_use]
    pub fn of(model: &str, given: &Given<'_>) -> Self {
        let mut variables = Variables::new(given);
        let (model, model_window) = model_window(model, given, &variables);
        let off = variables.auto_compact_off();
        let asked = variables.window(model_window.value, off.as_ref());
        let mode = match (off, &asked) {
            (Some(source), _) => Mode::Off { source },
            (None, Some(asked)) => Mode::AtTrigger {
                source: asked.source.clone(),
            },
            (None, None) if model.compacts => Mode::AtTrigger {
                source: Source::Model,
            },
            (None, None) => Mode::OnRefusal,
        };
        let is_off = matches!(mode, Mode::Off { .. });
        let window = match asked {
            Some(asked) if !is_off && asked.value < model_window.value => asked,
            _ => model_window.clone(),
        };
        let reserve = variables.reserve(Decided {
            value: u64::from(model.reserve),
            source: Source::Model,
        });
        let effective = window.value.saturating_sub(reserve.value);
        let margin = effective.saturating_sub(TRIGGER_MARGIN);
        let share = variables.share(effective, margin);
        let lowered = share.as_ref().filter(|share| share.effective);
        Self {
            client: given.client.version,
            trigger: lowered.map_or(margin, |share| share.tokens),
            block: model_window
                .value
                .saturating_sub(reserve.value + BLOCK_MARGIN),
            command_off: variables.command_off(),
            evidence: evidence(given),
            remarks: variables.remarks,
            single_answer_compacts: given.client.behaviour.counting.single_answer_compacts,
            model,
            model_window,
            window,
            reserve,
            effective,
            share,
            mode,
        }
    }

    /// What comes of the next request, where the context holds so many `tokens` after so many
    /// `answers`. With one answer there is nothing to summarise once it is kept, so compaction
    /// waits for the block limit, where older clients end the turn (fact C4.10).
    #[must_use]
    pub fn next(&self, tokens: u64, answers: usize) -> Next {
        let is_full = tokens >= self.block;
        match &self.mode {
            Mode::AtTrigger { .. } if answers > 1 && tokens >= self.trigger => Next::Compaction,
            Mode::AtTrigger { .. } if is_full && self.single_answer_compacts => Next::Compaction,
            Mode::AtTrigger { .. } | Mode::Off { .. } if is_full => Next::TooLong,
            _ => Next::Request,
        }
    }
}

/// The model and its window.
fn model_window(
    name: &str,
    given: &Given<'_>,
    variables: &Variables<'_>,
) -> (ModelFacts, Decided<u64>) {
    let behaviour = &given.client.behaviour;
    let usual = ModelFacts::of(behaviour, name, false);
    let narrow = variables.narrow();
    let mut model = ModelFacts::of(behaviour, name, narrow.is_some());
    let narrow = narrow.filter(|_| model.window < usual.window);
    let (value, source) = if let Some(window) = given.window {
        (window, Source::Asked)
    } else if given.largest_usage > u64::from(model.window) {
        model = ModelFacts::of(behaviour, &format!("{}[1m]", model.name), false);
        (
            u64::from(model.window).max(given.largest_usage),
            Source::Usage,
        )
    } else {
        (u64::from(model.window), narrow.unwrap_or(Source::Model))
    };
    (model, Decided { value, source })
}

fn evidence(given: &Given<'_>) -> Evidence {
    let client = given.client;
    if client.coverage == Coverage::Observed && client.version >= OLDEST_MEASURED {
        Evidence::Observed
    } else {
        Evidence::Assumed
    }
}
