//! What a rule found. A finding is made by a draft, so that none lacks its rule, place or message.

use std::cell::RefCell;

use super::fix::Fix;
use super::place::{Place, Resolver, Span};
use super::rule::{Rule, Severity};
use super::subject::Subject;
use crate::record::{Evidence, Mention};

/// Something that is wrong, or good to know.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule that found it.
    pub rule: &'static Rule,
    /// How bad it is.
    pub severity: Severity,
    /// Where.
    pub span: Span,
    /// What actually happens.
    pub message: String,
    /// Other places that belong to it, each with what it is.
    pub also: Vec<(Span, String)>,
    /// The imports through which the file comes, from its root file on.
    pub chain: Vec<Mention>,
    /// What it costs.
    pub cost: Option<Cost>,
    /// What helps.
    pub help: Option<String>,
    /// A change that mends it.
    pub fix: Option<Fix>,
    /// How what happens is known.
    pub evidence: Evidence,
    /// What stands at its place is a secret that must be in no output: see
    /// [`Secrets::hide`](super::Secrets::hide).
    pub is_secret: bool,
}

impl Finding {
    /// By what findings are sorted; two that are equal in it are one.
    #[must_use]
    pub fn order(&self) -> (&str, u32, u32, &'static str, &str) {
        let Span {
            path, line, column, ..
        } = &self.span;
        (path.as_str(), *line, *column, self.rule.id, &self.message)
    }
}

/// What a finding costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Tokens in each request of each session.
    Start(u64),
    /// Tokens when a file is read that brings them.
    Read(u64),
    /// Tokens of instructions that do not arrive.
    Lost(u64),
}

/// Takes what one rule finds.
#[derive(Debug)]
pub struct Report<'r, 's> {
    rule: &'static Rule,
    resolver: &'r RefCell<Resolver<'s>>,
    findings: &'r mut Vec<Finding>,
}

impl<'r, 's> Report<'r, 's> {
    pub(super) fn new(
        rule: &'static Rule,
        subject: &'r Subject<'_, 's>,
        findings: &'r mut Vec<Finding>,
    ) -> Self {
        Self {
            rule,
            resolver: &subject.resolver,
            findings,
        }
    }

    /// Begins a finding. It is reported by `Draft::report`.
    pub(crate) fn at(&mut self, place: Place, message: impl Into<String>) -> Draft<'_, 'r, 's> {
        let span = self.resolver.borrow_mut().resolve(&place);
        let finding = Finding {
            rule: self.rule,
            severity: self.rule.severity,
            span,
            message: message.into(),
            also: Vec::new(),
            chain: Vec::new(),
            cost: None,
            help: None,
            fix: None,
            evidence: Evidence::Observed,
            is_secret: false,
        };
        Draft {
            report: self,
            finding,
        }
    }
}

/// A finding in the making.
#[derive(Debug)]
#[must_use = "a finding counts when it is reported"]
pub(crate) struct Draft<'d, 'r, 's> {
    report: &'d mut Report<'r, 's>,
    finding: Finding,
}

impl Draft<'_, '_, '_> {
    /// Another place that belongs to it, and what it is.
    pub(crate) fn also(mut self, place: Place, what: impl Into<String>) -> Self {
        let span = self.report.resolver.borrow_mut().resolve(&place);
        self.finding.also.push((span, what.into()));
        self
    }

    /// The imports through which the file comes.
    pub(crate) fn chain(mut self, chain: Vec<Mention>) -> Self {
        self.finding.chain = chain;
        self
    }

    pub(crate) fn costs(mut self, cost: Cost) -> Self {
        self.finding.cost = Some(cost);
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.finding.help = Some(help.into());
        self
    }

    pub(crate) fn fix(mut self, fix: Fix) -> Self {
        self.finding.fix = Some(fix);
        self
    }

    /// For what is less than observed.
    pub(crate) fn known(mut self, evidence: Evidence) -> Self {
        self.finding.evidence = evidence;
        self
    }

    /// Another severity than the rule's own.
    pub(crate) fn severity(mut self, severity: Severity) -> Self {
        self.finding.severity = severity;
        self
    }

    /// What stands at its place is in no output.
    pub(crate) fn secret(mut self) -> Self {
        self.finding.is_secret = true;
        self
    }

    pub(crate) fn report(self) {
        self.report.findings.push(self.finding);
    }
}
