//! The block of instruction files, as a resume tells it (facts C2.3;
//! docs/facts-sessions.md 211, 212).

use std::io;

use serde::Deserialize;

use super::items::client_text;
use super::{Block, ClientText, Instruction, Placed};
use crate::transcript::{Kind, Source, Transcript};

/// The client's words around the block, and around each file in it, in UTF-16 units.
const BLOCK_FRAME: u32 = 230;
const FILE_FRAME: u32 = 56;

/// The words around what changed of it.
const CHANGE_FRAME: u32 = 217;

#[derive(Deserialize)]
struct Announced {
    files: Vec<Instruction>,
}

/// What some records announced last; none where they announced nothing.
pub(super) fn announced<S: Source>(
    transcript: &Transcript<S>,
    records: &[usize],
) -> io::Result<Option<Vec<Instruction>>> {
    let index = transcript.index();
    let last = records.iter().rev().find(|record| {
        let entry = &index.entries()[**record];
        entry.kind == Kind::Attachment && index.is(entry.detail, "instructions")
    });
    let Some(last) = last else {
        return Ok(None);
    };
    let attachment = transcript.record(&index.entries()[*last])?.attachment;
    let announced = attachment.and_then(|raw| serde_json::from_str::<Announced>(raw.get()).ok());
    Ok(Some(
        announced.map_or_else(Vec::new, |announced| announced.files),
    ))
}

/// What a newer client tells with a new prompt: what of the files it did not tell, or that they
/// are gone.
pub(super) fn told(announced: Option<&[Instruction]>, now: &[Instruction]) -> Option<Placed> {
    let Some(announced) = announced else {
        return (!now.is_empty()).then(|| block(now, BLOCK_FRAME));
    };
    let is_known = |file: &&Instruction| {
        let same = |known: &Instruction| {
            known.path == file.path && known.content.trim_end() == file.content.trim_end()
        };
        announced.iter().any(same)
    };
    let new: Vec<Instruction> = now.iter().filter(|file| !is_known(file)).cloned().collect();
    if !new.is_empty() {
        return Some(block(&new, CHANGE_FRAME));
    }
    let is_gone = |known: &&Instruction| !now.iter().any(|file| file.path == known.path);
    announced
        .iter()
        .any(|known| is_gone(&known))
        .then(|| client_text(ClientText::InstructionsGone))
}

/// The block that an older client makes anew before everything else. Without files it still tells
/// the date.
pub(super) fn first(now: Option<&[Instruction]>) -> Placed {
    match now {
        Some(now) if !now.is_empty() => block(now, BLOCK_FRAME),
        _ => client_text(ClientText::Instructions),
    }
}

fn block(files: &[Instruction], frame: u32) -> Placed {
    let texts: Vec<String> = files
        .iter()
        .map(|file| format!("{}\n\n{}", file.path, file.content))
        .collect();
    let count = u32::try_from(files.len()).unwrap_or(u32::MAX);
    Placed {
        block: Block::Framed {
            text: texts.join("\n\n"),
            frame: frame.saturating_add(FILE_FRAME.saturating_mul(count)),
        },
        from: None,
    }
}
