//! The skills and commands that a session announces to the model, from files alone.
//!
//! ```text
//! sources, plugins (which files, in which order) ─▶ entry (name, text)
//!        ─▶ listing (duplicates, overrides, the client's own) ─▶ budget (which texts stay)
//!        ─▶ announced (what a read adds later), body (what a call delivers)
//! ```

pub mod agents;
mod announced;
mod body;
mod budget;
mod entry;
mod listing;
mod misplaced;
mod names;
mod order;
mod own;
mod sources;
mod suggest;

pub(crate) use sources::walk;

use serde::Serialize;

use crate::path::AbsPath;
use crate::record::Scope;

pub use announced::Announced;
pub use body::{Body, Part};
pub use budget::{Budget, Room};
pub use misplaced::{Misplaced, Misplacement};
pub use own::OwnEntry;
pub use suggest::{MOST as MOST_SUGGESTED, Suggestion, THRESHOLD as SUGGESTED_FROM};

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
    /// The text that there is no room for.
    #[serde(skip)]
    pub dropped: Option<String>,
    /// Its front matter describes it; else the text is the first line of its body.
    #[serde(skip)]
    pub described: bool,
    /// UTF-16 units of the text before it was cut.
    pub whole: usize,
    /// Why the name stands alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bare: Option<Bare>,
    /// The client adds a note of its own to the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<Note>,
    /// UTF-16 units of that note.
    #[serde(skip)]
    pub note_units: usize,
    /// Where in the text the note stands, in bytes.
    #[serde(skip)]
    pub note_at: usize,
    /// It stands between those of the client's own entries that keep their texts and the others.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub behind_own: bool,
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

    /// The name without the directory that stands before it.
    fn plain(&self) -> &str {
        match (self.note, self.name.rsplit_once(':')) {
            (Some(Note::Scope), Some((_, plain))) => plain,
            _ => &self.name,
        }
    }

    /// Cells of the entry as it stands in the listing.
    fn width(&self) -> usize {
        let text = self.text.as_deref();
        self.bare_width() + text.map_or(0, |text| 2 + budget::width(text) + self.note_units)
    }

    /// Cells of the entry with its name alone.
    fn bare_width(&self) -> usize {
        2 + budget::width(&self.label())
    }

    /// The entry as it stands in the listing, less the client's own note.
    #[must_use]
    pub fn line(&self) -> String {
        match &self.text {
            Some(text) => format!("- {}: {text}", self.label()),
            None => format!("- {}", self.label()),
        }
    }
}

/// Why the listing has the name of an entry alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum Bare {
    /// `skillOverrides` of the settings (fact C1.18).
    NameOnly {
        /// The settings file and line.
        place: String,
    },
    /// There is no room for its text (fact C1.24).
    Budget,
}

/// A note that the client adds to the text of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Note {
    /// When to use this one of several of a name (fact C1.12).
    Scope,
    /// For which directory it is (fact 53).
    Place,
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
    /// A plugin's that its front matter does not describe (fact 51).
    NotDescribed,
    /// Its name has characters that the client does not list (fact 54).
    BadName,
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
    /// Managed, user or project.
    pub scope: Scope,
    /// Its file.
    pub path: AbsPath,
    /// Why it is not there.
    #[serde(flatten)]
    pub absence: Absence,
}

/// What is listed at the start, in order, and what is not.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Catalog {
    /// In the order of the listing.
    pub entries: Vec<Entry>,
    /// The client's own entries, which stand behind them.
    pub own: Vec<OwnEntry>,
    /// The others.
    pub absent: Vec<Absent>,
    /// Folders of `--plugin-dir` that do not count, and why.
    pub refused_plugins: Vec<(AbsPath, String)>,
    /// The room of the listing.
    pub budget: Option<Budget>,
}
