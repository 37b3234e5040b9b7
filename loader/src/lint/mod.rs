//! What is wrong with an instruction hierarchy: rules over what a session receives.
//!
//! ```text
//! session ─▶ subject (every file that may enter, every decision) ─▶ rules ─▶ finding
//!                                                                     │
//!                          place (what a rule names ─▶ line and column)
//! ```
//!
//! A [`Rule`] is one file in `rules` and one line of the table in `registry`. It looks at a
//! [`Subject`] and reports by a [`Draft`](finding::Draft), which demands a place and a message. Rules
//! name places as what they are, such as an import or a key of front matter; here they become lines.

mod absolute;
pub mod budgets;
mod examples;
pub mod finding;
pub mod fix;
pub mod front_keys;
mod ignore;
mod ignore_lines;
mod known;
mod memory_folder;
mod near;
mod nearest;
mod number;
mod place;
mod reach;
mod records;
mod registry;
pub mod rule;
mod rules;
pub mod subject;
mod tree;

use crate::session::Session;
use crate::tokens::Family;

pub use budgets::Budgets;
pub use examples::{World, cwd_of_examples, path_of_example, written_out};
pub use finding::{Finding, Report};
pub use place::{Place, Span};
pub use registry::RULES;
pub use rule::{Example, Page, Rule, Severity};
pub use subject::Subject;

/// What may differ from run to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The tokenizer by which costs are told.
    pub family: Family,
    /// From which sizes on something is told.
    pub budgets: Budgets,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            family: Family::NEWEST,
            budgets: Budgets::default(),
        }
    }
}

/// What was looked at, and what was found.
#[derive(Debug)]
pub struct Outcome {
    /// What was found, by file, line and rule.
    pub findings: Vec<Finding>,
    /// The files that a session here may receive, in the order in which they were met.
    pub files: Vec<crate::path::AbsPath>,
}

/// Looks at everything that a session may receive: what it started with, and what reads below its
/// directory bring. The reads happen in `session`.
#[must_use]
pub fn lint(session: &mut Session<'_>, options: &Options) -> Outcome {
    let subject = Subject::of(session, options);
    let mut findings = Vec::new();
    // What is said of ignore comments can only be said when all others have spoken.
    for is_last in [false, true] {
        let mut found = Vec::new();
        for rule in RULES.iter().filter(|rule| rule.is_last() == is_last) {
            let mut report = Report::new(rule, &subject, &mut found);
            (rule.check)(&subject, &mut report);
        }
        subject.read_ignores();
        found.retain(|finding| !subject.ignores().hides(finding));
        findings.append(&mut found);
    }
    findings.sort_by(|a, b| a.order().cmp(&b.order()));
    findings.dedup_by(|a, b| a.order() == b.order());
    let files = subject.files.iter().map(|file| file.path.clone());
    Outcome {
        findings,
        files: files.collect(),
    }
}

/// The rule of this id or name.
#[must_use]
pub fn rule(named: &str) -> Option<&'static Rule> {
    let is_it = |rule: &&&Rule| rule.id.eq_ignore_ascii_case(named) || rule.name == named;
    RULES.iter().find(is_it).copied()
}
