//! `@path` in a prompt (fact 5.21; cases mention-*).

use crate::host::Kind;
use crate::javascript::{is_space, trim};
use crate::path::AbsPath;
use crate::session::World;

/// The paths that a prompt mentions, in order, each once. In clients where a failed read loads
/// what waits for the path, names of no file count too.
pub(crate) fn mentioned(prompt: &str, world: &World<'_>) -> Vec<AbsPath> {
    let mut paths: Vec<AbsPath> = Vec::new();
    for name in names(prompt) {
        let path = world.resolve(name);
        let counts = match world.host.metadata(&path) {
            Ok(meta) => meta.kind == Kind::File,
            Err(_) => world.behaviour.reads_of_missing,
        };
        if counts && !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}

/// The names behind the mentions of a prompt. Markdown is not looked at.
fn names(prompt: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut searched = 0;
    for at in memchr::memchr_iter(b'@', prompt.as_bytes()) {
        let before = prompt[..at].chars().next_back();
        let starts = before.is_none_or(|c| is_space(c) || "。、？！".contains(c));
        if at < searched || !starts {
            continue;
        }
        let rest = &prompt[at + 1..];
        let written = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').map_or("", |(name, _)| name),
            None => bare(rest),
        };
        searched = at + 1 + written.len();
        let name = trim(written.split('#').next().unwrap_or_default());
        if !name.is_empty() {
            names.push(name);
        }
    }
    names
}

/// The longest run without white space that ends at an edge of an ASCII word: punctuation and
/// letters outside ASCII at the end are left off.
fn bare(rest: &str) -> &str {
    let run = &rest[..rest.find(is_space).unwrap_or(rest.len())];
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    let mut end = run.len();
    while end > 0 {
        let before = run[..end].chars().next_back();
        if is_word(before) != is_word(run[end..].chars().next()) {
            return &run[..end];
        }
        end -= before.map_or(1, char::len_utf8);
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_at_words() {
        assert_eq!(names("see @a/b.ts, @c.ts. (@d) x@e"), ["a/b.ts", "c.ts"]);
        assert_eq!(names("@a/日本 @f(1) @日本 @."), ["a", "f(1"]);
        assert_eq!(
            names("@\"a b.ts\"x @a.ts#L1-2 。@g"),
            ["a b.ts", "a.ts", "g"]
        );
    }
}
