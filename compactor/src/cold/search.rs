//! Searching what is kept, as a stream of bytes: no more of a file is held than a line.

use memchr::memmem::Finder;
use memchr::{memchr, memchr_iter, memrchr};
use regex::{Regex, RegexBuilder, bytes};
use serde::Serialize;

use super::words::{self, Words};
use crate::sessions::time;

/// The longest line that is held, in bytes; a longer one is not searched.
const LONGEST: usize = 64 << 20;

/// Who said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The user.
    User,
    /// The model, its thoughts and the calls that it makes.
    Assistant,
    /// A tool, in the transcript or in a stored result.
    Tool,
    /// The client: summaries, reminders, titles and the like.
    System,
    /// A file of the user's, as it was before the client changed it.
    File,
}

/// What is looked for.
#[derive(Debug)]
pub struct Pattern {
    expression: Regex,
    first: First,
}

/// What a line must have for the pattern to be in its texts, however JSON writes them.
#[derive(Debug)]
enum First {
    Bytes(Box<Finder<'static>>),
    AnyCase(bytes::Regex),
    /// Nothing is known of the line.
    Nothing,
}

/// A pattern that is no expression, or too large a one.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct PatternError(String);

impl Pattern {
    /// A text, or an expression, to be found.
    ///
    /// # Errors
    ///
    /// When it is empty, or the expression is none.
    pub fn new(text: &str, is_expression: bool, ignore_case: bool) -> Result<Self, PatternError> {
        if text.is_empty() {
            return Err(PatternError("the pattern is empty".to_owned()));
        }
        let escaped = regex::escape(text);
        let expression = if is_expression { text } else { &escaped };
        let expression = RegexBuilder::new(expression)
            .case_insensitive(ignore_case)
            .build()
            .map_err(|error| PatternError(error.to_string()))?;
        let run = match is_expression {
            true => "",
            false => longest_run(text, ignore_case),
        };
        let first = match (run, ignore_case) {
            ("", _) => First::Nothing,
            (run, false) => First::Bytes(Box::new(Finder::new(run).into_owned())),
            (run, true) => bytes::RegexBuilder::new(&regex::escape(run))
                .case_insensitive(true)
                .unicode(false)
                .build()
                .map_or(First::Nothing, First::AnyCase),
        };
        Ok(Self { expression, first })
    }
}

/// The longest part of a text that JSON has only one way to write.
fn longest_run(text: &str, ignore_case: bool) -> &str {
    let breaks = |c: char| match c {
        // Beside their capitals, these are equal to a sign beyond ASCII.
        'k' | 'K' | 's' | 'S' => ignore_case,
        '"' | '\\' | '/' | '<' | '>' | '&' | '\'' => true,
        c => !c.is_ascii_graphic() && c != ' ',
    };
    text.split(breaks).max_by_key(|run| run.len()).unwrap_or("")
}

/// Which hits count.
#[derive(Debug, Default)]
pub struct Wanted {
    /// From when on, in milliseconds since 1970.
    pub since: Option<i64>,
    /// Before when.
    pub until: Option<i64>,
    /// Said by whom; by anybody where it is empty.
    pub roles: Vec<Role>,
}

/// A place where the pattern is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hit {
    /// The line of the file; the first is 1.
    pub line: u64,
    /// The record's own id.
    pub uuid: Option<String>,
    /// Who said it.
    pub role: Role,
    /// When, as the record has it.
    pub time: Option<String>,
    /// What stands before it; white space and control characters are one space.
    pub before: String,
    /// What matches, cut where it is long.
    #[serde(rename = "match")]
    pub matched: String,
    /// What stands behind it.
    pub after: String,
}

/// The lines of a file, as its bytes come in.
#[derive(Debug)]
pub struct Lines<'a> {
    pattern: &'a Pattern,
    wanted: &'a Wanted,
    /// Whose file it is, where its lines are no records.
    plain: Option<Role>,
    /// When the file was changed last: the time of what has none.
    modified: Option<i64>,
    /// The beginning of a line whose end has not come.
    begun: Vec<u8>,
    /// Whether it is too long to be held.
    is_too_long: bool,
    line: u64,
    too_long: u64,
}

