//! Writes the trees that docs/performance.md measures: `tree DIR`, and `tree DIR lists`.
#![expect(clippy::disallowed_methods, reason = "writes the files of the tree")]

use std::fs;
use std::io;
use std::path::PathBuf;

use outcrop_tests::tree;

fn main() -> io::Result<()> {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        return Err(io::Error::other("usage: tree DIR [lists]"));
    };
    if folder.exists() {
        return Err(io::Error::other("DIR exists already; give a new one"));
    }
    let lists = std::env::args().nth(2).is_some_and(|what| what == "lists");
    let files = if lists {
        tree::listed(300, 100, 50)
    } else {
        tree::files(tree::PACKAGES)
    };
    for (path, text) in files {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)?;
    }
    Ok(())
}
