//! `@path` references: how they are written (facts 3.1–3.5) and which files they may name (3.7).

use std::ops::Range;

use crate::javascript::is_space;

/// A reference as it stands in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The path that it names: escapes resolved, `#…` cut off.
    pub path: String,
    /// The bytes of the source from `@` to the end of the path.
    pub range: Range<usize>,
    /// What keeps it from being an import; nothing where it is one.
    pub cover: Option<Cover>,
}

/// What keeps a reference from being an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cover {
    /// A code span.
    Span,
    /// A fenced block of code.
    Fence {
        /// The byte of the source at which the fence is opened.
        opened: usize,
        /// Whether a line closes it.
        closed: bool,
    },
    /// Code by its indentation.
    Indent,
    /// An HTML block.
    Html,
    /// The character before its `@`, or a quote behind that.
    Stuck,
}

/// How long a path is where it only might be one, in characters.
const STUCK: usize = 400;

/// Finds what is no reference in a text run only since something stands right before its `@`, as in
/// `(@a.md)`, or since its path is in quotes, as in `@"a.md"`. Letters and signs of mail addresses
/// before the `@` are left alone.
pub(super) fn scan_stuck(run: &str, offset: usize, found: &mut Vec<Reference>) {
    let mut searched = 0;
    for at in memchr::memchr_iter(b'@', run.as_bytes()).filter(|at| *at > 0 || run.len() > 1) {
        if at < searched {
            continue;
        }
        let rest = &run[at + 1..];
        let cut = rest.char_indices().nth(STUCK);
        let rest = &rest[..cut.map_or(rest.len(), |(cut, _)| cut)];
        let before = run[..at].chars().next_back();
        let is_free = before.is_none_or(is_space);
        let (path, end) = if is_free {
            let Some((open, close)) = quotes(rest) else {
                continue;
            };
            let inside = &rest[open.len_utf8()..];
            let Some(end) = inside.find([close, '\n', '\r']) else {
                continue;
            };
            if !inside[end..].starts_with(close) {
                continue;
            }
            let whole = open.len_utf8() + end + close.len_utf8();
            (inside[..end].to_owned(), at + 1 + whole)
        } else {
            let in_address = |c: char| c.is_ascii_alphanumeric() || "._-+%@/=\\".contains(c);
            let (written, path) = path_at(rest);
            searched = at + 1 + written;
            if before.is_some_and(in_address) {
                continue;
            }
            (path, searched)
        };
        if is_path(&path) && path.contains(['.', '/']) {
            found.push(Reference {
                path,
                range: offset + at..offset + end,
                cover: Some(Cover::Stuck),
            });
        }
    }
}

/// The quote or bracket at the start of a text, and the one that closes it.
fn quotes(text: &str) -> Option<(char, char)> {
    const PAIRS: [(char, char); 7] = [
        ('"', '"'),
        ('\'', '\''),
        ('\u{201C}', '\u{201D}'),
        ('\u{2018}', '\u{2019}'),
        ('(', ')'),
        ('[', ']'),
        ('{', '}'),
    ];
    let first = text.chars().next()?;
    PAIRS.into_iter().find(|(open, _)| *open == first)
}

/// Finds the references of one text run; `offset` is the run's place in the source.
pub(super) fn scan(run: &str, offset: usize, fragment_cut: bool, found: &mut Vec<Reference>) {
    let mut searched = 0;
    for at in memchr::memchr_iter(b'@', run.as_bytes()) {
        let starts = run[..at].chars().next_back().is_none_or(is_space);
        if at < searched || !starts {
            continue;
        }
        let (written, path) = path_at(&run[at + 1..]);
        searched = at + 1 + written;
        let path = match path.find('#') {
            Some(hash) if fragment_cut => path[..hash].to_owned(),
            _ => path,
        };
        if is_path(&path) {
            found.push(Reference {
                // An escaped space may stand within a path, not at its end.
                path: path.trim_end_matches(' ').to_owned(),
                range: offset + at..offset + searched,
                cover: None,
            });
        }
    }
}

/// The longest path at the start of `text`: its length as written, and with `\ ` as a space.
fn path_at(text: &str) -> (usize, String) {
    let mut path = String::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' if chars.peek().is_some_and(|(_, next)| *next == ' ') => {
                chars.next();
                path.push(' ');
            }
            '\\' => return (at, path),
            c if is_space(c) => return (at, path),
            c => path.push(c),
        }
    }
    (text.len(), path)
}

