//! What stands in the five sections. What was decided, demanded, changed and left open is told by
//! [`crate::loss`].

use std::collections::BTreeSet;

use super::draft::{About, Cite, Repository, SECTIONS, Section, Statement, Words};
use super::session::{Quote, Session};
use crate::loss::{Action, Finding, OpenKind, Place};

/// How much of what was said is quoted, in characters.
const QUOTED: usize = 280;
/// How much room each section has, in bytes of its statements.
const ROOM: [usize; 5] = [4_000, 4_000, 4_000, 5_000, 3_000];
/// How many lines of git's status are shown.
const STATUS: usize = 20;
/// How many commits are shown that are older than the session.
const COMMITS: usize = 3;

pub(super) fn of(session: &Session, about: &About<'_>, words: &mut Words) -> Vec<Section> {
    let statements = [
        summary(session, words),
        changed(session, about.repository, words),
        remains(session, words),
        decisions(session, words),
        context(session, about.repository, words),
    ];
    let sections = SECTIONS.into_iter().zip(ROOM).zip(statements);
    sections
        .map(|((heading, room), statements)| fitting(heading, room, statements))
        .collect()
}

/// The last statements that have room: what was said later holds more often.
fn fitting(heading: &'static str, mut room: usize, mut statements: Vec<Statement>) -> Section {
    let mut left_out = statements.len();
    for statement in statements.iter().rev() {
        let Some(rest) = room.checked_sub(statement.text.len() + 20) else {
            break;
        };
        room = rest;
        left_out -= 1;
    }
    statements.drain(..left_out);
    Section {
        heading,
        statements,
        left_out,
    }
}

fn cited(text: String, place: &Place) -> Statement {
    let cite = place.line.map(|line| Cite {
        line,
        uuid: place.uuid.clone(),
    });
    Statement { text, cite }
}

fn plain(text: String) -> Statement {
    Statement { text, cite: None }
}

fn quoted(what: &str, quote: &Quote, words: &mut Words) -> Statement {
    Statement {
        text: format!("{what}: “{}”", words.line(&quote.text, QUOTED)),
        cite: Some(quote.cite.clone()),
    }
}

fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// What was asked, and what came of it.
fn summary(session: &Session, words: &mut Words) -> Vec<Statement> {
    let mut said = Vec::new();
    if let Some(first) = &session.first {
        said.push(quoted("Asked first", first, words));
    }
    let last = session.last.as_ref();
    let is_other = |last: &&Quote| {
        let first = session.first.as_ref();
        first.is_none_or(|first| first.cite != last.cite)
    };
    if let Some(last) = last.filter(is_other) {
        said.push(quoted("Asked last", last, words));
    }
    match &session.answer {
        Some(answer) => said.push(quoted("Answered last", answer, words)),
        None if last.is_some() => said.push(plain("The last request has no answer.".to_owned())),
        None => {}
    }
    let mut counts = vec![
        counted(session.turns, "turn", "turns"),
        counted(session.calls, "tool call", "tool calls"),
    ];
    counts.push(format!("{} of them failed", session.failed));
    counts.push(counted(session.compactions, "compaction", "compactions"));
    said.push(plain(format!("{}.", counts.join(", "))));
    said
}

/// A path as it is found from the session's directory, which stands above.
fn path(session: &Session, path: &str, words: &mut Words) -> String {
    let directory = session.directory.as_deref().unwrap_or_default();
    let below = path.strip_prefix(directory);
    let below = below.and_then(|rest| rest.strip_prefix(['/', '\\']));
    let shown = below.filter(|rest| !rest.is_empty()).unwrap_or(path);
    words.line(shown, 400).replace('`', "'")
}

fn changed(
    session: &Session,
    repository: Option<&Repository>,
    words: &mut Words,
) -> Vec<Statement> {
    let mut files: Vec<_> = session.found.files.iter().collect();
    files.retain(|file| file.what.changes > 0);
    files.sort_by_key(|file| file.place.line);
    let mut said: Vec<Statement> = files
        .into_iter()
        .map(|file| {
            let how = match file.what.last {
                Action::Written => "written",
                Action::Edited => "edited",
                Action::Removed => "removed",
                Action::Read | Action::Searched => "changed, then read",
            };
            let times = counted(file.what.changes as usize, "change", "changes");
            let failed = match file.what.last_failed {
                true => "; the last call failed",
                false => "",
            };
            let path = path(session, &file.what.path, words);
            cited(format!("`{path}`: {how}, {times}{failed}"), &file.place)
        })
        .collect();
    let since = session.began.map(|began| began / 1000);
    let commits = repository
        .into_iter()
        .flat_map(|git| git.commits.iter().rev());
    for commit in commits.filter(|commit| since.is_some_and(|since| commit.time >= since)) {
        let subject = words.line(&commit.subject, QUOTED);
        said.push(plain(format!("commit {} {subject}", commit.hash)));
    }
    said
}

