//! `simulate` as JSON (docs/json.md).

use anyhow::Result;
use outcrop_compactor::pipeline::PipelineResult;
use serde_json::{Value, json};

use super::Output;
use super::simulate::Simulated;

pub(crate) fn write(
    output: &mut Output,
    view: &Simulated<'_>,
    result: &PipelineResult<'_>,
) -> Result<()> {
    let window = view.window;
    let mut value = json!({
        "schema": "outcrop/simulate@1",
        "session": view.session,
        "client": window.client,
        "model": window.model.name,
        "window": window.window.value,
        "threshold": window.trigger,
        "limits": window,
        "next": view.next,
        "not_in_transcript": view.beside,
        "floor": view.floor,
        "refused": view.refusal(),
        "leaf": view.leaf(),
        "diagnostics": view.diagnostics(),
    });
    if let (Some(value), Value::Object(result)) =
        (value.as_object_mut(), serde_json::to_value(result)?)
    {
        value.extend(result);
    }
    if let (Some(anchor), Some(before)) = (view.anchor, value.get_mut("before")) {
        let uuid = view.index.entries()[anchor.record].uuid;
        let uuid = uuid.map(|uuid| view.index.text(uuid));
        before["anchor"] = json!({"uuid": uuid, "usage": anchor.usage});
    }
    if let Some(compacted) = view.compacted {
        value["evidence"] = json!(view.evidence);
        value["files"] = json!(compacted.files);
        value["skills"] = json!(compacted.skills);
    }
    if let Some(loss) = view.loss {
        value["loss"] = json!(loss);
        value["loss"]["instructions"] = json!(view.fates);
    }
    output.json(&value)
}
