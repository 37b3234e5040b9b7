//! Whether git tracks a file, read from its index through the host: no process is started.

use crate::host::{Host, Kind};
use crate::limits;
use crate::path::AbsPath;

/// Whether the index of the working tree at `root` holds `file`. An index of version 4, whose
/// names are shortened, and one that cannot be read count as holding nothing.
pub(super) fn is_tracked(host: &dyn Host, root: &AbsPath, file: &AbsPath) -> bool {
    let Some(name) = file.below(root) else {
        return false;
    };
    let Ok(index) = host.read(&git_folder(host, root).child("index"), limits::FILE_BYTES) else {
        return false;
    };
    let Some(signature) = index.get(..8) else {
        return false;
    };
    if !matches!(signature, b"DIRC\0\0\0\x02" | b"DIRC\0\0\0\x03") {
        return false;
    }
    // A name stands between its length in the flags before it and a zero byte.
    let wanted = name.as_bytes();
    memchr::memmem::find_iter(&index, wanted).any(|at| {
        let length = at.checked_sub(1).and_then(|before| index.get(before));
        let length = length.copied().map(usize::from);
        index.get(at + wanted.len()) == Some(&0) && length == Some(wanted.len() & 0xFF)
    })
}

fn git_folder(host: &dyn Host, root: &AbsPath) -> AbsPath {
    let dot_git = root.child(".git");
    let is_file = host
        .metadata(&dot_git)
        .is_ok_and(|meta| meta.kind == Kind::File);
    if !is_file {
        return dot_git;
    }
    let pointer = host.read(&dot_git, limits::FILE_BYTES).unwrap_or_default();
    let pointer = String::from_utf8_lossy(&pointer).into_owned();
    match pointer.trim().strip_prefix("gitdir:") {
        Some(folder) => root.join(folder.trim()),
        None => dot_git,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::MemoryHost;

    #[test]
    fn names_of_the_index() {
        let root = AbsPath::new("/r").unwrap();
        let mut host = MemoryHost::new();
        let mut index = b"DIRC\0\0\0\x02\0\0\0\x01".to_vec();
        index.extend([0; 60]);
        index.extend(b"\0\x05a/b.c\0\0\0");
        host.file(&root.join(".git/index"), index);
        assert!(is_tracked(&host, &root, &root.join("a/b.c")));
        assert!(!is_tracked(&host, &root, &root.join("a/b")));
        assert!(!is_tracked(&host, &root, &root.join("b.c")));
    }
}
