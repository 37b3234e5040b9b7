//! A temporary home folder that holds what a session reads of the user's.
//!
//! Instruction files are links to the real ones, so that nothing is copied that may be large;
//! settings and state, which the client may write, are copies.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use outcrop_loader::origin::Origin;
use outcrop_loader::path::AbsPath;
use tempfile::TempDir;

/// Folders of the configuration folder that only the user writes.
const FOLDERS: [&str; 5] = ["rules", "skills", "agents", "commands", "output-styles"];
/// Files that the client may write.
const COPIED: [&str; 2] = ["settings.json", "settings.local.json"];
/// The folder of sessions, of which only the memory is wanted.
const SESSIONS: &str = "projects";

/// A home folder that is removed when it is dropped.
#[derive(Debug)]
pub struct Mirror {
    // Held for its end.
    _folder: TempDir,
    home: PathBuf,
    /// The configuration folder where it does not lie in the home folder.
    config: Option<PathBuf>,
}

impl Mirror {
    /// Mirrors `home`, whose configuration folder is `config` and whose state file is `state`.
    /// `wanted` are further files that a session is predicted to read; what lies below the
    /// configuration folder otherwise stays out. `memory` is the folder of the memory index.
    ///
    /// # Errors
    /// When a folder or link cannot be made, as on Windows without the right to make links.
    pub fn new(
        home: &Path,
        config: &Path,
        state: &Path,
        memory: Option<&Path>,
        wanted: &[PathBuf],
    ) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("outcrop-home-").tempdir()?;
        // The client shows real paths.
        let root = fs::canonicalize(folder.path())?;
        let new_home = root.join("home");
        let is_usual = config == home.join(".claude");
        let new_config = if is_usual {
            new_home.join(".claude")
        } else {
            root.join("config")
        };
        fs::create_dir_all(&new_home)?;
        fs::create_dir_all(&new_config)?;
        for entry in fs::read_dir(home).into_iter().flatten() {
            let path = entry?.path();
            if path != config && path != state {
                link(&path, &moved(&path, home, &new_home))?;
            }
        }
        for entry in fs::read_dir(config).into_iter().flatten() {
            let entry = entry?;
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            let is_text = path.extension().is_some_and(|extension| extension == "md");
            let is_wanted = wanted.iter().any(|wanted| wanted.starts_with(&path));
            let target = moved(&path, config, &new_config);
            if COPIED.contains(&name.as_ref()) {
                fs::copy(&path, &target)?;
            } else if name != SESSIONS && (FOLDERS.contains(&name.as_ref()) || is_text || is_wanted)
            {
                link(&path, &target)?;
            }
        }
        if let Some(memory) = memory.filter(|memory| memory.is_dir())
            && memory.starts_with(config.join(SESSIONS))
        {
            let target = moved(memory, config, &new_config);
            fs::create_dir_all(target.parent().unwrap_or(&new_config))?;
            link(memory, &target)?;
        }
        if state.is_file() {
            let folder = if is_usual { &new_home } else { &new_config };
            fs::copy(state, folder.join(".claude.json"))?;
        }
        Ok(Self {
            _folder: folder,
            home: new_home,
            config: (!is_usual).then_some(new_config),
        })
    }

    /// The temporary home folder.
    #[must_use]
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The origin with this home in place of the user's.
    #[must_use]
    pub fn origin(&self, mut origin: Origin) -> Origin {
        let absolute = |path: &Path| path.to_str().and_then(AbsPath::new);
        if let Some(home) = absolute(&self.home) {
            origin.home = home;
        }
        if let Some(config) = self.config.as_deref() {
            origin.config_dir = absolute(config);
            origin.env.remove("CLAUDE_CONFIG_DIR");
        }
        origin
    }
}

/// A path below `from` as one below `to`.
fn moved(path: &Path, from: &Path, to: &Path) -> PathBuf {
    to.join(path.strip_prefix(from).unwrap_or(path))
}

#[cfg(unix)]
fn link(target: &Path, place: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, place)
}

#[cfg(windows)]
fn link(target: &Path, place: &Path) -> io::Result<()> {
    if target.is_dir() {
        return std::os::windows::fs::symlink_dir(target, place);
    }
    std::os::windows::fs::symlink_file(target, place)
}
