//! How a tool call is decided: deny, ask, the client's own checks, allow (fact C6.2).

use serde_json::Value;

use super::rule::{self, Parsed, RuleKind};
use super::{Decision, Outcome, Permissions, Step};
use crate::document::keys_and_body;
use crate::limits;
use crate::path::AbsPath;
use crate::record::Evidence;
use crate::session::ToolCall;

/// A decision that is being made.
pub(super) struct Case {
    pub(super) steps: Vec<Step>,
    pub(super) notes: Vec<String>,
    pub(super) evidence: Evidence,
}

impl Case {
    pub(super) const fn new() -> Self {
        Self {
            steps: Vec::new(),
            notes: Vec::new(),
            evidence: Evidence::Observed,
        }
    }

    pub(super) fn step(
        &mut self,
        stage: &'static str,
        text: impl Into<String>,
        rule: Option<usize>,
    ) {
        let text = text.into();
        self.steps.push(Step { stage, text, rule });
    }

    pub(super) fn note(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }

    pub(super) fn assumed(&mut self, why: impl Into<String>) {
        self.evidence = Evidence::Assumed;
        self.note(why);
    }

    pub(super) fn end(
        self,
        outcome: Outcome,
        reason: impl Into<String>,
        rule: Option<usize>,
    ) -> Decision {
        Decision {
            outcome,
            reason: reason.into(),
            rule,
            steps: self.steps,
            notes: self.notes,
            evidence: self.evidence,
        }
    }
}

/// Tools that ask for nothing by themselves, as far as they were tried.
const FREE_TOOLS: [&str; 2] = ["Agent", "Task"];

/// Hosts that WebFetch reads without a rule. The client knows more of them; these were tried.
const FREE_HOSTS: [&str; 3] = [
    "code.claude.com",
    "developer.mozilla.org",
    "docs.python.org",
];

impl Permissions<'_, '_> {
    /// What becomes of a tool call in the main loop at the session's start.
    #[must_use]
    pub fn decide(&self, call: &ToolCall) -> Decision {
        let mut case = Case::new();
        if let Some(why) = self.absent(&call.tool) {
            let (why, rule) = why;
            case.step("deny", why.clone(), rule);
            return case.end(Outcome::Denied, why, rule);
        }
        let text = |key: &str| call.input.get(key).and_then(Value::as_str);
        let decision = match call.tool.as_str() {
            "Bash" => match text("command") {
                Some(command) => self.bash(case, command),
                None => case.end(Outcome::NotKnown, "the call needs a command", None),
            },
            "Read" => match text("file_path") {
                Some(path) => self.reads(case, "Read", path),
                None => case.end(Outcome::NotKnown, "the call needs a file_path", None),
            },
            "Glob" | "Grep" => self.reads(case, &call.tool, text("path").unwrap_or(".")),
            "Write" | "Edit" | "MultiEdit" => match text("file_path") {
                Some(path) => self.writes(case, &call.tool, path),
                None => case.end(Outcome::NotKnown, "the call needs a file_path", None),
            },
            "NotebookEdit" => match text("notebook_path") {
                Some(path) => self.writes(case, &call.tool, path),
                None => case.end(Outcome::NotKnown, "the call needs a notebook_path", None),
            },
            "WebFetch" => self.fetches(case, text("url").unwrap_or_default()),
            "Skill" => self.skill(case, text("skill").unwrap_or_default()),
            "Agent" | "Task" => {
                let kind = text("subagent_type").unwrap_or("general-purpose");
                self.named(case, &call.tool, Some(kind))
            }
            tool => self.named(case, tool, None),
        };
        let mut decision = self.in_mode(decision);
        if matches!(decision.outcome, Outcome::Asks | Outcome::NotKnown) {
            decision.notes.extend(self.would_allow(call));
        }
        decision
    }

