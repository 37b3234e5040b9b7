//! `agents --json`: the contract `outcrop/agents@1` (docs/json.md).

use anyhow::Result;
use outcrop_loader::catalog::agents::{Agent, Agents};
use outcrop_loader::session::Session;
use outcrop_loader::tokens::{Family, Tokens};
use serde_json::{Value, json};

use super::Output;

pub(crate) fn write(
    output: &mut Output,
    session: &Session<'_>,
    agents: &Agents,
    (family, sizes): (Family, &[Option<Tokens>]),
) -> Result<()> {
    let both = agents.agents.iter().zip(sizes);
    let listed: Vec<Value> = both.map(|(one, size)| agent(one, *size)).collect();
    let refused = agents.refused_plugins.iter();
    let refused = refused.map(|(folder, why)| json!({"path": folder, "why": why}));
    output.json(&json!({
        "schema": "outcrop/agents@1",
        "client": session.client().version,
        "cwd": session.cwd(),
        "tokenizer": family,
        "agents": listed,
        "absent": agents.absent,
        "silent": agents.silent,
        "ends": agents.ends,
        "refused_plugins": refused.collect::<Vec<_>>(),
        "diagnostics": session.diagnostics(),
    }))
}

/// An agent, with the tokens of its line in the listing.
pub(super) fn agent(agent: &Agent, size: Option<Tokens>) -> Value {
    let mut value = json!(agent);
    value["tokens"] = json!(size);
    value
}
