//! The turns of a session: each prompt with what followed it.

use crate::chain::{Chain, Resume, is_boundary};
use crate::transcript::{Entry, Index, Kind, Piece};

/// One turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Its number, from 1, over the whole session, compactions included.
    pub number: usize,
    /// The record of the prompt; none where nobody asked.
    pub prompt: Option<usize>,
    /// Its records, in order.
    pub records: Vec<usize>,
    /// How many boundaries stand before it.
    pub compactions: usize,
}

impl Turn {
    /// Its last record. A compaction that no answer of the turn follows comes after it.
    #[must_use]
    pub fn last(&self, index: &Index) -> Option<usize> {
        let entries = index.entries();
        let answer = self.records.iter().rposition(|record| {
            let entry = &entries[*record];
            entry.kind == Kind::Assistant && !index.is(entry.model, "<synthetic>")
        });
        let from = answer.map_or(0, |at| at + 1);
        let behind = self.records[from..].iter();
        let compaction = behind
            .clone()
            .position(|record| is_boundary(index, &entries[*record]));
        let end = compaction.map_or(self.records.len(), |at| from + at);
        self.records[..end].last().copied()
    }
}

/// The turns of the session that a chain belongs to: back over its boundaries to its start.
#[must_use]
pub fn of(index: &Index, chain: &Chain, client: &Resume) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    let mut compactions = 0;
    for record in chain.whole(index, client) {
        let entry = &index.entries()[record];
        if is_boundary(index, entry) {
            compactions += 1;
        }
        let is_prompt = is_prompt(index, entry);
        // What stands before the first prompt, such as what hooks said, belongs to its turn.
        if turns
            .last()
            .is_none_or(|turn| is_prompt && turn.prompt.is_some())
        {
            turns.push(Turn {
                number: turns.len() + 1,
                prompt: None,
                records: Vec::new(),
                compactions,
            });
        }
        if let Some(turn) = turns.last_mut() {
            if is_prompt {
                turn.prompt = Some(record);
            }
            turn.records.push(record);
        }
    }
    turns
}

/// Whether a record is what a user asked: no result, no text that the client put in, no summary.
#[must_use]
pub fn is_prompt(index: &Index, entry: &Entry) -> bool {
    let pieces = index.pieces(entry);
    let asks = |piece: &Piece| {
        index.is(piece.kind, "text") && !piece.is_note || index.is(piece.kind, "image")
    };
    let is_result = |piece: &Piece| index.is(piece.kind, "tool_result");
    entry.kind == Kind::User
        && !entry.flags.meta
        && !entry.flags.summary
        && !entry.flags.sidechain
        && pieces.iter().any(asks)
        && !pieces.iter().any(is_result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::Transcript;
    use outcrop_loader::client::{Client, Version};

    fn prompts(text: &str) -> Vec<(usize, Option<u32>, usize)> {
        let transcript = Transcript::read(text.as_bytes()).unwrap();
        let client = Client::of(Version::NEWEST).unwrap();
        let chain = Chain::of(&transcript, &client.behaviour.resume).unwrap();
        let index = transcript.index();
        let turns = of(index, &chain, &client.behaviour.resume).into_iter();
        turns
            .map(|turn| {
                let line = turn.prompt.map(|record| index.entries()[record].place.line);
                (turn.number, line, turn.compactions)
            })
            .collect()
    }

    #[test]
    fn notes_of_the_client_are_no_prompts() {
        let user = |uuid: &str, parent: &str, text: &str| {
            format!(
                r#"{{"type":"user","uuid":"{uuid}","parentUuid":"{parent}","message":{{"role":"user","content":{text}}}}}"#
            )
        };
        let text = [
            user("u1", "", r#""<command-name>/clear</command-name>""#),
            user(
                "u2",
                "u1",
                r#""<command-message>M_SKILL</command-message>""#,
            ),
            user(
                "u3",
                "u2",
                r#"[{"type":"text","text":"[Request interrupted by user]"}]"#,
            ),
            user("u4", "u3", r#""<bash-input>ls</bash-input>""#),
            user("u5", "u4", r#""<bash-stdout>M_OUT</bash-stdout>""#),
            user("u6", "u5", r#"[{"type":"text","text":"M_U1"}]"#),
        ];
        let lines = [(1, Some(2), 0), (2, Some(4), 0), (3, Some(6), 0)];
        assert_eq!(prompts(&text.join("\n")), lines);
    }

    /// A client's boundary names as logical parent the last of the messages that it keeps.
    #[test]
    fn turns_go_back_over_a_boundary_that_keeps_messages() {
        let text = r#"{"type":"attachment","uuid":"h1","parentUuid":null,"attachment":{"type":"hook_success"}}
{"type":"user","uuid":"u1","parentUuid":"h1","message":{"role":"user","content":"M_U1"}}
{"type":"progress","uuid":"p1","parentUuid":"u1"}
{"type":"assistant","uuid":"a1","parentUuid":"p1","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"M_A1"}]}}
{"type":"user","uuid":"u2","parentUuid":"a1","message":{"role":"user","content":"M_U2"}}
{"type":"assistant","uuid":"a2","parentUuid":"u2","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"M_A2"}]}}
{"type":"system","subtype":"compact_boundary","uuid":"b","parentUuid":null,"logicalParentUuid":"a2","compactMetadata":{"preservedSegment":{"headUuid":"a2","anchorUuid":"s","tailUuid":"a2"}}}
{"type":"user","uuid":"s","parentUuid":"b","isCompactSummary":true,"message":{"role":"user","content":"M_SUM"}}
{"type":"user","uuid":"u3","parentUuid":"s","message":{"role":"user","content":"M_U3"}}
"#;
        let wanted = [(1, Some(2), 0), (2, Some(5), 0), (3, Some(9), 1)];
        assert_eq!(prompts(text), wanted);
        // A parent that is not there hides nothing before it.
        let gap = text.replace(r#""parentUuid":"a1""#, r#""parentUuid":"gone""#);
        assert_eq!(prompts(&gap), wanted);
    }
}
