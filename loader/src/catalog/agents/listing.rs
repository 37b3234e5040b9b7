//! Which definition of each name counts, what rules deny, and the order of the listing.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use super::allowed::Allowed;
use super::definition::{Definition, Fallback, Fault};
use super::sources::{self, File, Folder};
use super::{AbsentAgent, Agent, AgentAbsence, AgentSource, Agents, fields, flag, own};
use crate::catalog::order::Order;
use crate::javascript;
use crate::limits;
use crate::path::AbsPath;
use crate::plugins;
use crate::record::Scope;
use crate::request::denied::DenyRule;
use crate::session::{Session, World, is_true};

impl Session<'_> {
    /// The agents of the session, and every definition that is none of them.
    #[must_use]
    pub fn agents(&self) -> Agents {
        let mut lister = Lister {
            session: self,
            world: self.world(),
            agents: Agents::default(),
            chosen: Vec::new(),
            places: FxHashMap::default(),
        };
        lister.collect();
        lister.deny();
        lister.finish()
    }
}

/// A definition, and where it is.
struct Chosen {
    definition: Definition,
    source: AgentSource,
    path: Option<AbsPath>,
    folder: Option<AbsPath>,
}

struct Lister<'s, 'h> {
    session: &'s Session<'h>,
    world: &'s World<'h>,
    agents: Agents,
    chosen: Vec<Chosen>,
    /// The place in `chosen` of each name.
    places: FxHashMap<String, usize>,
}

impl Lister<'_, '_> {
    fn collect(&mut self) {
        let (plugins, refused) = plugins::all(self.world);
        self.agents.refused_plugins = refused;
        for folder in sources::of_plugins(&plugins) {
            self.folder(&folder);
        }
        for folder in sources::folders(self.world) {
            if folder.source == AgentSource::Managed {
                self.flag();
            }
            self.folder(&folder);
        }
    }

    fn folder(&mut self, folder: &Folder) {
        let sorted = self.world.behaviour.agents.sorted_files;
        for file in sources::files(self.world.host, folder, sorted) {
            if !file.is_named_right {
                self.leave_out(None, folder.source, file.path, AgentAbsence::WrongExtension);
                continue;
            }
            match self.read(folder, &file) {
                Ok(definition) => self.choose(Chosen {
                    definition,
                    source: folder.source,
                    path: Some(file.path),
                    folder: Some(folder.path.clone()),
                }),
                Err((name, absence)) => self.leave_out(name, folder.source, file.path, absence),
            }
        }
    }

    fn read(
        &self,
        folder: &Folder,
        file: &File,
    ) -> Result<Definition, (Option<String>, AgentAbsence)> {
        let bytes = self.world.host.read(&file.path, limits::FILE_BYTES);
        let bytes = bytes.map_err(|error| {
            let error = error.to_string();
            (None, AgentAbsence::Unreadable { error })
        })?;
        let source = String::from_utf8_lossy(&bytes);
        let fallback = folder.plugin.as_ref().map(|_| Fallback {
            name: file.place.last().cloned().unwrap_or_default(),
        });
        let read = Definition::of(&source, &self.world.behaviour, fallback);
        if let Some(source) = folder.not_selected {
            let name = read.map_or_else(|fault| fault.name, |read| Some(read.name));
            return Err((name, AgentAbsence::NotSelected { source }));
        }
        match (read, &folder.plugin) {
            (Ok(mut definition), Some(plugin)) => {
                let folders = &file.place[..file.place.len().saturating_sub(1)];
                let mut parts = vec![plugin.clone()];
                parts.extend(folders.iter().cloned());
                parts.push(definition.name);
                definition.name = parts.join(":");
                Ok(definition)
            }
            (Ok(definition), None) => Ok(definition),
            (
                Err(Fault {
                    name,
                    key,
                    line,
                    fault,
                }),
                _,
            ) => Err((name, AgentAbsence::Invalid { key, line, fault })),
        }
    }

    fn flag(&mut self) {
        let Some(text) = &self.world.origin.flags.agents else {
            return;
        };
        match flag::read(text, &self.world.behaviour) {
            Ok(definitions) => {
                for definition in definitions {
                    self.choose(Chosen {
                        definition,
                        source: AgentSource::Flag,
                        path: None,
                        folder: None,
                    });
                }
            }
            Err(fault) => {
                if self.world.behaviour.agents.flag_checked {
                    self.agents.ends = Some(format!("--agents is not right: {fault}"));
                }
                let (key, line) = (None, None);
                self.agents.absent.push(AbsentAgent {
                    name: None,
                    source: AgentSource::Flag,
                    path: None,
                    absence: AgentAbsence::Invalid { key, line, fault },
                });
            }
        }
    }

