//! Texts from tools that speak to the model as a user or the client would.

use std::io;
use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

use super::{Finding, Rule, Scene, Severity};
use crate::pipeline::short;
use crate::transcript::record::{Block, Content};
use crate::transcript::{Kind, Source};

/// The most findings of a kind: a poisoned file may be read often.
const FINDINGS: usize = 20;

fn expression(text: &str) -> Option<Regex> {
    let mut builder = RegexBuilder::new(text);
    builder.case_insensitive(true).unicode(true).build().ok()
}

static INSTRUCTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    expression(
        r"\b(?:ignore|disregard|forget|override) (?:all |any |every )?(?:of )?(?:the |your |my )?(?:previous|prior|above|earlier|preceding|system) (?:instructions?|prompts?|messages?|rules|directions|guidelines)\b|\b(?:you are now|from now on you are|you must now act as) (?:a|an|in)\b[^.\n]{0,40}\b(?:mode|persona|assistant|agent)\b|\bnew (?:system )?instructions? (?:for|to) (?:the )?(?:assistant|ai|model|agent)\b|\bdo not (?:tell|inform|mention (?:this )?to) the user\b|(?:忽略|无视|忘记|不要理会|覆盖)(?:以上|之前|先前|上面|前面|此前)(?:的)?(?:所有|全部|一切)?(?:的)?(?:指令|提示词?|规则|要求|说明)|(?:不要|不得|别)(?:告诉|告知|提醒)用户",
    )
});
/// Tags that only the client writes.
static FORGED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    expression(
        r"<(?:system-reminder|system_prompt|user-prompt-submit-hook|hook-context)>|^(?:hook injection|recall result|memory recall)\s*:",
    )
});

pub(super) fn find<S: Source>(scene: &Scene<'_, S>) -> io::Result<Vec<Finding>> {
    let index = scene.index();
    let mut findings: Vec<Finding> = Vec::new();
    for turn in &scene.turns {
        for record in turn.records.iter().copied() {
            let entry = &index.entries()[record];
            let pieces = index.pieces(entry);
            let is_result = pieces
                .iter()
                .any(|piece| index.is(piece.kind, "tool_result"));
            if entry.kind != Kind::User || !is_result {
                continue;
            }
            let mut texts = Vec::new();
            results(scene.transcript.record(entry)?.content, false, &mut texts);
            for text in texts {
                for (rule, form) in [
                    (Rule::InjectedInstruction, &INSTRUCTS),
                    (Rule::ForgedReminder, &FORGED),
                ] {
                    let found = form.as_ref().and_then(|form| form.find(&text));
                    let Some(found) = found else { continue };
                    // Older clients end what a read gives with a reminder of their own.
                    if found.as_str().eq_ignore_ascii_case("<system-reminder>")
                        && text.trim_end().ends_with("</system-reminder>")
                    {
                        continue;
                    }
                    let said = short(line_at(&text, found.start()), 100);
                    let known = findings.iter_mut().filter(|finding| finding.rule == rule);
                    let mut known: Vec<&mut Finding> = known.collect();
                    if let Some(same) = known.iter_mut().find(|finding| finding.evidence == said) {
                        same.again.push(entry.place.line);
                    } else if known.len() < FINDINGS {
                        let severity = Severity::Warning;
                        findings.push(scene.finding(rule, severity, record, turn.number, said));
                    }
                }
            }
        }
    }
    Ok(findings)
}

fn results(content: Content, is_result: bool, texts: &mut Vec<String>) {
    match content {
        Content::Missing => {}
        Content::Text(text) => texts.extend(is_result.then_some(text)),
        Content::Blocks(blocks) => {
            for block in blocks {
                match block {
                    Block::Text(text) if is_result => texts.push(text),
                    Block::ToolResult { content, .. } => results(content, true, texts),
                    _ => {}
                }
            }
        }
    }
}

/// The line that a place lies in.
fn line_at(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |line| line + 1);
    text[start..].lines().next().unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_compile() {
        assert!(INSTRUCTS.is_some() && FORGED.is_some());
    }
}
