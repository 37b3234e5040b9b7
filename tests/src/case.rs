//! The format of a recorded case.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use outcrop_loader::client::Version;
use outcrop_loader::path::AbsPath;
use outcrop_loader::session::ToolCall;
use outcrop_loader::testing::{Asked, World};
pub use outcrop_loader::testing::{encoded, fill, fill_value};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::memory;

/// A recorded case; see the table in `tests/cases/README.md`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Case {
    /// Its name, which is the file's.
    pub name: String,
    /// What it shows.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Path to text, from the sandbox root.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// The same in base64.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files_b64: BTreeMap<String, String>,
    /// The same as unit and count.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files_repeat: BTreeMap<String, Vec<(String, usize)>>,
    /// Symbolic links.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub links: BTreeMap<String, String>,
    /// Directories in which `git init` was run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub git: Vec<String>,
    /// Shell lines run in the root afterwards.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub setup: Vec<String>,
    /// Where the client was started.
    pub cwd: String,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Its environment.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// The contents of its state file.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub state: Value,
    /// External imports approved under the right key.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub settings_approved_external: bool,
    /// Files read in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<String>,
    /// Tool calls in order; of a case with sub-agents those of the main session.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "steps"
    )]
    pub steps: Vec<Step>,
    /// The prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Raw directory order.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dir_listing: BTreeMap<String, Vec<String>>,
    /// The order of `after_reads` means nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unordered: bool,
    /// What was delivered at the start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub startup: Vec<Entry>,
    /// What each read brought.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after_reads: Vec<Vec<Entry>>,
    /// The client's own events, a second witness.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hook_events: Option<Vec<HookEvent>>,
    /// What was recorded of other parts of the request, by the kind of case.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub expected: Value,
    /// Other clients' answers where they differ.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub other_clients: BTreeMap<String, Answer>,
}

/// A list of calls, or answers for each conversation; an answer that is no call is left out.
fn steps<'d, D: serde::Deserializer<'d>>(deserializer: D) -> Result<Vec<Step>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let main = value.get("main").unwrap_or(&value);
    let calls = main.as_array().into_iter().flatten();
    let calls = calls.filter(|call| call.get("tool").is_some());
    calls
        .map(|call| serde_json::from_value(call.clone()).map_err(serde::de::Error::custom))
        .collect()
}

/// A tool call.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Step {
    /// The tool.
    pub tool: String,
    /// Its input.
    pub input: Value,
}

/// A recorded answer of another client.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Answer {
    /// What was delivered at the start, where it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub startup: Option<Vec<Entry>>,
    /// What each read brought, where it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_reads: Option<Vec<Vec<Entry>>>,
    /// What was recorded of other parts of the request, where it differs.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub expected: Value,
}

/// A delivered text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Entry {
    /// Its path from the root.
    pub path: String,
    /// Its scope.
    pub kind: String,
    /// Its text.
    pub content: Content,
}

/// A text, or the measures of a long one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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
    /// A random world as a case that records nothing yet.
    #[must_use]
    pub fn of_world(name: &str, world: &World) -> Self {
        let mut case = Self {
            name: name.to_owned(),
            files: world.files.clone(),
            links: world.links.clone(),
            cwd: world.cwd.clone(),
            args: world.args.clone(),
            env: world.env.clone(),
            prompt: world.prompt.clone(),
            ..Self::default()
        };
        let step = |call: &ToolCall| Step {
            tool: call.tool.clone(),
            input: call.input.clone(),
        };
        case.steps = world.calls.iter().map(step).collect();
        // Any root will do: the file names none of its own.
        let root = AbsPath::new(memory::ROOT).expect("an absolute path");
        let text = |text: &str| text.replace(memory::ROOT, "{root}");
        match world.state(&world.host(&root), &root) {
            // The two fields of a case speak of the file in the home folder.
            Some((file, state)) if file.parent() != Some(root.join("home")) => {
                let file = file.below(&root).expect("a file of the world").to_owned();
                case.files.insert(file, text(&state.to_string()));
            }
            Some(_) if world.asked == Asked::Approved => case.settings_approved_external = true,
            Some((_, state)) => {
                let state = text(&state.to_string());
                case.state = serde_json::from_str(&state).expect("JSON");
            }
            None => {}
        }
        case
    }

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

    /// What `client` was recorded to do in other parts of the request.
    #[must_use]
    pub fn expected(&self, client: &str) -> &Value {
        let other = self.other_clients.get(client).map(|other| &other.expected);
        other
            .filter(|expected| !expected.is_null())
            .unwrap_or(&self.expected)
    }

    /// The tool calls: the reads, or the steps.
    #[must_use]
    pub fn calls(&self) -> Vec<Step> {
        if !self.steps.is_empty() {
            return self.steps.clone();
        }
        let read = |path: &String| Step {
            tool: "Read".to_owned(),
            input: json!({ "file_path": format!("{{root}}/{path}") }),
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
                expected: Value::Null,
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

/// The bytes of every file of a case.
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

/// The bytes of a text in base64; what is no letter of it is passed over.
///
/// # Panics
///
/// On base64 that is none.
#[must_use]
pub fn base64(text: &str) -> Vec<u8> {
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
