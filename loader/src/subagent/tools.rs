//! Which tools a sub-agent has (facts C2.20, 83).

use serde::Serialize;

use crate::catalog::agents::{Agent, Allowed};
use crate::client::Behaviour;
use crate::session::World;

/// Tools of a sub-agent that the parent waits for, in old clients.
const WAITED_FOR: &[&str] = &[
    "Agent",
    "Bash",
    "CronCreate",
    "CronDelete",
    "CronList",
    "Edit",
    "EnterWorktree",
    "ExitWorktree",
    "NotebookEdit",
    "Read",
    "ReportFindings",
    "SendMessage",
    "Skill",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskStop",
    "TaskUpdate",
    "WebFetch",
    "WebSearch",
    "Write",
];
/// Tools of one that runs in the background.
const IN_BACKGROUND: &[&str] = &[
    "Agent",
    "Bash",
    "Edit",
    "EnterWorktree",
    "ExitWorktree",
    "NotebookEdit",
    "Read",
    "SendMessage",
    "Skill",
    "TaskStop",
    "WebFetch",
    "WebSearch",
    "Write",
];
/// Those of them, and `Monitor`, that are deferred.
const DEFERRED: &[&str] = &[
    "EnterWorktree",
    "ExitWorktree",
    "Monitor",
    "NotebookEdit",
    "SendMessage",
    "TaskStop",
    "WebFetch",
    "WebSearch",
];
/// What the client adds where there is no Bash.
const WITHOUT_BASH: [&str; 2] = ["Glob", "Grep"];
const SEARCH: &str = "ToolSearch";
/// Stands for the deferred tools among the others.
const PLACEHOLDER: &str = "DeferredToolPlaceholder";

/// The tools of a sub-agent; those of MCP servers only where its list names them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SubagentTools {
    /// Those whose schemas are sent, in order.
    pub inline: Vec<String>,
    /// Those of which only the name is sent.
    pub deferred: Vec<String>,
    /// Names in its list that are no tools of a sub-agent.
    pub unknown: Vec<String>,
    /// Names of its list that stand for MCP servers, whose tools were not asked for.
    pub servers: Vec<String>,
}

impl SubagentTools {
    /// Whether the schema of a tool is sent.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.inline.iter().any(|tool| tool == name)
    }

    /// What of its definition's tools is there in this session.
    pub(crate) fn of(world: &World<'_>, agent: &Agent) -> Self {
        let behaviour = &world.behaviour;
        let session = Allowed::of(world);
        let mut own_denied: Vec<&str> = Vec::new();
        own_denied.extend(agent.tools.disallowed.iter().map(|name| plain(name)));
        let is_denied = |name: &str| own_denied.contains(&name) || !session.has(name);
        let mut base = base(behaviour, agent.settings.in_background);
        if behaviour.agents.defers {
            base.extend(["Monitor", SEARCH]);
        }
        let can_search = behaviour.agents.defers && world.defers_tools() && !is_denied(SEARCH);
        let mut tools = match &agent.tools.listed {
            None => {
                if !session.has("Bash") {
                    base.extend(WITHOUT_BASH);
                }
                base.sort_unstable();
                base.retain(|name| !is_denied(name));
                Self {
                    inline: base.iter().map(|&name| name.to_owned()).collect(),
                    ..Self::default()
                }
            }
            Some(listed) => {
                base.extend(WITHOUT_BASH);
                Self::listed(listed, &base, is_denied)
            }
        };
        let is_listed = agent.tools.listed.is_some();
        let has_servers = !tools.servers.is_empty();
        let waits = has_servers || tools.inline.iter().any(|name| is_deferred(name));
        let searches = can_search && tools.has(SEARCH) && waits;
        if searches {
            let (deferred, inline) = tools.inline.drain(..).partition(|name| is_deferred(name));
            (tools.deferred, tools.inline) = (deferred, inline);
        } else {
            tools.inline.retain(|name| name != SEARCH);
        }
        let has_place = if is_listed {
            searches || has_servers
        } else {
            true
        };
        if behaviour.agents.defers && world.defers_tools() && has_place {
            let place = tools.inline.len().saturating_sub(1);
            tools.inline.insert(place, PLACEHOLDER.to_owned());
        }
        tools
    }

    /// A list of names: each tool once, in this order; rules in parentheses fall away.
    fn listed(listed: &[String], base: &[&str], is_denied: impl Fn(&str) -> bool) -> Self {
        let mut tools = Self::default();
        for written in listed {
            let name = match plain(written) {
                "Task" => "Agent",
                name => name,
            };
            if tools.has(name) || is_denied(name) {
                continue;
            }
            if name.starts_with("mcp__") {
                tools.servers.push(name.to_owned());
            }
            let is_one_tool = name
                .strip_prefix("mcp__")
                .is_some_and(|rest| rest.contains("__"));
            if is_one_tool || base.contains(&name) {
                tools.inline.push(name.to_owned());
            } else if !name.starts_with("mcp__") {
                tools.unknown.push(written.clone());
            }
        }
        // They come from elsewhere than the others, and stand behind them (case sub-tools-grep).
        let is_added = |name: &String| WITHOUT_BASH.contains(&name.as_str());
        let (added, mut inline): (Vec<String>, _) = tools.inline.drain(..).partition(is_added);
        let has_bash = inline.iter().any(|name| name == "Bash");
        if has_bash {
            tools.unknown.extend(added);
        } else {
            inline.extend(added);
        }
        tools.inline = inline;
        tools
    }
}

fn base(behaviour: &Behaviour, in_background: bool) -> Vec<&'static str> {
    let is_waited_for = !behaviour.agents.background && !in_background;
    let base = if is_waited_for {
        WAITED_FOR
    } else {
        IN_BACKGROUND
    };
    let starts_others = behaviour.agents.levels > 0;
    let base = base.iter().copied();
    base.filter(|name| starts_others || *name != "Agent")
        .collect()
}

fn is_deferred(name: &str) -> bool {
    DEFERRED.contains(&name) || name.starts_with("mcp__")
}

/// A name without its rule.
fn plain(name: &str) -> &str {
    name.split_once('(').map_or(name, |(name, _)| name)
}

impl World<'_> {
    /// Whether tools are deferred in this session (fact C4.2): `auto` by the size of schemas,
    /// which is not known here, counts as yes.
    fn defers_tools(&self) -> bool {
        let value = self.origin.env.get("ENABLE_TOOL_SEARCH");
        value.is_none_or(|value| !matches!(value.as_str(), "false" | "0" | "no" | "off"))
    }
}
