//! L704: the definition of an agent that does not count.

use super::prelude::*;
use crate::catalog::agents::{AbsentAgent, AgentAbsence};
use crate::document::FrontMatter;
use crate::lint::front_keys;
use crate::path::AbsPath;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L704",
    name: "agent-invalid",
    severity: Severity::Error,
    summary: "The definition of an agent is wrong, so there is no such agent.",
    page: Page {
        what: "Looks for files in the folders of agents that the client does not take for agents: \
               `name` or `description` is missing, empty or no text, the front matter is not read, \
               `hooks` have the wrong form, or the file does not end in `.md`.",
        why: "The client passes over the file without a word. A call of the agent then starts \
              another one, or fails.",
        instead: "Write `name` and `description` as texts in front matter that begins on the first \
                  line.",
        drawbacks: "A document that lies between agents is told as information if it has no front \
                    matter, and not at all if its name, or that of its folder, is that of documents.",
        evidence: "Facts C2.4, C2.5, 72, 76 and 77; cases agents-fields-invalid, \
                   agents-field-types, agents-hooks-forms.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "the name is missing",
            files: &[(
                ".claude/agents/reviewer.md",
                "---\ndescription: Reviews changes\ntools: Read\n---\nReview.\n",
            )],
            fixed: &[(
                ".claude/agents/reviewer.md",
                "---\nname: reviewer\ndescription: Reviews changes\ntools: Read\n---\nReview.\n",
            )],
        },
        Example {
            title: "the description is missing",
            files: &[(
                ".claude/agents/reviewer.md",
                "---\nname: reviewer\n---\nReview.\n",
            )],
            fixed: &[],
        },
        Example {
            title: "front matter behind a blank line",
            files: &[(
                ".claude/agents/reviewer.md",
                "\n---\nname: reviewer\ndescription: Reviews\n---\nReview.\n",
            )],
            fixed: &[],
        },
        Example {
            title: "a name that is a number",
            files: &[(
                ".claude/agents/reviewer.md",
                "---\nname: 7\ndescription: Reviews\n---\nReview.\n",
            )],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "documents between agents, and an agent of another file name",
        files: &[
            (".claude/agents/README.md", "# Our agents\n"),
            (".claude/agents/_shared.md", "# For all\n"),
            (".claude/agents/review/references/threats.md", "# Threats\n"),
            (
                ".claude/agents/review.md",
                "---\nname: reviewer\ndescription: Reviews\n---\n",
            ),
        ],
        fixed: &[],
    }],
    check,
};

/// Names of documents.
const DOCUMENTS: &[&str] = &[
    "agents",
    "changelog",
    "claude",
    "contributing",
    "index",
    "license",
    "readme",
    "template",
];

/// Folders in which agents keep what they are told to read.
const FOLDERS_OF_DOCUMENTS: &[&str] = &["docs", "examples", "references", "templates"];

/// Keys that only a definition has.
const OWN_KEYS: &[&str] = &["name", "description", "tools", "model", "color"];

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for absent in &subject.agents().absent {
        let Some(path) = &absent.path else {
            continue;
        };
        match &absent.absence {
            AgentAbsence::Invalid { key, line, fault } => {
                invalid(subject, report, absent, path, (*key, *line, fault));
            }
            AgentAbsence::Unreadable { error } => {
                let message = format!("this definition does not count: the file {error}");
                report.at(Place::File(path.clone()), message).report();
            }
            AgentAbsence::WrongExtension if is_definition(subject, path) => {
                let message =
                    "this definition does not count: the client looks for files that end in `.md`";
                report
                    .at(Place::File(path.clone()), message)
                    .help("end the name of the file in `.md`")
                    .report();
            }
            _ => {}
        }
    }
}

fn invalid(
    subject: &Subject<'_, '_>,
    report: &mut Report<'_, '_>,
    absent: &AbsentAgent,
    path: &AbsPath,
    (key, line, fault): (Option<&str>, Option<u32>, &str),
) {
    let Some(source) = subject.text(path) else {
        return;
    };
    let stem = path.file_name().trim_end_matches(".md");
    let parent = path.parent();
    let folder = parent.as_ref().map_or("", |folder| folder.file_name());
    let is_document = DOCUMENTS.contains(&stem.to_ascii_lowercase().as_str())
        || stem.starts_with('_')
        || FOLDERS_OF_DOCUMENTS.contains(&folder);
    let is_meant = is_definition(subject, path) || looks_like_one(&source);
    if is_document && !is_meant {
        return;
    }
    let name = absent.name.as_deref().unwrap_or(stem);
    let message = format!(
        "this definition of `{name}` does not count: {}",
        said(key, fault)
    );
    let place = match line {
        Some(line) => Place::Line(path.clone(), line),
        None => Place::File(path.clone()),
    };
    let mut draft = report.at(place, message);
    if is_meant {
        draft = draft.costs(Cost::Lost(subject.tokens(&source)));
    } else {
        draft = draft
            .severity(Severity::Info)
            .help("a document is better kept outside of the folder of agents");
    }
    draft = match (key, line) {
        (Some("name"), None) if stem.chars().all(is_plain) && is_meant => {
            let front = front(subject, &source);
            let fix = front.map(|front| {
                let at = front.yaml.start;
                let end = match source[..at].ends_with("\r\n") {
                    true => "\r\n",
                    false => "\n",
                };
                let title = format!("name it `{stem}`");
                let text = format!("name: {stem}{end}");
                Fix::one(Applicability::Unsafe, title, path, at..at, text)
            });
            match fix {
                Some(fix) => draft.help(format!("write `name: {stem}`")).fix(fix),
                None => draft,
            }
        }
        (Some("description"), None) => {
            draft.help("write `description`: it tells the model when to call the agent")
        }
        (None, _) if is_meant => draft.help(
            "front matter begins on the first line with `---`, ends with `---`, and holds `name` \
             and `description`",
        ),
        _ => draft,
    };
    draft.report();
}

/// A fault as part of a sentence.
fn said(key: Option<&str>, fault: &str) -> String {
    match (key, fault.strip_prefix("it ")) {
        (Some(key), Some(rest)) => format!("`{key}` {rest}"),
        (Some(key), None) => format!("`{key}`: {fault}"),
        (None, _) => fault.to_owned(),
    }
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}

fn front(subject: &Subject<'_, '_>, source: &str) -> Option<FrontMatter> {
    let behaviour = &subject.session.client().behaviour;
    FrontMatter::find(source, behaviour.front_matter_behind_bom)
}

/// Whether front matter has a key that a definition has.
fn is_definition(subject: &Subject<'_, '_>, path: &AbsPath) -> bool {
    let Some(source) = subject.text(path) else {
        return false;
    };
    let keys = front(subject, &source).map(|front| front_keys::keys_in(&source, &front));
    let mut keys = keys.into_iter().flatten();
    keys.any(|key| OWN_KEYS.contains(&key.name.as_str()))
}

/// Whether keys of a definition stand near the beginning, though not as front matter.
fn looks_like_one(source: &str) -> bool {
    let mut lines = source.lines().map(str::trim_start).take(12);
    lines.any(|line| line.starts_with("name:")) && source.contains("\ndescription:")
}
