//! One run in a world made for it, and what it shows.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use outcrop_loader::memory::folder_name;
use outcrop_loader::origin::Platform;
use serde_json::Value;
use tempfile::TempDir;
use thiserror::Error;

use super::{Block, BlockKind, CWD, DATE, HOME, Own, PROJECT, Profile, SCHEMA, Tool};
use crate::recorder::Request;
use crate::run::{Launch, Outcome, RunError};
use crate::sandbox::Namespace;
use crate::script::Script;
use crate::sent::{Framing, Sent, Unknown, blocks_of};

/// The prompt of the run.
const PROMPT: &str = "outcrop learns";
/// A text in each place that gives a layer.
const FILES: [(&str, &str); 4] = [
    ("home/.claude/CLAUDE.md", "user\n"),
    ("project/CLAUDE.md", "project\n"),
    ("project/CLAUDE.local.md", "local\n"),
    ("managed/CLAUDE.md", "managed\n"),
];
/// What makes its project a repository.
const GIT_FILES: [(&str, &str); 2] = [
    ("project/.git/HEAD", "ref: refs/heads/main\n"),
    (
        "project/.git/config",
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
    ),
];
/// Where old clients put the state of the repository into the system prompt (fact 0.7).
const GIT_STATE: &str = "\n\ngitStatus: ";

/// A text of the system prompt without the state of the repository that old clients put there.
#[must_use]
pub fn without_git_state(text: &str) -> &str {
    text.split(GIT_STATE).next().unwrap_or_default()
}

/// Why nothing could be learned.
#[derive(Debug, Error)]
pub enum LearnError {
    /// The folder of the run cannot be made.
    #[error("the world of the run cannot be made: {0}")]
    World(#[from] io::Error),
    /// The client cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// What it sent is not understood.
    #[error(transparent)]
    Unknown(#[from] Unknown),
    /// The client sent no instruction text, or does not name its version.
    #[error("the client sent no instruction text, or does not name its version: {0}")]
    Nothing(String),
}

/// Learns what a client adds, from one run outside a repository and one in it. `env` are the
/// variables it needs, such as `PATH`.
///
/// # Errors
/// [`LearnError`].
pub fn learn(
    program: &Path,
    env: &BTreeMap<String, String>,
    limit: Duration,
) -> Result<Profile, LearnError> {
    let world = World::new()?;
    let elsewhere = world.run(program, env, limit)?;
    world.make_repository()?;
    let repository = world.run(program, env, limit)?;
    of_outcomes(
        &repository,
        &elsewhere,
        &world.cwd.to_string_lossy(),
        &world.home.to_string_lossy(),
    )
}

/// The world of the runs.
struct World {
    // Held for its end.
    _folder: TempDir,
    root: PathBuf,
    home: PathBuf,
    cwd: PathBuf,
}

impl World {
    fn new() -> io::Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix("outcrop-learn-")
            .tempdir()?;
        let root = fs::canonicalize(folder.path())?;
        let (home, cwd) = (root.join("home"), root.join("project"));
        let memory = folder_name(&cwd.to_string_lossy());
        let memory = format!("home/.claude/projects/{memory}/memory/MEMORY.md");
        for (path, text) in FILES.into_iter().chain([(memory.as_str(), "memory\n")]) {
            write(&root.join(path), text)?;
        }
        Ok(Self {
            _folder: folder,
            root,
            home,
            cwd,
        })
    }

    fn make_repository(&self) -> io::Result<()> {
        for (path, text) in GIT_FILES {
            write(&self.root.join(path), text)?;
        }
        for path in ["project/.git/objects", "project/.git/refs/heads"] {
            fs::create_dir_all(self.root.join(path))?;
        }
        Ok(())
    }

    fn run(
        &self,
        program: &Path,
        env: &BTreeMap<String, String>,
        limit: Duration,
    ) -> Result<Outcome, RunError> {
        let managed = PathBuf::from(Platform::current().managed_folder());
        let view = match Namespace::available() {
            Ok(()) => Namespace {
                managed: Some((self.root.join("managed"), managed)),
                ..Namespace::default()
            },
            // The label of managed files then stays unknown.
            Err(_) => Namespace::default(),
        };
        let launch = Launch {
            program: program.to_owned(),
            cwd: self.cwd.clone(),
            home: self.home.clone(),
            prompt: PROMPT.to_owned(),
            args: Vec::new(),
            env: env.clone(),
            view,
            script: Script::default(),
            limit,
        };
        launch.run()
    }
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    fs::write(path, text)
}

/// What the outcomes of such runs show.
pub(super) fn of_outcomes(
    repository: &Outcome,
    elsewhere: &Outcome,
    cwd: &str,
    home: &str,
) -> Result<Profile, LearnError> {
    let sent = Sent::of(&repository.recording)?;
    let nothing = || LearnError::Nothing(repository.stderr.clone());
    let first = repository.recording.turns().next().ok_or_else(nothing)?;
    let outside = elsewhere.recording.turns().next().ok_or_else(nothing)?;
    let (framing, version) = sent.framing.zip(sent.version).ok_or_else(nothing)?;
    let template = |text: &str| template(text, cwd, home);
    let own = |request: &Request| {
        let system =
            blocks_of(&request.body["system"]).map(|text| template(without_git_state(text)));
        Own {
            blocks: blocks(request, &framing.before, &template),
            system: system.collect(),
        }
    };
    let tools = first.body["tools"].as_array().into_iter().flatten();
    Ok(Profile {
        schema: SCHEMA.to_owned(),
        client: version.to_string(),
        model: first.body["model"].as_str().unwrap_or_default().to_owned(),
        repository: own(first),
        elsewhere: own(outside),
        tools: tools
            .map(|tool| Tool {
                name: tool["name"].as_str().unwrap_or_default().to_owned(),
                text: tool.to_string(),
            })
            .collect(),
        notices: Vec::new(),
        framing: Framing {
            after: template(&framing.after),
            ..framing
        },
    })
}

fn blocks(first: &Request, before: &str, template: &dyn Fn(&str) -> String) -> Vec<Block> {
    let messages = first.body["messages"].as_array().into_iter().flatten();
    let role = |message: &Value| message["role"].as_str().unwrap_or_default().to_owned();
    let mut list = Vec::new();
    for message in messages {
        for text in blocks_of(&message["content"]) {
            let (kind, text) = if text.starts_with(before) {
                (BlockKind::Instructions, String::new())
            } else if text.trim() == PROMPT {
                (BlockKind::Prompt, String::new())
            } else if text.contains("\n# gitStatus\n") {
                (BlockKind::Git, String::new())
            } else {
                (BlockKind::Client, template(text))
            };
            let role = role(message);
            list.push(Block { kind, role, text });
        }
    }
    list
}

/// A text with the places and dates of the run taken out.
fn template(text: &str, cwd: &str, home: &str) -> String {
    let text = text.replace(&folder_name(cwd), PROJECT);
    without_dates(&text.replace(cwd, CWD).replace(home, HOME))
}

/// A text with each date of this century as [`DATE`].
#[must_use]
pub fn without_dates(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("20") {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = if is_date(rest) { DATE.len() } else { 2 };
        plain.push_str(if length == 2 { &rest[..2] } else { DATE });
        rest = &rest[length..];
    }
    plain + rest
}

/// Whether a text begins with `20YY-MM-DD`.
fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= DATE.len()
        && DATE.bytes().zip(bytes).all(|(form, byte)| match form {
            b'-' => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}
