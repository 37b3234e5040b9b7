//! Why a skill, command or agent is, or is not, in the lists of the first request.

use super::Session;
use super::explain::{Explanation, Finding, Verdict};
use crate::catalog::agents::{AgentSource, Agents};
use crate::catalog::{Absence, Bare, Catalog, Entry, EntryKind, Note};
use crate::javascript;
use crate::path::AbsPath;

fn finding(text: String) -> Finding {
    Finding {
        path: None,
        line: None,
        text,
    }
}

impl Session<'_> {
    /// Answers for a file in a folder of skills, commands or agents; false for any other.
    pub(super) fn explain_listed(&self, path: &AbsPath, answer: &mut Explanation) -> bool {
        let text = path.as_str();
        let is_plugin = || {
            let plugins = &self.origin().flags.plugin_dirs;
            plugins
                .iter()
                .any(|dir| path.is_within(&self.cwd().join(dir)))
        };
        let has = |folder: &str| text.contains(&format!("/{folder}/"));
        let in_claude = text.contains("/.claude/") || path.is_within(&self.origin().config());
        if !(in_claude || is_plugin()) {
            return false;
        }
        if has("agents") && self.explain_agent(path, &self.agents(), answer) {
            return true;
        }
        (has("skills") || has("commands")) && self.explain_entry(path, &self.catalog(), answer)
    }

    fn explain_entry(&self, path: &AbsPath, catalog: &Catalog, answer: &mut Explanation) -> bool {
        let is_it = |other: &AbsPath| other == path;
        if let Some(entry) = catalog.entries.iter().find(|entry| is_it(&entry.path)) {
            answer.verdict = Verdict::Listed;
            explain_listing(entry, catalog, &mut answer.findings);
            return true;
        }
        for list in self.announced() {
            if let Some(entry) = list.entries.iter().find(|entry| is_it(&entry.path)) {
                answer.verdict = Verdict::ListedOnRead;
                explain_listing(entry, catalog, &mut answer.findings);
                return true;
            }
        }
        let Some(absent) = catalog.absent.iter().find(|absent| is_it(&absent.path)) else {
            return false;
        };
        answer.verdict = match absent.absence {
            Absence::Waits { .. } => Verdict::Waiting,
            _ => Verdict::LeftOut,
        };
        let kind = name_of(absent.kind);
        answer.findings.push(finding(format!(
            "is the {kind} `{}`, of which the model is not told",
            absent.name
        )));
        let (why, remedy) = absence(&absent.absence);
        let place = match &absent.absence {
            Absence::Duplicate { of } => Some(of.clone()),
            _ => None,
        };
        answer.findings.push(Finding {
            path: place,
            line: None,
            text: why,
        });
        answer.remedy = remedy.map(str::to_owned);
        true
    }

    fn explain_agent(&self, path: &AbsPath, agents: &Agents, answer: &mut Explanation) -> bool {
        let of_file = |other: &Option<AbsPath>| other.as_ref() == Some(path);
        if let Some(agent) = agents.agents.iter().find(|agent| of_file(&agent.path)) {
            debug_assert!(agent.source != AgentSource::BuiltIn);
            if let Some(silent) = agents.silent.as_ref().or(agents.ends.as_ref()) {
                answer.verdict = Verdict::LeftOut;
                answer.findings.push(finding(silent.clone()));
                return true;
            }
            answer.verdict = Verdict::Listed;
            let text = format!("is the agent `{}`, listed with its description", agent.name);
            answer.findings.push(finding(text));
            answer.findings.push(finding(
                "its body is the system prompt of the sub-agent, and is sent to that alone"
                    .to_owned(),
            ));
            return true;
        }
        let Some(absent) = agents.absent.iter().find(|absent| of_file(&absent.path)) else {
            return false;
        };
        answer.verdict = Verdict::LeftOut;
        answer.findings.push(Finding {
            path: absent.absence.line().map(|_| path.clone()),
            line: absent.absence.line(),
            text: format!("is no agent that counts: {}", absent.absence),
        });
        true
    }
}

const fn name_of(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Skill => "skill",
        EntryKind::Command => "command",
    }
}

/// What of an entry is listed, and when its text is sent.
fn explain_listing(entry: &Entry, catalog: &Catalog, findings: &mut Vec<Finding>) {
    let kind = name_of(entry.kind);
    let label = entry.label();
    findings.push(finding(match &entry.text {
        Some(_) => format!(
            "is the {kind} `{}`, listed as `{label}` with its description",
            entry.name
        ),
        None => format!(
            "is the {kind} `{}`, listed as `{label}` by name alone",
            entry.name
        ),
    }));
    match &entry.bare {
        Some(Bare::Budget) => {
            let room = catalog.budget.as_ref().map_or(0, |budget| budget.room);
            let text = format!(
                "its description of {} characters is dropped: the list may take {room} cells",
                entry.whole
            );
            findings.push(finding(text));
        }
        Some(Bare::NameOnly { place }) => {
            findings.push(finding(format!("skillOverrides says `name-only`, {place}")));
        }
        None => {
            let sent = entry.text.as_deref().map_or(0, javascript::len);
            if sent < entry.whole {
                let text = format!(
                    "its description is cut: {sent} of {} characters are listed",
                    entry.whole
                );
                findings.push(finding(text));
            }
        }
    }
    if entry.note == Some(Note::Scope) {
        findings.push(finding(
            "its own name is taken, so its directory's stands before it".to_owned(),
        ));
    }
    findings.push(finding(format!(
        "the text below its front matter is sent when the {kind} is called"
    )));
}

/// Why a skill or command is not listed, and what helps.
fn absence(absence: &Absence) -> (String, Option<&'static str>) {
    match absence {
        Absence::NotForTheModel => (
            "disable-model-invocation keeps it from the model; people call it".to_owned(),
            None,
        ),
        Absence::Waits { patterns } => (
            format!(
                "waits until a file is read that matches {}, seen from the working directory",
                patterns.join(", ")
            ),
            Some("read such a file (--read), or take `paths` away"),
        ),
        Absence::Overridden { value, place } => (
            format!("skillOverrides says `{value}`, {place}"),
            Some("take the name out of skillOverrides"),
        ),
        Absence::Duplicate { of } => (
            format!("{of} has the name, or is the same folder, and comes first"),
            Some("give its folder or file another name"),
        ),
        Absence::NotDescribed => (
            "a plugin's skill or command is listed only with a description".to_owned(),
            Some("add a description to its front matter"),
        ),
        Absence::BadName => (
            "its name has characters that the client does not list".to_owned(),
            Some("use plain letters, digits and dashes"),
        ),
        Absence::Unreadable { error } => (format!("it {error}"), None),
    }
}
