//! Running the hooks of a start, when the user asks for it: as the client runs them, and what of
//! them the model would hear.

use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

use outcrop_loader::request::hooks::{
    Exit, Heard, Hook, HookSource, HookState, Outcome, Start, heard,
};
use outcrop_loader::session::Session;
use outcrop_verify::process::{self, End};
use serde::Serialize;

/// How long a hook may take that names no shorter time.
const LIMIT: Duration = Duration::from_secs(10);
/// A session's name as the client gives it; there is none yet.
const SESSION: &str = "00000000-0000-4000-8000-000000000000";

/// A hook that was run.
#[derive(Debug, Serialize)]
pub(crate) struct RunHook {
    pub(crate) hook: Hook,
    pub(crate) outcome: Outcome,
    pub(crate) heard: Heard,
}

/// Runs the hooks that run at this start, side by side; they come in the order in which they
/// ended (fact C3.4).
pub(crate) fn run(session: &Session<'_>, hooks: &[Hook], start: Start) -> Vec<RunHook> {
    let runs = |hook: &&Hook| hook.state == HookState::Runs;
    let hooks: Vec<&Hook> = hooks.iter().filter(runs).collect();
    let input = input(session, start);
    let (ended, ends) = mpsc::channel();
    std::thread::scope(|scope| {
        for hook in hooks {
            let (ended, input) = (ended.clone(), &input);
            let (cwd, home) = (session.cwd().as_str(), session.origin().home.as_str());
            scope.spawn(move || ended.send((hook, outcome(hook, cwd, home, input))));
        }
    });
    drop(ended);
    let behaviour = &session.client().behaviour;
    let judged = ends.into_iter().map(|(hook, outcome)| RunHook {
        heard: match hook.is_async {
            true => Heard {
                why: Some("it runs on in the background"),
                ..Heard::default()
            },
            false => heard(&hook.event, &outcome, behaviour),
        },
        hook: hook.clone(),
        outcome,
    });
    judged.collect()
}

/// What the client gives a hook of a start on its standard input (fact 61).
fn input(session: &Session<'_>, start: Start) -> String {
    let cwd = session.cwd().as_str();
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let folder: String = cwd.chars().map(plain).collect();
    let projects = session.origin().config().child("projects").child(&folder);
    let input = serde_json::json!({
        "session_id": SESSION,
        "transcript_path": projects.child(&format!("{SESSION}.jsonl")).as_str(),
        "cwd": cwd,
        "hook_event_name": "SessionStart",
        "source": start.name(),
    });
    format!("{input}\n")
}

fn outcome(hook: &Hook, cwd: &str, home: &str, input: &str) -> Outcome {
    let limit = hook.timeout.map_or(LIMIT, |seconds| {
        Duration::try_from_secs_f64(seconds).map_or(LIMIT, |limit| limit.min(LIMIT))
    });
    let written = hook.command.as_deref().unwrap_or_default();
    let mut command = match &hook.args {
        None => {
            let mut command = Command::new("sh");
            command.args(["-c", written]);
            command
        }
        Some(args) => {
            let mut command = Command::new(written);
            command.args(args);
            command
        }
    };
    command
        .current_dir(Path::new(cwd))
        .env("CLAUDECODE", "1")
        .env("CLAUDE_PROJECT_DIR", cwd)
        .env("HOME", home);
    if let HookSource::Plugin { root, .. } = &hook.source {
        command.env("CLAUDE_PLUGIN_ROOT", root.as_str());
    }
    match process::run(&mut command, input, limit) {
        Ok(ran) => Outcome {
            exit: match ran.end {
                End::Code(code) => Exit::Code(code),
                End::Signal => Exit::Failed,
                End::TimedOut => Exit::TimedOut,
            },
            stdout: ran.stdout,
            stderr: ran.stderr,
        },
        Err(error) => Outcome {
            exit: Exit::Failed,
            stdout: String::new(),
            stderr: error.to_string(),
        },
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use outcrop_loader::host::DiskHost;
    use outcrop_loader::origin::Origin;
    use outcrop_loader::path::AbsPath;

    use super::*;

    #[test]
    fn hooks_get_what_the_client_gives_them() {
        let folder = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(folder.path()).unwrap();
        let settings = serde_json::json!({ "hooks": { "SessionStart": [{ "hooks": [
            { "type": "command", "command": "cat; sleep 0.4" },
            { "type": "command", "command": "pwd; echo \"$CLAUDE_PROJECT_DIR\"" },
            { "type": "command", "command": "echo", "args": ["$HOME"] },
            { "type": "command", "command": "sleep 60; echo late", "timeout": 0.8 },
            { "type": "command", "command": "sleep 0.2; echo no >&2; exit 1" },
            { "type": "command", "command": "echo not now", "async": true },
        ] }, { "matcher": "resume", "hooks": [
            { "type": "command", "command": "echo resumed" },
        ] }] } });
        std::fs::create_dir(root.join("proj")).unwrap();
        std::fs::create_dir(root.join(".claude")).unwrap();
        std::fs::write(root.join(".claude/settings.json"), settings.to_string()).unwrap();
        let path = |path: &Path| AbsPath::new(path.to_str().unwrap()).unwrap();
        let mut origin = Origin::new(path(&root.join("proj")), path(&root));
        origin.managed = path(&root.join("managed"));
        let host = DiskHost::new();
        let session = Session::start(&host, origin);
        let hooks = session.hooks(Start::Startup);
        assert!(hooks.diagnostics.is_empty());
        let runs = run(&session, &hooks.hooks, Start::Startup);
        assert_eq!(runs.len(), 6);
        let heard: Vec<&str> = runs
            .iter()
            .flat_map(|run| run.heard.texts.iter().map(|text| text.text.as_str()))
            .collect();
        let cwd = root.join("proj").display().to_string();
        assert!(
            heard.contains(&format!("{cwd}\n{cwd}").as_str()),
            "{heard:?}"
        );
        assert!(heard.contains(&"$HOME"), "{heard:?}");
        // The input is JSON, and so not heard, but for its outcome.
        let input = runs.iter().find(|run| run.outcome.stdout.starts_with('{'));
        let input: serde_json::Value =
            serde_json::from_str(&input.unwrap().outcome.stdout).unwrap();
        assert_eq!(input["source"], "startup");
        assert_eq!(input["cwd"], cwd);
        assert_eq!(heard.len(), 2, "{heard:?}");
        let late = runs.iter().find(|run| run.outcome.exit == Exit::TimedOut);
        assert_eq!(late.unwrap().outcome.stdout, "");
    }
}
