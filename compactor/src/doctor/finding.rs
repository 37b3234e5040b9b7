//! What can be wrong with a transcript: one table of all kinds.

use serde::Serialize;

use super::cure::Cure;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// It changes nothing that is sent, or stands outside of what a resume sends.
    Notice,
    /// The client mends it, or another version of it does not.
    Warning,
    /// The client does not resume the session, the service refuses the request, or text is lost.
    Error,
}

impl Level {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

macro_rules! kinds {
    ($($kind:ident $name:literal $what:literal $client:literal;)*) => {
        /// The kinds of findings.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum About {
            $(#[doc = concat!("`", $name, "`: ", $what, ".")] $kind,)*
        }

        impl About {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            /// Its id in output.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)* }
            }

            /// What it is.
            #[must_use]
            pub fn what(self) -> &'static str {
                match self { $(Self::$kind => $what,)* }
            }

            /// What the client does with it, or the service.
            #[must_use]
            pub fn client(self) -> &'static str {
                match self { $(Self::$kind => $client,)* }
            }
        }
    };
}

// The kinds are in the order in which they are shown. What a client does was seen
// (docs/facts-sessions.md) unless the text says "reported".
kinds! {
    NoConversation "no-conversation" "nothing to resume"
        "the client finds no conversation";
    SnapshotWithoutBody "snapshot-without-body" "a file-history-snapshot without `snapshot`"
        "the client ends with an error";
    MessageMissing "message-missing" "a record without the message it should hold"
        "2.1.332 passes over it, 2.1.197 ends with an error";
    TimeMissing "time-missing" "the last record has no time"
        "2.1.197 finds no conversation";

    TornLine "torn-line" "the last line stops in the middle of a record"
        "the client passes over it; while the session runs it can be a write in progress";
    Garbage "garbage" "a line that is no record, or no longer one from here on"
        "the client passes over the rest of the line";
    TwoRecordsOnOneLine "two-records-on-one-line" "records without a line break between them"
        "the client reads the first of the line only";
    NulBlock "nul-block" "NUL bytes, as a crash leaves them"
        "the client passes over them and over what stands behind them on their line";
    NotARecord "not-a-record" "JSON, but no object"
        "the client passes over it; `null` ends 2.1.197 with an error";
    RecordOverLines "record-over-lines" "one record on several lines"
        "the client reads it as one";
    LoneSurrogate "lone-surrogate" "half of a surrogate pair, as a cut inside an emoji leaves it"
        "the client sends U+FFFD; older ones were reported to be refused by the service";
    InvalidUtf8 "invalid-utf8" "bytes that are no UTF-8"
        "the client reads them as U+FFFD";
    Bom "bom" "a byte-order mark at the start"
        "the client passes over it";
    CarriageReturns "carriage-returns" "lines end in CR LF"
        "the client passes over them";
    BlankLine "blank-line" "a line with nothing on it"
        "the client passes over it";

    MissingParent "missing-parent" "the parent is not in the file"
        "the client goes on at the record before it in time, if that is at most 5 s older; else all before is lost";
    SelfParent "self-parent" "a record that is its own parent"
        "the client goes on at the record before it in time, if that is at most 5 s older; else all before is lost";
    Cycle "cycle" "parents that lead back to a record already passed"
        "the client goes on at the record before it in time, if that is at most 5 s older; else all before is lost";
    RootInTheMiddle "root-in-the-middle" "an answer or a result without a parent"
        "the client takes it for the start: all before is lost";
    SecondRoot "second-root" "the talk begins anew with a prompt without a parent"
        "the client sends nothing before it";
    DuplicateUuid "duplicate-uuid" "records of one uuid with different contents"
        "the last one counts, the others are lost";
    RepeatedRecord "repeated-record" "a record that stands again further on"
        "the last one counts";
    MissingUuid "missing-uuid" "records without a uuid"
        "the client keeps the last of them";
    KeptMessagesMissing "kept-messages-missing" "the last boundary keeps messages that are not there or do not hang together"
        "the client keeps none of them, without a word";
    BoundaryWithoutAnchors "boundary-without-anchors" "a boundary whose list of kept messages is empty"
        "the boundary cuts all the same, and nothing before it is kept";
    BoundaryWithoutMetadata "boundary-without-metadata" "a boundary without `compactMetadata`"
        "the boundary cuts all the same; other programs were reported to fail on it";
    LogicalParentMissing "logical-parent-missing" "the record before the last boundary is not in the file"
        "nothing: the summary stands for it";
    SidechainInMain "sidechain-in-main" "records of sub-agents between those of the session"
        "the client passes over them";
    SidechainInChain "sidechain-in-chain" "the chain leads through records of a sub-agent"
        "their texts are sent";
    OtherSession "other-session" "records of another session"
        "the client takes them for its own";

    OrphanToolResult "orphan-tool-result" "a result whose call is not there"
        "the client drops it";
    OrphanToolCall "orphan-tool-call" "a call without result, and the talk went on"
        "the client drops it";
    EndsInToolCall "ends-in-tool-call" "the session ends inside a call"
        "2.1.332 adds a result that says so, 2.1.197 drops the call";
    MisplacedToolResult "misplaced-tool-result" "a result that does not follow its call"
        "the client drops it, and adds one that says it is missing";
    DuplicateToolResult "duplicate-tool-result" "a second result of one call"
        "the client drops it";
    DuplicateToolCall "duplicate-tool-call" "a second call of one id"
        "the client drops it and its result";
    ClearedToolResult "cleared-tool-result" "a result whose text the client took out"
        "the client sends its own note in its place";

    ImageTooLarge "image-too-large" "an image above 5 MB of base64"
        "the service refuses each request that holds it (reported)";
    ImageInvalid "image-invalid" "an image whose base64 does not decode"
        "the service refuses each request that holds it (reported)";
    ImageTypeMismatch "image-type-mismatch" "an image that is not of its stated type"
        "the service refuses each request that holds it (reported)";
    ThinkingWithoutSignature "thinking-without-signature" "a thought without the service's signature"
        "sent to the model that had it; the service refuses it (reported)";
    InputNotAnObject "input-not-an-object" "a call whose input is no object"
        "sent as it is; the service refuses it (reported)";
    ResultContentType "result-content-type" "a result whose content is neither text nor a list"
        "sent as it is; the service refuses it (reported)";
    BlockWithoutType "block-without-type" "a block that is no object with a type"
        "2.1.332 passes over it; 2.1.197 sends it or ends with an error";
    AnswerIsText "answer-is-text" "an answer whose content is one text, not a list"
        "2.1.332 sends it, 2.1.197 ends with an error";
    EmptyText "empty-text" "a text with nothing in it"
        "the client drops most of them; the service refuses those that are sent (reported)";
    LongFirstPrompt "long-first-prompt" "the first prompt has more than 15,000 characters"
        "the list of sessions to resume may not show it (reported); its id still works";
    AbsurdUsage "absurd-usage" "usage beyond any window"
        "the client compacts before it goes on";
}

