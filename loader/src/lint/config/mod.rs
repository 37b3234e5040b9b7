//! `outcrop.toml`: which findings count, and how much.
//!
//! The file is found upwards from the directory that is linted, up to the root of its repository or
//! the home folder. What is wrong in it is kept as data, and told by the rules `config-*`.

mod keys;
mod read;

use std::ops::Range;
use std::sync::Arc;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::budgets::Budgets;
use super::rule::{Rule, Severity};
use crate::client::Version;
use crate::host::Host;
use crate::limits;
use crate::path::AbsPath;

pub use keys::schema;

/// The name of the file.
pub const NAME: &str = "outcrop.toml";

/// How many files may extend one another.
const EXTENDS: usize = 8;

/// What is configured.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The file, and those that it extends.
    pub files: Vec<AbsPath>,
    /// Versions of the client that are in use.
    pub clients: Vec<Version>,
    /// The file of known findings.
    pub baseline: Option<AbsPath>,
    /// What was set of [`Budgets`], in order.
    budgets: Vec<(&'static keys::Budget, u64)>,
    levels: Vec<Levels>,
    ignore: Vec<Patterns>,
    /// What is wrong in the files.
    pub(crate) problems: Vec<Problem>,
}

/// How bad the findings of a rule are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// They are not told.
    Off,
    /// As bad as this.
    At(Severity),
}

/// Rules that are set, for all files or some.
#[derive(Clone, Debug)]
struct Levels {
    paths: Option<Patterns>,
    rules: Vec<(&'static Rule, Level)>,
}

/// Patterns as in `.gitignore`, with the directory from which they count.
#[derive(Clone)]
struct Patterns {
    base: AbsPath,
    matcher: Arc<Gitignore>,
}

impl std::fmt::Debug for Patterns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Patterns").finish_non_exhaustive()
    }
}

impl Patterns {
    fn of(base: &AbsPath, patterns: &[String]) -> Result<Self, String> {
        let mut builder = GitignoreBuilder::new(base.as_str());
        for pattern in patterns {
            let added = builder.add_line(None, pattern);
            added.map_err(|error| error.to_string())?;
        }
        let matcher = builder.build().map_err(|error| error.to_string())?;
        Ok(Self {
            base: base.clone(),
            matcher: Arc::new(matcher),
        })
    }

    fn matches(&self, path: &AbsPath) -> bool {
        match path.below(&self.base) {
            Some(below) if !below.is_empty() => self
                .matcher
                .matched_path_or_any_parents(below, false)
                .is_ignore(),
            _ => false,
        }
    }
}

/// Something that is wrong in the file.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) path: AbsPath,
    pub(crate) range: Range<usize>,
    /// A key or rule that there is not; else a value that cannot be taken.
    pub(crate) is_key: bool,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    /// The name that was likely meant.
    pub(crate) nearest: Option<&'static str>,
}

impl Config {
    /// The file that counts in a directory: the nearest above it, up to the root of the repository
    /// or the home folder; outside of both only its own.
    #[must_use]
    pub fn find(host: &dyn Host, directory: &AbsPath, home: &AbsPath) -> Option<AbsPath> {
        let is_end =
            |folder: &AbsPath| folder == home || host.metadata(&folder.child(".git")).is_ok();
        let last = directory.ancestors().find(is_end);
        let last = last.unwrap_or_else(|| directory.clone());
        let mut folders = directory
            .ancestors()
            .take_while(|folder| folder.is_within(&last));
        folders.find_map(|folder| {
            let file = folder.child(NAME);
            host.metadata(&file).is_ok().then_some(file)
        })
    }

    /// Reads a file and those that it extends. Patterns count from the directory of the file itself,
    /// also those of files that it extends.
    #[must_use]
    pub fn load(host: &dyn Host, file: &AbsPath) -> Self {
        let mut config = Self::default();
        let base = file.parent().unwrap_or_else(|| file.clone());
        let mut read: Vec<read::File> = Vec::new();
        let mut next = Some((file.clone(), None));
        while let Some((path, named)) = next.take() {
            let problem = match host.read(&path, limits::SETTINGS_BYTES) {
                Ok(_) if config.files.contains(&path) => "is extended in a circle".to_owned(),
                Ok(_) if config.files.len() >= EXTENDS => "is extended too deep".to_owned(),
                Ok(bytes) => {
                    let text = String::from_utf8_lossy(&bytes);
                    let file = read::File::of(&path, &text, &base);
                    next = file
                        .extend
                        .clone()
                        .map(|(to, at)| (to, Some((path.clone(), at))));
                    read.push(file);
                    config.files.push(path);
                    continue;
                }
                Err(error) => error.to_string(),
            };
            let (by, range) = named.unwrap_or_else(|| (path.clone(), 0..0));
            config.problems.push(Problem {
                path: by,
                range,
                is_key: false,
                message: format!("`{path}` {problem}, so it is passed over"),
                help: None,
                nearest: None,
            });
        }
        // What is extended counts first, so that its extender has the last word.
        for file in read.into_iter().rev() {
            file.add_to(&mut config);
        }
        config
    }

    /// The sizes from which on something is told.
    #[must_use]
    pub fn budgets(&self) -> Budgets {
        let mut budgets = Budgets::default();
        for (budget, value) in &self.budgets {
            (budget.set)(&mut budgets, *value);
        }
        budgets
    }

