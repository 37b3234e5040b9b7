//! One record read whole.

use std::borrow::Cow;

use serde::Serialize;
use serde::de::{MapAccess, SeqAccess};
use serde_json::value::RawValue;

use super::loose::{Any, FromAny, each_key, value};
use super::without_lone_surrogates;

/// What of a record can reach the model, or tells what happened to it.
#[derive(Debug, Default)]
pub struct Record {
    /// `message.content`.
    pub content: Content,
    /// The attachment, as JSON.
    pub attachment: Option<Box<RawValue>>,
    /// The texts that an attachment contributed, where the client wrote them down (fact C1.3).
    pub rendered: Option<Vec<Content>>,
    /// Whether these go into a user or a system message.
    pub rendered_role: Option<String>,
    /// `renderedBesideToolResult`.
    pub beside_tool_result: bool,
    /// The text of a system record.
    pub system_text: Option<String>,
    /// `compactMetadata`, of a boundary.
    pub compaction: Option<Compaction>,
    /// `toolUseResult`, as JSON: what a tool gave the client. It is not sent (fact C7.9).
    pub tool_result: Option<Box<RawValue>>,
    /// `permissionMode`, of a prompt.
    pub permission_mode: Option<String>,
    /// The `kind` under `origin`, of a prompt.
    pub origin: Option<String>,
}

/// The content of a message.
#[derive(Debug, Default, Clone)]
pub enum Content {
    /// Neither a text nor a list.
    #[default]
    Missing,
    /// One text.
    Text(String),
    /// Blocks.
    Blocks(Vec<Block>),
}

impl Content {
    /// Its texts, in order: neither thoughts nor what stands in calls and results.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let (one, blocks) = match self {
            Self::Missing => (None, &[][..]),
            Self::Text(text) => (Some(text.as_str()), &[][..]),
            Self::Blocks(blocks) => (None, blocks.as_slice()),
        };
        let texts = blocks.iter().filter_map(|block| match block {
            Block::Text(text) => Some(text.as_str()),
            _ => None,
        });
        one.into_iter().chain(texts)
    }
}

/// One block of a message.
#[derive(Debug, Clone)]
pub enum Block {
    /// Text.
    Text(String),
    /// What the model thought, with the service's signature.
    Thinking {
        /// Its text.
        text: String,
        /// The signature, without which the service refuses it.
        signature: Option<String>,
    },
    /// A call of a tool.
    ToolUse {
        /// Its id.
        id: String,
        /// The tool.
        name: String,
        /// The input, as JSON.
        input: Box<RawValue>,
    },
    /// What a tool answered.
    ToolResult {
        /// The call that it answers.
        id: String,
        /// The answer.
        content: Content,
        /// Whether the call failed.
        is_error: bool,
    },
    /// A picture.
    Image(Image),
    /// Anything else, as JSON.
    Other {
        /// Its `type`.
        kind: String,
        /// The whole block.
        raw: Box<RawValue>,
    },
}

/// A picture in a message.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Image {
    /// `image/png` …
    pub media_type: String,
    /// The picture, in base64.
    #[serde(skip)]
    pub data: String,
}

/// What a boundary says of the compaction that made it (fact C6.5).
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Compaction {
    /// `auto` or `manual`.
    pub trigger: Option<String>,
    /// Tokens before it.
    pub pre_tokens: Option<u64>,
    /// Tokens after it.
    pub post_tokens: Option<u64>,
    /// First, anchor and last record of the messages that were kept.
    pub segment: Option<Segment>,
    /// The kept messages by name.
    pub messages: Option<Kept>,
}

/// The kept messages, by their ends.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Segment {
    /// The first of them.
    pub head: String,
    /// The record after which they stand.
    pub anchor: String,
    /// The last of them.
    pub tail: String,
}

/// The kept messages, by name.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The record after which they stand.
    pub anchor: String,
    /// All of them, in order; none where the list is missing.
    pub uuids: Option<Vec<String>>,
}

impl Record {
    /// Reads one record from its JSON.
    ///
    /// # Errors
    ///
    /// When it is no JSON.
    pub fn read(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str::<Any<Self>>(text).map(|Any(record)| record)
    }
}

/// A value kept as it is written.
fn raw<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Box<RawValue>, A::Error> {
    map.next_value::<&RawValue>().map(ToOwned::to_owned)
}

impl<'de> FromAny<'de> for Record {
    fn object<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut record = Self::default();
        each_key(&mut map, |key, map| {
            match key {
                "message" => record.content = value::<Message, _>(map)?.0,
                "attachment" => record.attachment = Some(raw(map)?),
                "rendered" => record.rendered = value::<Rendered, _>(map)?.0,
                "renderedRole" => record.rendered_role = value(map)?,
                "renderedBesideToolResult" => record.beside_tool_result = value(map)?,
                "content" => record.system_text = value(map)?,
                "compactMetadata" => record.compaction = value(map)?,
                "toolUseResult" => record.tool_result = Some(raw(map)?),
                "origin" => record.origin = value::<Origin, _>(map)?.0,
                "permissionMode" => record.permission_mode = value(map)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(record)
    }
}

impl FromAny<'_> for Option<String> {
    fn text(text: &str) -> Self {
        Some(text.to_owned())
    }
}

impl FromAny<'_> for Option<u64> {
    fn number(value: u64) -> Self {
        Some(value)
    }
}

impl FromAny<'_> for String {
    fn text(text: &str) -> Self {
        text.to_owned()
    }
}

#[derive(Default)]
struct Message(Content);

impl<'de> FromAny<'de> for Message {
    fn object<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut message = Self::default();
        each_key(&mut map, |key, map| {
            let is_content = key == "content";
            if is_content {
                message.0 = value(map)?;
            }
            Ok(is_content)
        })?;
        Ok(message)
    }
}

