//! A file tree in memory: for tests, for other revisions, for other platforms' paths.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Entry, Host, HostError, Kind, Metadata};
use crate::limits;
use crate::path::AbsPath;

/// How many symbolic links one path may pass through, as on Linux.
const LINK_LIMIT: usize = 40;

#[derive(Clone, Debug)]
enum Node {
    File(Arc<[u8]>),
    Directory(Vec<String>),
    Link(String),
    Special,
    Unreadable,
}

/// A file tree in memory. Directories list their entries in the order in which they
/// were added, unless [`MemoryHost::order`] says otherwise.
#[derive(Clone, Debug, Default)]
pub struct MemoryHost {
    nodes: FxHashMap<AbsPath, Node>,
    /// A link was added, so that a name found need not be a real path.
    has_links: bool,
    folds_case: bool,
}

impl MemoryHost {
    /// An empty tree.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes names that differ in ASCII letter case only one file, as on macOS and Windows.
    #[must_use]
    pub fn folding_case(mut self) -> Self {
        self.folds_case = true;
        self
    }

    /// A copy of `folder` of another host at the same path, to be changed at will.
    ///
    /// Listings keep their order. Links are copied as links to the real path of what they lead
    /// to, which is copied only where it lies in the folder too; one that leads nowhere dangles.
    /// A file that cannot be read, or has more than [`limits::FILE_BYTES`], is unreadable here.
    ///
    /// # Errors
    /// What [`Host::read_dir`] says of `folder`, or [`HostError::Refused`] when more than
    /// `entries` files and folders lie in it.
    pub fn copy_of(host: &dyn Host, folder: &AbsPath, entries: usize) -> Result<Self, HostError> {
        let mut copy = Self::new();
        copy.folds_case = host.folds_case();
        copy.dir(folder);
        let mut folders = vec![(folder.clone(), host.read_dir(folder)?)];
        let mut left = entries;
        while let Some((folder, listing)) = folders.pop() {
            for entry in listing {
                let refused = || HostError::Refused(format!("more than {entries} entries"));
                left = left.checked_sub(1).ok_or_else(refused)?;
                let path = folder.child(&entry.name);
                match entry.kind {
                    None => copy.copy_link(host, &path),
                    Some(Kind::Special) => copy.special(&path),
                    Some(Kind::File) => match host.read(&path, limits::FILE_BYTES) {
                        Ok(bytes) => copy.file(&path, bytes),
                        Err(_) => copy.unreadable(&path),
                    },
                    Some(Kind::Directory) => {
                        copy.dir(&path);
                        folders.push((path.clone(), host.read_dir(&path).unwrap_or_default()));
                    }
                }
            }
        }
        Ok(copy)
    }

    fn copy_link(&mut self, host: &dyn Host, path: &AbsPath) {
        match host.canonicalize(path) {
            Ok(real) => self.link(path, real.as_str()),
            // A loop dangles as well.
            Err(_) => self.link(path, path.file_name()),
        }
    }

    /// Adds or replaces a file; directories above it are made.
    pub fn file(&mut self, path: &AbsPath, bytes: impl Into<Arc<[u8]>>) {
        self.put(path, Node::File(bytes.into()));
    }

    /// Adds a directory and those above it.
    pub fn dir(&mut self, path: &AbsPath) {
        if !matches!(self.nodes.get(path), Some(Node::Directory(_))) {
            self.put(path, Node::Directory(Vec::new()));
        }
    }

    /// Adds a symbolic link; a relative `target` starts at the link's directory.
    pub fn link(&mut self, path: &AbsPath, target: &str) {
        self.has_links = true;
        self.put(path, Node::Link(target.to_owned()));
    }

    /// Adds a FIFO, socket or device.
    pub fn special(&mut self, path: &AbsPath) {
        self.put(path, Node::Special);
    }

    /// Adds a file that the system refuses to read.
    pub fn unreadable(&mut self, path: &AbsPath) {
        self.put(path, Node::Unreadable);
    }

    /// Removes a file, or a directory with all below it.
    pub fn remove(&mut self, path: &AbsPath) {
        self.nodes.retain(|known, _| !known.is_within(path));
        if let Some(parent) = path.parent()
            && let Some(Node::Directory(names)) = self.nodes.get_mut(&parent)
        {
            names.retain(|name| name != path.file_name());
        }
    }