    /// Whether nothing is found in a file.
    #[must_use]
    pub fn ignores(&self, path: &AbsPath) -> bool {
        self.ignore.iter().any(|patterns| patterns.matches(path))
    }

    /// What is configured of a rule in a file; nothing where its own severity counts.
    #[must_use]
    pub fn level(&self, rule: &Rule, path: &AbsPath) -> Option<Level> {
        if self.ignores(path) {
            return Some(Level::Off);
        }
        let of_all = |levels: &&Levels| levels.paths.is_none();
        let (all, some): (Vec<&Levels>, Vec<&Levels>) = self.levels.iter().partition(of_all);
        let levels = some.into_iter().rev().chain(all.into_iter().rev());
        let mut levels = levels.filter(|levels| {
            let paths = levels.paths.as_ref();
            paths.is_none_or(|paths| paths.matches(path))
        });
        levels.find_map(|levels| {
            let mut rules = levels.rules.iter().rev();
            let own = rules.find(|(known, _)| known.id == rule.id);
            own.map(|(_, level)| *level)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::MemoryHost;

    fn path(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    fn of(files: &[(&str, &str)]) -> Config {
        let mut host = MemoryHost::new();
        for (name, text) in files {
            host.file(&path(name), text.as_bytes());
        }
        Config::load(&host, &path(files[0].0))
    }

    #[test]
    fn the_nearest_file_counts_up_to_an_end() {
        let mut host = MemoryHost::new();
        for file in [
            "/outcrop.toml",
            "/home/u/outcrop.toml",
            "/home/u/r/.git/HEAD",
        ] {
            host.file(&path(file), &b""[..]);
        }
        host.file(&path("/home/u/r/a/outcrop.toml"), &b""[..]);
        let home = path("/home/u");
        let find = |from: &str| Config::find(&host, &path(from), &home);
        assert_eq!(
            find("/home/u/r/a/b"),
            Some(path("/home/u/r/a/outcrop.toml"))
        );
        assert_eq!(find("/home/u/r/c"), None);
        assert_eq!(find("/home/u/plain"), Some(path("/home/u/outcrop.toml")));
        assert_eq!(find("/srv/x"), None);
    }

    #[test]
    fn the_last_word_counts() {
        let config = of(&[
            (
                "/r/outcrop.toml",
                "extend = \"conf/team.toml\"\n[lint]\nrules = { import-missing = \"info\" }\n\
                 ignore = [\"gen/\"]\n[[lint.overrides]]\npaths = [\"vendor/**\"]\n\
                 rules = { L101 = \"off\" }\n",
            ),
            (
                "/r/conf/team.toml",
                "[lint]\nrules = { L101 = \"off\", L107 = \"error\" }\nclients = [\"2.1.197\"]\n\
                 baseline = \"known.json\"\n[lint.budgets]\nstart_tokens = 7\n",
            ),
        ]);
        assert!(config.problems.is_empty(), "{:?}", config.problems);
        let level =
            |rule: &str, at: &str| config.level(crate::lint::rule(rule).unwrap(), &path(at));
        assert_eq!(
            level("L101", "/r/CLAUDE.md"),
            Some(Level::At(Severity::Info))
        );
        assert_eq!(level("L101", "/r/vendor/a/CLAUDE.md"), Some(Level::Off));
        assert_eq!(
            level("L107", "/r/CLAUDE.md"),
            Some(Level::At(Severity::Error))
        );
        assert_eq!(level("L107", "/r/gen/a.md"), Some(Level::Off));
        assert_eq!(
            level("L107", "/else/gen/a.md"),
            Some(Level::At(Severity::Error))
        );
        assert_eq!(level("L203", "/r/CLAUDE.md"), None);
        assert_eq!(config.budgets().start_tokens, 7);
        assert_eq!(config.baseline, Some(path("/r/conf/known.json")));
        assert_eq!(config.clients.len(), 1);
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        let text = "lints = 1\nignore = []\n[lint]\nrules = { L1O1 = \"off\", L107 = \"of\" }\n\
                    clients = \"2\"\nignore = [1, \"a{\"]\n[lint.budgets]\nstart_token = 1\n\
                    tree_lines = \"x\"\n[[lint.overrides]]\npaths = [\"a\"]\n";
        let config = of(&[("/r/outcrop.toml", text)]);
        let told = config.problems.iter().map(|problem| {
            let at = &text[problem.range.clone()];
            format!("{at} -> {}", problem.nearest.unwrap_or("-"))
        });
        let wanted = [
            "lints -> lint",
            "ignore -> -",
            "L1O1 -> L101",
            "\"of\" -> off",
            "\"2\" -> -",
            "1 -> -",
            "start_token -> start_tokens",
            "\"x\" -> -",
        ];
        let told: Vec<String> = told.collect();
        for wanted in wanted {
            assert!(told.iter().any(|told| told == wanted), "{wanted}: {told:?}");
        }
    }

    #[test]
    fn broken_files_still_count() {
        let config = of(&[(
            "/r/outcrop.toml",
            "extend = \"outcrop.toml\"\n[lint]\nignore = [\n",
        )]);
        assert!(config.problems.len() >= 2, "{:?}", config.problems);
        let gone = of(&[("/r/outcrop.toml", "extend = \"gone.toml\"\n")]);
        assert!(gone.problems[0].message.contains("does not exist"));
    }
}
