//! `outcrop hook`: never fails, never keeps a session waiting, and prints nothing but what the
//! client shall hear.

mod install;
mod instructions_loaded;
mod prompt;
mod session_start;
mod stop;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Error, Result, anyhow};
use serde_json::json;

use crate::args::Global;
use crate::args::hook::{Failures, Hook, HookEvent};
use crate::commands::{DONE, USAGE};
use crate::render::Output;
use crate::start::{Place, clock, loaded_log};

/// When all must be over; what is left of the promised three seconds is for starting and ending.
const LIMIT: Duration = Duration::from_millis(2_500);
/// How long another that writes to the log of failures is waited for.
const LOG: Duration = Duration::from_millis(200);
/// As deep as the program's own first thread.
const STACK: usize = 8 << 20;

/// What a hook says, and what went wrong beside it.
#[derive(Default)]
struct Answer {
    /// For the model; nothing where it is empty.
    context: String,
    problems: Vec<Error>,
}

pub(crate) fn run(global: &Global, hook: &Hook, output: &mut Output) -> Result<u8> {
    let (event, failures) = match &hook.event {
        HookEvent::Install(args) => return install::run(args, output),
        HookEvent::InstructionsLoaded(_) => (None, None),
        HookEvent::SessionStart(args) => (Some("SessionStart"), Some(&args.failures)),
        HookEvent::Prompt(args) => (Some("UserPromptSubmit"), Some(&args.failures)),
        HookEvent::Stop(args) => (None, Some(&args.failures)),
    };
    end_quietly_on_panic();
    let end = Instant::now() + LIMIT;
    let answer = within(global, &hook.event, end);
    let (context, problems) = match answer {
        Ok(answer) => (answer.context, answer.problems),
        Err(error) => (String::new(), vec![error]),
    };
    if let Some(event) = event.filter(|_| !context.is_empty()) {
        let said = json!({ "hookSpecificOutput": {
            "hookEventName": event, "additionalContext": context,
        } });
        let _ = writeln!(io::stdout(), "{said}");
    }
    for problem in &problems {
        // The client shows this to people who debug their hooks only.
        let _ = writeln!(io::stderr(), "outcrop: {problem:#}");
    }
    if let Some(log) = log_of(global, failures).filter(|_| !problems.is_empty()) {
        let _ = note(&log, &hook.event, &problems);
    }
    Ok(DONE)
}

/// Does it on a thread of its own, which is left alone when the time is over: what it writes is
/// written whole or not at all.
fn within(global: &Global, event: &HookEvent, end: Instant) -> Result<Answer> {
    let (sender, receiver) = mpsc::channel();
    let (global, event) = (global.clone(), event.clone());
    let work = move || {
        let answer = match &event {
            HookEvent::SessionStart(args) => session_start::answer(&global, args, end),
            HookEvent::Prompt(_) => prompt::answer(&global, end),
            HookEvent::Stop(_) => stop::answer(&global, end),
            HookEvent::InstructionsLoaded(args) => instructions_loaded::answer(&global, args, end),
            HookEvent::Install(_) => Ok(Answer::default()),
        };
        let _ = sender.send(answer);
    };
    let builder = std::thread::Builder::new().stack_size(STACK);
    builder.spawn(work).context("no thread can be started")?;
    match receiver.recv_timeout(end.saturating_duration_since(Instant::now())) {
        Ok(answer) => answer,
        Err(_) => Err(anyhow!("given up after {} ms", LIMIT.as_millis())),
    }
}

/// A panic is a fault of ours that no session shall fail for.
#[expect(
    clippy::exit,
    reason = "the release build would abort with another code"
)]
fn end_quietly_on_panic() {
    std::panic::set_hook(Box::new(|info| {
        let _ = writeln!(io::stderr(), "outcrop: {info}");
        std::process::exit(i32::from(DONE));
    }));
}

fn log_of(global: &Global, failures: Option<&Failures>) -> Option<PathBuf> {
    let named = failures.and_then(|failures| failures.log.clone());
    let usual = || std::env::var_os("OUTCROP_HOOK_LOG").map(PathBuf::from);
    let named = named.or_else(usual);
    let named = named.filter(|path| !path.as_os_str().is_empty())?;
    if named.is_absolute() {
        return Some(named);
    }
    let place = Place::new(global).ok()?;
    Some(PathBuf::from(place.path(&named).ok()?.as_str()))
}

fn note(log: &Path, event: &HookEvent, problems: &[Error]) -> io::Result<()> {
    let name = match event {
        HookEvent::SessionStart(_) => "session-start",
        HookEvent::Prompt(_) => "prompt",
        HookEvent::Stop(_) => "stop",
        HookEvent::InstructionsLoaded(_) => "instructions-loaded",
        HookEvent::Install(_) => "install",
    };
    let lines = problems.iter().map(|problem| {
        let line = json!({ "at": clock::text(), "hook": name, "error": format!("{problem:#}") });
        format!("{line}\n")
    });
    loaded_log::append_line(log, &lines.collect::<String>(), Instant::now() + LOG)
}

/// Ends on a command line that cannot be read. As a hook, the code of wrong usage would block a
/// prompt or keep a session from stopping, so the error is only told.
pub(crate) fn refused(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    let mut words = std::env::args_os().skip(1);
    let is_hook = words.next().is_some_and(|word| word == "hook")
        && words.next().is_some_and(|word| word != "install");
    match error.use_stderr() && !is_hook {
        true => ExitCode::from(USAGE),
        false => ExitCode::from(DONE),
    }
}
