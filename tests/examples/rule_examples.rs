//! Writes the set-ups of all rules' examples to disk, for other linters to look at (docs/compare.md):
//! `rule_examples DIR` makes DIR/ID-bad-N and DIR/ID-good-N, each with `home` and `home/shop`.
#![expect(clippy::disallowed_methods, reason = "writes the set-ups")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use outcrop_loader::lint::{Example, RULES, written_out};

fn main() -> io::Result<()> {
    let usage = || io::Error::other("usage: rule_examples DIR");
    let folder = std::env::args()
        .nth(1)
        .map(PathBuf::from)
        .ok_or_else(usage)?;
    if folder.exists() {
        return Err(io::Error::other("DIR exists already; give a new one"));
    }
    for rule in RULES {
        for (kind, examples) in [("bad", rule.bad), ("good", rule.good)] {
            for (number, example) in examples.iter().enumerate() {
                let name = format!("{}-{kind}-{}", rule.id, number + 1);
                write(&folder.join(name), example)?;
            }
        }
    }
    Ok(())
}

fn write(folder: &Path, example: &Example) -> io::Result<()> {
    let home = folder.join("home");
    fs::create_dir_all(home.join("shop"))?;
    for (path, text) in example.files {
        let path = match (path.strip_prefix("~/"), path.strip_prefix('/')) {
            (Some(rest), _) => home.join(rest),
            // What lies elsewhere stays within the folder.
            (_, Some(rest)) => folder.join("root").join(rest),
            _ => home.join("shop").join(path),
        };
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        match text.strip_prefix("-> ") {
            #[cfg(unix)]
            Some(target) => std::os::unix::fs::symlink(target, path)?,
            #[cfg(not(unix))]
            Some(_) => {}
            None => fs::write(path, written_out(text))?,
        }
    }
    Ok(())
}