fn remains(session: &Session, words: &mut Words) -> Vec<Statement> {
    let mut said: Vec<Statement> = session
        .failures
        .iter()
        .map(|failure| quoted("failed, and not tried again with success", failure, words))
        .collect();
    let items = session.found.open_items.items.iter();
    for item in items {
        let status = item.what.status.as_deref().unwrap_or_default();
        let text = words.line(&item.what.text, QUOTED);
        let status = words.line(status, 40);
        let text = match item.what.kind {
            OpenKind::Request => continue,
            OpenKind::Todo | OpenKind::Task if status.is_empty() => text,
            OpenKind::Todo | OpenKind::Task => format!("{text} [{status}]"),
            OpenKind::Call => format!("without a result: {status} {text}"),
            OpenKind::Plan => format!("plan: `{text}`"),
        };
        said.push(cited(text, &item.place));
    }
    // Last, so that it stays when room is short.
    if let (Some(last), None) = (&session.last, &session.answer) {
        said.push(quoted("without an answer", last, words));
    }
    said
}

/// What was decided, and what the user demanded: what is not to be asked again.
fn decisions(session: &Session, words: &mut Words) -> Vec<Statement> {
    let found = &session.found;
    let mut all: Vec<(&Place, &'static str, &str)> = Vec::new();
    all.extend(each(found.constraints.iter(), "the user demands", |what| {
        &what.text
    }));
    all.extend(each(
        found.corrections.iter(),
        "the user corrects",
        |what| &what.text,
    ));
    all.extend(each(found.decisions.iter(), "decided", |what| &what.text));
    all.sort_by_key(|(place, ..)| (place.line, place.message, place.block));
    let mut known = BTreeSet::new();
    // Of a sentence that is said again, the last.
    all.reverse();
    all.retain(|(.., text)| known.insert(*text));
    all.reverse();
    all.into_iter()
        .map(|(place, what, text)| cited(format!("{what}: “{}”", words.line(text, QUOTED)), place))
        .collect()
}

fn each<'a, T: 'a>(
    found: impl Iterator<Item = &'a Finding<T>>,
    what: &'static str,
    text: impl Fn(&'a T) -> &'a str,
) -> impl Iterator<Item = (&'a Place, &'static str, &'a str)> {
    found.map(move |finding| (&finding.place, what, text(&finding.what)))
}

fn context(
    session: &Session,
    repository: Option<&Repository>,
    words: &mut Words,
) -> Vec<Statement> {
    let mut said = Vec::new();
    if let Some(git) = repository {
        let branch = git.branch.as_deref().unwrap_or("none: a detached head");
        let branch = words.line(branch, 200);
        said.push(plain(format!("branch: {branch}")));
        let head = session.began.map(|began| began / 1000);
        let older = git.commits.iter();
        let older = older.filter(|commit| head.is_none_or(|since| commit.time < since));
        for commit in older.take(COMMITS) {
            let subject = words.line(&commit.subject, QUOTED);
            said.push(plain(format!("commit {} {subject}", commit.hash)));
        }
        for line in git.status.iter().take(STATUS) {
            let line = words.line(line, 300).replace('`', "'");
            said.push(plain(format!("git status: `{line}`")));
        }
        let more = git.status.len().saturating_sub(STATUS);
        said.push(plain(match git.status.len() {
            0 => "git status: nothing to commit".to_owned(),
            all => format!(
                "git status: {}{}",
                counted(all, "path differs", "paths differ"),
                match more {
                    0 => String::new(),
                    more => format!(", {more} of them not shown"),
                }
            ),
        }));
    }
    if let Some(mode) = &session.found.open_items.permission_mode {
        let cite = Some(Cite {
            line: mode.line,
            uuid: None,
        });
        let text = format!("permission mode: {}", words.line(&mode.mode, 40));
        said.push(Statement { text, cite });
    }
    let model = session.model.iter().map(|model| ("model", model));
    let version = session.version.iter().map(|version| ("client", version));
    for (what, name) in model.chain(version) {
        said.push(plain(format!("{what}: {}", words.line(name, 80))));
    }
    said
}
