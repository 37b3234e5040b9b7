//! What an index leads to: links, and names of files.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::document::{StretchKind, outline};
use crate::path::AbsPath;

/// The targets of links to Markdown files, without what stands behind a `#`.
pub(crate) fn links(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for stretch in outline(text) {
        if stretch.kind == StretchKind::Code {
            continue;
        }
        let own = &text[stretch.range.clone()];
        for (at, sign) in own.match_indices("](") {
            let line = own[..at].rfind('\n').map_or(0, |end| end + 1);
            let is_code = own[line..at].matches('`').count() % 2 == 1;
            let target = &own[at + sign.len()..];
            let target = &target[..target.find([')', '\n']).unwrap_or(0)];
            let path = &target[..target.find(['#', '"']).unwrap_or(target.len())];
            let path = path.trim_end();
            if is_code || !path.ends_with(".md") || path.contains(':') || path.starts_with('<') {
                continue;
            }
            let start = stretch.range.start + at + sign.len();
            found.push(start..start + path.len());
        }
    }
    found
}

/// The topic files to which an index does not lead, by itself or through files that it names.
pub(crate) fn unnamed<'f>(
    topics: &'f [String],
    index: &AbsPath,
    text: impl Fn(&AbsPath) -> Option<Arc<str>>,
) -> Vec<&'f str> {
    let mut left: Vec<&str> = topics.iter().map(String::as_str).collect();
    let mut next = vec![index.clone()];
    while let (Some(path), false) = (next.pop(), left.is_empty()) {
        let Some(text) = text(&path) else {
            continue;
        };
        let folder = index.parent();
        let text = text.to_lowercase().replace("%20", " ");
        let words = words(&text);
        left.retain(|name| {
            let wanted = name.to_lowercase();
            let is_named = if wanted.contains(char::is_whitespace) {
                text.contains(stem(&wanted))
            } else {
                // One that is named with other signs is a broken link, which has a rule of its own.
                words.contains(&letters(stem(&wanted)))
            };
            if is_named {
                next.extend(folder.as_ref().map(|folder| folder.child(name)));
            }
            !is_named
        });
    }
    left
}

/// The letters of the words of a text that may be names of files, without folders and `.md`.
fn words(text: &str) -> FxHashSet<String> {
    let ends = |c: char| !c.is_alphanumeric() && !matches!(c, '.' | '_' | '-');
    let words = text
        .split(ends)
        .map(|word| word.trim_end_matches(['.', '-']));
    let words = words.filter(|word| !word.is_empty());
    words.map(|word| letters(stem(word))).collect()
}

fn stem(name: &str) -> &str {
    name.strip_suffix(".md").unwrap_or(name)
}

/// What of a file's name is the same where it was written another way.
pub(crate) fn letters(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric() || *c == '/');
    letters.flat_map(char::to_lowercase).collect()
}
