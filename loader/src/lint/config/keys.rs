//! The keys of `outcrop.toml`, as one table: by it files are read, and the JSON schema is made.

use serde_json::{Map, Value, json};

use crate::lint::budgets::Budgets;
use crate::lint::registry::RULES;

/// A key.
#[derive(Debug)]
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// What it does, in one sentence.
    pub(super) about: &'static str,
}

/// What a key's value is.
#[derive(Debug)]
pub(super) enum Kind {
    /// A path, from the directory of the file.
    Path,
    /// Patterns as in `.gitignore`.
    Patterns,
    /// Rules, and how bad their findings are.
    Levels,
    /// Versions of clients.
    Clients,
    /// Sizes.
    Budgets,
    Table(&'static [Key]),
    /// A list of tables.
    Tables(&'static [Key]),
}

impl Kind {
    /// What is wanted, as in "… is wanted".
    pub(super) fn wanted(&self) -> &'static str {
        match self {
            Self::Path => "a path as text",
            Self::Patterns => "a list of patterns",
            Self::Levels => "a table of rules",
            Self::Clients => "a list of versions",
            Self::Budgets | Self::Table(_) => "a table",
            Self::Tables(_) => "a list of tables",
        }
    }
}

pub(super) static FILE: &[Key] = &[
    Key {
        name: "extend",
        kind: Kind::Path,
        about: "Another such file, which is read first.",
    },
    Key {
        name: "lint",
        kind: Kind::Table(LINT),
        about: "What `outcrop lint` finds.",
    },
];

pub(super) static LINT: &[Key] = &[
    Key {
        name: "rules",
        kind: Kind::Levels,
        about: "How bad findings of a rule are, by its id or name.",
    },
    Key {
        name: "overrides",
        kind: Kind::Tables(OVERRIDE),
        about: "The same for some files only. Later ones count before earlier ones.",
    },
    Key {
        name: "ignore",
        kind: Kind::Patterns,
        about: "Files in which nothing is found.",
    },
    Key {
        name: "budgets",
        kind: Kind::Budgets,
        about: "From which sizes on something is told.",
    },
    Key {
        name: "clients",
        kind: Kind::Clients,
        about: "Versions of the client that are in use here. What differs between them is told.",
    },
    Key {
        name: "baseline",
        kind: Kind::Path,
        about: "The file with findings that are known and not told, as of --write-baseline.",
    },
];

pub(super) static OVERRIDE: &[Key] = &[
    Key {
        name: "paths",
        kind: Kind::Patterns,
        about: "The files that are meant.",
    },
    Key {
        name: "rules",
        kind: Kind::Levels,
        about: "How bad findings of a rule are in them.",
    },
];

/// What a rule may be set to.
pub(super) const LEVELS: [&str; 4] = ["off", "info", "warning", "error"];

/// A size of [`Budgets`].
#[derive(Debug)]
pub(super) struct Budget {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) set: fn(&mut Budgets, u64),
    get: fn(&Budgets) -> u64,
}

macro_rules! budgets {
    ($($name:ident: $about:literal,)*) => {
        pub(super) static BUDGETS: &[Budget] = &[$(Budget {
            name: stringify!($name),
            about: $about,
            set: |budgets, value| budgets.$name = value.try_into().unwrap_or(budgets.$name),
            get: |budgets| u64::try_from(budgets.$name).unwrap_or(u64::MAX),
        }),*];
    };
}

budgets! {
    start_tokens: "Tokens that the start of a session may deliver.",
    file_characters: "UTF-16 units of a file, alone or with what it imports.",
    sectioned_file_tokens: "Tokens of a file below which its sections are not looked at.",
    section_percent: "The share of a file, in percent, that one section may be.",
    duplicate_characters: "Characters of a text that stands in two files.",
    tree_lines: "Lines of a drawing of a directory tree.",
    listed_files: "File names in a listing.",
    imported_document_tokens: "Tokens of an imported README, changelog or lock file.",
    floor_percent: "The share of the trigger of compaction, in percent, that what no compaction removes may be.",
    memory_percent: "The share of the memory index's limits, in percent, up to which its form does not matter.",
    retention_days: "Days for which sessions are kept.",
}

/// The JSON schema of the file.
#[must_use]
pub fn schema() -> Value {
    let mut schema = table(FILE);
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    schema["title"] = json!("outcrop.toml");
    schema["definitions"] = json!({
        "level": { "enum": LEVELS },
        "rules": levels(),
    });
    schema
}

fn table(keys: &[Key]) -> Value {
    let properties = keys.iter().map(|key| {
        let mut value = match &key.kind {
            Kind::Path => json!({"type": "string"}),
            Kind::Patterns | Kind::Clients => json!({"type": "array", "items": {"type": "string"}}),
            // Beside a reference nothing else counts.
            Kind::Levels => json!({"allOf": [{"$ref": "#/definitions/rules"}]}),
            Kind::Budgets => budgets(),
            Kind::Table(keys) => table(keys),
            Kind::Tables(keys) => {
                let required: Vec<&str> = keys.iter().map(|key| key.name).collect();
                let mut items = table(keys);
                items["required"] = json!(required);
                json!({"type": "array", "items": items})
            }
        };
        value["description"] = json!(key.about);
        (key.name.to_owned(), value)
    });
    object(properties.collect())
}

fn budgets() -> Value {
    let defaults = Budgets::default();
    let properties = BUDGETS.iter().map(|budget| {
        let about = json!({
            "type": "integer",
            "minimum": 0,
            "default": (budget.get)(&defaults),
            "description": budget.about,
        });
        (budget.name.to_owned(), about)
    });
    object(properties.collect())
}

fn levels() -> Value {
    let mut properties = Map::new();
    for rule in RULES {
        for name in [rule.id, rule.name] {
            let about = json!({
                "allOf": [{"$ref": "#/definitions/level"}],
                "description": rule.summary,
                "default": rule.severity.name(),
            });
            properties.insert(name.to_owned(), about);
        }
    }
    object(properties)
}

fn object(properties: Map<String, Value>) -> Value {
    json!({"type": "object", "additionalProperties": false, "properties": properties})
}
