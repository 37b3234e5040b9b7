//! What is wrong with an instruction hierarchy: rules over what a session receives.
//!
//! ```text
//! session ─▶ subject (every file that may enter, every decision) ─▶ rules ─▶ finding
//!                                                                     │
//!                          place (what a rule names ─▶ line and column)
//! ```
//!
//! A [`Rule`] is one file in `rules` and one line of the table in `registry`. It looks at a
//! [`Subject`] and reports by a draft, which demands a place and a message. Rules
//! name places as what they are, such as an import or a key of front matter; here they become lines.

mod absolute;
pub mod budgets;
mod commands;
mod committed;
pub mod config;
mod examples;
mod existing;
pub mod finding;
pub mod fix;
pub(crate) mod front_block;
pub mod front_keys;
pub(crate) mod front_yaml;
mod ignore;
mod ignore_lines;
mod known;
mod memory_folder;
mod near;
mod number;
mod patterns;
mod place;
pub mod prose;
mod reach;
mod records;
mod registry;
pub mod rule;
mod rules;
pub mod secrets;
mod statements;
pub mod subject;
mod tree;

use rustc_hash::FxHashSet;

use crate::session::Session;
use crate::tokens::Family;
use config::Level;

pub use budgets::Budgets;
pub use config::Config;
pub use examples::{World, cwd_of_examples, path_of_example, written_out};
pub use finding::{Finding, Report};
pub use place::{Place, Span};
pub use registry::RULES;
pub use rule::{Example, Page, Rule, Severity};
pub use secrets::Secrets;
pub use subject::Subject;

/// What may differ from run to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The tokenizer by which costs are told.
    pub family: Family,
    /// From which sizes on something is told.
    pub budgets: Budgets,
    /// What is configured.
    pub config: Config,
    /// The directory from which messages name files, if not that in which the session starts.
    pub base: Option<crate::path::AbsPath>,
}

impl Options {
    /// What is configured in a file.
    #[must_use]
    pub fn of(config: Config) -> Self {
        Self {
            budgets: config.budgets(),
            config,
            ..Self::default()
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            family: Family::NEWEST,
            budgets: Budgets::default(),
            config: Config::default(),
            base: None,
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
    /// What no output may show.
    pub secrets: Secrets,
    /// Where ignore comments hid something: the file, and the first byte.
    used: Vec<(crate::path::AbsPath, usize)>,
}

impl Outcome {
    /// What several sessions of one tree gave, as one: a comment is unused if it is in all of them.
    #[must_use]
    pub fn merged(outcomes: Vec<Self>) -> Self {
        let mut all = Self {
            findings: Vec::new(),
            files: Vec::new(),
            secrets: Secrets::default(),
            used: Vec::new(),
        };
        let several = outcomes.len() > 1;
        // Sessions name the same thing from where they stand; the first that found it tells it.
        let mut told: FxHashSet<(&str, crate::path::AbsPath, usize)> = FxHashSet::default();
        let key = |finding: &Finding| {
            let span = &finding.span;
            (finding.rule.id, span.path.clone(), span.bytes.start)
        };
        for mut outcome in outcomes {
            let is_new = |finding: &Finding| finding.span.is_file || !told.contains(&key(finding));
            outcome.findings.retain(is_new);
            let placed = outcome
                .findings
                .iter()
                .filter(|finding| !finding.span.is_file);
            told.extend(placed.map(key));
            all.findings.append(&mut outcome.findings);
            all.files.extend(outcome.files);
            all.secrets.add(outcome.secrets);
            all.used.extend(outcome.used);
        }
        if several {
            let Self { findings, used, .. } = &mut all;
            let is_used = |span: &Span| {
                let mut used = used.iter();
                used.any(|(path, at)| *path == span.path && *at == span.bytes.start)
            };
            findings.retain(|finding| {
                finding.rule.id != rules::ignore_unused::RULE.id || !is_used(&finding.span)
            });
            findings.sort_by(|a, b| a.order().cmp(&b.order()));
            findings.dedup_by(|a, b| a.order() == b.order());
            all.files.sort();
            all.files.dedup();
        }
        all
    }
}

/// The directories below one in which a session has settings of its own, so that it may receive
/// something else. Where these are ignored nobody starts a session: they are samples, or of others.
#[must_use]
pub fn starts(
    host: &dyn crate::host::Host,
    root: &crate::path::AbsPath,
    config: &Config,
) -> Vec<crate::path::AbsPath> {
    let tree = tree::Tree::of(host, root);
    let files = tree.files.iter().filter_map(|file| {
        let (folder, name) = file.rsplit_once("/.claude/")?;
        let is_settings = matches!(name, "settings.json" | "settings.local.json");
        (is_settings && !config.ignores(&root.join(file))).then(|| root.join(folder))
    });
    let mut starts: Vec<_> = files.collect();
    starts.sort();
    starts.dedup();
    starts
}

/// Looks at everything that a session may receive: what it started with, and what reads below its
/// directory bring. The reads happen in `session`.
#[must_use]
pub fn lint(session: &mut Session<'_>, options: &Options) -> Outcome {
    let subject = Subject::of(session, options);
    let mut findings = Vec::new();
    let mut secrets = Secrets::default();
    // What is said of ignore comments can only be said when all others have spoken.
    for is_last in [false, true] {
        let mut found = Vec::new();
        for rule in RULES.iter().filter(|rule| rule.is_last() == is_last) {
            let mut report = Report::new(rule, &subject, &mut found);
            (rule.check)(&subject, &mut report);
        }
        secrets.add(Secrets::of(&found, |path| subject.text(path)));
        found.retain_mut(|finding| configured(&options.config, finding));
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
        secrets,
        used: subject.ignores().used(),
    }
}

/// Gives a finding the severity that is configured, and tells whether it counts.
fn configured(config: &Config, finding: &mut Finding) -> bool {
    match config.level(finding.rule, &finding.span.path) {
        Some(Level::Off) => return false,
        Some(Level::At(severity)) => finding.severity = severity,
        None => {}
    }
    true
}

/// The rule of this id or name.
#[must_use]
pub fn rule(named: &str) -> Option<&'static Rule> {
    let is_it = |rule: &&&Rule| rule.id.eq_ignore_ascii_case(named) || rule.name == named;
    RULES.iter().find(is_it).copied()
}
