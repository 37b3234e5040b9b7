//! The agents that a session announces to the model, from files and flags alone.
//!
//! ```text
//! sources, flag (which definitions, weakest first) ─▶ definition (what each says, or its fault)
//!        ─▶ listing (which of a name counts, deny rules, the client's own, the order)
//!        ─▶ fields (what the client does with each key)
//! ```

mod allowed;
mod definition;
mod fields;
mod flag;
mod hooks;
mod listing;
mod own;
mod sources;
mod tools;

use serde::Serialize;
use serde_json::Value;

use crate::path::AbsPath;

pub(crate) use allowed::Allowed;
pub use tools::AgentTools;
pub(crate) use tools::split;

/// The permission modes by name.
pub(crate) const MODES: [&str; 6] = [
    "acceptEdits",
    "auto",
    "bypassPermissions",
    "default",
    "dontAsk",
    "plan",
];

/// Whether a value is the name of an effort.
fn is_effort(value: &Value) -> bool {
    let efforts = ["low", "medium", "high", "xhigh", "max"];
    value
        .as_str()
        .is_some_and(|effort| efforts.contains(&effort))
}

/// Where an agent is defined, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AgentSource {
    /// The client itself.
    BuiltIn,
    /// A plugin of `--plugin-dir`.
    Plugin,
    /// `agents` of the user's configuration folder.
    User,
    /// `.claude/agents` of a directory of `--add-dir`.
    AddDir,
    /// `.claude/agents` of the working directory or one above it.
    Project,
    /// `--agents`.
    Flag,
    /// `.claude/agents` of the managed folder.
    Managed,
}

impl AgentSource {
    /// The name, as in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::BuiltIn => "built-in",
            Self::Plugin => "plugin",
            Self::User => "user",
            Self::AddDir => "add-dir",
            Self::Project => "project",
            Self::Flag => "flag",
            Self::Managed => "managed",
        }
    }
}

/// Where an agent keeps its memory (fact C2.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AgentMemory {
    /// The user's configuration folder.
    User,
    /// `.claude` of the working directory.
    Project,
    /// The same, not checked in.
    Local,
}

/// A key of a definition, and what the client does with it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Field {
    /// The key.
    pub name: String,
    /// Its value.
    pub value: Value,
    /// Its line in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Whether it has an effect.
    pub counts: bool,
    /// What the client does with it, in a few words.
    pub effect: String,
}

/// The keys that decide a sub-agent's first request; only those that count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AgentSettings {
    /// The model as written.
    pub(crate) model: Option<String>,
    pub(crate) effort: Option<String>,
    pub(crate) mode: Option<String>,
    pub(crate) memory: Option<AgentMemory>,
    pub(crate) is_isolated: bool,
    pub(crate) in_background: bool,
    pub(crate) skills: Vec<String>,
}

/// An agent as the client lists it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agent {
    /// The name by which it is called.
    pub name: String,
    /// Its description as sent; `None` for a text of the client's own.
    pub description: Option<String>,
    /// UTF-16 units of the description.
    pub characters: usize,
    /// The words behind `Tools:`.
    #[serde(rename = "tools")]
    pub label: String,
    /// Its tools.
    #[serde(skip)]
    pub tools: AgentTools,
    /// Where it is defined.
    pub source: AgentSource,
    /// Its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<AbsPath>,
    /// The line of its name there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Its other keys.
    pub fields: Vec<Field>,
    #[serde(skip)]
    pub(crate) settings: AgentSettings,
    /// What its system prompt begins with.
    #[serde(skip)]
    pub body: String,
}

impl Agent {
    /// The entry as it stands in the listing; `None` for one with a text of the client's own.
    #[must_use]
    pub fn line(&self) -> Option<String> {
        let description = self.description.as_ref()?;
        Some(format!(
            "- {}: {description} (Tools: {})",
            self.name, self.label
        ))
    }
}

/// Why a definition is not in the listing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum AgentAbsence {
    /// Another of its name is stronger (facts C2.1, C2.7).
    Duplicate {
        /// That one: a file, or `--agents`.
        of: String,
        /// What makes it stronger.
        because: &'static str,
    },
    /// It is no agent.
    Invalid {
        /// The key that is wrong.
        #[serde(skip_serializing_if = "Option::is_none")]
        key: Option<&'static str>,
        /// Its line.
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<u32>,
        /// What is wrong.
        fault: String,
    },
    /// A rule denies it (fact C2.8).
    Denied {
        /// The rule.
        rule: String,
        /// The settings file and line, or the flag.
        place: String,
    },
    /// Its name does not end in `.md`.
    WrongExtension,
    /// `--setting-sources` does not name its source (fact C1.16).
    NotSelected {
        /// The source.
        source: &'static str,
    },
    /// It cannot be read.
    Unreadable {
        /// Why.
        error: String,
    },
}

impl AgentAbsence {
    /// The line of the file that decided it.
    #[must_use]
    pub const fn line(&self) -> Option<u32> {
        match self {
            Self::Invalid { line, .. } => *line,
            _ => None,
        }
    }
}

impl std::fmt::Display for AgentAbsence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Duplicate { of, .. } => write!(f, "{of} has the name"),
            Self::Invalid { key, fault, .. } => match key {
                Some(key) => write!(f, "its definition is wrong: {key}: {fault}"),
                None => write!(f, "its definition is wrong: {fault}"),
            },
            Self::Denied { rule, place } => write!(f, "{place} denies {rule}"),
            Self::WrongExtension => f.write_str("its file does not end in .md"),
            Self::NotSelected { source } => {
                write!(f, "--setting-sources does not name `{source}`")
            }
            Self::Unreadable { error } => write!(f, "its file {error}"),
        }
    }
}

/// A definition that is not in the listing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AbsentAgent {
    /// Its name, where it has one.
    pub name: Option<String>,
    /// Where it is defined.
    pub source: AgentSource,
    /// Its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<AbsPath>,
    /// Why it is not there.
    #[serde(flatten)]
    pub absence: AgentAbsence,
}

/// The agents of a session.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Agents {
    /// In the order of the listing.
    pub agents: Vec<Agent>,
    /// The definitions that are not in it.
    pub absent: Vec<AbsentAgent>,
    /// Why no listing is sent at all.
    pub silent: Option<String>,
    /// What makes the client end before it sends anything.
    pub ends: Option<String>,
    /// Folders of `--plugin-dir` that do not count, and why.
    pub refused_plugins: Vec<(AbsPath, String)>,
}

impl Agents {
    /// The agent that a call names: as written, else whatever the case of its letters.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Agent> {
        let exact = self.agents.iter().find(|agent| agent.name == name);
        let folded = |agent: &&Agent| agent.name.to_lowercase() == name.to_lowercase();
        exact.or_else(|| self.agents.iter().find(folded))
    }
}
