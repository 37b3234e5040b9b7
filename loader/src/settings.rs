//! Settings that decide what loads, each with the file and line that set it (facts 7.1–7.3, 7.13).

use std::collections::BTreeMap;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;

use crate::document::line_at;
use crate::host::Host;
use crate::limits;
use crate::origin::{Origin, SettingsFlag};
use crate::path::AbsPath;
use crate::record::Diagnostic;

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

/// A value and where it was set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set<T> {
    /// The value.
    pub value: T,
    /// Where it was set.
    pub place: Place,
}

/// The settings that decide what loads, merged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
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
    /// `skillOverrides`, the strongest value of each name.
    pub skill_overrides: BTreeMap<String, Set<String>>,
    /// `skillListingMaxDescChars`.
    pub listing_text: Option<Set<usize>>,
    /// `env`.
    pub env: BTreeMap<String, Set<String>>,
}

/// The name of the built-in plugin that reads `AGENTS.md` (fact 1.16).
const AGENTS_PLUGIN: &str = "cc-plugin-agents-md@builtin";

impl Settings {
    /// Reads every settings file that the origin names. `cwd` is the resolved working directory.
    #[must_use]
    pub fn load(host: &dyn Host, origin: &Origin, cwd: &AbsPath) -> (Self, Vec<Diagnostic>) {
        let mut reader = Reader {
            host,
            settings: Self::default(),
            diagnostics: Vec::new(),
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
                reader.file(tier, &file);
            } else if origin.client.behaviour.memory_directory_of_all {
                reader.memory_directory(tier, &file);
            }
        }
        match &origin.settings {
            Some(SettingsFlag::Text(text)) => reader.text(Tier::Flag, None, text),
            Some(SettingsFlag::File(file)) => {
                if host.metadata(file).is_err() {
                    let message = "the file given with --settings does not exist";
                    reader.warn(Diagnostic::warning(message).about(file));
                }
                reader.file(Tier::Flag, file);
            }
            None => {}
        }
        for file in managed_files(host, &origin.managed) {
            reader.file(Tier::Managed, &file);
        }
        (reader.settings, reader.diagnostics)
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

impl Reader<'_> {
    /// The one key that old clients take from files that `--setting-sources` leaves out (case
    /// memory-dir-unselected).
    fn memory_directory(&mut self, tier: Tier, file: &AbsPath) {
        let mut other = Reader {
            host: self.host,
            settings: Settings::default(),
            diagnostics: Vec::new(),
        };
        other.file(tier, file);
        let found = other.settings.auto_memory_directory;
        self.settings.auto_memory_directory.extend(found);
    }
}

