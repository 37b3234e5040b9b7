//! Names that look like those of instruction files, and are none.

/// The names that the client looks for in a directory.
const NAMES: [&str; 3] = ["CLAUDE.md", "CLAUDE.local.md", "AGENTS.md"];

/// Other names, with what the client reads instead, and whether another tool reads them.
const OTHERS: &[(&str, &str, bool)] = &[
    ("AGENT.md", "AGENTS.md", true),
    ("AGENTS.local.md", "CLAUDE.local.md", true),
    ("AGENTS.override.md", "CLAUDE.local.md", true),
    ("CLAUDE.override.md", "CLAUDE.local.md", false),
    ("CLAUDE.md.txt", "CLAUDE.md", false),
    (".claude.md", "CLAUDE.md", false),
    (".cursorrules", "CLAUDE.md", true),
];

/// A name that the client passes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lookalike {
    /// It differs in letter case from one that is read.
    Letters {
        /// The name that is read.
        known: &'static str,
    },
    /// It is another name.
    Other {
        /// The name that is read.
        known: &'static str,
        /// Another tool reads it.
        foreign: bool,
    },
}

impl Lookalike {
    /// What a name of a file in a directory looks like.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let is_known = |known: &&&str| **known != name && known.eq_ignore_ascii_case(name);
        if let Some(known) = NAMES.iter().find(is_known) {
            return Some(Self::Letters { known });
        }
        let other = OTHERS.iter().find(|(like, ..)| *like == name);
        other.map(|&(_, known, foreign)| Self::Other { known, foreign })
    }
}

/// Whether a file in a folder of rules looks like a rule and is none: only names that end in `.md`,
/// in small letters, are (fact 1.5).
pub(crate) fn is_like_rule(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| {
        let small = extension.to_ascii_lowercase();
        extension != "md" && matches!(small.as_str(), "md" | "mdc" | "mdx" | "markdown")
    })
}
