//! Handoffs as hooks need them: which wait in the folder, and the one of a session that stops.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context as _, Result};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use outcrop_compactor::ending::Ending;
use outcrop_compactor::redact::redact;
use outcrop_compactor::store::{self, Handoff, Handoffs, StoreError};
use serde::{Deserialize, Serialize};

use super::git::Standing;

/// How old a handoff may be that a new session is told.
pub(crate) const RECENT: SignedDuration = SignedDuration::from_hours(48);
/// What the names of consumed ones end with.
const DONE: &str = "_done.md";
/// The most changed files that are named.
const FILES: usize = 30;
/// The most sessions of a project whose handoffs are remembered.
const SESSIONS: usize = 64;
/// How a handoff names its directory.
const DIRECTORY: &str = "- Directory: ";

/// The handoffs of a user, with the file that was there before there was a folder.
pub(crate) fn of(config: &Path) -> Handoffs {
    let single = config.join("context-handoff.md");
    Handoffs::new(config.join("handoffs"), Some(single), TimeZone::system())
}

/// Those of a folder that nobody took and that are recent, the newest name first. A file of the
/// user's own counts too.
pub(crate) fn waiting(folder: &Path, now: SystemTime) -> Result<Vec<Handoff>> {
    let handoffs = Handoffs::new(folder.to_owned(), None, TimeZone::system());
    let now = Timestamp::try_from(now)?;
    let mut found = handoffs.waiting()?;
    found.retain(|handoff| now.duration_since(handoff.modified) <= RECENT);
    found.sort_by(|a, b| b.name.cmp(&a.name));
    Ok(found)
}

/// Which session of a project wrote which handoff.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Written {
    #[serde(default)]
    sessions: BTreeMap<String, Noted>,
}

/// What a session wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Noted {
    path: PathBuf,
    /// BLAKE3 of what was written there, in hexadecimal.
    digest: String,
    title: String,
    /// The first request, which the end of a long session does not hold any more.
    first: Option<String>,
    /// When, in milliseconds since 1970.
    at: i64,
}

impl Written {
    /// The file of a session's handoff.
    pub(crate) fn of(&self, session: &str) -> Option<&Path> {
        Some(&self.sessions.get(session)?.path)
    }
}

/// A session that stops.
pub(crate) struct Stopped<'a> {
    pub(crate) session: &'a str,
    pub(crate) directory: &'a str,
    pub(crate) ending: &'a Ending,
    pub(crate) standing: Option<&'a Standing>,
    /// Milliseconds since 1970.
    pub(crate) now: i64,
    /// Names tell the time of this zone, as those of `outcrop handoff write` do.
    pub(crate) zone: &'a TimeZone,
}

/// Writes the handoff of a session into a folder, or anew where it is still as it was written.
/// One that was taken is left as it is, and what came since becomes another; one that somebody
/// edited is theirs, and the session writes no more.
pub(crate) fn write(folder: &Path, written: &mut Written, stopped: &Stopped<'_>) -> Result<()> {
    let known = written.sessions.get(stopped.session).cloned();
    let first = known.as_ref().and_then(|known| known.first.clone());
    // Both go into the name or the state as well.
    let clean = |text: &String| redact(text).text.into_owned();
    let first = first.or_else(|| stopped.ending.first.as_ref().map(clean));
    let title = stopped.ending.title.as_ref().map(clean);
    let title = known.as_ref().map(|known| known.title.clone()).or(title);
    let title = one_line(&title.or_else(|| first.clone()).unwrap_or_default(), 80);
    let text = draft(&title, first.as_deref(), stopped);
    let digest = blake3::hash(text.as_bytes()).to_hex().to_string();
    let path = match known {
        Some(known) if known.digest == digest => return Ok(()),
        Some(known) => match fs::metadata(&known.path) {
            Ok(metadata) => {
                if store::digest(&known.path, metadata.len())? != known.digest {
                    return Ok(());
                }
                store::replace(&known.path, text.as_bytes())?;
                known.path
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                new(folder, &title, &text, stopped)?
            }
            Err(error) => return Err(error).with_context(|| known.path.display().to_string()),
        },
        None => new(folder, &title, &text, stopped)?,
    };
    let noted = Noted {
        path,
        digest,
        title,
        first: first.map(|first| clipped(&first, 400)),
        at: stopped.now,
    };
    written.sessions.insert(stopped.session.to_owned(), noted);
    while written.sessions.len() > SESSIONS {
        let oldest = written.sessions.iter().min_by_key(|(_, one)| one.at);
        let Some(oldest) = oldest.map(|(session, _)| session.clone()) else {
            break;
        };
        written.sessions.remove(&oldest);
    }
    Ok(())
}

