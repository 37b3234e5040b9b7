//! The head of a record: what decides its place and size, read without keeping its texts.

use std::borrow::Cow;

use serde::de::{IgnoredAny, MapAccess, SeqAccess};
use serde_json::value::RawValue;

use super::entry::{ContentKind, Usage};
use super::loose::{Any, FromAny, each_key, value};

type Text<'a> = Option<Cow<'a, str>>;

/// What stands at the top of one record, as far as it is of the expected kind. A key that stands
/// twice counts the second time, as the client's reader has it.
#[derive(Debug, Default)]
pub(super) struct Head<'a> {
    /// Whether the line held an object at all.
    pub is_object: bool,
    pub kind: Text<'a>,
    pub subtype: Text<'a>,
    pub uuid: Link<'a>,
    pub parent: Link<'a>,
    pub logical_parent: Text<'a>,
    pub session: Text<'a>,
    pub agent: Text<'a>,
    pub timestamp: Text<'a>,
    pub cwd: Text<'a>,
    pub version: Text<'a>,
    pub leaf: Link<'a>,
    pub explicit: bool,
    pub sidechain: bool,
    pub meta: bool,
    pub summary: bool,
    pub api_error: bool,
    pub display_only: bool,
    pub has_metadata: bool,
    pub has_snapshot: bool,
    pub message: MessageHead<'a>,
    pub attachment: Text<'a>,
    /// The texts that an attachment contributed, or of a `system` record.
    pub text: Sizes,
}

/// The name of another record: nothing where it is missing, `null` or empty. A number is a name
/// that no record has.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Link<'a>(pub Text<'a>);

impl<'de> FromAny<'de> for Link<'de> {
    fn text(text: &str) -> Self {
        Self((!text.is_empty()).then(|| Cow::Owned(text.to_owned())))
    }

    fn borrowed(text: &'de str) -> Self {
        Self((!text.is_empty()).then_some(Cow::Borrowed(text)))
    }

    fn number(value: u64) -> Self {
        Self(Some(Cow::Owned(value.to_string())))
    }
}

/// What stands in `message`.
#[derive(Debug, Default)]
pub(super) struct MessageHead<'a> {
    pub is_object: bool,
    pub id: Text<'a>,
    pub model: Text<'a>,
    /// The `stop_reason` is `refusal`.
    pub refused: bool,
    pub usage: Option<UsageHead>,
    pub content: Pieces<'a>,
}

/// The numbers under `usage`, in tokens.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct UsageHead {
    pub input: u64,
    pub cache_creation: u64,
    pub cache_read: u64,
    pub output: u64,
    /// The last of `iterations`.
    pub last_round: Option<Usage>,
}

impl UsageHead {
    pub(super) fn usage(self) -> Usage {
        Usage {
            input: self.input,
            cache_creation: self.cache_creation,
            cache_read: self.cache_read,
            output: self.output,
        }
    }
}

/// One block of a message's content, without its text.
#[derive(Debug, Default)]
pub(super) struct PieceHead<'a> {
    pub kind: Text<'a>,
    /// The `id` of a call, or the `tool_use_id` of a result.
    pub tool: Text<'a>,
    pub name: Text<'a>,
    pub sizes: Sizes,
    pub is_error: bool,
    pub is_note: bool,
}

/// How much a value holds: UTF-16 units of text, which the client counts in (fact C4.5), and
/// images.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sizes {
    pub chars: u32,
    pub images: u32,
}

impl Sizes {
    fn add(&mut self, other: Self) {
        self.chars = self.chars.saturating_add(other.chars);
        self.images = self.images.saturating_add(other.images);
    }
}

impl<'a> Head<'a> {
    /// Reads the first JSON value of a line, and tells where it ended.
    pub(super) fn read(text: &'a str) -> (Result<Self, serde_json::Error>, usize) {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<Any<Self>>();
        match values.next() {
            Some(Ok(Any(head))) => (Ok(head), values.byte_offset()),
            Some(Err(error)) => (Err(error), values.byte_offset()),
            None => (Ok(Self::default()), text.len()),
        }
    }
}

impl<'de> FromAny<'de> for Head<'de> {
    fn object<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut head = Self {
            is_object: true,
            ..Self::default()
        };
        each_key(&mut map, |key, map| {
            match key {
                "type" => head.kind = value(map)?,
                "subtype" => head.subtype = value(map)?,
                "uuid" => head.uuid = value(map)?,
                "parentUuid" => head.parent = value(map)?,
                "logicalParentUuid" => head.logical_parent = value(map)?,
                "sessionId" => head.session = value(map)?,
                "agentId" => head.agent = value(map)?,
                "timestamp" => head.timestamp = value(map)?,
                "cwd" => head.cwd = value(map)?,
                "version" => head.version = value(map)?,
                "leafUuid" => head.leaf = value(map)?,
                "explicit" => head.explicit = value(map)?,
                "isSidechain" => head.sidechain = value::<Truthy, _>(map)?.0,
                "isMeta" => head.meta = value(map)?,
                "isCompactSummary" => head.summary = value(map)?,
                "isApiErrorMessage" => head.api_error = value(map)?,
                "isDisplayOnly" => head.display_only = value(map)?,
                "compactMetadata" => head.has_metadata = value::<IsObject, _>(map)?.0,
                "snapshot" => head.has_snapshot = value::<IsObject, _>(map)?.0,
                "message" => head.message = value(map)?,
                "attachment" => head.attachment = value::<Typed<'de>, _>(map)?.0,
                "rendered" | "content" => head.text = value(map)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(head)
    }
}

/// Whether the client's language takes a value for true.
#[derive(Default)]
struct Truthy(bool);

impl<'de> FromAny<'de> for Truthy {
    fn text(text: &str) -> Self {
        Self(!text.is_empty())
    }

    fn number(value: u64) -> Self {
        Self(value != 0)
    }

    fn switch(value: bool) -> Self {
        Self(value)
    }
}

/// An attachment, of which only the type is read here.
#[derive(Default)]
struct Typed<'a>(Text<'a>);

