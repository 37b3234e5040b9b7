//! Statements of documents with place and time, and what is not quoted.

use std::collections::BTreeMap;
use std::ops::Range;

use outcrop_loader::document::FrontMatter;
use rustc_hash::FxHashSet;

use super::source::{self, Document, ItemKind, Kind, Quote, Source, Sources, Thread};
use super::{DAY, DAYS, signals};
use crate::loss::{constraints_in, sentence_ranges};
use crate::redact::redact;

/// The longest quotation, in characters.
const QUOTED: usize = 90;
/// The longest label of a sentence, in characters.
const LABEL: usize = 24;

/// A statement, or an open item of a session.
#[derive(Debug, Clone)]
pub(super) struct Statement {
    /// Its words, in one line.
    pub(super) text: String,
    pub(super) source: Source,
    /// When, in milliseconds since 1970.
    pub(super) time: i64,
    pub(super) is_memory: bool,
    /// It is still to be done.
    pub(super) is_open: bool,
    /// Something came to its end.
    pub(super) turns: bool,
    /// It tells how things are now.
    pub(super) is_now: bool,
    /// It is about the user and how to work with them.
    pub(super) is_between: bool,
    /// It forbids or demands.
    pub(super) is_rule: bool,
    pub(super) item: Option<(ItemKind, Option<String>)>,
}

impl Statement {
    /// Its day, by which fresher ones come first.
    pub(super) fn day(&self) -> i64 {
        self.time.div_euclid(DAY)
    }

    pub(super) fn is_recent(&self, now: i64) -> bool {
        self.time >= now - DAYS * DAY
    }

    pub(super) fn quote(&self) -> Quote {
        let cut = self.text.char_indices().nth(QUOTED).map(|(at, _)| at);
        let text = match cut {
            None => self.text.as_str(),
            Some(cut) => {
                let part = &self.text[..cut];
                let end = part.rfind(' ').filter(|end| *end > cut / 2);
                part[..end.unwrap_or(cut)].trim_end()
            }
        };
        let (kind, status) = match self.item.clone() {
            Some((kind, status)) => (Some(kind), status),
            None => (None, None),
        };
        Quote {
            text: text.to_owned(),
            is_cut: cut.is_some(),
            kind,
            status,
            source: self.source.clone(),
            date: source::date(self.time),
        }
    }
}

/// What was found, and how many statements were left out for which reason.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    pub(super) statements: Vec<Statement>,
    pub(super) excluded: BTreeMap<&'static str, usize>,
}

impl Evidence {
    /// Of all sources; with `forge` of memory alone.
    pub(super) fn of(sources: &Sources, forge: bool) -> Self {
        let mut evidence = Self::default();
        let today = source::date(sources.now);
        for document in &sources.documents {
            if forge && document.kind != Kind::Memory {
                evidence.leave("from-transcript");
                continue;
            }
            evidence.read(document, sources, &today);
        }
        for thread in &sources.threads {
            if forge {
                evidence.leave("from-transcript");
            } else {
                evidence.take(thread, sources.now);
            }
        }
        evidence
    }

    fn leave(&mut self, reason: &'static str) {
        *self.excluded.entry(reason).or_default() += 1;
    }

    fn take(&mut self, thread: &Thread, now: i64) {
        for item in &thread.items {
            let first = item.text.lines().find(|line| !line.trim().is_empty());
            let text = first.map(collapsed).unwrap_or_default();
            let reason = match () {
                () if signals::is_automatic(&text) => Some("automatic"),
                () if says_nothing(&text) => Some("empty"),
                () if signals::is_barred(&text) => Some("no-recall"),
                () if !redact(&item.text).found.is_empty() => Some("secret"),
                () => None,
            };
            if let Some(reason) = reason {
                self.leave(reason);
                continue;
            }
            let is_request = item.kind == ItemKind::Request;
            self.statements.push(Statement {
                text,
                source: Source::Session {
                    session: thread.session.clone(),
                    uuid: item.uuid.clone(),
                    line: item.line,
                },
                time: thread.time.min(now),
                is_memory: false,
                is_open: !is_request,
                turns: item.status.as_deref() == Some("in_progress"),
                is_now: is_request,
                is_between: false,
                is_rule: false,
                item: Some((item.kind, item.status.clone())),
            });
        }
    }

