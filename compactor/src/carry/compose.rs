//! What was chosen, as messages.

use std::cell::OnceCell;
use std::fmt::Write as _;

use super::asked::{Out, Pins};
use super::notes::Note;
use super::plan::Planned;
use super::said::{Text, Voice};
use super::select::{Chosen, Session, Summary, part_of, role};
use super::verdict::Reason;
use super::{Options, clean};
use crate::conversation::Role;
use crate::loss::{Action, FileUse, OpenItem, OpenKind};
use crate::sessions::{Title, TitleSource};
use crate::transcript::Source;

/// What messages are made of.
pub(super) struct Parts<'a, S> {
    pub(super) session: &'a Session<'a, S>,
    /// The record of the last request.
    pub(super) request: usize,
    /// The last turns, by number, newest first.
    pub(super) tail: Vec<usize>,
    pub(super) pins: Pins,
    pub(super) out: Out,
    pub(super) open: Vec<&'a OpenItem>,
    pub(super) files: Vec<&'a FileUse>,
    /// Each text as it stands in the tail, once it was looked for.
    pub(super) cleaned: Vec<OnceCell<String>>,
}

/// A text of the tail may take this part of the target: what is longer loses its middle.
const LONGEST: u64 = 8;

/// The messages. They alternate; the first is the user's and short, since a client's list of
/// sessions leaves out those whose first line is longer than 15 KB (peers.md, CC#25920).
pub(super) fn messages<S: Source>(parts: &Parts<'_, S>, chosen: &Chosen) -> Vec<Planned> {
    let mut messages = vec![Planned {
        role: Role::User,
        blocks: vec![header(parts)],
    }];
    push(&mut messages, Role::Assistant, done(parts, chosen));
    let held = held(parts, chosen);
    if !held.is_empty() {
        push(&mut messages, Role::User, held);
    }
    for text in &parts.session.said.texts {
        if is_in_tail(parts, chosen, text) {
            push(
                &mut messages,
                role(text.voice),
                tail_text(parts, text).to_owned(),
            );
        }
    }
    messages
}

/// Adds a text; neighbours of one speaker are one message.
fn push(messages: &mut Vec<Planned>, role: Role, text: String) {
    match messages.last_mut() {
        Some(last) if last.role == role => last.blocks.push(text),
        _ => messages.push(Planned {
            role,
            blocks: vec![text],
        }),
    }
}

/// Whether a text stands among the last turns.
pub(super) fn is_in_tail<S: Source>(parts: &Parts<'_, S>, chosen: &Chosen, text: &Text) -> bool {
    if text.record == parts.request && text.voice == Voice::User {
        return true;
    }
    !text.is_earlier
        && chosen.turns.contains(&text.turn)
        && (text.voice == Voice::User || text.is_answer)
        && !parts.out.has(text.record, &text.text)
}

/// Whether a note stands in the tail already.
pub(super) fn is_told<S: Source>(parts: &Parts<'_, S>, chosen: &Chosen, note: &Note) -> bool {
    let texts = parts.session.said.texts.iter();
    let mut texts = texts.filter(|text| text.record == note.record);
    texts.any(|text| {
        is_in_tail(parts, chosen, text) && tail_text(parts, text).contains(&note.sentence)
    })
}

/// The texts of a turn, but for the last request.
pub(super) fn turn<S: Source>(parts: &Parts<'_, S>, number: usize) -> Vec<(Role, String)> {
    let mut chosen = Chosen::default();
    chosen.turns.insert(number);
    let texts = parts.session.said.texts.iter();
    let texts = texts.filter(|text| {
        text.turn == number && text.record != parts.request && is_in_tail(parts, &chosen, text)
    });
    texts
        .map(|text| (role(text.voice), tail_text(parts, text).to_owned()))
        .collect()
}

