//! Writes the sessions that docs/performance.md measures: `sessions HOME [MB] [COUNT]` puts COUNT
//! transcripts of MB megabytes each where a client with this home folder keeps them.
#![expect(clippy::disallowed_methods, reason = "writes the transcripts")]

use std::fs;
use std::io;
use std::path::PathBuf;

use outcrop_compactor::testing;

fn main() -> io::Result<()> {
    let usage = || io::Error::other("usage: sessions HOME [MB] [COUNT]");
    let mut args = std::env::args().skip(1);
    let home = args.next().map(PathBuf::from).ok_or_else(usage)?;
    let mut number = |default: u32| match args.next() {
        Some(text) => text.parse::<u32>().map_err(|_| usage()),
        None => Ok(default),
    };
    let (megabytes, count) = (number(100)?, number(1)?);
    if home.exists() {
        return Err(io::Error::other("HOME exists already; give a new one"));
    }
    let folder = home.join(".claude/projects/-home-dev-demo");
    fs::create_dir_all(&folder)?;
    for seed in 1..=count {
        let written = testing::of_size(megabytes as usize * 1_000_000, seed.into());
        let name = format!("{seed:08x}-0000-4000-8000-000000000001.jsonl");
        fs::write(folder.join(name), written.bytes)?;
    }
    Ok(())
}
