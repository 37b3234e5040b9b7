//! From what was typed to a session: where the world is, which client, what happens in it.

pub(crate) mod baseline;
mod cache;
pub(crate) mod clock;
pub(crate) mod cold;
pub(crate) mod configured;
mod counts;
pub(crate) mod durable;
pub(crate) mod editor;
pub(crate) mod fixing;
pub(crate) mod folders;
pub(crate) mod git;
mod handoff_texts;
pub(crate) mod handoffs;
pub(crate) mod hooked;
mod installed;
pub(crate) mod journal;
mod learned;
pub(crate) mod linting;
pub(crate) mod loaded_log;
pub(crate) mod replaced;
pub(crate) mod repository;
pub(crate) mod resumed;
pub(crate) mod retention;
pub(crate) mod revision;
pub(crate) mod run_hooks;
pub(crate) mod sessions;
mod sizes;
pub(crate) mod transcripts;
mod whole;

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use outcrop_loader::client::{Client, Version};
use outcrop_loader::host::{DiskHost, Host, Kind};
use outcrop_loader::origin::{Origin, Platform, SettingSources, SettingsFlag, VARIABLES};
use outcrop_loader::path::AbsPath;
use outcrop_loader::request::ModelChoice;
use outcrop_loader::session::{Session, ToolCall};
use outcrop_loader::tokens::{Family, Model};
use outcrop_verify::Profile;

use crate::args::{ClientFlags, Counting, Events, Global};
use crate::render::Output;

pub(crate) use counts::{tally, tokenizer};
pub(crate) use installed::Program;
pub(crate) use learned::Learned;
pub(crate) use sizes::{Sizes, size_of, total};
pub(crate) use whole::Whole;

/// The model whose tokens a command counts that needs nothing else of what `verify` learned.
pub(crate) fn model_of(
    global: &Global,
    counting: &Counting,
    session: &Session<'_>,
    output: &mut Output,
) -> Result<Model> {
    let profile = match counting.tokenizer {
        Some(_) => None,
        None => Learned::new(global).of(session.client().version).0,
    };
    model(counting, session, profile.as_ref(), output)
}

/// The model whose tokens are counted: the one that was asked for, else that of the session if
/// somebody chose it, else the one that `verify` saw, else the newest.
pub(crate) fn model(
    counting: &Counting,
    session: &Session<'_>,
    profile: Option<&Profile>,
    output: &mut Output,
) -> Result<Model> {
    let chosen = session.model();
    let chosen = (chosen.choice != ModelChoice::Default).then_some(chosen.facts.name);
    let named = counting.tokenizer.as_deref().or(chosen.as_deref());
    let Some(name) = named.or(profile.map(|profile| profile.model.as_str())) else {
        return Ok(Model::plain(Family::NEWEST));
    };
    let (model, note) = tokenizer(name);
    output.diagnostics(note.as_slice())?;
    Ok(model)
}

/// Where things are, by what was typed and what the process knows.
pub(crate) struct Place {
    base: AbsPath,
    home: AbsPath,
}

impl Place {
    pub(crate) fn new(global: &Global) -> Result<Self> {
        let current = std::env::current_dir().context("the current directory cannot be found")?;
        let current = absolute(&current)?;
        let base = match &global.cwd {
            Some(dir) => under(&current, dir)?,
            None => current,
        };
        let home = match &global.home {
            Some(dir) => under(&base, dir)?,
            None => {
                let home = std::env::home_dir();
                let home = home.context("the home directory is not known; give it with --home")?;
                absolute(&home)?
            }
        };
        Ok(Self { base, home })
    }

    /// The user's home folder.
    pub(crate) fn home(&self) -> &AbsPath {
        &self.home
    }

    /// Where relative paths start, links resolved.
    pub(crate) fn base(&self, host: &DiskHost) -> AbsPath {
        host.canonicalize(&self.base)
            .unwrap_or_else(|_| self.base.clone())
    }

    /// A path as typed, from where relative paths start.
    pub(crate) fn path(&self, typed: &Path) -> Result<AbsPath> {
        under(&self.base, typed)
    }

