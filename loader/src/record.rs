//! What was decided, as data: deliveries, their layers, and what was left out.
//!
//! Everything that is shown is a view of these records (invariant 4). A layer or a skip is
//! made where the decision falls and never revised.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

use crate::document::{Document, Places, SourceMap, line_at};
use crate::javascript;
use crate::path::AbsPath;

/// Who owns an instruction, by the names that recorded cases use as `kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// The organisation.
    Managed,
    /// The user, for every project.
    User,
    /// The project, checked in; `AGENTS.md` too.
    Project,
    /// The user, for this project only.
    Local,
    /// The client's own notes: `MEMORY.md`.
    AutoMemory,
}

impl Scope {
    /// The name, as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
            Self::AutoMemory => "auto-memory",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where a reference stands: the file, its line and column, and the text as written.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Mention {
    /// The file that holds the reference.
    pub by: AbsPath,
    /// 1-based line in that file.
    pub line: u32,
    /// 1-based column in that line, in characters.
    pub column: u32,
    /// The reference as written, with its `@`.
    pub reference: String,
}

impl Mention {
    /// The mention of `range` in a document that is shown as `by`.
    #[must_use]
    pub fn new(by: &AbsPath, document: &Document, range: &std::ops::Range<usize>) -> Self {
        Self::at(&mut Places::new(&document.source), by, range)
    }

    /// The same with what is known of places before it.
    pub(crate) fn at(
        places: &mut Places<'_>,
        by: &AbsPath,
        range: &std::ops::Range<usize>,
    ) -> Self {
        let (line, column) = places.place(range.start);
        Self {
            by: by.clone(),
            line,
            column,
            reference: places.text[range.clone()].to_owned(),
        }
    }
}

/// Why a layer is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Cause {
    /// Found by the walk at the start of the session.
    Startup {
        /// The directory whose file it is.
        directory: Option<AbsPath>,
    },
    /// Named by another layer.
    Import(Mention),
    /// A rule whose pattern matches a file that was read.
    PathRule {
        /// The first pattern that matches by itself, else all of them.
        pattern: String,
        /// The file that was read.
        read: AbsPath,
    },
    /// A file of a directory between the working directory and a file that was read.
    Nested {
        /// The file that was read.
        read: AbsPath,
    },
}

/// How a prediction is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// Seen in the client of this version, or in versions on both sides of it.
    Observed,
    /// Said by a public document, not seen.
    Documented,
    /// Taken by analogy.
    Assumed,
}

/// The cut of a memory index (fact 6.5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Notice {
    /// Lines of the whole index.
    pub lines: usize,
    /// UTF-16 units of the whole index.
    pub characters: usize,
    /// Lines that were kept.
    pub kept_lines: usize,
}

/// One instruction text as delivered.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The path as the client names it.
    pub path: AbsPath,
    /// The path in the client's heading where it is no file: `<managed-settings>`.
    pub title: Option<&'static str>,
    /// The relative path that an old client's heading names (fact 41).
    pub heading: Option<String>,
    /// The scope that the client's heading names.
    pub scope: Scope,
    /// The scope that really owns the file, where an old client names another.
    pub owner: Scope,
    /// Why it is there.
    pub cause: Cause,
    /// What is delivered.
    pub text: String,
    /// The file as read, for places in it.
    pub source: Arc<str>,
    /// From `text` back to `source`.
    pub map: SourceMap,
    /// The cut, where the text was cut.
    pub notice: Option<Notice>,
    /// How this is known.
    pub evidence: Evidence,
    /// The file's real path, by which duplicates are told.
    pub(crate) identity: AbsPath,
}

impl Layer {
    /// The path or title under which it is delivered: what stands in the client's heading.
    #[must_use]
    pub fn name(&self) -> &str {
        let heading = self.title.or(self.heading.as_deref());
        heading.unwrap_or(self.path.as_str())
    }

    /// The number of delivered lines.
    #[must_use]
    pub fn lines(&self) -> usize {
        let ends = memchr::memchr_iter(b'\n', self.text.as_bytes()).count();
        ends + usize::from(!self.text.is_empty() && !self.text.ends_with('\n'))
    }

    /// The number of delivered UTF-16 units, the client's measure.
    #[must_use]
    pub fn characters(&self) -> usize {
        javascript::len(&self.text)
    }

    /// For each delivered line, its 1-based line in the file.
    #[must_use]
    pub fn source_lines(&self) -> Vec<u32> {
        self.map.lines(&self.text, &self.source)
    }
}

