//! The installed client: its program, and its version from files only.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use outcrop_loader::client::Version;
use outcrop_loader::path::AbsPath;
use serde::Deserialize;

/// How many folders above the program may hold its package description.
const LEVELS: usize = 4;
/// Where a native installation keeps each version, below home.
const VERSIONS: &str = ".local/share/claude/versions";

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
}

/// The program of a client, links resolved.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) path: PathBuf,
}

impl Program {
    /// The first `claude` on PATH.
    pub(crate) fn on_path() -> Option<Self> {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).find_map(|folder| program_in(&folder))
    }

    /// The program that was asked for: `auto`, the path of one, or the version of one that is
    /// installed below `home`.
    pub(crate) fn asked_for(text: &str, home: &AbsPath) -> Result<Self> {
        if text == "auto" {
            let found = Self::on_path();
            return found.context("no `claude` is on PATH; name the program with --client");
        }
        if let Ok(version) = text.parse::<Version>() {
            let place = home.join(&format!("{VERSIONS}/{version}"));
            let found = Self::at(Path::new(place.as_str()));
            return found.with_context(|| {
                format!("client {version} is not at {place}; name its program with --client")
            });
        }
        let path = Path::new(text);
        let Some(program) = Self::at(path) else {
            bail!("--client {text}: there is no such program");
        };
        Ok(program)
    }

    fn at(path: &Path) -> Option<Self> {
        let path = fs::canonicalize(path).ok()?;
        path.is_file().then_some(Self { path })
    }

    /// The version where files tell it: a native installation is a file named by its version;
    /// an npm one has a package description above it.
    pub(crate) fn version(&self) -> Option<Version> {
        let name = self.path.file_name()?.to_str()?;
        if let Ok(version) = name.parse() {
            return Some(version);
        }
        let above = self.path.ancestors().skip(1).take(LEVELS);
        above
            .map(|folder| folder.join("package.json"))
            .find_map(|file| of_package(&file))
    }
}

fn program_in(folder: &Path) -> Option<Program> {
    let names = if cfg!(windows) {
        ["claude.exe", "claude.cmd"].as_slice()
    } else {
        &["claude"]
    };
    names
        .iter()
        .find_map(|name| Program::at(&folder.join(name)))
}

fn of_package(file: &PathBuf) -> Option<Version> {
    let text = fs::read_to_string(file).ok()?;
    let package: Package = serde_json::from_str(&text).ok()?;
    let ours = package.name.starts_with("@anthropic-ai/claude-code");
    ours.then(|| package.version.parse().ok()).flatten()
}
