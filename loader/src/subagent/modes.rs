//! Which permission mode a sub-agent has under each mode of the parent (fact C2.25).

use serde::Serialize;

use crate::client::Behaviour;

/// The modes of a parent in which sub-agents were observed, and those in which none starts.
const PARENTS: [&str; 6] = [
    "default",
    "acceptEdits",
    "plan",
    "bypassPermissions",
    "dontAsk",
    "auto",
];

/// A mode of the parent, and what becomes of the sub-agent's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ModeRow {
    /// The parent's mode.
    pub parent: &'static str,
    /// The sub-agent's; `None` where print mode refuses the call that starts it.
    pub effective: Option<String>,
    /// Whether this was observed.
    pub observed: bool,
}

/// The mode under each mode of the parent.
pub(super) fn rows(own: Option<&str>, behaviour: &Behaviour) -> Vec<ModeRow> {
    let row = |parent: &'static str| ModeRow {
        parent,
        effective: effective_mode(parent, own, behaviour),
        observed: is_observed(parent, own, behaviour),
    };
    PARENTS.into_iter().map(row).collect()
}

/// The mode of a sub-agent whose definition names `own`, or none: it may loosen the parent's
/// and never tightens it. `None` where the call is refused: newer clients leave its safety to
/// the service in `plan` and `auto`.
#[must_use]
pub fn effective_mode(parent: &str, own: Option<&str>, behaviour: &Behaviour) -> Option<String> {
    let agents = &behaviour.agents;
    let mode = match (parent, own) {
        ("plan" | "auto", _) if agents.no_bypass => return None,
        ("bypassPermissions" | "acceptEdits", _) => parent,
        (_, Some("acceptEdits")) => "acceptEdits",
        (_, Some("auto")) if agents.auto_mode => "auto",
        (_, Some("bypassPermissions")) if !agents.no_bypass => "bypassPermissions",
        _ => parent,
    };
    Some(mode.to_owned())
}

fn is_observed(parent: &str, own: Option<&str>, behaviour: &Behaviour) -> bool {
    let older = !behaviour.agents.no_bypass;
    match (parent, own) {
        ("auto", _) => !older,
        (_, Some("auto")) => !older,
        ("plan", Some("acceptEdits" | "bypassPermissions")) => true,
        ("plan", _) => !older,
        _ => true,
    }
}
