//! What a client was seen to send, as deliveries.
//!
//! Only the form of the client's framing is known here (facts 0.1–0.7, 5.20): headings, blank
//! lines, tags. Its sentences are not; they are learned ([`crate::profile`]).

mod lazy;
pub mod lists;
mod startup;

use outcrop_loader::client::Version;
use outcrop_loader::record::Scope;
use serde_json::Value;
use thiserror::Error;

use crate::recorder::{Recording, Request};

pub use startup::Framing;

/// One instruction text as it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The path in its heading.
    pub path: String,
    /// The scope that its heading names; texts that a read brings have none.
    pub scope: Option<Scope>,
    /// The text, without the client's own notice behind a cut memory index.
    pub text: String,
    /// That notice.
    pub notice: Option<String>,
}

/// Why what was sent could not be understood.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unknown {
    /// No turn of a session came.
    #[error("the client sent no request that offers tools; {requests} other requests came")]
    NoTurn {
        /// Requests of any kind.
        requests: usize,
    },
    /// A request is no JSON, or has no messages.
    #[error("request {number} has no list of messages")]
    NoMessages {
        /// Its number, from 1.
        number: usize,
    },
    /// The heading of a section has a label of no known scope.
    #[error("the heading of {path} has a label of no known scope: `{label}`")]
    Label {
        /// The path in the heading.
        path: String,
        /// The label.
        label: String,
    },
    /// A text that was predicted stands in the request, but in no section.
    #[error("the text of {path} was sent, but in a form that is not known")]
    Form {
        /// The path of the layer.
        path: String,
    },
}

/// What entered at one moment after the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entered {
    /// Instruction texts.
    pub sections: Vec<Section>,
    /// What a hook of the client's own added behind them.
    pub by_hook: Vec<Section>,
}

/// What a session was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    /// The client's version as it names itself.
    pub version: Option<Version>,
    /// What entered at the start.
    pub startup: Vec<Section>,
    /// What stands around it; `None` where no instruction text was sent.
    pub framing: Option<Framing>,
    /// What the prompt's mentions brought.
    pub prompt: Entered,
    /// What each message with tool calls brought.
    pub calls: Vec<Entered>,
}

impl Sent {
    /// Reads a recording.
    ///
    /// # Errors
    /// [`Unknown`] when the form of a request is not known.
    pub fn of(recording: &Recording) -> Result<Self, Unknown> {
        let requests = recording.requests.len();
        let no_turn = Unknown::NoTurn { requests };
        let first = recording.turns().next().ok_or(no_turn.clone())?;
        let last = recording.turns().next_back().ok_or(no_turn)?;
        let (startup, framing) = startup::read(messages(first, 1)?)?;
        let (prompt, calls) = lazy::read(messages(last, recording.turns().count())?);
        let agent = first.user_agent.as_deref();
        Ok(Self {
            version: agent.and_then(version),
            startup,
            framing,
            prompt,
            calls,
        })
    }

    /// Looks for a predicted text that was sent in another form than as a section: then nothing
    /// may be concluded from its absence.
    ///
    /// # Errors
    /// [`Unknown::Form`] with the first such text.
    pub fn holds_elsewhere<'t>(
        recording: &Recording,
        mut missing: impl Iterator<Item = (&'t str, &'t str)>,
    ) -> Result<(), Unknown> {
        let Some(last) = recording.turns().next_back() else {
            return Ok(());
        };
        let texts: Vec<&str> = blocks(&last.body["messages"])
            .chain(blocks_of(&last.body["system"]))
            .collect();
        let heading = |path: &str| format!("Contents of {path}");
        let sent = |(path, text): &(&str, &str)| {
            let text = text.trim();
            !text.is_empty()
                && texts
                    .iter()
                    .any(|sent| sent.contains(text) && sent.contains(&heading(path)))
        };
        match missing.find(sent) {
            Some((path, _)) => Err(Unknown::Form {
                path: path.to_owned(),
            }),
            None => Ok(()),
        }
    }
}

fn messages(request: &Request, number: usize) -> Result<&[Value], Unknown> {
    let messages = request.body["messages"].as_array();
    messages
        .map(Vec::as_slice)
        .ok_or(Unknown::NoMessages { number })
}

/// The texts of every message.
fn blocks(messages: &Value) -> impl Iterator<Item = &str> {
    let messages = messages.as_array().into_iter().flatten();
    messages.flat_map(|message| blocks_of(&message["content"]))
}

/// The texts of one content, which is a text or a list of blocks.
pub(crate) fn blocks_of(content: &Value) -> impl Iterator<Item = &str> {
    let list = content.as_array().into_iter().flatten();
    let listed = list.filter_map(|block| block["text"].as_str());
    content.as_str().into_iter().chain(listed)
}

/// `claude-cli/2.1.332 (external, sdk-cli)`.
fn version(agent: &str) -> Option<Version> {
    let version = agent.split_once('/')?.1;
    version.split(' ').next()?.parse().ok()
}

/// The sections of a text that begins with a heading: each reaches to the blank line before the
/// next heading. A text may itself hold what looks like a heading; `label` tells by the path and
/// what stands behind it whether it is one.
fn sections<'t, L>(
    text: &'t str,
    label: impl Fn(&'t str, &'t str) -> Option<L>,
) -> (usize, Vec<(&'t str, L, &'t str)>) {
    const HEADING: &str = "Contents of ";
    // (start of the heading, path, label, start of the text)
    let mut found: Vec<(usize, &str, L, usize)> = Vec::new();
    for (at, _) in text.match_indices(HEADING) {
        let is_free = at == 0 || text[..at].ends_with("\n\n");
        let is_later = found.last().is_none_or(|last| at >= last.3);
        let rest = &text[at + HEADING.len()..];
        let Some((line, _)) = rest.split_once(":\n\n") else {
            break;
        };
        if !is_free || !is_later || line.contains('\n') {
            continue;
        }
        let (path, behind) = if line.ends_with(')') {
            split_label(line)
        } else {
            (line, "")
        };
        if let Some(label) = label(path, behind) {
            found.push((at, path, label, at + HEADING.len() + line.len() + 3));
        }
    }
    let before = found.first().map_or(text.len(), |first| first.0);
    let ends: Vec<usize> = found.iter().skip(1).map(|next| next.0 - 2).collect();
    let mut ends = ends.into_iter();
    let sections = found.into_iter().map(|(_, path, label, start)| {
        let end = ends.next().unwrap_or(text.len());
        (path, label, &text[start..end.max(start)])
    });
    (before, sections.collect())
}

/// Whether a heading begins as an absolute path does, or as the name of no file.
fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || path.starts_with('<') || path.get(1..2) == Some(":")
}

/// A heading's path and label. Labels hold at most one level of brackets; of several places
/// where one might begin the last counts, so that a path may hold ` (`.
fn split_label(line: &str) -> (&str, &str) {
    let mut depth = 0_usize;
    for (at, letter) in line.char_indices().rev() {
        match letter {
            ')' => depth += 1,
            '(' => {
                depth = depth.saturating_sub(1);
                if depth == 0 && line[..at].ends_with(' ') {
                    return (&line[..at - 1], &line[at + 1..line.len() - 1]);
                }
            }
            _ => {}
        }
    }
    (line, "")
}

#[cfg(test)]
mod tests;
