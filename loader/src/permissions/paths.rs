//! What a `Read(…)` or `Edit(…)` rule matches: paths, gitignore-like, from a base that the form and
//! the source decide (facts C6.6, C6.7; cases perm-read-deny-*, perm-path-*).

use crate::glob::RulePatterns;
use crate::path::AbsPath;

/// A path pattern with its base.
#[derive(Clone, Debug)]
pub(super) struct PathRule {
    base: AbsPath,
    patterns: RulePatterns,
}

/// Where the forms of a rule start.
pub(super) struct Bases<'a> {
    /// `/x`: the folder of the settings; `None` where it is not known.
    pub(super) settings: Option<AbsPath>,
    pub(super) cwd: &'a AbsPath,
    pub(super) home: &'a AbsPath,
}

impl PathRule {
    /// Reads a pattern. `None` for one whose base is not known.
    pub(super) fn new(what: &str, bases: &Bases<'_>) -> Option<Self> {
        let root = || bases.cwd.ancestors().last();
        let (base, pattern) = if let Some(rest) = what.strip_prefix("//") {
            (root()?, format!("/{}", rest.trim_start_matches('/')))
        } else if let Some(rest) = what.strip_prefix("~/") {
            (bases.home.clone(), format!("/{rest}"))
        } else if what.starts_with('/') {
            (bases.settings.clone()?, what.to_owned())
        } else {
            // `./x` is `x`: at any depth unless it has a slash inside.
            let rest = what.strip_prefix("./").unwrap_or(what);
            (bases.cwd.clone(), rest.to_owned())
        };
        Some(Self {
            base,
            patterns: RulePatterns::new(&[with_folder(&pattern)]),
        })
    }

    pub(super) fn matches(&self, path: &AbsPath) -> bool {
        let below = path.below(&self.base);
        below.is_some_and(|below| self.patterns.is_match(below))
    }
}

/// `x/**` means the folder `x` itself too (case perm-read-deny-evaded: `ls sub`).
fn with_folder(pattern: &str) -> String {
    match pattern.strip_suffix("/**") {
        Some(folder) if !folder.is_empty() && !folder.ends_with("**") => {
            let anchored = if folder.starts_with('/') || folder.contains('/') {
                ""
            } else {
                "/"
            };
            format!("{anchored}{folder}")
        }
        _ => pattern.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn abs(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    fn matches(what: &str, path: &str) -> bool {
        let bases = Bases {
            settings: Some(abs("/h/.claude")),
            cwd: &abs("/p"),
            home: &abs("/h"),
        };
        PathRule::new(what, &bases).unwrap().matches(&abs(path))
    }

    #[test]
    fn bases_and_depths() {
        assert!(matches("secret/**", "/p/secret/x") && matches("secret/**", "/p/secret"));
        assert!(!matches("secret/**", "/p/a/secret/x"));
        assert!(matches("*.key", "/p/a/b.KEY") && matches("./.env", "/p/a/.env"));
        assert!(matches("~/x", "/h/x") && matches("//o/**", "/o/x/y"));
        assert!(matches("/abs.txt", "/h/.claude/abs.txt") && !matches("/abs.txt", "/p/abs.txt"));
        assert!(matches("**/deep.md", "/p/q/deep.md") && !matches("**", "/o/x"));
        assert!(!matches("!a", "/p/a"));
    }
}