impl<'a> Lines<'a> {
    /// A file by its path below the client's configuration folder.
    #[must_use]
    pub fn of(
        path: &str,
        modified: Option<&str>,
        pattern: &'a Pattern,
        wanted: &'a Wanted,
    ) -> Self {
        let plain = match path {
            _ if path.starts_with("file-history/") => Some(Role::File),
            _ if path.ends_with(".jsonl") => None,
            _ if path.contains("/tool-results/") => Some(Role::Tool),
            _ => Some(Role::System),
        };
        Self {
            pattern,
            wanted,
            plain,
            modified: modified.and_then(time::milliseconds),
            begun: Vec::new(),
            is_too_long: false,
            line: 1,
            too_long: 0,
        }
    }

    /// Lines that were too long to be searched.
    #[must_use]
    pub fn too_long(&self) -> u64 {
        self.too_long
    }

    /// Takes the next bytes; gives `false` as soon as `found` does, which wants no more.
    pub fn push(&mut self, mut bytes: &[u8], found: &mut impl FnMut(Hit) -> bool) -> bool {
        if !self.begun.is_empty() || self.is_too_long {
            let Some(end) = memchr(b'\n', bytes) else {
                self.begin(bytes);
                return true;
            };
            self.begin(&bytes[..=end]);
            bytes = &bytes[end + 1..];
            if !self.end(found) {
                return false;
            }
        }
        let whole = memrchr(b'\n', bytes).map_or(0, |end| end + 1);
        if !self.block(&bytes[..whole], found) {
            return false;
        }
        self.begin(&bytes[whole..]);
        true
    }

    /// Takes the end of the file.
    pub fn end(&mut self, found: &mut impl FnMut(Hit) -> bool) -> bool {
        if std::mem::take(&mut self.is_too_long) {
            self.too_long += 1;
            self.line += 1;
            return true;
        }
        let mut begun = std::mem::take(&mut self.begun);
        let goes_on = self.block(&begun, found);
        begun.clear();
        self.begun = begun;
        goes_on
    }

    fn begin(&mut self, bytes: &[u8]) {
        if self.is_too_long || self.begun.len() + bytes.len() > LONGEST {
            self.is_too_long = true;
            self.begun = Vec::new();
        } else {
            self.begun.extend_from_slice(bytes);
        }
    }

    /// Searches whole lines.
    fn block(&mut self, block: &[u8], found: &mut impl FnMut(Hit) -> bool) -> bool {
        let mut at = 0;
        while at < block.len() {
            let rest = &block[at..];
            let near = match &self.pattern.first {
                First::Bytes(finder) => finder.find(rest),
                First::AnyCase(expression) => expression.find(rest).map(|found| found.start()),
                First::Nothing => Some(0),
            };
            let Some(near) = near else { break };
            let start = memrchr(b'\n', &rest[..near]).map_or(0, |end| end + 1);
            let end = memchr(b'\n', &rest[near..]).map_or(rest.len(), |end| near + end);
            self.line += memchr_iter(b'\n', &rest[..start]).count() as u64;
            if let Some(hit) = self.hit(&rest[start..end])
                && !found(hit)
            {
                return false;
            }
            self.line += u64::from(end < rest.len());
            at += end + 1;
        }
        let rest = block.get(at..).unwrap_or_default();
        self.line += memchr_iter(b'\n', rest).count() as u64;
        true
    }

    fn hit(&self, line: &[u8]) -> Option<Hit> {
        let expression = &self.pattern.expression;
        let words = match self.plain {
            Some(role) => Words::of_text(line, role, expression),
            None => words::of_record(line, expression),
        }?;
        let wanted = self.wanted;
        if !wanted.roles.is_empty() && !wanted.roles.contains(&words.role) {
            return None;
        }
        if wanted.since.is_some() || wanted.until.is_some() {
            let time = words.time.as_deref().and_then(time::milliseconds);
            let time = time.or(self.modified)?;
            let is_in = wanted.since.is_none_or(|since| time >= since)
                && wanted.until.is_none_or(|until| time < until);
            if !is_in {
                return None;
            }
        }
        let [before, matched, after] = words.snippet;
        Some(Hit {
            line: self.line,
            uuid: words.uuid,
            role: words.role,
            time: words.time,
            before,
            matched,
            after,
        })
    }
}