    /// Sets the order in which `dir` lists the entries named; others follow.
    pub fn order(&mut self, dir: &AbsPath, names: &[String]) {
        if let Some(Node::Directory(known)) = self.nodes.get_mut(dir) {
            known.sort_by_key(|name| names.iter().position(|n| n == name).unwrap_or(usize::MAX));
        }
    }

    fn put(&mut self, path: &AbsPath, node: Node) {
        let is_new = self.nodes.insert(path.clone(), node).is_none();
        if !is_new {
            return;
        }
        let Some(parent) = path.parent() else { return };
        self.dir(&parent);
        if let Some(Node::Directory(names)) = self.nodes.get_mut(&parent) {
            names.push(path.file_name().to_owned());
        }
    }

    fn node(&self, path: &AbsPath) -> Option<(AbsPath, &Node)> {
        if let Some(node) = self.nodes.get(path) {
            return Some((path.clone(), node));
        }
        if !self.folds_case {
            return None;
        }
        let parent = path.parent()?;
        let (parent, node) = self.node(&parent)?;
        let Node::Directory(names) = node else {
            return None;
        };
        let name = names
            .iter()
            .find(|name| name.eq_ignore_ascii_case(path.file_name()))?;
        let real = parent.child(name);
        self.nodes.get(&real).map(|node| (real, node))
    }

    /// The path with links resolved, and its node.
    fn resolve(&self, path: &AbsPath) -> Result<(AbsPath, &Node), HostError> {
        if !self.has_links && !self.folds_case {
            let node = self.nodes.get(path).ok_or(HostError::NotFound)?;
            return Ok((path.clone(), node));
        }
        let mut links = 0;
        let mut todo: Vec<AbsPath> = path.ancestors().collect();
        let mut real = todo.pop().ok_or(HostError::NotFound)?;
        let mut names: Vec<String> = todo
            .iter()
            .map(|part| part.file_name().to_owned())
            .collect();
        while let Some(name) = names.pop() {
            if name.is_empty() {
                let is_directory = matches!(self.node(&real), Some((_, Node::Directory(_))));
                if is_directory {
                    continue;
                }
                return Err(HostError::NotFound);
            }
            let next = real.child(&name);
            let (next, node) = self.node(&next).ok_or(HostError::NotFound)?;
            match node {
                Node::Link(target) => {
                    links += 1;
                    if links > LINK_LIMIT {
                        return Err(HostError::Loop);
                    }
                    // Such a target must be a directory, which an empty name stands for.
                    if target.ends_with('/') || target.ends_with("/.") {
                        names.push(String::new());
                    }
                    let target = real.join(target);
                    let mut parts: Vec<AbsPath> = target.ancestors().collect();
                    real = parts.pop().ok_or(HostError::NotFound)?;
                    names.extend(parts.iter().map(|part| part.file_name().to_owned()));
                }
                _ => real = next,
            }
        }
        let (real, node) = self.node(&real).ok_or(HostError::NotFound)?;
        Ok((real, node))
    }
}

impl Host for MemoryHost {
    fn metadata(&self, path: &AbsPath) -> Result<Metadata, HostError> {
        let (kind, len) = match self.resolve(path)?.1 {
            Node::File(bytes) => (Kind::File, bytes.len() as u64),
            Node::Unreadable => (Kind::File, 0),
            Node::Directory(_) => (Kind::Directory, 0),
            Node::Special | Node::Link(_) => (Kind::Special, 0),
        };
        Ok(Metadata { kind, len })
    }

    fn is_link(&self, path: &AbsPath) -> bool {
        let Some(parent) = path.parent() else {
            return false;
        };
        let Ok((parent, _)) = self.resolve(&parent) else {
            return false;
        };
        matches!(
            self.node(&parent.child(path.file_name())),
            Some((_, Node::Link(_)))
        )
    }

    fn read(&self, path: &AbsPath, bound: u64) -> Result<Arc<[u8]>, HostError> {
        match self.resolve(path)?.1 {
            Node::File(bytes) if bytes.len() as u64 > bound => Err(HostError::TooLarge {
                len: bytes.len() as u64,
                bound,
            }),
            Node::File(bytes) => Ok(Arc::clone(bytes)),
            Node::Directory(_) => Err(HostError::IsDirectory),
            Node::Special | Node::Link(_) => Err(HostError::Special),
            Node::Unreadable => Err(HostError::Refused("permission denied".to_owned())),
        }
    }

