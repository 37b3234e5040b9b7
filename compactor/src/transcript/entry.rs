//! One record as the index knows it.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

/// A text that occurs often, such as a uuid or a type, as its number in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(u32);

/// The texts behind [`Id`]s.
#[derive(Debug, Default, Clone)]
pub(super) struct Ids {
    numbers: FxHashMap<Arc<str>, Id>,
    texts: Vec<Arc<str>>,
}

impl Ids {
    pub(super) fn of(&mut self, text: &str) -> Id {
        if let Some(id) = self.numbers.get(text) {
            return *id;
        }
        let id = Id(u32::try_from(self.texts.len()).unwrap_or(u32::MAX));
        let text: Arc<str> = text.into();
        self.texts.push(Arc::clone(&text));
        self.numbers.insert(text, id);
        id
    }

    pub(super) fn find(&self, text: &str) -> Option<Id> {
        self.numbers.get(text).copied()
    }

    pub(super) fn text(&self, id: Id) -> &str {
        self.texts.get(id.0 as usize).map_or("", |text| text)
    }
}

/// Where a record stands in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: u32,
    /// The first byte of its JSON.
    pub offset: u64,
    /// The bytes of its JSON, without line end.
    pub length: u32,
}

/// What a record is (fact C1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `user`: a prompt, a tool's result, a text that the client put in.
    User,
    /// `assistant`: one block of an answer.
    Assistant,
    /// `attachment`: what the client adds to a prompt.
    Attachment,
    /// `system`: boundaries, local commands, notes.
    System,
    /// Whatever else, most of it without uuid.
    Other,
}

/// What stands under `message.content`.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum ContentKind {
    /// Neither text nor list.
    #[default]
    Missing,
    /// One text.
    Text,
    /// Blocks.
    Blocks,
}

/// The tokens of one request and its answer, as the service counted them.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// Input that no cache held.
    pub input: u64,
    /// Input that was written to the cache.
    pub cache_creation: u64,
    /// Input that the cache held.
    pub cache_read: u64,
    /// The answer.
    pub output: u64,
}

impl Usage {
    /// What the next request begins with: all four count alike (fact C4.4).
    #[must_use]
    pub fn total(&self) -> u64 {
        self.input
            .saturating_add(self.cache_creation)
            .saturating_add(self.cache_read)
            .saturating_add(self.output)
    }
}

/// One block of a message's content, without its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// `text`, `tool_use` …; none where the block has no type.
    pub kind: Option<Id>,
    /// The id of a call, or of the call that a result answers.
    pub tool: Option<Id>,
    /// The tool's name, of a call.
    pub name: Option<Id>,
    /// Its texts, in UTF-16 units; of a call, its input as JSON.
    pub chars: u32,
    /// Images in it.
    pub images: u32,
    /// A result that reports a failure.
    pub is_error: bool,
    /// A text of the client's that asks for nothing: a command of its own with its output, or that
    /// the user interrupted (facts I36, I38, I39).
    pub is_note: bool,
}

/// The switches of a record.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are the record's own keys, each on or off by itself"
)]
pub struct Flags {
    /// `isSidechain`: of a sub-agent.
    pub sidechain: bool,
    /// `isMeta`: put in by the client.
    pub meta: bool,
    /// `isCompactSummary`.
    pub summary: bool,
    /// `isApiErrorMessage`.
    pub api_error: bool,
    /// The message's `stop_reason` is `refusal`: the service declined to answer.
    pub refused: bool,
    /// `isDisplayOnly`.
    pub display_only: bool,
    /// `explicit`, of a `last-prompt` (fact I61).
    pub explicit: bool,
    /// A boundary with `compactMetadata`.
    pub metadata: bool,
    /// A `file-history-snapshot` with its `snapshot`.
    pub snapshot: bool,
    /// The client reads it: it is the first on its line, and nothing broken stands before it.
    pub readable: bool,
}

/// One record as the index knows it.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Where it stands.
    pub place: Place,
    /// What it is.
    pub kind: Kind,
    /// Its `type`, as written.
    pub type_name: Option<Id>,
    /// The `subtype` of a system record, or the type of an attachment.
    pub detail: Option<Id>,
    /// Its own uuid. User, assistant, attachment and system records without one share the empty
    /// one: the client keeps the last of them (docs/facts-sessions.md 138).
    pub uuid: Option<Id>,
    /// `parentUuid`; none for a root.
    pub parent: Option<Id>,
    /// `logicalParentUuid`, of a boundary.
    pub logical_parent: Option<Id>,
    /// `sessionId`.
    pub session: Option<Id>,
    /// `agentId`.
    pub agent: Option<Id>,
    /// `leafUuid`, of a `last-prompt`.
    pub leaf: Option<Id>,
    /// The message's own id, of an answer.
    pub message: Option<Id>,
    /// The model that answered.
    pub model: Option<Id>,
    /// The working directory at the time.
    pub cwd: Option<Id>,
    /// The client's version.
    pub version: Option<Id>,
    /// When, in milliseconds since 1970; none where it is missing or no time.
    pub time: Option<i64>,
    /// What the request and its answer cost.
    pub usage: Option<Usage>,
    /// Its switches.
    pub flags: Flags,
    /// Whether `message` is an object.
    pub has_message: bool,
    /// What `message.content` is.
    pub content: ContentKind,
    /// UTF-16 units of the texts of an attachment or a system record.
    pub chars: u32,
    /// The blocks of its message, in the index.
    pub(super) pieces: Range<u32>,
}
