//! The five stages on the context of a long session.

use divan::Bencher;
use outcrop_compactor::chain::Chain;
use outcrop_compactor::conversation::{Conversation, Resumed};
use outcrop_compactor::pipeline::{Budget, Context, Counted, Pipeline, Sizer, Start};
use outcrop_compactor::stages::Paper;
use outcrop_compactor::transcript::Transcript;
use outcrop_compactor::window::Estimate;
use outcrop_loader::client::Client;
use outcrop_loader::tokens::Family;

use crate::LONG;

fn all_stages(bencher: Bencher<'_, '_>, sizer: impl Fn() -> Box<dyn Sizer> + Sync) {
    let client = Client::newest();
    let transcript = Transcript::read(LONG.clone()).expect("bytes can be read");
    let chain = Chain::of(&transcript, &client.behaviour.resume).expect("bytes can be read");
    let conversation = Conversation::of(&transcript, &chain, &client, &Resumed::default())
        .expect("bytes can be read");
    bencher
        .with_inputs(|| conversation.clone())
        .bench_values(|conversation| {
            let context = Context::of(conversation, transcript.index(), Start::default(), sizer());
            // So low that every stage has to work.
            let result = Pipeline::paper(Paper::default()).run(context, &Budget::of(8_000));
            (result.tokens_before, result.context.tokens())
        });
}

#[divan::bench(sample_count = 20)]
fn estimated(bencher: Bencher<'_, '_>) {
    let counting = Client::newest().behaviour.counting;
    all_stages(bencher, || Box::new(Estimate::for_records(&counting)));
}

#[divan::bench(sample_count = 20)]
fn counted(bencher: Bencher<'_, '_>) {
    all_stages(bencher, || Box::new(Counted::of(Family::NEWEST)));
}
