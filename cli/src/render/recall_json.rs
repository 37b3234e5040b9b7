//! `recall` as JSON (docs/json.md).

use anyhow::Result;
use outcrop_compactor::store::StoreError;
use outcrop_compactor::store::cold::Cold;
use serde_json::{Value, json};

use super::Output;
use super::recall::{Found, Restoration, Searched};

pub(crate) fn searched(output: &mut Output, cold: &Cold, searched: &Searched) -> Result<()> {
    let found = searched
        .found
        .iter()
        .map(found)
        .collect::<Result<Vec<Value>>>()?;
    let damaged = searched.damaged.iter().map(StoreError::to_string);
    output.json(&json!({
        "schema": "outcrop/recall@1",
        "archive": cold.root().to_string_lossy(),
        "found": found,
        "has_more": searched.has_more,
        "sessions": searched.sessions,
        "files": searched.files,
        "bytes": searched.bytes,
        "too_long": searched.too_long,
        "damaged": damaged.collect::<Vec<_>>(),
    }))
}

fn found(found: &Found) -> Result<Value> {
    let mut value = json!({
        "session": found.session,
        "project": found.project,
        "path": found.path,
    });
    if let (Some(value), Value::Object(hit)) =
        (value.as_object_mut(), serde_json::to_value(&found.hit)?)
    {
        value.extend(hit);
    }
    Ok(value)
}

pub(crate) fn restored(output: &mut Output, restoration: &Restoration<'_>) -> Result<()> {
    let files = restoration.files.iter().map(|file| {
        json!({
            "path": file.path.to_string_lossy(),
            "bytes": file.bytes,
            "was_there": file.was_there,
        })
    });
    output.json(&json!({
        "schema": "outcrop/restored@1",
        "session": restoration.manifest.session,
        "project": restoration.manifest.project,
        "generation": restoration.target.generation.unwrap_or(restoration.manifest.generation),
        "folder": restoration.target.folder.to_string_lossy(),
        "dry_run": restoration.target.dry,
        "files": files.collect::<Vec<_>>(),
    }))
}
