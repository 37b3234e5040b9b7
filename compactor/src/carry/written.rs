//! A carry-over as lines of a transcript.

use serde_json::{Map, Value, json};

use super::Plan;
use crate::boundary::uuid_of;
use crate::chain::Chain;
use crate::conversation::Role;
use crate::transcript::{Index, Source, Transcript};

/// Who the new session is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Its id, from which the ids of its records follow: the same id and plan give the same bytes.
    pub session: String,
    /// Its directory.
    pub cwd: Option<String>,
    /// The client's version.
    pub version: Option<String>,
    /// The model that answered last.
    pub model: Option<String>,
    /// When the old session ended, in milliseconds since 1970: its records follow.
    pub time: i64,
}

impl Identity {
    /// A session that goes on where the chain of another ends.
    #[must_use]
    pub fn of<S: Source>(transcript: &Transcript<S>, chain: &Chain, session: String) -> Self {
        let index: &Index = transcript.index();
        let entries = || {
            chain
                .records
                .iter()
                .rev()
                .map(|record| &index.entries()[*record])
        };
        let text = |id| index.text(id).to_owned();
        let mut models = entries().filter(|entry| !index.is(entry.model, "<synthetic>"));
        Self {
            session,
            cwd: entries().find_map(|entry| entry.cwd).map(text),
            version: entries().find_map(|entry| entry.version).map(text),
            model: models.find_map(|entry| entry.model).map(text),
            time: entries().find_map(|entry| entry.time).unwrap_or_default(),
        }
    }

    /// An id that follows from a seed.
    #[must_use]
    pub fn seeded(seed: &str) -> String {
        uuid_of(seed, 0)
    }
}

/// The lines of the new transcript, without line ends. Each record has what both clients need
/// (fact C7.8): type, uuid, parent, time, message; answers an id of their own and no usage, since
/// an old one would make a client compact at once.
#[must_use]
pub fn lines(plan: &Plan, identity: &Identity) -> Vec<String> {
    let mut parent = Value::Null;
    let mut lines = Vec::new();
    for (number, message) in plan.messages.iter().enumerate() {
        let uuid = uuid_of(&identity.session, number + 1);
        let mut record = Map::new();
        let mut put = |key: &str, value: Value| {
            record.insert(key.to_owned(), value);
        };
        put("parentUuid", parent);
        put("isSidechain", json!(false));
        put("userType", json!("external"));
        put("sessionId", json!(identity.session));
        for (key, value) in [("cwd", &identity.cwd), ("version", &identity.version)] {
            if let Some(value) = value {
                put(key, json!(value));
            }
        }
        put("type", json!(message.role.name()));
        put("message", body(message, &uuid, identity));
        put("uuid", json!(uuid));
        let millis = identity.time.saturating_add(number as i64 + 1);
        let time = jiff::Timestamp::from_millisecond(millis).unwrap_or_default();
        put("timestamp", json!(format!("{time:.3}")));
        parent = json!(uuid);
        lines.push(Value::Object(record).to_string());
    }
    lines
}

fn body(message: &super::Planned, uuid: &str, identity: &Identity) -> Value {
    let text = |text: &String| json!({"type": "text", "text": text});
    let blocks: Vec<Value> = message.blocks.iter().map(text).collect();
    match (message.role, &message.blocks[..]) {
        (Role::Assistant, _) => {
            let mut body = json!({
                "id": format!("msg_{}", uuid.replace('-', "")),
                "type": "message",
                "role": "assistant",
                "content": blocks,
                "stop_reason": "end_turn",
            });
            if let (Some(body), Some(model)) = (body.as_object_mut(), &identity.model) {
                body.insert("model".to_owned(), json!(model));
            }
            body
        }
        (role, [text]) => json!({"role": role.name(), "content": text}),
        (role, _) => json!({"role": role.name(), "content": blocks}),
    }
}
