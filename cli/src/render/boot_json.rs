//! `boot` as JSON (docs/json.md), and as a hook prints it.

use anyhow::Result;
use outcrop_compactor::boot::Packet;
use outcrop_compactor::sessions::time::rfc3339;
use serde_json::{Value, json};

use super::Output;
use super::boot::Booted;

pub(crate) fn write(output: &mut Output, booted: &Booted<'_>) -> Result<()> {
    let (packet, options) = (booted.packet, booted.options);
    let spine = packet.spine.as_ref().map(|lines| {
        let lines = lines.iter();
        let lines = lines.map(|(line, quote)| json!({"line": line, "quote": quote}));
        lines.collect::<Vec<Value>>()
    });
    output.json(&json!({
        "schema": "outcrop/boot@1",
        "now": rfc3339(packet.now),
        "project": booted.project,
        "forge": options.forge,
        "tokenizer": {"name": options.family, "kind": options.family.kind()},
        "max_tokens": options.tokens,
        "tokens": packet.tokens.count,
        "facts": packet.facts,
        "boundaries": packet.boundaries,
        "open": packet.open,
        "spine": spine,
        "recent": packet.recent,
        "reasons": packet.reasons,
        "excluded": packet.excluded,
        "text": packet.text,
    }))
}

/// What the client takes from a hook at the start of a session (fact C3.6).
pub(crate) fn write_hook(output: &mut Output, packet: &Packet) -> Result<()> {
    if packet.text.is_empty() {
        return Ok(());
    }
    output.json(&json!({
        "hookSpecificOutput": {
            "hookEventName": "SessionStart",
            "additionalContext": packet.text,
        },
    }))
}
