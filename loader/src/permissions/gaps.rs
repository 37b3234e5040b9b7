//! Rules that match nothing, or less than they seem to say (facts C6.4, C6.6; cases perm-path-*,
//! perm-pattern-*).

use super::pattern::Pattern;
use super::rule::{self, RuleKind};
use crate::host::Host;
use crate::path::AbsPath;

/// What a rule does not match though it seems to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// What it matches, or that it matches nothing.
    pub what: String,
    /// The rule that would do what this one says.
    pub instead: Option<String>,
    /// Whether the author may have meant just that.
    pub is_doubtful: bool,
}

fn gap(what: impl Into<String>, instead: Option<String>) -> Option<Gap> {
    Some(Gap {
        what: what.into(),
        instead,
        is_doubtful: false,
    })
}

/// Programs that do nothing of note without arguments.
const NEED_ARGUMENTS: [&str; 24] = [
    "chmod", "chown", "cp", "curl", "dd", "doas", "eval", "exec", "kill", "killall", "mkfs", "mv",
    "nc", "pkill", "rm", "rmdir", "rsync", "scp", "sed", "ssh", "sudo", "tee", "wget", "xargs",
];

/// Folders at the root of a file system.
const OF_ROOT: [&str; 14] = [
    "Applications",
    "Users",
    "bin",
    "boot",
    "dev",
    "etc",
    "home",
    "opt",
    "private",
    "proc",
    "root",
    "tmp",
    "usr",
    "var",
];

/// The gap of a rule whose `/x` starts at `base`; in the user's settings that is their folder.
pub(super) fn of(
    kind: RuleKind,
    text: &str,
    (base, of_user): (Option<&AbsPath>, bool),
    host: &dyn Host,
) -> Option<Gap> {
    let parsed = rule::parse(kind, text).ok()?;
    let what = parsed.what.filter(|what| what != "*")?;
    match parsed.tool.as_str() {
        "Write" | "MultiEdit" | "NotebookEdit" => gap(
            "matches nothing: of rules with paths the client asks those for `Edit` alone",
            Some(format!("Edit({what})")),
        ),
        "Glob" | "Grep" | "LS" => gap(
            "matches nothing: of rules with paths the client asks those for `Read` alone",
            Some(format!("Read({what})")),
        ),
        "Bash" => of_command(kind, &what),
        tool @ ("Read" | "Edit") => {
            let rest = what.strip_prefix('/')?;
            let first = rest
                .split(['/', '*'])
                .next()
                .filter(|first| !first.is_empty())?;
            let of_root = OF_ROOT.contains(&first);
            let base = base.filter(|_| of_root || of_user)?;
            host.metadata(&base.child(first)).is_err().then_some(())?;
            gap(
                format!("starts at `{base}`, where there is no `{first}`, so it matches nothing"),
                Some(match of_root {
                    true => format!("{tool}(/{what})"),
                    false => format!("{tool}({rest})"),
                }),
            )
        }
        _ => None,
    }
}

fn of_command(kind: RuleKind, what: &str) -> Option<Gap> {
    let instead = |what: &str| Some(format!("Bash({what})"));
    match Pattern::new(what) {
        Pattern::Prefix(prefix) if prefix.contains('*') => gap(
            "matches only commands with a `*` in them: before `:*` it stands for itself",
            prefix.strip_suffix(" *").and_then(|_| instead(prefix)),
        ),
        Pattern::Wildcard(pattern) if pattern.contains(":* ") => Some(Gap {
            what:
                "matches only commands with a `:` there: `:*` stands for arguments at the end alone"
                    .to_owned(),
            instead: instead(&pattern.replace(":* ", " * ")),
            is_doubtful: true,
        }),
        Pattern::Exact(exact) if exact.trim() != exact => gap(
            "matches nothing: commands are compared without blanks at their ends",
            instead(exact.trim()),
        ),
        Pattern::Exact(exact) if kind != RuleKind::Allow && NEED_ARGUMENTS.contains(&exact) => gap(
            format!("matches `{exact}` alone, and no `{exact}` with arguments"),
            instead(&format!("{exact}:*")),
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::MemoryHost;

    #[test]
    fn rules_that_say_more_than_they_match() {
        let mut host = MemoryHost::new();
        let base = AbsPath::new("/p").unwrap();
        host.file(&base.join("tmp/x"), []);
        let of = |kind, text| of(kind, text, (Some(&base), false), &host).map(|gap| gap.instead);
        let rule = |text: &str| Some(Some(text.to_owned()));
        assert_eq!(of(RuleKind::Deny, "Write(src/**)"), rule("Edit(src/**)"));
        assert_eq!(of(RuleKind::Allow, "Grep(src/**)"), rule("Read(src/**)"));
        assert_eq!(of(RuleKind::Deny, "Bash(curl)"), rule("Bash(curl:*)"));
        assert_eq!(of(RuleKind::Allow, "Bash(git *:*)"), rule("Bash(git *)"));
        assert_eq!(of(RuleKind::Deny, "Read(/etc/**)"), rule("Read(//etc/**)"));
        for text in [
            "Read(/tmp/**)",
            "Read(//etc/**)",
            "Read(/src/**)",
            "Bash(ls)",
            "Bash(rm -rf /)",
        ] {
            assert_eq!(of(RuleKind::Deny, text), None, "{text}");
        }
        assert_eq!(of(RuleKind::Allow, "Write(*)"), None);
        assert_eq!(of(RuleKind::Allow, "Bash(curl)"), None);
    }
}
