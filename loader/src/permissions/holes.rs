//! Rules that are known to be evaded, and by which forms (fact C6.5; cases perm-bash-deny-*,
//! perm-read-deny-evaded, perm-unclear-*).

use serde::Serialize;

use super::rule::{self, RuleKind};
use crate::client::Behaviour;

/// A form of call that gets past a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hole {
    /// The form, by an example.
    pub form: String,
    /// What to do about it.
    pub advice: &'static str,
}

const PLAIN: &str = "deny the shells and interpreters too, or use a sandbox or a PreToolUse hook";
const NEWER: &str = "a newer client, which sees some of these";
/// Where Bash is allowed as a whole (cases perm-unclear-*).
const UNTOLD: &str = "a variable, $( ) or a group in it, where a rule allows Bash as a whole";
const NOT_WHOLE: &str = "allow commands one by one in place of Bash as a whole";

/// The holes of a rule that refuses or asks.
pub(super) fn of(kind: RuleKind, text: &str, behaviour: &Behaviour) -> Vec<Hole> {
    if kind == RuleKind::Allow {
        return Vec::new();
    }
    let Ok(parsed) = rule::parse(kind, text) else {
        return Vec::new();
    };
    let Some(what) = parsed.what else {
        return Vec::new();
    };
    let hole = |form: String, advice: &'static str| Hole { form, advice };
    let mut holes = Vec::new();
    match parsed.tool.as_str() {
        "Bash" => {
            let command = what.trim_end_matches(":*").trim_end_matches([' ', '*']);
            let name = command.split(' ').next().unwrap_or_default();
            if name.is_empty() || name.contains('*') {
                return holes;
            }
            holes.push(hole(format!("bash -c \"{command}\""), PLAIN));
            holes.push(hole(format!("eval {command}"), PLAIN));
            holes.push(hole(format!("echo x | xargs -n1 {command}"), PLAIN));
            holes.push(hole(format!("find . -exec {command} {{}} \\;"), PLAIN));
            if command.contains(' ') {
                let rest = &command[name.len()..];
                holes.push(hole(
                    format!("{name} -X{rest}, with an option in between"),
                    "deny the program as a whole",
                ));
            }
            if !behaviour.rules_see_program_names && !name.contains('/') {
                holes.push(hole(format!("/usr/bin/{command}"), NEWER));
            }
            if !behaviour.rules_see_nested {
                holes.push(hole(format!("echo $({command})"), NEWER));
                holes.push(hole(format!("({command})"), NEWER));
            }
        }
        "Read" => {
            holes.push(hole(
                "cat with a pattern in place of the name; grep -r of a folder above it".to_owned(),
                "deny the whole folder, or keep the file out of it",
            ));
            holes.push(hole(
                "python3 or another program that Bash rules allow".to_owned(),
                PLAIN,
            ));
            holes.push(hole(format!("echo $X; cat FILE: {UNTOLD}"), NOT_WHOLE));
            if !behaviour.rules_see_nested {
                holes.push(hole("cat < FILE, tac FILE".to_owned(), NEWER));
            }
        }
        "Edit" => {
            holes.push(hole(
                "python3 or another program that Bash rules allow".to_owned(),
                PLAIN,
            ));
            holes.push(hole(format!("echo $X; touch FILE: {UNTOLD}"), NOT_WHOLE));
        }
        "Write" | "NotebookEdit" | "MultiEdit" => holes.push(hole(
            "every write".to_owned(),
            "write it as Edit(…): only Edit rules are matched with paths",
        )),
        "Glob" | "Grep" => holes.push(hole(
            "every read".to_owned(),
            "write it as Read(…): only Read rules are matched with paths",
        )),
        _ => {}
    }
    holes
}