/// Settings as text: UTF-8, or UTF-16 behind a mark (case settings-utf16).
fn decoded(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    let Some(units) = bytes.strip_prefix(b"\xFF\xFE") else {
        return String::from_utf8_lossy(bytes);
    };
    let units = units
        .chunks_exact(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    let decoded = char::decode_utf16(units);
    decoded
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// The client takes plain JSON only: a comment or a comma too many voids the file.
const STRICT: jsonc_parser::ParseOptions = jsonc_parser::ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

struct Reader<'a> {
    host: &'a dyn Host,
    settings: Settings,
    diagnostics: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn warn(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn file(&mut self, tier: Tier, path: &AbsPath) {
        match self.host.read(path, limits::SETTINGS_BYTES) {
            Ok(bytes) => {
                self.text(tier, Some(path), &decoded(&bytes));
            }
            Err(error) if error.is_absent() => {}
            Err(error) => {
                let message = format!("settings file {error}; its settings do not count");
                self.warn(Diagnostic::warning(message).about(path));
            }
        }
    }

    fn text(&mut self, tier: Tier, file: Option<&AbsPath>, text: &str) {
        let body = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        if body.trim().is_empty() {
            return;
        }
        let skipped = text.len() - body.len();
        let about = |diagnostic: Diagnostic| match file {
            Some(file) => diagnostic.about(file),
            None => diagnostic,
        };
        let parsed =
            jsonc_parser::parse_to_ast(body, &jsonc_parser::CollectOptions::default(), &STRICT);
        let object = match parsed {
            Ok(result) => match result.value {
                Some(ast::Value::Object(object)) => object,
                _ => {
                    let message = "settings are not a JSON object, so none of them count";
                    self.warn(about(Diagnostic::warning(message).at(text, skipped)));
                    return;
                }
            },
            Err(error) => {
                let message = format!(
                    "settings are not JSON ({}), so none of them count",
                    error.kind()
                );
                let at = skipped + error.range().start;
                self.warn(about(Diagnostic::warning(message).at(text, at)));
                return;
            }
        };
        if let Some((message, at)) = not_json(body) {
            self.warn(about(Diagnostic::warning(message).at(text, skipped + at)));
            return;
        }
        for (wrong, at) in invalid(&object) {
            // Of managed settings only the wrong key is lost (case settings-managed-excludes-string).
            let lost = match tier {
                Tier::Managed => "it does not count",
                _ => "the client takes nothing from this file",
            };
            let message = format!("{wrong}, so {lost}");
            self.warn(about(Diagnostic::warning(message).at(text, skipped + at)));
            if tier != Tier::Managed {
                return;
            }
        }
        let place = |at: usize| Place {
            tier,
            file: file.cloned(),
            line: line_at(text, skipped + at),
        };
        self.take(&object, tier, &place);
    }

    fn take(&mut self, object: &ast::Object, tier: Tier, place: &dyn Fn(usize) -> Place) {
        let settings = &mut self.settings;
        for property in last_of_each(&object.properties) {
            let at = property.start();
            match (property.name.as_str(), &property.value) {
                ("claudeMdExcludes", ast::Value::Array(items))
                    if items
                        .elements
                        .iter()
                        .all(|item| item.as_string_lit().is_some()) =>
                {
                    settings
                        .excludes
                        .extend(items.elements.iter().filter_map(|item| {
                            item.as_string_lit().map(|text| Set {
                                value: text.value.to_string(),
                                place: place(item.start()),
                            })
                        }));
                }
                ("claudeMd", ast::Value::StringLit(text)) if tier == Tier::Managed => {
                    settings.managed_text = Some(Set {
                        value: text.value.to_string(),
                        place: place(at),
                    });
                }
                ("autoMemoryEnabled", ast::Value::BooleanLit(on)) => {
                    settings.auto_memory = Some(Set {
                        value: on.value,
                        place: place(at),
                    });
                }
                ("autoMemoryDirectory", ast::Value::StringLit(text)) => {
                    settings.auto_memory_directory.push(Set {
                        value: text.value.to_string(),
                        place: place(at),
                    });
                }
                ("enabledPlugins", ast::Value::Object(plugins)) => {
                    for plugin in &plugins.properties {
                        if let (AGENTS_PLUGIN, ast::Value::BooleanLit(on)) =
                            (plugin.name.as_str(), &plugin.value)
                        {
                            settings.agents_plugin = Some(Set {
                                value: on.value,
                                place: place(plugin.start()),
                            });
                        }
                    }
                }
                ("skillOverrides", ast::Value::Object(overrides)) => {
                    for skill in last_of_each(&overrides.properties) {
                        if let ast::Value::StringLit(text) = &skill.value {
                            let (value, place) = (text.value.to_string(), place(skill.start()));
                            let name = skill.name.as_str().to_owned();
                            settings.skill_overrides.insert(name, Set { value, place });
                        }
                    }
                }
                ("skillListingMaxDescChars", ast::Value::NumberLit(number)) => {
                    if let Ok(value) = number.value.parse() {
                        let place = place(at);
                        settings.listing_text = Some(Set { value, place });
                    }
                }
                ("env", ast::Value::Object(env)) => {
                    for variable in last_of_each(&env.properties) {
                        if let Some(value) = plain(&variable.value) {
                            let place = place(variable.start());
                            let name = variable.name.as_str().to_owned();
                            settings.env.insert(name, Set { value, place });
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

fn plain(value: &ast::Value) -> Option<String> {
    match value {
        ast::Value::StringLit(text) => Some(text.value.to_string()),
        ast::Value::NumberLit(number) => Some(number.value.to_string()),
        ast::Value::BooleanLit(on) => Some(on.value.to_string()),
        // The client makes a text of it, which turns nothing on (case env-map-null).
        ast::Value::NullKeyword(_) => Some("null".to_owned()),
        _ => None,
    }
}

/// The properties, of a repeated name only the last (case settings-dup).
fn last_of_each<'p, 'a>(
    properties: &'p [ast::ObjectProp<'a>],
) -> impl Iterator<Item = &'p ast::ObjectProp<'a>> {
    let is_last = |(index, property): &(usize, &ast::ObjectProp<'a>)| {
        let later = &properties[index + 1..];
        !later
            .iter()
            .any(|other| other.name.as_str() == property.name.as_str())
    };
    properties
        .iter()
        .enumerate()
        .filter(is_last)
        .map(|(_, property)| property)
}

/// Values of the wrong kind: one in a file other than the managed ones makes all of it void
/// (fact 7.3, cases settings-*-voids, settings-wrong-*). Keys that were not tried are taken to be
/// right.
fn invalid(object: &ast::Object) -> Vec<(String, usize)> {
    let wrong = |property: &ast::ObjectProp| {
        let name = property.name.as_str();
        let wanted = wanted_instead(name, &property.value)?;
        Some((format!("{name} must be {wanted}"), property.start()))
    };
    last_of_each(&object.properties).filter_map(wrong).collect()
}

/// What a key must hold, where it holds something else.
fn wanted_instead(name: &str, value: &ast::Value) -> Option<&'static str> {
    let (fits, wanted) = match name {
        "claudeMdExcludes" => (is_list_of_texts(value), "a list of texts"),
        "autoMemoryEnabled" | "includeCoAuthoredBy" => {
            (value.as_boolean_lit().is_some(), "true or false")
        }
        "autoMemoryDirectory" | "claudeMd" | "model" | "outputStyle" => {
            (value.as_string_lit().is_some(), "a text")
        }
        "cleanupPeriodDays" => (value.as_number_lit().is_some(), "a number"),
        "env" | "statusLine" => (value.as_object().is_some(), "an object"),
        "enabledPlugins" => (
            all(value, is_plugin),
            "an object of true, false or lists of texts",
        ),
        "permissions" => (
            all(value, is_permission),
            "an object whose rules and directories are lists",
        ),
        _ => return None,
    };
    (!fits).then_some(wanted)
}

fn is_list_of_texts(value: &ast::Value) -> bool {
    let items = value.as_array().map(|items| items.elements.iter());
    items.is_some_and(|mut items| items.all(|item| item.as_string_lit().is_some()))
}

/// Whether a value is an object all of whose properties fit.
fn all(value: &ast::Value, fits: fn(&ast::ObjectProp) -> bool) -> bool {
    let properties = value.as_object().map(|object| object.properties.iter());
    properties.is_some_and(|mut properties| properties.all(fits))
}

fn is_plugin(plugin: &ast::ObjectProp) -> bool {
    plugin.value.as_boolean_lit().is_some() || is_list_of_texts(&plugin.value)
}

/// The items of these lists are checked one by one and cost only themselves.
fn is_permission(property: &ast::ObjectProp) -> bool {
    let lists = ["allow", "deny", "ask", "additionalDirectories"];
    !lists.contains(&property.name.as_str()) || property.value.as_array().is_some()
}

/// Where a text that the reader took is no JSON after all: it lets line ends stand in texts.
fn not_json(text: &str) -> Option<(String, usize)> {
    let error = serde_json::from_str::<serde::de::IgnoredAny>(text).err()?;
    let mut ends = memchr::memchr_iter(b'\n', text.as_bytes());
    let before = error.line().checked_sub(2);
    let line_start = before.and_then(|before| ends.nth(before));
    let at = line_start.map_or(0, |end| end + 1) + error.column().saturating_sub(1);
    Some((
        format!("settings are not JSON ({error}), so none of them count"),
        at,
    ))
}
