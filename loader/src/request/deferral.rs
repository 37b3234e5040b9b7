//! Whether tools are deferred: only their names are listed, and the model asks for schemas
//! (facts C4.1, C4.2, 66).

use super::denied::Rule;
use super::models::takes_deferred_tools;
use crate::session::Session;

/// Whether the client defers tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deferral {
    /// No.
    Off,
    /// Those that it may.
    On,
    /// Those of servers, when their schemas take more than this part of the window, in per cent.
    BySize(u32),
}

impl Session<'_> {
    /// What the version, the model and `ENABLE_TOOL_SEARCH` say.
    pub(super) fn deferral(&self) -> Deferral {
        if self.is_bare() || !takes_deferred_tools(&self.model().facts.name) {
            return Deferral::Off;
        }
        let mode = self.origin().env.get("ENABLE_TOOL_SEARCH");
        let mode = mode.map(|mode| mode.trim().to_ascii_lowercase());
        match mode.as_deref().unwrap_or_default() {
            "" if self.client().behaviour.mcp_deferred => Deferral::On,
            "" | "0" | "false" | "no" | "off" => Deferral::Off,
            "auto" => Deferral::BySize(10),
            mode => match mode.strip_prefix("auto:").map(str::parse) {
                Some(Ok(percent)) if percent > 0 => Deferral::BySize(percent),
                _ => Deferral::On,
            },
        }
    }
}

/// Whether a rule takes the tool away with which the model asks for schemas; then none is
/// deferred.
pub(super) fn denies_search(rules: &[Rule]) -> bool {
    rules.iter().any(|rule| rule.takes(SEARCH))
}

/// The tool with which the model asks for schemas.
pub(super) const SEARCH: &str = "ToolSearch";
