//! `handoff` as JSON (docs/json.md).

use anyhow::Result;
use jiff::Timestamp;
use outcrop_compactor::store::Handoff;
use serde_json::{Value, json};

use super::Output;
use super::handoff::{Cleaned, Listed, Took, Wrote};

pub(crate) fn wrote(output: &mut Output, wrote: &Wrote<'_>) -> Result<()> {
    output.json(&json!({
        "schema": "outcrop/handoff-write@1",
        "path": wrote.path.map(|path| path.display().to_string()),
        "name": wrote.name,
        "title": wrote.title,
        "session": wrote.session,
        "text": wrote.text,
        "sections": wrote.sections,
        "redacted": wrote.redacted,
    }))
}

fn handoff(one: &Handoff, now: Timestamp) -> Value {
    json!({
        "name": one.name.file(),
        "path": one.path.display().to_string(),
        "state": if one.name.is_done() { "taken" } else { "waiting" },
        "single": one.is_single,
        "at": format!("{:.0}", one.at),
        "modified": format!("{:.0}", one.modified),
        "age_seconds": one.age(now).as_secs(),
        "title": one.title(),
        "session": one.head.session,
        "bytes": one.bytes,
    })
}

pub(crate) fn listed(output: &mut Output, listed: &Listed<'_>) -> Result<()> {
    let handoffs = listed.handoffs.iter();
    let handoffs: Vec<Value> = handoffs.map(|one| handoff(one, listed.now)).collect();
    output.json(&json!({
        "schema": "outcrop/handoff-list@1",
        "folder": listed.folder.display().to_string(),
        "handoffs": handoffs,
    }))
}

pub(crate) fn took(output: &mut Output, took: &Took<'_>) -> Result<()> {
    let taken = took.taken.iter().map(|one| {
        let mut value = handoff(&one.handoff, took.now);
        // Where it is now, and what that makes it.
        value["path"] = json!(one.path.display().to_string());
        value["state"] = json!(if took.peeks { "waiting" } else { "taken" });
        value["text"] = json!(one.text);
        value["lossy"] = json!(one.is_lossy);
        value
    });
    let taken: Vec<Value> = taken.collect();
    let left = took.passed.iter();
    let left: Vec<Value> = left
        .map(|passed| json!({"name": passed.name, "why": passed.why}))
        .collect();
    output.json(&json!({
        "schema": "outcrop/handoff-take@1",
        "folder": took.folder.display().to_string(),
        "peek": took.peeks,
        "handoffs": taken,
        "left": left,
    }))
}

pub(crate) fn cleaned(output: &mut Output, cleaned: &Cleaned<'_>) -> Result<()> {
    let old = cleaned.old.iter().enumerate().map(|(number, one)| {
        let mut value = handoff(one, cleaned.now);
        value["removed"] = json!(cleaned.removed.is_some_and(|removed| removed[number]));
        value
    });
    let old: Vec<Value> = old.collect();
    output.json(&json!({
        "schema": "outcrop/handoff-clean@1",
        "folder": cleaned.folder.display().to_string(),
        "days": cleaned.days,
        "waiting": cleaned.waiting,
        "handoffs": old,
    }))
}
