//! The lists of a project with 300 skills, 100 commands and 50 agents.
#![expect(
    clippy::unwrap_used,
    reason = "the paths are absolute, and a bench that finds them wrong should stop"
)]

use divan::Bencher;
use outcrop_loader::host::MemoryHost;
use outcrop_loader::origin::Origin;
use outcrop_loader::path::AbsPath;
use outcrop_loader::session::Session;

use crate::tree;

fn host() -> MemoryHost {
    let mut host = MemoryHost::new();
    let root = AbsPath::new("/yard").unwrap();
    for (path, text) in tree::listed(300, 100, 50) {
        host.file(&root.join(&path), text.into_bytes());
    }
    host
}

fn origin() -> Origin {
    let abs = |path| AbsPath::new(path).unwrap();
    Origin::new(abs("/yard"), abs("/home/dev"))
}

/// Which skills and commands are listed, their budget included.
#[divan::bench]
fn skills_and_commands(bencher: Bencher<'_, '_>) {
    let host = host();
    let session = Session::start(&host, origin());
    bencher.bench_local(|| session.catalog().entries.len());
}

/// Which agents are listed.
#[divan::bench]
fn agents(bencher: Bencher<'_, '_>) {
    let host = host();
    let session = Session::start(&host, origin());
    bencher.bench_local(|| session.agents().agents.len());
}

/// The whole first request.
#[divan::bench]
fn first_request(bencher: Bencher<'_, '_>) {
    let host = host();
    let session = Session::start(&host, origin());
    bencher.bench_local(|| session.first_request(None).sections.len());
}
