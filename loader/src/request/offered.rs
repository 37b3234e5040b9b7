//! The built-in tools that the first request offers to the main loop (facts C5.6, 66).

use serde::Serialize;

use super::deferral::{Deferral, SEARCH, denies_search};
use super::denied::{self, Rule};
use super::models::Generation;
use crate::session::Session;

/// A built-in tool that is not offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Removed {
    /// Its name.
    pub name: String,
    /// What takes it away, with its place.
    pub by: String,
}

/// The built-in tools of a session, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Offered {
    /// Tools with their schemas.
    pub tools: Vec<String>,
    /// Tools of which the names are listed.
    pub deferred: Vec<String>,
    /// Tools that the client would have.
    pub removed: Vec<Removed>,
    /// There is a list of skills: the Skill tool is offered.
    pub lists_skills: bool,
    /// There is a list of agents: the Agent tool is offered.
    pub lists_agents: bool,
}

/// Every built-in tool of the observed versions in print mode, sorted, and whether it is deferred
/// where tools are.
pub(crate) const TOOLS: [(&str, bool); 28] = [
    ("Agent", false),
    ("Bash", false),
    ("CronCreate", true),
    ("CronDelete", true),
    ("CronList", true),
    ("Edit", false),
    ("EnterWorktree", true),
    ("ExitWorktree", true),
    ("Glob", false),
    ("Grep", false),
    ("ListAgents", false),
    ("Monitor", true),
    ("NotebookEdit", true),
    ("Read", false),
    ("ReportFindings", false),
    ("ScheduleWakeup", false),
    ("SendMessage", true),
    ("Skill", false),
    ("TaskCreate", true),
    ("TaskGet", true),
    ("TaskList", true),
    ("TaskOutput", true),
    ("TaskStop", true),
    ("TaskUpdate", true),
    ("WebFetch", true),
    ("WebSearch", true),
    ("Workflow", false),
    ("Write", false),
];
/// What stands for the deferred tools.
const PLACEHOLDER: &str = "DeferredToolPlaceholder";

impl Session<'_> {
    /// The built-in tools that the first request offers.
    #[must_use]
    pub fn offered_tools(&self) -> Offered {
        let mut offered = Offered::default();
        // By the size of the schemas nothing is deferred, as those of servers are not known.
        let searches = self.deferral() == Deferral::On;
        let rules = denied::rules(self);
        let defers = searches && !denies_search(&rules);
        let flags = &self.origin().flags;
        let chosen = flags.tools.as_deref().map(denied::names);
        let chosen = chosen.filter(|names| names.as_slice() != ["default"]);
        let bash = self.refusal("Bash", chosen.as_deref(), &rules);
        // Old clients, once told to, defer this one as well.
        let old = !self.client().behaviour.mcp_deferred;
        for (name, is_deferred) in TOOLS {
            let is_deferred = is_deferred || (old && name == "ScheduleWakeup");
            // A name of --tools brings what the client would not have by itself.
            let is_named = chosen.iter().flatten().any(|chosen| chosen == name);
            if !is_named && !self.has_tool(name, bash.is_some() && chosen.is_none()) {
                continue;
            }
            match self.refusal(name, chosen.as_deref(), &rules) {
                Some(by) => offered.removed.push(Removed {
                    name: name.to_owned(),
                    by,
                }),
                None if is_deferred && defers && !is_named => {
                    offered.deferred.push(name.to_owned());
                }
                None => offered.tools.push(name.to_owned()),
            }
        }
        if searches {
            self.add_search(chosen.as_deref(), defers, &mut offered);
        }
        let has = |name: &str| offered.tools.iter().any(|tool| tool == name);
        (offered.lists_skills, offered.lists_agents) = (has("Skill"), has("Agent"));
        offered
    }

    /// The tool that searches deferred ones, and the one that stands for them.
    fn add_search(&self, chosen: Option<&[String]>, defers: bool, offered: &mut Offered) {
        if chosen.is_none() && defers {
            offered.tools.push(SEARCH.to_owned());
        }
        let named = chosen.is_some_and(|names| names.iter().any(|name| name == SEARCH));
        let stands = self.client().behaviour.mcp_deferred && !named;
        if stands && !offered.tools.is_empty() {
            offered.tools.push(PLACEHOLDER.to_owned());
        }
        offered.tools.sort();
    }

    /// Whether the client has a tool at all.
    fn has_tool(&self, name: &str, without_bash: bool) -> bool {
        if self.is_bare() {
            return matches!(name, "Bash" | "Edit" | "Read");
        }
        let tools = &self.client().behaviour.tools;
        match name {
            "Glob" | "Grep" => without_bash,
            "ListAgents" => tools.list_agents,
            "Monitor" => tools.monitor && !without_bash,
            "TaskOutput" => tools.task_output,
            "TaskCreate" | "TaskGet" | "TaskList" | "TaskUpdate" => {
                tools.task_lists || self.model().facts.generation == Generation::Older
            }
            _ => true,
        }
    }

    /// What takes a tool away.
    fn refusal(&self, name: &str, chosen: Option<&[String]>, rules: &[Rule]) -> Option<String> {
        let is_chosen = |chosen: &[String]| chosen.iter().any(|chosen| chosen == name);
        if chosen.is_some_and(|chosen| !is_chosen(chosen)) {
            return Some("--tools".to_owned());
        }
        let rule = rules.iter().find(|rule| rule.takes(name));
        rule.map(|rule| format!("{} of {}", rule.name, rule.by))
    }
}
