//! Texts that were only shown: orders in them, tags of the client in them, and how much hooks put
//! in. What the user typed is never looked at here.

use std::io;
use std::sync::LazyLock;

use regex::Regex;

use super::finding::Finding;
use super::rule::{Rule, Severity};
use super::scene::{Reader, Scene};
use super::stems::Stems;
use crate::loss::typed_and_shown;
use crate::transcript::Source;
use crate::transcript::record::{Block, Content};

/// From so many bytes on the record of a hook is told.
const HOOK: u32 = 8_000;

/// Attachments that show a text of the user's or of a program's, and none of the client's own.
const SHOWN: [&str; 9] = [
    "file",
    "directory",
    "edited_text_file",
    "mcp_resource",
    "hook_success",
    "hook_additional_context",
    "hook_system_message",
    "async_hook_response",
    "selected_lines_in_ide",
];

/// Any of these is in each text that takes a form.
static STEMS: LazyLock<Stems> = LazyLock::new(|| {
    Stems::of(&[
        "gnore ",
        "GNORE ",
        "isregard ",
        "ISREGARD ",
        "orget ",
        "verride ",
        "OVERRIDE ",
        "the user",
        "system prompt",
        "忽略",
        "无视",
        "無視",
        "忘记",
        "忘記",
        "忘掉",
        "理会",
        "告诉用户",
        "告訴用戶",
        "告知用户",
        "系统提示",
        REMINDER,
    ])
});

/// The tag in which the client speaks.
const REMINDER: &str = "<system-reminder>";

static ORDERS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:ignore|disregard|forget|override)\s+(?:(?:all|any|every|of|the|your|my|these|those|everything)\s+)*(?:previous|prior|above|earlier|preceding|existing|original|system|foregoing)\s+(?:[a-z]+\s+){0,2}(?:instructions?|prompts?|rules|directions|directives|guidelines|constraints|messages|orders)\b|\b(?:ignore|disregard|forget)\s+(?:all\s+)?(?:of\s+)?your\s+(?:instructions|rules|guidelines|system prompt)\b|\b(?:do not|don['’]t|never|without)\s+(?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?\s+(?:this|it|that)\s+to|reveal(?:ing)?\s+(?:this|it|that)\s+to|alert(?:ing)?|notify(?:ing)?)\s+the\s+user\b|\b(?:reveal|print|output|repeat|send|leak)\s+(?:me\s+|us\s+)?your\s+(?:full\s+|entire\s+|hidden\s+|initial\s+|complete\s+)*system\s+prompt\b|(?:忽略|[无無][视視]|忘[记記掉]|不要理会|不要理會)(?:掉|了)?(?:[你您])?(?:的)?(?:之前|以上|上述|上面|先前|此前|前面|所有|一切|全部|原有|原来|系统)[^。！!\n]{0,10}(?:指令|指示|提示|[规規][则則]|要求|命令|[设設]定|[约約]束)|(?:不要|[别別]|切勿|无需)(?:告[诉訴知]|通知|透露[给給]|提醒)用[户戶]|(?:输出|打印|泄露|透露|[发發]送|复述)[你您]?的?(?:完整的?)?系[统統]提示",
    )
    .ok()
});

/// Results of tools in a record of the user's side.
pub(super) fn in_results<S: Source>(
    scene: &Scene<'_>,
    reader: &mut Reader<'_, S>,
    at: usize,
) -> io::Result<Vec<Finding>> {
    let entry = scene.entry(at);
    let is_result = |kind| scene.index.is(kind, "tool_result");
    let mut pieces = scene.pieces(at).iter();
    if !pieces.any(|piece| is_result(piece.kind) && piece.chars > 0)
        || !STEMS.is_in(reader.bytes(entry)?)
    {
        return Ok(Vec::new());
    }
    let mut findings = Vec::new();
    let Content::Blocks(blocks) = reader.record(entry)?.content else {
        return Ok(findings);
    };
    for block in &blocks {
        let Block::ToolResult { content, .. } = block else {
            continue;
        };
        for text in content.texts() {
            of_result(scene, at, text, &mut findings);
        }
    }
    Ok(findings)
}

fn of_result(scene: &Scene<'_>, at: usize, text: &str, findings: &mut Vec<Finding>) {
    let mut add = |finding: Finding| match findings.iter_mut().find(|one| one.rule == finding.rule)
    {
        Some(known) => known.count += 1,
        None => findings.push(finding),
    };
    if let Some(finding) = order(scene, at, text, "a result of a tool") {
        add(finding);
    }
    // The client itself puts notes at a result's end, and for an empty file in place of it.
    let own = text.rfind(REMINDER).filter(|start| {
        let rest = &text[*start..];
        rest.trim_end().ends_with("</system-reminder>")
            && rest.matches("</system-reminder>").count() == 1
    });
    let inside = &text[..own.unwrap_or(text.len())];
    if let Some(place) = inside.find(REMINDER) {
        let reason = format!("{REMINDER} within a result of a tool");
        let (rule, severity) = (Rule::FakeReminder, Severity::Warning);
        add(scene.finding(
            rule,
            severity,
            at,
            reason,
            &inside[place + REMINDER.len()..],
        ));
    }
}

/// What an attachment shows.
pub(super) fn in_attachment<S: Source>(
    scene: &Scene<'_>,
    reader: &mut Reader<'_, S>,
    at: usize,
) -> io::Result<Option<Finding>> {
    let entry = scene.entry(at);
    let kind = entry.detail.map_or("", |detail| scene.index.text(detail));
    if !SHOWN.contains(&kind) || !STEMS.is_in(reader.bytes(entry)?) {
        return Ok(None);
    }
    let record = reader.record(entry)?;
    let text = record.attachment.as_ref().map_or("", |raw| raw.get());
    let whose = match kind.contains("hook") {
        true => "what a hook said",
        false => "an attached text",
    };
    Ok(order(scene, at, text, whose))
}

/// What the user pasted, or the client put into a prompt.
pub(super) fn in_prompt<S: Source>(
    scene: &Scene<'_>,
    reader: &mut Reader<'_, S>,
    at: usize,
) -> io::Result<Option<Finding>> {
    let entry = scene.entry(at);
    if !STEMS.is_in(reader.bytes(entry)?) {
        return Ok(None);
    }
    let content = reader.record(entry)?.content;
    let shown = content.texts().flat_map(|text| typed_and_shown(text).1);
    let mut found = shown.filter_map(|text| order(scene, at, text, "a pasted text"));
    Ok(found.next())
}

fn order(scene: &Scene<'_>, at: usize, text: &str, whose: &str) -> Option<Finding> {
    let found = ORDERS.as_ref()?.find(text)?;
    let line = text[..found.start()].rfind('\n').map_or(0, |end| end + 1);
    // Long lines are shown from shortly before the order on.
    let start = match found.start() - line > 40 {
        true => found.start(),
        false => line,
    };
    let reason = format!("an order to the model in {whose}");
    Some(scene.finding(
        Rule::Injection,
        Severity::Warning,
        at,
        reason,
        &text[start..],
    ))
}

/// Hooks that put much text into the session.
pub(super) fn hooks(scene: &Scene<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for at in 0..scene.records.len() {
        let entry = scene.entry(at);
        let kind = entry.detail.map_or("", |detail| scene.index.text(detail));
        if entry.kind == crate::transcript::Kind::Attachment
            && kind.contains("hook")
            && entry.place.length >= HOOK
        {
            let reason = format!("{kind} of {} bytes", entry.place.length);
            findings.push(scene.finding(Rule::HookDump, Severity::Notice, at, reason, ""));
        }
    }
    findings
}
