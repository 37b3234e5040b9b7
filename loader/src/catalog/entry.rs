//! What the front matter and body of a skill or command say.

use serde_json::Value;

use super::EntryKind;
use super::names::visible;
use crate::client::Behaviour;
use crate::document::{RulePaths, keys_and_body, paths_of};
use crate::javascript;

/// What a file says of itself.
pub(super) struct Said {
    /// `name` of its front matter.
    pub(super) name: Option<String>,
    /// Its text in the listing, whole (fact C1.8).
    pub(super) text: String,
    /// The bytes of it that are the description: a note of the client's stands behind them.
    pub(super) description: usize,
    /// Its front matter describes it; what a plugin does not describe is not listed (fact 51).
    pub(super) described: bool,
    /// The model may call it (fact C1.10).
    pub(super) for_the_model: bool,
    pub(super) paths: RulePaths,
}

impl Said {
    pub(super) fn of(source: &str, kind: EntryKind, behaviour: &Behaviour) -> Self {
        let (mut keys, body) = keys_and_body(source, behaviour);
        let mut key = |name: &str| keys.remove(name);
        let name = key("name").as_ref().and_then(plain);
        let description = key("description").as_ref().and_then(plain);
        let description = description.map(|text| javascript::trim(&text).to_owned());
        let description = description.filter(|text| !text.is_empty());
        let when = key("when_to_use").as_ref().and_then(plain);
        let when = when.filter(|when| !when.is_empty());
        let described = description.is_some() || when.is_some();
        let shown = |text: String| match behaviour.catalog_escapes {
            true => visible(&text),
            false => text,
        };
        let mut text = shown(description.unwrap_or_else(|| first_line(body, kind)));
        let description = text.len();
        if let Some(when) = when {
            text = format!("{text} - {}", shown(when));
        }
        let disabled = key("disable-model-invocation");
        Self {
            name,
            text,
            description,
            described,
            for_the_model: !disabled.is_some_and(|value| is_on(&value, behaviour)),
            paths: match kind {
                EntryKind::Skill => paths_of(key("paths"), behaviour),
                EntryKind::Command => RulePaths::Always,
            },
        }
    }
}

/// A text; a number, `true` and `false` as text.
pub(super) fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(on) => Some(on.to_string()),
        _ => None,
    }
}

/// Newer clients take `yes` as well.
fn is_on(value: &Value, behaviour: &Behaviour) -> bool {
    match value {
        Value::Bool(on) => *on,
        Value::String(text) => text == "true" || behaviour.catalog_yes && text == "yes",
        _ => false,
    }
}

/// The first line of a body that is not blank, without the signs of a heading.
fn first_line(body: &str, kind: EntryKind) -> String {
    let lines = body.lines().map(javascript::trim);
    let mut filled = lines.filter(|line| !line.is_empty());
    match (filled.next(), kind) {
        (Some(line), _) => javascript::trim(line.trim_start_matches('#')).to_owned(),
        (None, EntryKind::Skill) => "Skill".to_owned(),
        (None, EntryKind::Command) => "Custom command".to_owned(),
    }
}

/// A text as it is listed, the last unit of a cut one an ellipsis (fact C1.20). A note of the
/// client's counts with it.
pub(super) struct Capped {
    /// The text without the note.
    pub(super) text: String,
    /// Where in it the note stands, in bytes.
    pub(super) note_at: usize,
    /// UTF-16 units of the note that are left.
    pub(super) note_units: usize,
}

impl Capped {
    /// `description` bytes of `text` stand before a note of `note` units; of all together `most`
    /// units are listed.
    pub(super) fn new(text: &str, description: usize, note: usize, most: usize) -> Self {
        let (before, behind) = text.split_at(description);
        let (own, rest) = (javascript::len(before), javascript::len(behind));
        if own + note + rest <= most {
            return Self {
                text: text.to_owned(),
                note_at: description,
                note_units: note,
            };
        }
        let room = most.saturating_sub(1);
        if room < own {
            let text = cut(before, room);
            return Self {
                note_at: text.len(),
                note_units: 0,
                text,
            };
        }
        if room < own + note {
            return Self {
                text: before.to_owned(),
                note_at: description,
                note_units: room - own + 1,
            };
        }
        Self {
            text: before.to_owned() + &cut(behind, room - own - note),
            note_at: description,
            note_units: note,
        }
    }
}

/// So many UTF-16 units and an ellipsis. The client may cut within a character; then this leaves
/// it out.
fn cut(text: &str, room: usize) -> String {
    let mut units = 0;
    let kept = text.chars().take_while(|c| {
        units += c.len_utf16();
        units <= room
    });
    let kept: String = kept.collect();
    kept + "…"
}
