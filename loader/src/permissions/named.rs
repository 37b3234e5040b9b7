//! The files that a Bash command names, for reports on what a session touched.

use super::operands::{self, Access};
use super::shell::{Direction, Script, Word};
use super::wrappers::{self, Reach};
use crate::path::AbsPath;

/// A path that a command names, and what the command does with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPath {
    /// The path, resolved against the directory that the command is in at that place.
    pub path: AbsPath,
    /// As it is written in the command.
    pub written: String,
    /// The program; `>` for a redirection.
    pub program: String,
    /// It is created, changed or removed.
    pub is_written: bool,
}

/// The paths that a Bash command names, in order, as far as its words tell: for the programs whose
/// paths a newer client's permission check knows, and for redirections. Words with variables,
/// patterns or a home folder are left out.
#[must_use]
pub fn paths_named_by(command: &str, cwd: &AbsPath) -> Vec<NamedPath> {
    let script = Script::read(command);
    let mut here = cwd.clone();
    let mut named = Vec::new();
    for simple in &script.commands {
        let views = wrappers::views(simple, Reach::Deny, true);
        let by_xargs = views.iter().any(|view| view.name() == "xargs");
        if let Some(view) = views.last().filter(|_| !by_xargs)
            && let Some(access) = operands::access(view.words, true)
        {
            let words = operands::operands(view.words);
            for (number, word) in words.iter().enumerate() {
                let Some(path) = literal(word, &here) else {
                    continue;
                };
                if access == Access::Enters {
                    here = path;
                    continue;
                }
                let is_written = match access {
                    Access::Reads | Access::Enters => false,
                    Access::Writes => true,
                    // The copy's target, or what is edited in place.
                    Access::Copies => number + 1 == words.len() || view.name() == "sed",
                };
                named.push(NamedPath {
                    path,
                    written: word.text.clone(),
                    program: view.name().to_owned(),
                    is_written,
                });
            }
        }
        for redirect in &simple.redirects {
            if let Some(path) = literal(&redirect.target, &here)
                && !path.as_str().starts_with("/dev/")
            {
                named.push(NamedPath {
                    path,
                    written: redirect.target.text.clone(),
                    program: ">".to_owned(),
                    is_written: redirect.direction == Direction::Output,
                });
            }
        }
    }
    named
}

fn literal(word: &Word, here: &AbsPath) -> Option<AbsPath> {
    let is_literal = word.unclear.is_none()
        && !word.pattern
        && !word.tilde
        && word.variables.is_empty()
        && !word.text.is_empty()
        && !word.text.contains('$');
    is_literal.then(|| here.join(&word.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(command: &str) -> Vec<String> {
        let cwd = AbsPath::new("/w").unwrap();
        let paths = paths_named_by(command, &cwd);
        let marked = paths.iter().map(|one| {
            let mark = if one.is_written { "+" } else { "" };
            format!("{mark}{}", one.path)
        });
        marked.collect()
    }

    #[test]
    fn files_of_commands() {
        for (command, want) in [
            ("cat a.ts", &["/w/a.ts"][..]),
            ("cat a b | head -n 3", &["/w/a", "/w/b"]),
            ("cd sub && grep -n x c.rs", &["/w/sub/c.rs"]),
            ("cp a b", &["/w/a", "+/w/b"]),
            ("sed -i s/a/b/ c", &["+/w/c"]),
            ("echo x > out.txt 2>/dev/null", &["+/w/out.txt"]),
            ("sort < in.txt", &["/w/in.txt"]),
            ("rm /tmp/x", &["+/tmp/x"]),
            ("sudo tee /etc/y", &["+/etc/y"]),
            ("cat $X ~/z *.md", &[]),
            ("cargo test", &[]),
            ("", &[]),
        ] {
            assert_eq!(named(command), want, "{command}");
        }
    }
}
