//! A compaction as the client was seen to do it: what it keeps, what it puts back, and the records
//! that it appends (facts C5, C6).
//!
//! [`compact`] makes the lines; [`Transcript::appended`] gives the transcript with them behind it, which a
//! [`Chain`] and a [`Conversation`](crate::conversation::Conversation) read as the client does. So
//! what is predicted and what is written are one.

mod files;
mod records;
mod skills;
mod tail;

use std::io;

use rustc_hash::FxHashSet;
use serde_json::{Value, json};

use crate::chain::{Chain, Resume};
use crate::transcript::{Index, Kind, Source, Transcript};
use records::Writer;
pub(crate) use records::uuid_of;

pub use files::{FILE_TOKENS, FILES, Files, Known, Outcome as FileOutcome, Restored};
pub use skills::{Outcome as SkillOutcome, SKILL_UNITS, SKILLS_TOKENS, Used};

/// What sets a compaction off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// The threshold, before a request.
    Auto,
    /// `/compact`.
    Manual,
    /// The service refused a request as too long (fact C4.12). Which messages stay is a fit to 14
    /// runs (fact C5.2): take it as assumed.
    Refused {
        /// The tokens that were sent, as the refusal tells them; 0 where it tells none.
        sent: u64,
        /// How many it takes.
        allowed: u64,
    },
}

impl Trigger {
    /// As the boundary names it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto | Self::Refused { .. } => "auto",
            Self::Manual => "manual",
        }
    }
}

/// What a compaction needs to know.
pub struct Given<'a> {
    /// What sets it off.
    pub trigger: Trigger,
    /// The summary.
    pub summary: &'a str,
    /// The prompt that waits, or comes behind `/compact`.
    pub prompt: Option<&'a str>,
    /// What `/compact` was told.
    pub focus: &'a str,
    /// Tokens before it.
    pub pre_tokens: u64,
    /// The disk.
    pub files: &'a dyn Files,
}

/// What a compaction does.
#[derive(Debug)]
pub struct Compacted {
    /// The lines that it appends.
    pub lines: Vec<String>,
    /// The uuid of the boundary.
    pub boundary: String,
    /// The uuid of the record that it follows.
    pub follows: Option<String>,
    /// The records that it keeps.
    pub kept: Vec<usize>,
    /// What becomes of the files that the session knows.
    pub files: Vec<Restored>,
    /// What becomes of the skills that it used, newest first.
    pub skills: Vec<Used>,
}

/// What is told again behind a summary, in this order, by newer clients and by older ones.
const TOLD_AGAIN: &[&str] = &[
    "deferred_tools_delta",
    "agent_listing_delta",
    "skill_listing",
    "environment",
    "model",
];
const TOLD_AGAIN_BEFORE: &[&str] = &["agent_listing_delta"];

/// Compacts a session: makes the lines that the client would append.
///
/// # Errors
///
/// When the source cannot be read.
pub fn compact<S: Source>(
    transcript: &Transcript<S>,
    chain: &Chain,
    client: &Resume,
    given: &Given<'_>,
    tokens: impl FnMut(&str) -> u64,
) -> io::Result<Option<Compacted>> {
    let index = transcript.index();
    let Some(last) = chain.records.last().or(chain.leaf.as_ref()) else {
        return Ok(None);
    };
    let entry = &index.entries()[*last];
    let mut kept = tail::kept(index, chain, given.trigger);
    let walk = chain.whole(index, client);
    let known = files::known(transcript, &walk)?;
    let in_tail: FxHashSet<String> = files::known(transcript, &kept)?
        .into_iter()
        .map(|known| known.path)
        .collect();
    let by_load_time = |known: &Known| {
        let is_older = known.is_instruction && !client.attachments_rendered;
        is_older
            .then(|| index.entries()[known.record].time)
            .flatten()
    };
    let files = files::restore(known, &in_tail, given.files, by_load_time, tokens);
    let skills = skills::used(transcript, &chain.records)?;

    let mut writer = Writer::behind(index, entry);
    let mut kept_uuids: Vec<String> = kept
        .iter()
        .filter_map(|record| index.entries()[*record].uuid)
        .map(|uuid| index.text(uuid).to_owned())
        .collect();
    let is_manual = given.trigger == Trigger::Manual;
    if let (false, Some(prompt)) = (is_manual, given.prompt) {
        kept_uuids.push(writer.user(prompt, json!({})));
    }
    let (boundary, follows) = put_boundary(
        &mut writer,
        index,
        chain,
        client,
        given,
        &kept_uuids,
        transcript,
    )?;
    put_attachments(&mut writer, &files, &skills, client);
    let again = match client.attachments_rendered {
        true => TOLD_AGAIN,
        false => TOLD_AGAIN_BEFORE,
    };
    put_again(&mut writer, transcript, &walk, again)?;
    if let (true, Some(prompt)) = (is_manual, given.prompt) {
        writer.user(prompt, json!({}));
        if client.attachments_rendered {
            let told = ["instructions", "session_context", "date"];
            put_again(&mut writer, transcript, &walk, &told)?;
        }
    }
    let waits = given.prompt.is_some() || ends_in_request(index, chain);
    if client.attachments_rendered && waits {
        put_again(&mut writer, transcript, &walk, &["remote_session_change"])?;
    }
    kept.retain(|record| index.entries()[*record].uuid.is_some());
    Ok(Some(Compacted {
        lines: writer.lines,
        boundary,
        follows,
        kept,
        files,
        skills,
    }))
}

