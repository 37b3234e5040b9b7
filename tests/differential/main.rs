//! Real clients against the prediction: recorded cases again, and random worlds.
//!
//! See README.md beside this file for how to run it and what it found.
#![expect(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for developers: reads its environment, prints its progress and report"
)]

mod carried;
mod command;
mod framing;
mod listings;
mod options;
mod random;
mod recorded;
mod report;
mod sessions;

use options::{Options, Setup};
use report::Report;

fn main() {
    let options = Options::from_environment();
    let clients = match options.clients() {
        Setup::Ready(clients) => clients,
        Setup::NotRun(why) => {
            println!("differential: not run ({why})");
            std::process::exit(i32::from(options.required));
        }
    };
    if let Some(file) = &options.case {
        return recorded::show(&options, file, &clients);
    }
    let mut report = Report::new(&options, &clients);
    recorded::run(&options, &clients, &mut report);
    command::run(&options, &clients, &mut report);
    framing::run(&options, &clients, &mut report);
    random::run(&options, &clients, &mut report);
    listings::run(&options, &clients, &mut report);
    sessions::run(&options, &clients, &mut report);
    carried::run(&options, &clients, &mut report);
    report.finish();
}
