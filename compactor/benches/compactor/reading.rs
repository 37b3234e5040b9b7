//! From bytes to messages.

use divan::Bencher;
use divan::counter::BytesCount;
use outcrop_compactor::chain::Chain;
use outcrop_compactor::conversation::{Conversation, Resumed};
use outcrop_compactor::transcript::{Index, Transcript};
use outcrop_loader::client::Client;

use crate::LONG;

/// All of 20 MB.
#[divan::bench(sample_count = 20)]
fn index(bencher: Bencher<'_, '_>) {
    let bytes = LONG.as_slice();
    bencher
        .counter(BytesCount::of_slice(bytes))
        .bench(|| Index::of(bytes).map(|index| index.entries().len()));
}

/// What counts of it, as messages.
#[divan::bench(sample_count = 20)]
fn conversation(bencher: Bencher<'_, '_>) {
    let client = Client::newest();
    let transcript = Transcript::read(LONG.clone()).expect("bytes can be read");
    bencher.bench(|| {
        let chain = Chain::of(&transcript, &client.behaviour.resume).expect("bytes can be read");
        Conversation::of(&transcript, &chain, &client, &Resumed::default())
            .map(|conversation| conversation.messages.len())
    });
}
