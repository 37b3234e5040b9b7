//! Which files a compaction puts back (facts C6.6, C6.7).

use std::io;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::transcript::record::{Block, Content};
use crate::transcript::{Entry, Index, Kind, Source, Transcript};

/// How many files are put back.
pub const FILES: usize = 5;

/// A file of more tokens is only named.
pub const FILE_TOKENS: u64 = 5_000;

/// The disk as it is now.
pub trait Files {
    /// When a file was changed last, in milliseconds since 1970; none where it is not there.
    fn modified(&self, path: &str) -> Option<i64>;

    /// Its text.
    fn text(&self, path: &str) -> Option<String>;
}

/// A file that the session knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// Its path.
    pub path: String,
    /// The record that read or wrote it last.
    pub record: usize,
    /// It is an instruction file that a read brought in.
    pub is_instruction: bool,
}

/// What becomes of a file that the session knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Restored {
    /// Its path.
    pub path: String,
    /// What becomes of it.
    pub outcome: Outcome,
    /// Its tokens as it is on the disk now; none where it was not read.
    pub tokens: Option<u64>,
    /// It is an instruction file that a read had brought in.
    pub is_instruction: bool,
    /// Its text, where it is put back.
    #[serde(skip)]
    pub text: Option<String>,
}

/// What becomes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It is read again and put back.
    Attached,
    /// It is too large, and only named.
    Named,
    /// The kept messages hold it.
    InTail,
    /// Five newer ones took the places.
    NoPlace,
    /// It is not there any more.
    Gone,
}

/// The input of a tool, as far as it names a file.
#[derive(Deserialize)]
struct Named {
    #[serde(alias = "notebook_path")]
    file_path: Option<String>,
}

/// The files that some records read, wrote or brought in.
pub(super) fn known<S: Source>(
    transcript: &Transcript<S>,
    records: &[usize],
) -> io::Result<Vec<Known>> {
    let index = transcript.index();
    let entries = index.entries();
    let failed = failed_calls(index, records);
    let mut known: FxHashMap<String, Known> = FxHashMap::default();
    let mut add = |path: String, record: usize, is_instruction: bool| {
        known.insert(
            path.clone(),
            Known {
                path,
                record,
                is_instruction,
            },
        );
    };
    for number in records {
        let entry = &entries[*number];
        let is_read = entry.kind == Kind::Assistant && calls_a_file(index, entry);
        let is_nested = entry.kind == Kind::Attachment && index.is(entry.detail, "nested_memory");
        if !is_read && !is_nested {
            continue;
        }
        let record = transcript.record(entry)?;
        if is_nested {
            let path = record.attachment.as_deref().and_then(|attachment| {
                let attachment: serde_json::Value = serde_json::from_str(attachment.get()).ok()?;
                attachment.get("path")?.as_str().map(str::to_owned)
            });
            if let Some(path) = path {
                add(path, *number, true);
            }
            continue;
        }
        let Content::Blocks(blocks) = record.content else {
            continue;
        };
        for block in blocks {
            let Block::ToolUse { id, name, input } = block else {
                continue;
            };
            if !takes_a_file(&name) || failed.contains(id.as_str()) {
                continue;
            }
            let named = serde_json::from_str::<Named>(input.get()).ok();
            if let Some(path) = named.and_then(|named| named.file_path) {
                add(path, *number, false);
            }
        }
    }
    let mut known: Vec<Known> = known.into_values().collect();
    known.sort_by_key(|known| known.record);
    Ok(known)
}

fn takes_a_file(tool: &str) -> bool {
    matches!(
        tool,
        "Read" | "Edit" | "MultiEdit" | "Write" | "NotebookEdit"
    )
}

fn calls_a_file(index: &Index, entry: &Entry) -> bool {
    let mut pieces = index.pieces(entry).iter();
    pieces.any(|piece| {
        piece
            .name
            .is_some_and(|name| takes_a_file(index.text(name)))
    })
}

/// The calls whose results report a failure.
fn failed_calls<'a>(index: &'a Index, records: &[usize]) -> FxHashSet<&'a str> {
    let entries = records.iter().map(|record| &index.entries()[*record]);
    let pieces = entries.flat_map(|entry| index.pieces(entry));
    pieces
        .filter(|piece| piece.is_error)
        .filter_map(|piece| piece.tool.map(|tool| index.text(tool)))
        .collect()
}

/// What becomes of the files: those changed last come first; what the kept messages hold needs no
/// place.
pub(super) fn restore(
    known: Vec<Known>,
    in_tail: &FxHashSet<String>,
    disk: &dyn Files,
    by_load_time: impl Fn(&Known) -> Option<i64>,
    mut tokens: impl FnMut(&str) -> u64,
) -> Vec<Restored> {
    let mut dated: Vec<(Option<i64>, Known)> = known
        .into_iter()
        .map(|known| {
            let there = disk.modified(&known.path);
            let time = there.map(|modified| by_load_time(&known).unwrap_or(modified));
            (time, known)
        })
        .collect();
    // Newest first; of one time, the one that was read later.
    dated.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.record.cmp(&a.1.record)));
    let mut places = FILES;
    let mut restored = Vec::new();
    for (time, known) in dated {
        let mut file = Restored {
            path: known.path,
            outcome: Outcome::NoPlace,
            tokens: None,
            is_instruction: known.is_instruction,
            text: None,
        };
        let text = match time {
            None => None,
            Some(_) if in_tail.contains(&file.path) => {
                file.outcome = Outcome::InTail;
                restored.push(file);
                continue;
            }
            Some(_) if places == 0 => {
                restored.push(file);
                continue;
            }
            Some(_) => disk.text(&file.path),
        };
        let Some(text) = text else {
            file.outcome = Outcome::Gone;
            restored.push(file);
            continue;
        };
        places -= 1;
        let count = tokens(&text);
        file.tokens = Some(count);
        if count > FILE_TOKENS {
            file.outcome = Outcome::Named;
        } else {
            file.outcome = Outcome::Attached;
            file.text = Some(text);
        }
        restored.push(file);
    }
    restored
}
