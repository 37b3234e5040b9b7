//! What a boot packet is made of, read from the disk, and its places read again.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use outcrop_compactor::boot::{
    Document, Fact, Item, ItemKind, Kind, Reason, Source, Sources, Thread,
};
use outcrop_compactor::chain::Chain;
use outcrop_compactor::conversation::{Conversation, Resumed};
use outcrop_compactor::loss::{self, OpenItems, OpenKind};
use outcrop_compactor::redact::redact;
use outcrop_compactor::sessions::time::rfc3339;
use outcrop_compactor::transcript::Transcript;
use outcrop_compactor::turns;
use outcrop_loader::client::Client;
use outcrop_loader::host::DiskHost;
use outcrop_loader::memory::{self, Audit};
use outcrop_loader::session::Session;
use serde_json::Value;

use super::handoff_texts;
use super::transcripts::{FileSource, Listed, Projects, modified};

/// How many of the last sessions are read.
const SESSIONS: usize = 3;
/// How many bytes of transcripts are read at most: a start must not wait.
const BYTES: u64 = 8 << 20;
/// The largest memory file that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// What was read, and where it is.
pub(crate) struct Durable {
    pub(crate) sources: Sources,
    files: Vec<(String, PathBuf)>,
    transcripts: Vec<(String, Transcript<FileSource>)>,
}

impl Durable {
    /// Reads the sources of a project; without transcripts and handoffs where it is to be forged.
    pub(crate) fn read(session: &Session<'_>, projects: &Projects, now: i64, forge: bool) -> Self {
        let mut durable = Self {
            sources: Sources {
                now,
                project: session.cwd().to_string(),
                ..Sources::default()
            },
            files: Vec::new(),
            transcripts: Vec::new(),
        };
        durable.fact("project", session.cwd().as_str());
        let git = session.git();
        if let Some(branch) = git.and_then(|git| git.branch(&DiskHost::new())) {
            durable.fact("branch", &branch);
        }
        durable.read_memory(&memory::audit(session));
        if forge {
            return durable;
        }
        let config = PathBuf::from(session.origin().config().to_string());
        for (document, path) in handoff_texts::read(&config) {
            durable.add(document, path);
        }
        durable.read_sessions(projects, session.client());
        durable
    }

    fn fact(&mut self, name: &'static str, value: &str) {
        let value = redact(value).text.into_owned();
        self.sources.facts.push(Fact { name, value });
    }

    fn add(&mut self, document: Document, path: PathBuf) {
        self.files.push((document.name.clone(), path));
        self.sources.documents.push(document);
    }

    fn not_read(&mut self, name: &str, why: &str) {
        let text = format!("{name} was not read: {why}");
        self.sources.not_read.push(Reason::new("not-read", text));
    }

    /// Memory and how it is: a session relies on it.
    fn read_memory(&mut self, audit: &Audit) {
        if !audit.is_on {
            return self.fact("memory", "off");
        }
        let files = audit.topics.len();
        let mut health = format!(
            "{} of {} lines, {files} topic {}",
            audit.lines,
            memory::LINES,
            if files == 1 { "file" } else { "files" }
        );
        for (number, what) in [
            (audit.lost.len(), "lost behind the cut"),
            (audit.broken.len(), "leading nowhere"),
            (audit.unlinked.len(), "without a link"),
        ] {
            if number > 0 {
                health.push_str(&format!(", {number} {what}"));
            }
        }
        self.fact("memory", &health);
        let Some(folder) = audit.index.parent() else {
            return;
        };
        let index = audit.has_index.then(|| audit.index.file_name().to_owned());
        for name in index.into_iter().chain(audit.topics.iter().cloned()) {
            let path = PathBuf::from(folder.child(&name).to_string());
            let shown = format!("memory/{name}");
            match fs::metadata(&path) {
                Ok(metadata) if metadata.len() <= LARGEST && metadata.is_file() => {}
                Ok(_) => {
                    self.not_read(&shown, "it is too large");
                    continue;
                }
                Err(_) => continue,
            }
            let Ok(bytes) = fs::read(&path) else {
                self.not_read(&shown, "it cannot be read");
                continue;
            };
            let document = Document {
                kind: Kind::Memory,
                name: shown,
                time: modified(&path).unwrap_or_default(),
                text: String::from_utf8_lossy(&bytes).into_owned(),
            };
            self.add(document, path);
        }
    }

