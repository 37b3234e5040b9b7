//! What a reference that misses may have meant.

use std::fmt;

use super::pass::Pass;
use super::world::World;
use crate::path::AbsPath;
use crate::record::{Mention, Near};

/// Characters that sentences put behind a reference, where they become part of the path.
const PUNCTUATION: [char; 10] = ['.', ',', ';', ':', '!', '?', ')', '"', '\'', '|'];

/// How many leading folders of a written path are tried as one too many. A path may be as long
/// as its file.
const FOLDERS: usize = 16;
/// How many characters behind a reference are looked at. A line may be as long as its file.
const NEAR: usize = 300;

impl fmt::Display for Near {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Punctuation { bare, rest } => write!(
                f,
                "`{rest}` belongs to the path here: put a space behind `{bare}`"
            ),
            Self::Space { rest } => write!(
                f,
                "a space ends the path, so `{rest}` is not part of it: write `\\ ` for the space"
            ),
            Self::Folder { reference } => write!(
                f,
                "the path starts at the folder of the file that names it: write `{reference}`"
            ),
            Self::Case { reference } => {
                write!(f, "its name has other letters: write `{reference}`")
            }
        }
    }
}

impl Pass<'_, '_> {
    /// The file that a reference may have meant. `behind` is the text that follows it.
    pub(super) fn near(&self, mention: &Mention, path: &AbsPath, behind: &str) -> Option<Near> {
        let written = mention.reference.trim_start_matches('@');
        let folder = mention.by.parent()?;
        let bare = written.trim_end_matches(PUNCTUATION);
        if bare.len() < written.len() && self.world.is_file(&folder.join(bare)) {
            return Some(Near::Punctuation {
                bare: format!("@{bare}"),
                rest: written[bare.len()..].to_owned(),
            });
        }
        if let Some(rest) = self.rest_behind_space(path, behind) {
            return Some(Near::Space { rest });
        }
        // Written as if from an outer folder: `docs/a.md` inside `docs`.
        let is_relative = !written.starts_with(['/', '~']);
        let shorter = written
            .match_indices('/')
            .map(|(slash, _)| &written[slash + 1..]);
        let mut shorter = shorter
            .take(FOLDERS)
            .filter(|rest| !rest.is_empty() && is_relative);
        if let Some(rest) = shorter.find(|rest| self.world.is_file(&folder.join(rest))) {
            return Some(Near::Folder {
                reference: format!("@{rest}"),
            });
        }
        let from_cwd = self.world.cwd.join(written);
        if is_relative && self.world.is_file(&from_cwd) {
            return Some(Near::Folder {
                reference: format!("@{}", from_cwd.relative_to(&folder)),
            });
        }
        let other = is_relative.then(|| in_other_letters(self.world, &folder, written))??;
        Some(Near::Case {
            reference: format!("@{other}"),
        })
    }

    /// The words behind a reference that would complete it to a file's name with spaces.
    fn rest_behind_space(&self, path: &AbsPath, behind: &str) -> Option<String> {
        let end = behind.char_indices().nth(NEAR);
        let near = &behind[..end.map_or(behind.len(), |(end, _)| end)];
        let line = near.split(['\r', '\n']).next()?;
        let mut tried = path.as_str().to_owned();
        let mut rest = String::new();
        for word in line.split(' ').skip(1).take(8) {
            tried.push(' ');
            tried.push_str(word);
            rest.push(' ');
            rest.push_str(word);
            if AbsPath::new(&tried).is_some_and(|path| self.world.is_file(&path)) {
                return Some(rest);
            }
        }
        None
    }
}

/// A relative path whose every name is there, if in other letters.
fn in_other_letters(world: &World<'_>, folder: &AbsPath, written: &str) -> Option<String> {
    let mut at = folder.clone();
    let mut found = Vec::new();
    for name in written.split('/').take(FOLDERS) {
        if matches!(name, "." | ".." | "") {
            at = at.join(name);
            found.push(name.to_owned());
            continue;
        }
        let entries = world.host.read_dir(&at).ok()?;
        let mut names = entries.into_iter().map(|entry| entry.name);
        let same = names.find(|other| other.to_lowercase() == name.to_lowercase())?;
        at = at.child(&same);
        found.push(same);
    }
    let path = found.join("/");
    (path != written && world.is_file(&at)).then_some(path)
}
