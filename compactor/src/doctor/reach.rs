//! How much of a session a resume reaches.

use serde::Serialize;

use super::Scene;
use crate::chain::ChainFaultKind;
use crate::transcript::Kind;

/// How much of a session a resume reaches, in records of prompts, answers, attachments and notes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Reach {
    /// All of them, without those of sub-agents.
    pub records: usize,
    /// Those from the leaf to the root or to the last boundary, as the client walks.
    pub reached: usize,
    /// Those up to the first parent that is missing: safe whatever a client does.
    pub strict: usize,
    /// Those that a missing parent or a circle cuts off, whatever the client bridges.
    pub unreachable: usize,
    /// Those that the client does not reach for it.
    pub lost: usize,
    /// How many such links the walk goes over.
    pub gaps: usize,
    /// Those that the last boundary stands for.
    pub before_boundary: usize,
}

/// What a record is to the walk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// On the safe part of the walk.
    Safe,
    /// The boundary stands for it.
    Behind,
    /// A branch that hangs on one of them.
    Branch,
    /// It hangs on nothing of them.
    Island,
}

/// How much is reached, and which records are lost.
pub(super) fn of(scene: &Scene<'_>) -> (Reach, Vec<bool>) {
    let chain = scene.chain;
    let index = scene.index;
    let mut on_walk: Vec<Option<usize>> = vec![None; index.entries().len()];
    for (place, record) in chain.walk.iter().enumerate() {
        on_walk[*record] = Some(place);
    }
    let gaps: Vec<usize> = chain
        .faults
        .iter()
        .filter(|fault| !matches!(fault.kind, ChainFaultKind::KeptMessagesMissing { .. }))
        .filter_map(|fault| on_walk[fault.record])
        .collect();
    let safe = gaps.iter().copied().max().unwrap_or(0);
    let is_broken = !gaps.is_empty() || starts_in_the_middle(scene);
    let mut sides: Vec<Option<Side>> = vec![None; index.entries().len()];
    for record in chain.walk.iter().skip(safe) {
        sides[*record] = Some(Side::Safe);
    }
    for (record, behind) in scene.behind.iter().enumerate() {
        if *behind {
            sides[record] = Some(Side::Behind);
        }
    }
    for record in 0..sides.len() {
        if sides[record].is_some() {
            continue;
        }
        let above: Vec<usize> = scene
            .ancestors(record)
            .take_while(|at| sides[*at].is_none())
            .collect();
        let top = above.last().and_then(|top| scene.parent(*top));
        let side = match top.and_then(|top| sides[top]) {
            Some(Side::Island) | None => Side::Island,
            Some(_) => Side::Branch,
        };
        for record in above {
            sides[record] = Some(side);
        }
    }
    let main = || (0..sides.len()).filter(|record| scene.is_main(*record) && index.counts(*record));
    let islands = main().filter(|record| is_broken && sides[*record] == Some(Side::Island));
    // Branches of what the client does reach are not lost.
    let near = scene.below(|at| scene.walked[at] || scene.live[at]);
    let mut unreachable = 0;
    let mut lost = vec![false; sides.len()];
    for record in islands {
        unreachable += 1;
        lost[record] = !near[record];
    }
    let reach = Reach {
        records: main().count(),
        reached: chain.walk.len(),
        strict: chain.walk.len() - safe,
        unreachable,
        lost: lost.iter().filter(|lost| **lost).count(),
        gaps: gaps.len(),
        before_boundary: scene.behind.iter().filter(|behind| **behind).count(),
    };
    (reach, lost)
}

fn starts_in_the_middle(scene: &Scene<'_>) -> bool {
    let root = scene.chain.walk.first();
    root.is_some_and(|root| {
        let entry = &scene.index.entries()[*root];
        let is_odd = entry.kind == Kind::Assistant || super::links::is_result(scene.index, entry);
        is_odd && entry.parent.is_none()
    })
}
