//! The format of a recorded case.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use outcrop_loader::client::Version;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A recorded case; see the table in `tests/cases/README.md`.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Case {
    /// Its name, which is the file's.
    pub name: String,
    /// What it shows.
    #[serde(default)]
    pub about: String,
    /// Path to text, from the sandbox root.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// The same in base64.
    #[serde(default)]
    pub files_b64: BTreeMap<String, String>,
    /// The same as unit and count.
    #[serde(default)]
    pub files_repeat: BTreeMap<String, Vec<(String, usize)>>,
    /// Symbolic links.
    #[serde(default)]
    pub links: BTreeMap<String, String>,
    /// Directories in which `git init` was run.
    #[serde(default)]
    pub git: Vec<String>,
    /// Shell lines run in the root afterwards.
    #[serde(default)]
    pub setup: Vec<String>,
    /// Where the client was started.
    pub cwd: String,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// Its environment.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// The contents of its state file.
    #[serde(default)]
    pub state: Value,
    /// External imports approved under the right key.
    #[serde(default)]
    pub settings_approved_external: bool,
    /// Files read in order.
    #[serde(default)]
    pub reads: Vec<String>,
    /// Tool calls in order.
    #[serde(default)]
    pub steps: Vec<Step>,
    /// The prompt.
    pub prompt: Option<String>,
    /// Raw directory order.
    #[serde(default)]
    pub dir_listing: BTreeMap<String, Vec<String>>,
    /// The order of `after_reads` means nothing.
    #[serde(default)]
    pub unordered: bool,
    /// What was delivered at the start.
    #[serde(default)]
    pub startup: Vec<Entry>,
    /// What each read brought.
    #[serde(default)]
    pub after_reads: Vec<Vec<Entry>>,
    /// The client's own events, a second witness.
    pub hook_events: Option<Vec<HookEvent>>,
    /// Other clients' answers where they differ.
    #[serde(default)]
    pub other_clients: BTreeMap<String, Answer>,
}

/// A tool call.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Step {
    /// The tool.
    pub tool: String,
    /// Its input.
    pub input: Value,
}

/// A recorded answer of another client.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Answer {
    /// What was delivered at the start, where it differs.
    pub startup: Option<Vec<Entry>>,
    /// What each read brought, where it differs.
    pub after_reads: Option<Vec<Vec<Entry>>>,
}

/// A delivered text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub struct Entry {
    /// Its path from the root.
    pub path: String,
    /// Its scope.
    pub kind: String,
    /// Its text.
    pub content: Content,
}

/// A text, or the measures of a long one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Content {
    /// The text.
    Text(String),
    /// Its length in characters and its ends.
    Measures {
        /// Characters.
        chars: usize,
        /// The first characters.
        head: String,
        /// The last characters.
        tail: String,
    },
}

/// An `InstructionsLoaded` event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub struct HookEvent {
    /// The file.
    pub file_path: String,
    /// Its scope, capitalised.
    pub memory_type: String,
    /// Why it was loaded.
    pub load_reason: String,
    /// The patterns of a rule.
    #[serde(default)]
    pub globs: Vec<String>,
    /// The file whose read brought it.
    #[serde(default)]
    pub trigger_file_path: Option<String>,
    /// The file that imports it.
    #[serde(default)]
    pub parent_file_path: Option<String>,
}

impl Case {
    /// What `client` delivered: at the start, and after each read.
    #[must_use]
    pub fn answer(&self, client: &str) -> Delivered {
        let other = self.other_clients.get(client).cloned().unwrap_or_default();
        (
            other.startup.unwrap_or_else(|| self.startup.clone()),
            other
                .after_reads
                .unwrap_or_else(|| self.after_reads.clone()),
        )
    }

    /// The tool calls: the reads, or the steps.
    #[must_use]
    pub fn calls(&self) -> Vec<Step> {
        if !self.steps.is_empty() {
            return self.steps.clone();
        }
        let read = |path: &String| Step {
            tool: "Read".to_owned(),
            input: serde_json::json!({ "file_path": format!("{{root}}/{path}") }),
        };
        self.reads.iter().map(read).collect()
    }
}

/// What entered at the start, and what the prompt or each call brought.
pub type Delivered = (Vec<Entry>, Vec<Vec<Entry>>);

impl Case {
    /// The case with the answers of clients, the first of which is the main one.
    #[must_use]
    pub fn recorded(
        &self,
        answers: Vec<(Version, Delivered)>,
        dir_listing: BTreeMap<String, Vec<String>>,
    ) -> Self {
        let mut case = self.clone();
        case.dir_listing = dir_listing;
        let mut answers = answers.into_iter();
        if let Some((_, (startup, later))) = answers.next() {
            (case.startup, case.after_reads) = (startup, later);
        }
        for (version, (startup, later)) in answers {
            let other = Answer {
                startup: (startup != case.startup).then_some(startup),
                after_reads: (later != case.after_reads).then_some(later),
            };
            if other.startup.is_some() || other.after_reads.is_some() {
                case.other_clients.insert(version.to_string(), other);
            }
        }
        case
    }
}

/// The folder of this package's cases.
#[must_use]
pub fn cases_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")
}

/// Reads every case of a folder below `tests/cases`, in name order.
///
/// # Panics
/// On a file that is no case.
#[must_use]
pub fn load(folder: &str) -> Vec<Case> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(cases_folder().join(folder))
        .expect("the folder of cases exists")
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    files.sort();
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("a case can be read");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    files.iter().map(read).collect()
}

/// `text` with `{root}` and `{rootenc}` filled in.
#[must_use]
pub fn fill(text: &str, root: &str) -> String {
    text.replace("{rootenc}", &encoded(root))
        .replace("{root}", root)
}

/// `value` with `{root}` and `{rootenc}` filled in, keys included.
#[must_use]
pub fn fill_value(value: &Value, root: &str) -> Value {
    match value {
        Value::String(text) => Value::String(fill(text, root)),
        Value::Array(items) => items.iter().map(|item| fill_value(item, root)).collect(),
        Value::Object(map) => {
            let filled = map
                .iter()
                .map(|(k, v)| (fill(k, root), fill_value(v, root)));
            Value::Object(filled.collect())
        }
        other => other.clone(),
    }
}

/// A path's folder name in the client's store.
#[must_use]
pub fn encoded(root: &str) -> String {
    root.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect()
}

/// The bytes of every file of a case.
///
/// # Panics
/// On base64 that is none.
#[must_use]
pub fn file_bytes(case: &Case, root: &str) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for (path, text) in &case.files {
        files.push((fill(path, root), fill(text, root).into_bytes()));
    }
    for (path, text) in &case.files_b64 {
        files.push((fill(path, root), base64(text)));
    }
    for (path, pieces) in &case.files_repeat {
        let text: String = pieces.iter().map(|(unit, n)| unit.repeat(*n)).collect();
        files.push((fill(path, root), text.into_bytes()));
    }
    files
}

fn base64(text: &str) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::new();
    let (mut bits, mut held) = (0_u32, 0);
    for letter in text.bytes().filter(|letter| *letter != b'=') {
        let value = LETTERS.iter().position(|known| *known == letter);
        let value = value.expect("base64 letters");
        bits = (bits << 6) | u32::try_from(value).expect("six bits");
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from((bits >> held) & 0xFF).expect("eight bits"));
        }
    }
    bytes
}
