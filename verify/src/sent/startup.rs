//! The block of instruction texts at the start of a session (facts 0.1–0.4).

use outcrop_loader::record::Scope;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Section, Unknown, blocks_of, is_absolute, sections};

/// The tag that older clients put a date behind, in the same block (fact 0.2).
const DATE: &str = "\n# currentDate\n";
/// The heading line of the texts in such a block.
const OLD_HEADING: &str = "\n# claudeMd\n";
/// The end of the block.
const END: &str = "\n</system-reminder>";
/// How the client's notice behind a cut memory index begins (fact 6.5).
const NOTICE: &str = "\n\n> WARNING: MEMORY.md is ";

/// What the client writes around the texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Framing {
    /// Before the first heading.
    pub before: String,
    /// Behind the last text.
    pub after: String,
    /// The label of each heading: scope and words. Old clients give two scopes the same words.
    pub labels: Vec<(Scope, String)>,
}

/// The scope that a label names, by the words that tell the five apart (fact 0.4).
fn scope(label: &str) -> Option<Scope> {
    let tells = [
        ("auto-memory", Scope::AutoMemory),
        ("not checked in", Scope::Local),
        ("checked into", Scope::Project),
        ("managed", Scope::Managed),
        ("global", Scope::User),
    ];
    let mut found = tells.iter().filter(|(words, _)| label.contains(words));
    found.next().map(|(_, scope)| *scope)
}

/// The texts that a session starts with, and what stands around them.
pub(super) fn read(messages: &[Value]) -> Result<(Vec<Section>, Option<Framing>), Unknown> {
    let before_answers = messages
        .iter()
        .take_while(|message| message["role"] != "assistant");
    let users = before_answers.filter(|message| message["role"] == "user");
    for block in users.flat_map(|message| blocks_of(&message["content"])) {
        if !block.starts_with("<system-reminder>\n") {
            continue;
        }
        let (start, found) = sections(block, labelled);
        if found.is_empty() {
            continue;
        }
        return of_block(block, start).map(|(sections, framing)| (sections, Some(framing)));
    }
    Ok((Vec::new(), None))
}

/// A label behind a path. Relative paths are those of old clients (fact 41), told from words by
/// a label that is known.
fn labelled<'t>(path: &str, label: &'t str) -> Option<&'t str> {
    let is_one = !label.is_empty() && (is_absolute(path) || scope(label).is_some());
    is_one.then_some(label)
}

fn of_block(block: &str, start: usize) -> Result<(Vec<Section>, Framing), Unknown> {
    let (before, rest) = block.split_at(start);
    let mut end = rest.len();
    if before.contains(OLD_HEADING) {
        end = rest.rfind(DATE).unwrap_or(end);
    } else if let Some(at) = rest.rfind(END)
        && rest[at + END.len()..].trim().is_empty()
    {
        end = at;
    }
    let (texts, after) = rest.split_at(end);
    let mut labels: Vec<(Scope, String)> = Vec::new();
    let mut list = Vec::new();
    // A text may hold what looks like a heading with a label of its own making.
    let mut unknown = None;
    let (_, first) = sections(texts, labelled);
    if let Some((path, label, _)) = first.first()
        && scope(label).is_none()
    {
        unknown = Some(Unknown::Label {
            path: (*path).to_owned(),
            label: (*label).to_owned(),
        });
    }
    let of_known = |_: &str, label: &str| scope(label).map(|scope| (scope, label.to_owned()));
    let (_, found) = sections(texts, of_known);
    for (path, (scope, label), text) in found {
        if !labels.iter().any(|(known, _)| *known == scope) {
            labels.push((scope, label));
        }
        let (text, notice) = match text.rfind(NOTICE) {
            Some(at) if scope == Scope::AutoMemory && !text[at + 2..].contains('\n') => {
                (&text[..at], Some(text[at + 2..].to_owned()))
            }
            _ => (text, None),
        };
        list.push(Section {
            path: path.to_owned(),
            scope: Some(scope),
            text: text.to_owned(),
            notice,
        });
    }
    match unknown {
        Some(unknown) => Err(unknown),
        None => Ok((
            list,
            Framing {
                before: before.to_owned(),
                after: after.to_owned(),
                labels,
            },
        )),
    }
}
