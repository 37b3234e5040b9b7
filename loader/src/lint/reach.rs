//! What references and names of files lead to.

use std::fmt::Write as _;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::finding::Cost;
use super::subject::{File, Subject};
use crate::ignored::is_ignored_in;
use crate::path::AbsPath;
use crate::record::{Cause, Mention, Scope, Skip};

impl Subject<'_, '_> {
    /// The path that a reference in `by` names, as imports are resolved (facts 3.11, 2.10).
    #[must_use]
    pub fn target(&self, by: &AbsPath, reference: &str) -> Option<AbsPath> {
        let written = reference.strip_prefix('@').unwrap_or(reference);
        let written = written.split('#').next()?.replace("\\ ", " ");
        self.session.target(by, &written)
    }

    /// Whether a file comes, now or on a read, under this name or its real one.
    #[must_use]
    pub fn comes(&self, path: &AbsPath) -> bool {
        let real = || self.session.world().host.canonicalize(path).ok();
        self.file(path).is_some() || real().is_some_and(|real| self.file(&real).is_some())
    }

    /// What is lost where a file does not come; nothing where it does, or has nothing to say.
    #[must_use]
    pub fn lost_file(&self, path: &AbsPath) -> Option<Cost> {
        if self.comes(path) {
            return None;
        }
        let tokens = self.tokens(&self.text(path)?);
        (tokens > 0).then_some(Cost::Lost(tokens))
    }

    /// Whether a file of the project is shared through git: it lies in a repository that does not
    /// ignore it.
    #[must_use]
    pub fn is_shared(&self, file: &File) -> bool {
        let is_project = file.scope == Scope::Project && file.path.file_name() != "CLAUDE.local.md";
        let root = self.session.git().map(|git| &git.root);
        let Some(root) = root.filter(|root| is_project && file.path.is_within(root)) else {
            return false;
        };
        !is_ignored_in(self.session.world().host, root, &file.path)
    }

    /// The names in a directory, sorted; none where it cannot be listed.
    #[must_use]
    pub fn names_in(&self, directory: &AbsPath) -> Vec<String> {
        let entries = self.session.world().host.read_dir(directory);
        let entries = entries.unwrap_or_default().into_iter();
        let mut names: Vec<String> = entries
            .filter(|entry| entry.utf8)
            .map(|entry| entry.name)
            .collect();
        names.sort_unstable();
        names
    }

    /// The shortest reference that begins at each place. Lists search their text as it stands and
    /// once more without its markup, so that a place may have two (fact 12).
    #[must_use]
    pub(crate) fn shortest(&self) -> Shortest<'_> {
        let mut shortest = FxHashMap::default();
        let delivered = self.files.iter().filter_map(|file| match &file.cause {
            Some(Cause::Import(mention)) => Some(mention),
            _ => None,
        });
        let left_out = self.skips.iter().filter_map(|skip| skip.mention.as_ref());
        for mention in delivered.chain(left_out) {
            let length = shortest.entry(key(mention)).or_insert(usize::MAX);
            *length = mention.reference.len().min(*length);
        }
        Shortest(shortest)
    }
}

/// The shortest reference at each place.
pub(crate) struct Shortest<'a>(FxHashMap<(&'a AbsPath, u32, u32), usize>);

impl Shortest<'_> {
    /// The reference of a skip, unless a shorter one begins at the same place.
    pub(crate) fn mention<'s>(&self, skip: &'s Skip) -> Option<&'s Mention> {
        let mention = skip.mention.as_ref()?;
        let shortest = self.0.get(&key(mention));
        let is_shortest = shortest.is_none_or(|shortest| mention.reference.len() <= *shortest);
        is_shortest.then_some(mention)
    }
}

fn key(mention: &Mention) -> (&AbsPath, u32, u32) {
    (&mention.by, mention.line, mention.column)
}