    /// Allow rules that do not count and with which the call would run.
    fn would_allow(&self, call: &ToolCall) -> Vec<String> {
        let rules = self.rules.iter().enumerate();
        let idle = rules.filter(|(_, rule)| {
            let parses = rule::parse(rule.kind, &rule.text).is_ok();
            rule.kind == RuleKind::Allow && rule.ignored.is_some() && parses
        });
        let mut notes = Vec::new();
        for (index, rule) in idle {
            let mut rules = self.rules.clone();
            let why = rules[index].ignored.take().unwrap_or_default();
            for other in &mut rules {
                // Else each of them would be tried with the others.
                if other.ignored.is_some() {
                    other.kind = RuleKind::Deny;
                }
            }
            let with = Permissions {
                session: self.session,
                rules,
                mode: self.mode.clone(),
                directories: self.directories.clone(),
                trusted: self.trusted,
                shell_has_run: self.shell_has_run,
                managed_only: self.managed_only.clone(),
            };
            if with.decide(call).outcome == Outcome::Runs {
                let (text, source) = (&rule.text, &rule.source);
                notes.push(format!(
                    "{text} of {source} would allow it, but does not count: {why}"
                ));
            }
        }
        notes
    }

    /// The mode dontAsk refuses what others ask.
    fn in_mode(&self, mut decision: Decision) -> Decision {
        if self.mode.name == "dontAsk" && decision.outcome == Outcome::Asks {
            decision.outcome = Outcome::Denied;
            let text = "the mode dontAsk refuses instead of asking".to_owned();
            decision.notes.push(text.clone());
            decision.steps.push(Step {
                stage: "mode",
                text,
                rule: None,
            });
        }
        if !self.mode.is_known() && decision.outcome == Outcome::Asks {
            decision.outcome = Outcome::NotKnown;
            decision.notes.push(format!(
                "what the mode {} makes of a question was not observed",
                self.mode.name
            ));
        }
        decision
    }

    /// Rules of a kind that count, with what they say and their place.
    pub(super) fn counting(&self, kind: RuleKind) -> impl Iterator<Item = (usize, Parsed)> {
        let rules = self.rules.iter().enumerate();
        rules.filter_map(move |(index, rule)| {
            let counts = rule.kind == kind && rule.ignored.is_none();
            let parsed = counts.then(|| rule::parse(kind, &rule.text).ok())??;
            Some((index, parsed))
        })
    }

    /// A rule of a kind for a whole tool.
    pub(super) fn whole(&self, kind: RuleKind, tool: &str) -> Option<usize> {
        let narrow = self.session.client().behaviour.star_in_directories;
        let mut rules = self.counting(kind);
        let found = rules.find(|(_, rule)| {
            let whole = match rule.what.as_deref() {
                None => true,
                Some(what) => what == "*" && !narrow,
            };
            whole && rule::names_tool(&rule.tool, tool)
        });
        found.map(|(index, _)| index)
    }

    /// A rule of a kind for what stands in its parentheses.
    pub(super) fn within(
        &self,
        kind: RuleKind,
        tool: &str,
        fits: impl Fn(&str) -> bool,
    ) -> Option<usize> {
        let mut rules = self.counting(kind);
        let found = rules.find(|(_, rule)| {
            rule::names_tool(&rule.tool, tool) && rule.what.as_deref().is_some_and(&fits)
        });
        found.map(|(index, _)| index)
    }

    /// Why the model is not offered a tool: a deny rule for the whole tool, or `--tools`
    /// (facts C2.8, C5.6).
    fn absent(&self, tool: &str) -> Option<(String, Option<usize>)> {
        if let Some(rule) = self.whole(RuleKind::Deny, tool) {
            let text = "the tool is denied as a whole, so it is not offered to the model";
            return Some((text.to_owned(), Some(rule)));
        }
        let tools = self.session.origin().flags.tools.as_ref()?;
        let mut names = tools.iter().flat_map(|names| names.split([',', ' ']));
        let offered =
            tool.starts_with("mcp__") || names.any(|name| name == tool || name == "default");
        (!offered).then(|| ("--tools does not name the tool".to_owned(), None))
    }

    /// A tool of which only its name, or one name in its input, matters.
    fn named(&self, case: Case, tool: &str, name: Option<&str>) -> Decision {
        let fits = |what: &str| name == Some(what);
        self.by_rules(case, tool, &fits, |permissions, mut case| {
            if permissions.mode.bypasses() {
                return case.end(Outcome::Runs, "the mode bypassPermissions", None);
            }
            if FREE_TOOLS.contains(&tool) {
                return case.end(Outcome::Runs, "starting an agent needs no permission", None);
            }
            if tool.starts_with("mcp__") || tool == "WebSearch" {
                return case.end(Outcome::Asks, "no rule allows it", None);
            }
            case.assumed("what this tool needs without a rule was not observed");
            case.end(Outcome::NotKnown, "no rule speaks of it", None)
        })
    }