    /// A later definition takes the place of an earlier one of its name.
    fn choose(&mut self, mut chosen: Chosen) {
        if chosen
            .definition
            .keys
            .get("memory")
            .and_then(fields::memory)
            .is_some()
            && self.world.switches.memory_off.is_none()
        {
            chosen.definition.tools.remember();
        }
        let name = chosen.definition.name.clone();
        let Some(&place) = self.places.get(&name) else {
            self.places.insert(name, self.chosen.len());
            return self.chosen.push(chosen);
        };
        let weaker = std::mem::replace(&mut self.chosen[place], chosen);
        let stronger = &self.chosen[place];
        let of = match &stronger.path {
            Some(path) => path.to_string(),
            None => "--agents".to_owned(),
        };
        let because = because(&weaker, stronger);
        self.agents.absent.push(AbsentAgent {
            name: Some(name),
            source: weaker.source,
            path: weaker.path,
            absence: AgentAbsence::Duplicate { of, because },
        });
    }

    fn leave_out(
        &mut self,
        name: Option<String>,
        source: AgentSource,
        path: AbsPath,
        absence: AgentAbsence,
    ) {
        self.agents.absent.push(AbsentAgent {
            name,
            source,
            path: Some(path),
            absence,
        });
    }

    /// Takes out what rules deny; notes why there is no listing at all.
    fn deny(&mut self) {
        let long_prompt = self.session.fixed_cost().is_long();
        let mut agents = own::all(&self.world.behaviour, long_prompt);
        agents.retain(|agent| !self.places.contains_key(&agent.name));
        let world = self.world;
        let described = self.chosen.drain(..).map(|chosen| {
            let Chosen {
                definition,
                source,
                path,
                ..
            } = chosen;
            fields::agent(world, self.session, definition, source, path)
        });
        agents.extend(described.collect::<Vec<_>>());
        let allowed = Allowed::of(world);
        for agent in agents {
            match allowed.rule_against_agent(&agent.name) {
                Some(DenyRule { rule, place }) => self.agents.absent.push(AbsentAgent {
                    name: Some(agent.name),
                    source: agent.source,
                    path: agent.path,
                    absence: AgentAbsence::Denied {
                        rule: rule.clone(),
                        place: place.clone(),
                    },
                }),
                None => self.agents.agents.push(agent),
            }
        }
        self.agents.silent = silent(world, &allowed);
    }

    fn finish(mut self) -> Agents {
        let order = Order::new();
        let ascii_first = self.world.behaviour.agents.ascii_first;
        let compare = |a: &Agent, b: &Agent| compare(&order, ascii_first, &a.name, &b.name);
        self.agents.agents.sort_by(compare);
        // Whatever the raw order of folders is.
        let place =
            |absent: &AbsentAgent| (absent.source, absent.path.clone(), absent.name.clone());
        self.agents.absent.sort_by_cached_key(place);
        self.agents
    }
}

/// By collation; in newer clients names with other letters than ASCII stand last, by their units
/// (facts C2.2, 74).
fn compare(order: &Order, ascii_first: bool, a: &str, b: &str) -> Ordering {
    if !ascii_first || (a.is_ascii() && b.is_ascii()) {
        return order.compare(a, b);
    }
    let units = || a.encode_utf16().cmp(b.encode_utf16());
    b.is_ascii().cmp(&a.is_ascii()).then_with(units)
}

fn because(weaker: &Chosen, stronger: &Chosen) -> &'static str {
    if weaker.folder == stronger.folder {
        return "of one folder, the last file counts";
    }
    match (weaker.source, stronger.source) {
        (AgentSource::Plugin, AgentSource::Plugin) => "of plugins of one name, the last counts",
        (AgentSource::AddDir, AgentSource::AddDir) => "the last --add-dir counts",
        (AgentSource::Project, AgentSource::Project) => "the nearest directory counts",
        (_, AgentSource::Managed) => "the managed folder goes first",
        (_, AgentSource::Flag) => "--agents goes before files",
        (_, AgentSource::Project) => "the project goes before user and --add-dir",
        _ => "--add-dir goes before the user",
    }
}

/// Why no list of agents is sent: there is no tool to start one.
fn silent(world: &World<'_>, allowed: &Allowed) -> Option<String> {
    if let Some(DenyRule { rule, place }) = allowed.rule_against("Agent") {
        return Some(format!("{place} denies {rule}"));
    }
    if !allowed.is_given("Agent") {
        return Some("--tools leaves no Agent tool".to_owned());
    }
    if world.origin.bare {
        return Some("--bare leaves no Agent tool".to_owned());
    }
    let simple = world.origin.env.get("CLAUDE_CODE_SIMPLE");
    simple
        .is_some_and(|value| is_true(value))
        .then(|| "CLAUDE_CODE_SIMPLE leaves no Agent tool".to_owned())
}

impl AgentSource {
    /// The scope whose colour it has.
    #[must_use]
    pub const fn scope(self) -> Option<Scope> {
        match self {
            Self::Managed => Some(Scope::Managed),
            Self::User => Some(Scope::User),
            Self::Project | Self::AddDir => Some(Scope::Project),
            Self::BuiltIn | Self::Plugin | Self::Flag => None,
        }
    }
}

/// UTF-16 units of a description.
pub(super) fn characters(description: &str) -> usize {
    javascript::len(description)
}
