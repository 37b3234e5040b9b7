//! What git says of a session's directory, for its handoff. Nothing of the repository is changed:
//! git takes no locks and starts no monitor.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use outcrop_compactor::handoff::{Commit, Repository};
use outcrop_verify::process::{self, End};

/// How long all questions together may take.
const LIMIT: Duration = Duration::from_secs(5);

/// None where the directory is gone, in no repository, or git cannot be run.
pub(crate) fn of(directory: &Path) -> Option<Repository> {
    if !directory.is_dir() {
        return None;
    }
    let end = Instant::now() + LIMIT;
    let ask = |args: &[&str]| {
        let mut command = Command::new("git");
        command
            .args(["--no-optional-locks", "-c", "core.fsmonitor=false"])
            .args(["-c", "core.quotePath=false"])
            .args(args)
            .current_dir(directory);
        let rest = end.saturating_duration_since(Instant::now());
        let ran = process::run(&mut command, "", rest).ok()?;
        (ran.end == End::Code(0)).then_some(ran.stdout)
    };
    let status = ask(&["status", "--short"])?;
    let branch = ask(&["branch", "--show-current"]).unwrap_or_default();
    let log = ask(&["log", "-n", "20", "--format=%h%x09%ct%x09%s"]).unwrap_or_default();
    let commits = log.lines().filter_map(|line| {
        let (hash, rest) = line.split_once('\t')?;
        let (time, subject) = rest.split_once('\t')?;
        Some(Commit {
            hash: hash.to_owned(),
            time: time.parse().ok()?,
            subject: subject.to_owned(),
        })
    });
    let branch = branch.trim();
    Some(Repository {
        branch: (!branch.is_empty()).then(|| branch.to_owned()),
        status: status.lines().map(str::to_owned).collect(),
        commits: commits.collect(),
    })
}
