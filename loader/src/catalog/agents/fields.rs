//! What the client does with each key of a definition (facts C2.4 to C2.6, C2.9, C2.10).

use serde_json::Value;

use super::definition::Definition;
use super::{
    Agent, AgentMemory, AgentSettings, AgentSource, Field, MODES, is_effort, listing, split,
};
use crate::path::AbsPath;
use crate::session::{Session, World};

/// The definition as the listing has it.
pub(super) fn agent(
    world: &World<'_>,
    session: &Session<'_>,
    definition: Definition,
    source: AgentSource,
    path: Option<AbsPath>,
) -> Agent {
    let mut reader = Reader {
        world,
        session,
        definition: &definition,
        source,
        settings: AgentSettings::default(),
        fields: Vec::new(),
    };
    reader.read();
    let Reader {
        settings, fields, ..
    } = reader;
    let is_own_text = source == AgentSource::Plugin && definition.description.is_empty();
    let plugin = definition.name.split(':').next().unwrap_or_default();
    Agent {
        characters: match is_own_text {
            true => OF_PLUGIN + listing::characters(plugin),
            false => listing::characters(&definition.description),
        },
        label: definition.tools.label(),
        line: definition.line_of("name"),
        tools: definition.tools,
        description: (!is_own_text).then_some(definition.description),
        name: definition.name,
        source,
        path,
        fields,
        settings,
        body: definition.body,
    }
}

/// UTF-16 units of the client's own description of a plugin's agent, which holds the plugin's name
/// (fact 78).
const OF_PLUGIN: usize = 18;

/// Where a value of `memory` keeps it; `None` for any other value.
pub(super) fn memory(value: &Value) -> Option<AgentMemory> {
    match value.as_str()? {
        "user" => Some(AgentMemory::User),
        "project" => Some(AgentMemory::Project),
        "local" => Some(AgentMemory::Local),
        _ => None,
    }
}

/// The keys that are looked at, in the order in which they are told of.
const KEYS: &[&str] = &[
    "model",
    "effort",
    "tools",
    "disallowedTools",
    "allowed-tools",
    "disallowed-tools",
    "skills",
    "memory",
    "permissionMode",
    "maxTurns",
    "background",
    "isolation",
    "hooks",
    "mcpServers",
    "color",
    "initialPrompt",
];

struct Reader<'a, 'h> {
    world: &'a World<'h>,
    session: &'a Session<'h>,
    definition: &'a Definition,
    source: AgentSource,
    settings: AgentSettings,
    fields: Vec<Field>,
}

impl Reader<'_, '_> {
    fn read(&mut self) {
        for key in KEYS {
            let Some(value) = self.definition.keys.get(*key) else {
                continue;
            };
            let (counts, effect) = match self.effect(key, value) {
                Ok(effect) => (true, effect),
                Err(effect) => (false, effect),
            };
            self.fields.push(Field {
                name: (*key).to_owned(),
                value: value.clone(),
                line: self.definition.line_of(key),
                counts,
                effect,
            });
        }
    }

