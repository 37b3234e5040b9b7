//! The file ledger: every file that a session read, searched or changed.

use rustc_hash::FxHashMap;
use serde::Serialize;

use outcrop_loader::path::AbsPath;
use outcrop_loader::permissions::paths_named_by;

use super::Compared;
use super::finding::{Finding, Findings, State};
use super::talk::Call;

/// What was done with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Read.
    Read,
    /// Searched or listed.
    Searched,
    /// Written whole.
    Written,
    /// Changed in part.
    Edited,
    /// Removed.
    Removed,
}

impl Action {
    /// Whether it changes the file.
    #[must_use]
    pub const fn changes(self) -> bool {
        matches!(self, Self::Written | Self::Edited | Self::Removed)
    }
}

/// A file and what was done with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileUse {
    /// Its path, absolute where the working directory is known.
    pub path: String,
    /// How often it was read or searched.
    pub reads: u32,
    /// How often it was changed.
    pub changes: u32,
    /// How many of these calls failed.
    pub failures: u32,
    /// What was done last.
    pub last: Action,
    /// Whether that failed.
    pub last_failed: bool,
}

struct Entry<'a> {
    file: FileUse,
    /// The forms in which calls wrote the path.
    written: Vec<String>,
    /// The calls.
    calls: Vec<&'a str>,
    spot: usize,
}

pub(super) fn of(compared: &Compared<'_>) -> Findings<FileUse> {
    let left: FxHashMap<&str, usize> = compared
        .left
        .calls
        .iter()
        .map(|call| (call.id, call.spot))
        .collect();
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let mut by_path: FxHashMap<String, usize> = FxHashMap::default();
    for call in &compared.before.calls {
        let failed = call.result.as_ref().is_some_and(|answer| answer.failed());
        for touched in touched(compared, call) {
            let number = *by_path.entry(touched.path.clone()).or_insert_with(|| {
                entries.push(Entry {
                    file: FileUse {
                        path: touched.path,
                        reads: 0,
                        changes: 0,
                        failures: 0,
                        last: touched.action,
                        last_failed: failed,
                    },
                    written: Vec::new(),
                    calls: Vec::new(),
                    spot: call.spot,
                });
                entries.len() - 1
            });
            let entry = &mut entries[number];
            let file = &mut entry.file;
            match touched.action.changes() {
                true => file.changes += 1,
                false => file.reads += 1,
            }
            file.failures += u32::from(failed);
            (file.last, file.last_failed) = (touched.action, failed);
            entry.spot = call.spot;
            entry.calls.push(call.id);
            for written in touched.written {
                if !entry.written.contains(&written) {
                    entry.written.push(written);
                }
            }
        }
    }
    let findings = entries.into_iter().map(|entry| Finding {
        place: compared.place(entry.spot),
        state: state(compared, &entry, &left),
        what: entry.file,
    });
    findings.collect()
}

/// A path counts as named in any of the forms in which it was written, and where a call on it is
/// left.
fn state(compared: &Compared<'_>, entry: &Entry<'_>, left: &FxHashMap<&str, usize>) -> State {
    let after = &compared.after;
    let mut forms = std::iter::once(&entry.file.path).chain(&entry.written);
    if let Some(passage) = forms.find_map(|form| after.find(form)) {
        return after.kept(passage);
    }
    if let Some(spot) = entry.calls.iter().find_map(|call| left.get(call)) {
        let found = compared.left.place(compared.index, *spot);
        return State::Kept { found };
    }
    after
        .file_name(&entry.file.path)
        .map_or(State::Lost, State::Part)
}

struct Touched {
    path: String,
    /// Other forms that name it: as it is written, and from the working directory.
    written: Vec<String>,
    action: Action,
}

/// The key of a tool's file and what the tool does with it.
pub(super) fn tool(name: &str) -> Option<(&'static str, Action)> {
    Some(match name {
        "Read" => ("file_path", Action::Read),
        "NotebookRead" => ("notebook_path", Action::Read),
        "Grep" | "Glob" | "LS" => ("path", Action::Searched),
        "Write" => ("file_path", Action::Written),
        "Edit" | "MultiEdit" => ("file_path", Action::Edited),
        "NotebookEdit" => ("notebook_path", Action::Edited),
        _ => return None,
    })
}

fn touched(compared: &Compared<'_>, call: &Call<'_>) -> Vec<Touched> {
    let talk = compared.before;
    let entries = compared.index.entries();
    let entry = talk
        .record(call.spot)
        .and_then(|record| entries.get(record));
    let cwd = entry.and_then(|entry| entry.cwd);
    let cwd = cwd.and_then(|cwd| AbsPath::new(compared.index.text(cwd)));
    if call.tool == "Bash" {
        let command = talk.input(call, "command").unwrap_or_default();
        return of_command(command, cwd.as_ref());
    }
    let Some((key, action)) = tool(call.tool) else {
        return Vec::new();
    };
    let Some(written) = talk.input(call, key).filter(|path| !path.trim().is_empty()) else {
        return Vec::new();
    };
    let absolute = match &cwd {
        Some(cwd) => Some(cwd.join(written)),
        None => AbsPath::new(written),
    };
    let mut forms = vec![written.to_owned()];
    forms.extend(
        absolute
            .as_ref()
            .and_then(|path| from_here(path, cwd.as_ref())),
    );
    vec![Touched {
        path: absolute.map_or_else(|| written.to_owned(), |path| path.to_string()),
        written: forms,
        action,
    }]
}

/// A path from the working directory, where it is below. A mere word names no folder.
fn from_here(path: &AbsPath, cwd: Option<&AbsPath>) -> Option<String> {
    let below = cwd.and_then(|cwd| path.below(cwd));
    let names = |below: &&str| below.contains(['/', '.']);
    below.filter(names).map(str::to_owned)
}

/// The files of a command; folders that are only listed or entered are none.
fn of_command(command: &str, cwd: Option<&AbsPath>) -> Vec<Touched> {
    const NOWHERE: &str = "/";
    let Some(start) = cwd.cloned().or_else(|| AbsPath::new(NOWHERE)) else {
        return Vec::new();
    };
    let named = paths_named_by(command, &start).into_iter();
    let touched = named.filter_map(|named| {
        let is_absolute = named.written.starts_with('/');
        let action = match named.program.as_str() {
            "ls" | "find" | "stat" | "file" | "mkdir" | "rmdir" | "pushd" => return None,
            "grep" | "rg" | "egrep" | "fgrep" | "git" => Action::Searched,
            "rm" => Action::Removed,
            "sed" if named.is_written => Action::Edited,
            _ if named.is_written => Action::Written,
            _ => Action::Read,
        };
        // A search of a whole folder names no file.
        let is_folder = matches!(named.written.as_str(), "." | "..")
            || named.written.ends_with('/')
            || (action == Action::Searched && !named.path.file_name().contains('.'));
        if is_folder || named.path.is_root() {
            return None;
        }
        let names_it = start.join(&named.written) == named.path;
        let forms = names_it.then(|| named.written.clone()).into_iter();
        Some(Touched {
            written: forms.chain(from_here(&named.path, cwd)).collect(),
            path: match cwd.is_some() || is_absolute {
                true => named.path.to_string(),
                false => named.written,
            },
            action,
        })
    });
    touched.collect()
}
