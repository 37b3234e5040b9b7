//! The handoffs of a user, as texts with names and times.

use std::fs;
use std::path::{Path, PathBuf};

use outcrop_compactor::boot::{Document, Kind, time_of_name};

use super::transcripts::modified;

/// The largest handoff that is read, in bytes.
const LARGEST: u64 = 256 * 1024;
/// How many are read at most, the newest.
const MOST: usize = 64;

/// The handoffs below a configuration folder with their files, newest names first; and the single
/// file of old.
pub(crate) fn read(config: &Path) -> Vec<(Document, PathBuf)> {
    let folder = config.join("handoffs");
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
    names.sort_unstable_by(|a, b| b.cmp(a));
    let many = names.into_iter().take(MOST).filter_map(|name| {
        let path = folder.join(&name);
        one(&path, &name, &format!("handoffs/{name}"))
    });
    let single = "context-handoff.md";
    let legacy = one(&config.join(single), single, single);
    many.chain(legacy).collect()
}

fn one(path: &Path, name: &str, shown: &str) -> Option<(Document, PathBuf)> {
    let metadata = fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > LARGEST {
        return None;
    }
    let text = String::from_utf8_lossy(&fs::read(path).ok()?).into_owned();
    let document = Document {
        kind: Kind::Handoff {
            consumed: name.ends_with("_done.md"),
        },
        name: shown.to_owned(),
        time: time_of_name(name).or_else(|| modified(path))?,
        text,
    };
    Some((document, path.to_owned()))
}
