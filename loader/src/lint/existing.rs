//! Whether a path that a document names is there: from its folder, from a folder above it up to the
//! root of the checkout, or as the end of any path of the tree.

use rustc_hash::{FxHashMap, FxHashSet};

use super::subject::Subject;
use crate::ignored::is_ignored_in;
use crate::path::AbsPath;

/// The paths that exist.
pub(super) struct Existing<'a, 's, 'h> {
    subject: &'a Subject<'s, 'h>,
    /// The paths of the tree, files and folders, by their last name in lower case.
    by_name: Option<FxHashMap<String, Vec<&'a str>>>,
}

impl<'a, 's, 'h> Existing<'a, 's, 'h> {
    pub(super) fn new(subject: &'a Subject<'s, 'h>) -> Self {
        Self {
            subject,
            by_name: None,
        }
    }

    /// Whether a document can be judged: the tree shows only what lies below the working directory.
    pub(super) fn can_tell(&self, document: &AbsPath) -> bool {
        let cwd = self.subject.session.cwd();
        let is_whole = cwd == self.subject.root();
        let is_below = document
            .parent()
            .is_some_and(|folder| folder.is_within(cwd));
        is_below && (is_whole || document.is_within(cwd))
    }

    /// Whether `written`, a relative path, may name something that is there. Letter case is not
    /// asked for.
    pub(super) fn may_be(&mut self, document: &AbsPath, written: &str) -> bool {
        let subject = self.subject;
        if self
            .folders(document)
            .any(|folder| exists(subject, &folder.join(written)))
        {
            return true;
        }
        let tree = subject.tree();
        if tree.truncated {
            return true;
        }
        let by_name = self.by_name.get_or_insert_with(|| names(&tree.files));
        let bare = written.trim_start_matches("./").trim_end_matches('/');
        let bare = bare.rsplit("../").next().unwrap_or(bare).to_lowercase();
        let last = bare.rsplit('/').next().unwrap_or(&bare);
        let known = by_name.get(last).into_iter().flatten();
        known.copied().any(|path| {
            let path = path.to_lowercase();
            path.strip_suffix(bare.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        })
    }

    /// Whether the first folder of `written` is there, seen from the document or a folder above.
    pub(super) fn has_folder(&self, document: &AbsPath, written: &str) -> bool {
        let bare = written.trim_start_matches("./");
        let Some((first, _)) = bare.split_once('/') else {
            return false;
        };
        self.folders(document)
            .any(|folder| is_folder(self.subject, &folder.join(first)))
    }

    /// Whether git ignores `written`, seen from the document or a folder above: it may be made later.
    pub(super) fn is_ignored(&self, document: &AbsPath, written: &str) -> bool {
        let host = self.subject.session.world().host;
        let root = self.subject.root();
        self.folders(document).any(|folder| {
            let path = folder.join(written);
            let is_in = path
                .parent()
                .is_some_and(|parent| is_ignored_in(host, root, &parent));
            is_in || is_ignored_in(host, root, &path)
        })
    }

    fn folders(&self, document: &AbsPath) -> impl Iterator<Item = AbsPath> + use<'a, 's, 'h> {
        let root = self.subject.root();
        let folder = document.parent();
        let above = folder
            .into_iter()
            .flat_map(|folder| folder.ancestors().collect::<Vec<_>>());
        above.take_while(move |folder| folder.is_within(root))
    }
}

fn exists(subject: &Subject<'_, '_>, path: &AbsPath) -> bool {
    subject.session.world().host.metadata(path).is_ok()
}

fn is_folder(subject: &Subject<'_, '_>, path: &AbsPath) -> bool {
    let meta = subject.session.world().host.metadata(path);
    meta.is_ok_and(|meta| meta.kind == crate::host::Kind::Directory)
}

/// Files and the folders that hold them.
fn names(files: &[String]) -> FxHashMap<String, Vec<&str>> {
    let mut by_name: FxHashMap<String, Vec<&str>> = FxHashMap::default();
    let mut folders: FxHashSet<&str> = FxHashSet::default();
    for file in files {
        let mut path = file.as_str();
        loop {
            let last = path.rsplit('/').next().unwrap_or(path);
            by_name.entry(last.to_lowercase()).or_default().push(path);
            match path.rsplit_once('/') {
                Some((folder, _)) if folders.insert(folder) => path = folder,
                _ => break,
            }
        }
    }
    by_name
}
