//! The text that calling a skill or command delivers (facts C1.30 to C1.33, 55).

use serde_json::Value;

use super::entry::plain;
use super::{Absence, EntryKind};
use crate::client::Behaviour;
use crate::document::keys_and_body;
use crate::path::AbsPath;
use crate::session::Session;
use crate::{javascript, limits};

/// A part of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text as it is sent.
    Text(String),
    /// The output of a shell command, which is never run here.
    Shell(String),
}

/// What a call delivers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// The folder of a skill, which stands before the text; commands have none.
    pub base_directory: Option<AbsPath>,
    /// The text.
    pub parts: Vec<Part>,
}

impl Body {
    /// The whole text, each shell command replaced by what `output` gives for it.
    pub fn text(&self, mut output: impl FnMut(&str) -> String) -> String {
        let parts = self.parts.iter().map(|part| match part {
            Part::Text(text) => text.clone(),
            Part::Shell(command) => output(command),
        });
        parts.collect()
    }
}

impl Session<'_> {
    /// What a call of a skill or command delivers, by the name under which it is listed or, where
    /// it is not for the model, its own; `None` where there is none. `id` is the session's, which
    /// stands for `${CLAUDE_SESSION_ID}` if it is known.
    #[must_use]
    pub fn body(&self, name: &str, arguments: &str, id: Option<&str>) -> Option<Body> {
        let (kind, path) = self.called(name)?;
        self.body_of(kind, &path, arguments, id)
    }

    /// The same for a file that is known.
    pub(crate) fn body_of(
        &self,
        kind: EntryKind,
        path: &AbsPath,
        arguments: &str,
        id: Option<&str>,
    ) -> Option<Body> {
        let world = self.world();
        let bytes = world.host.read(path, limits::FILE_BYTES).ok()?;
        let source = String::from_utf8_lossy(&bytes);
        let mut text = filled(&source, arguments, &world.behaviour);
        let folder = path.parent().filter(|_| kind == EntryKind::Skill);
        if let Some(folder) = &folder {
            text = text.replace("${CLAUDE_SKILL_DIR}", folder.as_str());
        }
        if let Some(id) = id {
            text = text.replace("${CLAUDE_SESSION_ID}", id);
        }
        let text = text.replace("${CLAUDE_PROJECT_DIR}", world.cwd.as_str());
        Some(Body {
            base_directory: folder,
            parts: shell_parts(&text),
        })
    }

    fn called(&self, name: &str) -> Option<(EntryKind, AbsPath)> {
        let catalog = self.catalog();
        let later = self.announced().into_iter().flat_map(|list| list.entries);
        let mut listed = catalog.entries.into_iter().chain(later);
        if let Some(entry) = listed.find(|entry| entry.name == name) {
            return Some((entry.kind, entry.path));
        }
        let mut hidden = catalog.absent.into_iter();
        let hidden = hidden.find(|one| one.name == name && one.absence == Absence::NotForTheModel);
        hidden.map(|hidden| (hidden.kind, hidden.path))
    }
}

/// The body of a file with its arguments put in.
fn filled(source: &str, arguments: &str, behaviour: &Behaviour) -> String {
    let (mut keys, body) = keys_and_body(source, behaviour);
    let names = keys
        .remove("arguments")
        .map_or_else(Vec::new, |value| names(&value));
    let mut filler = Filler {
        words: words(arguments),
        all: arguments,
        names,
        missing_stay: behaviour.missing_arguments_stay,
        filled: false,
    };
    let mut text = filler.fill(body);
    if !filler.filled && !arguments.is_empty() {
        text.push_str("\n\nARGUMENTS: ");
        text.push_str(arguments);
    }
    text
}

/// The names of `arguments`: a list, or words of a text; numbers are none.
fn names(value: &Value) -> Vec<String> {
    let names: Vec<String> = match value {
        Value::Array(items) => items.iter().filter_map(plain).collect(),
        other => plain(other)
            .unwrap_or_default()
            .split(javascript::is_space)
            .map(str::to_owned)
            .collect(),
    };
    let is_name = |name: &String| !name.is_empty() && !name.bytes().all(|b| b.is_ascii_digit());
    names.into_iter().filter(is_name).collect()
}

/// Arguments as words, with the quotes of a shell; a quote that is not closed takes the rest with
/// it. Only the first line is split.
fn words(arguments: &str) -> Vec<String> {
    let line = arguments.trim_start().lines().next().unwrap_or_default();
    let mut words = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let (word, after) = word(rest);
        words.push(word);
        rest = after.trim_start();
    }
    words
}

