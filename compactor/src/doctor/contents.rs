//! Findings in what records hold.

use std::io;

use super::Scene;
use super::cure::Cure;
use super::finding::{About, Finding, Level};
use super::image;
use crate::transcript::record::{Block, Content};
use crate::transcript::write::Json;
use crate::transcript::{ContentKind, Entry, Kind, Source, Transcript};
use crate::turns;

/// The longest first prompt that the client's list of sessions was reported to show, in UTF-16
/// units.
const FIRST_PROMPT: u32 = 15_000;

/// More tokens than any model's window.
const ABSURD: u64 = 20_000_000;

/// What is wrong with what records hold.
pub(super) fn find<S: Source>(
    transcript: &Transcript<S>,
    scene: &Scene<'_>,
) -> io::Result<Vec<Finding>> {
    let index = scene.index;
    let mut findings = Vec::new();
    let entries = || index.entries().iter().enumerate();
    let first = entries().find(|(_, entry)| turns::is_prompt(index, entry));
    if let Some((number, entry)) = first {
        let chars: u32 = index.pieces(entry).iter().map(|piece| piece.chars).sum();
        if chars > FIRST_PROMPT {
            let finding = scene.finding(About::LongFirstPrompt, Level::Notice, number);
            findings.push(finding.detail(format!("{chars} characters")));
        }
    }
    for (number, entry) in entries() {
        if index.is(entry.type_name, "file-history-snapshot") && !entry.flags.snapshot {
            let finding = scene.finding(About::SnapshotWithoutBody, Level::Error, number);
            findings.push(finding.with(Cure::DropCopy { record: number }));
        }
        if !matches!(entry.kind, Kind::User | Kind::Assistant) {
            continue;
        }
        let usage = entry.usage.map_or(0, |usage| usage.total());
        if usage > ABSURD {
            let level = scene.level(number, Level::Warning);
            let finding = scene.finding(About::AbsurdUsage, level, number);
            findings.push(finding.detail(format!("{usage} tokens")));
        }
        match entry.content {
            ContentKind::Missing => findings.push(message_missing(scene, number, entry)),
            ContentKind::Text => findings.extend(text(transcript, scene, number, entry)?),
            ContentKind::Blocks => {
                let Content::Blocks(blocks) = transcript.record(entry)?.content else {
                    continue;
                };
                for (block, content) in blocks.into_iter().enumerate() {
                    let written = match &content {
                        Block::ToolResult {
                            content: Content::Missing,
                            ..
                        } => written(transcript, entry, block)?,
                        _ => None,
                    };
                    findings.extend(of_block(scene, number, block, content, written));
                }
            }
        }
    }
    Ok(findings)
}

fn message_missing(scene: &Scene<'_>, number: usize, entry: &Entry) -> Finding {
    let ends_client = scene.resume.needs_content
        && (scene.is_live(number) || (entry.kind == Kind::User && !entry.has_message));
    let level = match ends_client {
        true => Level::Error,
        false => scene.level(number, Level::Warning),
    };
    let finding = scene.finding(About::MessageMissing, level, number);
    match level {
        Level::Notice => finding,
        _ => finding.with(Cure::DropRecord { record: number }),
    }
}