/// Whether a written path is taken for one (fact 3.4; cases import-first-*).
fn is_path(path: &str) -> bool {
    let mut chars = path.chars();
    match (chars.next(), chars.next()) {
        (Some('/'), second) => second.is_some_and(|second| second != '/'),
        (Some('~'), second) => second == Some('/') && chars.next().is_some(),
        (Some(first), _) => first.is_ascii_alphanumeric() || matches!(first, '.' | '_' | '-'),
        (None, _) => false,
    }
}

/// Whether the client imports a file of this name: a known extension, or none (fact 3.7). A dot
/// at the end is an unknown extension, one at the start is none (case import-extension-forms).
#[must_use]
pub fn has_known_extension(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some(dot) = name.rfind('.').filter(|dot| *dot > 0 && name != "..") else {
        return true;
    };
    let extension = name[dot + 1..].to_lowercase();
    EXTENSIONS.binary_search(&extension.as_str()).is_ok()
}

/// The accepted extensions, sorted.
const EXTENSIONS: &[&str] = &[
    "adoc",
    "asciidoc",
    "astro",
    "bash",
    "bat",
    "c",
    "cc",
    "cfg",
    "cjs",
    "clj",
    "cljc",
    "cljs",
    "cmake",
    "cmd",
    "conf",
    "config",
    "cpp",
    "cs",
    "css",
    "csv",
    "cts",
    "cxx",
    "dart",
    "diff",
    "edn",
    "ejs",
    "elm",
    "env",
    "erb",
    "erl",
    "ex",
    "exs",
    "f",
    "f90",
    "f95",
    "fish",
    "go",
    "gql",
    "gradle",
    "graphql",
    "h",
    "hbs",
    "hpp",
    "hrl",
    "hs",
    "htm",
    "html",
    "hxx",
    "ini",
    "jade",
    "java",
    "js",
    "json",
    "jsx",
    "kt",
    "kts",
    "less",
    "lhs",
    "lock",
    "log",
    "lua",
    "makefile",
    "md",
    "mjs",
    "ml",
    "mli",
    "mts",
    "org",
    "patch",
    "php",
    "pl",
    "pm",
    "properties",
    "proto",
    "ps1",
    "pug",
    "py",
    "pyi",
    "pyw",
    "r",
    "rake",
    "rb",
    "rs",
    "rst",
    "sass",
    "scala",
    "scss",
    "sh",
    "sql",
    "svelte",
    "swift",
    "tex",
    "text",
    "toml",
    "ts",
    "tsx",
    "txt",
    "vue",
    "xml",
    "yaml",
    "yml",
    "zsh",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(run: &str) -> Vec<String> {
        let mut found = Vec::new();
        scan(run, 0, true, &mut found);
        found.into_iter().map(|found| found.path).collect()
    }

    #[test]
    fn starts_after_white_space_only() {
        assert_eq!(paths("@a.md x@b.md\u{A0}@c.md (@d.md"), ["a.md", "c.md"]);
    }

    #[test]
    fn what_stands_before_may_hold_a_reference_back() {
        let mut found = Vec::new();
        let run = "(@a.md) x@b.md \u{4E2D}@c.md @\"d e.md\" @(x) @f.md me@@g.md \"@h";
        scan_stuck(run, 0, &mut found);
        let found: Vec<(&str, &str)> = found
            .iter()
            .map(|found| (found.path.as_str(), &run[found.range.clone()]))
            .collect();
        assert_eq!(
            found,
            [
                ("a.md)", "@a.md)"),
                ("c.md", "@c.md"),
                ("d e.md", "@\"d e.md\"")
            ]
        );
    }

    #[test]
    fn ends_at_white_space_and_backslash() {
        assert_eq!(
            paths(r"@a\ b.md @c\d @e.md, @f.md#x"),
            ["a b.md", "c", "e.md,", "f.md"]
        );
    }

    #[test]
    fn first_character_decides() {
        assert_eq!(
            paths("@~/a @~b @/c @/ @$d @é @.e @-f @_g @9h @#i"),
            ["~/a", "/c", ".e", "-f", "_g", "9h"]
        );
    }

    #[test]
    fn extensions_are_a_sorted_list() {
        assert!(EXTENSIONS.is_sorted());
        assert!(has_known_extension("a/b.MD") && has_known_extension("Makefile"));
        assert!(has_known_extension(".env") && has_known_extension("a.b/c"));
        assert!(!has_known_extension("x.png") && !has_known_extension("notes.markdown"));
    }
}
