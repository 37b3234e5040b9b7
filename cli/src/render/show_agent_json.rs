//! `show --agent --json`: the contract `outcrop/show-agent@1` (docs/json.md).

use anyhow::Result;
use outcrop_loader::subagent::{Block, Part};
use serde_json::{Value, json};

use super::show_agent::Shown;
use super::{Output, agents_json};
use crate::start::total;

pub(crate) fn write(output: &mut Output, shown: &Shown<'_, '_>) -> Result<()> {
    let Shown {
        session,
        subagent,
        model,
        ..
    } = *shown;
    let mut document = json!(subagent);
    document["agent"] = agents_json::agent(&subagent.agent, None);
    document["agent"]["body"] = json!(subagent.agent.body);
    let parts: Vec<Value> = subagent.parts.iter().map(|one| part(shown, one)).collect();
    document["parts"] = json!(parts);
    document["schema"] = json!("outcrop/show-agent@1");
    document["client"] = json!(session.client().version);
    document["cwd"] = json!(session.cwd());
    document["tokenizer"] = json!(model.family);
    document["diagnostics"] = json!(session.diagnostics());
    output.json(&document)
}

fn part(shown: &Shown<'_, '_>, part: &Part) -> Value {
    let mut value = json!(part);
    if let Some(text) = &part.text {
        value["tokens"] = json!(shown.counts.get(text.as_str()));
    }
    if part.block == Block::Instructions {
        let start = shown.session.deliveries().first();
        let layers = start.map(|start| start.layers.iter().map(|layer| layer.name()));
        value["layers"] = layers.into_iter().flatten().collect();
        value["tokens"] = json!(total(shown.layers.iter().copied()));
    }
    value
}
