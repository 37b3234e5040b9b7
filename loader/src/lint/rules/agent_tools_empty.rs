//! L707: an agent that is left without tools.

use super::prelude::*;
use crate::catalog::agents::{Agent, AgentSource};
use crate::lint::known::{is_tool, plain_tool};
use crate::subagent::SubagentTools;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L707",
    name: "agent-tools-empty",
    severity: Severity::Warning,
    summary: "An agent is left without any tool.",
    page: Page {
        what: "Looks for a `tools` key that is there without a value or with one of the wrong kind, \
               for one that names only tools that no client has, and for `disallowedTools` that take \
               all listed tools away.",
        why: "A `tools` key without a value does not mean all tools: the agent has none, while the \
              list tells the model that it has all. With unknown names alone the client does not \
              start the agent.",
        instead: "Leave the key out for all tools, or name tools.",
        drawbacks: "An agent may be meant to have no tool: `tools: []` says so and is accepted.",
        evidence: "Facts 70, 71 and 83; cases sub-tools-empty, agents-tools-odd.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a key without a value",
            files: &[(
                ".claude/agents/reviewer.md",
                "---\nname: reviewer\ndescription: Reviews\ntools:\n---\nReview.\n",
            )],
            fixed: &[],
        },
        Example {
            title: "names that no client has",
            files: &[(
                ".claude/agents/reviewer.md",
                "---\nname: reviewer\ndescription: Reviews\ntools: search_code, open_file\n---\nReview.\n",
            )],
            fixed: &[],
        },
        Example {
            title: "all that is listed is taken away",
            files: &[(
                ".claude/agents/reviewer.md",
                "---\nname: reviewer\ndescription: Reviews\ntools: Read\ndisallowedTools: Read\n---\nReview.\n",
            )],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "no tool on purpose, all tools, tools of a server",
        files: &[
            (
                ".claude/agents/writer.md",
                "---\nname: writer\ndescription: Writes\ntools: []\n---\nWrite.\n",
            ),
            (
                ".claude/agents/worker.md",
                "---\nname: worker\ndescription: Works\ntools: \"*\"\n---\nWork.\n",
            ),
            (
                ".claude/agents/finder.md",
                "---\nname: finder\ndescription: Finds\ntools: mcp__docs\n---\nFind.\n",
            ),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for agent in &subject.agents().agents {
        let is_own = !matches!(agent.source, AgentSource::BuiltIn | AgentSource::Plugin);
        let Some(path) = agent.path.as_ref().filter(|_| is_own) else {
            continue;
        };
        let Some((message, help)) = fault(subject, agent) else {
            continue;
        };
        let field = agent.fields.iter().find(|field| field.name == "tools");
        let place = match field.and_then(|field| field.line) {
            Some(line) => Place::Line(path.clone(), line),
            None => Place::File(path.clone()),
        };
        report.at(place, message).help(help).report();
    }
}

fn fault(subject: &Subject<'_, '_>, agent: &Agent) -> Option<(String, &'static str)> {
    let name = &agent.name;
    let listed = agent.tools.listed.as_ref()?;
    let field = agent.fields.iter().find(|field| field.name == "tools")?;
    if listed.is_empty() {
        // An empty list is written on purpose.
        let is_meant = field.value.as_array().is_some_and(Vec::is_empty);
        let message =
            format!("the agent `{name}` has no tool at all, though the list says that it has all");
        let help = "leave `tools` out for all tools, or write `tools: []` for none";
        return (!is_meant).then_some((message, help));
    }
    if agent.tools.label() == "None" {
        let message = format!("`disallowedTools` takes all tools of the agent `{name}` away");
        return Some((message, "name a tool that stays"));
    }
    let given = SubagentTools::of(subject.session.world(), agent);
    let is_unknown = |name: &String| !is_tool(plain_tool(name));
    let all_unknown = listed.iter().all(is_unknown);
    let nothing = given.inline.is_empty() && given.servers.is_empty();
    (nothing && all_unknown).then(|| {
        let message = format!(
            "the agent `{name}` does not start: no client has any of the tools that it lists"
        );
        (
            message,
            "name tools of the client, such as `Read` and `Bash`",
        )
    })
}
