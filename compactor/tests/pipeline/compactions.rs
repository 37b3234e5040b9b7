//! A compaction by the client over random sessions: what is appended, read again.

use outcrop_compactor::boundary::{Compacted, Files, Given, Trigger, compact};
use outcrop_compactor::chain::Chain;
use outcrop_compactor::conversation::{Block, Conversation, Resumed};
use outcrop_compactor::testing::session;
use outcrop_compactor::transcript::Transcript;
use outcrop_compactor::transcript::record;
use outcrop_loader::client::Client;
use proptest::prelude::*;
use rustc_hash::FxHashSet;

use crate::world::config;

/// A disk without files.
struct Bare;

impl Files for Bare {
    fn modified(&self, _: &str) -> Option<i64> {
        None
    }

    fn text(&self, _: &str) -> Option<String> {
        None
    }
}

fn clients() -> [Client; 2] {
    let older = "2.1.197".parse().ok();
    let older = older.and_then(|version| Client::of(version).ok());
    [Client::newest(), older.expect("a client that is known")]
}

fn compacted(transcript: &Transcript<Vec<u8>>, client: &Client, by: Trigger) -> Option<Compacted> {
    let resume = &client.behaviour.resume;
    let chain = Chain::of(transcript, resume).expect("bytes can be read");
    let given = Given {
        trigger: by,
        summary: "M_SUMMARY of it all",
        prompt: None,
        focus: "",
        pre_tokens: 1,
        files: &Bare,
    };
    let tokens = |text: &str| text.len() as u64 / 4;
    compact(transcript, &chain, resume, &given, tokens).expect("bytes can be read")
}

/// The bytes with lines behind them, as a client appends them.
fn with_lines(bytes: &[u8], lines: &[String]) -> Vec<u8> {
    let mut all = bytes.to_vec();
    if !all.is_empty() && all.last() != Some(&b'\n') {
        all.push(b'\n');
    }
    for line in lines {
        all.extend_from_slice(line.as_bytes());
        all.push(b'\n');
    }
    all
}

proptest! {
    #![proptest_config(config())]

    /// What was appended is what a resume goes on from: behind its boundary, with the summary and
    /// the kept records, in their order, and every result with its call.
    #[test]
    fn what_is_appended_is_gone_on_from(session in session(), manual in any::<bool>()) {
        let by = if manual { Trigger::Manual } else { Trigger::Auto };
        let bytes = session.write().bytes;
        for client in clients() {
            let transcript = Transcript::read(bytes.clone()).expect("bytes can be read");
            let Some(compacted) = compacted(&transcript, &client, by) else {
                continue;
            };
            for line in &compacted.lines {
                prop_assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{line}");
            }
            let longer = Transcript::read(with_lines(&bytes, &compacted.lines))
                .expect("bytes can be read");
            let resume = &client.behaviour.resume;
            let chain = Chain::of(&longer, resume).expect("bytes can be read");
            let before = Chain::of(&transcript, resume).expect("bytes can be read").refused;
            prop_assert_eq!(chain.refused.is_some(), before.is_some());
            let index = longer.index();
            let uuid = |record: usize| index.entries()[record].uuid.map(|uuid| index.text(uuid));
            prop_assert_eq!(chain.boundary.and_then(uuid), Some(compacted.boundary.as_str()));
            prop_assert_eq!(&chain.kept, &compacted.kept);
            let summary = chain.records.iter().any(|record| index.entries()[*record].flags.summary);
            prop_assert!(summary);

            let sent = Conversation::of(&longer, &chain, &client, &Resumed::default())
                .expect("bytes can be read");
            let blocks = || sent.messages.iter().flat_map(|message| &message.blocks);
            let calls: FxHashSet<&str> = blocks()
                .filter_map(|placed| match &placed.block {
                    Block::Read(record::Block::ToolUse { id, .. }) => Some(id.as_str()),
                    _ => None,
                })
                .collect();
            for placed in blocks() {
                if let Block::Read(record::Block::ToolResult { id, .. }) = &placed.block {
                    prop_assert!(calls.contains(id.as_str()), "no call of {}", id);
                }
            }
            let told = blocks().any(|placed| match &placed.block {
                Block::Read(record::Block::Text(text)) => text.contains("M_SUMMARY of it all"),
                _ => false,
            });
            prop_assert!(told);
        }
    }

    /// The same session is compacted to the same lines, and the longer one can be compacted again.
    #[test]
    fn compactions_repeat_and_follow_one_another(session in session()) {
        let bytes = session.write().bytes;
        for client in clients() {
            let transcript = Transcript::read(bytes.clone()).expect("bytes can be read");
            let Some(first) = compacted(&transcript, &client, Trigger::Manual) else {
                continue;
            };
            let again = compacted(&transcript, &client, Trigger::Manual);
            prop_assert_eq!(Some(&first.lines), again.as_ref().map(|again| &again.lines));
            let longer = Transcript::read(with_lines(&bytes, &first.lines))
                .expect("bytes can be read");
            let second = compacted(&longer, &client, Trigger::Manual);
            prop_assert!(second.is_none_or(|second| second.boundary != first.boundary));
        }
    }
}
