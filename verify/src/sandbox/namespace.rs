//! A private mount namespace: the client's changes are thrown away, and a folder can stand in
//! for the managed one.
//!
//! The programs `unshare` and `mount` of util-linux do the work, since the calls themselves have
//! no safe form that fits between fork and exec.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use thiserror::Error;

use crate::shell;

/// Why there can be no private mount namespace.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no private mount namespace can be made: {0}")]
pub struct Unavailable(String);

/// What differs in the client's view of the disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Namespace {
    /// Folders below which changes are thrown away. One that is not there is left out.
    pub discard: Vec<PathBuf>,
    /// Files that read as an empty JSON object, such as stored credentials.
    pub hide: Vec<PathBuf>,
    /// A folder that stands in for the managed one, and where that is.
    pub managed: Option<(PathBuf, PathBuf)>,
}

impl Namespace {
    /// Whether a namespace like this can be made here, tried once a process.
    ///
    /// # Errors
    /// What the system said.
    pub fn available() -> Result<(), Unavailable> {
        privilege().clone().map(|_| ())
    }

    /// Whether the client would see the disk as it is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The words to put before a command so that it runs in `cwd` with this view.
    /// `scratch` is an empty folder for the layers, outside the folders named.
    ///
    /// # Errors
    /// When no namespace can be made here, or a path cannot be written in a shell line.
    pub fn prefix(&self, scratch: &Path, cwd: &Path) -> Result<Vec<String>, Unavailable> {
        let rootless = privilege().clone()?;
        let script = self.script(scratch, cwd, rootless)?;
        let mut words = unshare(rootless);
        words.extend(["-c".to_owned(), script, "sh".to_owned()]);
        Ok(words)
    }

    fn script(&self, scratch: &Path, cwd: &Path, rootless: bool) -> Result<String, Unavailable> {
        let mut script = Script::new(scratch, rootless)?;
        for folder in &self.discard {
            let Ok(folder) = fs::canonicalize(folder) else {
                continue;
            };
            if scratch.starts_with(&folder) && folder != Path::new("/") {
                let folder = folder.display();
                let why = format!("the temporary folder lies in {folder}; set TMPDIR elsewhere");
                return Err(Unavailable(why));
            }
            script.discard(&folder)?;
        }
        for file in self.hide.iter().filter(|file| file.exists()) {
            script.hide(file)?;
        }
        if let Some((folder, place)) = &self.managed {
            script.stand_in(folder, place)?;
        }
        // The client is to find its directory by its real path, as without a shell in between.
        script.line(&format!("cd -P {}", quoted(cwd)?));
        script.line("exec \"$@\"");
        Ok(script.text)
    }
}

/// Whether a namespace needs a user namespace around it: it does for anyone but root.
fn privilege() -> &'static Result<bool, Unavailable> {
    static PRIVILEGE: OnceLock<Result<bool, Unavailable>> = OnceLock::new();
    PRIVILEGE.get_or_init(|| {
        let first = probe(false);
        if first.is_ok() {
            return Ok(false);
        }
        probe(true).map(|()| true)
    })
}

fn unshare(rootless: bool) -> Vec<String> {
    let mut words = vec!["unshare", "--mount", "--propagation", "private"];
    if rootless {
        words.push("--map-root-user");
    }
    words.push("sh");
    words.into_iter().map(str::to_owned).collect()
}

/// Makes a namespace with one layer and ends it.
fn probe(rootless: bool) -> Result<(), Unavailable> {
    if !cfg!(target_os = "linux") {
        return Err(Unavailable("it is a feature of Linux".to_owned()));
    }
    let failed = |error: &dyn std::fmt::Display| Unavailable(error.to_string());
    let folder = tempfile::tempdir().map_err(|error| failed(&error))?;
    let (scratch, below) = (folder.path().join("scratch"), folder.path().join("below"));
    for folder in [&scratch, &below] {
        fs::create_dir(folder).map_err(|error| failed(&error))?;
    }
    let mut script = Script::new(&scratch, rootless)?;
    script.discard(&below)?;
    script.line(&format!("echo x > {}/x", quoted(&below)?));
    let words = unshare(rootless);
    let output = Command::new(&words[0])
        .args(&words[1..])
        .args(["-c", &script.text])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Unavailable(format!("unshare: {error}")))?;
    let leaked = below.join("x").exists();
    if output.status.success() && !leaked {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(Unavailable(said.trim().replace('\n', "; ")))
}

