//! `memory` as JSON (docs/json.md).

use anyhow::Result;
use outcrop_compactor::redact::redact;
use outcrop_loader::memory::{CHARACTERS, LINES};
use serde_json::{Value, json};

use super::Output;
use super::memory::Looked;

pub(crate) fn write(output: &mut Output, looked: &Looked<'_>) -> Result<()> {
    let audit = looked.audit;
    let proposal = looked.proposal.map(|proposal| {
        let topics = proposal.topics.iter();
        let topics: Vec<Value> = topics
            .map(|topic| json!({"name": topic.name, "text": topic.text}))
            .collect();
        json!({
            "index": proposal.index,
            "topics": topics,
            "fits": proposal.fits,
            "written": looked.written.map(|folder| folder.display().to_string()),
        })
    });
    let mut value = json!({
        "schema": "outcrop/memory@1",
        "client": looked.session.client().version,
        "project": looked.session.cwd(),
        "limits": {"lines": LINES, "characters": CHARACTERS},
        "memory": audit,
        "proposal": proposal,
    });
    hide(&mut value);
    output.json(&value)
}

/// Takes secrets out of all texts.
fn hide(value: &mut Value) {
    match value {
        Value::String(text) => {
            let clean = redact(text);
            if !clean.found.is_empty() {
                *text = clean.text.into_owned();
            }
        }
        Value::Array(all) => all.iter_mut().for_each(hide),
        Value::Object(all) => all.values_mut().for_each(hide),
        _ => {}
    }
}
