//! What git says of the repository, for the block about it. Nothing of the repository is changed:
//! git takes no locks.

use std::process::Command;
use std::time::{Duration, Instant};

use outcrop_loader::request::git_status::GitOutput;
use outcrop_loader::session::Session;
use outcrop_verify::process::{self, End};

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
