//! From a session to a run that changes nothing and asks for nothing elsewhere.

mod quiet;

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use outcrop_loader::host::Host;
use outcrop_loader::origin::Origin;
use outcrop_loader::path::AbsPath;
use outcrop_loader::session::{Session, ToolCall};
use serde::Serialize;
use thiserror::Error;

use crate::run::Launch;
use crate::sandbox::{Mirror, Namespace, Unavailable};
use crate::script::Script;
use crate::view::View;

/// The prompt of a run that needs none of its own.
pub const PROMPT: &str = "outcrop verifies";

/// How what belongs to the user is kept as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// A private mount namespace: paths as they are, changes thrown away.
    Namespace,
    /// A temporary home folder: paths below home differ, and what a walk meets of the real one
    /// counts as any folder.
    Mirror,
}

/// What is asked of a run beside the session.
#[derive(Clone, Debug)]
pub struct Wishes {
    /// The program.
    pub program: PathBuf,
    /// The prompt; its mentions count as reads.
    pub prompt: Option<String>,
    /// The calls that the client is told to make.
    pub calls: Vec<ToolCall>,
    /// The client's own flags but `--settings`, as they are typed.
    pub flags: Vec<String>,
    /// Lets hooks, MCP servers and plugins run.
    pub with_hooks: bool,
    /// The isolation, where it is not left to what the system allows.
    pub isolation: Option<Isolation>,
    /// Variables that the client needs, such as `PATH`.
    pub env: BTreeMap<String, String>,
    /// How long it may take.
    pub limit: Duration,
}

/// Why there can be no such run.
#[derive(Debug, Error)]
pub enum PlanError {
    /// The isolation that was asked for cannot be had.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
    /// Managed files can only be replaced in a namespace.
    #[error("another folder for managed files needs a private mount namespace: {0}")]
    Managed(#[source] Unavailable),
    /// The temporary home folder cannot be made.
    #[error("a temporary home folder cannot be made: {0}")]
    Mirror(#[from] io::Error),
    /// Settings that nothing overrides would send the client elsewhere.
    #[error(
        "{file} sets {name}, which a run cannot override: the client would talk to another \
         address than the recorder"
    )]
    Elsewhere {
        /// The managed settings file.
        file: AbsPath,
        /// The variable or key.
        name: String,
    },
}

/// A run that is ready to start.
#[derive(Debug)]
pub struct Plan {
    /// How the client is started.
    pub launch: Launch,
    /// How the user's files are kept.
    pub isolation: Isolation,
    /// Where the session starts in the client's view: its home differs in a mirror.
    pub origin: Origin,
    /// What the user should know.
    pub notes: Vec<String>,
    /// The folder that stands in the place of the managed one.
    managed: Option<AbsPath>,
    /// Held until the plan is dropped.
    mirror: Option<Mirror>,
}

