//! The lists of skills, commands and agents that were sent, against the prediction.
//!
//! Of the client's own sentences only what marks the lists is known here.

use outcrop_loader::catalog::agents::Agents;
use outcrop_loader::catalog::{Announced, Catalog, Entry, Note, OwnEntry};
use serde_json::Value;

use super::{blocks, blocks_of};
use crate::recorder::Recording;

/// What the sentence before a list of skills ends with.
const SKILLS: &str = "the Skill tool:\n\n";
/// What the sentence before the list of agents ends with.
const AGENTS: &str = "the Agent tool:\n";

/// The lists of skills and commands, the one of the start first; each with whatever the client
/// sends behind it.
#[must_use]
pub fn skills(recording: &Recording) -> Vec<String> {
    let Some(last) = recording.turns().next_back() else {
        return Vec::new();
    };
    let lists = texts(&last.body["messages"]).flat_map(|text| {
        let starts = text.match_indices(SKILLS);
        starts.map(|(at, _)| text[at + SKILLS.len()..].to_owned())
    });
    lists.collect()
}

/// The texts of every message, those in the results of tools as well: there older models are told
/// of what a read adds.
fn texts(messages: &Value) -> impl Iterator<Item = &str> {
    let messages = messages.as_array().into_iter().flatten();
    messages.flat_map(|message| {
        let content = &message["content"];
        let results = content.as_array().into_iter().flatten();
        let results = results.flat_map(|block| blocks_of(&block["content"]));
        blocks_of(content).chain(results)
    })
}

/// The list of agents with whatever the client sends behind it.
#[must_use]
pub fn agents(recording: &Recording) -> Option<String> {
    let first = recording.turns().next()?;
    let mut texts = blocks(&first.body["messages"]);
    texts.find_map(|text| Some(text.split_once(AGENTS)?.1.to_owned()))
}

/// How the list of agents differs from the prediction, if it does. Of the client's own the names
/// and the sizes are compared.
#[must_use]
pub fn agents_differ(agents: &Agents, sent: Option<&str>) -> Option<String> {
    let silent = agents.silent.is_some() || agents.ends.is_some() || agents.agents.is_empty();
    let Some(mut rest) = sent else {
        return (!silent).then(|| "no list of agents was sent".to_owned());
    };
    for (index, agent) in agents.agents.iter().enumerate() {
        if index > 0 {
            rest = rest.strip_prefix('\n').unwrap_or(rest);
        }
        let after = match agent.line() {
            Some(line) => rest.strip_prefix(line.as_str()),
            None => {
                let text = rest.strip_prefix(format!("- {}: ", agent.name).as_str());
                let text = text.and_then(|text| split(text, agent.characters));
                text.and_then(|text| {
                    text.strip_prefix(format!(" (Tools: {})", agent.label).as_str())
                })
            }
        };
        match after.filter(|after| is_end_of_entry(after)) {
            Some(after) => rest = after,
            None => {
                let line = rest.lines().next().unwrap_or_default();
                return Some(format!(
                    "predicted the agent `{}`, sent `{line}`",
                    agent.name
                ));
            }
        }
    }
    let line = rest
        .strip_prefix("\n- ")
        .map(|more| more.lines().next().unwrap_or_default());
    line.map(|line| format!("predicted no more agents, sent `{line}`"))
}

/// How the lists that were sent differ from the prediction, if they do.
///
/// What reads bring is taken together, since the client may send it a request later. So may it
/// an entry that stands under its directory's name.
#[must_use]
pub fn differ(catalog: &Catalog, announced: &[Announced], sent: &[String]) -> Option<String> {
    let is_empty = catalog.entries.is_empty() && catalog.own.is_empty();
    let mut late = Vec::new();
    match sent.first() {
        Some(first) => {
            if let Err(how) = first_differs(catalog, first, &mut late) {
                return Some(how);
            }
        }
        None if is_empty => {}
        None => return Some("no list was sent".to_owned()),
    }
    late.extend(announced.iter().flat_map(|list| &list.entries));
    later_differ(&late, sent.get(1..).unwrap_or_default())
}