/// Where a prompt came from.
#[derive(Default)]
struct Origin(Option<String>);

impl<'de> FromAny<'de> for Origin {
    fn object<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut origin = Self::default();
        each_key(&mut map, |key, map| {
            let is_kind = key == "kind";
            if is_kind {
                origin.0 = value(map)?;
            }
            Ok(is_kind)
        })?;
        Ok(origin)
    }
}

/// A list of `{"content": …}`.
#[derive(Default)]
struct Rendered(Option<Vec<Content>>);

impl<'de> FromAny<'de> for Rendered {
    fn list<A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        let mut pieces = Vec::new();
        while let Some(Any(Message(content))) = list.next_element()? {
            pieces.push(content);
        }
        Ok(Self(Some(pieces)))
    }
}

impl<'de> FromAny<'de> for Content {
    fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    fn list<A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        let mut blocks = Vec::new();
        while let Some(raw) = list.next_element::<&RawValue>()? {
            blocks.push(Block::read(raw));
        }
        Ok(Self::Blocks(blocks))
    }
}

/// The parts of a block of any kind.
#[derive(Default)]
struct Parts<'a> {
    kind: Option<Cow<'a, str>>,
    id: Option<String>,
    tool_use_id: Option<String>,
    name: Option<String>,
    text: Option<String>,
    thinking: Option<String>,
    signature: Option<String>,
    content: Content,
    input: Option<Box<RawValue>>,
    image: Option<Image>,
    is_error: bool,
}

impl<'de> FromAny<'de> for Parts<'de> {
    fn object<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut parts = Self::default();
        each_key(&mut map, |key, map| {
            match key {
                "type" => parts.kind = value(map)?,
                "id" => parts.id = value(map)?,
                "tool_use_id" => parts.tool_use_id = value(map)?,
                "name" => parts.name = value(map)?,
                "text" => parts.text = value(map)?,
                "thinking" => parts.thinking = value(map)?,
                "signature" => parts.signature = value(map)?,
                "content" => parts.content = value(map)?,
                "input" => parts.input = Some(raw(map)?),
                "source" => parts.image = value(map)?,
                "is_error" => parts.is_error = value(map)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(parts)
    }
}

impl<'de> FromAny<'de> for Option<Image> {
    fn object<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut image = Image::default();
        each_key(&mut map, |key, map| {
            match key {
                "media_type" => image.media_type = value(map)?,
                "data" => image.data = value(map)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(Some(image))
    }
}

impl Block {
    /// Reads one block from its JSON, with U+FFFD for halves of surrogate pairs; what it cannot be
    /// read as stays as it is.
    #[must_use]
    pub fn read(raw: &RawValue) -> Self {
        let mended;
        let mut parts = match serde_json::from_str::<Any<Parts<'_>>>(raw.get()) {
            Ok(Any(parts)) => parts,
            Err(_) => {
                mended = without_lone_surrogates(raw.get()).map(|(_, mended)| mended);
                serde_json::from_str::<Any<Parts<'_>>>(mended.as_deref().unwrap_or_default())
                    .map(|Any(parts)| parts)
                    .unwrap_or_default()
            }
        };
        let kind = parts.kind.take().unwrap_or_default();
        match (&*kind, parts) {
            (
                "text",
                Parts {
                    text: Some(text), ..
                },
            ) => Self::Text(text),
            (
                "thinking",
                Parts {
                    thinking: Some(text),
                    signature,
                    ..
                },
            ) => Self::Thinking { text, signature },
            (
                "tool_use",
                Parts {
                    id: Some(id),
                    name: Some(name),
                    input: Some(input),
                    ..
                },
            ) => Self::ToolUse { id, name, input },
            (
                "tool_result",
                Parts {
                    tool_use_id: Some(id),
                    content,
                    is_error,
                    ..
                },
            ) => Self::ToolResult {
                id,
                content,
                is_error,
            },
            (
                "image",
                Parts {
                    image: Some(image), ..
                },
            ) if !image.data.is_empty() => Self::Image(image),
            _ => Self::Other {
                kind: kind.into_owned(),
                raw: raw.to_owned(),
            },
        }
    }
}

impl<'de> FromAny<'de> for Option<Compaction> {
    fn object<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut compaction = Compaction::default();
        each_key(&mut map, |key, map| {
            match key {
                "trigger" => compaction.trigger = value(map)?,
                "preTokens" => compaction.pre_tokens = value(map)?,
                "postTokens" => compaction.post_tokens = value(map)?,
                "preservedSegment" => compaction.segment = value(map)?,
                "preservedMessages" => compaction.messages = value(map)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(Some(compaction))
    }
}

impl<'de> FromAny<'de> for Option<Segment> {
    fn object<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut segment = Segment::default();
        each_key(&mut map, |key, map| {
            match key {
                "headUuid" => segment.head = value(map)?,
                "anchorUuid" => segment.anchor = value(map)?,
                "tailUuid" => segment.tail = value(map)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(Some(segment))
    }
}

impl<'de> FromAny<'de> for Option<Kept> {
    fn object<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut kept = Kept::default();
        each_key(&mut map, |key, map| {
            match key {
                "anchorUuid" => kept.anchor = value(map)?,
                "uuids" => kept.uuids = value(map)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(Some(kept))
    }
}

impl<'de> FromAny<'de> for Option<Vec<String>> {
    fn list<A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        let mut texts = Vec::new();
        while let Some(Any(text)) = list.next_element::<Any<Option<String>>>()? {
            texts.extend(text);
        }
        Ok(Some(texts))
    }
}
