//! Settings that decide what loads, each with the file and line that set it (facts 7.1–7.3, 7.13).
//!
//! `reading` (a file's values with their lines, or what voids it) → here (which file counts for
//! which key).

mod kinds;
mod reading;
mod value;

use std::collections::BTreeMap;

use crate::host::Host;
use crate::origin::{Origin, SettingsFlag};
use crate::path::AbsPath;
use crate::record::Diagnostic;

use reading::Reader;
pub use value::{Node, NodeValue, Property};

/// Which settings file a value came from, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// `settings.json` of the configuration folder.
    User,
    /// `.claude/settings.json` of the working directory.
    Project,
    /// `.claude/settings.local.json` of the working directory.
    Local,
    /// `--settings`.
    Flag,
    /// `managed-settings.json` and `managed-settings.d`.
    Managed,
}

/// Where a setting was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The kind of settings.
    pub tier: Tier,
    /// The file; `None` for JSON given on the command line.
    pub file: Option<AbsPath>,
    /// 1-based line.
    pub line: u32,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}:{}", self.line),
            None => f.write_str("--settings"),
        }
    }
}

impl serde::Serialize for Place {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A value and where it was set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set<T> {
    /// The value.
    pub value: T,
    /// Where it was set.
    pub place: Place,
}

/// A settings file that counts, and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsFile {
    /// The kind of settings.
    pub tier: Tier,
    /// The file; `None` for JSON given on the command line.
    pub path: Option<AbsPath>,
    /// Its values.
    pub root: Node,
}

impl SettingsFile {
    /// A line of the file as a place.
    #[must_use]
    pub fn place(&self, line: u32) -> Place {
        Place {
            tier: self.tier,
            file: self.path.clone(),
            line,
        }
    }
}

/// What a [`Fault`] costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// Nothing in the file counts.
    File,
    /// The key alone does not count.
    Key,
}

/// What is wrong with a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where; the line is 1 for the file as a whole.
    pub place: Place,
    /// The byte of the file, where it is known.
    pub offset: Option<usize>,
    /// What is wrong, without what follows from it.
    pub what: String,
    /// What it costs.
    pub lost: Lost,
}

/// The settings that decide what loads, merged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Every file that counts, weakest first.
    pub files: Vec<SettingsFile>,
    /// `claudeMdExcludes` of every file, added up.
    pub excludes: Vec<Set<String>>,
    /// `claudeMd` of managed settings.
    pub managed_text: Option<Set<String>>,
    /// `autoMemoryEnabled`.
    pub auto_memory: Option<Set<bool>>,
    /// `autoMemoryDirectory`, strongest last.
    pub auto_memory_directory: Vec<Set<String>>,
    /// `enabledPlugins["cc-plugin-agents-md@builtin"]`.
    pub agents_plugin: Option<Set<bool>>,
    /// `env`.
    pub env: BTreeMap<String, Set<String>>,
    /// What is wrong with the files, and with those that do not count for it.
    pub faults: Vec<Fault>,
}

/// The name of the built-in plugin that reads `AGENTS.md` (fact 1.16).
const AGENTS_PLUGIN: &str = "cc-plugin-agents-md@builtin";

impl Settings {
    /// Reads every settings file that the origin names. `cwd` is the resolved working directory.
    #[must_use]
    pub fn load(host: &dyn Host, origin: &Origin, cwd: &AbsPath) -> (Self, Vec<Diagnostic>) {
        let mut settings = Self::default();
        let mut reader = Reader {
            host,
            diagnostics: Vec::new(),
            faults: Vec::new(),
            hooks_void: origin.client.behaviour.hooks_void_settings,
        };
        let project = cwd.child(".claude");
        let (sources, user) = (origin.sources, origin.config().child("settings.json"));
        let tiers = [
            (sources.user, Tier::User, user),
            (
                sources.project,
                Tier::Project,
                project.child("settings.json"),
            ),
            (
                sources.local,
                Tier::Local,
                project.child("settings.local.json"),
            ),
        ];
        for (is_chosen, tier, file) in tiers {
            if is_chosen {
                settings.add(reader.file(tier, &file));
            } else if origin.client.behaviour.memory_directory_of_all {
                // The one key that old clients take from files that `--setting-sources` leaves
                // out (case memory-dir-unselected).
                let mut silent = Reader {
                    host,
                    diagnostics: Vec::new(),
                    faults: Vec::new(),
                    hooks_void: reader.hooks_void,
                };
                let mut other = Self::default();
                other.add(silent.file(tier, &file));
                let found = other.auto_memory_directory;
                settings.auto_memory_directory.extend(found);
            }
        }
        match &origin.settings {
            Some(SettingsFlag::Text(text)) => settings.add(reader.text(Tier::Flag, None, text)),
            Some(SettingsFlag::File(file)) => {
                if host.metadata(file).is_err() {
                    let message = "the file given with --settings does not exist";
                    let missing = Diagnostic::warning(message).about(file);
                    reader.diagnostics.push(missing);
                }
                settings.add(reader.file(Tier::Flag, file));
            }
            None => {}
        }
        for file in managed_files(host, &origin.managed) {
            settings.add(reader.file(Tier::Managed, &file));
        }
        settings.faults = reader.faults;
        (settings, reader.diagnostics)
    }

