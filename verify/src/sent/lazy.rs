//! Texts that reads bring (facts 5.20, 5.21).

use serde_json::Value;

use super::{Entered, Section, blocks_of, is_absolute, sections};

const OPEN: &str = "<system-reminder>\n";
const CLOSE: &str = "\n</system-reminder>";
/// What a hook adds stands behind words that end so, and is no instruction section: newer clients
/// add a nested `AGENTS.md` in this form.
const HOOK: &str = " hook additional context: ";
/// Some clients put a count of tokens behind the texts.
const COUNT: &str = "\n\n<total_tokens>";
/// Old clients put other lists into the same message as the texts; each begins with one of these
/// behind a blank line.
const OTHERS: [&str; 5] = [
    "\n\nThe following skills",
    "\n\nThe following deferred",
    "\n\nAvailable agent types",
    "\n\nCalled the ",
    "\n\nResult of ",
];

/// What the prompt brought, and what each message with tool calls brought, from the messages of
/// the last turn.
pub(super) fn read(messages: &[Value]) -> (Entered, Vec<Entered>) {
    let (mut prompt, mut calls) = (Entered::default(), Vec::<Entered>::new());
    let mut asked = false;
    for message in messages {
        if message["role"] == "assistant" {
            asked = true;
            let blocks = message["content"].as_array().into_iter().flatten();
            if blocks.clone().any(|block| block["type"] == "tool_use") {
                calls.push(Entered::default());
            }
            continue;
        }
        let list = match calls.last_mut() {
            _ if !asked => &mut prompt,
            Some(list) => list,
            None => continue,
        };
        for text in blocks_of(&message["content"]) {
            match added_by_hook(text) {
                Some(added) => list.by_hook.extend(of_hook(added)),
                None => list.sections.extend(of_block(text)),
            }
        }
    }
    (prompt, calls)
}

/// What a hook added, where a text says that it is that.
fn added_by_hook(text: &str) -> Option<&str> {
    let inside = match text.strip_prefix(OPEN) {
        Some(rest) => closed(rest),
        None => text,
    };
    let (first, _) = inside.split_once('\n').unwrap_or((inside, ""));
    let at = first.find(HOOK)?;
    // The words before it name the hook.
    (!first[..at].contains(' ')).then(|| &inside[at + HOOK.len()..])
}

/// The sections of such a text: each heading begins a line, and nothing stands between a text
/// and the next heading but a line end.
fn of_hook(text: &str) -> Vec<Section> {
    let is_start = |at: usize| at == 0 || text[..at].ends_with('\n');
    let heading = |at: usize| {
        let rest = text[at..].strip_prefix("Contents of ")?;
        let (path, _) = rest.split_once(":\n\n")?;
        (path.starts_with('/') && !path.contains('\n')).then_some(path)
    };
    let starts = text.match_indices("Contents of ").map(|(at, _)| at);
    let found: Vec<(usize, &str)> = starts
        .filter(|at| is_start(*at))
        .filter_map(|at| Some((at, heading(at)?)))
        .collect();
    let ends = found.iter().skip(1).map(|(next, _)| next - 1);
    let ends = ends.chain([text.len()]);
    let section = |((at, path), end): (&(usize, &str), usize)| {
        let start = at + "Contents of ".len() + path.len() + ":\n\n".len();
        Section {
            path: (*path).to_owned(),
            scope: None,
            text: text[start..end.max(start)].to_owned(),
            notice: None,
        }
    };
    found.iter().zip(ends).map(section).collect()
}

fn of_block(block: &str) -> Vec<Section> {
    let mut list = Vec::new();
    let tagged = format!("{OPEN}Contents of ");
    let mut starts: Vec<usize> = block.match_indices(&tagged).map(|(at, _)| at).collect();
    if starts.first() != Some(&0) {
        starts.insert(0, 0);
    }
    for (index, start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(block.len());
        let part = &block[*start..end];
        match part.strip_prefix(OPEN) {
            Some(rest) => list.extend(of_text(closed(rest))),
            None => of_lists(part, &mut list),
        }
    }
    list
}

/// Without the closing tag and what follows it.
fn closed(text: &str) -> &str {
    match text.rfind(CLOSE) {
        Some(at) if text[at + CLOSE.len()..].trim_matches('\n').is_empty() => &text[..at],
        _ => text,
    }
}

/// The texts of a message that may hold other lists too.
fn of_lists(text: &str, list: &mut Vec<Section>) {
    let mut rest = text;
    loop {
        let next = OTHERS.iter().filter_map(|other| rest.find(other)).min();
        let Some(next) = next else {
            list.extend(of_text(rest));
            return;
        };
        list.extend(of_text(&rest[..next]));
        rest = &rest[next + 2..];
    }
}

fn of_text(text: &str) -> Vec<Section> {
    let text = match text.rfind(COUNT) {
        Some(at) if !text[at + 2..].trim_end().contains('\n') => &text[..at],
        _ => text,
    };
    // Headings of what a read brings have no label.
    let (_, found) = sections(text, |path, label| {
        (is_absolute(path) && label.is_empty()).then_some(())
    });
    let section = |(path, (), text): (&str, (), &str)| Section {
        path: path.to_owned(),
        scope: None,
        text: text.to_owned(),
        notice: None,
    };
    found.into_iter().map(section).collect()
}
