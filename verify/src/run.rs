//! One run of a client against a recorder.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use thiserror::Error;

use crate::process;
pub use crate::process::End;
use crate::recorder::{Recorder, Recording};
use crate::sandbox::{Namespace, Unavailable};
use crate::script::Script;

/// The key that the client is given. It opens nothing.
pub const KEY: &str = "sk-ant-dummy";
/// How much of what the client prints is kept, in bytes.
const PRINTED: usize = 64 * 1024;

/// How to start a client.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// The directory in which the session starts.
    pub cwd: PathBuf,
    /// The home folder that it sees.
    pub home: PathBuf,
    /// The prompt.
    pub prompt: String,
    /// Further arguments; [`URL`] in them stands for the recorder's address.
    pub args: Vec<String>,
    /// Variables beside [`environment`]; they win.
    pub env: BTreeMap<String, String>,
    /// What it sees of the disk.
    pub view: Namespace,
    /// What is answered to it.
    pub script: Script,
    /// How long it may take.
    pub limit: Duration,
}

/// Tools that the client reminds of when they are not used for some turns, in the text of what a
/// read brings; without them it does not.
const REMINDED: &str = "--disallowedTools=TaskCreate,TaskUpdate,TodoWrite";

/// Stands for the recorder's address in [`Launch::args`].
pub const URL: &str = "{recorder}";

/// What a run gave.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was sent.
    pub recording: Recording,
    /// How the client ended.
    pub end: End,
    /// The first part of what it printed.
    pub stdout: String,
    /// The same of its errors.
    pub stderr: String,
}

/// Why a client could not be run.
#[derive(Debug, Error)]
pub enum RunError {
    /// The recorder or a temporary folder could not be made.
    #[error("the run cannot be prepared: {0}")]
    Prepare(#[source] io::Error),
    /// The view of the disk cannot be had.
    #[error(transparent)]
    View(#[from] Unavailable),
    /// The program does not start.
    #[error("{} does not start: {error}", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
}

/// The variables that every run is given: the recorder as service and as proxy of every other
/// address, and everything off that would ask for one. Public documentation of the client.
#[must_use]
pub fn environment(url: &str) -> BTreeMap<String, String> {
    let mut variables: BTreeMap<String, String> = BTreeMap::new();
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        variables.insert(name.to_owned(), url.to_owned());
        variables.insert(name.to_ascii_lowercase(), url.to_owned());
    }
    let fixed = [
        ("ANTHROPIC_BASE_URL", url),
        ("ANTHROPIC_API_KEY", KEY),
        ("NO_PROXY", "127.0.0.1"),
        ("no_proxy", "127.0.0.1"),
        ("DISABLE_TELEMETRY", "1"),
        ("DISABLE_ERROR_REPORTING", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("LANG", "C.UTF-8"),
        ("TERM", "dumb"),
    ];
    for (name, value) in fixed {
        variables.insert(name.to_owned(), value.to_owned());
    }
    variables
}

impl Launch {
    /// The client's own command line, without what makes its view of the disk.
    #[must_use]
    pub fn command_line(&self, url: &str) -> Vec<String> {
        let program = self.program.to_string_lossy().into_owned();
        let mut words = vec![program, "-p".to_owned(), self.prompt.clone()];
        if !self.script.answers().is_empty() {
            words.push(REMINDED.to_owned());
        }
        words.extend(self.args.iter().map(|arg| arg.replace(URL, url)));
        words
    }

    /// All variables that it is given.
    #[must_use]
    pub fn variables(&self, url: &str) -> BTreeMap<String, String> {
        let mut variables = environment(url);
        variables.insert("HOME".to_owned(), self.home.to_string_lossy().into_owned());
        variables.extend(self.env.clone());
        variables
    }

    /// Runs the client and waits for its end.
    ///
    /// # Errors
    /// [`RunError`] when it does not start; how it ends is no error here.
    pub fn run(&self) -> Result<Outcome, RunError> {
        let scratch = tempfile::Builder::new().prefix("outcrop-").tempdir();
        let scratch = scratch.map_err(RunError::Prepare)?;
        let path = |name: &str| scratch.path().join(name);
        for folder in ["tmp", "view"] {
            fs::create_dir(path(folder)).map_err(RunError::Prepare)?;
        }
        let recorder = Recorder::start(self.script.clone()).map_err(RunError::Prepare)?;
        let url = recorder.url();
        let mut words = self.command_line(&url);
        if !self.view.is_empty() {
            let mut prefix = self.view.prefix(&path("view"), &self.cwd)?;
            prefix.append(&mut words);
            words = prefix;
        }
        let (stdout, stderr) = (path("stdout"), path("stderr"));
        let mut command = Command::new(&words[0]);
        command
            .args(&words[1..])
            .current_dir(&self.cwd)
            .env_clear()
            .env("TMPDIR", path("tmp"))
            .env("CLAUDE_CODE_TMPDIR", path("tmp"))
            .envs(self.variables(&url))
            .stdin(Stdio::null())
            .stdout(File::create(&stdout).map_err(RunError::Prepare)?)
            .stderr(File::create(&stderr).map_err(RunError::Prepare)?);
        process::in_own_group(&mut command);
        let start = |error| RunError::Start {
            program: self.program.clone(),
            error,
        };
        let mut child = command.spawn().map_err(start)?;
        let end = process::wait(&mut child, self.limit);
        let recording = recorder.finish();
        Ok(Outcome {
            recording,
            end,
            stdout: printed(&stdout),
            stderr: printed(&stderr),
        })
    }
}

fn printed(file: &Path) -> String {
    let bytes = fs::read(file).unwrap_or_default();
    let kept = &bytes[..bytes.len().min(PRINTED)];
    String::from_utf8_lossy(kept).trim().to_owned()
}
