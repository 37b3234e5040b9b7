//! What a reference that misses may have meant.

use std::fmt;

use rustc_hash::FxHashMap;

use super::pass::Pass;
use super::world::World;
use crate::path::AbsPath;
use crate::record::{Mention, Near};

/// How many leading folders of a written path are tried as one too many. A path may be as long
/// as its file.
const FOLDERS: usize = 16;
/// How many ends of a path are tried as punctuation.
const ENDS: usize = 6;
/// How many characters behind a reference are looked at. A line may be as long as its file.
const NEAR: usize = 300;
/// How many references of a session are looked at.
const REFERENCES: usize = 2_000;
/// How many names of folders of a session are compared.
const NAMES: usize = 20_000;

/// What was looked up for the hints of a session. A file may hold as many references that miss as
/// it has room for, so both are bounded.
#[derive(Debug, Default)]
pub(crate) struct Hints {
    references: usize,
    names: usize,
    /// Folders, with their names in small letters and as they are.
    folders: FxHashMap<AbsPath, FxHashMap<String, String>>,
}

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
    pub(super) fn near(&mut self, mention: &Mention, path: &AbsPath, behind: &str) -> Option<Near> {
        self.world.hints.references += 1;
        if self.world.hints.references > REFERENCES {
            return None;
        }
        let real = self.world.real(&mention.by);
        let folder = real.as_ref().unwrap_or(&mention.by).parent()?;
        if let Some(near) = self.without_punctuation(&mention.reference, path) {
            return Some(near);
        }
        if let Some(rest) = self.rest_behind_space(path, behind) {
            return Some(Near::Space { rest });
        }
        let written = mention.reference.trim_start_matches('@');
        let written = written.split('#').next()?.replace("\\ ", " ");
        let reference = |path: &str| format!("@{}", path.replace(' ', "\\ "));
        if written.starts_with('~') {
            return None;
        }
        if let Some(path) = self.in_other_folder(&folder, &written) {
            let reference = reference(&path);
            return Some(Near::Folder { reference });
        }
        let is_relative = !written.starts_with('/');
        let other = is_relative.then(|| self.in_other_letters(&folder, &written))??;
        let reference = reference(&other);
        Some(Near::Case { reference })
    }

    /// The reference up to a sign or letter that is not usual in paths, if that names a file.
    fn without_punctuation(&self, reference: &str, path: &AbsPath) -> Option<Near> {
        let path = path.as_str();
        let may_end = |at: usize, c: char| {
            let rest = path[at + c.len_utf8()..].chars().next();
            match c {
                // An extension is no punctuation.
                '.' => rest.is_none_or(|next| !next.is_alphanumeric()),
                // Signs of Markdown stand in what lists search as it is.
                '`' | '*' => false,
                c => !c.is_ascii_alphanumeric() && !"_-/~ ".contains(c),
            }
        };
        let ends = path.char_indices().rev();
        let ends = ends.filter(|(at, c)| may_end(*at, *c)).take(ENDS);
        for (end, _) in ends {
            let (bare, rest) = path.split_at(end);
            let is_file = !bare.ends_with('/')
                && AbsPath::new(bare).is_some_and(|path| self.world.is_file(&path));
            if is_file && !rest.starts_with('`') {
                let bare = reference.strip_suffix(rest)?.to_owned();
                let rest = rest.to_owned();
                return Some(Near::Punctuation { bare, rest });
            }
        }
        None
    }

    /// The words behind a reference that would complete it to a file's name with spaces.
    fn rest_behind_space(&self, path: &AbsPath, behind: &str) -> Option<String> {
        let end = behind.char_indices().nth(NEAR);
        let near = &behind[..end.map_or(behind.len(), |(end, _)| end)];
        let line = near.split(['\r', '\n']).next()?;
        let mut tried = path.as_str().to_owned();
        let mut rest = String::new();
        for word in line.strip_prefix(' ')?.split(' ').take(8) {
            // A sentence may end behind the name.
            let bare = word.trim_end_matches(['.', ',', ';', ':', '!', '?', ')']);
            for word in [word, bare] {
                let name = AbsPath::new(&format!("{tried} {word}"));
                if name.is_some_and(|path| self.world.is_file(&path)) {
                    return Some(format!("{rest} {word}"));
                }
            }
            for text in [&mut tried, &mut rest] {
                text.push(' ');
                text.push_str(word);
            }
        }
        None
    }

    /// How a path is written that starts at another folder than `folder`: at an outer one, as in
    /// `docs/a.md` inside `docs`, at the working directory, or at the root of the repository.
    fn in_other_folder(&self, folder: &AbsPath, written: &str) -> Option<String> {
        let relative = written.trim_start_matches('/');
        let mut shorter = relative
            .match_indices('/')
            .map(|(slash, _)| &relative[slash + 1..])
            .filter(|rest| !rest.is_empty())
            .take(FOLDERS);
        let is_file = |rest: &&str| self.world.is_file(&folder.join(rest));
        if relative == written
            && let Some(rest) = shorter.find(is_file)
        {
            return Some(rest.to_owned());
        }
        let root = self.world.git.as_ref().map(|git| &git.root);
        let bases = std::iter::once(&self.world.cwd).chain(root);
        let mut paths = bases.map(|base| base.join(relative));
        let path = paths.find(|path| !relative.is_empty() && self.world.is_file(path))?;
        Some(path.relative_to(folder))
    }

    /// A relative path whose every name is there, if in other letters.
    fn in_other_letters(&mut self, folder: &AbsPath, written: &str) -> Option<String> {
        let mut at = folder.clone();
        let mut found = Vec::new();
        for name in written.split('/').take(FOLDERS) {
            if matches!(name, "." | ".." | "") {
                at = at.join(name);
                found.push(name.to_owned());
                continue;
            }
            let same = self.world.name_in_other_letters(&at, name)?;
            at = at.child(&same);
            found.push(same);
        }
        let path = found.join("/");
        (path != written && self.world.is_file(&at)).then_some(path)
    }
}