    fn read(&mut self, document: &Document, sources: &Sources, today: &str) {
        let text = &document.text;
        let front = FrontMatter::find(text, true);
        let keys = front.as_ref().map_or("", |front| &text[front.yaml.clone()]);
        let body = front.as_ref().map_or(0, |front| front.block.end);
        if let Some(reason) = refused(document, keys, &text[body..], &sources.project, today) {
            self.leave(reason);
            return;
        }
        let written = ["updated", "modified", "date"];
        let written = written.iter().find_map(|name| key(keys, name));
        let written = written.and_then(|date| source::midnight(date.get(..10)?));
        let written = written.unwrap_or(document.time);
        let is_memory = document.kind == Kind::Memory;
        let is_consumed = document.kind == Kind::Handoff { consumed: true };
        let class = key(keys, "type").unwrap_or_default();
        let lines = Lines::of(text);
        let comments = comments(text);
        let clean = redact(text);
        let clean: Option<FxHashSet<&str>> =
            (!clean.found.is_empty()).then(|| clean.text.lines().collect());
        for range in sentence_ranges(&text[body..]) {
            let range = range.start + body..range.end + body;
            let line = lines.at(range.start);
            let whole = lines.text(line);
            let heading = lines.heading(line);
            if whole.trim_start().starts_with('#') || whole.trim_start().starts_with('|') {
                continue;
            }
            let words = collapsed(&text[range.clone()]);
            let (label, words) = {
                let (label, words) = labelled(&words);
                (label.map(str::to_owned), words)
            };
            let is_hidden = comments
                .iter()
                .any(|comment| comment.start < range.end && range.start < comment.end);
            let spanned = || text[range.clone()].lines();
            let is_secret = || {
                let clean = clean.as_ref();
                clean.is_some_and(|clean| {
                    !clean.contains(whole) || spanned().any(|part| !redact(part).found.is_empty())
                })
            };
            let reason = match () {
                () if is_hidden => Some("comment"),
                () if label
                    .as_deref()
                    .is_some_and(|label| label.eq_ignore_ascii_case("why")) =>
                {
                    Some("reason")
                }
                () if says_nothing(&words) => Some("empty"),
                () if is_pointer(whole) => Some("pointer"),
                () if signals::is_automatic(whole) => Some("automatic"),
                () if signals::is_barred(whole) => Some("no-recall"),
                () if signals::is_gone(whole, today) => Some("expired"),
                () if is_secret() => Some("secret"),
                () => None,
            };
            if let Some(reason) = reason {
                self.leave(reason);
                continue;
            }
            let dated = signals::date(whole, today).and_then(source::midnight);
            let is_done = is_task(whole, true);
            let is_open = is_task(whole, false)
                || (!is_memory && !is_done && heading.is_some_and(signals::is_of_open));
            self.statements.push(Statement {
                source: Source::File {
                    file: document.name.clone(),
                    line: u32::try_from(line + 1).unwrap_or(u32::MAX),
                },
                time: dated.unwrap_or(written).min(sources.now),
                is_memory,
                is_open: is_open && !is_consumed,
                turns: !is_open && (is_done || signals::turns(&words)),
                is_now: !is_open && heading.is_some_and(signals::is_of_now),
                is_between: matches!(class, "user" | "feedback") || signals::between(&words),
                is_rule: !is_open && !constraints_in(&words).is_empty(),
                item: None,
                text: words,
            });
        }
    }
}

/// Why a whole document is left out.
fn refused(
    document: &Document,
    keys: &str,
    body: &str,
    project: &str,
    today: &str,
) -> Option<&'static str> {
    let is = |name: &str, values: &[&str]| {
        key(keys, name).is_some_and(|value| values.iter().any(|v| value.eq_ignore_ascii_case(v)))
    };
    let expires = ["expires", "expired", "valid-until", "expires-on"];
    let is_past = expires.iter().any(|name| {
        key(keys, name).is_some_and(|date| {
            source::midnight(date).is_some() && date < today || date.eq_ignore_ascii_case("true")
        })
    });
    if body.trim().is_empty() {
        return Some("empty");
    }
    if is_past || is("status", &["expired", "superseded", "archived", "obsolete"]) {
        return Some("expired");
    }
    let yes = ["true", "yes"];
    if is("no-recall", &yes)
        || is("no_recall", &yes)
        || is("private", &yes)
        || is("recall", &["false", "no"])
    {
        return Some("no-recall");
    }
    if is("automatic", &yes) || is("source", &["automatic", "hook", "system"]) {
        return Some("automatic");
    }
    let of_other = |directory: &str| {
        let below = directory.strip_prefix(project);
        let is_same = below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        !is_same && directory.starts_with('/')
    };
    let named = ["project", "cwd", "directory"];
    let directory = named.iter().find_map(|name| key(keys, name));
    let directory = directory.or_else(|| body.lines().find_map(directory_of));
    match document.kind {
        Kind::Handoff { .. } if directory.is_some_and(of_other) => Some("other-project"),
        _ => None,
    }
}

