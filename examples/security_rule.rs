//! Shows that a rule is in the context whatever is read: in the sample hierarchy, or in the folder
//! given as the argument if it has a `.claude/rules/security.md`.
//!
//! Sessions start in any folder of the hierarchy and read any of its files, in any order. Exits
//! with 1 and the shortest reads found when one lacks the rule.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "an example is a program"
)]

use std::collections::BTreeSet;
use std::process::ExitCode;

use outcrop_loader::host::{DiskHost, Host, MemoryHost};
use outcrop_loader::origin::Origin;
use outcrop_loader::path::AbsPath;
use outcrop_loader::session::Session;
use outcrop_loader::testing::{Reads, files_below, reads_of};
use proptest::sample::select;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};

const SEQUENCES: u32 = 1000;

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/monorepo");
    let folder = std::env::args().nth(1).unwrap_or_else(|| sample.to_owned());
    let folder = std::path::absolute(folder)?;
    let folder = AbsPath::new(&folder.to_string_lossy()).ok_or("no absolute path")?;
    let folder = DiskHost::new().canonicalize(&folder)?;
    // A copy in memory: faster, and free of what the folders above it hold.
    let host = MemoryHost::copy_of(&DiskHost::new(), &folder, 50_000)?;
    let home = AbsPath::new("/home/nobody").ok_or("no absolute path")?;

    let rule = folder.join(".claude/rules/security.md");
    let reads = Reads::default();
    let files = files_below(&host, &folder, &reads);
    let folders: BTreeSet<_> = files.iter().filter_map(AbsPath::parent).collect();
    if folders.is_empty() {
        return Err("there are no files to read".into());
    }
    let starts = select(folders.into_iter().collect::<Vec<_>>());

    let config = Config {
        cases: SEQUENCES,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..Config::default()
    };
    let sequences = (reads_of(&host, &folder, &reads), starts);
    let result = TestRunner::new(config).run(&sequences, |(reads, start)| {
        let mut session = Session::start(&host, Origin::new(start, home.clone()));
        for path in &reads {
            session.read(path);
        }
        let mut layers = session.deliveries().iter().flat_map(|one| &one.layers);
        if layers.any(|layer| layer.path == rule) {
            Ok(())
        } else {
            Err(TestCaseError::fail("the rule is not in the context"))
        }
    });
    match result {
        Ok(()) => {
            println!("security.md is in the context after each of {SEQUENCES} sequences of reads");
            Ok(ExitCode::SUCCESS)
        }
        Err(TestError::Fail(_, (reads, start))) => {
            println!("security.md is missing: start in {start}, read {reads:?}");
            Ok(ExitCode::FAILURE)
        }
        Err(error) => Err(error.to_string().into()),
    }
}
