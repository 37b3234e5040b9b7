//! What the file of an agent says, and what makes it none (facts C2.3 to C2.5).

use serde_json::{Map, Value};

use super::hooks;
use super::tools::AgentTools;
use crate::client::Behaviour;
use crate::document::{FrontMatter, line_at, mapping};
use crate::javascript;

/// An agent as a file or `--agents` defines it.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) tools: AgentTools,
    /// All keys, as the client's reader takes them.
    pub(super) keys: Map<String, Value>,
    /// What the system prompt begins with.
    pub(super) body: String,
    /// The source, for the lines of keys; empty for `--agents`.
    pub(super) source: String,
    /// The bytes of its front matter.
    pub(super) yaml: std::ops::Range<usize>,
}

/// Why a file is no agent.
#[derive(Debug)]
pub(super) struct Fault {
    /// The name that it would have.
    pub(super) name: Option<String>,
    pub(super) key: Option<&'static str>,
    pub(super) line: Option<u32>,
    pub(super) fault: String,
}

impl Fault {
    pub(super) fn whole(fault: &str) -> Self {
        Self {
            name: None,
            key: None,
            line: None,
            fault: fault.to_owned(),
        }
    }
}

/// What a plugin's agent falls back on: its name by its place, and a text of the client's own.
pub(super) struct Fallback {
    pub(super) name: String,
}

impl Definition {
    /// Reads a file. A plugin's agent needs neither front matter nor name nor description.
    pub(super) fn of(
        source: &str,
        behaviour: &Behaviour,
        fallback: Option<Fallback>,
    ) -> Result<Self, Fault> {
        let front = FrontMatter::find(source, behaviour.front_matter_behind_bom);
        let yaml = front.as_ref().map_or(0..0, |front| front.yaml.clone());
        let body = front.as_ref().map_or(0, |front| front.block.end);
        let keys = match &front {
            Some(front) => mapping(&source[front.yaml.clone()], behaviour),
            None => None,
        };
        let read = Self {
            name: String::new(),
            description: String::new(),
            tools: AgentTools::default(),
            keys: keys.clone().unwrap_or_default(),
            body: javascript::trim(&source[body..]).to_owned(),
            source: source.to_owned(),
            yaml,
        };
        if let Some(fallback) = fallback {
            return Ok(read.of_plugin(fallback));
        }
        if front.is_none() {
            return Err(Fault::whole("it has no front matter"));
        }
        if keys.is_none() {
            return Err(Fault::whole("its front matter is no YAML"));
        }
        read.checked(behaviour)
    }

    fn checked(mut self, behaviour: &Behaviour) -> Result<Self, Fault> {
        let name = self.text("name")?;
        if behaviour.agents.plain_names && name.contains(':') {
            let fault = "a colon stands between a plugin and its agent, and is refused here";
            return Err(self.fault(Some(name), "name", fault));
        }
        self.name.clone_from(&name);
        let description = match self.text("description") {
            Ok(description) => description,
            Err(fault) => {
                let name = Some(name);
                return Err(Fault { name, ..fault });
            }
        };
        // A backslash and an `n` are a line break to the client, however the value is quoted.
        self.description = description.replace("\\n", "\n");
        if behaviour.agents.hooks_checked
            && let Some(fault) = self.keys.get("hooks").and_then(hooks::fault)
        {
            return Err(self.fault(Some(name), "hooks", &fault));
        }
        self.tools = self.own_tools();
        Ok(self)
    }

    fn of_plugin(mut self, fallback: Fallback) -> Self {
        let plain = |value: &Value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
            _ => None,
        };
        let name = self.keys.get("name").and_then(plain);
        self.name = name
            .filter(|name| !name.is_empty())
            .unwrap_or(fallback.name);
        let description = self.keys.get("description").and_then(plain);
        self.description = javascript::trim(&description.unwrap_or_default()).to_owned();
        self.tools = self.own_tools();
        self
    }

    pub(super) fn own_tools(&self) -> AgentTools {
        AgentTools::of(self.keys.get("tools"), self.keys.get("disallowedTools"))
    }

    fn text(&self, key: &'static str) -> Result<String, Fault> {
        let fault = match self.keys.get(key) {
            Some(Value::String(text)) if !text.is_empty() => return Ok(text.clone()),
            None => "it is missing",
            Some(Value::String(_) | Value::Null) => "it is empty",
            Some(_) => "it must be a text",
        };
        Err(self.fault(None, key, fault))
    }

    fn fault(&self, name: Option<String>, key: &'static str, fault: &str) -> Fault {
        Fault {
            name,
            key: Some(key),
            line: self.line_of(key),
            fault: fault.to_owned(),
        }
    }

    /// The line of a key; of a repeated one the last.
    pub(super) fn line_of(&self, key: &str) -> Option<u32> {
        let mut offset = self.yaml.start;
        let mut found = None;
        for line in self.source.get(self.yaml.clone())?.split_inclusive('\n') {
            let is_key = line
                .strip_prefix(key)
                .is_some_and(|rest| rest.trim_start_matches([' ', '\t']).starts_with(':'));
            if is_key {
                found = Some(line_at(&self.source, offset));
            }
            offset += line.len();
        }
        found
    }
}
