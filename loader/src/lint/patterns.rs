//! The patterns of rules that wait, with their places, and the files that they match.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::ops::Range;

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::front_keys::{self, Item};
use super::subject::{File, Subject, When};
use super::tree::Tree;
use crate::client::Behaviour;
use crate::document::{RulePaths, paths_of};
use crate::glob::RulePatterns;
use crate::ignored;
use crate::path::AbsPath;

/// How many entries of ignored folders are looked at.
const IGNORED_ENTRIES: usize = 20_000;

/// A rule that waits.
#[derive(Debug)]
pub(crate) struct Scoped {
    /// Its place in [`Subject::files`].
    pub(crate) at: usize,
    /// The directory from which its patterns are matched.
    pub(crate) base: AbsPath,
    /// The patterns as they are written, split at commas. One for all of them where the client reads
    /// other patterns than are written.
    pub(crate) pieces: Vec<Piece>,
    /// Whether the client reads what is written.
    pub(crate) is_as_written: bool,
    /// All of them together.
    pub(crate) all: RulePatterns,
}

/// One pattern as it is written.
#[derive(Debug)]
pub(crate) struct Piece {
    /// As it is written, without quotes.
    pub(crate) text: String,
    /// Its bytes in the file.
    pub(crate) range: Range<usize>,
    /// Whether `range` holds `text` and nothing else.
    pub(crate) is_exact: bool,
    /// What the client makes of it: braces expanded, `/**` at the end dropped.
    pub(crate) patterns: Vec<String>,
    /// The same, to match with.
    pub(crate) set: RulePatterns,
}

impl Piece {
    /// Whether it takes files back.
    pub(crate) fn is_negated(&self) -> bool {
        self.text.starts_with('!')
    }
}

/// Patterns, and the directory from which they are matched.
type Sought = (AbsPath, Vec<String>);

/// What was matched so far.
#[derive(Debug, Default)]
pub(crate) struct Matched {
    scoped: OnceCell<Vec<Scoped>>,
    ignored: OnceCell<Vec<String>>,
    first: RefCell<FxHashMap<Sought, Option<usize>>>,
}

/// Where a directory lies from the working directory.
enum Below {
    /// Above it, or it: the path down to it.
    Above(String),
    /// Below it: the path to it, with a slash.
    Inside(String),
    Elsewhere,
}

impl Below {
    fn of<'t>(&self, file: &'t str) -> Option<Cow<'t, str>> {
        match self {
            Self::Above(above) if above.is_empty() => Some(Cow::Borrowed(file)),
            Self::Above(above) => Some(Cow::Owned(format!("{above}/{file}"))),
            Self::Inside(folder) => file.strip_prefix(folder.as_str()).map(Cow::Borrowed),
            Self::Elsewhere => None,
        }
    }
}

impl Subject<'_, '_> {
    /// The rules that wait.
    pub(crate) fn scoped(&self) -> &[Scoped] {
        self.matched.scoped.get_or_init(|| {
            let behaviour = &self.session.world().behaviour;
            let files = self.files.iter().enumerate();
            files
                .filter_map(|(at, file)| scoped(at, file, behaviour))
                .collect()
        })
    }

    /// What the client makes of one written pattern.
    pub(crate) fn client_patterns(&self, written: &str) -> Vec<String> {
        client_patterns(written, &self.session.world().behaviour)
    }

    /// The first file of the tree that one of some patterns matches, in the client's form.
    pub(crate) fn first_match(&self, base: &AbsPath, patterns: &[String]) -> Option<&str> {
        let files = &self.tree().files;
        let key = (base.clone(), patterns.to_vec());
        if let Some(known) = self.matched.first.borrow().get(&key) {
            return known.map(|at| files[at].as_str());
        }
        let set = RulePatterns::new(patterns);
        let starts: Vec<&str> = patterns.iter().map(|one| literal_start(one)).collect();
        let may = |path: &str| starts.iter().any(|start| begins(path, start));
        let below = self.below(base);
        let found = files.iter().position(|file| {
            let path = below.of(file);
            path.is_some_and(|path| may(&path) && set.is_match(&path))
        });
        self.matched.first.borrow_mut().insert(key, found);
        found.map(|at| files[at].as_str())
    }

    /// The files of the tree that a rule matches, by their place in it.
    pub(crate) fn matches<'t>(&'t self, rule: &'t Scoped) -> impl Iterator<Item = usize> + 't {
        let files = self.tree().files.iter().enumerate();
        let below = self.below(&rule.base);
        files.filter_map(move |(at, file)| {
            let path = below.of(file)?;
            rule.all.is_match(&path).then_some(at)
        })
    }

