//! `show --json`: the contract `outcrop/show@1` (docs/json.md).

use anyhow::Result;
use outcrop_loader::javascript;
use outcrop_loader::record::{Delivery, Layer, Skip};
use outcrop_loader::session::{Waiting, WaitingKind};
use outcrop_loader::tokens::Tokens;
use outcrop_verify::Profile;
use outcrop_verify::profile::Place;
use serde_json::{Map, Value, json};

use super::Output;
use super::show_table::Shown;
use super::whole;
use crate::start::{Sizes, total};

pub(crate) fn write(output: &mut Output, shown: &Shown<'_, '_>) -> Result<()> {
    let Shown {
        session,
        waiting,
        sizes,
        ..
    } = *shown;
    let deliveries = session.deliveries().iter().enumerate();
    let deliveries = deliveries.map(|(index, one)| delivery(one, sizes, index));
    let deliveries: Vec<Value> = deliveries.collect();
    let files: Vec<Value> = waiting.files.iter().map(waiting_file).collect();
    let family = sizes.model().family;
    let mut document = json!({
        "schema": "outcrop/show@1",
        "client": session.client().version,
        "cwd": session.cwd(),
        "tokenizer": {
            "name": family,
            "kind": family.kind(),
            "frame": family.frame(),
            "assumed": !sizes.model().is_known,
            "as_context": sizes.as_context,
        },
        "deliveries": deliveries,
        "waiting": {
            "files": files,
            "ignored": waiting.ignored,
            "truncated": waiting.truncated,
        },
        "diagnostics": session.diagnostics(),
    });
    if let Some(profile) = shown.profile {
        document["learned"] = learned(shown, profile);
    }
    if let Some(text) = shown.appended {
        document["appended_system_prompt"] = json!({ "characters": text.encode_utf16().count() });
    }
    if let Some(whole) = shown.whole {
        document["sections"] = whole::json::sections(session, sizes, whole);
        document["request"] = whole::json::request(whole);
    }
    output.json(&document)
}

/// What the client adds of its own, in UTF-16 units and in tokens.
fn learned(shown: &Shown<'_, '_>, profile: &Profile) -> Value {
    let session = shown.session;
    let start = session.deliveries().first();
    let tools = profile.tools.iter().map(|tool| {
        let characters = javascript::len(&tool.text);
        json!({ "name": tool.name, "characters": characters })
    });
    let sizes = profile.sizes(&Place::of(session), javascript::len);
    let mut learned = json!({
        "model": profile.model,
        "framing": start.and_then(|start| profile.framing_of(start, javascript::len)),
        "system": sizes.system,
        "message": sizes.message,
        "tools": sizes.tools,
        "each_tool": tools.collect::<Vec<_>>(),
    });
    if let Some(start) = start {
        let client = shown.sizes.client(session, start, profile);
        learned["tokens"] = json!({
            "framing": client.framing,
            "system": client.system,
            "message": client.message,
            "tools": client.tools,
        });
    }
    learned
}

fn delivery(delivery: &Delivery, sizes: &Sizes, index: usize) -> Value {
    let list = |layers: &[Layer], sizes: &[Tokens]| -> Vec<Value> {
        let both = layers.iter().zip(sizes);
        both.map(|(one, size)| layer(one, *size)).collect()
    };
    let layers = list(&delivery.layers, sizes.layers(index));
    let skipped: Vec<Value> = delivery.skipped.iter().map(skip).collect();
    let mut value = json!({
        "trigger": delivery.trigger,
        "layers": layers,
        "skipped": skipped,
        "tokens": total(sizes.layers(index).iter().copied()),
    });
    if !delivery.by_hook.is_empty() {
        value["by_hook"] = json!(list(&delivery.by_hook, sizes.by_hook(index)));
    }
    value
}

fn layer(layer: &Layer, size: Tokens) -> Value {
    let mut value = json!({
        "path": layer.title.unwrap_or(layer.path.as_str()),
        "scope": layer.scope,
        "cause": layer.cause,
        "lines": layer.lines(),
        "bytes": layer.text.len(),
        "characters": layer.characters(),
        "tokens": size,
        "evidence": layer.evidence,
        "text": layer.text,
        "source_lines": ranges(&layer.source_lines()),
    });
    if layer.title.is_some() {
        value["file"] = json!(layer.path);
    }
    if let Some(heading) = &layer.heading {
        value["heading"] = json!(heading);
    }
    if layer.owner != layer.scope {
        value["owner"] = json!(layer.owner);
    }
    if let Some(notice) = &layer.notice {
        value["notice"] = json!(notice);
    }
    value
}

/// Runs of delivered lines that follow each other in the file: `[delivered, source, count]`.
fn ranges(lines: &[u32]) -> Vec<[usize; 3]> {
    let mut runs: Vec<[usize; 3]> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let line = usize::try_from(*line).unwrap_or(usize::MAX);
        match runs.last_mut() {
            Some([_, source, count]) if *source + *count == line => *count += 1,
            _ => runs.push([index + 1, line, 1]),
        }
    }
    runs
}

fn skip(skip: &Skip) -> Value {
    let mut value = Map::new();
    value.insert("path".to_owned(), json!(skip.path));
    value.insert("scope".to_owned(), json!(skip.scope));
    value.insert("reason".to_owned(), json!(skip.reason));
    value.insert("case".to_owned(), json!(skip.case));
    if let Some(mention) = &skip.mention {
        value.insert("by".to_owned(), json!(mention.by));
        value.insert("line".to_owned(), json!(mention.line));
        value.insert("column".to_owned(), json!(mention.column));
        value.insert("reference".to_owned(), json!(mention.reference));
    }
    value.insert("detail".to_owned(), json!(skip.detail));
    value.insert("evidence".to_owned(), json!(skip.evidence));
    Value::Object(value)
}

fn waiting_file(file: &Waiting) -> Value {
    match &file.kind {
        WaitingKind::Rule { patterns, base } => json!({
            "kind": "rule",
            "path": file.path,
            "scope": file.scope,
            "patterns": patterns,
            "base": base,
        }),
        WaitingKind::Nested => json!({
            "kind": "nested",
            "path": file.path,
            "scope": file.scope,
        }),
    }
}
