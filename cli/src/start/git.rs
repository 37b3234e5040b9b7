//! What git says of the repository, for the block about it. Nothing of the repository is changed:
//! git takes no locks.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use outcrop_loader::path::AbsPath;
use outcrop_loader::request::git_status::GitOutput;
use outcrop_loader::session::Session;
use outcrop_verify::process::{self, End};
use rustc_hash::FxHashSet;

/// How long all questions together may take.
const LIMIT: Duration = Duration::from_secs(5);

/// What git prints in the working directory; `None` where it cannot be run.
pub(crate) fn output(session: &Session<'_>) -> Option<GitOutput> {
    let end = Instant::now() + LIMIT;
    let mut runs = true;
    let output = GitOutput::ask(|args| {
        let mut command = Command::new("git");
        command
            .arg("--no-optional-locks")
            .args(args)
            .current_dir(session.cwd().as_str());
        let rest = end.saturating_duration_since(Instant::now());
        match process::run(&mut command, "", rest) {
            Ok(ran) => (ran.end == End::Code(0)).then_some(ran.stdout),
            Err(_) => {
                runs = false;
                None
            }
        }
    });
    runs.then_some(output)
}

/// The files of a repository that differ from a commit, staged or not, and those that git does not
/// know. Those that it ignores are no changes.
pub(crate) fn changed(root: &AbsPath, commit: &str) -> Result<FxHashSet<AbsPath>> {
    let differ = ["diff", "--name-only", "--no-renames", "--no-ext-diff", "-z"];
    let differ = differ.into_iter().chain([commit, "--"]);
    let new = ["ls-files", "--others", "--exclude-standard", "-z"];
    let mut files = FxHashSet::default();
    // An option in the place of a commit would be one of git's.
    if commit.starts_with('-') {
        bail!("--changed: `{commit}` is no commit");
    }
    for args in [differ.collect::<Vec<_>>(), new.to_vec()] {
        let mut command = Command::new("git");
        command
            .args(["--no-optional-locks", "-c", "core.fsmonitor=false"])
            .args(args)
            .current_dir(root.as_str())
            .stdin(Stdio::null());
        let output = command.output().context("--changed: git cannot be run")?;
        if !output.status.success() {
            let why = String::from_utf8_lossy(&output.stderr);
            bail!("--changed: {}", why.lines().next().unwrap_or("git fails"));
        }
        let names = output.stdout.split(|byte| *byte == 0);
        let names = names.filter_map(|name| std::str::from_utf8(name).ok());
        files.extend(
            names
                .filter(|name| !name.is_empty())
                .map(|name| root.join(name)),
        );
    }
    Ok(files)
}
