//! Blocks of a record as the parts that an estimate counts.

use outcrop_loader::client::Counting;
use outcrop_loader::javascript;
use serde::Deserialize;

use super::estimate::Part;
use super::json_units;
use crate::transcript::record::{Block, Content};

/// The parts of a message's content, of a tool's result, or of one piece of an attachment.
#[must_use]
pub fn parts(content: &Content) -> Vec<Part> {
    let mut parts = Vec::new();
    add(content, &mut parts);
    parts
}

/// The parts of one block.
#[must_use]
pub fn block_parts(block: &Block) -> Vec<Part> {
    let mut parts = Vec::new();
    add_block(block, &mut parts);
    parts
}

/// The parts of an attachment by what the transcript says that it contributed: `rendered`, one
/// text a piece. `None` where the client makes it anew by its type; then what counts is that
/// text, with [the tags around it](super::REMINDER_UNITS). An attachment of an unknown type that
/// contributed nothing counts nothing.
#[must_use]
pub fn attachment(rendered: Option<&[Content]>, counting: &Counting) -> Option<Vec<Part>> {
    let pieces = rendered.filter(|pieces| counting.measures_rendered && !pieces.is_empty())?;
    let pieces = pieces.iter().map(|piece| match piece {
        Content::Text(text) => Some(Part::Text(units(text))),
        Content::Missing | Content::Blocks(_) => None,
    });
    pieces.collect()
}

fn add(content: &Content, parts: &mut Vec<Part>) {
    match content {
        Content::Missing => {}
        Content::Text(text) => parts.push(Part::Text(units(text))),
        Content::Blocks(blocks) => {
            for block in blocks {
                add_block(block, parts);
            }
        }
    }
}

fn add_block(block: &Block, parts: &mut Vec<Part>) {
    parts.push(match block {
        Block::Text(text) => Part::Text(units(text)),
        Block::Thinking { text, .. } => Part::Thinking(units(text)),
        Block::ToolUse { name, input, .. } => Part::ToolUse {
            name: units(name),
            input: json_units(input.get()),
        },
        Block::ToolResult { content, .. } => return add(content, parts),
        Block::Image(_) => Part::Image,
        Block::Other { kind, raw } => match kind.as_str() {
            "image" => Part::Image,
            "document" => document(raw.get()),
            "redacted_thinking" => redacted(raw.get()),
            _ => Part::Other(json_units(raw.get())),
        },
    });
}

fn units(text: &str) -> u64 {
    javascript::len(text) as u64
}

/// The source of a document, where it is text.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Source {
    Text {
        data: String,
    },
    Content {
        content: Texts,
    },
    #[serde(other)]
    Data,
}

/// A text, or blocks with texts.
#[derive(Deserialize)]
#[serde(untagged)]
enum Texts {
    One(String),
    Blocks(Vec<TextBlock>),
}

#[derive(Deserialize)]
struct TextBlock {
    #[serde(default)]
    text: String,
}

fn document(json: &str) -> Part {
    #[derive(Deserialize)]
    struct Document {
        source: Source,
    }
    let document = serde_json::from_str::<Document>(json);
    match document.map(|document| document.source) {
        Ok(Source::Text { data }) => Part::DocumentText(units(&data)),
        Ok(Source::Content { content }) => Part::DocumentText(match content {
            Texts::One(text) => units(&text),
            Texts::Blocks(blocks) => blocks.iter().map(|block| units(&block.text)).sum(),
        }),
        Ok(Source::Data) | Err(_) => Part::Document,
    }
}

fn redacted(json: &str) -> Part {
    #[derive(Deserialize)]
    struct Redacted {
        data: String,
    }
    let data = serde_json::from_str::<Redacted>(json).map(|redacted| units(&redacted.data));
    data.map_or_else(|_| Part::Other(json_units(json)), Part::Redacted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::record::Record;
    use outcrop_loader::client::Client;

    fn of(content: &str) -> Vec<Part> {
        let line = format!(r#"{{"message": {{"role": "user", "content": {content}}}}}"#);
        parts(&Record::read(&line).unwrap().content)
    }

    #[test]
    fn every_kind_of_block_is_measured() {
        for (content, wanted) in [
            (r#""日é😀""#, vec![Part::Text(4)]),
            (r#"[{"type":"text","text":"ab"}]"#, vec![Part::Text(2)]),
            (
                r#"[{"type":"thinking","thinking":"abc","signature":"long"}]"#,
                vec![Part::Thinking(3)],
            ),
            (
                r#"[{"type":"redacted_thinking","data":"abcd"}]"#,
                vec![Part::Redacted(4)],
            ),
            (
                r#"[{"type":"tool_use","id":"t","name":"Read","input":{ "a": "\n" }}]"#,
                vec![Part::ToolUse { name: 4, input: 10 }],
            ),
            (
                r#"[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"a"},
                    {"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA"}}]}]"#,
                vec![Part::Text(1), Part::Image],
            ),
            (r#"[{"type":"tool_result","tool_use_id":"t"}]"#, vec![]),
            (
                r#"[{"type":"image","source":{"type":"url","url":"https://example.invalid"}}]"#,
                vec![Part::Image],
            ),
            (
                r#"[{"type":"document","title":"t","source":{"type":"text","media_type":"text/plain","data":"abc"}}]"#,
                vec![Part::DocumentText(3)],
            ),
            (
                r#"[{"type":"document","source":{"type":"content","content":[{"type":"text","text":"ab"}]}}]"#,
                vec![Part::DocumentText(2)],
            ),
            (
                r#"[{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AA"}}]"#,
                vec![Part::Document],
            ),
            (r#"[{"type":"document"}]"#, vec![Part::Document]),
            (r#"[{"type": "zzz", "k": 1.0}]"#, vec![Part::Other(20)]),
            ("null", vec![]),
        ] {
            assert_eq!(of(content), wanted, "{content}");
        }
    }

    #[test]
    fn attachments_are_measured_by_what_they_contributed() {
        let counting = |version: &str| {
            let client = Client::of(version.parse().unwrap()).unwrap();
            client.behaviour.counting
        };
        let of = |rendered: &str, version| {
            let line = format!(r#"{{"type": "attachment", "rendered": {rendered}}}"#);
            let record = Record::read(&line).unwrap();
            attachment(record.rendered.as_deref(), &counting(version))
        };
        let two = r#"[{"content": "abc"}, {"content": "é"}]"#;
        let wanted = vec![Part::Text(3), Part::Text(1)];
        assert_eq!(of(two, "2.1.332"), Some(wanted));
        assert_eq!(of(two, "2.1.273"), None);
        assert_eq!(of("[]", "2.1.332"), None);
        assert_eq!(of("null", "2.1.332"), None);
        let blocks = r#"[{"content": [{"type": "text", "text": "abc"}]}]"#;
        assert_eq!(of(blocks, "2.1.332"), None);
    }
}
