//! What a block of a context is, for people.

use serde::{Deserialize, Serialize};

use crate::conversation::{Block, Placed};
use crate::pipeline::is_own_words;
use crate::transcript::record;
use crate::transcript::{Entry, Index, Kind, Source, Transcript};

/// What a block of a context is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Category {
    /// Instruction files of the start.
    Instructions,
    /// Instruction files and rules that a read brought.
    NestedMemory,
    /// Files that were mentioned or attached again.
    Files,
    /// Lists of skills, agents and tools.
    Lists,
    /// Bodies of skills that were called.
    Skills,
    /// What hooks said.
    Hooks,
    /// Other reminders of the client.
    Reminders,
    /// What the user asked.
    Prompts,
    /// Commands of the client with their output, and its other notes.
    Notes,
    /// What the model answered.
    Answers,
    /// What it thought.
    Thinking,
    /// Calls of tools.
    Calls,
    /// Their results.
    Results,
    /// The summary of a compaction.
    Summary,
    /// Pictures.
    Images,
    /// Anything else.
    Other,
}

impl Category {
    /// As JSON names it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::NestedMemory => "nested-memory",
            Self::Files => "files",
            Self::Lists => "lists",
            Self::Skills => "skills",
            Self::Hooks => "hooks",
            Self::Reminders => "reminders",
            Self::Prompts => "prompts",
            Self::Notes => "notes",
            Self::Answers => "answers",
            Self::Thinking => "thinking",
            Self::Calls => "calls",
            Self::Results => "results",
            Self::Summary => "summary",
            Self::Images => "images",
            Self::Other => "other",
        }
    }

    /// In a few words.
    #[must_use]
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Instructions => "instruction files",
            Self::NestedMemory => "nested memory and rules",
            Self::Files => "attached files",
            Self::Lists => "lists of skills, agents, tools",
            Self::Skills => "skills that were called",
            Self::Hooks => "hooks",
            Self::Reminders => "other reminders",
            Self::Prompts => "prompts",
            Self::Notes => "commands and notes",
            Self::Answers => "answers",
            Self::Thinking => "thinking",
            Self::Calls => "calls",
            Self::Results => "results",
            Self::Summary => "summary",
            Self::Images => "images",
            Self::Other => "other",
        }
    }

    /// That of an attachment, by its type (fact C1.9).
    #[must_use]
    pub fn of_attachment(kind: &str) -> Self {
        match kind {
            "instructions" => Self::Instructions,
            "nested_memory" | "relevant_memories" => Self::NestedMemory,
            "file"
            | "directory"
            | "compact_file_reference"
            | "at_mention_reference"
            | "edited_text_file"
            | "pdf_reference"
            | "mcp_resource"
            | "opened_file_in_ide"
            | "selected_lines_in_ide"
            | "plan_file_reference" => Self::Files,
            "skill_listing"
            | "agent_listing_delta"
            | "deferred_tools_delta"
            | "mcp_instructions_delta" => Self::Lists,
            "invoked_skills" => Self::Skills,
            "async_hook_response" => Self::Hooks,
            "queued_command" => Self::Prompts,
            kind if kind.starts_with("hook_") => Self::Hooks,
            _ => Self::Reminders,
        }
    }

    /// That of a block which a record holds.
    pub(super) fn of<S: Source>(
        transcript: &Transcript<S>,
        entry: &Entry,
        placed: &Placed,
    ) -> Self {
        let index = transcript.index();
        match (&placed.block, entry.kind) {
            (Block::Read(record::Block::Image(_)), _) => Self::Images,
            (Block::Read(record::Block::ToolResult { .. }) | Block::ClientResult(..), _) => {
                Self::Results
            }
            (Block::Read(record::Block::ToolUse { .. }), _) => Self::Calls,
            (Block::Read(record::Block::Thinking { .. }), _) => Self::Thinking,
            (Block::Read(record::Block::Other { kind, .. }), _) => match kind.as_str() {
                "redacted_thinking" => Self::Thinking,
                "image" | "document" => Self::Images,
                _ => Self::Other,
            },
            (_, Kind::Attachment) => {
                Self::of_attachment(entry.detail.map_or("", |detail| index.text(detail)))
            }
            (_, Kind::Assistant) => Self::Answers,
            (_, Kind::System) => Self::Notes,
            (block, Kind::User) => of_user(transcript, entry, block),
            (_, Kind::Other) => Self::Other,
        }
    }
}

fn of_user<S: Source>(transcript: &Transcript<S>, entry: &Entry, block: &Block) -> Category {
    if entry.flags.summary {
        return Category::Summary;
    }
    if entry.flags.meta {
        return match is_of_skill(transcript, entry) {
            true => Category::Skills,
            false => Category::Notes,
        };
    }
    match block {
        Block::Read(record::Block::Text(text)) if !is_own_words(text) => Category::Notes,
        _ => Category::Prompts,
    }
}

/// Whether a tool that calls skills put a text in (fact C1.3).
fn is_of_skill<S: Source>(transcript: &Transcript<S>, entry: &Entry) -> bool {
    #[derive(Default, Deserialize)]
    struct PutIn {
        #[serde(rename = "sourceToolUseID")]
        by: Option<String>,
    }
    let json = transcript.json(entry).unwrap_or_default();
    let put_in = serde_json::from_str::<PutIn>(&json).unwrap_or_default();
    let index = transcript.index();
    let call = put_in.by.and_then(|call| index.find(&call));
    call.is_some_and(|call| {
        let tool = tool_of(index, call);
        tool == Some("Skill") || tool == Some("SlashCommand")
    })
}

/// The tool that a call with an id called.
fn tool_of(index: &Index, call: crate::transcript::Id) -> Option<&str> {
    let assistant = index.entries().iter().rev();
    let mut pieces = assistant
        .filter(|entry| entry.kind == Kind::Assistant)
        .flat_map(|entry| index.pieces(entry));
    let piece = pieces.find(|piece| piece.tool == Some(call) && piece.name.is_some())?;
    piece.name.map(|name| index.text(name))
}
