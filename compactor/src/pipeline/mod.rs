//! The five stages that make room in a context, each only as far as it is needed, the cheapest
//! loss first (paper.md 3.1, design.md 6).
//!
//! The data's way: a [`Conversation`](crate::conversation::Conversation) becomes a [`Context`],
//! in which each block knows its tokens; a [`Pipeline`] lets its [`Stage`]s work on it, one after
//! the other; each leaves a [`StageTrace`]. Nothing is written: a result is a projection, and each
//! [`Change`] says where the text can be found.

mod calls;
mod context;
mod folds;
mod held;
mod json;
mod size;
mod summary;
mod trace;

use serde::ser::{Serialize, SerializeMap, Serializer};

pub use calls::{At, Call, Calls, Input, Recent, short};
pub use context::{Anchor, Context, Start};
pub(crate) use folds::Folding;
pub use folds::{Fold, FoldId, Folds};
pub use held::{Held, HeldMessage, holds, tokens_of};
pub(crate) use held::{PERSISTED, is_of_client, is_own_words, is_request};
pub(crate) use size::units;
pub use size::{Counted, IMAGE, Sizer};
pub use summary::Boundary;
pub use trace::{Action, Change, Recover, StageKind, StageTrace, Why};

/// What the stages are measured by.
#[derive(Debug, Clone, Copy, Default)]
pub struct Budget {
    /// The tokens from which on a context is too large (fact C4.3); none where nothing ever is
    /// (fact C4.8).
    pub threshold: Option<u64>,
    /// When the next request is sent, in milliseconds since 1970; unknown where age is not to
    /// count.
    pub now: Option<i64>,
}

impl Budget {
    /// A budget with a threshold and without a time.
    #[must_use]
    pub fn of(threshold: u64) -> Self {
        Self {
            threshold: Some(threshold),
            now: None,
        }
    }

    /// Whether so many tokens are too many: the threshold itself is (fact C4.3).
    #[must_use]
    pub fn is_over(&self, tokens: u64) -> bool {
        self.threshold.is_some_and(|threshold| tokens >= threshold)
    }
}

/// From how many tokens on a stage works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Trigger {
    /// From the budget's threshold on.
    #[default]
    Threshold,
    /// From this share of it on, in percent.
    Percent(u8),
    /// From so many tokens on, whatever the threshold.
    Tokens(u64),
    /// Always.
    Always,
}

impl Trigger {
    /// Whether so many tokens reach it.
    #[must_use]
    pub fn is_reached(self, tokens: u64, budget: &Budget) -> bool {
        match self {
            Self::Threshold => budget.is_over(tokens),
            Self::Percent(percent) => budget.threshold.is_some_and(|threshold| {
                u128::from(tokens) * 100 >= u128::from(threshold) * u128::from(percent)
            }),
            Self::Tokens(from) => tokens >= from,
            Self::Always => true,
        }
    }
}

/// One of the five stages.
pub trait Stage {
    /// Which one.
    fn kind(&self) -> StageKind;

    /// Whether it is switched on.
    fn enabled(&self) -> bool;

    /// Whether this context needs it.
    fn is_due(&self, context: &Context<'_>, budget: &Budget) -> bool;

    /// Changes the context, and tells each change, in the order of the context. Takes tokens away
    /// or leaves it as it is; a second time it changes nothing.
    fn apply(&self, context: &mut Context<'_>, budget: &Budget) -> Vec<Change>;

    /// Changes the context if it is switched on and the context needs it.
    fn run(&self, context: &mut Context<'_>, budget: &Budget) -> StageTrace {
        let before = context.tokens();
        let added_before = context.added_by(self.kind());
        let changes = if self.enabled() && self.is_due(context, budget) {
            self.apply(context, budget)
        } else {
            Vec::new()
        };
        let after = if changes.is_empty() {
            before
        } else {
            context.tokens()
        };
        StageTrace {
            stage: self.kind(),
            enabled: self.enabled(),
            fired: changes.iter().any(|change| change.action != Action::Kept),
            tokens_before: before,
            tokens_after: after,
            tokens_added: context.added_by(self.kind()).saturating_sub(added_before),
            changes,
        }
    }
}

/// Stages in their order.
pub struct Pipeline {
    stages: Vec<Box<dyn Stage>>,
}

/// What a pipeline did to a context.
#[derive(Debug)]
pub struct PipelineResult<'t> {
    /// How many messages there were.
    pub messages_before: usize,
    /// How many tokens there were.
    pub tokens_before: u64,
    /// What each stage did.
    pub stages: Vec<StageTrace>,
    /// What the next request would hold.
    pub context: Context<'t>,
    /// Whether it is below the threshold. If not, the stages cannot make it so.
    pub fits: bool,
    /// Pins that no message holds any more, or held from the start.
    pub missing_pins: Vec<String>,
}

impl Pipeline {
    /// These stages, in this order.
    #[must_use]
    pub fn of(stages: Vec<Box<dyn Stage>>) -> Self {
        Self { stages }
    }

    /// The stages, in their order.
    #[must_use]
    pub fn stages(&self) -> &[Box<dyn Stage>] {
        &self.stages
    }

    /// Lets each stage work on a context.
    #[must_use]
    pub fn run<'t>(&self, mut context: Context<'t>, budget: &Budget) -> PipelineResult<'t> {
        let messages_before = context.joined().len();
        let tokens_before = context.tokens();
        let stages = self.stages.iter();
        let stages = stages
            .map(|stage| stage.run(&mut context, budget))
            .collect();
        let missing_pins = context.missing_pins();
        PipelineResult {
            messages_before,
            tokens_before,
            stages,
            fits: !budget.is_over(context.tokens()),
            missing_pins,
            context,
        }
    }
}

/// The parts `before`, `stages`, `context`, `fits`, `boundary` and `folds` of `simulate`'s JSON
/// (design.md 3).
impl Serialize for PipelineResult<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let anchor = self.context.anchor().map(|anchor| {
            let index = self.context.index();
            let uuid = index.entries()[anchor.record].uuid;
            serde_json::json!({
                "uuid": uuid.map(|uuid| index.text(uuid)),
                "usage": anchor.usage,
            })
        });
        let before = serde_json::json!({
            "messages": self.messages_before,
            "tokens": self.tokens_before,
            "anchor": anchor,
        });
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("before", &before)?;
        map.serialize_entry("stages", &self.stages)?;
        map.serialize_entry("context", &self.context)?;
        map.serialize_entry("tokens", &self.context.tokens())?;
        map.serialize_entry("fits", &self.fits)?;
        map.serialize_entry("boundary", &self.context.boundary)?;
        map.serialize_entry("folds", &self.context.folds)?;
        map.serialize_entry("missing_pins", &self.missing_pins)?;
        map.end()
    }
}