impl Serialize for About {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

/// One thing that is wrong, with its evidence.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// What it is.
    pub about: About,
    /// How much it matters.
    pub level: Level,
    /// The line, from 1.
    pub line: u32,
    /// The first byte concerned, from the start of the file.
    pub offset: u64,
    /// The uuid of the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// Which block of its message, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<usize>,
    /// The id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The uuid of a parent that is not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// How many bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// How many records, where one finding stands for several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
    /// What is to be known beside the kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// What a repair does with it.
    #[serde(skip)]
    pub(super) cure: Cure,
}

impl Finding {
    pub(super) fn new(about: About, level: Level, line: u32, offset: u64) -> Self {
        Self {
            about,
            level,
            line,
            offset,
            record: None,
            block: None,
            id: None,
            parent: None,
            bytes: None,
            count: None,
            detail: None,
            cure: Cure::None,
        }
    }

    pub(super) fn with(mut self, cure: Cure) -> Self {
        self.cure = cure;
        self
    }

    pub(super) fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// Whether a repair does away with it without being asked to relink.
    #[must_use]
    pub fn is_mended(&self) -> bool {
        !matches!(self.cure, Cure::None | Cure::Relink { .. })
    }

    /// Whether a repair does away with it when it may relink.
    #[must_use]
    pub fn is_mended_by_relinking(&self) -> bool {
        matches!(self.cure, Cure::Relink { to: Some(_), .. })
    }
}
