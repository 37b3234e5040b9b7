//! `inspect` as JSON (docs/json.md).

use anyhow::Result;
use serde_json::{Value, json};

use super::Output;
use super::inspect::Inspected;

pub(crate) fn write(output: &mut Output, inspected: &Inspected<'_>) -> Result<()> {
    let mut value = json!({
        "schema": "outcrop/inspect@1",
        "session": inspected.session,
        "path": inspected.path.to_string_lossy(),
        "bytes": inspected.bytes,
        "client": inspected.client.version,
        "survey": inspected.survey,
        "limits": inspected.limits,
        "usage": inspected.spending,
    });
    let inspection = serde_json::to_value(inspected.inspection)?;
    if let (Some(value), Value::Object(inspection)) = (value.as_object_mut(), inspection) {
        value.extend(inspection);
    }
    output.json(&value)
}