/// Writes a file under a name that no other has.
fn new(folder: &Path, title: &str, text: &str, stopped: &Stopped<'_>) -> Result<PathBuf> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let time = Timestamp::from_millisecond(stopped.now).unwrap_or_default();
    let time = stopped.zone.to_datetime(time);
    let time = time.strftime("%Y-%m-%d_%H%M%S");
    let id = &stopped.session[..stopped.session.len().min(8)];
    for number in 1..100 {
        let more = if number == 1 {
            String::new()
        } else {
            format!("-{number}")
        };
        let path = folder.join(format!("{time}_{}{id}{more}.md", slug(title)));
        // A consumed one of the name is kept as it is, too.
        let done = folder.join(format!("{time}_{}{id}{more}{DONE}", slug(title)));
        if done.exists() {
            continue;
        }
        let content = |out: &mut dyn io::Write| {
            out.write_all(text.as_bytes())?;
            Ok(text.len() as u64)
        };
        match store::write_new::<StoreError>(&path, content, |_| Ok(())) {
            Err(StoreError::Exists(_)) => {}
            outcome => return Ok(outcome.map(|_| path)?),
        }
    }
    anyhow::bail!("{}: a hundred handoffs of this second", folder.display())
}

/// The words of a title as part of a file's name.
fn slug(title: &str) -> String {
    let mut slug = String::new();
    for c in title.chars().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.chars().count() >= 40 {
            break;
        }
    }
    match slug.trim_end_matches('-') {
        "" => slug,
        slug => format!("{slug}-"),
    }
}

/// The five sections, of the session's own words and git's. Nothing in it tells the time, so that
/// the same state is the same text.
fn draft(title: &str, first: Option<&str>, stopped: &Stopped<'_>) -> String {
    let Stopped {
        session,
        directory,
        ending,
        standing,
        ..
    } = stopped;
    let mut text = format!("# {title}\n\n## Session summary\n");
    let mut say = |line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    let quoted = |words: &str| one_line(words, 400);
    if let Some(first) = first {
        say(&format!("Asked first: {}", quoted(first)));
    }
    // What is cut is cleaned first: half a secret is not known as one.
    let clean = |text: &String| redact(text).text.into_owned();
    let last = ending.last.as_ref().map(clean);
    if let Some(last) = last.as_deref().filter(|last| Some(*last) != first) {
        say(&format!("Asked last: {}", quoted(last)));
    }
    if let Some(answer) = ending.answer.as_ref().map(clean) {
        say(&format!("The last answer ends: {}", end_of(&answer, 600)));
    }
    say("\n## What changed");
    match standing {
        None => say("Not known: git said nothing here."),
        Some(standing) if standing.changed.is_empty() => say("Nothing since the last commit."),
        Some(standing) => {
            for (what, path) in standing.changed.iter().take(FILES) {
                say(&format!("- {what}: {path}"));
            }
            let more = standing.changed.len().saturating_sub(FILES);
            if more > 0 {
                say(&format!("- and {more} more: `git status`"));
            }
        }
    }
    say("\n## What remains");
    if ending.open.is_empty() {
        say("Nothing is open on the session's to-do list.");
    }
    for item in ending.open.iter().take(FILES) {
        say(&format!("- {}", quoted(item)));
    }
    say("\n## Key decisions");
    say(&format!(
        "A hook wrote this and picked none; `outcrop carry {session}` finds them in the transcript."
    ));
    say("\n## Current context");
    say(&format!("{DIRECTORY}{directory}"));
    if let Some(standing) = standing {
        let branch = standing.branch.as_deref().unwrap_or("none, detached");
        say(&format!("- Branch: {branch}"));
        for commit in &standing.commits {
            say(&format!("- Commit: {}", one_line(commit, 120)));
        }
    }
    say(&format!("- Session: {session}"));
    redact(&text).text.into_owned()
}

