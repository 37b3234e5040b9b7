//! L706: keys of an agent that do nothing, or something else.

use super::prelude::*;
use crate::catalog::agents::{Agent, AgentSource, Field};
use crate::document::FrontMatter;
use crate::lint::front_keys;
use crate::lint::known::{is_tool, plain_tool, tools};
use crate::lint::near::nearest;
use crate::path::AbsPath;
use crate::subagent::{SubagentTools, effective_mode};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L706",
    name: "agent-key-ignored",
    severity: Severity::Info,
    summary: "A key of an agent, or a name in its tools, does nothing.",
    page: Page {
        what: "Looks in the definitions of agents for keys that belong to skills \
               (`allowed-tools`), for keys that are nearly one of an agent's, for values that the \
               client passes over, for models that it does not know, for permission modes that \
               change nothing, and for tools that no client has.",
        why: "The client takes the definition and leaves the key out without a word. With a \
              mistaken `tools` key the agent has all tools; a tool whose name is wrong is missing; \
              a stricter `permissionMode` is never stricter than that of the session.",
        instead: "Write the keys as the message says. Take tools away with `tools` and \
                  `disallowedTools`, not with a permission mode.",
        drawbacks: "A gateway may know other models than the client does: names that look like \
                    those of one are accepted. Tools that only some clients have are accepted, too.",
        evidence: "Facts C2.4 to C2.6, C2.9, C2.25 and 80; cases agents-fields-invalid, \
                   agents-tools-forms, perm-subagent-matrix.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "the key of a skill",
            files: &[(
                ".claude/agents/reviewer.md",
                "---\nname: reviewer\ndescription: Reviews\nallowed-tools: Read, Grep\n---\nReview.\n",
            )],
            fixed: &[(
                ".claude/agents/reviewer.md",
                "---\nname: reviewer\ndescription: Reviews\ntools: Read, Grep\n---\nReview.\n",
            )],
        },
        Example {
            title: "a tool in small letters, and one that no client has",
            files: &[(
                ".claude/agents/reviewer.md",
                "---\nname: reviewer\ndescription: Reviews\ntools: Read, bash, Search\n---\nReview.\n",
            )],
            fixed: &[],
        },
        Example {
            title: "a mode that does not restrict",
            files: &[(
                ".claude/agents/planner.md",
                "---\nname: planner\ndescription: Plans\npermissionMode: plan\n---\nPlan.\n",
            )],
            fixed: &[],
        },
        Example {
            title: "a model of another vendor",
            files: &[(
                ".claude/agents/writer.md",
                "---\nname: writer\ndescription: Writes\nmodel: gpt-9\n---\nWrite.\n",
            )],
            fixed: &[],
        },
        Example {
            title: "a key with a dash",
            files: &[(
                ".claude/agents/writer.md",
                "---\nname: writer\ndescription: Writes\nmax-turns: 5\n---\nWrite.\n",
            )],
            fixed: &[(
                ".claude/agents/writer.md",
                "---\nname: writer\ndescription: Writes\nmaxTurns: 5\n---\nWrite.\n",
            )],
        },
    ],
    good: &[Example {
        title: "keys that count, tools of servers and of some clients, keys of others",
        files: &[(
            ".claude/agents/reviewer.md",
            "---\nname: reviewer\ndescription: Reviews\ntools: Read, mcp__docs__find, \
             AskUserQuestion, Bash(git:*)\nmodel: sonnet\npermissionMode: acceptEdits\ncolor: \
             blue\nversion: 2\nauthor: shop\n---\nReview.\n",
        )],
        fixed: &[],
    }],
    check,
};

/// The keys of an agent.
const KEYS: &[&str] = &[
    "name",
    "description",
    "tools",
    "disallowedTools",
    "model",
    "permissionMode",
    "maxTurns",
    "skills",
    "memory",
    "background",
    "isolation",
    "hooks",
    "mcpServers",
    "color",
    "effort",
    "initialPrompt",
];

/// Keys whose lack of effect depends on the machine, or was seen of sub-agents alone.
const BY_MACHINE: &[&str] = &["hooks", "mcpServers", "initialPrompt", "memory", "effort"];

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for agent in &subject.agents().agents {
        let Some(path) = agent.path.as_ref() else {
            continue;
        };
        if agent.source == AgentSource::Plugin {
            continue;
        }
        misspelt(subject, report, agent, path);
        for field in &agent.fields {
            let place = match field.line {
                Some(line) => Place::Line(path.clone(), line),
                None => Place::File(path.clone()),
            };
            if !field.counts {
                ignored(subject, report, agent, field, place);
                continue;
            }
            match field.name.as_str() {
                "model" => model(subject, report, field, place),
                "permissionMode" => mode(subject, report, field, place),
                "tools" => unknown_tools(subject, report, agent, place),
                _ => {}
            }
        }
    }
}

fn keys(subject: &Subject<'_, '_>, path: &AbsPath) -> Vec<front_keys::Key> {
    let behaviour = &subject.session.client().behaviour;
    let Some(source) = subject.text(path) else {
        return Vec::new();
    };
    let front = FrontMatter::find(&source, behaviour.front_matter_behind_bom);
    front.map_or_else(Vec::new, |front| front_keys::keys_in(&source, &front))
}