    /// Starts a session in `dir` and lets the events happen.
    pub(crate) fn session<'h>(
        &self,
        host: &'h DiskHost,
        global: &Global,
        flags: &ClientFlags,
        dir: &Path,
        events: &Events,
    ) -> Result<Session<'h>> {
        let origin = self.origin(host, global, client(global)?, flags, dir)?;
        let happening = self.happening(host, &origin, events)?;
        Ok(happening.session(host, origin))
    }

    /// What happens in a session that starts at `origin`.
    pub(crate) fn happening(
        &self,
        host: &DiskHost,
        origin: &Origin,
        events: &Events,
    ) -> Result<Happening> {
        let steps = match &events.steps {
            Some(file) => read_steps(file)?,
            None => Vec::new(),
        };
        let cwd = host.canonicalize(&origin.cwd);
        let cwd = cwd.unwrap_or_else(|_| origin.cwd.clone());
        let reads = events.read.iter();
        Ok(Happening {
            prompt: events.prompt.clone(),
            reads: reads
                .map(|file| self.read_path(host, &cwd, file))
                .collect::<Result<_>>()?,
            steps,
        })
    }

    /// A file to read. One that is nowhere counts as one of the session's directory.
    fn read_path(&self, host: &DiskHost, cwd: &AbsPath, typed: &Path) -> Result<AbsPath> {
        let path = self.of_session(host, cwd, typed)?;
        if host.metadata(&path).is_ok() {
            return Ok(path);
        }
        under(cwd, typed)
    }

    /// A path of the session as the client takes it, from the session's directory, or else
    /// from where the user stands.
    fn of_session(&self, host: &DiskHost, cwd: &AbsPath, typed: &Path) -> Result<AbsPath> {
        let of_session = under(cwd, typed)?;
        if host.metadata(&of_session).is_ok() {
            return Ok(of_session);
        }
        self.path(typed)
    }

    /// Where a session in `dir` starts.
    pub(crate) fn origin(
        &self,
        host: &DiskHost,
        global: &Global,
        client: Client,
        flags: &ClientFlags,
        dir: &Path,
    ) -> Result<Origin> {
        let cwd = self.path(dir)?;
        match host.metadata(&cwd) {
            Ok(meta) if meta.kind == Kind::Directory => {}
            Ok(_) => {
                bail!("{cwd} is not a directory; give the directory in which the session starts")
            }
            Err(error) => bail!("{cwd} {error}"),
        }
        let mut origin = Origin::new(cwd.clone(), self.home.clone());
        origin.client = client;
        origin.platform = Platform::current();
        origin.env = environment();
        origin.config_dir = match (&global.config_dir, origin.env.get("CLAUDE_CONFIG_DIR")) {
            (Some(dir), _) => Some(self.path(dir)?),
            (None, Some(dir)) if !dir.is_empty() => Some(cwd.join(dir)),
            _ => None,
        };
        if let Some(dir) = &global.managed {
            origin.managed = self.path(dir)?;
        }
        let real = host.canonicalize(&cwd).unwrap_or(cwd);
        for dir in &flags.add_dir {
            let directory = self.of_session(host, &real, dir)?;
            match dir.to_str() {
                Some(written) if real.join(written) == directory => origin.add_directory(written),
                _ => origin.add_dirs.push(directory),
            }
        }
        if let Some(list) = &flags.setting_sources {
            let sources = SettingSources::parse(list).map_err(|name| {
                anyhow::anyhow!("--setting-sources: `{name}` is none of user, project and local")
            })?;
            origin.sources = sources;
        }
        origin.settings = match &flags.settings {
            Some(text) if text.trim_start().starts_with('{') => {
                Some(SettingsFlag::Text(text.clone()))
            }
            Some(file) => {
                let file = self.of_session(host, &real, Path::new(file))?;
                Some(SettingsFlag::File(file))
            }
            None => None,
        };
        origin.bare = flags.bare;
        origin.flags = flags.flags();
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        origin.now = now.ok().and_then(|now| u64::try_from(now.as_millis()).ok());
        Ok(origin)
    }
}

/// What happens in a session, in order.
pub(crate) struct Happening {
    pub(crate) prompt: Option<String>,
    pub(crate) reads: Vec<AbsPath>,
    pub(crate) steps: Vec<ToolCall>,
}

impl Happening {
    /// The session in which all of it has happened.
    pub(crate) fn session<'h>(&self, host: &'h dyn Host, origin: Origin) -> Session<'h> {
        let mut session = Session::start(host, origin);
        if let Some(prompt) = &self.prompt {
            session.prompt(prompt);
        }
        for path in &self.reads {
            session.read(path);
        }
        for step in &self.steps {
            session.call(step);
        }
        session
    }
}

/// The client to model. `auto` never touches the network.
pub(crate) fn client(global: &Global) -> Result<Client> {
    let version = if global.client == "auto" {
        Program::on_path()
            .and_then(|program| program.version())
            .unwrap_or(Version::NEWEST)
    } else {
        global.client.parse().context("--client")?
    };
    Ok(Client::of(version)?)
}

/// The variables that decide what the client loads.
fn environment() -> BTreeMap<String, String> {
    let named = |name: &&str| Some(((*name).to_owned(), std::env::var(name).ok()?));
    VARIABLES.iter().filter_map(named).collect()
}

fn read_steps(file: &Path) -> Result<Vec<ToolCall>> {
    let name = file.display();
    let mut text = String::new();
    if file == Path::new("-") {
        std::io::stdin()
            .read_to_string(&mut text)
            .context("--steps: standard input")?;
    } else {
        text = fs::read_to_string(file).with_context(|| format!("--steps {name}"))?;
    }
    serde_json::from_str(&text).with_context(|| {
        format!("--steps {name}: expected a list of {{\"tool\": …, \"input\": {{…}}}}")
    })
}

fn under(base: &AbsPath, typed: &Path) -> Result<AbsPath> {
    let text = typed.to_str().with_context(|| {
        format!(
            "{} is not UTF-8, and the client cannot name it",
            typed.display()
        )
    })?;
    Ok(match text.strip_prefix("~/") {
        // A shell expands this; a quoted one reaches us.
        Some(rest) if std::env::home_dir().is_some() => {
            absolute(&std::env::home_dir().unwrap_or_default())?.join(rest)
        }
        _ => base.join(&text.replace(std::path::MAIN_SEPARATOR, "/")),
    })
}

fn absolute(path: &Path) -> Result<AbsPath> {
    let text = path.to_str();
    let found = text.and_then(AbsPath::new);
    found.with_context(|| format!("{} is not an absolute path in UTF-8", path.display()))
}
