//! Writes the tree that docs/performance.md measures: `tree DIR`.
#![expect(clippy::disallowed_methods, reason = "writes the files of the tree")]

use std::fs;
use std::io;
use std::path::PathBuf;

use outcrop_tests::tree;

fn main() -> io::Result<()> {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        return Err(io::Error::other("usage: tree DIR"));
    };
    if folder.exists() {
        return Err(io::Error::other("DIR exists already; give a new one"));
    }
    for (path, text) in tree::files(tree::PACKAGES) {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)?;
    }
    Ok(())
}
