//! Small sessions, and their carry-overs.

use outcrop_compactor::carry::{self, CarryError, Identity, Options, Plan};
use outcrop_compactor::chain::Chain;
use outcrop_compactor::transcript::Transcript;
use outcrop_loader::client::{Client, Version};
use serde_json::{Value, json};

pub(crate) fn client() -> Client {
    Client::of(Version::NEWEST).unwrap()
}

/// A session in the making: each record is the child of the one before.
#[derive(Debug, Default, Clone)]
pub(crate) struct Talk {
    pub(crate) lines: Vec<Value>,
}

impl Talk {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    fn uuid(number: usize) -> String {
        format!("u{number:04}")
    }

    /// Adds a record behind the last one.
    pub(crate) fn put(mut self, kind: &str, more: Value) -> Self {
        let number = self.lines.len() + 1;
        let parent = self.lines.last().map(|line| line["uuid"].clone());
        let mut record = json!({
            "type": kind,
            "uuid": Self::uuid(number),
            "parentUuid": parent,
            "sessionId": "5e550000-0000-4000-8000-000000000001",
            "cwd": "/srv/mill",
            "version": "2.1.332",
            "timestamp": format!("2026-09-01T10:{:02}:{:02}.000Z", number / 60, number % 60),
        });
        let fields = record.as_object_mut().unwrap();
        fields.extend(more.as_object().unwrap().clone());
        self.lines.push(record);
        self
    }

    pub(crate) fn user(self, text: &str) -> Self {
        self.put(
            "user",
            json!({"message": {"role": "user", "content": text}}),
        )
    }

    /// One block of an answer.
    fn block(self, block: &Value, stop: &str) -> Self {
        let id = format!("msg_{}", self.lines.len());
        self.put(
            "assistant",
            json!({"message": {
                "id": id, "role": "assistant", "model": "claude-opus-5-5", "content": [block],
                "stop_reason": stop, "usage": {"input_tokens": 90_000, "output_tokens": 10},
            }}),
        )
    }

    pub(crate) fn assistant(self, text: &str) -> Self {
        self.block(&json!({"type": "text", "text": text}), "end_turn")
    }

    /// A call and what it gave.
    pub(crate) fn call(self, tool: &str, input: &Value, result: &str, is_error: bool) -> Self {
        let id = format!("toolu_{}", self.lines.len());
        let call = json!({"type": "tool_use", "id": id, "name": tool, "input": input});
        let content = json!([{
            "type": "tool_result", "tool_use_id": id, "content": result, "is_error": is_error,
        }]);
        self.block(&call, "tool_use").put(
            "user",
            json!({"message": {"role": "user", "content": content}, "toolUseResult": result}),
        )
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let lines = self.lines.iter().map(|line| format!("{line}\n"));
        lines.collect::<String>().into_bytes()
    }

    pub(crate) fn plan(&self, options: &Options) -> Result<Plan, CarryError> {
        plan(&self.bytes(), options)
    }

    /// The plan with what is usual.
    pub(crate) fn carried(&self) -> Plan {
        self.plan(&Options::default()).unwrap()
    }
}

pub(crate) fn plan(bytes: &[u8], options: &Options) -> Result<Plan, CarryError> {
    let transcript = Transcript::read(bytes).unwrap();
    let chain = Chain::of(&transcript, &client().behaviour.resume).unwrap();
    carry::plan(&transcript, &chain, &client(), options)
}

/// The lines that would be written.
pub(crate) fn written(bytes: &[u8], plan: &Plan, seed: &str) -> Vec<String> {
    let transcript = Transcript::read(bytes).unwrap();
    let chain = Chain::of(&transcript, &client().behaviour.resume).unwrap();
    let identity = Identity::of(&transcript, &chain, Identity::seeded(seed));
    carry::lines(plan, &identity)
}

/// Why what would be written does not read as planned, by any client that is measured.
pub(crate) fn unsound(bytes: &[u8], plan: &Plan) -> Option<String> {
    let lines = written(bytes, plan, "seed").join("\n") + "\n";
    let transcript = Transcript::read(lines.as_bytes()).unwrap();
    ["2.1.197", "2.1.332"].into_iter().find_map(|version| {
        let client = Client::of(version.parse().unwrap()).unwrap();
        carry::check(&transcript, plan, &client).unwrap()
    })
}

/// All that a carry-over says, with its speakers.
pub(crate) fn text(plan: &Plan) -> String {
    let messages = plan.messages.iter().flat_map(|message| {
        let role = message.role.name();
        message
            .blocks
            .iter()
            .map(move |text| format!("[{role}] {text}\n"))
    });
    messages.collect()
}

/// Its texts of one speaker.
pub(crate) fn of(plan: &Plan, role: &str) -> String {
    let messages = plan
        .messages
        .iter()
        .filter(|message| message.role.name() == role);
    let texts = messages.flat_map(|message| message.blocks.iter().map(String::as_str));
    texts.collect::<Vec<_>>().join("\n")
}