    /// Deny, ask, then what `otherwise` says, unless an allow rule matches first.
    fn by_rules(
        &self,
        mut case: Case,
        tool: &str,
        fits: &dyn Fn(&str) -> bool,
        otherwise: impl FnOnce(&Self, Case) -> Decision,
    ) -> Decision {
        if let Some(rule) = self.within(RuleKind::Deny, tool, fits) {
            case.step("deny", "a rule matches", Some(rule));
            return case.end(Outcome::Denied, "a deny rule matches", Some(rule));
        }
        case.step("deny", "no rule matches", None);
        let asks = self.within(RuleKind::Ask, tool, fits);
        if let Some(rule) = asks.or_else(|| self.whole(RuleKind::Ask, tool)) {
            case.step("ask", "a rule matches", Some(rule));
            return case.end(Outcome::Asks, "an ask rule matches", Some(rule));
        }
        case.step("ask", "no rule matches", None);
        let allows = self.within(RuleKind::Allow, tool, fits);
        if let Some(rule) = allows.or_else(|| self.whole(RuleKind::Allow, tool)) {
            case.step("allow", "a rule matches", Some(rule));
            return case.end(Outcome::Runs, "an allow rule matches", Some(rule));
        }
        case.step("allow", "no rule matches", None);
        otherwise(self, case)
    }

    /// `WebFetch(domain:HOST)` (cases perm-web-*).
    fn fetches(&self, case: Case, url: &str) -> Decision {
        let host = host_of(url);
        let fits = |what: &str| {
            let domain = what.strip_prefix("domain:");
            domain.is_some_and(|domain| rule::wildcard(&domain.to_ascii_lowercase(), &host))
        };
        self.by_rules(case, "WebFetch", &fits, |permissions, mut case| {
            if permissions.mode.bypasses() {
                return case.end(Outcome::Runs, "the mode bypassPermissions", None);
            }
            if FREE_HOSTS.contains(&host.as_str()) {
                let reason = "the client reads some hosts of documentation without a rule";
                return case.end(Outcome::Runs, reason, None);
            }
            case.note("some hosts of documentation need no rule; not all of them are known");
            case.end(Outcome::Asks, "no rule allows the host", None)
        })
    }

    /// `Skill(NAME)` and `Skill(PREFIX:*)` (fact C1.35).
    fn skill(&self, case: Case, name: &str) -> Decision {
        let name = name.trim_start_matches('/');
        let fits = |what: &str| match what.strip_suffix(":*") {
            Some(prefix) => name.starts_with(prefix),
            None => name == what,
        };
        self.by_rules(case, "Skill", &fits, |permissions, mut case| {
            let catalog = permissions.session.catalog();
            if catalog.absent.iter().any(|absent| absent.name == name)
                && !catalog.entries.iter().any(|entry| entry.name == name)
            {
                let reason = "the skill is not offered to the model, or not yet";
                return case.end(Outcome::Denied, reason, None);
            }
            let found = catalog.entries.iter().find(|entry| entry.name == name);
            let Some(entry) = found else {
                case.note(
                    "plugins, built-in skills and those below the directory are not looked at",
                );
                let reason = "no skill or command of this name is found";
                return case.end(Outcome::NotKnown, reason, None);
            };
            let Some(key) = permissions.key_that_asks(&entry.path) else {
                let reason = "the skill has no key that needs permission";
                return case.end(Outcome::Runs, reason, None);
            };
            if permissions.mode.bypasses() {
                return case.end(Outcome::Runs, "the mode bypassPermissions", None);
            }
            let reason = format!("the skill has {key}, and no rule allows it");
            case.end(Outcome::Asks, reason, None)
        })
    }

    /// The key of a skill's front matter for which the client asks (fact C1.35).
    fn key_that_asks(&self, path: &AbsPath) -> Option<&'static str> {
        let behaviour = &self.session.client().behaviour;
        let bytes = self
            .session
            .world()
            .host
            .read(path, limits::FILE_BYTES)
            .ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let (keys, _) = keys_and_body(&text, behaviour);
        let asking = ["allowed-tools", "disallowed-tools", "hooks"];
        asking.into_iter().find(|key| keys.contains_key(*key))
    }
}

/// The host of an address, in small letters, without its port.
fn host_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    host.split(':')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase()
}
