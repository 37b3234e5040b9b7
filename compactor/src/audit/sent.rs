//! What the log of requests tells of instruction texts (fact C1.6).

use std::io;

use outcrop_loader::record::Scope;
use serde_json::Value;

use super::receipt::{Form, Moment, Receipt, Received, Witness};
use crate::conversation::logged::Logged;
use crate::transcript::{Source, Transcript};

/// How the heading of an instruction text begins.
const HEADING: &str = "Contents of ";
/// How a reminder begins and ends.
const OPEN: &str = "<system-reminder>\n";
const CLOSE: &str = "\n</system-reminder>";

/// Words in the label of a heading, and the owner that they tell (fact 0.4).
const LABELS: [(&str, Scope); 5] = [
    ("auto-memory", Scope::AutoMemory),
    ("not checked in", Scope::Local),
    ("checked into", Scope::Project),
    ("managed", Scope::Managed),
    ("global", Scope::User),
];

/// Names for each received text the first request that holds it. Where no record told what the
/// start brought, the first request does.
pub(super) fn look<S: Source>(
    transcript: &Transcript<S>,
    logged: &Logged,
    receipt: &mut Receipt,
) -> io::Result<()> {
    let mut is_first = true;
    for request in logged.requests.iter().filter(|request| request.is_main()) {
        for hash in &request.tail {
            let Some(message) = logged.message(transcript, hash)? else {
                continue;
            };
            let texts = texts_of(&message);
            if is_first && receipt.evidence.start == Witness::None {
                receipt.evidence.start = Witness::Requests;
                let block = texts.iter().find(|text| text.contains(HEADING));
                let sections = block.map(|block| sections(block)).unwrap_or_default();
                receipt.texts.splice(
                    0..0,
                    sections.into_iter().map(|(path, scope, text)| Received {
                        path: path.to_owned(),
                        scope: Some(scope),
                        text: text.to_owned(),
                        form: Form::Instruction,
                        moment: Moment::Start,
                        record: request.record,
                        turn: 1,
                        compactions: 0,
                        abandoned: false,
                        request: Some(request.id.clone()),
                    }),
                );
            }
            is_first = false;
            for received in &mut receipt.texts {
                let is_open = received.request.is_none() && received.record < request.record;
                if is_open && texts.iter().any(|text| holds(text, received)) {
                    received.request = Some(request.id.clone());
                }
            }
        }
    }
    Ok(())
}

/// The texts of a message that was sent.
fn texts_of(message: &Value) -> Vec<&str> {
    match message.get("content") {
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(blocks)) => blocks.iter().flat_map(texts_of_block).collect(),
        _ => Vec::new(),
    }
}

fn texts_of_block(block: &Value) -> Vec<&str> {
    match block.get("text").and_then(Value::as_str) {
        Some(text) => vec![text],
        // A reminder can stand in a result.
        None => texts_of(block),
    }
}

/// Whether a text that was sent holds a received one behind its heading.
fn holds(text: &str, received: &Received) -> bool {
    let heading = format!("{HEADING}{}", received.path);
    text.match_indices(&heading).any(|(at, _)| {
        let rest = &text[at + heading.len()..];
        let line = rest.find('\n').unwrap_or(rest.len());
        rest[..line].ends_with(':') && rest[line..].trim_start().starts_with(received.text.trim())
    })
}

/// The sections of the block of instruction texts.
fn sections(block: &str) -> Vec<(&str, Scope, &str)> {
    let block = block.strip_prefix(OPEN).unwrap_or(block);
    let block = block.trim_end();
    let block = block.strip_suffix(CLOSE.trim_start()).unwrap_or(block);
    let mut found: Vec<(usize, usize, &str, Scope)> = Vec::new();
    for (at, _) in block.match_indices(HEADING) {
        let starts_line = at == 0 || block[..at].ends_with('\n');
        let line = block[at..].split('\n').next().unwrap_or_default();
        let inside = line[HEADING.len()..].strip_suffix("):");
        let Some((path, label)) = inside.and_then(|inside| inside.rsplit_once(" (")) else {
            continue;
        };
        let scope = LABELS.iter().find(|(words, _)| label.contains(words));
        if let Some((_, scope)) = scope.filter(|_| starts_line) {
            found.push((at, at + line.len(), path, *scope));
        }
    }
    let ends = found
        .iter()
        .skip(1)
        .map(|(at, ..)| *at)
        .chain([block.len()]);
    let texts = found.iter().zip(ends);
    texts
        .map(|((_, start, path, scope), end)| {
            (*path, *scope, block[*start..end].trim_matches('\n'))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_cut_at_their_headings() {
        let block = "<system-reminder>\nM_PREAMBLE\n\n\
             Contents of /w/CLAUDE.md (project instructions, checked into the codebase):\n\n\
             M_ROOT\nContents of nothing:\n\nM_MORE\n\n\
             Contents of /w/a (b).md (user's private project instructions, not checked in):\n\n\
             M_LOCAL\n</system-reminder>\n";
        let want = [
            (
                "/w/CLAUDE.md",
                Scope::Project,
                "M_ROOT\nContents of nothing:\n\nM_MORE",
            ),
            ("/w/a (b).md", Scope::Local, "M_LOCAL"),
        ];
        assert_eq!(sections(block), want);
        assert_eq!(sections("M_1"), []);
    }
}
