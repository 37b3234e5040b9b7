//! The folder of the client's own notes, as rules look at it.

use crate::host::Kind;
use crate::memory;
use crate::path::AbsPath;

use super::subject::{File, Subject};

/// The memory folder of a session's project.
#[derive(Debug)]
pub(super) struct MemoryFolder {
    /// The folder.
    pub(super) path: AbsPath,
    /// Where its index is or would be.
    pub(super) index: AbsPath,
    pub(super) has_index: bool,
    /// The names of its other Markdown files, sorted.
    pub(super) topics: Vec<String>,
}

impl MemoryFolder {
    /// Nothing where there is none, or no Markdown file in it.
    pub(super) fn of(subject: &Subject<'_, '_>) -> Option<Self> {
        Self::at(subject, &index(subject))
    }

    /// The folder of any index.
    pub(super) fn at(subject: &Subject<'_, '_>, index: &AbsPath) -> Option<Self> {
        let world = subject.session.world();
        let path = index.parent()?;
        let mut topics: Vec<String> = world
            .host
            .read_dir(&path)
            .ok()?
            .into_iter()
            .filter(|entry| entry.utf8 && entry.kind != Some(Kind::Directory))
            .map(|entry| entry.name)
            .filter(|name| name.ends_with(".md"))
            .collect();
        topics.sort_unstable();
        let all = topics.len();
        topics.retain(|name| name != index.file_name());
        (all > 0).then_some(Self {
            has_index: topics.len() < all,
            path,
            index: index.clone(),
            topics,
        })
    }

    /// The same where memory is on, so that the index is delivered.
    pub(super) fn in_use(subject: &Subject<'_, '_>) -> Option<Self> {
        if is_on(subject) {
            Self::of(subject)
        } else {
            None
        }
    }

    /// The index as it is delivered; nothing where it is not.
    pub(super) fn delivered<'s>(&self, subject: &'s Subject<'_, '_>) -> Option<&'s File> {
        subject.file(&self.index)
    }
}

/// Where the session's index is or would be.
pub(super) fn index(subject: &Subject<'_, '_>) -> AbsPath {
    let world = subject.session.world();
    let project = world.git.as_ref().map(|git| &git.main_checkout);
    let project = project.unwrap_or(&world.cwd);
    memory::index_file(&world.origin, &world.settings, project)
}

/// Whether memory is on.
pub(super) fn is_on(subject: &Subject<'_, '_>) -> bool {
    let switches = &subject.session.world().switches;
    switches.memory_off.is_none() && switches.instructions_off.is_none()
}
