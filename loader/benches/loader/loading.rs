//! Sessions on the tree that docs/performance.md measures.
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

fn abs(below: &str) -> AbsPath {
    AbsPath::new("/yard").unwrap().join(below)
}

fn host() -> MemoryHost {
    let mut host = MemoryHost::new();
    for (path, text) in tree::files(tree::PACKAGES) {
        host.file(&abs(&path), text.into_bytes());
    }
    host
}

fn origin(below: &str) -> Origin {
    Origin::new(abs(below), AbsPath::new("/home/dev").unwrap())
}

/// A session that starts in the root: 5 layers, and 190 rules that wait.
#[divan::bench]
fn start_in_root(bencher: Bencher<'_, '_>) {
    let host = host();
    bencher.bench(|| {
        let session = Session::start(&host, origin(""));
        session.deliveries()[0].layers.len()
    });
}

/// A session that starts in a package and reads ten of its files.
#[divan::bench]
fn package_and_ten_reads(bencher: Bencher<'_, '_>) {
    let host = host();
    let files: Vec<AbsPath> = tree::ten_files(7).iter().map(|file| abs(file)).collect();
    bencher.bench(|| {
        let mut session = Session::start(&host, origin(&tree::package(7)));
        let added = files.iter().map(|file| session.read(file).layers.len());
        added.sum::<usize>()
    });
}

/// The same ten files, read by a session that started in the root.
#[divan::bench]
fn root_and_ten_reads(bencher: Bencher<'_, '_>) {
    let host = host();
    let files: Vec<AbsPath> = tree::ten_files(7).iter().map(|file| abs(file)).collect();
    bencher.bench(|| {
        let mut session = Session::start(&host, origin(""));
        let added = files.iter().map(|file| session.read(file).layers.len());
        added.sum::<usize>()
    });
}

/// The search for files that wait below the root: it lists every folder.
#[divan::bench]
fn search_for_waiting_files(bencher: Bencher<'_, '_>) {
    let host = host();
    let session = Session::start(&host, origin(""));
    bencher.bench(|| session.waiting().files.len());
}
