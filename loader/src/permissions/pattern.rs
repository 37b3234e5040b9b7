//! What a `Bash(…)` rule matches: a command's text (fact C6.4, cases perm-pattern-*).

use super::rule::wildcard;

/// The inside of a `Bash(…)` rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern<'r> {
    /// The command as it is written.
    Exact(&'r str),
    /// `X:*`: X, alone or before a blank.
    Prefix(&'r str),
    /// With `*` anywhere; one at the end behind a blank stands for no argument too.
    Wildcard(&'r str),
}

impl<'r> Pattern<'r> {
    pub(super) fn new(what: &'r str) -> Self {
        if let Some(prefix) = what.strip_suffix(":*") {
            return Self::Prefix(prefix);
        }
        if what.replace("\\*", "").contains('*') {
            Self::Wildcard(what)
        } else {
            Self::Exact(what)
        }
    }

    pub(super) const fn is_exact(&self) -> bool {
        matches!(self, Self::Exact(_))
    }

    pub(super) fn matches(&self, text: &str) -> bool {
        match self {
            Self::Exact(exact) => text == *exact,
            Self::Prefix(prefix) => {
                let rest = text.strip_prefix(prefix);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            }
            Self::Wildcard(pattern) => {
                let alone = pattern
                    .strip_suffix(" *")
                    .filter(|head| !head.contains('*'));
                alone == Some(text) || wildcard(pattern, text)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        let matches = |what: &str, text: &str| Pattern::new(what).matches(text);
        assert!(matches("mkdir:*", "mkdir") && matches("mkdir:*", "mkdir d"));
        assert!(!matches("mkdir:*", "mkdirx d") && !matches("py:*x", "py"));
        assert!(matches("rm *", "rm") && matches("rm *", "rm a") && !matches("rm *", "rmx a"));
        assert!(matches("mv*", "mvx") && matches("cp * dst", "cp a dst"));
        assert!(!matches("cp * dst", "cp dst"));
        assert!(matches("a \\*", "a \\*") && !matches("a \\*", "a b"));
    }
}
