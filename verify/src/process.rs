//! Programs that run for a bounded time, are heard to a bounded length, and leave nothing behind.

use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How often the end of a program is looked for.
const STEP: Duration = Duration::from_millis(5);
/// How much of what a program prints is kept, in bytes.
const PRINTED: u64 = 4 * 1024 * 1024;
/// How long its output is waited for after its end, should something hold it open.
const AFTER: Duration = Duration::from_millis(500);

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself, with an exit code.
    Code(i32),
    /// By a signal.
    Signal,
    /// It was stopped at its time limit.
    TimedOut,
}

/// What a program did.
#[derive(Clone, Debug)]
pub struct Ran {
    /// How it ended.
    pub end: End,
    /// The first part of what it printed.
    pub stdout: String,
    /// The same of its errors.
    pub stderr: String,
}

/// Runs a program with this input, and ends it and what it started when `limit` is over. What it
/// started is ended with it in any case.
///
/// # Errors
/// When it cannot be started.
pub fn run(command: &mut Command, input: &str, limit: Duration) -> io::Result<Ran> {
    let mut child = in_own_group(command)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let (stdout, stderr) = (heard(child.stdout.take()), heard(child.stderr.take()));
    if let Some(mut stdin) = child.stdin.take() {
        let input = input.to_owned();
        // A program that does not read its input must not keep us.
        std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    }
    let end = wait(&mut child, limit);
    let text = |output: mpsc::Receiver<Vec<u8>>| {
        let bytes = output.recv_timeout(AFTER).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Ok(Ran {
        end,
        stdout: text(stdout),
        stderr: text(stderr),
    })
}

/// Reads a pipe to its end, and keeps the beginning.
fn heard(pipe: Option<impl Read + Send + 'static>) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let read = pipe.by_ref().take(PRINTED).read_to_end(&mut bytes);
            // The rest is thrown away, so that the program can go on.
            let _ = read.and_then(|_| io::copy(&mut pipe, &mut io::sink()));
        }
        sender.send(bytes)
    });
    receiver
}

/// Lets a program be the first of a group of its own, so that all of it can be ended.
pub(crate) fn in_own_group(command: &mut Command) -> &mut Command {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    command
}

/// Waits for the end, and sees to it that nothing that the program started goes on.
pub(crate) fn wait(child: &mut Child, limit: Duration) -> End {
    let begin = Instant::now();
    let end = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status.code().map_or(End::Signal, End::Code),
            Ok(None) if begin.elapsed() < limit => std::thread::sleep(STEP),
            _ => break End::TimedOut,
        }
    };
    stop_all(child);
    let _ = child.wait();
    end
}

#[cfg(unix)]
fn stop_all(child: &Child) {
    let group = i32::try_from(child.id())
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        // There is nothing to stop where all of the group has ended.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn stop_all(child: &mut Child) {
    let _ = child.kill();
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Ran {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(&mut command, "input\n", limit).unwrap()
    }

    #[test]
    fn what_a_program_does() {
        let ran = shell("cat; echo wrong >&2; exit 3", Duration::from_secs(60));
        assert_eq!(ran.end, End::Code(3));
        assert_eq!(
            (ran.stdout.as_str(), ran.stderr.as_str()),
            ("input\n", "wrong\n")
        );
    }

    #[test]
    fn one_that_does_not_end_is_ended_with_its_children() {
        let ran = shell(
            "echo before; sleep 1000 & sleep 1000",
            Duration::from_millis(300),
        );
        assert_eq!((ran.end, ran.stdout.as_str()), (End::TimedOut, "before\n"));
    }

    #[test]
    fn a_child_that_goes_on_holds_nothing_up() {
        let ran = shell("sleep 1000 & echo done", Duration::from_secs(60));
        assert_eq!((ran.end, ran.stdout.as_str()), (End::Code(0), "done\n"));
    }

    #[test]
    fn endless_output_is_cut() {
        let ran = shell("yes", Duration::from_millis(500));
        assert_eq!(ran.end, End::TimedOut);
        assert!(ran.stdout.len() as u64 <= PRINTED);
    }
}
