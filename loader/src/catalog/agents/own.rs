//! The client's own agents: names, sizes and tools, no texts (facts C2.2, 75).

use super::{Agent, AgentSource, AgentTools};
use crate::client::Behaviour;

/// Names of the client's own agents, and UTF-16 units of their descriptions.
const OWN: [(&str, usize); 5] = [
    ("claude", 111),
    ("Explore", 398),
    ("general-purpose", 279),
    ("Plan", 226),
    ("statusline-setup", 71),
];
/// The same of Explore with models that are told the long prompt (fact C7.1).
const EXPLORE_LONG: usize = 605;

/// Tools that Explore and Plan do not have.
const DENIED: [&str; 6] = [
    "Agent",
    "Artifact",
    "ExitPlanMode",
    "Edit",
    "Write",
    "NotebookEdit",
];
/// The same of newer clients.
const DENIED_MORE: [&str; 9] = [
    "Agent",
    "Artifact",
    "ArtifactComments",
    "ArtifactData",
    "ArtifactCheck",
    "ExitPlanMode",
    "Edit",
    "Write",
    "NotebookEdit",
];

/// The client's own agents.
pub(super) fn all(behaviour: &Behaviour, long_prompt: bool) -> Vec<Agent> {
    let agent = |(name, characters): (&str, usize)| Agent {
        name: name.to_owned(),
        description: None,
        characters: match name {
            "Explore" if long_prompt => EXPLORE_LONG,
            _ => characters,
        },
        label: label(name, behaviour),
        tools: tools(name, behaviour),
        source: AgentSource::BuiltIn,
        path: None,
        line: None,
        fields: Vec::new(),
        settings: super::AgentSettings::default(),
        body: String::new(),
    };
    OWN.into_iter().map(agent).collect()
}

fn tools(name: &str, behaviour: &Behaviour) -> AgentTools {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    match name {
        "Explore" | "Plan" => AgentTools {
            disallowed: match behaviour.agents.more_artifact_tools {
                true => owned(&DENIED_MORE),
                false => owned(&DENIED),
            },
            ..AgentTools::default()
        },
        "statusline-setup" => AgentTools {
            listed: Some(owned(&["Read", "Edit"])),
            ..AgentTools::default()
        },
        _ => AgentTools::default(),
    }
}

fn label(name: &str, behaviour: &Behaviour) -> String {
    match name {
        "claude" | "general-purpose" => "*".to_owned(),
        _ => tools(name, behaviour).label(),
    }
}
