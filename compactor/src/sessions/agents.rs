//! Whose work a sub-agent's file is.

use serde::Serialize;

use crate::transcript::{Index, Kind};

/// A sub-agent. Its own id is short and can occur in two sessions (bug B146).
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct AgentId {
    /// The session that started it; empty where no record names one.
    pub session: String,
    /// Its id within the session; empty where no record names one.
    pub agent: String,
}

/// The sub-agent whose file this is: the first record of the talk is a side chain, or names an
/// agent (bug B144). What stands before it is not looked at.
#[must_use]
pub fn owner(index: &Index) -> Option<AgentId> {
    let entries = index.entries();
    let is_talk = |kind| matches!(kind, Kind::User | Kind::Assistant);
    let first = entries.iter().find(|entry| is_talk(entry.kind))?;
    let text = |id: Option<_>| id.map_or_else(String::new, |id| index.text(id).to_owned());
    if !first.flags.sidechain && first.agent.is_none() {
        return None;
    }
    // A main file of an older client can begin in the middle of a side chain, but then has talk
    // of its own.
    let is_main = |entry: &&crate::transcript::Entry| {
        is_talk(entry.kind) && !entry.flags.sidechain && entry.agent.is_none()
    };
    if entries.iter().any(|entry| is_main(&entry)) {
        return None;
    }
    let agent = first
        .agent
        .or_else(|| entries.iter().find_map(|entry| entry.agent));
    let session = first
        .session
        .or_else(|| entries.iter().find_map(|entry| entry.session));
    Some(AgentId {
        session: text(session),
        agent: text(agent),
    })
}
