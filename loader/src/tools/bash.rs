//! Which Bash commands the client takes for reads of files (fact 5.11).
//!
//! Mapped form by form with some 1,600 recorded commands: a list of plain commands, each a
//! known reader of exactly one literal file or one of a few harmless words. Commands that hold
//! `( )`, `{ }` or keywords such as `for` count by rules of their own, which are not modelled:
//! they are taken for no read.

use super::readers;

/// A file that a command reads, and what the command needs to show of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileRead {
    /// The file, as written.
    pub(crate) file: String,
    /// The part that is asked for.
    pub(crate) part: Part,
}

/// The part of a file that a command shows; a part without text is no read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// All of it.
    Whole,
    /// The first lines.
    First(usize),
    /// The last lines.
    Last(usize),
    /// From one 1-based line to another.
    Lines(usize, usize),
    /// Lines that hold a text; `None` when the pattern is more than a text.
    Matching(Option<String>),
}

/// The files that a command reads. `cwd` is the session's directory as text.
///
/// # Errors
/// Why the command counts as no read.
pub(crate) fn files_read_by(command: &str, cwd: &str) -> Result<Vec<FileRead>, &'static str> {
    if command.contains(['|', '<', '>']) {
        return Err("a command with `|`, `<` or `>` anywhere, even in quotes, is no read");
    }
    let own = format!("cd {cwd} && ");
    let command = command.strip_prefix(own.as_str()).unwrap_or(command);
    let commands = split(command)?;
    let mut files = Vec::new();
    for words in &commands {
        let Some(name) = words.iter().find(|word| !is_assignment(word)) else {
            return Err("a command that only sets variables is no read");
        };
        if is_harmless(words) {
            continue;
        }
        let at = words.iter().position(|word| word == name).unwrap_or(0);
        files.push(readers::read_of(
            &name.text,
            &words[at + 1..],
            commands.len() == 1,
        )?);
    }
    if files.is_empty() {
        return Err("the command reads no file");
    }
    Ok(files)
}

/// A word of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// Its text without quotes.
    pub(super) text: String,
    /// It was written without any quote or backslash.
    pub(super) bare: bool,
    /// It holds something that the shell replaces: a variable, a substitution, a `~`.
    pub(super) replaced: bool,
}

fn is_assignment(word: &Word) -> bool {
    let name = word.text.split('=').next().unwrap_or_default();
    word.text.contains('=')
        && !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_harmless(words: &[Word]) -> bool {
    words
        .first()
        .is_some_and(|word| word.bare && matches!(word.text.as_str(), "echo" | "printf" | "true"))
}

/// Splits a command into plain commands, and those into words.
fn split(command: &str) -> Result<Vec<Vec<Word>>, &'static str> {
    let mut splitter = Splitter {
        commands: Vec::new(),
        words: Vec::new(),
        word: None,
    };
    let mut chars = command.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\'' => {
                let word = splitter.quoted();
                loop {
                    match chars.next() {
                        Some('\'') => break,
                        Some(c) => word.text.push(c),
                        None => return Err("the command has an unclosed quote"),
                    }
                }
            }
            '"' => {
                let word = splitter.quoted();
                loop {
                    match chars.next() {
                        Some('"') => break,
                        Some('\\') => match chars.next() {
                            Some(c @ ('"' | '\\' | '`')) => word.text.push(c),
                            Some(c) => {
                                // An escaped `$` keeps a file from being literal as well.
                                word.replaced |= c == '$';
                                word.text.extend(['\\', c]);
                            }
                            None => return Err("the command has an unclosed quote"),
                        },
                        Some(c) => {
                            word.replaced |= matches!(c, '$' | '`');
                            word.text.push(c);
                        }
                        None => return Err("the command has an unclosed quote"),
                    }
                }
            }
            '\\' => {
                let word = splitter.quoted();
                match chars.next() {
                    Some('\n') | None => word.replaced = true,
                    Some(c) => word.text.push(c),
                }
            }
            '#' if splitter.word.is_none() => while chars.next_if(|c| *c != '\n').is_some() {},
            ';' | '\n' => splitter.end_command(),
            '&' => {
                chars.next_if_eq(&'&');
                splitter.end_command();
            }
            '(' | ')' if splitter.word.as_ref().is_none_or(|word| !word.replaced) => {
                return Err("commands in parentheses are not modelled and count as no read");
            }
            c if c.is_whitespace() => splitter.end_word(),
            c => {
                let word = splitter.word.get_or_insert(Word {
                    text: String::new(),
                    bare: true,
                    replaced: false,
                });
                let starts = word.text.is_empty();
                word.replaced |= matches!(c, '$' | '`' | '{') || (c == '~' && starts);
                word.text.push(c);
            }
        }
    }
    splitter.end_command();
    Ok(splitter.commands)
}

struct Splitter {
    commands: Vec<Vec<Word>>,
    words: Vec<Word>,
    word: Option<Word>,
}

impl Splitter {
    fn quoted(&mut self) -> &mut Word {
        let word = self.word.get_or_insert(Word {
            text: String::new(),
            bare: false,
            replaced: false,
        });
        word.bare = false;
        word
    }

    fn end_word(&mut self) {
        self.words.extend(self.word.take());
    }

    fn end_command(&mut self) {
        self.end_word();
        if !self.words.is_empty() {
            self.commands.push(std::mem::take(&mut self.words));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(command: &str) -> Option<Vec<String>> {
        let reads = files_read_by(command, "/w").ok()?;
        Some(reads.into_iter().map(|read| read.file).collect())
    }

    #[test]
    fn reads_of_one_literal_file() {
        for command in [
            "cat a.ts",
            "cat -n a.ts",
            "head -1 a.ts",
            "head -n 5 a.ts",
            "nl a.ts",
            "cat 'a.ts'",
            "sed -n 1,2p a.ts",
            "sed -ne 1p a.ts",
            "grep x a.ts",
            "cat a.ts; true",
            "c\"a\"t a.ts",
            "cat a.ts && echo b",
            "cd /w && cat a.ts",
            "X=1 cat a.ts",
            "echo $X; cat a.ts",
            "tail --lines=3 a.ts",
            "grep -A 3 \"$x\" a.ts",
            "rg -n x a.ts",
            "cat a.ts # why",
        ] {
            assert_eq!(files(command), Some(vec!["a.ts".to_owned()]), "{command}");
        }
        assert_eq!(files("cat a; cat b").unwrap(), ["a", "b"]);
    }

    #[test]
    fn everything_else_is_no_read() {
        for command in [
            "cat a b",
            "cat a | head",
            "cat a 2>/dev/null",
            "cd s; cat a",
            "cat $X",
            "cat ~/a",
            "awk 1 a",
            "sed 1d a",
            "sed -i s/a/b/ a",
            "grep -r x a",
            "cat a || true",
            "",
            "cat",
            "ls a",
            "cat 'a",
            "echo hi > a",
            "cat a; ls",
            "grep x a; true; grep y a",
            "cat -A a",
            "head -n 0 a",
            "/bin/cat a",
            "sudo cat a",
            "cat \"$X\"",
            "(cat a)",
            "X=1",
            "sed -n '1,$p' a",
            "sed -n /x/p a",
            "grep -c x a",
            "nl -b a f",
            "cat -- a",
        ] {
            assert_eq!(files(command), None, "{command}");
        }
    }
}