/// A message of one text.
fn text<S: Source>(
    transcript: &Transcript<S>,
    scene: &Scene<'_>,
    number: usize,
    entry: &Entry,
) -> io::Result<Option<Finding>> {
    let is_live = scene.is_live(number);
    // Where much text stands, some of it is not blank.
    let pieces = scene.index.pieces(entry).iter();
    let chars: u32 = pieces.map(|piece| piece.chars).sum();
    if chars <= 1_000
        && let Content::Text(text) = transcript.record(entry)?.content
        && text.trim().is_empty()
    {
        let finding = in_block(scene, About::EmptyText, number, 0, Level::Notice);
        return Ok(Some(match is_live {
            true => finding.with(Cure::DropRecord { record: number }),
            false => finding,
        }));
    }
    if entry.kind != Kind::Assistant {
        return Ok(None);
    }
    let level = match scene.resume.needs_content {
        true => scene.level(number, Level::Error),
        false => Level::Notice,
    };
    let finding = scene.finding(About::AnswerIsText, level, number);
    let json = Json::new(transcript.json(entry)?);
    Ok(Some(match json.value(&["message", "content"]) {
        Some(text) if is_live => finding.with(Cure::Set {
            record: number,
            path: &["message", "content"],
            value: format!(r#"[{{"type":"text","text":{text}}}]"#),
        }),
        _ => finding,
    }))
}

/// A finding in a block: an error if a resume sends it.
fn in_block(
    scene: &Scene<'_>,
    about: About,
    number: usize,
    block: usize,
    dropped: Level,
) -> Finding {
    let level = match scene.sent.contains(&(number, block)) {
        true => Level::Error,
        false => scene.level(number, dropped),
    };
    let mut finding = scene.finding(about, level, number);
    finding.block = Some(block);
    finding
}

/// What stands as JSON for a result's content, where that is neither a text nor blocks.
fn written<S: Source>(
    transcript: &Transcript<S>,
    entry: &Entry,
    block: usize,
) -> io::Result<Option<String>> {
    let json = Json::new(transcript.json(entry)?);
    let items = json.items(&["message", "content"]);
    let result = items
        .get(block)
        .map(|result| Json::new((*result).to_owned()));
    Ok(result.and_then(|result| result.value(&["content"]).map(str::to_owned)))
}

/// What is wrong with a block; of a result without content, `written` is what stands for it.
fn of_block(
    scene: &Scene<'_>,
    record: usize,
    block: usize,
    content: Block,
    written: Option<String>,
) -> Option<Finding> {
    let is_live = scene.is_live(record);
    let found = |about, dropped, cure: Cure| {
        let finding = in_block(scene, about, record, block, dropped);
        match is_live {
            true => finding.with(cure),
            false => finding,
        }
    };
    let drop = || Cure::DropBlock { record, block };
    let set = |key, value| Cure::SetInBlock {
        record,
        block,
        key,
        value,
    };
    match content {
        Block::Text(text) if text.trim().is_empty() => {
            Some(found(About::EmptyText, Level::Notice, drop()))
        }
        Block::Thinking { signature, .. }
            if signature.as_deref().unwrap_or_default().is_empty() =>
        {
            Some(found(
                About::ThinkingWithoutSignature,
                Level::Notice,
                drop(),
            ))
        }
        Block::ToolUse { id, input, .. } if !input.get().starts_with('{') => {
            let cure = set("input", as_object(input.get()));
            let mut finding = found(About::InputNotAnObject, Level::Warning, cure);
            finding.id = Some(id);
            Some(finding)
        }
        Block::ToolResult { id, content, .. } => {
            if let Some(value) = written {
                let text = if value == "null" { "" } else { &value };
                let cure = set("content", serde_json::Value::from(text).to_string());
                let mut finding = found(About::ResultContentType, Level::Warning, cure);
                finding.id = Some(id);
                return Some(finding);
            }
            let inner = match content {
                Content::Text(text) if is_cleared(&text) => {
                    let about = About::ClearedToolResult;
                    let mut finding = scene.finding(about, Level::Notice, record);
                    finding.block = Some(block);
                    finding.id = Some(id);
                    return Some(finding);
                }
                Content::Blocks(inner) => inner,
                _ => return None,
            };
            inner.iter().enumerate().find_map(|(inside, inner)| {
                let (about, detail, text) = of_image(inner)?;
                let cure = Cure::PutText {
                    record,
                    block,
                    inside: Some(inside),
                    text,
                };
                Some(found(about, Level::Warning, cure).detail(detail))
            })
        }
        image @ Block::Image(_) => {
            let (about, detail, text) = of_image(&image)?;
            let cure = Cure::PutText {
                record,
                block,
                inside: None,
                text,
            };
            Some(found(about, Level::Warning, cure).detail(detail))
        }
        Block::Other { kind, .. } => match &*kind {
            "" => Some(found(About::BlockWithoutType, Level::Warning, drop())),
            // Its text is missing or no text.
            "text" => Some(found(About::EmptyText, Level::Notice, drop())),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a result's text is the client's note that it took it out. Its words are the client's.
fn is_cleared(text: &str) -> bool {
    text.len() == 33 && blake3::hash(text.as_bytes()).to_hex()[..16] == *CLEARED
}

const CLEARED: &str = "771d937902becf0a";

/// What is wrong with a picture, a word about it, and the text that can stand in its place.
fn of_image(block: &Block) -> Option<(About, String, String)> {
    let Block::Image(image) = block else {
        return None;
    };
    let (about, detail) = image::fault(image)?;
    Some((
        about,
        detail,
        format!("[image removed: {}]", image::size(image)),
    ))
}

/// An input as an object: what it holds as text, if that is one, else itself under a key.
fn as_object(input: &str) -> String {
    if let Ok(text) = serde_json::from_str::<String>(input)
        && serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&text).is_ok()
    {
        return text.replace(['\r', '\n'], " ");
    }
    match input {
        "null" | "\"\"" => "{}".to_owned(),
        _ => format!(r#"{{"input":{input}}}"#),
    }
}
