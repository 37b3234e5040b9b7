//! The skills and commands that a session announces to the model, from files alone.
//!
//! ```text
//! sources (which files, in which order) ─▶ entry (name, text) ─▶ listing (duplicates, overrides)
//! ```
//!
//! So far without the budget of the listing, plugins, and what a read adds. The client's own
//! entries stand behind these and are not listed; a skill of yours may have the name of one.

mod entry;
mod listing;
mod order;
mod sources;

use serde::Serialize;

use crate::path::AbsPath;
use crate::record::Scope;

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntryKind {
    /// A folder with a `SKILL.md`.
    Skill,
    /// A Markdown file of a `commands` folder.
    Command,
}

/// A skill or command as the client lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// What it is.
    pub kind: EntryKind,
    /// The name by which it is called (fact C1.7).
    pub name: String,
    /// The name of its front matter, where the listing gives both.
    pub display: Option<String>,
    /// The text behind the name, cut to its cap (facts C1.8, C1.20); `None` where the listing has
    /// the name alone.
    pub text: Option<String>,
    /// The client adds a note of its own to the text, since the plain name is taken (fact C1.12).
    pub scope_note: bool,
    /// Managed, user or project.
    pub scope: Scope,
    /// Its file.
    pub path: AbsPath,
}

impl Entry {
    /// The name as it stands in the listing.
    #[must_use]
    pub fn label(&self) -> String {
        match &self.display {
            Some(display) => format!("{} ({display})", self.name),
            None => self.name.clone(),
        }
    }
}

/// Why a skill or command is not in the listing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum Absence {
    /// `disable-model-invocation` (fact C1.10).
    NotForTheModel,
    /// Its `paths` wait for a read of a matching file (fact C1.14).
    Waits {
        /// The patterns.
        patterns: Vec<String>,
    },
    /// `skillOverrides` of the settings (fact C1.18).
    Overridden {
        /// The value there.
        value: String,
        /// The settings file and line.
        place: String,
    },
    /// Another of the same name is before it (fact C1.11).
    Duplicate {
        /// That one.
        of: AbsPath,
    },
    /// It cannot be read.
    Unreadable {
        /// Why.
        error: String,
    },
}

/// A skill or command that is not in the listing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Absent {
    /// What it is.
    pub kind: EntryKind,
    /// Its name.
    pub name: String,
    /// Its file.
    pub path: AbsPath,
    /// Why it is not there.
    #[serde(flatten)]
    pub absence: Absence,
}

/// What is listed at the start, in order, and what is not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Catalog {
    /// In the order of the listing.
    pub entries: Vec<Entry>,
    /// The others.
    pub absent: Vec<Absent>,
}
