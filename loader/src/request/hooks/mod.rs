//! The hooks that are configured, which of them run at a start, and what of them the model can
//! hear. Nothing is run here; [`heard`] judges an outcome that somebody else brings.
//!
//! `reading` (from settings and plugins to hooks) → here (which run) → `heard` (what is sent).

mod heard;
mod matcher;
mod reading;

use serde::Serialize;

use super::program::Place as Program;
use crate::path::AbsPath;
use crate::record::Diagnostic;
use crate::session::Session;
use crate::settings::{Place, Set, Tier};

pub use heard::{CAP, Exit, Form, Heard, HookText, Outcome, PREVIEW, heard};
pub(crate) use matcher::{fits, is_broken};
pub(crate) use reading::{EVENTS, voiding};

/// How a session starts: what the matchers of `SessionStart` are compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// A new session.
    #[default]
    Startup,
    /// An old one goes on.
    Resume,
    /// After `/clear`.
    Clear,
    /// After a compaction.
    Compact,
}

impl Start {
    /// The client's name for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Startup => "startup",
            Self::Resume => "resume",
            Self::Clear => "clear",
            Self::Compact => "compact",
        }
    }
}

/// Where a hook is configured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum HookSource {
    /// Settings.
    Settings {
        /// File and line.
        place: Place,
    },
    /// A plugin.
    Plugin {
        /// Its name.
        plugin: String,
        /// Its folder.
        root: AbsPath,
        /// The file.
        file: AbsPath,
        /// 1-based line.
        line: u32,
    },
}

impl HookSource {
    /// The file and the line in it; nothing for JSON given on the command line.
    #[must_use]
    pub const fn line(&self) -> Option<(&AbsPath, u32)> {
        match self {
            Self::Settings { place } => match &place.file {
                Some(file) => Some((file, place.line)),
                None => None,
            },
            Self::Plugin { file, line, .. } => Some((file, *line)),
        }
    }
}

impl std::fmt::Display for HookSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Settings { place } => place.fmt(f),
            Self::Plugin { file, line, .. } => write!(f, "{file}:{line}"),
        }
    }
}

/// Whether a hook runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum HookState {
    /// It runs at this start.
    Runs,
    /// It runs at other events.
    Later,
    /// Its matcher is for another way to start.
    OtherStart,
    /// The same command is there already and runs once (fact C3.4).
    Same {
        /// That one.
        of: String,
    },
    /// A setting or a flag turns it off (facts C3.8, 62).
    Off {
        /// Which, with its place.
        by: String,
    },
    /// A start in print mode does not take this kind of hook (fact 62).
    NotAtStart,
}

/// Where in the request a hook's text stands (fact C3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reach {
    /// First in the system message behind the first prompt.
    StartMessage,
    /// Last in the system message behind the prompt.
    PromptMessage,
    /// Behind the result of the tool's call.
    AfterResult,
    /// In the system message of the sub-agent.
    Subagent,
    /// Only its errors, when it exits with 2.
    ErrorsOnly,
    /// Nowhere: nothing of it reaches the model.
    Nowhere,
}

impl Reach {
    fn of(event: &str) -> Self {
        match event {
            "SessionStart" => Self::StartMessage,
            "UserPromptSubmit" => Self::PromptMessage,
            "PreToolUse" | "PostToolUse" => Self::AfterResult,
            "SubagentStart" => Self::Subagent,
            _ if heard::ERRORS.contains(&event) => Self::ErrorsOnly,
            _ => Self::Nowhere,
        }
    }
}

/// A configured hook.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hook {
    /// The event.
    pub event: String,
    /// What the event's subject must be; `None` for all.
    pub matcher: Option<String>,
    /// `command`, `prompt`, `agent`, `http` or `mcp_tool`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The shell command; with `args` the program.
    pub command: Option<String>,
    /// The program's arguments: then no shell is used.
    pub args: Option<Vec<String>>,
    /// Seconds that it may take, where they are given.
    pub timeout: Option<f64>,
    /// Nothing waits for it, so nothing of it is heard.
    #[serde(rename = "async")]
    pub is_async: bool,
    /// It has a condition that is for tool calls only.
    #[serde(rename = "if")]
    pub condition: Option<String>,
    /// Where it is configured.
    pub source: HookSource,
    /// Whether it runs.
    #[serde(flatten)]
    pub state: HookState,
    /// Where its text stands.
    pub reach: Reach,
    /// A file that its command names and that does not exist.
    pub missing: Option<AbsPath>,
}

