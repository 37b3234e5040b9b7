//! The block about the repository, from what git prints (facts C8.1–C8.4). Git is not run here:
//! the caller brings its outputs.

use serde::Serialize;

use crate::javascript;
use crate::session::{Session, is_true};

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
    /// `git status --short`.
    pub status: String,
    /// `git log --oneline -n 5`.
    pub log: String,
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

impl Session<'_> {
    /// Whether the request has the block: `None` when it has.
    #[must_use]
    pub fn no_git_status(&self) -> Option<NoGitStatus> {
        let off = |by: String| Some(NoGitStatus::Off { by });
        if self.is_bare() {
            return off("--bare".to_owned());
        }
        let variable = "CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS";
        let value = self.origin().env.get(variable);
        if value.is_some_and(|value| is_true(value)) {
            return off(variable.to_owned());
        }
        let setting = self.settings().bool("includeGitInstructions");
        if let Some(set) = setting.filter(|set| !set.value) {
            return off(format!("includeGitInstructions in {}", set.place));
        }
        self.git().is_none().then_some(NoGitStatus::NoRepository)
    }

    /// The block as the client forms it of git's outputs.
    #[must_use]
    pub fn git_status(&self, output: &GitOutput) -> GitStatus {
        let trimmed = match self.client().behaviour.git_status_trimmed {
            true => javascript::trim(&output.status),
            false => output.status.trim_end_matches(javascript::is_space),
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
