//! The memory of an agent: its place and its cut (fact C2.10).

use crate::catalog::agents::{Agent, AgentMemory};
use crate::javascript;
use crate::limits;
use crate::memory::cut;
use crate::path::AbsPath;
use crate::record::Notice;
use crate::session::World;

/// A memory as it stands in the system prompt.
pub(super) struct Memory {
    pub(super) path: AbsPath,
    /// What is delivered of it; empty where the file is empty or missing.
    pub(super) text: String,
    pub(super) notice: Option<Notice>,
}

/// The memory of an agent that has one. Nothing in the file is taken out or imported.
pub(super) fn of(world: &World<'_>, agent: &Agent) -> Option<Memory> {
    let dot_claude = world.cwd.child(".claude");
    let folder = match agent.settings.memory? {
        AgentMemory::User => world.origin.config().child("agent-memory"),
        AgentMemory::Project => dot_claude.child("agent-memory"),
        AgentMemory::Local => dot_claude.child("agent-memory-local"),
    };
    let path = folder.child(&folder_name(&agent.name)).child("MEMORY.md");
    let bytes = world.host.read(&path, limits::FILE_BYTES);
    let bytes = bytes.unwrap_or_default();
    let source = String::from_utf8_lossy(&bytes);
    let (kept, notice) = cut(javascript::trim(&source));
    Some(Memory {
        text: kept.to_owned(),
        notice,
        path,
    })
}

/// The agent's name with `-` for each unit that is no letter, digit, `_` or `-` (fact 86).
fn folder_name(name: &str) -> String {
    let mut folder = String::with_capacity(name.len());
    for c in name.chars() {
        match c.is_ascii_alphanumeric() || c == '_' || c == '-' {
            true => folder.push(c),
            false => folder.extend(std::iter::repeat_n('-', c.len_utf16())),
        }
    }
    folder
}
