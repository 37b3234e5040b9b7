//! `carry` as JSON (docs/json.md).

use anyhow::Result;
use serde_json::{Value, json};

use super::carry::{Carried, Refused, fate};
use super::{Output, poison};

/// A session that is not carried over.
pub(crate) fn refuse(output: &mut Output, refused: &Refused<'_>) -> Result<()> {
    output.json(&json!({
        "schema": "outcrop/carry@1",
        "session": refused.source.id,
        "client": refused.client.version,
        "refused": true,
        "poison": poison::json(&refused.source.id, refused.poison),
    }))
}

pub(crate) fn write(output: &mut Output, carried: &Carried<'_>) -> Result<()> {
    let plan = carried.plan;
    let messages = plan.messages.iter();
    let messages: Vec<Value> = messages
        .map(|message| json!({"role": message.role.name(), "blocks": message.blocks}))
        .collect();
    let counts = plan.counts().into_iter();
    let counts: Vec<Value> = counts
        .map(|((how, reason), records)| {
            json!({"fate": fate(how), "reason": reason, "records": records})
        })
        .collect();
    let written = carried.written.as_ref().map(|written| {
        json!({
            "path": written.path.display().to_string(),
            "session": carried.identity.session,
            "bytes": written.bytes,
            "appended": written.appended,
            "resume": carried.command(),
        })
    });
    output.json(&json!({
        "schema": "outcrop/carry@1",
        "session": carried.source.id,
        "client": carried.client.version,
        "refused": false,
        "before": {
            "records": carried.chain.records.len(),
            "tokens": carried.tokens_before(),
        },
        "tokenizer": {"name": carried.family, "kind": carried.family.kind()},
        "target": plan.target,
        "tokens": plan.tokens,
        "tail": plan.tail,
        "messages": messages,
        "counts": counts,
        "records": plan.verdicts,
        "redacted": plan.redacted,
        "questions": plan.questions,
        "poison": poison::json(&carried.source.id, carried.poison),
        "written": written,
    }))
}
