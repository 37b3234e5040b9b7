//! The version of the installed client, from files only: it is not started, and nothing is
//! asked of the network.

use std::fs;
use std::path::{Path, PathBuf};

use outcrop_loader::client::Version;
use serde::Deserialize;

/// How many folders above the program may hold its package description.
const LEVELS: usize = 4;

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
}

/// The version of the first `claude` on PATH, where its files tell it.
pub(super) fn version() -> Option<Version> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).find_map(|folder| version_in(&folder))
}

fn version_in(folder: &Path) -> Option<Version> {
    let names = if cfg!(windows) {
        ["claude.exe", "claude.cmd"].as_slice()
    } else {
        &["claude"]
    };
    names.iter().find_map(|name| {
        let program = fs::canonicalize(folder.join(name)).ok()?;
        of_program(&program)
    })
}

/// A native installation is a file named by its version; an npm one has a package description
/// above it.
fn of_program(program: &Path) -> Option<Version> {
    let name = program.file_name()?.to_str()?;
    if let Ok(version) = name.parse() {
        return Some(version);
    }
    let above = program.ancestors().skip(1).take(LEVELS);
    above
        .map(|folder| folder.join("package.json"))
        .find_map(|file| of_package(&file))
}

fn of_package(file: &PathBuf) -> Option<Version> {
    let text = fs::read_to_string(file).ok()?;
    let package: Package = serde_json::from_str(&text).ok()?;
    let ours = package.name.starts_with("@anthropic-ai/claude-code");
    ours.then(|| package.version.parse().ok()).flatten()
}
