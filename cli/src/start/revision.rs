//! The files of a repository as they were at a commit: a host over what git prints.

use std::ffi::OsStr;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use outcrop_loader::host::{DiskHost, Entry, Host, HostError, MemoryHost, Metadata};
use outcrop_loader::path::AbsPath;
use rustc_hash::{FxHashMap, FxHashSet};

/// A repository's files at a commit. Files that git does not track, and all files elsewhere, are
/// those of the disk.
pub(crate) struct Revision {
    disk: DiskHost,
    root: AbsPath,
    /// The files of the commit; each holds its object's name and length instead of its bytes.
    tree: MemoryHost,
    /// Paths that git tracks now.
    tracked: FxHashSet<AbsPath>,
    read: Mutex<FxHashMap<AbsPath, Arc<[u8]>>>,
    /// The commit's name.
    pub(crate) commit: String,
    /// When it was committed, as RFC 3339 has it.
    pub(crate) committed: String,
    /// The branch that it was looked for on.
    pub(crate) branch: String,
}

impl Revision {
    /// The files of the newest commit of the current branch that is not younger than a time, in
    /// milliseconds since 1970. Else why there is none.
    pub(crate) fn at(directory: &AbsPath, time: i64) -> Result<Self, String> {
        let git = |args: &[&str]| text(directory, args);
        let root = git(&["rev-parse", "--show-toplevel"])?;
        let root = root.as_deref().and_then(AbsPath::new);
        let Some(root) = root else {
            return Err(format!("{directory} lies in no git repository"));
        };
        let before = format!("--before=@{}", time.div_euclid(1000));
        let Some(commit) =
            git(&["rev-list", "-1", &before, "HEAD"])?.filter(|name| !name.is_empty())
        else {
            return Err("no commit of the current branch is as old as the session".to_owned());
        };
        let committed = git(&["show", "--no-patch", "--format=%cI", &commit])?;
        let branch = git(&["branch", "--show-current"])?.filter(|branch| !branch.is_empty());
        let listed = |args: &[&str]| bytes(&root, args)?.ok_or("git lists no files".to_owned());
        let tree = listed(&["ls-tree", "-r", "-l", "-z", "--full-tree", &commit])?;
        let tracked = listed(&["ls-files", "--stage", "-z"])?;
        let mut revision = Self {
            disk: DiskHost::new(),
            tree: MemoryHost::new(),
            tracked: tracked
                .split(|byte| *byte == 0)
                .filter_map(|line| entry(line))
                .filter(|(fields, _)| fields.first() != Some(&SUBMODULE))
                .map(|(_, path)| root.join(path))
                .collect(),
            root,
            read: Mutex::default(),
            commit,
            committed: committed.unwrap_or_default(),
            branch: branch.unwrap_or_else(|| "HEAD".to_owned()),
        };
        revision.take(&tree)?;
        Ok(revision)
    }

