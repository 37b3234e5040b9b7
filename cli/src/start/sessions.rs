//! Every session of a project with what lies beside it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use outcrop_compactor::chain::Chain;
use outcrop_compactor::sessions::{
    AgentFile, Found, Listing, Prompts, Survey, agents_of, is_folder_of, list, owner,
};
use outcrop_compactor::transcript::Index;
use outcrop_loader::client::Client;
use outcrop_loader::host::DiskHost;
use outcrop_loader::path::AbsPath;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::transcripts::{Projects, modified, open};

/// A session as a list has it.
pub(crate) struct Row {
    pub(crate) found: Found,
    /// When its transcript was written last, in milliseconds since 1970.
    pub(crate) modified: Option<i64>,
    /// What its transcript tells, or why it cannot be read.
    pub(crate) survey: Result<Survey, String>,
    pub(crate) persisted: Stored,
    /// What it asked, as the file of prompts has it.
    pub(crate) prompts: usize,
    /// Files as they were before the client changed them.
    pub(crate) checkpoints: Stored,
}

/// Files that the client deletes by their own time.
#[derive(Default)]
pub(crate) struct Stored {
    pub(crate) files: usize,
    pub(crate) bytes: u64,
    /// The time from which the first of them is kept, in milliseconds since 1970.
    pub(crate) oldest: Option<i64>,
}

/// All sessions that were asked for.
pub(crate) struct Surveyed {
    /// Newest first.
    pub(crate) rows: Vec<Row>,
    /// Files of sub-agents whose session is not there.
    pub(crate) strays: Vec<AgentFile>,
    /// Folders of sessions whose transcript is gone.
    pub(crate) orphans: Vec<AbsPath>,
}

/// Reads the sessions of this project, or of all.
pub(crate) fn survey(projects: &Projects, client: &Client, all: bool, quiet: bool) -> Surveyed {
    let Some(root) = projects.root().to_str().and_then(AbsPath::new) else {
        return Surveyed {
            rows: Vec::new(),
            strays: Vec::new(),
            orphans: Vec::new(),
        };
    };
    let wanted = |folder: &str| all || is_folder_of(folder, projects.directory());
    let mut listing = list(&DiskHost::new(), &root, wanted);
    let mut surveys = surveys(&listing, client, quiet);
    listing.put_under(|path| match surveys.get(path)? {
        Ok(survey) => survey.agent.clone(),
        Err(_) => None,
    });
    let config = projects.root().parent().unwrap_or(Path::new(""));
    let history = fs::read(config.join("history.jsonl")).unwrap_or_default();
    let history = Prompts::read(&history);
    let mut rows: Vec<Row> = Vec::with_capacity(listing.sessions.len());
    for found in listing.sessions {
        let Some(survey) = surveys.remove(&found.path) else {
            continue;
        };
        let persisted = found.persisted.iter().map(disk).collect::<Vec<_>>();
        let folder = config.join("file-history").join(&found.id);
        rows.push(Row {
            modified: modified(&disk(&found.path)),
            persisted: Stored::of(&persisted),
            prompts: history.of(&found.id),
            checkpoints: Stored::in_folder(&folder),
            survey,
            found,
        });
    }
    rows.sort_by(|a, b| {
        let newest = b.modified.cmp(&a.modified);
        newest.then_with(|| a.found.path.cmp(&b.found.path))
    });
    Surveyed {
        rows,
        strays: listing.beside,
        orphans: listing.orphans,
    }
}

type Surveys = FxHashMap<AbsPath, Result<Survey, String>>;

/// What each transcript tells; several are read at once.
fn surveys(listing: &Listing, client: &Client, quiet: bool) -> Surveys {
    let sessions = listing.sessions.iter().map(|found| &found.path);
    let paths: Vec<&AbsPath> = sessions
        .chain(listing.beside.iter().map(|file| &file.path))
        .collect();
    let progress = Progress::of(paths.len(), quiet);
    let read = paths.par_iter().map(|path| {
        let survey = one(path, client).map_err(|error| format!("{error:#}"));
        progress.show();
        ((*path).clone(), survey)
    });
    let surveys = read.collect();
    progress.end();
    surveys
}

fn one(path: &AbsPath, client: &Client) -> Result<Survey> {
    let transcript = open(&disk(path), true)?;
    let chain = Chain::of(&transcript, &client.behaviour.resume)?;
    Ok(Survey::of(&transcript, &chain, client)?)
}

/// The indexes of a session's sub-agents, by their ids: files below its own folder, and beside it
/// as older clients kept them. What cannot be read is left out.
pub(crate) fn agents(session: &Path, id: &str) -> Vec<(String, Index)> {
    let own = session.with_extension("");
    let own = own.to_str().and_then(AbsPath::new);
    let below = own
        .map(|own| agents_of(&DiskHost::new(), &own))
        .unwrap_or_default();
    let below: Vec<(String, PathBuf)> = below
        .into_iter()
        .map(|file| (file.agent, disk(&file.path)))
        .collect();
    let folder = session.parent().map(fs::read_dir).and_then(Result::ok);
    let mut beside: Vec<PathBuf> = folder
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or_default();
            name.starts_with("agent-") && name.ends_with(".jsonl") && path != session
        })
        .collect();
    beside.sort();
    let index = |path: &Path| Some(open(path, true).ok()?.into_index());
    let mut agents: Vec<(String, Index)> = below
        .into_par_iter()
        .filter_map(|(agent, path)| Some((agent, index(&path)?)))
        .collect();
    let others = beside.into_par_iter().filter_map(|path| {
        let index = index(&path)?;
        let owner = owner(&index).filter(|owner| owner.session == id)?;
        Some((owner.agent, index))
    });
    agents.extend(others.collect::<Vec<_>>());
    agents
}

impl Stored {
    fn of(paths: &[PathBuf]) -> Self {
        let mut stored = Self::default();
        for path in paths {
            stored.files += 1;
            stored.bytes += fs::metadata(path).map_or(0, |metadata| metadata.len());
            let time = modified(path);
            stored.oldest = match (stored.oldest, time) {
                (Some(oldest), Some(time)) => Some(oldest.min(time)),
                (oldest, time) => oldest.or(time),
            };
        }
        stored
    }

    /// A folder that is deleted whole, by its own time (fact I81).
    fn in_folder(folder: &Path) -> Self {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        Self {
            oldest: modified(folder),
            ..Self::of(&paths)
        }
    }
}

fn disk(path: &AbsPath) -> PathBuf {
    PathBuf::from(path.to_string())
}

/// How many files are read, in one line of a terminal that goes when it ends.
struct Progress {
    done: AtomicUsize,
    all: usize,
    wanted: bool,
}

/// Fewer files are read before a line could be seen.
const WORTH_SHOWING: usize = 100;

impl Progress {
    fn of(all: usize, quiet: bool) -> Self {
        use std::io::IsTerminal as _;
        Self {
            done: AtomicUsize::new(0),
            all,
            wanted: !quiet && all > WORTH_SHOWING && std::io::stderr().is_terminal(),
        }
    }

    fn show(&self) {
        use std::io::Write as _;
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.wanted && done.is_multiple_of(20) {
            let _ = write!(
                std::io::stderr(),
                "\rreading {done} of {} sessions",
                self.all
            );
        }
    }

    fn end(&self) {
        use std::io::Write as _;
        if self.wanted {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