fn rename(path: &AbsPath, key: &front_keys::Key, name: &str) -> Fix {
    let title = format!("rename `{}` to `{name}`", key.name);
    Fix::one(
        Applicability::Unsafe,
        title,
        path,
        key.name_range.clone(),
        name,
    )
}

fn misspelt(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, agent: &Agent, path: &AbsPath) {
    let keys = keys(subject, path);
    for key in &keys {
        let name = key.name.as_str();
        // Told of with the fields.
        if KEYS.contains(&name) || matches!(name, "allowed-tools" | "disallowed-tools") {
            continue;
        }
        let Some(meant) = nearest(name, KEYS.iter().copied()) else {
            continue;
        };
        if keys.iter().any(|key| key.name == meant) {
            continue;
        }
        let message = format!(
            "`{name}` of the agent `{}` is ignored: the key is `{meant}`",
            agent.name
        );
        report
            .at(Place::Bytes(path.clone(), key.name_range.clone()), message)
            .severity(Severity::Warning)
            .fix(rename(path, key, meant))
            .report();
    }
}

fn ignored(
    subject: &Subject<'_, '_>,
    report: &mut Report<'_, '_>,
    agent: &Agent,
    field: &Field,
    place: Place,
) {
    let name = field.name.as_str();
    let is_right = field.effect.starts_with("ignored: it must be");
    // `manual` is another name of `default` in newer clients.
    let is_other_name = name == "permissionMode" && field.value.as_str() == Some("manual");
    if BY_MACHINE.contains(&name) && !is_right || is_other_name {
        return;
    }
    let why = field.effect.trim_start_matches("ignored: ");
    let mut draft = report.at(
        place,
        format!("`{name}` of the agent `{}` is ignored: {why}", agent.name),
    );
    let meant = match name {
        "allowed-tools" => "tools",
        "disallowed-tools" => "disallowedTools",
        _ => return draft.report(),
    };
    let Some(path) = &agent.path else {
        return;
    };
    let keys = keys(subject, path);
    if keys.iter().any(|key| key.name == meant) {
        // A file that serves skills, too.
        return;
    }
    draft = draft.severity(Severity::Warning).help(match meant {
        "tools" => "the agent has all tools; write `tools`",
        _ => "nothing is taken away; write `disallowedTools`",
    });
    if let Some(key) = keys.iter().find(|key| key.name == name) {
        draft = draft.fix(rename(path, key, meant));
    }
    draft.report();
}

/// Names that the client sends as they are, and that its service does not have.
fn model(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, field: &Field, place: Place) {
    let Some(written) = field.value.as_str() else {
        return;
    };
    let sent = subject.session.model_facts(written).name;
    // A gateway, or another service, has names of its own.
    let has_gateway = |name: &str| subject.session.origin().env.contains_key(name);
    let is_other = written.contains([':', '/', '.']) || has_gateway("ANTHROPIC_BASE_URL");
    if written == "inherit" || sent != written || sent.contains("claude") || is_other {
        return;
    }
    let message = format!("`{written}` is no model that the client knows, and is sent as it is");
    report
        .at(place, message)
        .help("write `opus`, `sonnet`, `haiku`, `inherit` or the full name of a model")
        .report();
}

fn mode(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, field: &Field, place: Place) {
    let Some(mode) = field.value.as_str().filter(|mode| *mode != "default") else {
        return;
    };
    let behaviour = &subject.session.client().behaviour;
    let with = effective_mode("default", Some(mode), behaviour);
    if with != effective_mode("default", None, behaviour) {
        return;
    }
    let message = format!("`permissionMode: {mode}` changes nothing: the session's mode stays");
    report
        .at(place, message)
        .help("a mode of an agent may loosen that of the session; restrict it with `tools`")
        .report();
}

fn unknown_tools(
    subject: &Subject<'_, '_>,
    report: &mut Report<'_, '_>,
    agent: &Agent,
    place: Place,
) {
    let given = SubagentTools::of(subject.session.world(), agent);
    let unknown: Vec<&str> = given.unknown.iter().map(|name| plain_tool(name)).collect();
    let unknown: Vec<&str> = unknown.into_iter().filter(|name| !is_tool(name)).collect();
    // Where nothing is left, that is another rule's finding.
    let is_nothing_left = given.inline.is_empty() && given.servers.is_empty();
    if unknown.is_empty() || is_nothing_left {
        return;
    }
    let names: Vec<String> = unknown.iter().map(|name| format!("`{name}`")).collect();
    let message = format!(
        "the agent `{}` does not get {}: there {}",
        agent.name,
        names.join(", "),
        match names.len() {
            1 => "is no such tool",
            _ => "are no such tools",
        }
    );
    let mut draft = report.at(place, message);
    let near = unknown.iter().find_map(|name| {
        let near = nearest(name, tools())?;
        Some((name, near))
    });
    if let Some((name, near)) = near {
        draft = draft
            .severity(Severity::Warning)
            .help(format!("write `{near}` for `{name}`"));
    }
    draft.report();
}