fn first_differs<'c>(
    catalog: &'c Catalog,
    sent: &str,
    late: &mut Vec<&'c Entry>,
) -> Result<(), String> {
    let mut rest = sent;
    let differs = |predicted: &str, rest: &str| {
        let line = rest.trim_start().lines().next().unwrap_or_default();
        Err(format!("predicted `{predicted}`, sent `{line}`"))
    };
    let ours = |behind: bool| {
        let entries = catalog.entries.iter();
        entries
            .filter(move |entry| entry.behind_own == behind)
            .map(Listed::Ours)
    };
    let own = |keeps_text: bool| {
        let entries = catalog.own.iter();
        entries
            .filter(move |own| own.keeps_text == keeps_text)
            .map(Listed::Own)
    };
    let all = ours(false)
        .chain(own(true))
        .chain(ours(true))
        .chain(own(false));
    for listed in all {
        let line = rest.strip_prefix('\n').unwrap_or(rest);
        let after = match listed {
            Listed::Ours(entry) => after(entry, line),
            Listed::Own(own) => after_own(own, line),
        };
        match (after, listed) {
            (Some(after), _) => rest = after,
            (None, Listed::Ours(entry)) if entry.note == Some(Note::Scope) => late.push(entry),
            (None, Listed::Ours(entry)) => return differs(&entry.line(), line),
            (None, Listed::Own(own)) => return differs(&format!("- {}", own.name), line),
        }
    }
    let ends = rest.is_empty() || rest.starts_with("\n\n") || rest.starts_with("\n</");
    if ends {
        Ok(())
    } else {
        differs("nothing more", rest)
    }
}

#[derive(Clone, Copy)]
enum Listed<'c> {
    Ours(&'c Entry),
    Own(&'c OwnEntry),
}

/// The same for one of the client's own, of which the size is known.
fn after_own<'t>(own: &OwnEntry, text: &'t str) -> Option<&'t str> {
    let mut rest = text.strip_prefix("- ")?.strip_prefix(own.name)?;
    if let Some(units) = own.characters {
        rest = split(rest.strip_prefix(": ")?, units)?;
    }
    is_end_of_entry(rest).then_some(rest)
}

fn later_differ(entries: &[&Entry], sent: &[String]) -> Option<String> {
    for entry in entries {
        let begins = |list: &String| {
            let starts = list.match_indices("\n- ").map(|(at, _)| at + 1);
            std::iter::once(0)
                .chain(starts)
                .any(|at| after(entry, &list[at..]).is_some())
        };
        if !sent.iter().any(begins) {
            let line = entry.line();
            return Some(format!("predicted `{line}`, which no later list has"));
        }
    }
    let lines = sent.iter().flat_map(|list| {
        let list = list.split("\n\n").next().unwrap_or_default();
        list.lines().filter(|line| line.starts_with("- "))
    });
    let lines: Vec<&str> = lines.collect();
    let predicted = entries.len();
    (lines.len() != predicted)
        .then(|| format!("predicted {predicted} later entries, sent {lines:?}"))
}

/// What stands behind an entry, if the text begins with it.
fn after<'t>(entry: &Entry, text: &'t str) -> Option<&'t str> {
    let line = entry.line();
    let rest = match (&entry.text, entry.note) {
        (Some(shown), Some(_)) => {
            let (before, behind) = line.split_at(line.len() - shown.len() + entry.note_at);
            let noted = split(text.strip_prefix(before)?, entry.note_units)?;
            noted.strip_prefix(behind)?
        }
        _ => text.strip_prefix(line.as_str())?,
    };
    is_end_of_entry(rest).then_some(rest)
}

fn is_end_of_entry(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('\n')
}

/// The text behind so many UTF-16 units.
fn split(text: &str, units: usize) -> Option<&str> {
    let mut left = units;
    for (at, c) in text.char_indices() {
        if left == 0 {
            return Some(&text[at..]);
        }
        left = left.checked_sub(c.len_utf16())?;
    }
    (left == 0).then_some("")
}