fn word(text: &str) -> (String, &str) {
    let mut word = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        match c {
            c if javascript::is_space(c) => break,
            '\'' | '"' => match after.find(c) {
                Some(end) => {
                    word.push_str(&after[..end]);
                    rest = &after[end + 1..];
                }
                None => return (word + rest, ""),
            },
            '\\' => {
                let escaped = after.chars().next();
                word.extend(escaped);
                rest = &after[escaped.map_or(0, char::len_utf8)..];
            }
            c => {
                word.push(c);
                rest = after;
            }
        }
    }
    (word, rest)
}

struct Filler<'a> {
    words: Vec<String>,
    all: &'a str,
    names: Vec<String>,
    missing_stay: bool,
    /// A placeholder was replaced.
    filled: bool,
}

/// A placeholder: its length, and what stands for it.
struct Placeholder<'a> {
    len: usize,
    value: Option<&'a str>,
}

impl Filler<'_> {
    fn fill(&mut self, body: &str) -> String {
        let mut text = String::with_capacity(body.len());
        let mut rest = body;
        while let Some(at) = memchr::memchr(b'$', rest.as_bytes()) {
            let (before, from) = rest.split_at(at);
            let escaped = before.ends_with('\\') && !before.ends_with("\\\\");
            let Some(placeholder) = self.placeholder(from) else {
                text.push_str(before);
                text.push('$');
                rest = &from[1..];
                continue;
            };
            let Placeholder { len, value } = placeholder;
            match value {
                _ if escaped => {
                    text.push_str(&before[..at - 1]);
                    text.push_str(&from[..len]);
                }
                Some(value) => {
                    text.push_str(before);
                    text.push_str(value);
                    self.filled = true;
                }
                None => {
                    text.push_str(before);
                    text.push_str(&from[..len]);
                }
            }
            rest = &from[len..];
        }
        text.push_str(rest);
        text
    }

    /// The placeholder at the start of a text.
    fn placeholder(&self, text: &str) -> Option<Placeholder<'_>> {
        let after = &text[1..];
        if let Some(behind) = after.strip_prefix("ARGUMENTS") {
            let index = behind
                .strip_prefix('[')
                .and_then(|rest| rest.split_once(']'));
            let len = 1 + "ARGUMENTS".len();
            return Some(match index.filter(|(index, _)| is_number(index)) {
                Some((index, _)) => Placeholder {
                    len: len + index.len() + 2,
                    value: self.word(index),
                },
                None => Placeholder {
                    len,
                    value: Some(self.all),
                },
            });
        }
        let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            let ends = !after[digits..].starts_with(is_word);
            return ends.then(|| Placeholder {
                len: 1 + digits,
                value: self.word(&after[..digits]),
            });
        }
        let named = self.names.iter().enumerate().find(|(_, name)| {
            let behind = after.strip_prefix(name.as_str());
            behind.is_some_and(|behind| !behind.starts_with(|c| c == '[' || is_word(c)))
        });
        let (index, name) = named?;
        Some(Placeholder {
            len: 1 + name.len(),
            value: Some(self.words.get(index).map_or("", String::as_str)),
        })
    }

    /// The word of an index; one that was not given stays as it is written, or before 2.1.210
    /// is nothing.
    fn word(&self, index: &str) -> Option<&str> {
        let word = index
            .parse()
            .ok()
            .and_then(|index: usize| self.words.get(index));
        let missing = (!self.missing_stay).then_some("");
        word.map(String::as_str).or(missing)
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A character of JavaScript's `\w`.
fn is_word(c: char) -> bool {
    c == '_' || c.is_ascii_alphanumeric()
}

/// Takes the shell commands out of a text: fenced blocks opened by ```` ```! ````, and
/// `` !`command` `` at the start of a line or behind a blank (fact C1.33).
fn shell_parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut kept = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find('!') {
        let mark = at + found;
        at = mark + 1;
        let command = match () {
            () if text[..mark].ends_with("```") => fenced(text, mark),
            () => inline(text, mark),
        };
        let Some((start, command, end)) = command.filter(|(start, ..)| *start >= kept) else {
            continue;
        };
        if start > kept {
            parts.push(Part::Text(text[kept..start].to_owned()));
        }
        parts.push(Part::Shell(command.trim().to_owned()));
        (kept, at) = (end, end);
    }
    if kept < text.len() {
        parts.push(Part::Text(text[kept..].to_owned()));
    }
    parts
}

fn inline(text: &str, mark: usize) -> Option<(usize, &str, usize)> {
    let before = text[..mark].chars().next_back();
    let opens = before.is_none_or(javascript::is_space);
    let body = text[mark..].strip_prefix("!`").filter(|_| opens)?;
    let end = body.find('`').filter(|end| *end > 0)?;
    Some((mark, &body[..end], mark + 2 + end + 1))
}

fn fenced(text: &str, mark: usize) -> Option<(usize, &str, usize)> {
    let start = mark - 3;
    let body = text[mark + 1..].strip_prefix('\n')?;
    let end = body.find("\n```")?;
    Some((start, &body[..end], mark + 2 + end + 4))
}
