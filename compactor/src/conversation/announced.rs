//! What a session was told about itself, by the attachments in its records.

use rustc_hash::FxHashSet;

use crate::transcript::{Index, Kind};

/// What some records tell.
pub(super) struct Announced<'a> {
    /// The types of their attachments.
    kinds: FxHashSet<&'a str>,
    /// They tell last that the session plans, which one that is resumed does not.
    pub plans: bool,
}

/// What `records` tell.
pub(super) fn of<'a>(index: &'a Index, records: &[usize]) -> Announced<'a> {
    let entries = records.iter().map(|record| &index.entries()[*record]);
    let attachments = entries.filter(|entry| entry.kind == Kind::Attachment);
    let kinds = attachments.filter_map(|entry| entry.detail.map(|detail| index.text(detail)));
    let mut announced = Announced {
        kinds: FxHashSet::default(),
        plans: false,
    };
    for kind in kinds {
        announced.kinds.insert(kind);
        match kind {
            "plan_mode" | "plan_mode_reentry" => announced.plans = true,
            "plan_mode_exit" => announced.plans = false,
            _ => {}
        }
    }
    announced
}

impl Announced<'_> {
    pub(super) fn has(&self, kind: &str) -> bool {
        self.kinds.contains(kind)
    }
}
