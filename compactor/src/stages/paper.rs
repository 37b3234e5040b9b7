//! All five stages, as published.

use super::{Collapse, Microcompact, ResultBudget, Snip, Summary};
use crate::pipeline::{Pipeline, Stage, StageKind};

/// The stages of the published analysis with their limits. In the client three of them are behind
/// flags (paper.md 3.1); here all are on, each with a switch.
#[derive(Debug, Default)]
pub struct Paper {
    /// Always on.
    pub budget: ResultBudget,
    /// Its switch is `enabled`.
    pub snip: Snip,
    /// Its switch is `enabled`.
    pub microcompact: Microcompact,
    /// Its switch is `enabled`.
    pub collapse: Collapse,
    /// Its switch is `enabled`.
    pub summary: Summary,
}

impl Paper {
    /// Leaves only one stage on, and the budget, which cannot be switched off.
    pub fn only(&mut self, stage: StageKind) {
        self.snip.enabled = stage == StageKind::Snip;
        self.microcompact.enabled = stage == StageKind::Microcompact;
        self.collapse.enabled = stage == StageKind::Collapse;
        self.summary.enabled = stage == StageKind::Summary;
    }

    /// The stages in their order.
    #[must_use]
    pub fn stages(self) -> Vec<Box<dyn Stage>> {
        vec![
            Box::new(self.budget),
            Box::new(self.snip),
            Box::new(self.microcompact),
            Box::new(self.collapse),
            Box::new(self.summary),
        ]
    }
}

impl Pipeline {
    /// The five stages as published.
    #[must_use]
    pub fn paper(paper: Paper) -> Self {
        Self::of(paper.stages())
    }
}
