//! What attachments add to messages (facts C1.9, C2.3, I40, I70).

use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::items::{Item, placed};
use super::{Block, From, Placed};
use crate::chain::Resume;
use crate::transcript::record::{self, Content, Record};

/// What one attachment says; nothing where it says nothing. Newer clients wrote down what it
/// contributed; where that is missing, it is told anew. Tasks are told anew by older clients, and
/// to older models.
pub(super) fn item(
    kind: &str,
    record: Record,
    client: &Resume,
    tells_tasks: bool,
    from: impl Fn(usize) -> From,
) -> Option<Item> {
    let role = record.rendered_role.as_deref();
    let role = role.filter(|_| client.attachments_rendered);
    let rendered = record.rendered.filter(|_| client.attachments_rendered);
    let is_told = |content: &Content| matches!(content, Content::Text(_));
    let Some(rendered) =
        rendered.filter(|rendered| !rendered.is_empty() && rendered.iter().all(is_told))
    else {
        let attachment = serde_json::from_str::<Value>(record.attachment?.get()).ok()?;
        if !tells_tasks && matches!(kind, "task_reminder" | "todo_reminder") {
            return None;
        }
        return told_anew(kind, &attachment, role, client, from);
    };
    let mut pieces = Vec::new();
    for (number, content) in rendered.into_iter().enumerate() {
        pieces.extend(placed(content, |_| from(number)));
    }
    if kind == "queued_command" && record.attachment.as_deref().is_some_and(is_human_turn) {
        return Some(Item::Queued(pieces));
    }
    // Where the role is missing, the type decides.
    let is_user = ["instructions", "session_context", "remote_session_change"].contains(&kind);
    Some(match role {
        Some("user") | None if role.is_some() || is_user => Item::Attached {
            is_call: pieces.len() == 2 && kind != "queued_command",
            is_beside: stands_beside(kind),
            pieces,
        },
        _ => Item::Told(pieces),
    })
}

/// Whether what an attachment adds to a user message stands beside results.
fn stands_beside(kind: &str) -> bool {
    matches!(kind, "nested_memory" | "file" | "directory")
}

/// Whether a prompt that was typed while the model worked is sent as one
/// (docs/facts-sessions.md 192).
fn is_human_turn(attachment: &RawValue) -> bool {
    let attachment = serde_json::from_str::<Value>(attachment.get());
    attachment.is_ok_and(|attachment| is_humans(&attachment))
}

fn is_humans(attachment: &Value) -> bool {
    attachment.get("humanTurn") == Some(&Value::Bool(true))
        && attachment.pointer("/origin/kind").and_then(Value::as_str) == Some("human")
}

fn told_anew(
    kind: &str,
    attachment: &Value,
    role: Option<&str>,
    client: &Resume,
    from: impl Fn(usize) -> From,
) -> Option<Item> {
    let told = super::told::told(attachment, !client.attachments_rendered)?;
    let mut parts = told.parts;
    let rest = parts.split_off(told.call_parts.min(parts.len()));
    let framed = |parts: Vec<String>, frame, number| Placed {
        block: Block::Framed {
            text: parts.join("\n"),
            frame,
        },
        from: Some(from(number)),
    };
    let call = (told.call_parts > 0).then(|| framed(parts, told.call_frame, 0));
    let has_rest = !rest.is_empty() || call.is_none();
    let text = has_rest.then(|| framed(rest, told.frame, usize::from(call.is_some())));
    let images = told
        .images
        .iter()
        .filter_map(|image| to_raw_value(image).ok());
    let images = images.map(|image| record::Block::read(&image));
    let images = images.enumerate().map(|(number, block)| Placed {
        block: Block::Read(block),
        from: Some(from(number + 1)),
    });
    let images: Vec<Placed> = images.collect();
    let pieces: Vec<Placed> = call.into_iter().chain(text).chain(images).collect();
    let is_queued =
        client.attachments_rendered && kind == "queued_command" && is_humans(attachment);
    if is_queued {
        return Some(Item::Queued(pieces));
    }
    let is_user = told.is_user || role == Some("user");
    Some(match is_user && role != Some("system") {
        true => Item::Attached {
            is_call: told.call_parts > 0,
            is_beside: kind == "queued_command" || (role.is_some() && stands_beside(kind)),
            pieces,
        },
        false => Item::Told(pieces),
    })
}

/// A text without the tags that mark it as a reminder: in system messages it has none.
pub(super) fn bare(content: &str) -> &str {
    let inner = content
        .strip_prefix("<system-reminder>\n")
        .and_then(|text| {
            text.trim_end_matches('\n')
                .strip_suffix("\n</system-reminder>")
        });
    inner.unwrap_or(content)
}