struct Script {
    text: String,
    scratch: String,
    layers: usize,
    /// Layers made without privilege keep their marks in other attributes.
    options: &'static str,
}

impl Script {
    fn new(scratch: &Path, rootless: bool) -> Result<Self, Unavailable> {
        let path = scratch.to_string_lossy();
        // These mean something in the options of a mount.
        if path.contains([',', ':', '\\']) {
            return Err(Unavailable(format!(
                "the temporary folder {path} has a name that a mount cannot take"
            )));
        }
        let scratch = quoted(scratch)?;
        let mut script = Self {
            text: String::new(),
            layers: 0,
            options: if rootless { ",userxattr" } else { "" },
            scratch,
        };
        script.line("set -e");
        let scratch = script.scratch.clone();
        // Layers may lie on no layered file system themselves; memory always does.
        script.line(&format!("mount -t tmpfs tmpfs {scratch}"));
        Ok(script)
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A layer over `folder`, and the folder itself as it was, below the scratch folder.
    fn layer(&mut self, folder: &Path) -> Result<String, Unavailable> {
        self.layers += 1;
        let layer = format!("{}/{}", self.scratch, self.layers);
        let folder = quoted(folder)?;
        self.line(&format!(
            "mkdir {layer} {layer}/lower {layer}/upper {layer}/work"
        ));
        self.line(&format!("mount --rbind {folder} {layer}/lower"));
        let options = self.options;
        self.line(&format!(
            "mount -t overlay -o lowerdir={layer}/lower,upperdir={layer}/upper,workdir={layer}/work{options} overlay {folder}"
        ));
        Ok(layer)
    }

    /// Throws away what is changed below `folder`.
    fn discard(&mut self, folder: &Path) -> Result<(), Unavailable> {
        let layer = self.layer(folder)?;
        // A layer shows one file system; others below it are put back, to be read only.
        for mount in mounts_below(folder) {
            let (place, below) = (quoted(&mount)?, mount.strip_prefix(folder));
            let below = quoted(below.unwrap_or(&mount))?;
            self.line(&format!("mount --bind {layer}/lower/{below} {place}"));
            self.line(&format!("mount -o remount,bind,ro {place}"));
        }
        Ok(())
    }

    fn hide(&mut self, file: &Path) -> Result<(), Unavailable> {
        let (scratch, file) = (self.scratch.clone(), quoted(file)?);
        self.line(&format!("echo '{{}}' > {scratch}/empty"));
        self.line(&format!("mount --bind {scratch}/empty {file}"));
        Ok(())
    }

    /// `folder` in the place of another, which need not be there.
    fn stand_in(&mut self, folder: &Path, place: &Path) -> Result<(), Unavailable> {
        if !place.is_dir() {
            let above = place.parent().filter(|above| above.is_dir());
            let Some(above) = above else {
                let place = place.display();
                return Err(Unavailable(format!("{place} cannot be made")));
            };
            self.layer(above)?;
        }
        let (folder, place) = (quoted(folder)?, quoted(place)?);
        self.line(&format!("mkdir -p {place}"));
        self.line(&format!("mount --bind {folder} {place}"));
        Ok(())
    }
}

/// A path as one word of a shell.
fn quoted(path: &Path) -> Result<String, Unavailable> {
    let text = path.to_str();
    let text = text.ok_or_else(|| Unavailable(format!("{} is not UTF-8", path.display())))?;
    Ok(shell::word(text))
}

/// The places below `folder` where other file systems are mounted, outer ones first.
fn mounts_below(folder: &Path) -> Vec<PathBuf> {
    let table = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let places = table.lines().filter_map(|line| line.split(' ').nth(4));
    let mut places: Vec<PathBuf> = places
        .map(|place| PathBuf::from(unescaped(place)))
        .filter(|place| place.starts_with(folder) && place != folder)
        .collect();
    places.sort();
    places.dedup();
    places
}

/// The kernel writes blanks and backslashes in this table as octal numbers.
fn unescaped(text: &str) -> String {
    let mut plain = text.to_owned();
    for (escape, letter) in [
        ("\\040", " "),
        ("\\011", "\t"),
        ("\\012", "\n"),
        ("\\134", "\\"),
    ] {
        plain = plain.replace(escape, letter);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_one_word() {
        assert_eq!(quoted(Path::new("/a b/it's")).unwrap(), r"'/a b/it'\''s'");
        assert_eq!(unescaped(r"/a\040b\134"), r"/a b\");
    }
}
