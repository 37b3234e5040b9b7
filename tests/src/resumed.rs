//! What a resumed session was seen to send, and comparing it with a prediction.

use std::fmt::Write as _;

use outcrop_compactor::chain::Chain;
use outcrop_compactor::conversation::{
    Block, Conversation, Instruction, Message, Placed, Resumed, Role,
};
use outcrop_compactor::transcript::Transcript;
use outcrop_compactor::transcript::record::{self, Content};
use outcrop_loader::client::Client;
use serde_json::{Value, json};

/// A message that was seen.
#[derive(Debug)]
pub struct Seen {
    /// `user`, `assistant` or `system`.
    pub role: String,
    /// Its blocks.
    pub blocks: Vec<SeenBlock>,
}

/// A block that was seen.
#[derive(Debug, Default)]
pub struct SeenBlock {
    /// Its type.
    pub kind: String,
    /// The tool, of a call.
    pub name: Option<String>,
    /// Our own texts in it, in order.
    pub markers: Vec<String>,
    /// It holds the client's own words.
    pub is_client_text: bool,
    /// The whole text, where all of it is ours.
    pub text: Option<String>,
}

/// What `client` sends that resumes `bytes` with `prompt`.
///
/// # Panics
///
/// When the version is unknown.
#[must_use]
pub fn predicted(
    bytes: Vec<u8>,
    client: &str,
    prompt: &str,
    model: Option<&str>,
    instructions: Option<Vec<Instruction>>,
) -> (Chain, Vec<Message>) {
    let client = Client::of(client.parse().expect("a version")).expect("a known version");
    let resume = &client.behaviour.resume;
    let transcript = Transcript::read(bytes).expect("bytes can be read");
    let chain = Chain::of(&transcript, resume).expect("bytes can be read");
    let resumed = Resumed {
        prompt: Some(prompt.to_owned()),
        instructions,
        model: model.map(str::to_owned),
    };
    let conversation =
        Conversation::of(&transcript, &chain, &client, &resumed).expect("bytes can be read");
    (chain, conversation.messages)
}

/// What of a request's body is compared, in the form of a recording.
#[must_use]
pub fn sent(body: &Value) -> Value {
    let messages = body["messages"].as_array().into_iter().flatten();
    let messages: Vec<Value> = messages
        .map(|message| {
            let blocks = match &message["content"] {
                Value::String(text) => json!([{"type": "text", "text": text}]),
                blocks => blocks.clone(),
            };
            json!({"role": message["role"], "blocks": blocks})
        })
        .collect();
    json!({"messages": messages, "model": body["model"]})
}

/// The messages of a recording in the form of INDEX.json or of a case of ours.
///
/// # Panics
///
/// When it has another form.
#[must_use]
pub fn seen(messages: &Value) -> Vec<Seen> {
    let messages = messages.as_array().expect("messages");
    messages
        .iter()
        .map(|message| Seen {
            role: message["role"].as_str().expect("a role").to_owned(),
            blocks: message["blocks"]
                .as_array()
                .expect("blocks")
                .iter()
                .map(seen_block)
                .collect(),
        })
        .collect()
}

fn seen_block(block: &Value) -> SeenBlock {
    let text = |key: &str| block.get(key).and_then(Value::as_str).map(str::to_owned);
    let markers = block.get("markers").and_then(Value::as_array);
    let mut seen = SeenBlock {
        kind: text("type").unwrap_or_default(),
        name: text("name"),
        markers: markers
            .into_iter()
            .flatten()
            .filter_map(|marker| marker.as_str().map(str::to_owned))
            .collect(),
        is_client_text: block.get("label").is_some(),
        text: None,
    };
    if let Some(input) = block.get("input") {
        seen.markers = markers_of(&input.to_string());
    }
    let texts = ["text", "thinking", "content"];
    if let Some(value) = texts.iter().find_map(|key| block.get(key)) {
        let mut whole = String::new();
        seen.is_client_text = add_own_text(value, &mut whole);
        seen.markers = markers_of(&whole);
        seen.text = (!seen.is_client_text).then_some(whole);
    }
    seen
}

/// Adds what of a recorded text is ours; tells whether some of it is not.
fn add_own_text(value: &Value, whole: &mut String) -> bool {
    match value {
        Value::String(text) => {
            whole.push_str(text);
            false
        }
        Value::Array(parts) => {
            let foreign: Vec<bool> = parts.iter().map(|part| add_own_text(part, whole)).collect();
            foreign.contains(&true)
        }
        Value::Object(object) => match object.get("text").or_else(|| object.get("content")) {
            Some(value) => add_own_text(value, whole),
            None if object.contains_key("client_text") => {
                // Marks on both sides are two.
                whole.push('\u{1}');
                true
            }
            None => false,
        },
        _ => false,
    }
}

/// The marks `M_…` in a text, each once.
#[must_use]
pub fn markers_of(text: &str) -> Vec<String> {
    let mut markers: Vec<String> = Vec::new();
    for (at, _) in text.match_indices("M_") {
        let rest = &text[at..];
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        let marker = rest[..end].to_owned();
        if !markers.contains(&marker) {
            markers.push(marker);
        }
    }
    markers
}