    fn read_dir(&self, path: &AbsPath) -> Result<Vec<Entry>, HostError> {
        let (real, node) = self.resolve(path)?;
        let Node::Directory(names) = node else {
            return Err(HostError::NotFound);
        };
        let entry = |name: &String| {
            let kind = match self.nodes.get(&real.child(name)) {
                Some(Node::File(_) | Node::Unreadable) => Some(Kind::File),
                Some(Node::Directory(_)) => Some(Kind::Directory),
                Some(Node::Special) => Some(Kind::Special),
                Some(Node::Link(_)) | None => None,
            };
            Entry {
                name: name.clone(),
                utf8: !name.contains('\u{FFFD}'),
                link: kind.is_none(),
                kind,
            }
        };
        Ok(names.iter().map(entry).collect())
    }

    fn canonicalize(&self, path: &AbsPath) -> Result<AbsPath, HostError> {
        self.resolve(path).map(|(real, _)| real)
    }

    fn folds_case(&self) -> bool {
        self.folds_case
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn abs(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    #[test]
    fn follows_links_in_every_part_and_ends_loops() {
        let mut host = MemoryHost::new();
        host.file(&abs("/real/d/f"), *b"text");
        host.link(&abs("/l"), "real/d");
        host.link(&abs("/real/back"), "../l/f");
        host.link(&abs("/loop"), "loop");
        host.link(&abs("/folder"), "real/d/");
        host.link(&abs("/no_folder"), "real/d/f/");
        assert_eq!(host.canonicalize(&abs("/l/f")), Ok(abs("/real/d/f")));
        assert_eq!(host.canonicalize(&abs("/real/back")), Ok(abs("/real/d/f")));
        assert_eq!(host.metadata(&abs("/loop")), Err(HostError::Loop));
        assert_eq!(host.canonicalize(&abs("/folder/f")), Ok(abs("/real/d/f")));
        assert_eq!(host.metadata(&abs("/no_folder")), Err(HostError::NotFound));
        assert!(host.is_link(&abs("/real/back")) && !host.is_link(&abs("/l/f")));
    }

    #[test]
    fn copies_a_folder_with_its_links() {
        let mut host = MemoryHost::new();
        host.file(&abs("/w/z"), *b"text");
        host.file(&abs("/w/d/a"), *b"more");
        host.dir(&abs("/w/empty"));
        host.link(&abs("/w/d/l"), "../z");
        host.link(&abs("/w/gone"), "nowhere");
        host.unreadable(&abs("/w/secret"));
        host.file(&abs("/else"), *b"");
        let copy = MemoryHost::copy_of(&host, &abs("/w"), 7).unwrap();
        assert_eq!(copy.read_dir(&abs("/w")), host.read_dir(&abs("/w")));
        assert_eq!(copy.read(&abs("/w/d/l"), 9), host.read(&abs("/w/z"), 9));
        assert!(copy.is_link(&abs("/w/d/l")) && copy.is_link(&abs("/w/gone")));
        for path in ["/w/gone", "/else", "/w/secret"] {
            assert!(copy.read(&abs(path), 9).is_err(), "{path}");
        }
        assert!(MemoryHost::copy_of(&host, &abs("/w"), 6).is_err());
        assert!(MemoryHost::copy_of(&host, &abs("/w/z"), 6).is_err());
    }

    #[test]
    fn folds_case_only_when_asked() {
        let mut host = MemoryHost::new();
        host.file(&abs("/p/Claude.md"), *b"x");
        assert_eq!(host.read(&abs("/p/CLAUDE.md"), 9), Err(HostError::NotFound));
        let host = host.folding_case();
        assert!(host.read(&abs("/p/CLAUDE.md"), 9).is_ok());
    }

    #[test]
    fn lists_in_the_order_given() {
        let mut host = MemoryHost::new();
        for name in ["a", "b", "c"] {
            host.file(&abs("/d").child(name), *b"");
        }
        host.order(&abs("/d"), &["c".to_owned(), "a".to_owned()]);
        let names: Vec<_> = host.read_dir(&abs("/d")).unwrap();
        let names: Vec<_> = names.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["c", "a", "b"]);
    }
}