    /// What a key does; `Err` says why it does nothing.
    fn effect(&mut self, key: &str, value: &Value) -> Result<String, String> {
        let ignored = |wanted: &str| Err(format!("ignored: it must be {wanted}"));
        let text = value.as_str().filter(|text| !text.is_empty());
        match key {
            "model" => match text {
                Some("inherit") => {
                    self.settings.model = Some("inherit".to_owned());
                    Ok("the parent's model".to_owned())
                }
                Some(model) => {
                    self.settings.model = Some(model.to_owned());
                    let name = self.session.model_facts(model).name;
                    Ok(format!("sent as {name}"))
                }
                None => ignored("a text; the parent's model is used"),
            },
            "effort" => self.effort(value),
            "tools" => Ok(self.tools()),
            "disallowedTools" if self.definition.tools.disallowed.is_empty() => {
                Err("takes nothing away".to_owned())
            }
            "disallowedTools" => Ok("taken away".to_owned()),
            "allowed-tools" => Err("ignored: the key is `tools`".to_owned()),
            "disallowed-tools" => Err("ignored: the key is `disallowedTools`".to_owned()),
            "skills" => {
                let names: Vec<String> = match value {
                    Value::String(text) => split(text),
                    Value::Array(items) => items
                        .iter()
                        .filter_map(Value::as_str)
                        .flat_map(split)
                        .collect(),
                    _ => Vec::new(),
                };
                if names.is_empty() {
                    return ignored("a text or a list of texts");
                }
                self.settings.skills = names;
                Ok("their bodies stand behind the task".to_owned())
            }
            "memory" => self.memory(value),
            "permissionMode" => self.mode(text),
            "maxTurns" => match value.as_u64().filter(|turns| *turns > 0) {
                Some(turns) => Ok(format!("it ends after {turns} requests")),
                None => ignored("a whole number above 0"),
            },
            "background" => match value {
                Value::Bool(true) => {
                    self.settings.in_background = true;
                    Ok("runs in the background".to_owned())
                }
                Value::Bool(false) => Ok("as without it".to_owned()),
                _ => ignored("true or false"),
            },
            "isolation" => match text {
                Some("worktree") => {
                    self.settings.is_isolated = true;
                    Ok("works in a new worktree below .claude/worktrees".to_owned())
                }
                _ => ignored("worktree"),
            },
            "hooks" | "mcpServers" => self.trusted(value),
            "color" => Ok("display only".to_owned()),
            _ => Err("no effect on a sub-agent".to_owned()),
        }
    }

    fn effort(&mut self, value: &Value) -> Result<String, String> {
        if !self.world.behaviour.agents.effort {
            return Err("ignored before 2.1.222".to_owned());
        }
        if value.is_u64() {
            return Ok("sent in another form, not observed closely".to_owned());
        }
        match value.as_str().filter(|_| is_effort(value)) {
            Some(effort) => {
                self.settings.effort = Some(effort.to_owned());
                Ok("sent".to_owned())
            }
            None => Err("ignored: it must be low, medium, high, xhigh or max".to_owned()),
        }
    }

    fn tools(&self) -> String {
        let tools = &self.definition.tools;
        match &tools.listed {
            None => "all tools".to_owned(),
            Some(listed) if listed.is_empty() => {
                "no tool at all, though the listing says All tools".to_owned()
            }
            Some(_) if !tools.added.is_empty() => {
                format!("only these; memory adds {}", tools.added.join(", "))
            }
            Some(_) => "only these".to_owned(),
        }
    }

    fn memory(&mut self, value: &Value) -> Result<String, String> {
        let Some(memory) = memory(value) else {
            return Err("ignored: it must be user, project or local".to_owned());
        };
        if let Some(switch) = &self.world.switches.memory_off {
            return Err(format!("memory is off: {switch}"));
        }
        self.settings.memory = Some(memory);
        Ok("its MEMORY.md is part of the system prompt".to_owned())
    }

    fn mode(&mut self, mode: Option<&str>) -> Result<String, String> {
        match mode.filter(|mode| MODES.contains(mode)) {
            Some("auto") if !self.world.behaviour.agents.auto_mode => {
                Err("not observed in this client".to_owned())
            }
            Some(mode) => {
                self.settings.mode = Some(mode.to_owned());
                Ok("may loosen the parent's mode, never tighten it".to_owned())
            }
            None => Err(format!("ignored: it must be one of {}", MODES.join(", "))),
        }
    }

    /// Those of a project's agent need a trusted folder; a plugin's were not observed.
    fn trusted(&self, value: &Value) -> Result<String, String> {
        if !value.is_object() && !value.is_array() {
            return Err("ignored: wrong type".to_owned());
        }
        let of_project = matches!(self.source, AgentSource::Project | AgentSource::AddDir);
        let needs_trust = of_project && self.world.behaviour.agents.trusted_only;
        match self.source {
            AgentSource::Plugin => Ok("not observed in a plugin's agent".to_owned()),
            _ if needs_trust && !self.world.state.trusts(&self.world.cwd) => {
                Err("ignored: the folder is not trusted".to_owned())
            }
            _ => Ok("in force while it runs".to_owned()),
        }
    }
}
