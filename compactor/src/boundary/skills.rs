//! Which skills a compaction puts back (fact C6.8).

use std::io;

use serde::{Deserialize, Serialize};

use crate::transcript::record::{Block, Content};
use crate::transcript::{Kind, Source, Transcript};

/// A skill's text is cut behind so many UTF-16 units.
pub const SKILL_UNITS: usize = 20_000;

/// All skills together have so many tokens of four units.
pub const SKILLS_TOKENS: u64 = 25_000;

/// A skill that was used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Used {
    /// Its name.
    pub name: String,
    /// What becomes of it.
    pub outcome: Outcome,
    /// Its tokens as the client estimates them.
    pub tokens: u64,
    /// Its text as it was put in.
    #[serde(skip)]
    pub text: String,
}

/// What becomes of a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It is put back whole.
    Kept,
    /// It is put back without its end.
    Cut,
    /// Newer ones left no room.
    Dropped,
}

/// The skills that some records used, newest first, each with what becomes of it.
pub(super) fn used<S: Source>(
    transcript: &Transcript<S>,
    records: &[usize],
) -> io::Result<Vec<Used>> {
    let mut found = found(transcript, records)?;
    found.reverse();
    let mut newest: Vec<(String, String)> = Vec::new();
    for (name, text) in found {
        if !newest.iter().any(|(known, _)| *known == name) {
            newest.push((name, text));
        }
    }
    let mut room = SKILLS_TOKENS;
    let used = newest.into_iter().map(|(name, text)| {
        let units = outcrop_loader::javascript::len(&text);
        let (text, mut outcome) = if units > SKILL_UNITS {
            (beginning(&text, SKILL_UNITS), Outcome::Cut)
        } else {
            (text, Outcome::Kept)
        };
        let units = outcrop_loader::javascript::len(&text) as u64;
        let tokens = (units + 2) / 4;
        match room.checked_sub(tokens) {
            Some(left) => room = left,
            None => outcome = Outcome::Dropped,
        }
        Used {
            name,
            outcome,
            tokens,
            text,
        }
    });
    Ok(used.collect())
}

/// A call of the tool `Skill`.
#[derive(Deserialize)]
struct Call {
    skill: String,
}

/// The text of a boundary's own list.
#[derive(Deserialize)]
struct List {
    skills: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    name: String,
    content: String,
}

/// Names and texts, in the order in which they were used.
fn found<S: Source>(
    transcript: &Transcript<S>,
    records: &[usize],
) -> io::Result<Vec<(String, String)>> {
    let index = transcript.index();
    let entries = index.entries();
    let mut found: Vec<(String, String)> = Vec::new();
    let mut called: Option<String> = None;
    for number in records {
        let entry = &entries[*number];
        let pieces = index.pieces(entry);
        match entry.kind {
            Kind::Assistant if pieces.iter().any(|piece| index.is(piece.name, "Skill")) => {
                let Content::Blocks(blocks) = transcript.record(entry)?.content else {
                    continue;
                };
                for block in blocks {
                    if let Block::ToolUse { name, input, .. } = block
                        && name == "Skill"
                        && let Ok(call) = serde_json::from_str::<Call>(input.get())
                    {
                        called = Some(call.skill);
                    }
                }
            }
            Kind::User if entry.flags.meta && called.is_some() => {
                let text = match transcript.record(entry)?.content {
                    Content::Text(text) => text,
                    Content::Missing => continue,
                    content => content.texts().collect(),
                };
                if let Some(name) = called.take() {
                    found.push((name, text));
                }
            }
            Kind::Attachment if index.is(entry.detail, "invoked_skills") => {
                let attachment = transcript.record(entry)?.attachment;
                let list =
                    attachment.and_then(|list| serde_json::from_str::<List>(list.get()).ok());
                // The newest stands first in it.
                let skills = list
                    .into_iter()
                    .flat_map(|list| list.skills.into_iter().rev());
                found.extend(skills.map(|skill| (skill.name, skill.content)));
            }
            _ => {}
        }
    }
    Ok(found)
}

/// The first so many UTF-16 units of a text.
fn beginning(text: &str, units: usize) -> String {
    let mut left = units;
    text.chars()
        .take_while(|c| {
            let takes = c.len_utf16();
            let fits = takes <= left;
            left = left.saturating_sub(takes);
            fits
        })
        .collect()
}
