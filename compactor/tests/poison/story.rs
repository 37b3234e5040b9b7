//! Small invented sessions, record by record.

use outcrop_compactor::chain::Chain;
use outcrop_compactor::poison::{Poison, Rule, Severity, examine};
use outcrop_compactor::transcript::Transcript;
use outcrop_loader::client::{Client, Version};
use serde_json::{Value, json};

/// A session in the making. The record on line N has the uuid `uN`.
#[derive(Default)]
pub(crate) struct Story {
    lines: Vec<String>,
}

impl Story {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a record behind the last one.
    pub(crate) fn record(mut self, kind: &str, mut parts: Value) -> Self {
        let number = self.lines.len() + 1;
        let parent = (number > 1).then(|| format!("u{}", number - 1));
        let fixed = json!({
            "type": kind, "uuid": format!("u{number}"), "parentUuid": parent,
            "sessionId": "5e550000-cccc-4000-8000-000000000001", "isSidechain": false,
            "timestamp": format!("2026-10-01T10:{:02}:{:02}.000Z", number / 60, number % 60),
        });
        for (key, value) in fixed.as_object().unwrap() {
            if parts.get(key).is_none() {
                parts[key] = value.clone();
            }
        }
        self.lines.push(parts.to_string());
        self
    }

    pub(crate) fn prompt(self, text: &str) -> Self {
        self.record(
            "user",
            json!({"message": {"role": "user", "content": text}}),
        )
    }

    pub(crate) fn answer(self, text: &str) -> Self {
        let id = format!("m{}", self.lines.len());
        self.record(
            "assistant",
            json!({"message": {"id": id, "role": "assistant", "model": "claude-opus-5-5",
                "stop_reason": "end_turn", "content": [{"type": "text", "text": text}]}}),
        )
    }

    /// A turn that nothing is wrong with.
    pub(crate) fn turn(self, number: usize) -> Self {
        self.prompt(&format!("M_U{number}"))
            .answer(&format!("M_A{number}"))
    }

    pub(crate) fn call(self, tool: &str, input: Value) -> Self {
        let number = self.lines.len();
        self.record(
            "assistant",
            json!({"message": {"id": format!("m{number}"), "role": "assistant",
                "model": "claude-opus-5-5", "stop_reason": "tool_use",
                "content": [{"type": "tool_use", "id": format!("t{}", number + 1), "name": tool,
                    "input": input}]}}),
        )
    }

    /// The result of the call on the line before.
    pub(crate) fn result(self, text: &str, is_error: bool) -> Self {
        let call = format!("t{}", self.lines.len());
        self.record(
            "user",
            json!({"message": {"role": "user", "content": [{"type": "tool_result",
                "tool_use_id": call, "content": text, "is_error": is_error}]},
                "toolUseResult": text}),
        )
    }

    /// An error of the service, as the client writes it.
    pub(crate) fn error(self, text: &str) -> Self {
        let id = format!("e{}", self.lines.len());
        self.record(
            "assistant",
            json!({"isApiErrorMessage": true, "error": "invalid_request", "message": {"id": id,
                "role": "assistant", "model": "<synthetic>", "stop_reason": "stop_sequence",
                "content": [{"type": "text", "text": text}]}}),
        )
    }

    /// An answer that the service declined.
    pub(crate) fn refused(self, category: &str) -> Self {
        let id = format!("m{}", self.lines.len());
        self.record(
            "assistant",
            json!({"message": {"id": id, "role": "assistant", "model": "claude-opus-5-5",
                "stop_reason": "refusal", "stop_details": {"type": "refusal", "category": category},
                "content": [{"type": "text", "text": "I stop here."}]}}),
        )
    }

    pub(crate) fn boundary(self) -> Self {
        let last = format!("u{}", self.lines.len());
        self.record(
            "system",
            json!({"subtype": "compact_boundary", "parentUuid": null, "logicalParentUuid": last,
                "content": "Conversation compacted",
                "compactMetadata": {"trigger": "auto", "preTokens": 9000}}),
        )
        .record(
            "user",
            json!({"isCompactSummary": true,
                "message": {"role": "user", "content": "M_SUMMARY"}}),
        )
    }

    pub(crate) fn poison(&self) -> Poison {
        examine_bytes(self.lines.join("\n").as_bytes())
    }

    /// The rules that found something, with how bad it is and the line.
    pub(crate) fn found(&self) -> Vec<(Rule, Severity, u32)> {
        told(&self.poison())
    }
}

pub(crate) fn told(poison: &Poison) -> Vec<(Rule, Severity, u32)> {
    let findings = poison.findings.iter();
    findings
        .map(|finding| (finding.rule, finding.severity, finding.line))
        .collect()
}

pub(crate) fn examine_bytes(bytes: &[u8]) -> Poison {
    let transcript = Transcript::read(bytes).unwrap();
    let client = Client::of(Version::NEWEST).unwrap();
    let chain = Chain::of(&transcript, &client.behaviour.resume).unwrap();
    examine(&transcript, &chain, &client).unwrap()
}