/// The line of `source` that holds a byte.
pub(crate) fn line_around(source: &str, range: &Range<usize>) -> Range<usize> {
    let bytes = source.as_bytes();
    let start = memchr::memrchr(b'\n', &bytes[..range.start]).map_or(0, |end| end + 1);
    let end = memchr::memchr(b'\n', &bytes[range.end..]);
    start..end.map_or(source.len(), |end| range.end + end)
}

/// How far from a reference the ends of its line are looked for.
const MARGIN: usize = 80;

/// Whether a line holds nothing else than these bytes, the sign of a list or a quote aside.
pub(crate) fn is_alone(source: &str, range: &Range<usize>) -> bool {
    let is_number = |text: &str| {
        let digits = text.trim_end_matches(['.', ')']);
        digits.len() + 1 == text.len() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    // A line may be as long as its file.
    let bytes = source.as_bytes();
    let from = range.start.saturating_sub(MARGIN);
    let start = memchr::memrchr(b'\n', &bytes[from..range.start]).map(|end| from + end + 1);
    let start = start.or((from == 0).then_some(0));
    let to = bytes.len().min(range.end + MARGIN);
    let end = memchr::memchr(b'\n', &bytes[range.end..to]).map(|end| range.end + end);
    let end = end.or((to == bytes.len()).then_some(to));
    let (Some(start), Some(end)) = (start, end) else {
        return false;
    };
    let before = source[start..range.start].trim();
    let is_sign = matches!(before, "" | "-" | "*" | "+" | ">") || is_number(before);
    is_sign && source[range.end..end].trim().is_empty()
}

/// Whether a file holds prose, in which an `@` may stand for an import, rather than code or data.
pub(crate) fn is_prose(path: &AbsPath) -> bool {
    let name = path.file_name();
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_none_or(|extension| {
        let small = extension.to_ascii_lowercase();
        matches!(
            small.as_str(),
            "md" | "txt" | "text" | "rst" | "adoc" | "org"
        )
    })
}

/// A text for a message, with invisible signs by their numbers.
pub(crate) fn shown(text: &str) -> String {
    let is_hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{AD}' | '\u{180E}' | '\u{FEFF}')
            || matches!(c, '\u{300}'..='\u{36F}' | '\u{200B}'..='\u{200F}')
            || matches!(c, '\u{2028}'..='\u{202F}' | '\u{2060}'..='\u{206F}')
    };
    let mut out = String::new();
    for c in text.chars() {
        if is_hidden(c) {
            let _ = write!(out, "U+{:04X}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

/// Whether a reference leads to a home folder.
pub(crate) fn is_of_home(reference: &str) -> bool {
    let written = reference.trim_start_matches('@');
    ["~/", "/home/", "/Users/", "/root/"]
        .iter()
        .any(|start| written.starts_with(start))
}

/// The part of a reference that may name a file: without the punctuation of a sentence at its end.
/// Nothing where it is no path but a pattern to be filled in, a call, or a package.
pub(crate) fn path_of(reference: &str) -> Option<&str> {
    let written = reference.trim_start_matches('@').split('#').next()?;
    let written = written.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '"', '\'']);
    let is_odd = |c: char| "(){}<>[]$=\"'`|".contains(c) || c.is_control();
    let is_open = written.contains(is_odd)
        || written.contains("...")
        || written.contains('\u{2026}')
        || written.starts_with("path/to/")
        || written.contains("YYYY");
    (!is_open && !written.is_empty()).then_some(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_its_own_may_have_a_sign() {
        let alone = |line: &str| {
            let text = format!("x\n{line}\r\ny");
            let start = text.find('@').unwrap();
            is_alone(&text, &(start..start + 5))
        };
        assert!(alone("@a.md") && alone("  - @a.md ") && alone("12. @a.md"));
        assert!(!alone("See @a.md") && !alone("@a.md x"));
    }

    #[test]
    fn what_is_no_path_is_told() {
        assert_eq!(path_of("@docs/a.md,"), Some("docs/a.md"));
        for odd in [
            "@app.route(\"/x.md\")",
            "@path/to/file.md",
            "@{name}.md",
            "@...",
        ] {
            assert_eq!(path_of(odd), None, "{odd}");
        }
    }
}
