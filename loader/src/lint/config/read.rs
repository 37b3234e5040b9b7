//! One file: text in, what it sets and what is wrong out.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{self, Budget, Key, Kind};
use super::{Config, Level, Levels, Patterns, Problem};
use crate::client::{Client, Version};
use crate::lint::near::nearest_of_all;
use crate::lint::registry::RULES;
use crate::lint::rule::{Rule, Severity};
use crate::path::AbsPath;

/// What one file sets.
pub(super) struct File {
    /// The file that it extends, and the bytes that name it.
    pub(super) extend: Option<(AbsPath, Range<usize>)>,
    path: AbsPath,
    /// From where patterns count.
    base: AbsPath,
    rules: Vec<(&'static Rule, Level)>,
    overrides: Vec<Levels>,
    ignore: Option<Patterns>,
    budgets: Vec<(&'static Budget, u64)>,
    clients: Option<Vec<Version>>,
    baseline: Option<AbsPath>,
    problems: Vec<Problem>,
}

type Value<'t> = Spanned<DeValue<'t>>;

impl File {
    pub(super) fn of(path: &AbsPath, text: &str, base: &AbsPath) -> Self {
        let mut file = Self {
            extend: None,
            path: path.clone(),
            base: base.clone(),
            rules: Vec::new(),
            overrides: Vec::new(),
            ignore: None,
            budgets: Vec::new(),
            clients: None,
            baseline: None,
            problems: Vec::new(),
        };
        // A mark of the byte order is no fault, as with the client's own files.
        let skipped = if text.starts_with('\u{feff}') { 3 } else { 0 };
        let (table, errors) = DeTable::parse_recoverable(&text[skipped..]);
        for error in errors {
            let range = error.span().unwrap_or(0..0);
            let message = format!("this is no TOML: {}", error.message());
            file.invalid(range, message, None);
        }
        file.table(table.get_ref(), keys::FILE, "");
        for problem in &mut file.problems {
            problem.range.start += skipped;
            problem.range.end += skipped;
        }
        if let Some((_, range)) = &mut file.extend {
            *range = range.start + skipped..range.end + skipped;
        }
        file.problems.sort_by_key(|problem| problem.range.start);
        file
    }

    pub(super) fn add_to(self, config: &mut Config) {
        config.levels.push(Levels {
            paths: None,
            rules: self.rules,
        });
        config.levels.extend(self.overrides);
        config.ignore.extend(self.ignore);
        config.budgets.extend(self.budgets);
        if let Some(clients) = self.clients {
            config.clients = clients;
        }
        config.baseline = self.baseline.or(config.baseline.take());
        config.problems.extend(self.problems);
    }

    fn table(&mut self, table: &DeTable<'_>, keys: &'static [Key], place: &str) {
        for (name, value) in table.iter() {
            let written: &str = name.get_ref();
            let Some(key) = keys.iter().find(|key| key.name == written) else {
                self.unknown_key(name.span(), written, keys, place);
                continue;
            };
            match (&key.kind, value.get_ref()) {
                (Kind::Table(keys), DeValue::Table(table)) => self.table(table, keys, key.name),
                (Kind::Tables(_), DeValue::Array(tables)) => {
                    for value in tables.iter() {
                        self.overridden(value);
                    }
                }
                (Kind::Levels, DeValue::Table(table)) => self.rules = self.levels(table),
                (Kind::Budgets, DeValue::Table(table)) => self.budgets(table),
                (Kind::Path, DeValue::String(text)) => {
                    let folder = self.path.parent().unwrap_or_else(|| self.path.clone());
                    let path = folder.join(text);
                    match key.name {
                        "extend" => self.extend = Some((path, value.span())),
                        _ => self.baseline = Some(path),
                    }
                }
                (Kind::Patterns, DeValue::Array(_)) => self.ignore = self.patterns(value),
                (Kind::Clients, DeValue::Array(_)) => self.clients = Some(self.clients(value)),
                (kind, _) => self.wrong(key.name, kind.wanted(), value),
            }
        }
    }

    fn overridden(&mut self, value: &Value<'_>) {
        let DeValue::Table(table) = value.get_ref() else {
            return self.wrong("overrides", "a list of tables", value);
        };
        let (mut paths, mut rules) = (None, Vec::new());
        for (name, value) in table.iter() {
            match (&**name.get_ref(), value.get_ref()) {
                ("paths", DeValue::Array(_)) => paths = self.patterns(value),
                ("paths", _) => self.wrong("paths", Kind::Patterns.wanted(), value),
                ("rules", DeValue::Table(table)) => rules = self.levels(table),
                ("rules", _) => self.wrong("rules", Kind::Levels.wanted(), value),
                (written, _) => {
                    self.unknown_key(name.span(), written, keys::OVERRIDE, "overrides");
                }
            }
        }
        for name in ["paths", "rules"] {
            if !table.iter().any(|(key, _)| key.get_ref() == name) {
                let message =
                    format!("an entry of `overrides` has no `{name}`, so it does nothing");
                self.invalid(value.span(), message, None);
            }
        }
        if paths.is_some() {
            self.overrides.push(Levels { paths, rules });
        }
    }

    fn levels(&mut self, table: &DeTable<'_>) -> Vec<(&'static Rule, Level)> {
        let mut rules = Vec::new();
        for (name, value) in table.iter() {
            let written: &str = name.get_ref();
            let Some(rule) = crate::lint::rule(written) else {
                let is_id = written.len() <= 5;
                let names = RULES
                    .iter()
                    .map(|rule| if is_id { rule.id } else { rule.name });
                let message = format!("there is no rule `{written}`, so nothing is set");
                self.unknown(name.span(), message, nearest_of_all(written, names));
                continue;
            };
            match value.get_ref() {
                DeValue::String(text) => match level(text) {
                    Some(level) => rules.push((rule, level)),
                    None => {
                        let message = format!(
                            "`{text}` is none of `off`, `info`, `warning` and `error`, so `{written}` stays as it is"
                        );
                        self.invalid(value.span(), message, nearest_of_all(text, keys::LEVELS));
                    }
                },
                _ => self.wrong(
                    written,
                    "one of `off`, `info`, `warning` and `error`",
                    value,
                ),
            }
        }
        rules
    }

    fn budgets(&mut self, table: &DeTable<'_>) {
        for (name, value) in table.iter() {
            let written: &str = name.get_ref();
            let Some(budget) = keys::BUDGETS.iter().find(|known| known.name == written) else {
                let names = keys::BUDGETS.iter().map(|budget| budget.name);
                let message = format!("there is no budget `{written}`, so nothing is set");
                self.unknown(name.span(), message, nearest_of_all(written, names));
                continue;
            };
            let number = match value.get_ref() {
                DeValue::Integer(number) => {
                    u64::from_str_radix(number.as_str(), number.radix()).ok()
                }
                _ => None,
            };
            match number {
                Some(number) => self.budgets.push((budget, number)),
                None => self.wrong(written, "a whole number that is not below 0", value),
            }
        }
    }

    fn patterns(&mut self, value: &Value<'_>) -> Option<Patterns> {
        let texts: Vec<String> = self
            .texts(value, "patterns")
            .into_iter()
            .map(|(text, _)| text)
            .collect();
        match Patterns::of(&self.base, &texts) {
            Ok(patterns) => Some(patterns),
            Err(error) => {
                let message = format!("a pattern cannot be read, so none of them counts: {error}");
                self.invalid(value.span(), message, None);
                None
            }
        }
    }

    fn clients(&mut self, value: &Value<'_>) -> Vec<Version> {
        let mut clients = Vec::new();
        for (text, range) in self.texts(value, "versions") {
            let version = text.parse::<Version>().map_err(|error| error.to_string());
            let known = version.and_then(|version| {
                Client::of(version).map_err(|error| error.to_string())?;
                Ok(version)
            });
            match known {
                Ok(version) => clients.push(version),
                Err(error) => self.invalid(range, error, None),
            }
        }
        clients
    }

    fn texts(&mut self, value: &Value<'_>, what: &str) -> Vec<(String, Range<usize>)> {
        let mut texts = Vec::new();
        let DeValue::Array(list) = value.get_ref() else {
            return texts;
        };
        for value in list.iter() {
            match value.get_ref() {
                DeValue::String(text) => texts.push((text.to_string(), value.span())),
                other => {
                    let message = format!(
                        "{} stands in a list of {what}, which are texts",
                        kind(other)
                    );
                    self.invalid(value.span(), message, None);
                }
            }
        }
        texts
    }

    fn unknown_key(
        &mut self,
        range: Range<usize>,
        written: &str,
        keys: &'static [Key],
        place: &str,
    ) {
        let place = if place.is_empty() {
            String::new()
        } else {
            format!(" in `{place}`")
        };
        let message = format!("there is no key `{written}`{place}, so it does nothing");
        let near = nearest_of_all(written, keys.iter().map(|key| key.name));
        self.unknown(range, message, near);
        // Keys of `[lint]` are often written at the top.
        let belongs =
            keys.len() == keys::FILE.len() && keys::LINT.iter().any(|key| key.name == written);
        if belongs && let Some(problem) = self.problems.last_mut() {
            problem.help = Some(format!("`{written}` belongs to `[lint]`"));
            problem.nearest = None;
        }
    }

    fn unknown(&mut self, range: Range<usize>, message: String, nearest: Option<&'static str>) {
        self.problem(range, true, message, nearest);
    }

    fn wrong(&mut self, name: &str, wanted: &str, value: &Value<'_>) {
        let message = format!(
            "`{name}` is {}, so it does nothing: {wanted} is wanted",
            kind(value.get_ref())
        );
        self.problem(value.span(), false, message, None);
    }

    fn invalid(&mut self, range: Range<usize>, message: String, nearest: Option<&'static str>) {
        self.problem(range, false, message, nearest);
    }

    fn problem(
        &mut self,
        range: Range<usize>,
        is_key: bool,
        message: String,
        nearest: Option<&'static str>,
    ) {
        self.problems.push(Problem {
            path: self.path.clone(),
            range,
            is_key,
            message,
            help: nearest.map(|name| format!("`{name}` is near")),
            nearest,
        });
    }
}

fn level(text: &str) -> Option<Level> {
    Some(match text {
        "off" => Level::Off,
        "info" => Level::At(Severity::Info),
        "warning" => Level::At(Severity::Warning),
        "error" => Level::At(Severity::Error),
        _ => return None,
    })
}

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
