//! Every file below a folder.

use super::{Host, Kind};
use crate::limits;
use crate::path::AbsPath;

/// A file and its place.
pub(crate) struct Below {
    pub(crate) path: AbsPath,
    /// The names of the folders between, then its own.
    pub(crate) place: Vec<String>,
}

/// The files below a folder, links followed, as the directories list them. A loop of links ends
/// where it comes back; more files than [`limits::CANDIDATES`] are not looked at.
pub(crate) fn files_below(host: &dyn Host, folder: &AbsPath) -> Vec<Below> {
    let mut search = Search {
        host,
        above: Vec::new(),
        place: Vec::new(),
        files: Vec::new(),
    };
    search.folder(folder);
    search.files
}

struct Search<'h> {
    host: &'h dyn Host,
    /// The real paths of the folders on the way.
    above: Vec<AbsPath>,
    place: Vec<String>,
    files: Vec<Below>,
}

impl Search<'_> {
    fn folder(&mut self, folder: &AbsPath) {
        let Ok(entries) = self.host.read_dir(folder) else {
            return;
        };
        let Ok(real) = self.host.canonicalize(folder) else {
            return;
        };
        let too_much =
            self.above.len() > limits::RULES_DEPTH || self.files.len() > limits::CANDIDATES;
        if too_much || self.above.contains(&real) {
            return;
        }
        self.above.push(real);
        for entry in entries.into_iter().filter(|entry| entry.utf8) {
            let path = folder.child(&entry.name);
            let kind = self.host.metadata(&path).map(|meta| meta.kind);
            self.place.push(entry.name);
            match kind {
                Ok(Kind::Directory) => self.folder(&path),
                Ok(Kind::File) => self.files.push(Below {
                    path,
                    place: self.place.clone(),
                }),
                _ => {}
            }
            self.place.pop();
        }
        self.above.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::MemoryHost;

    /// Two links in each of two folders would be followed without end.
    #[test]
    fn loops_of_links_end() {
        let abs = |text: &str| AbsPath::new(text).unwrap();
        let mut host = MemoryHost::new();
        host.file(&abs("/c/a/f.md"), *b"F");
        host.file(&abs("/c/b/g.md"), *b"G");
        for link in ["/c/a/x", "/c/a/y"] {
            host.link(&abs(link), "/c/b");
        }
        for link in ["/c/b/x", "/c/b/y"] {
            host.link(&abs(link), "/c/a");
        }
        let files = files_below(&host, &abs("/c"));
        let mut places: Vec<String> = files.iter().map(|file| file.place.join("/")).collect();
        places.sort();
        assert_eq!(
            places,
            [
                "a/f.md", "a/x/g.md", "a/y/g.md", "b/g.md", "b/x/f.md", "b/y/f.md"
            ]
        );
    }
}
