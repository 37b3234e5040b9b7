//! Where a directory stands in git, read from `.git` through the host: no process is started.

use crate::client::Behaviour;
use crate::host::{Host, Kind};
use crate::path::AbsPath;

/// The largest `.git` file or `commondir` that is read, in bytes.
const POINTER_BYTES: u64 = 64 * 1024;

/// What git knows of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Git {
    /// The root of the working tree: the nearest directory that has a `.git`.
    pub root: AbsPath,
    /// The root of the main checkout; the same as `root` unless this is a linked worktree.
    pub main_checkout: AbsPath,
}

impl Git {
    /// Looks from `directory` upwards.
    #[must_use]
    pub fn find(host: &dyn Host, directory: &AbsPath, behaviour: &Behaviour) -> Option<Self> {
        let mut above = directory.ancestors();
        above.find_map(|root| Self::at(host, root, behaviour))
    }

    fn at(host: &dyn Host, root: AbsPath, behaviour: &Behaviour) -> Option<Self> {
        let dot_git = root.child(".git");
        let main_checkout = match host.metadata(&dot_git).ok()?.kind {
            Kind::Directory => root.clone(),
            Kind::File => {
                let main = main_checkout_of(host, &root, &dot_git, behaviour);
                main.unwrap_or_else(|| root.clone())
            }
            Kind::Special => return None,
        };
        Some(Self {
            root,
            main_checkout,
        })
    }

    /// Whether this is a linked worktree.
    #[must_use]
    pub fn is_linked(&self) -> bool {
        self.root != self.main_checkout
    }

    /// The branch that is checked out, or the beginning of the commit where there is none; nothing
    /// where git's own files do not tell.
    #[must_use]
    pub fn branch(&self, host: &dyn Host) -> Option<String> {
        let dot_git = self.root.child(".git");
        let folder = match host.metadata(&dot_git).ok()?.kind {
            Kind::Directory => dot_git,
            _ => {
                let pointer = text(host, &dot_git)?;
                self.root
                    .join(pointer.trim().strip_prefix("gitdir:")?.trim())
            }
        };
        let head = text(host, &folder.child("HEAD"))?;
        let head = head.trim();
        match head.strip_prefix("ref:") {
            Some(name) => {
                let name = name.trim();
                Some(name.strip_prefix("refs/heads/").unwrap_or(name).to_owned())
            }
            None => head.get(..12).map(str::to_owned),
        }
    }

    /// The main checkout when this is a linked worktree that lies inside it (fact 2.4).
    #[must_use]
    pub fn enclosing_checkout(&self) -> Option<&AbsPath> {
        let inside = self.is_linked() && self.root.is_within(&self.main_checkout);
        inside.then_some(&self.main_checkout)
    }
}

/// Follows `gitdir:` and `commondir` to the main checkout, as far as the client trusts them: the
/// folder named must be one of the `worktrees` of the common folder, and must name this worktree
/// in turn (cases worktree-back-*). A submodule has no `commondir` and is its own checkout.
fn main_checkout_of(
    host: &dyn Host,
    root: &AbsPath,
    dot_git: &AbsPath,
    behaviour: &Behaviour,
) -> Option<AbsPath> {
    let real = |path: AbsPath| host.canonicalize(&path).ok();
    let pointer = text(host, dot_git)?;
    let git_dir = real(root.join(pointer.trim().strip_prefix("gitdir:")?.trim()))?;
    let common = real(git_dir.join(text(host, &git_dir.child("commondir"))?.trim()))?;
    if git_dir.parent()? != common.child("worktrees") || common.file_name() != ".git" {
        return None;
    }
    let back = text(host, &git_dir.child("gitdir"))?;
    let back = back.trim();
    if AbsPath::new(back).is_none() && !behaviour.relative_worktrees {
        return None;
    }
    let names_this = real(git_dir.join(back)) == real(dot_git.clone());
    names_this.then(|| common.parent())?
}

fn text(host: &dyn Host, path: &AbsPath) -> Option<String> {
    let bytes = host.read(path, POINTER_BYTES).ok()?;
    String::from_utf8(bytes.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Client;
    use crate::host::MemoryHost;

    fn abs(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    fn find(host: &MemoryHost, directory: &str) -> Option<Git> {
        Git::find(host, &abs(directory), &Client::newest().behaviour)
    }

    #[test]
    fn branches_are_those_of_the_own_worktree() {
        let mut host = MemoryHost::new();
        host.file(&abs("/m/.git/HEAD"), *b"ref: refs/heads/main\n");
        host.file(
            &abs("/m/.git/worktrees/w/HEAD"),
            *b"0123456789abcdef0123456789abcdef01234567\n",
        );
        host.file(&abs("/w/.git"), *b"gitdir: /m/.git/worktrees/w\n");
        let branch = |directory| find(&host, directory).unwrap().branch(&host);
        assert_eq!(branch("/m").as_deref(), Some("main"));
        assert_eq!(branch("/w").as_deref(), Some("0123456789ab"));
    }

    #[test]
    fn worktrees_know_their_main_checkout() {
        let mut host = MemoryHost::new();
        host.dir(&abs("/m/.git/worktrees/w"));
        host.file(&abs("/m/.git/worktrees/w/commondir"), *b"../..\n");
        host.file(&abs("/m/.git/worktrees/w/gitdir"), *b"/m/wt/w/.git\n");
        host.file(&abs("/m/wt/w/.git"), *b"gitdir: /m/.git/worktrees/w\n");
        host.dir(&abs("/m/wt/w/sub"));
        let git = find(&host, "/m/wt/w/sub").unwrap();
        assert_eq!(
            (git.root.as_str(), git.main_checkout.as_str()),
            ("/m/wt/w", "/m")
        );
        assert_eq!(git.enclosing_checkout(), Some(&abs("/m")));
        host.file(&abs("/m/.git/worktrees/w/gitdir"), *b"/m/wt/other/.git\n");
        assert!(!find(&host, "/m/wt/w").unwrap().is_linked());
    }

    #[test]
    fn submodules_are_their_own_checkout() {
        let mut host = MemoryHost::new();
        host.dir(&abs("/m/.git/modules/lib"));
        host.file(&abs("/m/lib/.git"), *b"gitdir: ../.git/modules/lib\n");
        let git = find(&host, "/m/lib").unwrap();
        assert_eq!(git.main_checkout, abs("/m/lib"));
        assert!(!git.is_linked());
    }

    #[test]
    fn no_repository_is_no_error() {
        let mut host = MemoryHost::new();
        host.dir(&abs("/a/b"));
        assert_eq!(find(&host, "/a/b"), None);
    }
}