impl Plan {
    /// Plans a run of the session that `predicted` predicts.
    ///
    /// # Errors
    /// [`PlanError`].
    pub fn new(
        host: &dyn Host,
        predicted: &Session<'_>,
        wishes: Wishes,
    ) -> Result<Self, PlanError> {
        let origin = predicted.origin();
        let mut notes = Vec::new();
        let available = Namespace::available();
        let isolation = match wishes.isolation {
            Some(isolation) => isolation,
            None if available.is_ok() => Isolation::Namespace,
            None => Isolation::Mirror,
        };
        let place = origin.home.join(origin.platform.managed_folder());
        let managed = (origin.managed != place).then(|| origin.managed.clone());
        if let (Some(_), Err(error)) = (&managed, &available) {
            return Err(PlanError::Managed(error.clone()));
        }
        let mut env = wishes.env;
        env.extend(origin.env.clone());
        let (mut view, mut origin, mut mirror) = (Namespace::default(), origin.clone(), None);
        match isolation {
            Isolation::Namespace => {
                available?;
                view.discard = discarded(predicted);
                view.hide = vec![disk(&origin.config().child(".credentials.json"))];
            }
            Isolation::Mirror => {
                let made = mirrored(predicted)?;
                if predicted.cwd().is_within(&origin.home) {
                    notes.push(format!(
                        "verified with a temporary home folder: the client meets {} on its walk \
                         as it would any folder",
                        origin.config()
                    ));
                }
                origin = made.origin(origin);
                mirror = Some(made);
            }
        }
        view.managed = managed.as_ref().map(|folder| (disk(folder), disk(&place)));
        origin.managed = place;
        if let Some(config) = &origin.config_dir {
            env.insert("CLAUDE_CONFIG_DIR".to_owned(), config.to_string());
        }
        let quiet = quiet::Quiet::new(host, predicted, wishes.with_hooks)?;
        notes.extend(quiet.notes);
        let mut args = wishes.flags;
        args.extend(quiet.args);
        let launch = Launch {
            program: wishes.program,
            cwd: disk(predicted.cwd()),
            home: disk(&origin.home),
            prompt: wishes.prompt.unwrap_or_else(|| PROMPT.to_owned()),
            args,
            env,
            view,
            script: Script::of_calls(wishes.calls),
            limit: wishes.limit,
        };
        Ok(Self {
            launch,
            isolation,
            origin,
            notes,
            managed,
            mirror,
        })
    }

    /// The disk as the client sees it, for a prediction from [`Plan::origin`].
    #[must_use]
    pub fn host<'h>(&self, disk: &'h dyn Host) -> View<'h> {
        match &self.managed {
            Some(folder) => View::new(disk, folder, self.origin.managed.clone()),
            None => View::plain(disk),
        }
    }

    /// A path of the client's view as the user knows it.
    #[must_use]
    pub fn real_path(&self, name: &str, home: &AbsPath) -> String {
        let mirror = self
            .mirror
            .as_ref()
            .and_then(|mirror| mirror.home().to_str());
        let moved = [
            (mirror.and_then(AbsPath::new), Some(home)),
            (Some(self.origin.managed.clone()), self.managed.as_ref()),
        ];
        let path = AbsPath::new(name);
        let found = moved.into_iter().find_map(|(from, to)| {
            let below = path.as_ref()?.below(from.as_ref()?)?.to_owned();
            Some(to?.join(&below))
        });
        found.map_or_else(|| name.to_owned(), |real| real.to_string())
    }
}

fn disk(path: &AbsPath) -> PathBuf {
    PathBuf::from(path.as_str())
}

/// The folders that a client might write into: home, the configuration folder, the project.
fn discarded(session: &Session<'_>) -> Vec<PathBuf> {
    let origin = session.origin();
    let project = session.git().map_or(session.cwd(), |git| &git.root);
    let mut folders: Vec<AbsPath> = Vec::new();
    let wanted = [&origin.home, &origin.config(), project, session.cwd()];
    for folder in wanted.into_iter().chain(&origin.add_dirs) {
        let is_known = folders.iter().any(|known| folder.is_within(known));
        if !is_known && !folder.is_root() {
            folders.retain(|known| !known.is_within(folder));
            folders.push(folder.clone());
        }
    }
    folders.iter().map(disk).collect()
}

fn mirrored(session: &Session<'_>) -> Result<Mirror, PlanError> {
    let origin = session.origin();
    let deliveries = session.deliveries().iter();
    let wanted = deliveries.flat_map(|delivery| {
        let layers = delivery.layers.iter().map(|layer| &layer.path);
        layers.chain(delivery.skipped.iter().map(|skip| &skip.path))
    });
    let wanted: Vec<PathBuf> = wanted.map(disk).collect();
    let project = session
        .git()
        .map_or(session.cwd(), |git| &git.main_checkout);
    let memory = outcrop_loader::memory::index_file(origin, session.settings(), project);
    let memory = memory.parent().map(|folder| disk(&folder));
    let mirror = Mirror::new(
        &disk(&origin.home),
        &disk(&origin.config()),
        &disk(&origin.state_file()),
        memory.as_deref(),
        &wanted,
    )?;
    Ok(mirror)
}