/// Why a candidate was not delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// It does not exist.
    Missing,
    /// It lies outside the working directory, and external imports are not approved.
    ExternalNotApproved,
    /// `claudeMdExcludes` names it.
    Excluded,
    /// It is being expanded already.
    Cycle,
    /// It is more than four imports away from its root.
    TooDeep,
    /// It is a directory.
    Directory,
    /// It cannot be read.
    Unreadable,
    /// Its kind of file is not imported.
    Binary,
    /// It is larger than Outcrop reads.
    TooLarge,
    /// It is delivered already.
    Duplicate,
    /// A switch turns it off.
    Disabled,
    /// Another file or another choice of sources takes its place, or nothing is left of it.
    NotSelected,
}

impl Reason {
    /// The name, as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::ExternalNotApproved => "external-not-approved",
            Self::Excluded => "excluded",
            Self::Cycle => "cycle",
            Self::TooDeep => "too-deep",
            Self::Directory => "directory",
            Self::Unreadable => "unreadable",
            Self::Binary => "binary",
            Self::TooLarge => "too-large",
            Self::Duplicate => "duplicate",
            Self::Disabled => "disabled",
            Self::NotSelected => "not-selected",
        }
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The file that a reference may have meant which names none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Near {
    /// Without the punctuation at its end it names a file.
    Punctuation {
        /// The reference without it, with its `@`.
        bare: String,
        /// The punctuation.
        rest: String,
    },
    /// With words behind it, it names a file with spaces.
    Space {
        /// Those words, with the space before them.
        rest: String,
    },
    /// From another folder it names a file.
    Folder {
        /// How it is written from the folder of the file that names it, with its `@`.
        reference: String,
    },
    /// A file has this name in other letters.
    Case {
        /// The reference in those letters, with its `@`.
        reference: String,
    },
}

/// A candidate that was considered and not delivered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skip {
    /// The path as the client would name it.
    pub path: AbsPath,
    /// The scope that it would have had.
    pub scope: Scope,
    /// Why.
    pub reason: Reason,
    /// The finer case of `reason`, such as `external-never-asked`; stable.
    pub case: &'static str,
    /// Where it was named, if it was.
    pub mention: Option<Mention>,
    /// What happened and what helps, in a sentence or two.
    pub detail: String,
    /// What the reference may have meant, where it names nothing.
    pub near: Option<Near>,
    /// How this is known.
    pub evidence: Evidence,
}

/// What brought a delivery about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Trigger {
    /// The start of the session.
    Startup,
    /// A file was read.
    Read {
        /// The file.
        path: AbsPath,
    },
    /// The model called a tool.
    Tool {
        /// The tool's name.
        tool: String,
        /// The files that the call counts as a read of.
        paths: Vec<AbsPath>,
        /// Why it loads nothing, where it does not.
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// The user gave a prompt.
    Prompt {
        /// The files that it mentions.
        paths: Vec<AbsPath>,
    },
}

/// What enters at one moment.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// What brought it about.
    pub trigger: Trigger,
    /// The texts in the order in which they are sent.
    pub layers: Vec<Layer>,
    /// Texts that a hook of the client's own adds behind them in another form: nested `AGENTS.md`
    /// files with their imports (case agents-nested-hook).
    pub by_hook: Vec<Layer>,
    /// The candidates that were left out.
    pub skipped: Vec<Skip>,
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Part of the answer is missing or rests on less than observation.
    Warning,
    /// Good to know.
    Note,
}

/// Something that went wrong while loading, which never stops it (invariant 2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The file concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<AbsPath>,
    /// 1-based line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// 1-based column, in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// What happened and what helps.
    pub message: String,
}

impl Diagnostic {
    /// A warning without a place.
    #[must_use]
    pub fn warning(message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            path: None,
            line: None,
            column: None,
            message: message.into(),
        }
    }

    /// The same as a note.
    #[must_use]
    pub fn as_note(mut self) -> Self {
        self.severity = Severity::Note;
        self
    }

    /// The same about a file.
    #[must_use]
    pub fn about(mut self, path: &AbsPath) -> Self {
        self.path = Some(path.clone());
        self
    }

    /// The same at the byte `offset` of the file's text.
    #[must_use]
    pub fn at(mut self, text: &str, offset: usize) -> Self {
        let offset = (0..=offset.min(text.len()))
            .rev()
            .find(|offset| text.is_char_boundary(*offset))
            .unwrap_or(0);
        let line_start = text[..offset].rfind('\n').map_or(0, |end| end + 1);
        let column = text[line_start..offset].chars().count() + 1;
        self.line = Some(line_at(text, offset));
        self.column = u32::try_from(column).ok();
        self
    }
}