/// The value of a key of front matter, at any depth.
fn key<'t>(keys: &'t str, name: &str) -> Option<&'t str> {
    keys.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        let value = value.trim().trim_matches(['"', '\'']);
        (key.trim() == name && !value.is_empty()).then_some(value)
    })
}

/// The directory that a line of a handoff names as its own, such as `Directory: /srv/mill`.
fn directory_of(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(['-', '*', ' ', '#']);
    let (name, value) = line.split_once([':', '：'])?;
    let names = [
        "project",
        "directory",
        "working directory",
        "cwd",
        "项目",
        "目录",
    ];
    let name = name.trim_matches(['*', ' ']);
    let value = value.trim().trim_matches(['*', '`', ' ', '.']);
    let is_name = names.iter().any(|other| name.eq_ignore_ascii_case(other));
    (is_name && value.starts_with('/') && !value.contains(' ')).then_some(value)
}

/// Text with each run of white space as one blank.
pub(super) fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether there is hardly a word in it.
fn says_nothing(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    let words = text.split_whitespace().count();
    // A script without blanks says much with few signs.
    let is_short = text.is_ascii() && words < 2;
    letters.take(4).count() < 4 || is_short
}

/// The label in bold with which a sentence begins, and what stands behind it.
fn labelled(sentence: &str) -> (Option<&str>, String) {
    let ends = [":**", "**:", "：**", "**："];
    let found = ends.iter().find_map(|end| {
        let (label, rest) = sentence.split_once(end)?;
        let label = label.trim_start_matches('*');
        (label.chars().count() <= LABEL).then_some((label, rest.trim()))
    });
    match found {
        Some((label, rest)) => (Some(label), rest.to_owned()),
        None => (None, sentence.to_owned()),
    }
}

/// An entry of an index: what it points to says it.
fn is_pointer(line: &str) -> bool {
    let bare = line.trim_start().trim_start_matches(['-', '*', '+', ' ']);
    bare.starts_with('[') && bare.contains("](") || bare.starts_with("[[")
}

/// Whether a line is a task of a list that is done, or one that is not.
fn is_task(line: &str, is_done: bool) -> bool {
    let bare = line.trim_start();
    let item = bare.strip_prefix(['-', '*', '+']).map(str::trim_start);
    item.is_some_and(|item| match is_done {
        true => item.starts_with("[x]") || item.starts_with("[X]"),
        false => item.starts_with("[ ]"),
    })
}

fn comments(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find("<!--").map(|start| at + start) {
        let end = text[start..]
            .find("-->")
            .map_or(text.len(), |end| start + end + 3);
        found.push(start..end);
        at = end;
    }
    found
}

/// Lines of a text, and under which heading each stands.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
    headings: Vec<Option<&'t str>>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        let mut lines = Self {
            text,
            starts: Vec::new(),
            headings: Vec::new(),
        };
        let mut heading = None;
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            if line.starts_with('#') {
                heading = Some(line.trim_matches(['#', ' ', '\n', '\r']));
            }
            lines.starts.push(at);
            lines.headings.push(heading);
            at += line.len();
        }
        lines
    }

    /// The number of a byte's line, from 0.
    fn at(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start <= byte) - 1
    }

    fn text(&self, line: usize) -> &'t str {
        let end = self.starts.get(line + 1).copied();
        let line = &self.text[self.starts[line]..end.unwrap_or(self.text.len())];
        line.trim_end_matches(['\n', '\r'])
    }

    fn heading(&self, line: usize) -> Option<&'t str> {
        self.headings[line]
    }
}