/// The text of a predicted block, as far as it is known.
#[must_use]
pub fn text_of(placed: &Placed) -> Option<String> {
    match &placed.block {
        Block::Framed { text, .. } => Some(text.clone()),
        Block::Client(_) | Block::ClientResult(..) => None,
        Block::Read(block) => match block {
            record::Block::Text(text) => Some(text.clone()),
            record::Block::Thinking { text, .. } => Some(text.clone()),
            record::Block::ToolUse { input, .. } => Some(input.get().to_owned()),
            record::Block::ToolResult { content, .. } => match content {
                Content::Missing => None,
                Content::Text(text) => Some(text.clone()),
                Content::Blocks(blocks) => Some(
                    blocks
                        .iter()
                        .filter_map(|block| match block {
                            record::Block::Text(text) => Some(text.as_str()),
                            _ => None,
                        })
                        .collect(),
                ),
            },
            record::Block::Image(_) => None,
            record::Block::Other { .. } => None,
        },
    }
}

/// The type of a predicted block as the service names it.
#[must_use]
pub fn kind_of(placed: &Placed) -> (&str, Option<&str>) {
    match &placed.block {
        Block::Framed { .. } | Block::Client(_) => ("text", None),
        Block::ClientResult(..) => ("tool_result", None),
        Block::Read(block) => match block {
            record::Block::Text(_) => ("text", None),
            record::Block::Thinking { .. } => ("thinking", None),
            record::Block::ToolUse { name, .. } => ("tool_use", Some(name)),
            record::Block::ToolResult { .. } => ("tool_result", None),
            record::Block::Image(_) => ("image", None),
            record::Block::Other { kind, .. } => (kind, None),
        },
    }
}

/// Where the prediction first differs from what was seen.
#[must_use]
pub fn difference(seen: &[Seen], predicted: &[Message]) -> Option<String> {
    for (number, (seen, predicted)) in seen.iter().zip(predicted).enumerate() {
        if seen.role != predicted.role.name() {
            let role = predicted.role.name();
            return Some(format!(
                "message {number}: seen {} predicted {role}",
                seen.role
            ));
        }
        if let Some(difference) = message_difference(seen, predicted) {
            return Some(format!("message {number} ({}): {difference}", seen.role));
        }
    }
    (seen.len() != predicted.len()).then(|| {
        let count = seen.len().min(predicted.len());
        let rest = seen.get(count).map(|message| format!("seen {message:?}"));
        let rest = rest.or_else(|| {
            predicted
                .get(count)
                .map(|message| format!("predicted {}", outline(std::slice::from_ref(message))))
        });
        format!(
            "seen {} messages, predicted {}: {}",
            seen.len(),
            predicted.len(),
            rest.unwrap_or_default()
        )
    })
}

fn message_difference(seen: &Seen, predicted: &Message) -> Option<String> {
    let placed: Vec<&Placed> = predicted.blocks.iter().collect();
    if predicted.role == Role::System {
        // One text, joined by blank lines.
        let known: Vec<String> = placed.iter().filter_map(|placed| text_of(placed)).collect();
        let markers = markers_of(&known.join("\n\n"));
        let want: Vec<String> = seen
            .blocks
            .iter()
            .flat_map(|block| block.markers.clone())
            .collect();
        let is_known = placed
            .iter()
            .all(|placed| !matches!(placed.block, Block::Client(_)));
        if seen.blocks.is_empty() != placed.is_empty() {
            return Some(format!(
                "seen {} blocks, predicted {}",
                seen.blocks.len(),
                placed.len()
            ));
        }
        if seen
            .blocks
            .iter()
            .all(|block| block.is_client_text && block.markers.is_empty())
        {
            return None;
        }
        let differs = match is_known {
            true => markers != want,
            false => !markers.iter().all(|marker| want.contains(marker)),
        };
        return differs.then(|| format!("seen {want:?}, predicted {markers:?}"));
    }
    if seen.blocks.len() != placed.len() {
        return Some(format!(
            "seen {} blocks, predicted {}",
            seen.blocks.len(),
            outline(std::slice::from_ref(predicted))
        ));
    }
    for (number, (seen, placed)) in seen.blocks.iter().zip(placed).enumerate() {
        let (kind, name) = kind_of(placed);
        if seen.kind != kind || (kind == "tool_use" && seen.name.as_deref() != name) {
            return Some(format!(
                "block {number}: seen {} {:?}, predicted {kind} {name:?}",
                seen.kind, seen.name
            ));
        }
        let Some(text) = text_of(placed) else {
            continue;
        };
        if let (Some(want), Block::Read(_)) = (&seen.text, &placed.block) {
            if *want != text {
                return Some(format!("block {number}: seen {want:?}, predicted {text:?}"));
            }
        } else if kind == "tool_use" {
            // Keys of an input come in any order here.
            let (mut markers, mut want) = (markers_of(&text), seen.markers.clone());
            markers.sort();
            want.sort();
            if markers != want {
                return Some(format!(
                    "block {number}: seen {want:?}, predicted {markers:?}"
                ));
            }
        } else if markers_of(&text) != seen.markers
            && !(seen.markers.is_empty() && seen.is_client_text)
        {
            let markers = markers_of(&text);
            return Some(format!(
                "block {number}: seen {:?}, predicted {markers:?}",
                seen.markers
            ));
        }
    }
    None
}

/// Messages in one line each.
#[must_use]
pub fn outline(messages: &[Message]) -> String {
    let mut text = String::new();
    for message in messages {
        let _ = write!(text, "{}:", message.role.name());
        for placed in &message.blocks {
            let (kind, name) = kind_of(placed);
            let markers = text_of(placed).map(|text| markers_of(&text));
            let _ = write!(text, " {kind}");
            if let Some(name) = name {
                let _ = write!(text, ":{name}");
            }
            match (&placed.block, markers) {
                (Block::Client(known), _) => {
                    let _ = write!(text, "<{}>", known.name());
                }
                (_, Some(markers)) => {
                    let _ = write!(text, "{markers:?}");
                }
                _ => {}
            }
        }
        text.push('\n');
    }
    text
}
