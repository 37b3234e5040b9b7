//! Which tool calls and prompts count as a read of a file (facts 5.10–5.12, 5.21).

mod bash;
mod mentions;
mod readers;

use serde_json::Value;

use crate::host::Kind;
use crate::limits;
use crate::path::AbsPath;
use crate::session::{Read, ToolCall, World};
use bash::Part;

pub(crate) use mentions::mentioned;

/// What a tool call does.
pub(crate) enum Effect {
    /// It counts as a read of files.
    Reads(Vec<AbsPath>, Read),
    /// It only makes files known, so that they are not delivered later.
    Marks(Vec<AbsPath>),
    /// It loads nothing, and why.
    Nothing(String),
}

/// What a tool call does in this client.
pub(crate) fn effect_of(call: &ToolCall, world: &World<'_>) -> Effect {
    let text = |key: &str| call.input.get(key).and_then(Value::as_str);
    let path = text("file_path").map(|path| {
        // Old clients take a blank at the end for part of the name.
        let trims = world.behaviour.reads_of_missing;
        world.resolve(if trims { path.trim() } else { path })
    });
    let nothing = |why: &str| Effect::Nothing(why.to_owned());
    match (call.tool.as_str(), path) {
        ("Read", Some(path)) => match read_fails(&path, world) {
            Some(why) => nothing(why),
            None => Effect::Reads(vec![path], Read::Tool),
        },
        ("Write" | "Edit", Some(_)) if !world.behaviour.writes_load => {
            nothing("before 2.1.288 writing and editing load nothing")
        }
        ("Write", Some(path)) => Effect::Reads(vec![path], Read::Write),
        ("Edit", Some(path)) => match edit_fails(call, &path, world) {
            Some(why) => nothing(why),
            None => Effect::Reads(vec![path], Read::Write),
        },
        ("Read" | "Write" | "Edit", None) => nothing("the call needs a file_path"),
        ("Bash", _) => bash(text("command").unwrap_or_default(), call, world),
        ("Grep" | "Glob", _) => nothing("searching loads nothing"),
        _ => nothing("this tool is not known to load anything"),
    }
}

/// The file that a call reads or writes, if it is one that may announce skills: those of `Bash`,
/// and of searches, never do (fact 53).
pub(crate) fn touched(call: &ToolCall, world: &World<'_>) -> Vec<AbsPath> {
    let path = call.input.get("file_path").and_then(Value::as_str);
    let path = path.map(|path| world.resolve(path.trim()));
    match (call.tool.as_str(), path) {
        ("Read" | "Write", Some(path)) => vec![path],
        ("Edit", Some(path)) if edit_fails(call, &path, world).is_none() => vec![path],
        _ => Vec::new(),
    }
}

/// Extensions that `Read` refuses beforehand, as far as they were tried.
const REFUSED: [&str; 2] = ["exe", "zip"];
/// The largest text that `Read` shows whole, in bytes.
const READ_BYTES: u64 = 256 * 1024;

/// Why a read loads nothing though the file is there (case trigger-read-kinds).
fn read_fails(path: &AbsPath, world: &World<'_>) -> Option<&'static str> {
    let extension = path
        .file_name()
        .rsplit_once('.')
        .map_or("", |(_, extension)| extension);
    let extension = extension.to_ascii_lowercase();
    if REFUSED.contains(&extension.as_str()) {
        return Some("Read refuses a file of this kind, and nothing loads");
    }
    if world.behaviour.reads_of_missing {
        return None;
    }
    // Before 2.1.199 a read that fails loads nothing.
    let meta = world.host.metadata(path).ok()?;
    let bytes = world.host.read(path, limits::FILE_BYTES).ok();
    let starts = |magic: &[u8]| bytes.as_ref().is_none_or(|bytes| bytes.starts_with(magic));
    let fails = match extension.as_str() {
        "pdf" => true,
        "png" => !starts(b"\x89PNG"),
        "gif" => !starts(b"GIF8"),
        "jpg" | "jpeg" => !starts(b"\xFF\xD8"),
        "webp" => !starts(b"RIFF"),
        _ => meta.len > READ_BYTES,
    };
    fails.then_some("a read of this file fails, and before 2.1.199 a failed read loads nothing")
}

/// Why an edit fails; a failed one loads nothing.
fn edit_fails(call: &ToolCall, path: &AbsPath, world: &World<'_>) -> Option<&'static str> {
    let old = call.input.get("old_string").and_then(Value::as_str)?;
    let all = call.input.get("replace_all").and_then(Value::as_bool);
    let Ok(bytes) = world.host.read(path, limits::FILE_BYTES) else {
        return (!old.is_empty()).then_some("an edit of a missing file fails and loads nothing");
    };
    if call.input.get("new_string").and_then(Value::as_str) == Some(old) {
        return Some("an edit that changes nothing fails and loads nothing");
    }
    let found = String::from_utf8_lossy(&bytes).matches(old).count();
    match found {
        0 => Some("an edit fails, and loads nothing, when its old_string is not in the file"),
        1 => None,
        _ if all == Some(true) => None,
        _ => Some("an edit fails, and loads nothing, when its old_string is there several times"),
    }
}

fn bash(command: &str, call: &ToolCall, world: &World<'_>) -> Effect {
    let nothing = |why: &str| Effect::Nothing(why.to_owned());
    let background = call.input.get("run_in_background").and_then(Value::as_bool);
    if background == Some(true) {
        return nothing("a command in the background loads nothing");
    }
    let reads = match bash::files_read_by(command, world.cwd.as_str()) {
        Ok(reads) => reads,
        Err(why) => return nothing(why),
    };
    let shown = reads
        .iter()
        .filter(|read| shows(&read.file, &read.part, world));
    let paths: Vec<AbsPath> = shown.map(|read| world.resolve(&read.file)).collect();
    if paths.is_empty() {
        return nothing("the command shows nothing of the file");
    }
    if world.behaviour.bash_loads {
        Effect::Reads(paths, Read::Bash)
    } else {
        Effect::Marks(paths)
    }
}

/// Whether the part of a file that a command asks for holds any text.
fn shows(file: &str, part: &Part, world: &World<'_>) -> bool {
    let path = world.resolve(file);
    if !world
        .host
        .metadata(&path)
        .is_ok_and(|meta| meta.kind == Kind::File)
    {
        return false;
    }
    let Ok(bytes) = world.host.read(&path, limits::FILE_BYTES) else {
        // Too large to look at: most parts of a large file hold text.
        return true;
    };
    let text = String::from_utf8_lossy(&bytes);
    let blank = |text: &str| text.trim().is_empty();
    let lines: Vec<&str> = text.lines().collect();
    let any = |lines: &[&str]| lines.iter().any(|line| !blank(line));
    match part {
        // Of an empty file, all or its start is nothing, and still counts.
        Part::Whole => true,
        Part::First(_) | Part::Lines(1, 1) if blank(&text) => true,
        Part::First(n) => any(&lines[..(*n).min(lines.len())]),
        Part::Last(n) => any(&lines[lines.len() - (*n).min(lines.len())..]),
        Part::Lines(from, to) => {
            let to = (*to).min(lines.len());
            any(lines.get(from.saturating_sub(1)..to).unwrap_or_default())
        }
        Part::Matching(Some(pattern)) => text.contains(pattern.as_str()),
        Part::Matching(None) => true,
    }
}