    /// A path from the working directory as a pattern of another directory sees it; nothing where
    /// it lies outside of that.
    pub(crate) fn as_below<'t>(&self, base: &AbsPath, file: &'t str) -> Option<Cow<'t, str>> {
        self.below(base).of(file)
    }

    /// How patterns of a directory see paths from the working directory.
    fn below(&self, base: &AbsPath) -> Below {
        let cwd = self.session.cwd();
        match (cwd.below(base), base.below(cwd)) {
            (Some(above), _) => Below::Above(above.to_owned()),
            (None, Some(folder)) => Below::Inside(format!("{folder}/")),
            (None, None) => Below::Elsewhere,
        }
    }

    /// A file that one of some patterns matches in a folder that git ignores.
    pub(crate) fn ignored_match(&self, base: &AbsPath, patterns: &[String]) -> Option<&str> {
        let set = RulePatterns::new(patterns);
        let world = self.session.world();
        let files = self.matched.ignored.get_or_init(|| {
            Tree::below(
                world.host,
                &world.cwd,
                &self.waiting.ignored,
                IGNORED_ENTRIES,
            )
        });
        let found = files.iter().find(|file| {
            let path = self.as_below(base, file);
            path.is_some_and(|path| set.is_match(&path))
        });
        found.map(String::as_str)
    }

    /// Whether git ignores what one of some patterns names, were it there.
    pub(crate) fn names_ignored(&self, base: &AbsPath, patterns: &[String]) -> bool {
        let world = self.session.world();
        let ignores = |pattern: &String| {
            let path = base.join(&sample(pattern));
            path.is_within(&world.cwd) && ignored::is_path_ignored(world.host, &world.cwd, &path)
        };
        patterns.iter().any(ignores)
    }
}

fn scoped(at: usize, file: &File, behaviour: &Behaviour) -> Option<Scoped> {
    let When::Match { patterns, base } = &file.when else {
        return None;
    };
    let key = front_keys::key(&file.document, "paths")?;
    let items = front_keys::items(&file.document, &key);
    let mut pieces: Vec<Piece> = items
        .iter()
        .flat_map(|item| pieces(&file.document.source, item, behaviour))
        .collect();
    // `paths` is shortened where everything is matched, so a lone `**` is compared as it is written.
    let together = pieces.iter().flat_map(|piece| &piece.patterns);
    let is_as_written = together.eq(patterns.iter());
    if !is_as_written {
        pieces = vec![Piece {
            text: patterns.join(", "),
            range: key.value_range,
            is_exact: false,
            patterns: patterns.clone(),
            set: RulePatterns::new(patterns),
        }];
    }
    Some(Scoped {
        at,
        base: base.clone(),
        pieces,
        is_as_written,
        all: RulePatterns::new(patterns),
    })
}

/// The patterns of a text, which commas outside braces part.
fn pieces(source: &str, item: &Item, behaviour: &Behaviour) -> Vec<Piece> {
    let inner = item.inner(source);
    let mut found = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    let ends = item
        .text
        .char_indices()
        .chain([(item.text.len(), ',')])
        .filter(|(at, c)| {
            depth += match c {
                '{' => 1,
                '}' => -1,
                _ => 0,
            };
            *c == ',' && (depth == 0 || *at == item.text.len())
        });
    for (end, _) in ends {
        let part = &item.text[start..end];
        let text = part.trim();
        let begin = start + (part.len() - part.trim_start().len());
        start = end + 1;
        if text.is_empty() {
            continue;
        }
        let patterns = client_patterns(text, behaviour);
        let range = match &inner {
            Some(inner) => inner.start + begin..inner.start + begin + text.len(),
            None => item.range.clone(),
        };
        found.push(Piece {
            text: text.to_owned(),
            range,
            is_exact: inner.is_some(),
            set: RulePatterns::new(&patterns),
            patterns,
        });
    }
    found
}

fn client_patterns(written: &str, behaviour: &Behaviour) -> Vec<String> {
    match paths_of(Some(Value::String(written.to_owned())), behaviour) {
        RulePaths::Matching(patterns) => patterns,
        RulePaths::Always => vec!["**".to_owned()],
    }
}

/// The folders with which every path begins that a pattern matches, but for letter case.
pub(crate) fn literal_start(pattern: &str) -> &str {
    let is_anchored = pattern.trim_end_matches('/').contains('/');
    if !is_anchored || !pattern.is_ascii() || pattern.starts_with(['!', '#', '\\']) {
        return "";
    }
    let text = pattern.strip_prefix('/').unwrap_or(pattern);
    let end = text.find(['*', '?', '[', '\\']).unwrap_or(text.len());
    text[..end].rfind('/').map_or("", |slash| &text[..=slash])
}

fn begins(path: &str, start: &str) -> bool {
    let own = path.as_bytes().get(..start.len());
    own.is_some_and(|own| own.eq_ignore_ascii_case(start.as_bytes()))
}

/// A path that a pattern matches, more or less.
fn sample(pattern: &str) -> String {
    let pattern = pattern.trim_start_matches(['!', '/']);
    let mut path = String::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '*' if path.ends_with('x') => {}
            '*' | '?' => path.push('x'),
            '\\' => path.extend(chars.next()),
            c => path.push(c),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_fixed_in_a_pattern() {
        assert_eq!(literal_start("src/web/**/*.ts"), "src/web/");
        assert_eq!(literal_start("/src/a.ts"), "src/");
        assert_eq!(literal_start("src"), "");
        assert_eq!(literal_start("src/"), "");
        assert_eq!(literal_start("**/a"), "");
        assert_eq!(literal_start("src/w*/a"), "src/");
        assert_eq!(sample("/dist/**/*.js"), "dist/x/x.js");
    }
}
