//! `simulate` as JSON (docs/json.md).

use anyhow::Result;
use serde_json::json;

use super::Output;
use super::simulate::Simulated;

pub(crate) fn write(output: &mut Output, simulated: &Simulated<'_>) -> Result<()> {
    let mut value = json!({
        "schema": "outcrop/simulate@1",
        "session": simulated.session,
        "client": simulated.client.version,
        "window": simulated.window,
        "threshold": simulated.threshold,
    });
    let result = serde_json::to_value(simulated.result)?;
    if let (Some(value), serde_json::Value::Object(result)) = (value.as_object_mut(), result) {
        value.extend(result);
    }
    value["refused"] = json!(simulated.refusal());
    value["diagnostics"] = json!(simulated.diagnostics());
    output.json(&value)
}
