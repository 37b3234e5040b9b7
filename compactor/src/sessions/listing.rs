//! The files of sessions: transcripts, and what lies beside each (facts C1.1, C8.1, I81).

use outcrop_loader::host::{Host, Kind};
use outcrop_loader::path::AbsPath;
use rustc_hash::FxHashMap;

use super::agents::{AgentId, owner};
use crate::transcript::Index;

/// How deep folders of sub-agents are followed.
const DEPTH: usize = 8;

/// Larger files are not read to find out what they are, in bytes.
const READ: u64 = 16 << 20;

/// The files of one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its id: the name of its file without `.jsonl`.
    pub id: String,
    /// The folder of its project below `projects`.
    pub project: String,
    /// Its transcript.
    pub path: AbsPath,
    /// The bytes of the transcript.
    pub length: u64,
    /// The transcripts of its sub-agents.
    pub agents: Vec<AgentFile>,
    /// Results that were too large for the transcript (fact C3.1).
    pub persisted: Vec<AbsPath>,
}

/// The transcript of a sub-agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentFile {
    /// The agent's id within its session.
    pub agent: String,
    /// The file.
    pub path: AbsPath,
    /// Its bytes.
    pub length: u64,
}

/// What a folder of projects holds.
#[derive(Debug, Default)]
pub struct Listing {
    /// The sessions, by project and id.
    pub sessions: Vec<Found>,
    /// Files of sub-agents beside the sessions, as older clients kept them; their records name the
    /// session.
    pub beside: Vec<AgentFile>,
    /// Folders of sessions whose transcript is gone.
    pub orphans: Vec<AbsPath>,
}

/// Lists the sessions in those folders of `projects` that are `wanted`.
#[must_use]
pub fn list(host: &dyn Host, projects: &AbsPath, wanted: impl Fn(&str) -> bool) -> Listing {
    let mut listing = Listing::default();
    for folder in names(host, projects) {
        let path = projects.child(&folder);
        if wanted(&folder) && is(host, &path, Kind::Directory) {
            add(host, &folder, &path, &mut listing);
        }
    }
    listing
}

impl Listing {
    /// Puts files that are a sub-agent's by what stands in them under their session; of each such
    /// file, `owner` tells whose it is (bug B144). What has no session here stays in `beside`.
    pub fn put_under(&mut self, owner: impl Fn(&AbsPath) -> Option<AgentId>) {
        let mut waiting: Vec<(AgentId, AgentFile)> = Vec::new();
        for file in std::mem::take(&mut self.beside) {
            match owner(&file.path) {
                Some(id) => waiting.push((id, file)),
                None => self.beside.push(file),
            }
        }
        self.sessions.retain(|found| {
            let Some(id) = owner(&found.path) else {
                return true;
            };
            let agent = match id.agent.is_empty() {
                true => found.id.clone(),
                false => id.agent.clone(),
            };
            let (path, length) = (found.path.clone(), found.length);
            waiting.push((
                id,
                AgentFile {
                    agent,
                    path,
                    length,
                },
            ));
            false
        });
        let sessions = self.sessions.iter().enumerate();
        let places: FxHashMap<String, usize> =
            sessions.map(|(at, found)| (found.id.clone(), at)).collect();
        for (id, file) in waiting {
            match places.get(&id.session) {
                Some(at) => self.sessions[*at].agents.push(file),
                None => self.beside.push(file),
            }
        }
    }
}

fn add(host: &dyn Host, project: &str, folder: &AbsPath, listing: &mut Listing) {
    let names = names(host, folder);
    let has = |name: &str| names.binary_search_by(|other| (**other).cmp(name)).is_ok();
    for name in &names {
        let path = folder.child(name);
        let Some(id) = name.strip_suffix(".jsonl") else {
            let is_session = !has(&format!("{name}.jsonl"))
                && ["subagents", "tool-results"]
                    .iter()
                    .any(|below| is(host, &path.child(below), Kind::Directory));
            if is_session {
                listing.orphans.push(path);
            }
            continue;
        };
        let Some(length) = length(host, &path) else {
            continue;
        };
        if let Some(agent) = agent_of(name) {
            listing.beside.push(AgentFile {
                agent: agent.to_owned(),
                path,
                length,
            });
            continue;
        }
        let own = folder.child(id);
        let has_folder = has(id);
        listing.sessions.push(Found {
            id: id.to_owned(),
            project: project.to_owned(),
            path,
            length,
            agents: if has_folder {
                agents_of(host, &own)
            } else {
                Vec::new()
            },
            persisted: if has_folder {
                persisted(host, &own)
            } else {
                Vec::new()
            },
        });
    }
}