impl World<'_> {
    /// The entry of a folder that has this name, in any letters.
    fn name_in_other_letters(&mut self, folder: &AbsPath, name: &str) -> Option<String> {
        let hints = &mut self.hints;
        if !hints.folders.contains_key(folder) {
            if hints.names > NAMES {
                return None;
            }
            let entries = self.host.read_dir(folder).unwrap_or_default();
            hints.names += entries.len() + 1;
            let mut names = FxHashMap::default();
            for entry in entries {
                names.entry(entry.name.to_lowercase()).or_insert(entry.name);
            }
            hints.folders.insert(folder.clone(), names);
        }
        hints
            .folders
            .get(folder)?
            .get(&name.to_lowercase())
            .cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::MemoryHost;
    use crate::origin::Origin;
    use crate::session::Session;

    fn abs(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    /// What the references of `/p/d/CLAUDE.md` may have meant, in order.
    fn hints(text: &str) -> Vec<Option<Near>> {
        let mut host = MemoryHost::new();
        host.file(&abs("/p/d/CLAUDE.md"), text.as_bytes());
        host.file(&abs("/p/.git/HEAD"), *b"x");
        for file in ["d/a.md", "d/a b.md", "d/Sub/B.md", "x/c.md", "d/x y/e.md"] {
            host.file(&abs("/p").join(file), *b"T");
        }
        host.file(&abs("/h/n.md"), *b"T");
        let session = Session::start(&host, Origin::new(abs("/p/d"), abs("/h")));
        let skips = session.deliveries()[0].skipped.iter();
        let missing = skips.filter(|skip| skip.case == "missing");
        missing.map(|skip| skip.near.clone()).collect()
    }

    #[test]
    fn what_was_meant_is_told() {
        let punctuation = |bare: &str, rest: &str| {
            Some(Near::Punctuation {
                bare: bare.to_owned(),
                rest: rest.to_owned(),
            })
        };
        let space = |rest: &str| Some(Near::Space { rest: rest.into() });
        let folder = |reference: &str| {
            Some(Near::Folder {
                reference: reference.into(),
            })
        };
        let other = |reference: &str| {
            Some(Near::Case {
                reference: reference.into(),
            })
        };
        for (text, wanted) in [
            ("@a.md,", punctuation("@a.md", ",")),
            ("@a.md).", punctuation("@a.md", ").")),
            ("@a.md's", punctuation("@a.md", "'s")),
            ("@a.md\u{B85C} x", punctuation("@a.md", "\u{B85C}")),
            ("@~/n.md:", punctuation("@~/n.md", ":")),
            ("@a.md.old", None),
            ("@a b.md", space(" b.md")),
            ("@a b.md.", space(" b.md")),
            ("@d/a.md", folder("@a.md")),
            ("@x/c.md", folder("@../x/c.md")),
            ("@/d/a.md", folder("@a.md")),
            ("@sub/b.md", other("@Sub/B.md")),
            ("@X\\ y/e.md", other("@x\\ y/e.md")),
            ("@sub/gone.md", None),
        ] {
            assert_eq!(hints(text), [wanted], "{text:?}");
        }
    }

    /// A file may hold as many references that miss as it has room for.
    #[test]
    fn only_so_many_references_are_looked_at() {
        let found = hints(&"@sub/b.md\n".repeat(REFERENCES + 50));
        let told = found.iter().filter(|near| near.is_some()).count();
        assert_eq!((told, found.len()), (REFERENCES, REFERENCES + 50));
    }
}