fn tail_text<'p, S: Source>(parts: &'p Parts<'_, S>, text: &Text) -> &'p str {
    parts.cleaned[text.number].get_or_init(|| cleaned(parts, text))
}

fn cleaned<S: Source>(parts: &Parts<'_, S>, text: &Text) -> String {
    let options = parts.session.options;
    // Word for word.
    if text.record == parts.request || parts.pins.records.contains(&text.record) {
        return text.text.clone();
    }
    let marked = match text.voice {
        Voice::Assistant => parts.session.marks.put(text.record, &text.text),
        _ => text.text.clone(),
    };
    let line = parts.session.transcript.index().entries()[text.record]
        .place
        .line;
    let clean = clean::clean(&marked, &options.around);
    clean::without_middle(&clean, options.target / LONGEST, line)
}

/// Where the messages come from.
fn header<S: Source>(parts: &Parts<'_, S>) -> String {
    let session = parts.session;
    let index = session.transcript.index();
    let records = || session.chain.records.iter().rev();
    let entries = || records().map(|record| &index.entries()[*record]);
    let id = entries().find_map(|entry| entry.session);
    let mut text = "Carried over from".to_owned();
    match id {
        Some(id) => {
            let _ = write!(text, " session {}", index.text(id));
        }
        None => text.push_str(" an earlier session"),
    }
    let turns = session.turns.len();
    let plural = if turns == 1 { "" } else { "s" };
    let _ = write!(text, ": {turns} turn{plural}");
    let time = entries().find_map(|entry| entry.time);
    if let Some(time) = time.and_then(|time| jiff::Timestamp::from_millisecond(time).ok()) {
        let _ = write!(text, ", the last on {}", &time.to_string()[..10]);
    }
    text.push_str(
        ". What follows are its own words, without results of tools; files may have changed \
         since.\n",
    );
    // A title that cannot be read is none; one that is the first prompt would carry it over.
    if let Ok(Some(title)) = Title::of(session.transcript)
        && title.source != TitleSource::Prompt
    {
        let _ = write!(text, "\nTitle: {}", title.text);
    }
    let model = entries()
        .filter(|entry| !index.is(entry.model, "<synthetic>"))
        .find_map(|entry| entry.model);
    if let Some(model) = model {
        let _ = write!(text, "\nModel: {}", index.text(model));
    }
    if let Some(mode) = &session.loss.open_items.permission_mode {
        let _ = write!(text, "\nPermission mode: {}", mode.mode);
    }
    if !session.said.tools.is_empty() {
        let tools = session.said.tools.iter().take(8);
        let tools = tools.map(|(name, calls, failed)| match failed {
            0 => format!("{name} {calls}"),
            _ => format!("{name} {calls} ({failed} failed)"),
        });
        let _ = write!(
            text,
            "\nTools used: {}",
            tools.collect::<Vec<_>>().join(", ")
        );
    }
    text.trim_end().to_owned()
}

/// Adds a list under a heading.
fn list(text: &mut String, heading: &str, lines: impl Iterator<Item = String>) {
    let mut lines = lines.peekable();
    if lines.peek().is_none() {
        return;
    }
    let _ = write!(text, "\n\n{heading}:");
    for line in lines {
        let _ = write!(text, "\n{line}");
    }
}

/// What was decided and done: the model's side.
fn done<S: Source>(parts: &Parts<'_, S>, chosen: &Chosen) -> String {
    let session = parts.session;
    let options = session.options;
    let mut text = String::new();
    let summaries = chosen.summaries.iter();
    let summaries =
        summaries.map(|(number, how)| summary(&session.said.texts[*number], *how, options));
    list(&mut text, "Summary of what came before", summaries);
    for (reason, heading) in [
        (Reason::Decision, "Decisions"),
        (Reason::Promise, "Promises"),
        (Reason::Checkpoint, "Done and not done"),
    ] {
        list(&mut text, heading, notes(parts, chosen, reason, false));
    }
    let open = chosen.open.iter().map(|number| parts.open[*number]);
    list(&mut text, "Open", open.map(|item| open_line(item, options)));
    let files = chosen.files.iter().map(|number| parts.files[*number]);
    list(
        &mut text,
        "Files",
        files.map(|file| file_line(file, options)),
    );
    match text.trim_start() {
        "" => "Nothing was decided or changed before what follows.".to_owned(),
        text => format!("What was decided and done before what follows.\n\n{text}"),
    }
}