/// The transcripts of sub-agents below a session's own folder, deeper folders too (bug B140).
#[must_use]
pub fn agents_of(host: &dyn Host, session: &AbsPath) -> Vec<AgentFile> {
    let mut found = Vec::new();
    let mut waiting = vec![(session.child("subagents"), 0)];
    while let Some((folder, depth)) = waiting.pop() {
        for name in names(host, &folder) {
            let path = folder.child(&name);
            let agent = agent_of(&name).map(str::to_owned);
            if let Some(agent) = agent.or_else(|| agent_in(host, &path)) {
                found.extend(length(host, &path).map(|length| AgentFile {
                    agent,
                    path,
                    length,
                }));
            } else if depth < DEPTH && is(host, &path, Kind::Directory) {
                waiting.push((path, depth + 1));
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// The agent whose file has this name.
fn agent_of(name: &str) -> Option<&str> {
    name.strip_prefix("agent-")?.strip_suffix(".jsonl")
}

/// The agent whose file this is by what stands in it: other transcripts lie there, too, such as
/// journals.
fn agent_in(host: &dyn Host, path: &AbsPath) -> Option<String> {
    let stem = path.file_name().strip_suffix(".jsonl")?;
    let bytes = host.read(path, READ).ok()?;
    let agent = owner(&Index::of(&*bytes).ok()?)?.agent;
    Some(match agent.is_empty() {
        true => stem.to_owned(),
        false => agent,
    })
}

fn persisted(host: &dyn Host, session: &AbsPath) -> Vec<AbsPath> {
    let folder = session.child("tool-results");
    let files = names(host, &folder)
        .into_iter()
        .map(|name| folder.child(&name));
    files.filter(|path| is(host, path, Kind::File)).collect()
}

/// The names in a folder, sorted; none where it cannot be read.
fn names(host: &dyn Host, folder: &AbsPath) -> Vec<String> {
    let entries = host.read_dir(folder).unwrap_or_default().into_iter();
    let mut names: Vec<String> = entries
        .filter(|entry| entry.utf8)
        .map(|entry| entry.name)
        .collect();
    names.sort();
    names
}

fn is(host: &dyn Host, path: &AbsPath, kind: Kind) -> bool {
    host.metadata(path).is_ok_and(|found| found.kind == kind)
}

fn length(host: &dyn Host, path: &AbsPath) -> Option<u64> {
    let found = host.metadata(path).ok()?;
    (found.kind == Kind::File).then_some(found.len)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outcrop_loader::host::MemoryHost;

    #[test]
    fn files_are_listed_with_their_session() {
        let mut host = MemoryHost::new();
        let projects = AbsPath::new("/h/projects").unwrap();
        for file in [
            "-srv/a.jsonl",
            "-srv/a/subagents/agent-x.jsonl",
            "-srv/a/subagents/agent-x.meta.json",
            "-srv/a/subagents/workflows/w1/agent-y.jsonl",
            "-srv/a/tool-results/t1.txt",
            "-srv/agent-old.jsonl",
            "-srv/b.jsonl",
            "-srv/gone/subagents/agent-z.jsonl",
            "-srv/memory/MEMORY.md",
            "-srv/notes.txt",
            "-other/c.jsonl",
        ] {
            host.file(&projects.join(file), *b"{}\n");
        }
        let side =
            br#"{"type":"user","uuid":"s1","isSidechain":true,"message":{"content":"M_S1"}}"#;
        host.file(&projects.join("-srv/a/subagents/w2/step.jsonl"), *side);
        host.file(
            &projects.join("-srv/a/subagents/w2/journal.jsonl"),
            *b"{\"n\":1}\n",
        );
        let listing = list(&host, &projects, |folder| folder == "-srv");
        let ids: Vec<&str> = listing.sessions.iter().map(|found| &*found.id).collect();
        assert_eq!(ids, ["a", "b"]);
        let agents = listing.sessions[0].agents.iter();
        let agents: Vec<&str> = agents.map(|file| &*file.agent).collect();
        assert_eq!(agents, ["x", "step", "y"]);
        assert_eq!(listing.sessions[0].persisted.len(), 1);
        assert_eq!(listing.beside[0].agent, "old");
        assert_eq!(listing.orphans, [projects.join("-srv/gone")]);
    }
}
