//! `sessions` as JSON (docs/json.md).

use anyhow::Result;
use outcrop_compactor::sessions::time::rfc3339;
use serde_json::{Value, json};

use super::Output;
use super::sessions::Listed;
use crate::start::sessions::{Row, Stored};

pub(crate) fn write(output: &mut Output, listed: &Listed<'_>) -> Result<()> {
    let rows = listed.surveyed.rows.iter().map(|row| session(listed, row));
    let strays = listed.surveyed.strays.iter();
    output.json(&json!({
        "schema": "outcrop/sessions@1",
        "projects": listed.projects.root().to_string_lossy(),
        "directory": (!listed.all).then(|| listed.projects.directory()),
        "now": rfc3339(listed.now),
        "retention": listed.retention,
        "sessions": rows.collect::<Result<Vec<Value>>>()?,
        "strays": strays.map(|file| file.path.as_str()).collect::<Vec<_>>(),
        "orphans": listed.surveyed.orphans.iter().map(|path| path.as_str()).collect::<Vec<_>>(),
    }))
}

fn session(listed: &Listed<'_>, row: &Row) -> Result<Value> {
    let agents =
        row.found.agents.iter().map(
            |file| json!({"id": file.agent, "path": file.path.as_str(), "bytes": file.length}),
        );
    let mut value = json!({
        "id": row.found.id,
        "project": row.found.project,
        "path": row.found.path.as_str(),
        "bytes": row.found.length,
        "modified": row.modified.and_then(rfc3339),
        "deleted_in_days": listed.days_left(row.modified),
        "subagents": agents.collect::<Vec<_>>(),
        "persisted": stored(listed, &row.persisted),
        "checkpoints": stored(listed, &row.checkpoints),
        "history": row.prompts,
        "error": row.survey.as_ref().err(),
    });
    if let Ok(survey) = &row.survey
        && let (Some(value), Value::Object(survey)) =
            (value.as_object_mut(), serde_json::to_value(survey)?)
    {
        value.extend(survey);
    }
    Ok(value)
}

fn stored(listed: &Listed<'_>, stored: &Stored) -> Value {
    json!({
        "files": stored.files,
        "bytes": stored.bytes,
        "deleted_in_days": listed.days_left(stored.oldest),
    })
}