impl<'de> FromAny<'de> for Typed<'de> {
    fn object<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut typed = Self::default();
        each_key(&mut map, |key, map| {
            let is_type = key == "type";
            if is_type {
                typed.0 = value(map)?;
            }
            Ok(is_type)
        })?;
        Ok(typed)
    }
}

#[derive(Default)]
struct IsObject(bool);

impl<'de> FromAny<'de> for IsObject {
    fn object<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self(true))
    }
}

impl<'de> FromAny<'de> for MessageHead<'de> {
    fn object<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut message = Self {
            is_object: true,
            ..Self::default()
        };
        each_key(&mut map, |key, map| {
            match key {
                "id" => message.id = value(map)?,
                "model" => message.model = value(map)?,
                "stop_reason" => {
                    message.refused = value::<Text<'de>, _>(map)?.as_deref() == Some("refusal");
                }
                "usage" => message.usage = value(map)?,
                "content" => message.content = value(map)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(message)
    }
}

impl<'de> FromAny<'de> for Option<UsageHead> {
    fn object<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut usage = UsageHead::default();
        each_key(&mut map, |key, map| {
            match key {
                "input_tokens" => usage.input = value(map)?,
                "cache_creation_input_tokens" => usage.cache_creation = value(map)?,
                "cache_read_input_tokens" => usage.cache_read = value(map)?,
                "output_tokens" => usage.output = value(map)?,
                "iterations" => usage.last_round = value::<LastRound, _>(map)?.0,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(Some(usage))
    }
}

/// The usage of the last of several rounds.
#[derive(Default)]
struct LastRound(Option<Usage>);

impl<'de> FromAny<'de> for LastRound {
    fn list<A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        let mut last = None;
        while let Some(Any::<Option<UsageHead>>(round)) = list.next_element()? {
            last = round.map(UsageHead::usage);
        }
        Ok(Self(last))
    }
}

/// The content of a message.
#[derive(Debug, Default)]
pub(super) struct Pieces<'a> {
    pub kind: ContentKind,
    pub pieces: Vec<PieceHead<'a>>,
}

impl<'de> FromAny<'de> for Pieces<'de> {
    fn text(text: &str) -> Self {
        Self {
            kind: ContentKind::Text,
            pieces: vec![PieceHead {
                kind: Some(Cow::Borrowed("text")),
                sizes: Sizes::text(text),
                is_note: is_note(text),
                ..PieceHead::default()
            }],
        }
    }

    fn list<A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        let mut pieces = Vec::new();
        // What is no object keeps its place, so that blocks can be counted.
        while let Some(Any(piece)) = list.next_element()? {
            pieces.push(piece);
        }
        Ok(Self {
            kind: ContentKind::Blocks,
            pieces,
        })
    }
}

impl<'de> FromAny<'de> for PieceHead<'de> {
    fn object<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut piece = Self::default();
        each_key(&mut map, |key, map| {
            match key {
                "type" => piece.kind = value(map)?,
                "id" | "tool_use_id" => piece.tool = value(map)?,
                "name" => piece.name = value(map)?,
                "is_error" => piece.is_error = value(map)?,
                "input" => piece.sizes = Sizes::text(map.next_value::<&RawValue>()?.get()),
                "text" => {
                    let Words { sizes, is_note } = value(map)?;
                    piece.sizes.add(sizes);
                    piece.is_note = is_note;
                }
                "thinking" | "content" => piece.sizes.add(value(map)?),
                "source" => {
                    map.next_value::<IgnoredAny>()?;
                    piece.sizes.images += 1;
                }
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(piece)
    }
}

/// How texts of user records begin that the client wrote and that ask for nothing (facts I36, I38,
/// I39). Skills that a user calls begin otherwise, with `<command-message>` (fact C1.37).
const NOTES: [&str; 4] = [
    "<command-name>",
    "<local-command-",
    "<bash-stdout>",
    "[Request interrupted",
];

fn is_note(text: &str) -> bool {
    NOTES.iter().any(|start| text.starts_with(start))
}

/// The text of a block.
#[derive(Default)]
struct Words {
    sizes: Sizes,
    is_note: bool,
}

impl FromAny<'_> for Words {
    fn text(text: &str) -> Self {
        Self {
            sizes: Sizes::text(text),
            is_note: is_note(text),
        }
    }
}

impl<'de> FromAny<'de> for Sizes {
    fn text(text: &str) -> Self {
        let chars = outcrop_loader::javascript::len(text);
        Self {
            chars: u32::try_from(chars).unwrap_or(u32::MAX),
            images: 0,
        }
    }

    fn list<A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        let mut sizes = Self::default();
        while let Some(Any(part)) = list.next_element::<Any<Self>>()? {
            sizes.add(part);
        }
        Ok(sizes)
    }

    fn object<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut sizes = Self::default();
        each_key(&mut map, |key, map| {
            match key {
                "text" | "content" => sizes.add(value(map)?),
                "source" => {
                    map.next_value::<IgnoredAny>()?;
                    sizes.images += 1;
                }
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(sizes)
    }
}
