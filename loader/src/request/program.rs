//! Whether the file that a command runs is there.

use crate::host::Host;
use crate::path::AbsPath;

/// Programs whose first operand is the file that they run.
const INTERPRETERS: [&str; 12] = [
    "bash", "bun", "deno", "node", "perl", "php", "python", "python3", "ruby", "sh", "tsx", "zsh",
];

/// Where a command runs, and what its variables stand for.
pub(super) struct Place<'a> {
    pub(super) host: &'a dyn Host,
    pub(super) cwd: &'a AbsPath,
    pub(super) variables: &'a [(&'a str, &'a AbsPath)],
}

impl Place<'_> {
    /// The file of a shell command that does not exist, where the command names one plainly.
    pub(super) fn missing_in(&self, command: &str) -> Option<AbsPath> {
        let first = command.split([';', '&', '|', '\n', '>', '<']).next()?;
        if first.contains(['\\', '`', '(', '*', '?', '[', '{']) && !first.contains("${") {
            return None;
        }
        // Quotes around blanks would need a shell.
        let is_open = |word: &str| word.matches(['"', '\'']).count() % 2 == 1;
        if first.split_whitespace().any(is_open) {
            return None;
        }
        let bare = |word: &str| word.replace(['"', '\''], "");
        let words: Vec<String> = first.split_whitespace().map(bare).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.missing(&words)
    }

    /// The same of a program with its arguments.
    pub(super) fn missing(&self, words: &[&str]) -> Option<AbsPath> {
        let (program, arguments) = words.split_first()?;
        // A variable that is set for the command is no program.
        if program.contains('=') {
            return None;
        }
        let file = if program.contains('/') {
            program
        } else if INTERPRETERS.contains(program) {
            // An option may take the next word.
            let first = arguments.first()?;
            if !first.contains('/') && !first.contains('.') || first.starts_with('-') {
                return None;
            }
            first
        } else {
            return None;
        };
        let path = self.cwd.join(&self.filled(file)?);
        self.host.metadata(&path).is_err().then_some(path)
    }

    /// The path with its variables put in; `None` where one is unknown.
    fn filled(&self, written: &str) -> Option<String> {
        let mut text = written.to_owned();
        for (name, path) in self.variables {
            text = text.replace(&format!("${{{name}}}"), path.as_str());
            text = text.replace(&format!("${name}"), path.as_str());
        }
        if let (Some(rest), Some((_, home))) = (
            text.strip_prefix("~/"),
            self.variables.iter().find(|(name, _)| *name == "HOME"),
        ) {
            text = home.join(rest).as_str().to_owned();
        }
        (!text.contains(['$', '~'])).then_some(text)
    }
}
