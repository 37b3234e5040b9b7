//! Who said what: the texts of a session that a carry-over chooses from, and why it passes over
//! all else.

use std::io;

use rustc_hash::FxHashMap;

use super::verdict::Reason;
use crate::chain::Chain;
use crate::loss::{prompts_of, typed_and_shown};
use crate::transcript::{Entry, Index, Kind, Source, Transcript};
use crate::turns::Turn;

/// Who said it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Voice {
    /// The user, in their own words.
    User,
    /// The model.
    Assistant,
    /// A compaction's summary.
    Summary,
}

/// One text.
#[derive(Debug, Clone)]
pub(super) struct Text {
    /// Its place among the texts.
    pub(super) number: usize,
    pub(super) text: String,
    pub(super) voice: Voice,
    pub(super) record: usize,
    pub(super) turn: usize,
    /// It stands before the last boundary, so that the model does not see it any more.
    pub(super) is_earlier: bool,
    /// The last words of the model in its turn, behind which it called nothing.
    pub(super) is_answer: bool,
}

/// What was said, and what became of each record that says nothing.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// In the order of the session.
    pub(super) texts: Vec<Text>,
    /// Records of the chain without a text of their own.
    pub(super) silent: FxHashMap<usize, Reason>,
    /// How often each tool was called since the last boundary, by name, and how many failed.
    pub(super) tools: Vec<(String, u32, u32)>,
}

impl Said {
    pub(super) fn read<S: Source>(
        transcript: &Transcript<S>,
        chain: &Chain,
        turns: &[Turn],
    ) -> io::Result<Self> {
        let index = transcript.index();
        let mut counts = vec![false; index.entries().len()];
        for record in &chain.records {
            counts[*record] = true;
        }
        let mut said = Self::default();
        let mut tools: FxHashMap<String, (u32, u32)> = FxHashMap::default();
        let mut names: FxHashMap<crate::transcript::Id, String> = FxHashMap::default();
        for turn in turns {
            let first = said.texts.len();
            let mut behind = first;
            for record in turn.records.iter().copied() {
                let entry = &index.entries()[record];
                let is_earlier = !counts[record];
                for piece in index.pieces(entry) {
                    let is_call = index.is(piece.kind, "tool_use");
                    if is_call || index.is(piece.kind, "tool_result") {
                        behind = said.texts.len();
                    }
                    if is_earlier || entry.flags.sidechain {
                        continue;
                    }
                    if let (true, Some(id), Some(name)) = (is_call, piece.tool, piece.name) {
                        let name = index.text(name).to_owned();
                        tools.entry(name.clone()).or_default().0 += 1;
                        names.insert(id, name);
                    }
                    if let Some(name) = piece.tool.and_then(|id| names.get(&id))
                        && piece.is_error
                        && let Some(count) = tools.get_mut(name)
                    {
                        count.1 += 1;
                    }
                }
                if let Some(reason) = says_nothing(index, entry) {
                    said.silent.insert(record, reason);
                    continue;
                }
                let before = said.texts.len();
                said.take(transcript, record, turn.number, is_earlier)?;
                if said.texts.len() == before {
                    said.silent.insert(record, Reason::OfTheClient);
                }
            }
            // Where a turn was broken off behind a call, its last words serve.
            let texts = &mut said.texts[first..];
            let of_model = |text: &Text| text.voice == Voice::Assistant;
            let answered = texts[behind.saturating_sub(first).min(texts.len())..]
                .iter()
                .any(of_model);
            let from = match answered {
                true => behind - first,
                false => texts.iter().rposition(of_model).unwrap_or(texts.len()),
            };
            for text in texts.iter_mut().skip(from) {
                text.is_answer = text.voice == Voice::Assistant;
            }
        }
        let mut tools: Vec<_> = tools
            .into_iter()
            .map(|(name, (calls, failed))| (name, calls, failed))
            .collect();
        tools.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        said.tools = tools;
        Ok(said)
    }

    fn take<S: Source>(
        &mut self,
        transcript: &Transcript<S>,
        record: usize,
        turn: usize,
        is_earlier: bool,
    ) -> io::Result<()> {
        let entry = &transcript.index().entries()[record];
        let read = transcript.record(entry)?;
        let mut push = |text: &str, voice: Voice| {
            if !text.trim().is_empty() {
                self.texts.push(Text {
                    number: self.texts.len(),
                    text: text.to_owned(),
                    voice,
                    record,
                    turn,
                    is_earlier,
                    is_answer: false,
                });
            }
        };
        if entry.kind == Kind::Attachment {
            let prompts = read.attachment.as_deref().map(prompts_of);
            for prompt in prompts.unwrap_or_default() {
                push(&prompt, Voice::User);
            }
            return Ok(());
        }
        for text in read.content.texts() {
            match entry.kind {
                Kind::Assistant => push(text, Voice::Assistant),
                _ if entry.flags.summary => push(text, Voice::Summary),
                _ => typed_and_shown(text)
                    .0
                    .into_iter()
                    .for_each(|part| push(part, Voice::User)),
            }
        }
        Ok(())
    }

    /// The user's last request: its texts, which stand in one record.
    pub(super) fn last_request(&self) -> Option<usize> {
        let mut texts = self.texts.iter();
        let last = texts.rfind(|text| text.voice == Voice::User && !text.is_earlier);
        let mut texts = self.texts.iter();
        // Of a session that was compacted behind it, the one before the boundary.
        let last = last.or_else(|| texts.rfind(|text| text.voice == Voice::User));
        last.map(|text| text.record)
    }
}

/// Why a record holds no text of user or model; none where it may hold one.
fn says_nothing(index: &Index, entry: &Entry) -> Option<Reason> {
    let has = |kind: &str| {
        let pieces = index.pieces(entry);
        pieces.iter().any(|piece| index.is(piece.kind, kind))
    };
    if entry.flags.sidechain {
        return Some(Reason::SubAgent);
    }
    match entry.kind {
        Kind::User if entry.flags.summary || has("text") && !entry.flags.meta => None,
        Kind::User if has("tool_result") => Some(Reason::ToolResult),
        Kind::User if has("image") => Some(Reason::Image),
        Kind::Assistant if entry.flags.api_error || index.is(entry.model, "<synthetic>") => {
            Some(Reason::ApiError)
        }
        Kind::Assistant if has("text") => None,
        Kind::Assistant if has("tool_use") => Some(Reason::ToolCall),
        Kind::Assistant if has("thinking") || has("redacted_thinking") => Some(Reason::Thinking),
        Kind::Attachment if index.is(entry.detail, "queued_command") => None,
        _ => Some(Reason::OfTheClient),
    }
}
