//! What the comparison needs of the transcript beside the messages.

use std::io;

use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::Value;

use super::spoken::Spoken;
use crate::transcript::{Id, Index, Kind, Source, Transcript};

/// What stands in the records, but not in the messages.
#[derive(Debug, Default)]
pub(super) struct Aside {
    /// Prompts that were typed while the model worked, by record, without the client's words
    /// around them (fact I40).
    pub(super) queued: FxHashMap<usize, Vec<String>>,
    /// The permission mode, and the record that tells it.
    pub(super) mode: Option<(String, usize)>,
    /// The plan files that attachments name, and their records, in order (fact I41).
    pub(super) plans: Vec<(String, usize)>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attachment {
    #[serde(default)]
    prompt: Value,
    command_mode: Option<String>,
    #[serde(default)]
    is_meta: bool,
    plan_file_path: Option<String>,
}

impl Attachment {
    /// The texts that the user typed.
    fn prompts(&self) -> Vec<String> {
        if self.is_meta || self.command_mode.as_deref() == Some("task-notification") {
            return Vec::new();
        }
        let texts: Vec<&str> = match &self.prompt {
            Value::String(text) => vec![text],
            Value::Array(blocks) => {
                let texts = blocks.iter().map(|block| block.get("text"));
                texts.flatten().filter_map(Value::as_str).collect()
            }
            _ => Vec::new(),
        };
        let said = texts.into_iter().filter(|text| !text.trim().is_empty());
        said.map(str::to_owned).collect()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ModeRecord {
    permission_mode: Option<String>,
}

/// What the user typed while the model worked, of an attachment that holds it (fact I40).
pub(crate) fn prompts_of(attachment: &serde_json::value::RawValue) -> Vec<String> {
    serde_json::from_str::<Attachment>(attachment.get())
        .map(|attachment| attachment.prompts())
        .unwrap_or_default()
}

impl Aside {
    /// Reads it for the messages of both sides; the mode is that at the end of `before`.
    pub(super) fn read<S: Source>(
        transcript: &Transcript<S>,
        before: &[impl Spoken],
        after: &[impl Spoken],
    ) -> io::Result<Self> {
        let index = transcript.index();
        let mut aside = Self::default();
        let last = records_of(index, before).max();
        let mut records: Vec<usize> = records_of(index, before)
            .chain(records_of(index, after))
            .collect();
        records.sort_unstable();
        records.dedup();
        for record in &records {
            let entry = &index.entries()[*record];
            let kind = entry.detail.map_or("", |detail| index.text(detail));
            if entry.kind != Kind::Attachment || !(kind == "queued_command" || is_plan(kind)) {
                continue;
            }
            let read = transcript.record(entry)?;
            let Some(attachment) = read
                .attachment
                .and_then(|raw| serde_json::from_str::<Attachment>(raw.get()).ok())
            else {
                continue;
            };
            aside.queued.insert(*record, attachment.prompts());
            let plan = attachment.plan_file_path.map(|path| (path, *record));
            aside.plans.extend(plan);
        }
        if let Some(last) = last {
            aside.mode = mode(transcript, last)?;
        }
        Ok(aside)
    }
}

fn records_of(index: &Index, messages: &[impl Spoken]) -> impl Iterator<Item = usize> {
    let count = index.entries().len();
    let blocks = messages.iter().flat_map(Spoken::blocks);
    blocks
        .filter_map(|(_, from)| from.map(|from| from.record))
        .filter(move |record| *record < count)
}

pub(super) fn is_plan(kind: &str) -> bool {
    matches!(kind, "plan_mode" | "plan_mode_reentry" | "plan_mode_exit")
}

/// How many prompts are asked for the mode: newer clients write it into each, older ones into none.
const PROMPTS: usize = 16;

/// The permission mode at a record: that of the last prompt which tells one, or of the last
/// `permission-mode` record before it (facts C1.3, I30).
fn mode<S: Source>(transcript: &Transcript<S>, last: usize) -> io::Result<Option<(String, usize)>> {
    let index = transcript.index();
    let is_mode = |id: Option<Id>| index.is(id, "permission-mode");
    let mut prompts = 0;
    for (number, entry) in index.entries()[..=last].iter().enumerate().rev() {
        let is_prompt = entry.kind == Kind::User
            && !entry.flags.meta
            && !entry.flags.sidechain
            && prompts < PROMPTS
            && !has_result(index, number);
        prompts += usize::from(is_prompt);
        if !(is_prompt || is_mode(entry.type_name)) {
            continue;
        }
        let json = transcript.json(entry)?;
        let told = serde_json::from_str::<ModeRecord>(&json).ok();
        if let Some(mode) = told.and_then(|told| told.permission_mode) {
            return Ok(Some((mode, number)));
        }
    }
    Ok(None)
}

fn has_result(index: &Index, number: usize) -> bool {
    let mut pieces = index.pieces(&index.entries()[number]).iter();
    pieces.any(|piece| index.is(piece.kind, "tool_result"))
}
