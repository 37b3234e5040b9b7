//! The `outcrop` command: what was typed → a session → what is printed.
//!
//! `args` (the command line) → `start` (where the world is, which client) → `commands` (one thin
//! file each) → `render` (text, JSON, graphs). Everything that decides anything is in
//! `outcrop-loader` and `outcrop-compactor`; this crate alone touches the process, the terminal
//! and the environment.

mod args;
mod commands;
mod lsp;
mod render;
mod start;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::args::{Args, Command};
use crate::render::Output;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return commands::hook::refused(&error),
    };
    args.global.color.write_global();
    let mut output = Output::new(&args.global);
    let result = match &args.command {
        Command::Show(show) => commands::show::run(&args.global, show, &mut output),
        Command::Agents(agents) => commands::agents::run(&args.global, agents, &mut output),
        Command::Why(why) => commands::why::run(&args.global, why, &mut output),
        Command::Graph(graph) => commands::graph::run(&args.global, graph, &mut output),
        Command::Tokens(tokens) => commands::tokens::run(&args.global, tokens, &mut output),
        Command::Permissions(permissions) => {
            commands::permissions::run(&args.global, permissions, &mut output)
        }
        Command::Lint(lint) => commands::lint::run(&args.global, lint, &mut output),
        Command::Rule(rule) => commands::rule::run(&args.global, rule, &mut output),
        Command::Lsp(lsp) => lsp::run(&args.global, lsp, &mut output),
        Command::Verify(verify) => commands::verify::run(&args.global, verify, &mut output),
        Command::Sessions(sessions) => commands::sessions::run(&args.global, sessions, &mut output),
        Command::Inspect(inspect) => commands::inspect::run(&args.global, inspect, &mut output),
        Command::Simulate(simulate) => commands::simulate::run(&args.global, simulate, &mut output),
        Command::Doctor(doctor) => commands::doctor::run(&args.global, doctor, &mut output),
        Command::Carry(carry) => commands::carry::run(&args.global, carry, &mut output),
        Command::Boot(boot) => commands::boot::run(&args.global, boot, &mut output),
        Command::Memory(memory) => commands::memory::run(&args.global, memory, &mut output),
        Command::Handoff(handoff) => commands::handoff::run(&args.global, handoff, &mut output),
        Command::Audit(audit) => commands::audit::run(&args.global, audit, &mut output),
        Command::Archive(archive) => commands::archive::run(&args.global, archive, &mut output),
        Command::Recall(recall) => commands::recall::run(&args.global, recall, &mut output),
        Command::Hook(hook) => commands::hook::run(&args.global, hook, &mut output),
    };
    let result = result.and_then(|code| {
        output.flush()?;
        Ok(code)
    });
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(anstream::stderr(), "outcrop: {error:#}");
            ExitCode::from(commands::USAGE)
        }
    }
}

/// A reader that has seen enough, such as `head`, is no failure.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