/// What the user said that still holds.
fn held<S: Source>(parts: &Parts<'_, S>, chosen: &Chosen) -> String {
    let mut text = String::new();
    list(&mut text, "Pinned", parts.pins.texts.iter().cloned());
    for (reason, heading) in [
        (Reason::Identity, "Who I am"),
        (Reason::Preference, "What I prefer"),
        (Reason::Constraint, "Rules"),
        (Reason::Correction, "Corrections"),
        (Reason::Decision, "Decisions"),
        (Reason::Promise, "Promises"),
    ] {
        list(&mut text, heading, notes(parts, chosen, reason, true));
    }
    match text.trim_start() {
        "" => String::new(),
        text => format!("What I said before that still holds.\n\n{text}"),
    }
}

/// The notes of one kind that stand nowhere else.
fn notes<'p, S: Source>(
    parts: &'p Parts<'_, S>,
    chosen: &'p Chosen,
    reason: Reason,
    of_user: bool,
) -> impl Iterator<Item = String> + 'p {
    let notes = chosen.notes.iter();
    let notes = notes.map(|number| &parts.session.notes[*number]);
    let notes = notes.filter(move |note| {
        note.reason == reason && note.is_users == of_user && !is_told(parts, chosen, note)
    });
    notes.map(|note| match note.is_users {
        true => self::note(note),
        false => {
            let marked = parts.session.marks.put(note.record, &note.sentence);
            line_of(&marked, note.turn)
        }
    })
}

fn line_of(sentence: &str, turn: usize) -> String {
    format!("- {} (turn {turn})", sentence.replace('\n', " "))
}

/// A note on a line. The user's words stay as they are.
pub(super) fn note(note: &Note) -> String {
    format!("- {} (turn {})", note.sentence, note.turn)
}

/// An open item on a line.
pub(super) fn open(item: &OpenItem, options: &Options) -> String {
    let text = clean::clean(&item.text, &options.around);
    match (item.kind, item.status.as_deref()) {
        (OpenKind::Plan, _) => format!("the plan in {text}"),
        (OpenKind::Call, Some(tool)) => format!("a call of {tool} without result"),
        (_, Some("in_progress")) => format!("{text} (in progress)"),
        _ => text,
    }
}

fn open_line(item: &OpenItem, options: &Options) -> String {
    format!("- {}", open(item, options))
}

/// A file on a line.
pub(super) fn file(file: &FileUse, options: &Options) -> String {
    let path = clean::near(&file.path, &options.around);
    let last = match file.last {
        Action::Read => "read",
        Action::Searched => "searched",
        Action::Written => "written",
        Action::Edited => "edited",
        Action::Removed => "removed",
    };
    let failed = if file.last_failed {
        ", which failed"
    } else {
        ""
    };
    match file.changes {
        0 => format!("{path}: {last}{failed}"),
        1 => format!("{path}: 1 change, last {last}{failed}"),
        changes => format!("{path}: {changes} changes, last {last}{failed}"),
    }
}

fn file_line(used: &FileUse, options: &Options) -> String {
    format!("- {}", file(used, options))
}

/// A summary, or what of it must hold on.
pub(super) fn summary(text: &Text, how: Summary, options: &Options) -> String {
    let whole = clean::clean(&text.text, &options.around);
    match how {
        Summary::Whole => whole,
        Summary::Part => part_of(&whole).trim_end().to_owned(),
    }
}
