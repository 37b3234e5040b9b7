//! What the recorder answers in place of a model: one message, whole or as a stream of events
//! (the public Messages API).

use std::fmt::Write as _;

use outcrop_loader::session::ToolCall;
use serde_json::{Value, json};

use crate::script::Answer;

/// The body of an answer, and its kind.
pub(super) fn reply(request: &Value, answer: &Answer, number: usize) -> (&'static str, Vec<u8>) {
    let usage = json!({
        "input_tokens": 10,
        "output_tokens": 5,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
    });
    let content = content(answer, number);
    let calls = content.iter().any(|block| block["type"] == "tool_use");
    let stop = if calls { "tool_use" } else { "end_turn" };
    let mut message = json!({
        "id": format!("msg_{number:020}"),
        "type": "message",
        "role": "assistant",
        "model": request["model"],
        "content": content,
        "stop_reason": stop,
        "stop_sequence": null,
        "usage": usage,
    });
    if request["stream"] != true {
        return ("application/json", message.to_string().into_bytes());
    }
    message["content"] = json!([]);
    message["stop_reason"] = Value::Null;
    let mut text = String::new();
    let mut event = |kind: &str, mut value: Value| {
        value["type"] = json!(kind);
        // Writing into a text cannot fail.
        let _ = write!(text, "event: {kind}\ndata: {value}\n\n");
    };
    event("message_start", json!({ "message": message }));
    for (index, block) in content.iter().enumerate() {
        let (start, delta) = parts(block);
        event(
            "content_block_start",
            json!({ "index": index, "content_block": start }),
        );
        event(
            "content_block_delta",
            json!({ "index": index, "delta": delta }),
        );
        event("content_block_stop", json!({ "index": index }));
    }
    let delta = json!({ "stop_reason": stop, "stop_sequence": null });
    event("message_delta", json!({ "delta": delta, "usage": usage }));
    event("message_stop", json!({}));
    ("text/event-stream", text.into_bytes())
}

fn content(answer: &Answer, number: usize) -> Vec<Value> {
    let text = |text: &str| json!({ "type": "text", "text": text });
    let calls = match answer {
        Answer::Text(answer) => return vec![text(answer)],
        Answer::Calls(calls) => calls.iter().enumerate(),
    };
    let call = |(index, call): (usize, &ToolCall)| {
        json!({
            "type": "tool_use",
            "id": format!("toolu_{number:016}{index:04}"),
            "name": call.tool,
            "input": call.input,
        })
    };
    // A model that says nothing for some turns is reminded to, in the text of what a read brings.
    [text("reading")]
        .into_iter()
        .chain(calls.map(call))
        .collect()
}

/// A block as a stream begins it, and its one piece.
fn parts(block: &Value) -> (Value, Value) {
    let mut start = block.clone();
    if block["type"] == "tool_use" {
        start["input"] = json!({});
        let text = block["input"].to_string();
        return (
            start,
            json!({ "type": "input_json_delta", "partial_json": text }),
        );
    }
    start["text"] = json!("");
    (
        start,
        json!({ "type": "text_delta", "text": block["text"] }),
    )
}