/// A text on one line, cut between words where it is too long.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let is_gap = |c: char| c.is_whitespace() || c.is_control();
    let words: Vec<&str> = text.split(is_gap).filter(|word| !word.is_empty()).collect();
    clipped(&words.join(" "), most)
}

/// The first characters of a text, and a mark where there are more.
fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
    }
}

/// The last characters of a text on one line.
fn end_of(text: &str, most: usize) -> String {
    let line = one_line(text, usize::MAX);
    let count = line.chars().count();
    match count <= most {
        true => line,
        false => {
            let mut end = String::from("…");
            let _ = write!(
                end,
                "{}",
                line.chars().skip(count - most).collect::<String>()
            );
            end
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn stop(folder: &Path, written: &mut Written, last: &str, now: i64) {
        let ending = Ending {
            first: Some("Fix the total of the cart".to_owned()),
            last: Some(last.to_owned()),
            ..Ending::default()
        };
        let stopped = Stopped {
            session: "5e550000-0000-4000-8000-000000000001",
            directory: "/srv/shop",
            ending: &ending,
            standing: None,
            now,
            zone: &TimeZone::UTC,
        };
        write(folder, written, &stopped).unwrap();
    }

    const DAY: i64 = 24 * 60 * 60 * 1000;
    const ONE: &str = "1970-01-02_000000_fix-the-total-of-the-cart-5e550000.md";

    #[test]
    fn one_handoff_a_session() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("handoffs");
        let mut written = Written::default();
        stop(&folder, &mut written, "now the tests", DAY);
        stop(&folder, &mut written, "and the docs", 2 * DAY);
        assert_eq!(names(&folder), [ONE]);
        let text = fs::read_to_string(folder.join(ONE)).unwrap();
        assert!(text.contains("Asked last: and the docs"), "{text}");
        let found = waiting(&folder, SystemTime::now()).unwrap();
        assert_eq!(found[0].title(), "Fix the total of the cart");
        assert_eq!(found[0].head.directory.as_deref(), Some("/srv/shop"));
        let later = SystemTime::now() + RECENT.unsigned_abs() + Duration::from_secs(60);
        assert!(waiting(&folder, later).unwrap().is_empty());
    }

    #[test]
    fn what_was_taken_or_edited_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let mut written = Written::default();
        stop(folder, &mut written, "a", DAY);
        let done = ONE.replace(".md", DONE);
        fs::rename(folder.join(ONE), folder.join(&done)).unwrap();
        let taken = fs::read(folder.join(&done)).unwrap();
        // The same state was taken already.
        stop(folder, &mut written, "a", DAY);
        assert_eq!(names(folder), [done.as_str()]);
        assert!(waiting(folder, SystemTime::now()).unwrap().is_empty());
        // What came since is another, and takes no name away.
        stop(folder, &mut written, "b", DAY);
        let second = ONE.replace(".md", "-2.md");
        assert_eq!(names(folder), [second.as_str(), done.as_str()]);
        assert_eq!(fs::read(folder.join(&done)).unwrap(), taken);
        fs::write(folder.join(&second), "# Mine\n").unwrap();
        stop(folder, &mut written, "c", DAY);
        assert_eq!(fs::read(folder.join(&second)).unwrap(), b"# Mine\n");
        assert_eq!(names(folder).len(), 2);
    }
}
