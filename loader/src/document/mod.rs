//! One instruction file as text: what of it is delivered, and what it imports.
//!
//! A file is decoded, its front matter and block comments are taken out (facts 4.1–4.6) and
//! the `@path` references of its prose are collected (facts 3.1–3.9). Every delivered byte
//! keeps its place in the source through a [`SourceMap`].

mod front_matter;
mod markdown;
mod places;
mod reference;
mod source_map;
mod yaml;

use std::ops::Range;
use std::sync::Arc;

use crate::client::Behaviour;

pub use front_matter::{FrontMatter, RulePaths};
pub(crate) use front_matter::{Reading, keys_and_body, mapping, paths_of, reading};
pub(crate) use markdown::outline::{Stretch, StretchKind, outline};
pub(crate) use places::Places;
pub use reference::{Cover, Reference, has_known_extension};
pub use source_map::SourceMap;

/// An instruction file, read.
#[derive(Clone, Debug)]
pub struct Document {
    /// The whole file as text; bytes that are no UTF-8 became U+FFFD (fact 1.10).
    pub source: Arc<str>,
    /// What is delivered of it, not trimmed.
    pub text: String,
    /// Where each piece of `text` stands in `source`.
    pub map: SourceMap,
    /// The front matter, where there is some.
    pub front_matter: Option<FrontMatter>,
    /// Imports in text order.
    pub imports: Vec<Reference>,
    /// References that would be imports but for the code span, code block or HTML that holds them.
    pub hidden: Vec<Reference>,
    /// References that would be imports but for the character before them, or quotes around their
    /// path.
    pub stuck: Vec<Reference>,
    /// Byte ranges of `source` that were removed as comments.
    pub comments: Vec<Range<usize>>,
}

impl Document {
    /// Reads a file's bytes as the client with this behaviour does.
    #[must_use]
    pub fn read(bytes: &[u8], behaviour: &Behaviour) -> Self {
        Self::from_text(String::from_utf8_lossy(bytes).into(), behaviour)
    }

    /// Reads text as the client with this behaviour does.
    #[must_use]
    pub fn from_text(source: Arc<str>, behaviour: &Behaviour) -> Self {
        let front_matter = FrontMatter::find(&source, behaviour.front_matter_behind_bom);
        let body = front_matter.as_ref().map_or(0, |front| front.block.end);
        let parsed = markdown::read(&source, body, behaviour);
        Self {
            text: parsed.text,
            map: parsed.map,
            front_matter,
            imports: parsed.imports,
            hidden: parsed.hidden,
            stuck: parsed.stuck,
            comments: parsed.comments,
            source,
        }
    }

    /// The reference whose path holds a NUL, which makes the client drop the whole file (case
    /// import-nul).
    #[must_use]
    pub fn nul_reference(&self) -> Option<&Reference> {
        let mut imports = self.imports.iter();
        imports.find(|reference| reference.path.contains('\0'))
    }

    /// A text that is delivered as it is: no front matter, comments or imports (fact 7.13).
    #[must_use]
    pub fn verbatim(source: Arc<str>) -> Self {
        Self {
            text: source.to_string(),
            map: SourceMap::identity(0),
            front_matter: None,
            imports: Vec::new(),
            hidden: Vec::new(),
            stuck: Vec::new(),
            comments: Vec::new(),
            source,
        }
    }

    /// When the file, taken as a rule, is delivered (facts 5.1–5.4).
    #[must_use]
    pub fn rule_paths(&self, behaviour: &Behaviour) -> RulePaths {
        match &self.front_matter {
            Some(front) => front_matter::read_paths(&self.source[front.yaml.clone()], behaviour),
            None => RulePaths::Always,
        }
    }

    /// The 1-based line of a byte offset of the source.
    #[must_use]
    pub fn line_of(&self, offset: usize) -> u32 {
        line_at(&self.source, offset)
    }
}

/// The 1-based line of the byte `offset` of `text`; lines end at `\n`.
#[must_use]
pub fn line_at(text: &str, offset: usize) -> u32 {
    let before = &text.as_bytes()[..offset.min(text.len())];
    u32::try_from(memchr::memchr_iter(b'\n', before).count() + 1).unwrap_or(u32::MAX)
}
