//! Reads of the files of any tree: for tests of a hierarchy that is there already.

use proptest::collection::{SizeRange, vec};
use proptest::prelude::*;
use proptest::sample::select;

use crate::host::{Host, Kind};
use crate::path::AbsPath;

/// Which files are read, and how many.
#[derive(Clone, Debug)]
pub struct Reads {
    /// How many reads a sequence has.
    pub count: SizeRange,
    /// Whether files count whose name, or a folder's above them, starts with a dot. `.git`
    /// never counts.
    pub hidden: bool,
    /// How many files and folders are looked at, at most.
    pub entries: usize,
}

impl Default for Reads {
    /// Up to eight reads, hidden files too, 50,000 entries.
    fn default() -> Self {
        Self {
            count: (0..=8).into(),
            hidden: true,
            entries: 50_000,
        }
    }
}

/// The regular files below `dir`, sorted. Links are not followed; what cannot be listed is left
/// out.
#[must_use]
pub fn files_below(host: &dyn Host, dir: &AbsPath, reads: &Reads) -> Vec<AbsPath> {
    let mut files = Vec::new();
    let mut folders = vec![dir.clone()];
    let mut looked_at = 0;
    while let Some(folder) = folders.pop() {
        for entry in host.read_dir(&folder).unwrap_or_default() {
            if looked_at == reads.entries {
                files.sort();
                return files;
            }
            looked_at += 1;
            let hidden = entry.name.starts_with('.') && !reads.hidden;
            if hidden || !entry.utf8 || entry.name == ".git" {
                continue;
            }
            let path = folder.child(&entry.name);
            match entry.kind {
                Some(Kind::File) => files.push(path),
                Some(Kind::Directory) => folders.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    files
}

/// Sequences of reads of files that exist below `dir`, in any order, some more than once. Where
/// there is no file, each sequence is empty.
pub fn reads_of(host: &dyn Host, dir: &AbsPath, reads: &Reads) -> BoxedStrategy<Vec<AbsPath>> {
    let files = files_below(host, dir, reads);
    if files.is_empty() {
        return Just(vec![]).boxed();
    }
    vec(select(files), reads.count.clone()).boxed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::MemoryHost;

    #[test]
    fn only_files_are_read_within_the_bounds() {
        let abs = |text: &str| AbsPath::new(text).unwrap();
        let mut host = MemoryHost::new();
        for path in ["/w/b", "/w/a/c", "/w/.h/d", "/w/.git/HEAD", "/else"] {
            host.file(&abs(path), *b"");
        }
        host.link(&abs("/w/link"), "b");
        let files = |reads: &Reads| {
            let files = files_below(&host, &abs("/w"), reads);
            files
                .iter()
                .map(|path| path.as_str().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(files(&Reads::default()), ["/w/.h/d", "/w/a/c", "/w/b"]);
        let plain = Reads {
            hidden: false,
            ..Reads::default()
        };
        assert_eq!(files(&plain), ["/w/a/c", "/w/b"]);
        let few = Reads {
            entries: 1,
            ..Reads::default()
        };
        assert_eq!(files(&few), ["/w/b"]);
    }
}
