//! Blocks and messages as JSON, in the service's shape.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value;

use super::context::Context;
use super::held::Held;
use crate::conversation::{Block, Role};
use crate::transcript::record::{self, Content};

/// A block in the service's shape, whole.
pub(super) struct Whole<'a>(pub(super) &'a record::Block);

impl Serialize for Whole<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let record::Block::Other { raw, .. } = self.0 {
            return raw.serialize(serializer);
        }
        let mut map = serializer.serialize_map(None)?;
        fields(&mut map, self.0, true)?;
        map.end()
    }
}

/// A block without the data of pictures.
struct Shown<'a>(&'a record::Block);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        fields(&mut map, self.0, false)?;
        map.end()
    }
}

struct Contents<'a> {
    blocks: &'a [record::Block],
    whole: bool,
}

impl Serialize for Contents<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.blocks.len()))?;
        for block in self.blocks {
            if self.whole {
                list.serialize_element(&Whole(block))?;
            } else {
                list.serialize_element(&Shown(block))?;
            }
        }
        list.end()
    }
}

fn fields<M: SerializeMap>(
    map: &mut M,
    block: &record::Block,
    whole: bool,
) -> Result<(), M::Error> {
    match block {
        record::Block::Text(text) => {
            map.serialize_entry("type", "text")?;
            map.serialize_entry("text", text)
        }
        record::Block::Thinking { text, signature } => {
            map.serialize_entry("type", "thinking")?;
            map.serialize_entry("thinking", text)?;
            match signature {
                Some(signature) => map.serialize_entry("signature", signature),
                None => Ok(()),
            }
        }
        record::Block::ToolUse { id, name, input } => {
            map.serialize_entry("type", "tool_use")?;
            map.serialize_entry("id", id)?;
            map.serialize_entry("name", name)?;
            map.serialize_entry("input", input)
        }
        record::Block::ToolResult {
            id,
            content,
            is_error,
        } => {
            map.serialize_entry("type", "tool_result")?;
            map.serialize_entry("tool_use_id", id)?;
            match content {
                Content::Missing => {}
                Content::Text(text) => map.serialize_entry("content", text)?,
                Content::Blocks(blocks) => {
                    map.serialize_entry("content", &Contents { blocks, whole })?;
                }
            }
            if *is_error {
                map.serialize_entry("is_error", is_error)?;
            }
            Ok(())
        }
        record::Block::Image(image) => {
            map.serialize_entry("type", "image")?;
            map.serialize_entry("source", &Source { image, whole })
        }
        record::Block::Other { kind, raw } => other(map, kind, raw.get()),
    }
}

struct Source<'a> {
    image: &'a record::Image,
    whole: bool,
}

impl Serialize for Source<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("type", "base64")?;
        map.serialize_entry("media_type", &self.image.media_type)?;
        if self.whole {
            map.serialize_entry("data", &self.image.data)?;
        } else {
            map.serialize_entry("data_chars", &self.image.data.len())?;
        }
        map.end()
    }
}

/// A block of another kind, without the data of its source.
fn other<M: SerializeMap>(map: &mut M, kind: &str, raw: &str) -> Result<(), M::Error> {
    let Ok(Value::Object(mut object)) = serde_json::from_str(raw) else {
        return map.serialize_entry("type", kind);
    };
    if let Some(Value::Object(source)) = object.get_mut("source")
        && let Some(data) = source.remove("data")
    {
        let chars = data.as_str().map_or(0, str::len);
        source.insert("data_chars".to_owned(), chars.into());
    }
    for (key, value) in &object {
        map.serialize_entry(key, value)?;
    }
    Ok(())
}

/// The messages as they are sent (design.md 3, `simulate`).
impl Serialize for Context<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let joined = self.joined();
        let mut list = serializer.serialize_seq(Some(joined.len()))?;
        for (role, blocks) in &joined {
            list.serialize_element(&Sent {
                context: self,
                role: role.name(),
                blocks,
            })?;
        }
        list.end()
    }
}

struct Sent<'a> {
    context: &'a Context<'a>,
    role: &'static str,
    blocks: &'a [&'a Held],
}

impl Serialize for Sent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("role", self.role)?;
        map.serialize_entry("uuid", &self.context.uuid(self.blocks))?;
        let blocks = self.blocks.iter().map(|held| SentBlock {
            context: self.context,
            held,
        });
        let blocks: Vec<SentBlock<'_>> = blocks.collect();
        if self.role == Role::System.name() && !blocks.is_empty() {
            // What is told beside the talk is one text.
            map.serialize_entry("blocks", &[Told { parts: &blocks }])?;
        } else {
            map.serialize_entry("blocks", &blocks)?;
        }
        map.end()
    }
}

/// The one text of a system message, with the parts that it is joined of.
struct Told<'a> {
    parts: &'a [SentBlock<'a>],
}

impl Serialize for Told<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = String::new();
        let mut before = None;
        for part in self.parts {
            let own = match &part.held.block {
                Block::Read(record::Block::Text(own)) | Block::Framed { text: own, .. } => own,
                _ => continue,
            };
            let record = part.held.from.map(|from| from.record);
            if !text.is_empty() {
                // Pieces of one attachment are joined more closely
                // (docs/facts-sessions.md 188).
                text.push_str(if record.is_some() && record == before {
                    "\n"
                } else {
                    "\n\n"
                });
            }
            text.push_str(own);
            before = record;
        }
        let tokens: u64 = self.parts.iter().map(|part| part.held.tokens).sum();
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("type", "text")?;
        map.serialize_entry("text", &text)?;
        map.serialize_entry("tokens", &tokens)?;
        map.serialize_entry("parts", &self.parts)?;
        map.end()
    }
}

struct SentBlock<'a> {
    context: &'a Context<'a>,
    held: &'a Held,
}

impl Serialize for SentBlock<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let held = self.held;
        let mut map = serializer.serialize_map(None)?;
        match &held.block {
            Block::Read(block) => fields(&mut map, block, false)?,
            Block::Framed { text, frame } => {
                map.serialize_entry("type", "text")?;
                map.serialize_entry("text", text)?;
                map.serialize_entry("client_chars", frame)?;
            }
            Block::Client(text) => {
                map.serialize_entry("type", "text")?;
                map.serialize_entry("text", "")?;
                map.serialize_entry("client_text", text.name())?;
            }
            Block::ClientResult(id, text) => {
                map.serialize_entry("type", "tool_result")?;
                map.serialize_entry("tool_use_id", id)?;
                map.serialize_entry("content", "")?;
                map.serialize_entry("is_error", &true)?;
                map.serialize_entry("client_text", text.name())?;
            }
        }
        map.serialize_entry("tokens", &held.tokens)?;
        if let Some(entry) = self.context.entry(held) {
            map.serialize_entry("line", &entry.place.line)?;
        }
        if let Some(stage) = held.made {
            map.serialize_entry("made_by", &stage)?;
        }
        if let Some(fold) = &held.fold {
            map.serialize_entry("fold", fold)?;
        }
        map.end()
    }
}
