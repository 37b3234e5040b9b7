//! Where a session starts: everything but the file tree that decides its context.

mod command_line;

use std::collections::BTreeMap;

use crate::client::Client;
use crate::path::AbsPath;

pub use command_line::Flags;

/// The operating system whose path forms and default places hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// Observed.
    Linux,
    /// Documented.
    MacOs,
    /// Documented.
    Windows,
}

impl Platform {
    /// The platform of this build.
    #[must_use]
    pub const fn current() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::MacOs
        } else {
            Self::Linux
        }
    }

    /// The folder of managed settings and instructions. Linux is observed; the others are what
    /// the client's public documentation says.
    #[must_use]
    pub const fn managed_folder(self) -> &'static str {
        match self {
            Self::Linux => "/etc/claude-code",
            Self::MacOs => "/Library/Application Support/ClaudeCode",
            Self::Windows => "C:/Program Files/ClaudeCode",
        }
    }
}

/// The value of `--settings`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsFlag {
    /// JSON text given as the value itself.
    Text(String),
    /// A file.
    File(AbsPath),
}

/// The kinds of settings that `--setting-sources` chooses among.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SettingSources {
    /// User settings, user file and user rules.
    pub user: bool,
    /// Project settings, project files and rules.
    pub project: bool,
    /// Local settings and `CLAUDE.local.md`.
    pub local: bool,
}

impl SettingSources {
    /// All of them: the client's default.
    pub const ALL: Self = Self {
        user: true,
        project: true,
        local: true,
    };

    /// Reads the flag's value: names separated by commas; empty chooses none (fact 7.4).
    ///
    /// # Errors
    /// The name that is none of `user`, `project` and `local`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut sources = Self {
            user: false,
            project: false,
            local: false,
        };
        for name in text
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
        {
            match name {
                "user" => sources.user = true,
                "project" => sources.project = true,
                "local" => sources.local = true,
                other => return Err(other.to_owned()),
            }
        }
        Ok(sources)
    }
}

/// The variables of the process environment that decide what is sent, and when a session
/// compacts; no other is looked at.
pub const VARIABLES: [&str; 20] = [
    "ANTHROPIC_DEFAULT_FABLE_MODEL",
    "ANTHROPIC_DEFAULT_HAIKU_MODEL",
    "ANTHROPIC_DEFAULT_OPUS_MODEL",
    "ANTHROPIC_DEFAULT_SONNET_MODEL",
    "ANTHROPIC_MODEL",
    "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE",
    "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD",
    "CLAUDE_CODE_AUTO_COMPACT_WINDOW",
    "CLAUDE_CODE_DISABLE_1M_CONTEXT",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY",
    "CLAUDE_CODE_DISABLE_CLAUDE_MDS",
    "CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS",
    "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
    "CLAUDE_CODE_SIMPLE",
    "CLAUDE_CODE_SUBAGENT_MODEL",
    "CLAUDE_CONFIG_DIR",
    "DISABLE_AUTO_COMPACT",
    "DISABLE_COMPACT",
    "ENABLE_TOOL_SEARCH",
    "SLASH_COMMAND_TOOL_CHAR_BUDGET",
];

/// Where a session starts.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The client.
    pub client: Client,
    /// The working directory, as given; links in it are resolved (fact 2.6).
    pub cwd: AbsPath,
    /// The user's home directory.
    pub home: AbsPath,
    /// `CLAUDE_CONFIG_DIR`; without it `~/.claude` and `~/.claude.json` (fact 7.6).
    pub config_dir: Option<AbsPath>,
    /// The folder of managed settings and instructions.
    pub managed: AbsPath,
    /// The values of `--add-dir`, in order.
    pub add_dirs: Vec<AbsPath>,
    /// Those of them that were given as relative paths, as they were written: old clients name
    /// their files so (fact 41).
    pub relative_add_dirs: BTreeMap<AbsPath, String>,
    /// The value of `--setting-sources`.
    pub sources: SettingSources,
    /// The value of `--settings`.
    pub settings: Option<SettingsFlag>,
    /// `--bare`.
    pub bare: bool,
    /// The other flags that decide what the first request holds.
    pub flags: Flags,
    /// The process environment, as far as it decides what loads ([`VARIABLES`]).
    pub env: BTreeMap<String, String>,
    /// The platform.
    pub platform: Platform,
    /// The time, in milliseconds since 1970, by which recorded use of skills ages; unknown, it is
    /// the latest use.
    pub now: Option<u64>,
}

impl Origin {
    /// A session in `cwd` of a user with this `home`, all else as by default.
    #[must_use]
    pub fn new(cwd: AbsPath, home: AbsPath) -> Self {
        let platform = Platform::current();
        let managed = home.join(platform.managed_folder());
        Self {
            client: Client::newest(),
            cwd,
            home,
            config_dir: None,
            managed,
            add_dirs: Vec::new(),
            relative_add_dirs: BTreeMap::new(),
            sources: SettingSources::ALL,
            settings: None,
            bare: false,
            flags: Flags::default(),
            env: BTreeMap::new(),
            platform,
            now: None,
        }
    }

    /// Adds a value of `--add-dir` as it is written.
    pub fn add_directory(&mut self, written: &str) {
        let directory = self.cwd.join(written);
        if AbsPath::new(written).is_none() && !self.add_dirs.contains(&directory) {
            self.relative_add_dirs
                .insert(directory.clone(), written.to_owned());
        }
        self.add_dirs.push(directory);
    }

    /// Takes relative values of `--add-dir` from the real working directory, as the client does
    /// (case add-dir-relative-linked).
    pub(crate) fn resolve_add_dirs(&mut self, cwd: &AbsPath) {
        let mut relative = BTreeMap::new();
        for directory in &mut self.add_dirs {
            if let Some(written) = self.relative_add_dirs.get(directory) {
                *directory = cwd.join(written);
                relative.insert(directory.clone(), written.clone());
            }
        }
        self.relative_add_dirs = relative;
    }

    /// The user's configuration folder.
    #[must_use]
    pub fn config(&self) -> AbsPath {
        match &self.config_dir {
            Some(dir) => dir.clone(),
            None => self.home.child(".claude"),
        }
    }

    /// The client's state file, where approvals are kept (facts 3.20, 7.6).
    #[must_use]
    pub fn state_file(&self) -> AbsPath {
        let folder = self.config_dir.as_ref().unwrap_or(&self.home);
        folder.child(".claude.json")
    }
}
