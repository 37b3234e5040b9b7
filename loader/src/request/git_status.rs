//! The block about the repository, from what git prints (facts C8.1–C8.4). Git is not run here:
//! the caller brings its outputs.

use serde::Serialize;

use crate::javascript;
use crate::session::{Session, World, is_false, is_true};
use crate::settings::Node;

/// The longest status, in UTF-16 units (fact C8.2).
pub const STATUS: usize = 2_000;
/// The client's own words about the rest of a longer one.
pub const NOTICE: usize = 107;
/// How many commits are told (fact C8.3).
pub const COMMITS: usize = 5;

/// What git prints in the working directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GitOutput {
    /// The current branch: `git branch --show-current`.
    pub branch: String,
    /// The main branch: `git rev-parse --abbrev-ref origin/HEAD` without the remote, else `main`
    /// or `master`.
    pub main_branch: String,
    /// `git config user.name`; empty where it is not set.
    pub user: String,
    /// `git status --short`; `None` where it failed.
    pub status: Option<String>,
    /// `git log --oneline -n 5`.
    pub log: String,
}

impl GitOutput {
    /// Asks git: `git` runs it in the working directory with these arguments, and gives what it
    /// printed if it succeeded.
    pub fn ask(mut git: impl FnMut(&[&str]) -> Option<String>) -> Self {
        let mut line = |args: &[&str]| git(args).map(|text| text.trim().to_owned());
        let head = line(&["symbolic-ref", "--short", "refs/remotes/origin/HEAD"]);
        let main = head.and_then(|head| Some(head.strip_prefix("origin/")?.to_owned()));
        let has = ["main", "master"].into_iter().find(|name| {
            let name = format!("refs/remotes/origin/{name}");
            line(&["rev-parse", "--verify", "--quiet", &name]).is_some()
        });
        let branch = line(&["branch", "--show-current"]).filter(|branch| !branch.is_empty());
        Self {
            // The client names a detached head so.
            branch: branch.unwrap_or_else(|| "HEAD".to_owned()),
            main_branch: main.unwrap_or_else(|| has.unwrap_or("main").to_owned()),
            user: line(&["config", "user.name"]).unwrap_or_default(),
            status: git(&["status", "--short"]),
            log: git(&["log", "--oneline", "-n", "5"]).unwrap_or_default(),
        }
    }
}

/// Why there is no block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum NoGitStatus {
    /// The working directory is in no repository.
    NoRepository,
    /// A setting, variable or flag turns it off.
    Off {
        /// Which, with its place.
        by: String,
    },
}

/// The parts of the block that vary; the rest is the client's own words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GitStatus {
    /// The current branch.
    pub branch: String,
    /// The main branch.
    pub main_branch: String,
    /// The user's name, where it is set.
    pub user: Option<String>,
    /// The short status as sent, without the notice.
    pub status: String,
    /// It was cut, and the notice follows.
    pub cut: bool,
    /// Commits, newest first: `hash subject`.
    pub commits: Vec<String>,
}

impl GitStatus {
    /// UTF-16 units of the parts, the notice with them.
    #[must_use]
    pub fn characters(&self) -> usize {
        let lines = self
            .commits
            .iter()
            .map(|commit| javascript::len(commit) + 1);
        javascript::len(&self.branch)
            + javascript::len(&self.main_branch)
            + self.user.as_deref().map_or(0, javascript::len)
            + javascript::len(&self.status)
            + if self.cut { NOTICE + 1 } else { 0 }
            + lines.sum::<usize>()
    }
}

/// What turns the client's texts about git off: a variable or a setting (fact C8.4). The variable,
/// if it says no, is stronger than the setting.
pub(crate) fn instructions_off(world: &World<'_>) -> Option<String> {
    let variable = "CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS";
    let value = world.origin.env.get(variable);
    if value.is_some_and(|value| is_true(value)) {
        return Some(variable.to_owned());
    }
    let says_no = value.is_some_and(|value| is_false(value));
    let setting = world.settings.bool("includeGitInstructions");
    let setting = setting.filter(|set| !set.value && !says_no);
    setting.map(|set| format!("includeGitInstructions in {}", set.place))
}

/// Whether whoever has Bash is told how to sign commits: not without the texts about git, with
/// `includeCoAuthoredBy: false`, or an `attribution` of empty texts (fact C8.4).
pub(crate) fn attributes(world: &World<'_>) -> bool {
    let setting = world.settings.strongest("attribution");
    let is_empty = setting.is_some_and(|set| {
        let is_empty = |key: &str| set.value.get(key).and_then(Node::text) == Some("");
        is_empty("commit") && is_empty("pr")
    });
    let co_author = world.settings.bool("includeCoAuthoredBy");
    let is_off = is_empty || co_author.is_some_and(|set| !set.value);
    instructions_off(world).is_none() && !is_off
}

impl Session<'_> {
    /// Whether the request has the block: `None` when it has.
    #[must_use]
    pub fn no_git_status(&self) -> Option<NoGitStatus> {
        let off = |by: String| Some(NoGitStatus::Off { by });
        if self.is_bare() && !self.client().behaviour.bare_has_git_status {
            return off("--bare".to_owned());
        }
        if self.replaces_prompt() {
            return off("--system-prompt".to_owned());
        }
        if let Some(by) = instructions_off(self.world()) {
            return off(by);
        }
        self.git().is_none().then_some(NoGitStatus::NoRepository)
    }

    /// The block as the client forms it of git's outputs.
    #[must_use]
    pub fn git_status(&self, output: &GitOutput) -> GitStatus {
        // The client's own words for nothing, and in new clients for a failure.
        let old = self.client().behaviour.git_status_trimmed;
        let failed = if old { "" } else { "(unavailable)" };
        let status = output.status.as_deref().unwrap_or(failed);
        let trimmed = match old {
            true => javascript::trim(status),
            false => status.trim_end_matches(javascript::is_space),
        };
        let trimmed = if trimmed.is_empty() {
            "(clean)"
        } else {
            trimmed
        };
        let mut units = 0;
        let end = trimmed.char_indices().find(|(_, c)| {
            units += c.len_utf16();
            units > STATUS
        });
        let line = |text: &str| javascript::trim(text).to_owned();
        let user = Some(line(&output.user)).filter(|user| !user.is_empty());
        GitStatus {
            branch: line(&output.branch),
            main_branch: line(&output.main_branch),
            user,
            status: trimmed[..end.map_or(trimmed.len(), |(at, _)| at)].to_owned(),
            cut: end.is_some(),
            commits: output
                .log
                .lines()
                .take(COMMITS)
                .map(str::to_owned)
                .collect(),
        }
    }
}
