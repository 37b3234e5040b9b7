//! The draft of a handoff: five sections of statements, each with the line that it stands on.
//!
//! Deterministic: the same transcript and the same answers of git give the same text. Bounded:
//! each section has its room, and says how much it leaves out. Nothing is judged or worded anew.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;

use outcrop_loader::client::Client;
use serde::Serialize;

use super::sections;
use super::session::Session;
use crate::chain::Chain;
use crate::redact::redact;
use crate::transcript::{Entry, Index, Source, Transcript};

/// What git says of a session's directory; the caller asks it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Repository {
    /// The current branch; none where the head is on no branch.
    pub branch: Option<String>,
    /// `git status --short`, line by line.
    pub status: Vec<String>,
    /// The last commits, the newest first.
    pub commits: Vec<Commit>,
}

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its shortened hash.
    pub hash: String,
    /// When it was committed, in seconds since 1970.
    pub time: i64,
    /// The first line of its message.
    pub subject: String,
}

/// Where the transcript lies, and when the draft is made.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// The session's id.
    pub session: &'a str,
    /// The file of the transcript.
    pub transcript: &'a str,
    /// The time, as it is to be shown.
    pub written: &'a str,
    /// What git says, where the session's directory is in a repository.
    pub repository: Option<&'a Repository>,
    /// Leave secrets out.
    pub redacts: bool,
}

/// The record that a statement rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cite {
    /// Its line in the transcript, from 1.
    pub line: u32,
    /// Its uuid.
    pub uuid: Option<String>,
}

impl Cite {
    pub(super) fn of(index: &Index, entry: &Entry) -> Self {
        Self {
            line: entry.place.line,
            uuid: entry.uuid.map(|uuid| index.text(uuid).to_owned()),
        }
    }

    /// As a text shows it: the line, and enough of the uuid to find the record in a copy.
    fn shown(&self) -> String {
        let uuid = self.uuid.as_deref().unwrap_or_default();
        let uuid: String = uuid.chars().take(8).collect();
        match uuid.is_empty() {
            true => format!("L{}", self.line),
            false => format!("L{} {uuid}", self.line),
        }
    }
}

/// One statement of a section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Statement {
    /// What is stated, on one line.
    pub text: String,
    /// The record that says so; none of what git says.
    pub cite: Option<Cite>,
}

/// One of the five sections.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Section {
    /// Its heading.
    pub heading: &'static str,
    /// What it states, in order.
    pub statements: Vec<Statement>,
    /// How many statements had no room.
    pub left_out: usize,
}

/// A handoff in the making.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// What the session was about.
    pub title: String,
    /// Its directory.
    pub directory: Option<String>,
    /// The five sections.
    pub sections: Vec<Section>,
    /// The whole text.
    pub text: String,
    /// How many secrets of each kind were left out.
    pub redacted: BTreeMap<String, usize>,
}

/// The headings of the five sections, in their order.
pub const SECTIONS: [&str; 5] = [
    "Session summary",
    "What changed",
    "What remains",
    "Key decisions",
    "Current context",
];

/// How much of a title is shown, in characters.
const TITLE: usize = 80;

/// Drafts the handoff of the session that a chain ends.
///
/// # Errors
///
/// When the transcript cannot be read.
pub fn draft<S: Source>(
    transcript: &Transcript<S>,
    chain: &Chain,
    client: &Client,
    about: &About<'_>,
) -> io::Result<Draft> {
    let session = Session::read(transcript, chain, &client.behaviour.resume)?;
    let mut words = Words::new(about.redacts);
    let sections = sections::of(&session, about, &mut words);
    let title = session.title.as_deref().unwrap_or_default();
    let title = match words.line(title, TITLE) {
        title if title.is_empty() => "a session without a request".to_owned(),
        title => title,
    };
    let text = text(&title, &sections, &session, about, &mut words);
    // Behind the single statements also what only shows in the whole.
    let text = words.clean(&text);
    Ok(Draft {
        title,
        directory: session.directory,
        sections,
        text,
        redacted: words.found,
    })
}

fn text(
    title: &str,
    sections: &[Section],
    session: &Session,
    about: &About<'_>,
    words: &mut Words,
) -> String {
    let mut text = format!("# Handoff: {title}\n\n- Session: `{}`\n", about.session);
    if let Some(directory) = &session.directory {
        let _ = writeln!(text, "- Directory: `{}`", words.line(directory, 400));
    }
    let _ = writeln!(
        text,
        "- Transcript: `{}`, {} lines; (L12 …) is its line 12, with the start of the uuid there",
        words.line(about.transcript, 400),
        session.lines
    );
    let _ = writeln!(text, "- Written: {}", about.written);
    for section in sections {
        let _ = write!(text, "\n## {}\n\n", section.heading);
        // The summary is a paragraph, all else lists.
        let mark = match section.heading == SECTIONS[0] {
            true => "",
            false => "- ",
        };
        for statement in &section.statements {
            text.push_str(mark);
            text.push_str(&statement.text);
            if let Some(cite) = &statement.cite {
                let _ = write!(text, " ({})", cite.shown());
            }
            text.push('\n');
        }
        if section.left_out > 0 {
            let _ = writeln!(text, "{mark}{} more left out", section.left_out);
        }
        if section.statements.is_empty() && section.left_out == 0 {
            text.push_str("Nothing found.\n");
        }
    }
    text
}

/// Texts made fit for one line of a handoff.
pub(super) struct Words {
    redacts: bool,
    found: BTreeMap<String, usize>,
}

/// How much of a longer text is looked at, as a multiple of what is shown, in characters.
const LOOKED_AT: usize = 16;

impl Words {
    fn new(redacts: bool) -> Self {
        Self {
            redacts,
            found: BTreeMap::new(),
        }
    }

    /// A text without its secrets.
    fn clean(&mut self, text: &str) -> String {
        if !self.redacts {
            return text.to_owned();
        }
        let clean = redact(text);
        for (name, times) in clean.found {
            *self.found.entry(name.to_owned()).or_default() += times;
        }
        clean.text.into_owned()
    }

    /// The beginning of a text on one line, at most so many characters. Secrets go before it is
    /// cut, for half of one would not be known as such.
    pub(super) fn line(&mut self, text: &str, most: usize) -> String {
        let end = text.char_indices().nth(most * LOOKED_AT);
        let clean = self.clean(&text[..end.map_or(text.len(), |(at, _)| at)]);
        let words = clean.split(|c: char| c.is_whitespace() || c.is_control());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let line = words.join(" ");
        match line.char_indices().nth(most.saturating_sub(1)) {
            Some((at, last)) if at + last.len_utf8() < line.len() => format!("{}…", &line[..at]),
            _ => line,
        }
    }
}
