//! A rule, as data.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::finding::Report;
use super::subject::Subject;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Good to know.
    Info,
    /// Something does not do what its author seems to think.
    Warning,
    /// An instruction is lost, or loads where it must not.
    Error,
}

impl Severity {
    /// The name, as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A rule: what it is about, and how it is checked.
#[derive(Debug)]
pub struct Rule {
    /// `L` and three digits, the first of which is the family. Never used again for another rule.
    pub id: &'static str,
    /// A name in words, as stable as the id.
    pub name: &'static str,
    /// How bad its findings are where nothing else is configured.
    pub severity: Severity,
    /// What is wrong, in one sentence.
    pub summary: &'static str,
    /// Its page.
    pub page: Page,
    /// Set-ups in which it finds something.
    pub bad: &'static [Example],
    /// Set-ups in which it finds nothing, though they look alike.
    pub good: &'static [Example],
    /// Looks at a subject and reports.
    pub(crate) check: fn(&Subject<'_, '_>, &mut Report<'_, '_>),
}

impl Rule {
    /// What the rule's family is about.
    #[must_use]
    pub fn family(&self) -> &'static str {
        match self.id.as_bytes().get(1) {
            Some(b'1') => "loading",
            Some(b'2') => "rules",
            Some(b'3') => "cost",
            Some(b'4') => "content",
            Some(b'5') => "survival",
            Some(b'7') => "skills, agents, settings",
            Some(b'9') => "configuration",
            _ => "sessions and memory",
        }
    }

    /// Whether it is about what hides or configures the findings of others, and so comes last.
    pub(super) fn is_last(&self) -> bool {
        self.id.starts_with("L9")
    }
}

/// What a rule's page says, in Markdown.
#[derive(Debug)]
pub struct Page {
    /// What the rule looks for.
    pub what: &'static str,
    /// Why that is bad, with what it costs.
    pub why: &'static str,
    /// What to do instead.
    pub instead: &'static str,
    /// Where the rule may be wrong, or in the way.
    pub drawbacks: &'static str,
    /// How it is known.
    pub evidence: &'static str,
    /// The version of Outcrop that has it first.
    pub since: &'static str,
}

/// A small set-up.
#[derive(Debug)]
pub struct Example {
    /// What it shows.
    pub title: &'static str,
    /// Paths and texts. A relative path lies in the project, `~/` is the user's home folder. A text
    /// that begins with `-> ` is a link. A line that begins with `200 × ` stands for 200 lines of
    /// what follows, with their numbers in place of `{n}`.
    pub files: &'static [(&'static str, &'static str)],
    /// Files after the rule's fix, safe or not, where it has one.
    pub fixed: &'static [(&'static str, &'static str)],
}