/// An entry of hooks that does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongHook {
    /// Where it is configured.
    pub source: HookSource,
    /// What is wrong.
    pub what: String,
    /// The event, where the client has none of this name.
    pub unknown_event: Option<String>,
}

/// The hooks of a session.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Hooks {
    /// In the order of their sources: managed, user, project, local, `--settings`, plugins. The
    /// texts stand in the order in which the hooks end (fact C3.4).
    pub hooks: Vec<Hook>,
    /// What is wrong with them.
    pub diagnostics: Vec<Diagnostic>,
    /// The entries that do not count.
    #[serde(skip)]
    pub wrong: Vec<WrongHook>,
}

impl Session<'_> {
    /// Every configured hook, and which of them run when the session starts in this way.
    #[must_use]
    pub fn hooks(&self, start: Start) -> Hooks {
        let mut found = Hooks::default();
        for file in self.in_order() {
            if let Some(property) = file.root.property("hooks") {
                let source = |line| HookSource::Settings {
                    place: file.place(line),
                };
                reading::take(&property.value, &source, &mut found);
            }
        }
        reading::of_plugins(self, &mut found);
        for index in 0..found.hooks.len() {
            let hook = &found.hooks[index];
            let state = self.state_of(hook, &found.hooks[..index], start);
            let missing = self.missing_of(hook);
            let hook = &mut found.hooks[index];
            (hook.state, hook.missing) = (state, missing);
        }
        found
    }

    /// Settings files as hooks are taken from them: managed ones first.
    fn in_order(&self) -> impl Iterator<Item = &crate::settings::SettingsFile> {
        let files = &self.settings().files;
        let managed = files.iter().filter(|file| file.tier == Tier::Managed);
        managed.chain(files.iter().filter(|file| file.tier != Tier::Managed))
    }

    fn state_of(&self, hook: &Hook, before: &[Hook], start: Start) -> HookState {
        if let Some(by) = self.off_by(hook) {
            return HookState::Off { by };
        }
        if hook.event != "SessionStart" {
            return HookState::Later;
        }
        let matcher = hook.matcher.as_deref().unwrap_or_default();
        if !fits(matcher, start.name()) {
            return HookState::OtherStart;
        }
        if hook.kind != "command" || hook.condition.is_some() {
            return HookState::NotAtStart;
        }
        let is_same = |other: &&Hook| {
            other.state == HookState::Runs
                && (&other.command, &other.args) == (&hook.command, &hook.args)
                && other.plugin() == hook.plugin()
        };
        match before.iter().find(is_same) {
            Some(first) => HookState::Same {
                of: first.source.to_string(),
            },
            None => HookState::Runs,
        }
    }

    /// What turns a hook off: `--bare`; the strongest `disableAllHooks`, which reaches managed
    /// hooks from managed settings only; `allowManagedHooksOnly` there (fact 62).
    fn off_by(&self, hook: &Hook) -> Option<String> {
        if self.is_bare() {
            return Some("--bare".to_owned());
        }
        let is_managed = hook.tier() == Some(Tier::Managed);
        let off = self.settings().bool("disableAllHooks");
        let off = off.filter(|set| set.value);
        let off = off.filter(|set| !is_managed || set.place.tier == Tier::Managed);
        if let Some(Set { place, .. }) = off {
            return Some(format!("disableAllHooks in {place}"));
        }
        let only = self.settings().managed_switch("allowManagedHooksOnly");
        only.filter(|_| !is_managed)
            .map(|place| format!("allowManagedHooksOnly in {place}"))
    }

    fn missing_of(&self, hook: &Hook) -> Option<AbsPath> {
        let command = hook.command.as_deref()?;
        let mut variables = vec![
            ("CLAUDE_PROJECT_DIR", self.cwd()),
            ("HOME", &self.origin().home),
        ];
        if let HookSource::Plugin { root, .. } = &hook.source {
            variables.push(("CLAUDE_PLUGIN_ROOT", root));
        }
        let place = Program {
            host: self.world().host,
            cwd: self.cwd(),
            variables: &variables,
        };
        match &hook.args {
            None => place.missing_in(command),
            Some(args) => {
                let words = std::iter::once(command).chain(args.iter().map(String::as_str));
                place.missing(&words.collect::<Vec<_>>())
            }
        }
    }
}

impl Hook {
    fn tier(&self) -> Option<Tier> {
        match &self.source {
            HookSource::Settings { place } => Some(place.tier),
            HookSource::Plugin { .. } => None,
        }
    }

    fn plugin(&self) -> Option<&AbsPath> {
        match &self.source {
            HookSource::Settings { .. } => None,
            HookSource::Plugin { root, .. } => Some(root),
        }
    }
}
