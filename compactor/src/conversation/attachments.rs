//! What attachments add to messages (facts C1.9, C2.3, I40, I70).

use serde::Deserialize;

use super::items::{Item, placed};
use super::{Block, ClientText, From, Placed};
use crate::chain::Resume;
use crate::transcript::record::{self, Record};

/// What one attachment says; nothing where it says nothing.
pub(super) fn item(
    kind: &str,
    record: Record,
    client: &Resume,
    from: impl Fn(usize) -> From,
) -> Option<Item> {
    if !client.attachments_rendered {
        return told_anew(&record, from).map(|told| Item::Told(vec![told]));
    }
    let rendered = record.rendered?;
    let mut blocks = Vec::new();
    for (number, content) in rendered.into_iter().enumerate() {
        blocks.extend(placed(content, |_| from(number)));
    }
    if blocks.is_empty() {
        return None;
    }
    if kind == "queued_command" {
        return Some(Item::Queued(blocks));
    }
    Some(match record.rendered_role.as_deref() {
        Some("system") => Item::Told(blocks),
        _ => Item::Attached(blocks),
    })
}

/// The part of an attachment that makes up its text, by type.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Known {
    NestedMemory {
        content: Memory,
    },
    File {
        content: FileContent,
    },
    Directory {
        content: String,
    },
    QueuedCommand {
        prompt: serde_json::Value,
    },
    InvokedSkills {
        skills: Vec<Skill>,
    },
    HookAdditionalContext {
        content: Vec<String>,
    },
    SkillListing {
        content: String,
    },
    AgentListingDelta,
    CompactFileReference {
        filename: String,
    },
    EditedTextFile {
        filename: String,
        snippet: Option<String>,
    },
    PlanMode,
    PlanModeExit,
    PlanModeReentry,
    AutoMode,
    AutoModeExit,
    TaskReminder,
    TodoReminder,
    #[serde(other)]
    Unknown,
}

#[derive(Deserialize)]
struct Memory {
    path: String,
    content: String,
}

#[derive(Deserialize)]
struct FileContent {
    file: Option<FileText>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FileText {
    file_path: String,
    content: Option<String>,
}

#[derive(Deserialize)]
struct Skill {
    content: String,
}

/// The text that an older client makes of an attachment, as far as it is not the client's own
/// prose, which no transcript holds.
fn told_anew(record: &Record, from: impl Fn(usize) -> From) -> Option<Placed> {
    let raw = record.attachment.as_ref()?;
    let known = serde_json::from_str::<Known>(raw.get()).ok()?;
    let text = match known {
        Known::NestedMemory { content } => format!("{}\n\n{}", content.path, content.content),
        Known::File { content } => {
            let file = content.file?;
            format!("{}\n\n{}", file.file_path, file.content.unwrap_or_default())
        }
        Known::Directory { content } | Known::SkillListing { content } => content,
        Known::QueuedCommand { prompt } => prompt.as_str().map(str::to_owned)?,
        Known::InvokedSkills { skills } => {
            let texts: Vec<String> = skills.into_iter().map(|skill| skill.content).collect();
            texts.join("\n\n")
        }
        Known::HookAdditionalContext { content } => content.join("\n"),
        Known::CompactFileReference { filename } => filename,
        Known::EditedTextFile { filename, snippet } => {
            format!("{filename}\n\n{}", snippet.unwrap_or_default())
        }
        Known::AgentListingDelta
        | Known::PlanMode
        | Known::PlanModeExit
        | Known::PlanModeReentry
        | Known::AutoMode
        | Known::AutoModeExit
        | Known::TaskReminder
        | Known::TodoReminder => {
            return Some(Placed {
                block: Block::Client(ClientText::Attachment),
                from: Some(from(0)),
            });
        }
        Known::Unknown => return None,
    };
    Some(Placed {
        block: Block::Read(record::Block::Text(text)),
        from: Some(from(0)),
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
