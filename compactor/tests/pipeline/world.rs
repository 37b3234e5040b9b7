//! Transcripts as contexts.

use outcrop_compactor::chain::Chain;
use outcrop_compactor::conversation::{Block, Conversation, Resumed, Role};
use outcrop_compactor::pipeline::{Anchor, Context, Start};
use outcrop_compactor::transcript::record::{self, Content};
use outcrop_compactor::transcript::{Index, Source, Transcript};
use outcrop_compactor::window::Estimate;
use outcrop_loader::client::Client;
use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// The same cases in every run.
pub(crate) fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 128,
        rng_seed: RngSeed::Fixed(0x6f75_7463_726f_7020),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

pub(crate) fn client() -> Client {
    Client::newest()
}

/// The estimate that transcripts keep: four units a token.
pub(crate) fn estimate() -> Estimate {
    Estimate::for_records(&client().behaviour.counting)
}

/// What a resume of the transcript sends, without a new prompt.
pub(crate) fn conversation<S: Source>(transcript: &Transcript<S>) -> (Chain, Conversation) {
    let chain = Chain::of(transcript, &client().behaviour.resume).expect("bytes can be read");
    let conversation = Conversation::of(transcript, &chain, &client(), &Resumed::default())
        .expect("bytes can be read");
    (chain, conversation)
}

/// A context without recorded usage, estimated as the client does.
pub(crate) fn context<S: Source>(transcript: &Transcript<S>, pins: Vec<String>) -> Context<'_> {
    let (_, conversation) = conversation(transcript);
    let start = Start {
        pins,
        ..Start::default()
    };
    Context::of(conversation, transcript.index(), start, estimate())
}

/// A context that is counted from its last recorded usage on.
pub(crate) fn anchored<S: Source>(transcript: &Transcript<S>) -> Context<'_> {
    anchored_with(transcript, 0)
}

/// The same, where so many tokens are known to stand beside the messages.
pub(crate) fn anchored_with<S: Source>(transcript: &Transcript<S>, fixed: u64) -> Context<'_> {
    let (chain, conversation) = conversation(transcript);
    let start = Start {
        anchor: anchor(transcript.index(), &chain.records),
        fixed,
        ..Start::default()
    };
    Context::of(conversation, transcript.index(), start, estimate())
}

/// The last recorded usage.
fn anchor(index: &Index, records: &[usize]) -> Option<Anchor> {
    let entries = index.entries();
    let has_usage = |record: &usize| entries[*record].usage.is_some_and(|usage| usage.input > 0);
    let record = *records.iter().rev().find(|record| has_usage(record))?;
    let same = |other: &usize| entries[*other].message == entries[record].message;
    Some(Anchor {
        record,
        first: *records.iter().find(|record| same(record))?,
        usage: entries[record].usage?.total(),
    })
}

/// All texts of a context, with roles, as they are sent.
pub(crate) fn texts(context: &Context<'_>) -> Vec<(Role, String)> {
    let joined = context.joined();
    let blocks = joined.iter().flat_map(|(role, blocks)| {
        let texts = blocks.iter().filter_map(|held| text(&held.block));
        texts.map(|text| (*role, text)).collect::<Vec<_>>()
    });
    blocks.collect()
}

/// The text of a block, if it has one.
pub(crate) fn text(block: &Block) -> Option<String> {
    match block {
        Block::Read(record::Block::Text(text)) => Some(text.clone()),
        Block::Read(record::Block::ToolResult { content, .. }) => match content {
            Content::Missing => None,
            Content::Text(text) => Some(text.clone()),
            Content::Blocks(blocks) => {
                let texts = blocks.iter().filter_map(|block| match block {
                    record::Block::Text(text) => Some(text.as_str()),
                    _ => None,
                });
                Some(texts.collect::<Vec<_>>().join("\n"))
            }
        },
        _ => None,
    }
}