    fn read_sessions(&mut self, projects: &Projects, client: &Client) {
        let mut rest = BYTES;
        for (number, listed) in projects
            .sessions(false)
            .into_iter()
            .take(SESSIONS)
            .enumerate()
        {
            if listed.length > rest {
                self.not_read(
                    &format!("session {}", listed.id),
                    "with those before it, it is larger than 8 MiB",
                );
                continue;
            }
            rest -= listed.length;
            match self.read_session(&listed, client, number == 0) {
                Ok(()) => {}
                Err(error) => {
                    self.not_read(&format!("session {}", listed.id), &format!("{error:#}"));
                }
            }
        }
        let order = |thread: &Thread| std::cmp::Reverse(thread.time);
        self.sources.threads.sort_by_key(order);
    }

    fn read_session(&mut self, listed: &Listed, client: &Client, is_last: bool) -> Result<()> {
        let transcript = listed.open(true)?;
        let index = transcript.index();
        let resume = &client.behaviour.resume;
        let chain = Chain::of(&transcript, resume)?;
        let times = index.entries().iter().filter_map(|entry| entry.time);
        let ended = times.max().or(listed.modified).unwrap_or_default();
        let open = match chain.refused {
            Some(_) => None,
            None => {
                let turns = turns::of(index, &chain, resume);
                let resumed = Resumed::default();
                let talk = Conversation::of(&transcript, &chain, client, &resumed)?;
                Some(loss::open_items(&transcript, &turns, &talk.messages)?)
            }
        };
        if is_last {
            let ended = rfc3339(ended).unwrap_or_default();
            self.fact("last session", &format!("{}, ended {ended}", listed.id));
            let mode = open.as_ref().and_then(|open| open.permission_mode.as_ref());
            if let Some(mode) = mode {
                self.fact("permission mode", &format!("{} (at its end)", mode.mode));
            }
        }
        self.sources.threads.push(Thread {
            session: listed.id.clone(),
            time: ended,
            items: open.map(items).unwrap_or_default(),
        });
        self.transcripts.push((listed.id.clone(), transcript));
        Ok(())
    }

    /// The text at a place, read anew.
    pub(crate) fn reread(&self, source: &Source) -> Option<String> {
        match source {
            Source::File { file, line } => {
                let (_, path) = self.files.iter().find(|(name, _)| name == file)?;
                from_line(path, *line)
            }
            Source::Session { session, line, .. } => {
                let mut all = self.transcripts.iter();
                let (_, transcript) = all.find(|(id, _)| id == session)?;
                let mut entries = transcript.index().entries().iter();
                let entry = entries.find(|entry| entry.place.line == *line)?;
                let json = transcript.json(entry).ok()?;
                let mut text = String::new();
                each_text(&serde_json::from_str(&json).ok()?, &mut text);
                Some(text)
            }
        }
    }
}

fn items(open: OpenItems) -> Vec<Item> {
    let found = open.items.iter().filter_map(|finding| {
        let kind = match finding.what.kind {
            OpenKind::Request => ItemKind::Request,
            OpenKind::Todo => ItemKind::Todo,
            OpenKind::Task => ItemKind::Task,
            OpenKind::Plan => ItemKind::Plan,
            // A call that was broken off is no task.
            OpenKind::Call => return None,
        };
        Some(Item {
            kind,
            text: finding.what.text.clone(),
            status: finding.what.status.clone(),
            uuid: finding.place.uuid.clone(),
            line: finding.place.line?,
        })
    });
    found.collect()
}

/// A file's text from a line on.
fn from_line(path: &Path, line: u32) -> Option<String> {
    let text = String::from_utf8_lossy(&fs::read(path).ok()?).into_owned();
    let skipped = usize::try_from(line).ok()?.checked_sub(1)?;
    let from: usize = text.split_inclusive('\n').take(skipped).map(str::len).sum();
    (from < text.len()).then(|| text[from..].to_owned())
}

/// All texts of a JSON value, one below the other.
fn each_text(value: &Value, text: &mut String) {
    match value {
        Value::String(one) => {
            text.push_str(one);
            text.push('\n');
        }
        Value::Array(all) => all.iter().for_each(|one| each_text(one, text)),
        Value::Object(all) => all.values().for_each(|one| each_text(one, text)),
        _ => {}
    }
}
