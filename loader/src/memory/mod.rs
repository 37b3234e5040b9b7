//! The auto-memory index: its place (facts 6.1, 6.2, 6.7), its cut (fact 6.5), what it leads to,
//! and how it would be thinner.

mod audit;
mod links;
mod split;

pub use audit::{Audit, Broken, Copy, Entry, NoWhy, audit};
pub(crate) use links::{letters, links, unnamed};
pub(crate) use split::is_entry;
pub use split::{Proposal, Topic, split};

use crate::javascript;
use crate::origin::Origin;
use crate::path::AbsPath;
use crate::record::Notice;
use crate::settings::{Settings, Tier};

/// The index's lines that are delivered at most.
pub const LINES: usize = 200;
/// The index's UTF-16 units that are delivered at most.
pub const CHARACTERS: usize = 25_000;
/// The longest folder name before it is shortened with a hash, in UTF-16 units.
const NAME: usize = 200;

/// The name of a project's folder: each UTF-16 unit outside `A-Z a-z 0-9` becomes `-`; a long
/// name is cut and ends with a hash of the whole path.
#[must_use]
pub fn folder_name(path: &str) -> String {
    let mut name = String::with_capacity(path.len());
    for c in path.chars() {
        if c.is_ascii_alphanumeric() {
            name.push(c);
        } else {
            name.extend(std::iter::repeat_n('-', c.len_utf16()));
        }
    }
    if name.len() <= NAME {
        return name;
    }
    let hash = path.encode_utf16().fold(0_i32, |hash, unit| {
        hash.wrapping_mul(31).wrapping_add(i32::from(unit))
    });
    name.truncate(NAME);
    name.push('-');
    name.push_str(&base36(hash.unsigned_abs()));
    name
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit(number % 36, 36).unwrap_or('0'));
        number /= 36;
        if number == 0 {
            break;
        }
    }
    digits.iter().rev().collect()
}

/// The index file of a project. `project` is the main checkout's root, or the resolved working
/// directory outside git.
#[must_use]
pub fn index_file(origin: &Origin, settings: &Settings, project: &AbsPath) -> AbsPath {
    let counts =
        |tier: Tier| tier != Tier::Project || origin.client.behaviour.memory_dir_of_project;
    let chosen = settings
        .auto_memory_directory
        .iter()
        .rev()
        .find(|set| counts(set.place.tier))
        .and_then(|set| match set.value.strip_prefix("~/") {
            Some(rest) => Some(origin.home.join(rest)),
            // A relative folder is ignored, and with it all weaker ones (cases
            // memory-dir-relative*).
            None => AbsPath::new(&set.value),
        });
    let folder = chosen.unwrap_or_else(|| {
        let projects = origin.config().child("projects");
        projects
            .child(&folder_name(project.as_str()))
            .child("memory")
    });
    folder.child("MEMORY.md")
}

/// What is delivered of a trimmed index, and the cut if there is one. The client's own notice
/// follows the text and is not part of it.
#[must_use]
pub fn cut(text: &str) -> (&str, Option<Notice>) {
    let lines = memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1;
    let characters = javascript::len(text);
    if lines <= LINES && characters <= CHARACTERS {
        return (text, None);
    }
    let mut kept = text;
    if lines > LINES {
        let end = memchr::memchr_iter(b'\n', text.as_bytes()).nth(LINES - 1);
        kept = &text[..end.unwrap_or(text.len())];
    }
    if javascript::len(kept) > CHARACTERS {
        let limit = offset_of(kept, CHARACTERS);
        let line_end = kept[..limit].rfind('\n').filter(|end| *end > 0);
        kept = &kept[..line_end.unwrap_or(limit)];
    }
    let kept_lines = memchr::memchr_iter(b'\n', kept.as_bytes()).count() + 1;
    let notice = Notice {
        lines,
        characters,
        kept_lines,
    };
    (kept, Some(notice))
}

/// The byte offset of the UTF-16 unit `units`; in the middle of a character, its start.
fn offset_of(text: &str, units: usize) -> usize {
    let mut passed = 0;
    for (offset, c) in text.char_indices() {
        passed += c.len_utf16();
        if passed > units {
            return offset;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_replace_each_unit() {
        assert_eq!(folder_name("/a.b/é😀"), "-a-b----");
    }

    #[test]
    fn long_names_end_with_a_hash() {
        let path = format!("/{}", "x".repeat(300));
        let name = folder_name(&path);
        assert!(name.starts_with("-xxx") && name.len() > 201);
        assert_eq!(&name[200..201], "-");
    }

    #[test]
    fn lines_are_cut_first() {
        let text = (1..=201)
            .map(|n| format!("M {n}"))
            .collect::<Vec<_>>()
            .join("\n");
        let (kept, notice) = cut(&text);
        assert!(kept.ends_with("M 200"));
        assert_eq!(notice.unwrap().kept_lines, 200);
        assert_eq!(cut(kept).1, None);
    }

    #[test]
    fn characters_are_cut_at_a_line_end_if_there_is_one() {
        let line = "y".repeat(300);
        let text = vec![line.as_str(); 100].join("\n");
        let (kept, _) = cut(&text);
        assert!(kept.len() <= CHARACTERS && kept.ends_with('y'));
        assert_eq!((kept.len() + 1) % 301, 0);
        let whole = "é".repeat(25_001);
        assert_eq!(cut(&whole).0.chars().count(), CHARACTERS);
    }
}