/// Whether a request waits: the last that was said is no answer.
fn ends_in_request(index: &Index, chain: &Chain) -> bool {
    let kinds = chain.records.iter().rev();
    let mut kinds = kinds.map(|record| index.entries()[*record].kind);
    kinds.find(|kind| matches!(kind, Kind::User | Kind::Assistant)) == Some(Kind::User)
}

/// The boundary, the summary, and what stands between and right behind them.
fn put_boundary<S: Source>(
    writer: &mut Writer,
    index: &Index,
    chain: &Chain,
    client: &Resume,
    given: &Given<'_>,
    kept: &[String],
    transcript: &Transcript<S>,
) -> io::Result<(String, Option<String>)> {
    let last = chain.records.last().or(chain.leaf.as_ref());
    let last = last.and_then(|record| index.entries()[*record].uuid);
    let is_manual = given.trigger == Trigger::Manual;
    let follows = match (is_manual, kept.last()) {
        (false, Some(prompt)) if given.prompt.is_some() => Some(prompt.clone()),
        _ => last.map(|uuid| index.text(uuid).to_owned()),
    };
    // The anchor is the summary, whose uuid follows from what is written before it.
    let before: &[&str] = match (is_manual, client.attachments_rendered) {
        (false, true) => &["instructions", "session_context", "date"],
        _ => &[],
    };
    let walk = chain.whole(index, client);
    let between: Vec<usize> = before
        .iter()
        .filter_map(|kind| last_told(index, &walk, kind))
        .collect();
    let boundary = writer.next_uuid();
    let anchor = writer.uuid_after(1 + between.len());
    writer.cut();
    let mut metadata = json!({
        "trigger": given.trigger.name(),
        "preTokens": given.pre_tokens,
    });
    if let (Some(head), Some(tail)) = (kept.first(), kept.last()) {
        metadata["preservedSegment"] = json!({
            "headUuid": head, "anchorUuid": anchor, "tailUuid": tail,
        });
        metadata["preservedMessages"] = json!({
            "anchorUuid": anchor, "uuids": kept, "allUuids": kept,
        });
    }
    writer.put(
        "system",
        json!({
            "subtype": "compact_boundary",
            "content": "Conversation compacted",
            "isMeta": false,
            "level": "info",
            "logicalParentUuid": follows,
            "compactMetadata": metadata,
        }),
    );
    for record in between {
        put_copy(writer, transcript, record)?;
    }
    writer.user(
        given.summary,
        json!({"isCompactSummary": true, "isVisibleInTranscriptOnly": true}),
    );
    if is_manual {
        let focus = given.focus;
        writer.user(
            "<local-command-caveat></local-command-caveat>",
            json!({"isMeta": true}),
        );
        writer.user(
            &format!(
                "<command-name>/compact</command-name>\n<command-message>compact</command-message>\n<command-args>{focus}</command-args>"
            ),
            json!({}),
        );
        writer.user(
            "<local-command-stdout>Compacted </local-command-stdout>",
            json!({}),
        );
    }
    Ok((boundary, follows))
}

/// Files, then skills.
fn put_attachments(writer: &mut Writer, files: &[Restored], skills: &[Used], client: &Resume) {
    let role = if client.attachments_rendered {
        "user"
    } else {
        "system"
    };
    for file in files {
        match (&file.text, file.outcome) {
            (Some(text), FileOutcome::Attached) => {
                let lines = text.split('\n').count();
                let attachment = json!({
                    "type": "file",
                    "filename": file.path,
                    "displayPath": file.path,
                    "content": {"type": "text", "file": {
                        "filePath": file.path, "content": text, "numLines": lines,
                        "startLine": 1, "totalLines": lines,
                    }},
                });
                writer.attachment(attachment, role);
            }
            (_, FileOutcome::Named) => {
                let attachment = json!({
                    "type": "compact_file_reference",
                    "filename": file.path,
                    "displayPath": file.path,
                });
                writer.attachment(attachment, "system");
            }
            _ => {}
        }
    }
    let skills: Vec<Value> = skills
        .iter()
        .filter(|skill| skill.outcome != SkillOutcome::Dropped)
        .map(|skill| json!({"name": skill.name, "path": skill.name, "content": skill.text}))
        .collect();
    if !skills.is_empty() {
        writer.attachment(
            json!({"type": "invoked_skills", "skills": skills}),
            "system",
        );
    }
}

/// The newest attachments of some types, once more.
fn put_again<S: Source>(
    writer: &mut Writer,
    transcript: &Transcript<S>,
    walk: &[usize],
    kinds: &[&str],
) -> io::Result<()> {
    for kind in kinds {
        if let Some(record) = last_told(transcript.index(), walk, kind) {
            put_copy(writer, transcript, record)?;
        }
    }
    Ok(())
}

fn last_told(index: &Index, walk: &[usize], kind: &str) -> Option<usize> {
    let told = |record: &&usize| {
        let entry = &index.entries()[**record];
        entry.kind == Kind::Attachment && index.is(entry.detail, kind)
    };
    walk.iter().rev().find(told).copied()
}

/// An attachment with what it contributed, as a record of its own.
fn put_copy<S: Source>(
    writer: &mut Writer,
    transcript: &Transcript<S>,
    record: usize,
) -> io::Result<()> {
    let text = transcript.json(&transcript.index().entries()[record])?;
    let Ok(Value::Object(whole)) = serde_json::from_str::<Value>(&text) else {
        return Ok(());
    };
    let keys = [
        "attachment",
        "rendered",
        "renderedRole",
        "renderedBesideToolResult",
    ];
    let fields = keys
        .iter()
        .filter_map(|key| Some(((*key).to_owned(), whole.get(*key)?.clone())));
    writer.put("attachment", Value::Object(fields.collect()));
    Ok(())
}
