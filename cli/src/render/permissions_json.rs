//! `permissions` as JSON (docs/json.md).

use anyhow::Result;
use outcrop_loader::permissions::{Decision, Permissions};
use outcrop_loader::session::{Session, ToolCall};
use serde_json::{Value, json};

use super::Output;

pub(crate) fn write(
    output: &mut Output,
    session: &Session<'_>,
    permissions: &Permissions<'_, '_>,
    calls: &[(&str, ToolCall)],
    decided: &[(&str, Decision)],
) -> Result<()> {
    let decisions = calls.iter().zip(decided).map(|((_, call), (_, decision))| {
        let mut value = serde_json::to_value(decision)?;
        value["call"] = serde_json::to_value(call)?;
        value["in_print"] = serde_json::to_value(decision.outcome.in_print())?;
        Ok(value)
    });
    let decisions = decisions.collect::<Result<Vec<Value>>>()?;
    output.json(&json!({
        "schema": "outcrop/permissions@1",
        "client": session.client().version,
        "cwd": session.cwd(),
        "mode": permissions.mode,
        "trusted": permissions.trusted,
        "directories": permissions.directories,
        "rules": permissions.rules,
        "decisions": decisions,
        "diagnostics": session.diagnostics(),
    }))
}
