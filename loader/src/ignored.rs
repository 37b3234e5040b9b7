//! What `.gitignore` files keep out of a search.

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::host::Host;
use crate::limits;
use crate::path::AbsPath;

/// The `.gitignore` of a directory, if there is one.
pub(crate) fn ignore_file(host: &dyn Host, directory: &AbsPath) -> Option<Gitignore> {
    let path = directory.child(".gitignore");
    let bytes = host.read(&path, limits::SETTINGS_BYTES).ok()?;
    let mut builder = GitignoreBuilder::new(directory.as_str());
    for line in String::from_utf8_lossy(&bytes).lines() {
        // A line that git cannot read either is passed over.
        let _ = builder.add_line(None, line);
    }
    builder.build().ok()
}

/// Whether the innermost file that says anything of a directory ignores it.
pub(crate) fn is_ignored(ignores: &[&Gitignore], path: &AbsPath) -> bool {
    says(ignores, path, true)
}

/// Whether the innermost file that says anything of a file ignores it; its directories are another
/// matter.
pub(crate) fn is_ignored_name(ignores: &[&Gitignore], path: &AbsPath) -> bool {
    says(ignores, path, false)
}

fn says(ignores: &[&Gitignore], path: &AbsPath, is_directory: bool) -> bool {
    let verdict = ignores.iter().rev().find_map(|ignore| {
        let found = ignore.matched(path.as_str(), is_directory);
        (!found.is_none()).then(|| found.is_ignore())
    });
    verdict.unwrap_or(false)
}

/// Whether a directory of a checkout, or one above it, is ignored.
pub(crate) fn is_ignored_in(host: &dyn Host, root: &AbsPath, directory: &AbsPath) -> bool {
    let mut above: Vec<AbsPath> = directory
        .ancestors()
        .take_while(|one| one.is_within(root))
        .collect();
    above.reverse();
    let mut files: Vec<Gitignore> = Vec::new();
    for pair in above.windows(2) {
        files.extend(ignore_file(host, &pair[0]));
        let ignores: Vec<&Gitignore> = files.iter().collect();
        if is_ignored(&ignores, &pair[1]) {
            return true;
        }
    }
    false
}

/// Whether git ignores a file of a checkout, or one of its directories. It need not be there.
pub(crate) fn is_path_ignored(host: &dyn Host, root: &AbsPath, path: &AbsPath) -> bool {
    let Some(folder) = path.parent().filter(|folder| folder.is_within(root)) else {
        return false;
    };
    if is_ignored_in(host, root, &folder) {
        return true;
    }
    let folders = folder.ancestors().take_while(|one| one.is_within(root));
    let verdict = folders
        .filter_map(|folder| ignore_file(host, &folder))
        .find_map(|ignore| {
            // A pattern may name a folder.
            let found = [false, true].map(|is_dir| ignore.matched(path.as_str(), is_dir));
            let says = found.iter().find(|found| !found.is_none());
            says.map(ignore::Match::is_ignore)
        });
    verdict.unwrap_or(false)
}