    fn take(&mut self, listing: &[u8]) -> Result<(), String> {
        self.tree.dir(&self.root);
        for line in listing.split(|byte| *byte == 0) {
            let Some((fields, path)) = entry(line) else {
                continue;
            };
            let path = self.root.join(path);
            match fields[..] {
                ["120000", _, object, _] => {
                    let target = bytes(&self.root, &["cat-file", "blob", object])?;
                    let target = target.unwrap_or_default();
                    self.tree.link(&path, &String::from_utf8_lossy(&target));
                }
                [mode, _, object, length] if mode != SUBMODULE => {
                    let held = format!("{object} {length}").into_bytes();
                    self.tree.file(&path, held);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn place(&self, path: &AbsPath) -> Where {
        let is_git = |path: &AbsPath| {
            let below = path.below(&self.root).unwrap_or_default();
            below == ".git" || below.starts_with(".git/")
        };
        if !path.is_within(&self.root) || is_git(path) {
            Where::Disk
        } else if self.tree.metadata(path).is_ok() || self.tree.is_link(path) {
            Where::Tree
        } else if self.tracked.contains(path) {
            Where::Nowhere
        } else {
            Where::Disk
        }
    }

    /// What the tree says of a file in place of its bytes.
    fn held(&self, path: &AbsPath) -> Result<(String, u64), HostError> {
        let held = self.tree.read(path, u64::MAX)?;
        let held = String::from_utf8_lossy(&held).into_owned();
        let (object, length) = held.split_once(' ').ok_or(HostError::NotFound)?;
        Ok((object.to_owned(), length.parse().unwrap_or(0)))
    }
}

/// How git marks a repository within a repository.
const SUBMODULE: &str = "160000";

enum Where {
    Tree,
    Disk,
    /// Added after the commit.
    Nowhere,
}

impl Host for Revision {
    fn metadata(&self, path: &AbsPath) -> Result<Metadata, HostError> {
        match self.place(path) {
            Where::Disk => self.disk.metadata(path),
            Where::Nowhere => Err(HostError::NotFound),
            Where::Tree => {
                let mut metadata = self.tree.metadata(path)?;
                if let Ok((_, length)) = self.held(path) {
                    metadata.len = length;
                }
                Ok(metadata)
            }
        }
    }

    fn is_link(&self, path: &AbsPath) -> bool {
        match self.place(path) {
            Where::Disk => self.disk.is_link(path),
            Where::Nowhere => false,
            Where::Tree => self.tree.is_link(path),
        }
    }

    fn read(&self, path: &AbsPath, bound: u64) -> Result<Arc<[u8]>, HostError> {
        match self.place(path) {
            Where::Disk => return self.disk.read(path, bound),
            Where::Nowhere => return Err(HostError::NotFound),
            Where::Tree => {}
        }
        let (object, len) = self.held(path)?;
        if len > bound {
            return Err(HostError::TooLarge { len, bound });
        }
        let known = |error| HostError::Refused(error);
        let lock = || {
            self.read
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner)
        };
        if let Some(bytes) = lock().get(path) {
            return Ok(Arc::clone(bytes));
        }
        let read = bytes(&self.root, &["cat-file", "blob", &object]).map_err(known)?;
        let read = read.ok_or_else(|| known(format!("git does not give object {object}")))?;
        let read: Arc<[u8]> = read.into();
        lock().insert(path.clone(), Arc::clone(&read));
        Ok(read)
    }

    fn read_dir(&self, path: &AbsPath) -> Result<Vec<Entry>, HostError> {
        let on_disk = self.disk.read_dir(path);
        let Where::Tree = self.place(path) else {
            let mut entries = on_disk?;
            entries.retain(|entry| !self.tracked.contains(&path.child(&entry.name)));
            return Ok(entries);
        };
        let mut entries = self.tree.read_dir(path)?;
        let names: FxHashSet<String> = entries.iter().map(|entry| entry.name.clone()).collect();
        let real = self.canonicalize(path)?;
        let untracked = on_disk.unwrap_or_default().into_iter().filter(|entry| {
            !names.contains(&entry.name) && !self.tracked.contains(&real.child(&entry.name))
        });
        entries.extend(untracked);
        Ok(entries)
    }

    fn canonicalize(&self, path: &AbsPath) -> Result<AbsPath, HostError> {
        match self.place(path) {
            Where::Disk => self.disk.canonicalize(path),
            Where::Nowhere => Err(HostError::NotFound),
            Where::Tree => self.tree.canonicalize(path),
        }
    }

    fn folds_case(&self) -> bool {
        self.disk.folds_case()
    }
}

/// A line of a listing: what stands before the tab, word by word, and the path.
fn entry(line: &[u8]) -> Option<(Vec<&str>, &str)> {
    let (fields, path) = std::str::from_utf8(line).ok()?.split_once('\t')?;
    Some((fields.split_whitespace().collect(), path))
}

/// What git prints, if it succeeds. Nothing of the repository is changed: it takes no locks, and
/// runs no program of the repository's.
fn bytes(directory: &AbsPath, args: &[&str]) -> Result<Option<Vec<u8>>, String> {
    let mut command = Command::new("git");
    command
        .args(["--no-optional-locks", "-c", "core.fsmonitor=false"])
        .args(args.iter().map(OsStr::new))
        .current_dir(directory.as_str())
        .stdin(Stdio::null());
    let output = command.output();
    let output = output.map_err(|error| format!("git cannot be run: {error}"))?;
    Ok(output.status.success().then_some(output.stdout))
}

fn text(directory: &AbsPath, args: &[&str]) -> Result<Option<String>, String> {
    let text = bytes(directory, args)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(text.map(|text| text.trim_end().to_owned()))
}
