//! Every file below a directory, as git would list them.

use ignore::gitignore::Gitignore;

use crate::host::{Host, Kind};
use crate::ignored::{ignore_file, is_ignored};
use crate::limits;
use crate::path::AbsPath;

/// The files below a directory that git does not ignore.
#[derive(Debug, Default)]
pub struct Tree {
    /// Their paths from the directory, folder by folder.
    pub files: Vec<String>,
    /// Whether a bound ended the search.
    pub truncated: bool,
}

impl Tree {
    pub(super) fn of(host: &dyn Host, directory: &AbsPath) -> Self {
        let mut walk = Walk {
            host,
            tree: Self::default(),
            looked_at: 0,
            bound: limits::SEARCH_ENTRIES,
        };
        walk.folder(directory, "", &[], 0);
        walk.tree
    }

    /// The files below some folders, as far as `bound` entries reach, by their paths from
    /// `directory`.
    pub(super) fn below(
        host: &dyn Host,
        directory: &AbsPath,
        folders: &[AbsPath],
        bound: usize,
    ) -> Vec<String> {
        let mut walk = Walk {
            host,
            tree: Self::default(),
            looked_at: 0,
            bound,
        };
        for folder in folders {
            if let Some(below) = folder.below(directory) {
                walk.folder(folder, &format!("{below}/"), &[], 0);
            }
        }
        walk.tree.files
    }
}

struct Walk<'h> {
    host: &'h dyn Host,
    tree: Tree,
    looked_at: usize,
    bound: usize,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &AbsPath, prefix: &str, outer: &[&Gitignore], depth: usize) {
        let Ok(mut entries) = self.host.read_dir(folder) else {
            return;
        };
        self.looked_at += entries.len();
        if depth > limits::SEARCH_DEPTH || self.looked_at > self.bound {
            self.tree.truncated = true;
            return;
        }
        entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        let has_file = entries.iter().any(|entry| entry.name == ".gitignore");
        let own = has_file.then(|| ignore_file(self.host, folder)).flatten();
        let mut ignores: Vec<&Gitignore> = outer.to_vec();
        ignores.extend(own.as_ref());
        for entry in entries.iter().filter(|entry| entry.utf8) {
            let path = folder.child(&entry.name);
            let name = format!("{prefix}{}", entry.name);
            match entry.kind {
                Some(Kind::Directory) if entry.name == ".git" => {}
                Some(Kind::Directory) => {
                    if !is_ignored(&ignores, &path) {
                        self.folder(&path, &format!("{name}/"), &ignores, depth + 1);
                    }
                }
                // A link to a file is read as one; folders behind links are not followed.
                Some(Kind::File) | None => self.tree.files.push(name),
                Some(Kind::Special) => {}
            }
        }
    }
}
