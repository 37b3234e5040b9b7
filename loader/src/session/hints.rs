//! What a reference that misses may have meant.

use super::pass::Pass;
use crate::path::AbsPath;
use crate::record::Mention;

/// Characters that sentences put behind a reference, where they become part of the path.
const PUNCTUATION: [char; 10] = ['.', ',', ';', ':', '!', '?', ')', '"', '\'', '|'];

/// How many leading folders of a written path are tried as one too many. A path may be as long
/// as its file.
const FOLDERS: usize = 16;
/// How many characters behind a reference are looked at. A line may be as long as its file.
const NEAR: usize = 300;

impl Pass<'_, '_> {
    /// Why a reference misses, by looking for the file that it may have meant. `behind` is the
    /// text that follows the reference.
    pub(super) fn missing_detail(&self, mention: &Mention, path: &AbsPath, behind: &str) -> String {
        let plain = "it does not exist".to_owned();
        let written = mention.reference.trim_start_matches('@');
        let Some(folder) = mention.by.parent() else {
            return plain;
        };
        let bare = written.trim_end_matches(PUNCTUATION);
        if bare.len() < written.len() && self.world.is_file(&folder.join(bare)) {
            return format!(
                "{plain}; `{}` belongs to the path here: put a space behind `@{bare}`",
                &written[bare.len()..]
            );
        }
        if let Some(rest) = self.rest_behind_space(path, behind) {
            return format!(
                "{plain}; a space ends the path, so `{rest}` is not part of it: write `\\ ` for \
                 the space"
            );
        }
        // Written as if from an outer folder: `docs/a.md` inside `docs`.
        let shorter = written
            .match_indices('/')
            .map(|(slash, _)| &written[slash + 1..]);
        let mut shorter = shorter
            .take(FOLDERS)
            .filter(|rest| !rest.is_empty() && !written.starts_with(['/', '~']));
        if let Some(rest) = shorter.find(|rest| self.world.is_file(&folder.join(rest))) {
            return format!(
                "{plain}; the path starts at the folder of the file that names it: write `@{rest}`"
            );
        }
        let from_cwd = self.world.cwd.join(written);
        if !written.starts_with(['/', '~']) && self.world.is_file(&from_cwd) {
            return format!(
                "{plain}; the path starts at the folder of the file that names it: write `@{}`",
                from_cwd.relative_to(&folder)
            );
        }
        plain
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
