//! Which files git would take: those of the checkout that nothing ignores.
//!
//! The index is not read, so a file that is ignored and was added by force counts as ignored.

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustc_hash::FxHashMap;

use super::subject::Subject;
use crate::ignored::{ignore_file, is_ignored_in, is_ignored_name};
use crate::path::AbsPath;

/// What git ignores in the checkout of a session.
pub(super) struct Committed<'a, 's, 'h> {
    subject: &'a Subject<'s, 'h>,
    folders: FxHashMap<AbsPath, (bool, Vec<Gitignore>)>,
    /// The files of the checkout and of the user that are not in the tree.
    outside: Option<Vec<Gitignore>>,
}

impl<'a, 's, 'h> Committed<'a, 's, 'h> {
    pub(super) fn new(subject: &'a Subject<'s, 'h>) -> Self {
        Self {
            subject,
            folders: FxHashMap::default(),
            outside: None,
        }
    }

    /// Whether a file lies in the checkout and git does not ignore it.
    pub(super) fn may_hold(&mut self, path: &AbsPath) -> bool {
        let Some(git) = self.subject.session.git() else {
            return false;
        };
        let Some(folder) = path.parent().filter(|folder| folder.is_within(&git.root)) else {
            return false;
        };
        let host = self.subject.session.world().host;
        let (ignored, files) = self.folders.entry(folder).or_insert_with_key(|folder| {
            let mut above: Vec<AbsPath> = folder
                .ancestors()
                .take_while(|one| one.is_within(&git.root))
                .collect();
            above.reverse();
            let files = above.iter().filter_map(|one| ignore_file(host, one));
            (is_ignored_in(host, &git.root, folder), files.collect())
        });
        if *ignored {
            return false;
        }
        let subject = self.subject;
        let outside = self
            .outside
            .get_or_insert_with(|| outside(subject, &git.main_checkout, &git.root));
        let all: Vec<&Gitignore> = outside.iter().chain(files.iter()).collect();
        !is_ignored_name(&all, path)
    }
}

/// What the user and the checkout ignore beside `.gitignore`, the weakest first.
fn outside(subject: &Subject<'_, '_>, main: &AbsPath, root: &AbsPath) -> Vec<Gitignore> {
    let home = &subject.session.origin().home;
    let set = subject.text(&home.join(".gitconfig")).and_then(|text| {
        let mut lines = text.lines().filter_map(|line| line.split_once('='));
        lines.find_map(|(key, value)| {
            let is_it = key.trim().eq_ignore_ascii_case("excludesfile");
            let value = value.trim().trim_matches('"');
            let path = value.strip_prefix("~/").map(|rest| home.join(rest));
            is_it
                .then(|| path.or_else(|| AbsPath::new(value)))
                .flatten()
        })
    });
    let of_user = set.unwrap_or_else(|| home.join(".config/git/ignore"));
    let files = [of_user, main.join(".git/info/exclude")];
    let read = files.iter().filter_map(|path| {
        let mut builder = GitignoreBuilder::new(root.as_str());
        for line in subject.text(path)?.lines() {
            // A line that git cannot read either is passed over.
            let _ = builder.add_line(None, line);
        }
        builder.build().ok()
    });
    read.collect()
}
