//! The disk as a client in a private mount namespace sees it: one folder stands in the place of
//! the managed one. A prediction for such a client is made on this host.

use std::sync::Arc;

use outcrop_loader::host::{Entry, Host, HostError, Metadata};
use outcrop_loader::path::AbsPath;

/// A host in which a folder stands in another place.
pub struct View<'h> {
    host: &'h dyn Host,
    /// The folder, and the place in which it stands.
    moved: Option<(AbsPath, AbsPath)>,
}

impl<'h> View<'h> {
    /// `host` as it is.
    #[must_use]
    pub fn plain(host: &'h dyn Host) -> Self {
        Self { host, moved: None }
    }

    /// `host` with `folder` in `place`, where links are resolved.
    #[must_use]
    pub fn new(host: &'h dyn Host, folder: &AbsPath, place: AbsPath) -> Self {
        let folder = host.canonicalize(folder).unwrap_or_else(|_| folder.clone());
        Self {
            host,
            moved: Some((folder, place)),
        }
    }

    /// Where the bytes of `path` are.
    fn real(&self, path: &AbsPath) -> AbsPath {
        let Some((folder, place)) = &self.moved else {
            return path.clone();
        };
        match path.below(place) {
            Some("") => folder.clone(),
            Some(below) => folder.join(below),
            None => path.clone(),
        }
    }
}

impl Host for View<'_> {
    fn metadata(&self, path: &AbsPath) -> Result<Metadata, HostError> {
        self.host.metadata(&self.real(path))
    }

    fn is_link(&self, path: &AbsPath) -> bool {
        self.host.is_link(&self.real(path))
    }

    fn read(&self, path: &AbsPath, bound: u64) -> Result<Arc<[u8]>, HostError> {
        self.host.read(&self.real(path), bound)
    }

    fn read_dir(&self, path: &AbsPath) -> Result<Vec<Entry>, HostError> {
        self.host.read_dir(&self.real(path))
    }

    fn canonicalize(&self, path: &AbsPath) -> Result<AbsPath, HostError> {
        let real = self.host.canonicalize(&self.real(path))?;
        let Some((folder, place)) = &self.moved else {
            return Ok(real);
        };
        // What is reached by the folder's own name keeps it: both names are there.
        if !path.is_within(place) {
            return Ok(real);
        }
        Ok(match real.below(folder) {
            Some("") => place.clone(),
            Some(below) => place.join(below),
            None => real,
        })
    }

    fn folds_case(&self) -> bool {
        self.host.folds_case()
    }
}
