//! L717: an agent that is to begin with a skill that it does not get.

use super::prelude::*;
use crate::catalog::agents::AgentSource;
use crate::subagent::skipped;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L717",
    name: "agent-skill-missing",
    severity: Severity::Warning,
    summary: "An agent names a skill under `skills` that it does not get.",
    page: Page {
        what: "Looks at the `skills` of agents, whose bodies the agent is given with its task: for \
               names that no skill or command has, and for skills that the list at the start does \
               not have, since they are kept from the model or wait for a file.",
        why: "The client passes over the name without a word, and the agent works without what the \
              skill says.",
        instead: "Write the name of the skill's folder. A skill that an agent is to begin with must \
                  be open to the model.",
        drawbacks: "Skills of installed plugins are not looked at: names with a colon are accepted, \
                    and so are all names where the settings enable a plugin.",
        evidence: "Fact 85; case sub-skills-forms.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a skill that was renamed",
            files: &[
                (
                    ".claude/agents/reviewer.md",
                    "---\nname: reviewer\ndescription: Reviews\nskills: style\n---\nReview.\n",
                ),
                (
                    ".claude/skills/code-style/SKILL.md",
                    "---\ndescription: Our style\n---\nIndent by two.\n",
                ),
            ],
            fixed: &[],
        },
        Example {
            title: "a skill that is kept from the model",
            files: &[
                (
                    ".claude/agents/reviewer.md",
                    "---\nname: reviewer\ndescription: Reviews\nskills: [style]\n---\nReview.\n",
                ),
                (
                    ".claude/skills/style/SKILL.md",
                    "---\ndescription: Our style\ndisable-model-invocation: true\n---\nIndent.\n",
                ),
            ],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "a skill by its folder, and one of a plugin",
        files: &[
            (
                ".claude/agents/reviewer.md",
                "---\nname: reviewer\ndescription: Reviews\nskills: style, docs:write\n---\nReview.\n",
            ),
            (
                ".claude/skills/style/SKILL.md",
                "---\ndescription: Our style\n---\nIndent by two.\n",
            ),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let plugins = subject.session.settings().each("enabledPlugins");
    let has_plugins = plugins.values().any(|set| set.value.bool() == Some(true));
    let world = subject.session.world();
    for agent in &subject.agents().agents {
        let field = agent.fields.iter().find(|field| field.name == "skills");
        let (Some(path), Some(field)) = (&agent.path, field) else {
            continue;
        };
        if agent.source == AgentSource::Plugin {
            continue;
        }
        let place = match field.line {
            Some(line) => Place::Line(path.clone(), line),
            None => Place::File(path.clone()),
        };
        for skill in skipped(world, subject.catalog(), agent) {
            let may_be_plugins = has_plugins && !skill.is_there;
            if skill.name.contains(':') || may_be_plugins {
                continue;
            }
            let message = format!(
                "the agent `{}` does not get the skill `{}`: {}",
                agent.name, skill.name, skill.why
            );
            report.at(place.clone(), message).report();
        }
    }
}
