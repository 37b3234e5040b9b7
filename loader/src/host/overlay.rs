//! A file tree with some texts replaced: what an editor holds, or standard input.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::{Entry, Host, HostError, Kind, Metadata};
use crate::path::AbsPath;

/// Another host with some files in place of its own, or added to its directories. What a directory
/// holds is asked for once: an overlay is made for one look at the tree.
pub struct Overlay<'h> {
    host: &'h dyn Host,
    files: FxHashMap<AbsPath, Arc<[u8]>>,
    listed: Mutex<FxHashMap<AbsPath, Result<Vec<Entry>, HostError>>>,
}

impl<'h> Overlay<'h> {
    /// The host as it is.
    #[must_use]
    pub fn new(host: &'h dyn Host) -> Self {
        Self {
            host,
            files: FxHashMap::default(),
            listed: Mutex::default(),
        }
    }

    /// Puts bytes in the place of a file, under its own name and its real one. The directory must
    /// be there.
    pub fn put(&mut self, path: &AbsPath, bytes: impl Into<Arc<[u8]>>) {
        let bytes = bytes.into();
        let real = self.canonicalize(path);
        for name in [Some(path.clone()), real.ok()].into_iter().flatten() {
            self.files.insert(name, Arc::clone(&bytes));
        }
    }

    /// Takes a text away again.
    pub fn remove(&mut self, path: &AbsPath) {
        let real = self.canonicalize(path);
        self.files.remove(path);
        if let Ok(real) = real {
            self.files.remove(&real);
        }
    }
}

impl std::fmt::Debug for Overlay<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Overlay")
            .field("files", &self.files.len())
            .finish_non_exhaustive()
    }
}

impl Host for Overlay<'_> {
    fn metadata(&self, path: &AbsPath) -> Result<Metadata, HostError> {
        match self.files.get(path) {
            Some(bytes) => Ok(Metadata {
                kind: Kind::File,
                len: bytes.len() as u64,
            }),
            None => self.host.metadata(path),
        }
    }

    fn is_link(&self, path: &AbsPath) -> bool {
        self.host.is_link(path)
    }

    fn read(&self, path: &AbsPath, bound: u64) -> Result<Arc<[u8]>, HostError> {
        match self.files.get(path) {
            Some(bytes) if bytes.len() as u64 > bound => Err(HostError::TooLarge {
                len: bytes.len() as u64,
                bound,
            }),
            Some(bytes) => Ok(Arc::clone(bytes)),
            None => self.host.read(path, bound),
        }
    }

    fn read_dir(&self, path: &AbsPath) -> Result<Vec<Entry>, HostError> {
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        let known = listed.entry(path.clone());
        let mut entries = known.or_insert_with(|| self.host.read_dir(path)).clone()?;
        drop(listed);
        let mut added: Vec<&str> = self
            .files
            .keys()
            .filter(|file| file.parent().as_ref() == Some(path))
            .map(AbsPath::file_name)
            .filter(|name| !entries.iter().any(|entry| entry.name == *name))
            .collect();
        added.sort_unstable();
        entries.extend(added.into_iter().map(|name| Entry {
            name: name.to_owned(),
            utf8: true,
            link: false,
            kind: Some(Kind::File),
        }));
        Ok(entries)
    }

    fn canonicalize(&self, path: &AbsPath) -> Result<AbsPath, HostError> {
        match self.host.canonicalize(path) {
            Err(HostError::NotFound) if !self.host.is_link(path) => {
                let parent = path.parent().ok_or(HostError::NotFound)?;
                match self.files.contains_key(path) {
                    true => Ok(self.host.canonicalize(&parent)?.child(path.file_name())),
                    false => Err(HostError::NotFound),
                }
            }
            answer => answer,
        }
    }

    fn folds_case(&self) -> bool {
        self.host.folds_case()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::MemoryHost;
    use crate::origin::Origin;
    use crate::session::Session;

    fn abs(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    /// An editor's text counts in place of the file, also of a rule behind a link, and a file that is
    /// not saved yet is found by those that list its folder.
    #[test]
    fn texts_take_the_place_of_files() {
        let mut host = MemoryHost::new();
        host.file(&abs("/p/CLAUDE.md"), *b"@a.md\n");
        host.file(&abs("/p/a.md"), *b"old\n");
        host.file(&abs("/p/shared/r.md"), *b"old rule\n");
        host.link(&abs("/p/.claude/rules/r.md"), "/p/shared/r.md");
        let mut overlay = Overlay::new(&host);
        overlay.put(&abs("/p/a.md"), *b"new\n");
        overlay.put(&abs("/p/.claude/rules/r.md"), *b"new rule\n");
        overlay.put(&abs("/p/.claude/rules/s.md"), *b"added\n");
        let texts = |host: &dyn Host| {
            let session = Session::start(host, Origin::new(abs("/p"), abs("/h")));
            let layers = session.deliveries()[0].layers.iter();
            layers.map(|layer| layer.text.clone()).collect::<Vec<_>>()
        };
        assert_eq!(texts(&overlay), ["@a.md", "new", "new rule", "added"]);
        overlay.remove(&abs("/p/.claude/rules/r.md"));
        overlay.remove(&abs("/p/.claude/rules/s.md"));
        overlay.remove(&abs("/p/a.md"));
        assert_eq!(texts(&overlay), texts(&host));
    }
}
