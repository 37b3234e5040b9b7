//! Permission rules: which there are, which count, and how a tool call is decided (facts C6.1–C6.11,
//! C2.8, C5.6, C1.35).
//!
//! ```text
//! settings, flags, trust ─▶ sources ─▶ Permissions ─▶ decide ─▶ Decision
//!   rule, pattern, paths (what a rule matches)   shell, wrappers, operands, readonly (what Bash does)
//! ```
//!
//! A question is "asks" in an interactive session and a refusal in print mode; a [`Decision`] keeps
//! the two apart.

mod bash;
mod call;
mod decide;
mod files;
mod gaps;
mod holes;
mod mode;
mod named;
mod operands;
mod paths;
mod pattern;
mod readonly;
mod rule;
mod shell;
mod sources;
mod touched;
mod tracked;
mod wrappers;

use std::fmt;

use serde::{Serialize, Serializer};

use crate::path::AbsPath;
use crate::record::Evidence;
use crate::session::Session;
use crate::settings::{Place, Tier};

pub use call::{BadCall, call_of};
pub use gaps::Gap;
pub use holes::Hole;
pub use mode::Mode;
pub use named::{NamedPath, paths_named_by};
pub use rule::RuleKind;

/// Where a rule or directory was set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// In settings.
    Settings(Place),
    /// On the command line, by this flag.
    Flag(&'static str),
}

impl Source {
    /// The kind of settings, or `flag`.
    #[must_use]
    pub const fn tier(&self) -> &'static str {
        match self {
            Self::Flag(_) => "flag",
            Self::Settings(place) => match place.tier {
                Tier::User => "user",
                Tier::Project => "project",
                Tier::Local => "local",
                Tier::Flag => "settings-flag",
                Tier::Managed => "managed",
            },
        }
    }

    /// The file; `None` for the command line.
    #[must_use]
    pub const fn file(&self) -> Option<&AbsPath> {
        match self {
            Self::Settings(place) => place.file.as_ref(),
            Self::Flag(_) => None,
        }
    }

    /// The 1-based line in the file.
    #[must_use]
    pub fn line(&self) -> Option<u32> {
        match self {
            Self::Settings(place) => place.file.as_ref().map(|_| place.line),
            Self::Flag(_) => None,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Settings(place) => place.fmt(f),
            Self::Flag(flag) => f.write_str(flag),
        }
    }
}

impl Serialize for Source {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("tier", self.tier())?;
        match self {
            Self::Flag(flag) => map.serialize_entry("flag", flag)?,
            Self::Settings(place) => {
                map.serialize_entry("path", &place.file)?;
                map.serialize_entry("line", &self.line())?;
            }
        }
        map.end()
    }
}

/// A rule as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// What it says.
    pub kind: RuleKind,
    /// Its text.
    pub text: String,
    /// Where it was set.
    pub source: Source,
    /// Why it does not count; `None` for one that does.
    pub ignored: Option<String>,
    /// The kind of reason for which it does not count.
    #[serde(skip)]
    pub ignored_by: Option<IgnoredBy>,
    /// Calls that are known to get past it.
    pub holes: Vec<Hole>,
    /// What it seems to match and does not.
    #[serde(skip)]
    pub gap: Option<Gap>,
}

/// The kind of reason for which a rule does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IgnoredBy {
    /// The client cannot read it.
    Form,
    /// Only managed rules count.
    Policy,
    /// The folder of the project is not trusted.
    Trust,
}

/// A directory in which files may be read without a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Directory {
    /// The directory.
    pub path: AbsPath,
    /// Where it was set; `None` for the working directory.
    pub source: Option<Source>,
    /// Why it does not count.
    pub ignored: Option<String>,
}

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It runs.
    Runs,
    /// An interactive session asks the user; print mode refuses.
    Asks,
    /// It is refused.
    Denied,
    /// Not known: no recorded behaviour covers it.
    NotKnown,
}

impl Outcome {
    /// What print mode makes of it, where nobody can be asked.
    #[must_use]
    pub const fn in_print(self) -> Self {
        match self {
            Self::Asks => Self::Denied,
            other => other,
        }
    }
}

/// A step on the way to a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// What was looked at: `deny`, `ask`, `check`, `allow`, `mode`.
    pub stage: &'static str,
    /// What was found.
    pub text: String,
    /// The rule that matched, by its place in [`Permissions::rules`].
    pub rule: Option<usize>,
}

/// What becomes of a call, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Decision {
    /// What becomes of it.
    pub outcome: Outcome,
    /// Why, as a sentence.
    pub reason: String,
    /// The rule that decided, by its place in [`Permissions::rules`].
    pub rule: Option<usize>,
    /// The way through deny, ask, the client's own checks, and allow.
    pub steps: Vec<Step>,
    /// What else matters.
    pub notes: Vec<String>,
    /// How it is known.
    pub evidence: Evidence,
}

/// All that decides tool calls of a session.
pub struct Permissions<'s, 'h> {
    session: &'s Session<'h>,
    /// Every rule: deny, ask, allow, each by source, weakest first.
    pub rules: Vec<Rule>,
    /// The mode.
    pub mode: Mode,
    /// The working directory and the others.
    pub directories: Vec<Directory>,
    /// The user trusts the folder; else allow rules of its settings do not count (fact C6.3).
    pub trusted: bool,
    /// A Bash command has run in the session, after which commands may set variables (cases
    /// perm-bash-first-assignment*).
    pub shell_has_run: bool,
    /// Only managed rules count, and where that was set (fact C6.9).
    pub managed_only: Option<Place>,
}

impl<'h> Session<'h> {
    /// The permission rules, the mode and the directories of this session.
    #[must_use]
    pub fn permissions(&self) -> Permissions<'_, 'h> {
        sources::gather(self)
    }
}
