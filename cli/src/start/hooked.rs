//! What the client hands to a hook, and where that session is.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use outcrop_compactor::sessions::folder_of;
use outcrop_loader::host::{DiskHost, Host as _, Kind};
use outcrop_loader::path::AbsPath;
use serde::Deserialize;

use super::transcripts::Projects;
use super::{Place, folders};
use crate::args::Global;

/// More than an event can have, in bytes.
const EVENT: u64 = 4 << 20;
/// The longest id of a session.
const ID: usize = 64;

/// An event of the client (fact 61).
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Event {
    hook_event_name: Option<String>,
    session_id: Option<String>,
    pub(crate) transcript_path: Option<PathBuf>,
    cwd: Option<String>,
    pub(crate) prompt: Option<String>,
}

impl Event {
    /// Reads one of these events from standard input.
    pub(crate) fn read(names: &[&str], end: Instant) -> Result<Self> {
        let text = standard_input(end)?;
        let event: Self = serde_json::from_str(&text).context("standard input is no event")?;
        match event.hook_event_name.as_deref() {
            Some(name) if names.contains(&name) => Ok(event),
            Some(name) => bail!("the event is {name}, not {}", names.join(" or ")),
            None => bail!("the event has no hook_event_name"),
        }
    }

    /// The session's id, which becomes part of names.
    pub(crate) fn session(&self) -> Result<&str> {
        let id = self.session_id.as_deref();
        let id = id.context("the event has no session_id")?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if id.is_empty() || id.len() > ID || !id.chars().all(is_plain) {
            bail!("the event's session_id is no id");
        }
        Ok(id)
    }
}

/// What stands on standard input. One that is never closed is not waited for.
pub(crate) fn standard_input(end: Instant) -> Result<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut text = String::new();
        let read = io::stdin().take(EVENT).read_to_string(&mut text);
        let _ = sender.send(read.map(|_| text));
    });
    match receiver.recv_timeout(end.saturating_duration_since(Instant::now())) {
        Ok(text) => text.context("standard input"),
        Err(_) => bail!("standard input brings no event"),
    }
}

/// Where a session is.
pub(crate) struct Here {
    pub(crate) place: Place,
    /// The directory in which it was started.
    pub(crate) directory: AbsPath,
    /// Outcrop's own folder.
    state: PathBuf,
    /// The client's.
    config: PathBuf,
}

impl Here {
    pub(crate) fn of(global: &Global, event: &Event) -> Result<Self> {
        let place = Place::new(global)?;
        let host = DiskHost::new();
        let is_there = |path: &AbsPath| {
            let kind = host.metadata(path).map(|metadata| metadata.kind);
            matches!(kind, Ok(Kind::Directory))
        };
        // The client tells hooks where the session was started; `cwd` is where it went since.
        let started = std::env::var("CLAUDE_PROJECT_DIR").ok();
        let named = started.as_deref().into_iter().chain(event.cwd.as_deref());
        let mut named = named.filter_map(AbsPath::new);
        let directory = named.find(is_there);
        let directory = directory.unwrap_or_else(|| place.base(&host));
        let projects = Projects::new(global, &place)?;
        let config = projects.root().parent().unwrap_or(Path::new(""));
        Ok(Self {
            state: folders::state(global)?,
            config: config.to_owned(),
            place,
            directory,
        })
    }

    /// The folder of handoffs.
    pub(crate) fn handoffs(&self) -> PathBuf {
        self.config.join("handoffs")
    }

    /// The instincts of the project.
    pub(crate) fn instincts(&self) -> PathBuf {
        self.of_project("instincts")
    }

    /// Which session wrote which handoff.
    pub(crate) fn written(&self) -> PathBuf {
        self.of_project("hooks")
    }

    /// Whether the project has a memory index, where its folder is that of the directory.
    pub(crate) fn has_memory(&self) -> bool {
        let project = folder_of(self.directory.as_str());
        let memory = self.config.join("projects").join(project).join("memory");
        memory.join("MEMORY.md").is_file()
    }

    fn of_project(&self, folder: &str) -> PathBuf {
        let name = format!("{}.json", folder_of(self.directory.as_str()));
        self.state.join(folder).join(name)
    }
}