    /// The value of a key in the strongest file that has it, and its place.
    #[must_use]
    pub fn strongest(&self, name: &str) -> Option<Set<&Node>> {
        self.all(name).next_back()
    }

    /// The values of a key in every file, weakest first.
    pub fn all(&self, name: &str) -> impl DoubleEndedIterator<Item = Set<&Node>> {
        self.files.iter().filter_map(move |file| {
            let property = file.root.property(name)?;
            Some(Set {
                value: &property.value,
                place: file.place(property.line),
            })
        })
    }

    /// The strongest text of a key.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<Set<&str>> {
        self.strongest_as(name, Node::text)
    }

    /// The strongest `true` or `false` of a key.
    #[must_use]
    pub fn bool(&self, name: &str) -> Option<Set<bool>> {
        self.strongest_as(name, Node::bool)
    }

    /// The strongest value of a key that is of the kind that `as_kind` takes.
    pub fn strongest_as<'s, T>(
        &'s self,
        name: &str,
        as_kind: impl Fn(&'s Node) -> Option<T>,
    ) -> Option<Set<T>> {
        self.all(name).rev().find_map(|set| {
            let (value, place) = (as_kind(set.value)?, set.place);
            Some(Set { value, place })
        })
    }

    /// Where the strongest managed file that has a switch turns it on; `None` where it is off.
    #[must_use]
    pub fn managed_switch(&self, name: &str) -> Option<Place> {
        let mut managed = self.all(name);
        let set = managed.rfind(|set| set.place.tier == Tier::Managed)?;
        (set.value.bool() == Some(true)).then_some(set.place)
    }

    /// The strongest value of each name in an object, such as `env`.
    pub fn each(&self, name: &str) -> BTreeMap<&str, Set<&Node>> {
        let mut each = BTreeMap::new();
        for file in &self.files {
            let Some(object) = file.root.get(name) else {
                continue;
            };
            for property in object.properties() {
                let (value, place) = (&property.value, file.place(property.line));
                each.insert(property.name.as_str(), Set { value, place });
            }
        }
        each
    }

    fn add(&mut self, file: Option<SettingsFile>) {
        if let Some(file) = file {
            self.take(&file);
            self.files.push(file);
        }
    }

    /// Takes the keys that loading needs at each step.
    fn take(&mut self, file: &SettingsFile) {
        for property in file.root.properties() {
            let (value, place) = (&property.value, || file.place(property.line));
            match property.name.as_str() {
                "claudeMdExcludes" => {
                    let items = value.items().iter();
                    let texts: Option<Vec<Set<String>>> = items
                        .map(|item| {
                            let (value, place) = (item.text()?.to_owned(), file.place(item.line));
                            Some(Set { value, place })
                        })
                        .collect();
                    self.excludes.extend(texts.unwrap_or_default());
                }
                "claudeMd" if file.tier == Tier::Managed => {
                    self.managed_text =
                        set(value.text().map(str::to_owned), place).or(self.managed_text.take());
                }
                "autoMemoryEnabled" => {
                    self.auto_memory = set(value.bool(), place).or(self.auto_memory.take());
                }
                "autoMemoryDirectory" => {
                    let set = set(value.text().map(str::to_owned), place);
                    self.auto_memory_directory.extend(set);
                }
                "enabledPlugins" => {
                    let plugin = value.property(AGENTS_PLUGIN);
                    let plugin = plugin
                        .and_then(|plugin| set(plugin.value.bool(), || file.place(plugin.line)));
                    self.agents_plugin = plugin.or(self.agents_plugin.take());
                }
                "env" => {
                    for variable in value.properties() {
                        if let Some(value) = plain(&variable.value) {
                            let place = file.place(variable.line);
                            self.env.insert(variable.name.clone(), Set { value, place });
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

fn set<T>(value: Option<T>, place: impl Fn() -> Place) -> Option<Set<T>> {
    value.map(|value| Set {
        value,
        place: place(),
    })
}

fn plain(value: &Node) -> Option<String> {
    match &value.value {
        NodeValue::Text(text) | NodeValue::Number(text) => Some(text.clone()),
        NodeValue::Bool(on) => Some(on.to_string()),
        // The client makes a text of it, which turns nothing on (case env-map-null).
        NodeValue::Null => Some("null".to_owned()),
        NodeValue::List(_) | NodeValue::Map(_) => None,
    }
}

/// The files of managed settings, the strongest last; the first need not exist.
#[must_use]
pub fn managed_files(host: &dyn Host, folder: &AbsPath) -> Vec<AbsPath> {
    let drop_ins = folder.child("managed-settings.d");
    let entries = host.read_dir(&drop_ins).unwrap_or_default();
    let names = entries.into_iter().map(|entry| entry.name);
    let mut names: Vec<String> = names
        .filter(|name| name.ends_with(".json") && !name.starts_with('.'))
        .collect();
    names.sort();
    let mut files = vec![folder.child("managed-settings.json")];
    files.extend(names.iter().map(|name| drop_ins.child(name)));
    files
}
