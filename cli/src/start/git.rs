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

/// What a hook tells of a repository.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    /// None where no branch is checked out.
    pub(crate) branch: Option<String>,
    /// Files that are not as in the last commit, with what became of them.
    pub(crate) changed: Vec<(&'static str, String)>,
    /// The last commits, short id and subject.
    pub(crate) commits: Vec<String>,
}

/// Where a repository stands; `None` where git says nothing by then. Both questions are asked at once.
pub(crate) fn standing(folder: &AbsPath, end: Instant) -> Option<Standing> {
    let ask = |args: &[&str]| {
        let rest = end.saturating_duration_since(Instant::now());
        if rest.is_zero() {
            return None;
        }
        let mut command = Command::new("git");
        command
            .args(["--no-optional-locks", "-c", "core.fsmonitor=false"])
            .args(args)
            .current_dir(folder.as_str());
        let ran = process::run(&mut command, "", rest).ok()?;
        (ran.end == End::Code(0)).then_some(ran.stdout)
    };
    let status = [
        "status",
        "--porcelain=v2",
        "--branch",
        "-z",
        "--untracked-files=normal",
    ];
    let log = ["log", "-5", "--no-show-signature", "--format=%h %s"];
    std::thread::scope(|scope| {
        let commits = scope.spawn(|| ask(&log));
        let mut standing = read_status(&ask(&status)?);
        // A repository without a commit has no log.
        let commits = commits.join().ok().flatten().unwrap_or_default();
        standing.commits = commits.lines().map(str::to_owned).collect();
        Some(standing)
    })
}

fn read_status(text: &str) -> Standing {
    let mut standing = Standing::default();
    let mut entries = text.split('\0');
    while let Some(entry) = entries.next() {
        if let Some(branch) = entry.strip_prefix("# branch.head ") {
            standing.branch = (branch != "(detached)").then(|| branch.to_owned());
            continue;
        }
        let is = entry.get(2..4).unwrap_or_default();
        let fields = match entry.bytes().next() {
            Some(b'?') => 2,
            Some(b'1') => 9,
            // The old name follows as an entry of its own.
            Some(b'2') => entries.next().map_or(10, |_| 10),
            Some(b'u') => 11,
            _ => continue,
        };
        let what = match (fields, is) {
            (2, _) => "new",
            (10, _) => "renamed",
            (11, _) => "in conflict",
            (_, is) if is.contains('D') => "deleted",
            (_, is) if is.contains('A') => "added",
            _ => "changed",
        };
        if let Some(path) = entry.splitn(fields, ' ').nth(fields - 1) {
            standing.changed.push((what, path.to_owned()));
        }
    }
    standing
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_read() {
        let text = "# branch.oid 1234\0# branch.head fix/cart\0\
            1 .M N... 100644 100644 100644 aaaa bbbb src/my cart.rs\0\
            1 A. N... 000000 100644 100644 aaaa bbbb new.rs\0\
            1 .D N... 100644 100644 000000 aaaa bbbb gone.rs\0\
            2 R. N... 100644 100644 100644 aaaa bbbb R100 to.rs\0from.rs\0\
            ? notes/\0";
        let standing = read_status(text);
        assert_eq!(standing.branch.as_deref(), Some("fix/cart"));
        let changed: Vec<String> = (standing.changed.iter())
            .map(|(what, path)| format!("{what} {path}"))
            .collect();
        assert_eq!(
            changed,
            [
                "changed src/my cart.rs",
                "added new.rs",
                "deleted gone.rs",
                "renamed to.rs",
                "new notes/"
            ]
        );
        assert_eq!(read_status("# branch.head (detached)\0").branch, None);
    }
}
