//! L705: two agents of one name.

use super::prelude::*;
use crate::catalog::agents::{AbsentAgent, Agent, AgentAbsence, AgentSource};
use crate::path::AbsPath;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L705",
    name: "agent-shadowed",
    severity: Severity::Warning,
    summary: "Another agent has the name, so this definition does not count.",
    page: Page {
        what: "Looks for definitions of agents whose name a stronger one has: managed ones go \
               before the project's, of these the nearest directory first, then the user's; in one \
               folder the last file counts. What the files are called does not matter. Two that \
               say the same are accepted.",
        why: "The client lists one of a name and passes over the other without a word. Files that \
              were copied to make a second agent often keep the first one's name.",
        instead: "Give one of them another `name`, or remove the one that does not count.",
        drawbacks: "A project may mean to replace an agent of the user, and a directory one of the \
                    directories above; these are told as information.",
        evidence: "Facts C2.1, C2.7 and 76; cases agents-sources-precedence, \
                   agents-duplicates-paths.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a copy that kept the name",
        files: &[
            (
                ".claude/agents/reviewer.md",
                "---\nname: reviewer\ndescription: Reviews code\n---\nReview code.\n",
            ),
            (
                ".claude/agents/text-reviewer.md",
                "---\nname: reviewer\ndescription: Reviews texts\n---\nReview texts.\n",
            ),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "names that differ, in files of one name",
        files: &[
            (
                ".claude/agents/code/reviewer.md",
                "---\nname: code-reviewer\ndescription: Reviews code\n---\nReview code.\n",
            ),
            (
                ".claude/agents/text/reviewer.md",
                "---\nname: text-reviewer\ndescription: Reviews texts\n---\nReview texts.\n",
            ),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let agents = subject.agents();
    for absent in &agents.absent {
        let (AgentAbsence::Duplicate { of, because }, Some(path)) = (&absent.absence, &absent.path)
        else {
            continue;
        };
        let name = absent.name.as_deref().unwrap_or_default();
        // Of three the second is stronger than the first, and does not count either.
        let stronger = agents.agents.iter().find(|agent| agent.name == name);
        let named = AbsPath::new(of);
        let other = stronger.and_then(|agent| agent.path.as_ref());
        let other = other.or(named.as_ref());
        if other.is_some_and(|other| subject.is_same_text(path, other)) {
            continue;
        }
        let shown = match other {
            Some(other) => subject.name(other),
            None => of.clone(),
        };
        let message =
            format!("this agent `{name}` does not count: `{shown}` has the name ({because})");
        let line = |path: &AbsPath, line: Option<u32>| match line {
            Some(line) => Place::Line(path.clone(), line),
            None => Place::File(path.clone()),
        };
        let mut draft = report
            .at(line(path, name_line(subject, path)), message)
            .severity(severity(absent, stronger))
            .help("give one of them another `name`, or remove this one");
        if let (Some(other), Some(agent)) = (other, stronger) {
            draft = draft.also(line(other, agent.line), "this one counts");
        }
        if let Some(text) = subject.text(path) {
            draft = draft.costs(Cost::Lost(subject.tokens(&text)));
        }
        draft.report();
    }
}

/// The line of `name`.
fn name_line(subject: &Subject<'_, '_>, path: &AbsPath) -> Option<u32> {
    let source = subject.text(path)?;
    let at = source.lines().position(|line| line.starts_with("name"))?;
    u32::try_from(at + 1).ok()
}

/// A project may well replace what the user has, and a directory what those above it have.
fn severity(absent: &AbsentAgent, stronger: Option<&Agent>) -> Severity {
    let folder = |path: &AbsPath| {
        let agents = path.ancestors().find(|above| above.file_name() == "agents");
        agents.unwrap_or_else(|| path.clone())
    };
    match stronger {
        Some(Agent {
            source: AgentSource::Project,
            path: Some(other),
            ..
        }) if absent
            .path
            .as_ref()
            .is_some_and(|path| folder(path) != folder(other)) =>
        {
            Severity::Info
        }
        _ => Severity::Warning,
    }
}
