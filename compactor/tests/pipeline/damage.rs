//! Damaged files: whatever happens to the bytes, reading goes on, ends, and keeps what stands
//! before the damage.

use outcrop_compactor::chain::Chain;
use outcrop_compactor::conversation::{Conversation, Resumed};
use outcrop_compactor::inspect::Inspection;
use outcrop_compactor::pipeline::{Budget, Context, Pipeline, Start};
use outcrop_compactor::sessions::Survey;
use outcrop_compactor::stages::Paper;
use outcrop_compactor::transcript::Transcript;
use outcrop_loader::client::{Client, Version};
use outcrop_loader::tokens::{Family, Model};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use rustc_hash::FxHashSet;

use crate::world::{config, estimate};

/// Sessions of real clients.
const SAMPLES: &[&[u8]] = &[
    include_bytes!(
        "../../../tests/cases/transcripts/02-tools-v332/325cf97a-294b-475b-89b7-a1903c1958cf.jsonl"
    ),
    include_bytes!(
        "../../../tests/cases/transcripts/03-parallel-tools/1ee3a3f5-b903-4ea8-9e49-3b33575aa638.jsonl"
    ),
    include_bytes!(
        "../../../tests/cases/transcripts/08-auto-compact-midturn-v197/3c8db5e7-9074-487e-95f0-6b326d898cef.jsonl"
    ),
    include_bytes!(
        "../../../tests/cases/transcripts/16-interrupted-v197/a6f7ed22-eac4-43c9-a4ff-192d8ca97248.jsonl"
    ),
    include_bytes!(
        "../../../tests/cases/transcripts/i01-rewind-branch-v197/b2323784-3e3f-4b3a-a00c-f83de2e3bea4.jsonl"
    ),
    include_bytes!(
        "../../../tests/cases/transcripts/i05-interrupted-tool-and-refusal-v197/eb697b10-27bf-48b5-8a27-9047dc3c7747.jsonl"
    ),
    include_bytes!(
        "../../../tests/cases/transcripts/i10-summarize-from-v197/ff7944c7-42f8-4abe-8a66-842983143716.jsonl"
    ),
];

/// What happens to a file.
#[derive(Debug, Clone)]
enum Damage {
    /// Bytes are put in the place of others.
    Replace {
        at: Index,
        gone: usize,
        put: Vec<u8>,
    },
    /// The end is missing.
    Cut(Index),
    /// Two lines change places.
    Swap(Index, Index),
    /// A line stands twice.
    Repeat(Index, Index),
    /// A line is gone.
    Drop(Index),
    /// A line break is gone.
    Join(Index),
    /// A record has another one's uuid where it had some uuid.
    Rename(Index, Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    let bytes = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..6),
        select(vec![
            "\0\0\0\0", "\n", "\r\n", "{", "}", "\"", "\\ud83d", "\u{FEFF}", "[[[[[["
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ];
    let at = any::<Index>;
    prop_oneof![
        4 => (at(), 0_usize..40, bytes)
            .prop_map(|(at, gone, put)| Damage::Replace { at, gone, put }),
        1 => at().prop_map(Damage::Cut),
        2 => (at(), at()).prop_map(|(one, other)| Damage::Swap(one, other)),
        1 => (at(), at()).prop_map(|(one, other)| Damage::Repeat(one, other)),
        1 => at().prop_map(Damage::Drop),
        1 => at().prop_map(Damage::Join),
        3 => (at(), at()).prop_map(|(one, other)| Damage::Rename(one, other)),
    ]
}

/// Where uuids stand in a file.
fn uuids(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let key = b"uid\":\"";
    let starts = bytes.windows(key.len()).enumerate();
    let starts = starts.filter(|(_, window)| window == key);
    starts
        .map(|(at, _)| at + key.len()..at + key.len() + 36)
        .filter(|range| range.end <= bytes.len())
        .collect()
}

fn apply(bytes: &mut Vec<u8>, damage: &Damage) {
    if bytes.is_empty() {
        return;
    }
    if let Damage::Rename(one, other) = damage {
        let places = uuids(bytes);
        if !places.is_empty() {
            let from = bytes[other.get(&places).clone()].to_vec();
            bytes[one.get(&places).clone()].copy_from_slice(&from);
        }
        return;
    }
    let mut lines: Vec<Vec<u8>> = bytes
        .split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    let count = lines.len();
    match damage {
        Damage::Replace { at, gone, put } => {
            let at = at.index(bytes.len());
            let end = (at + gone).min(bytes.len());
            bytes.splice(at..end, put.iter().copied());
            return;
        }
        Damage::Cut(at) => {
            bytes.truncate(at.index(bytes.len()));
            return;
        }
        Damage::Swap(one, other) => lines.swap(one.index(count), other.index(count)),
        Damage::Repeat(one, other) => {
            let line = lines[one.index(count)].clone();
            lines.insert(other.index(count), line);
        }
        Damage::Drop(at) => {
            lines.remove(at.index(count));
        }
        Damage::Join(at) => {
            lines[at.index(count)].pop();
        }
        Damage::Rename(..) => {}
    }
    *bytes = lines.concat();
}

/// The calls without result and the results without call.
fn alone(context: &Context<'_>) -> FxHashSet<String> {
    let blocks = || context.messages.iter().flat_map(|message| &message.blocks);
    let calls: FxHashSet<&str> = blocks().filter_map(|held| held.call()).collect();
    let results: FxHashSet<&str> = blocks().filter_map(|held| held.answers()).collect();
    let alone = calls.symmetric_difference(&results);
    alone.map(|id| (*id).to_owned()).collect()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn damaged_files_are_read_as_far_as_they_are_whole(
        sample in select(SAMPLES.to_vec()), damages in prop::collection::vec(damage(), 1..5),
    ) {
        let mut bytes = sample.to_vec();
        for damage in &damages {
            apply(&mut bytes, damage);
        }
        let whole = Transcript::read(sample.to_vec()).expect("bytes can be read");
        let same = sample.iter().zip(&bytes).take_while(|(one, other)| one == other).count();
        let transcript = Transcript::read(bytes).expect("bytes can be read");
        let mut entries = transcript.index().entries().iter();
        for entry in whole.index().entries() {
            // The line break must be there, too.
            if entry.place.offset as usize + entry.place.length as usize >= same {
                break;
            }
            let read = entries.next();
            prop_assert_eq!(read.map(|read| read.place), Some(entry.place));
            let uuid = |transcript: &Transcript<Vec<u8>>, id| {
                transcript.index().text(id).to_owned()
            };
            prop_assert_eq!(
                read.and_then(|read| read.uuid).map(|id| uuid(&transcript, id)),
                entry.uuid.map(|id| uuid(&whole, id))
            );
        }
        let old = Client::of(Version::OLDEST).expect("it is modelled");
        for client in [Client::newest(), old] {
            let resume = client.behaviour.resume;
            let chain = Chain::of(&transcript, &resume).expect("bytes can be read");
            let resumed = Resumed { prompt: Some("Go on.".to_owned()), ..Resumed::default() };
            let conversation = Conversation::of(&transcript, &chain, &client, &resumed)
                .expect("bytes can be read");
            let start = Start { pins: vec!["M_U1".to_owned()], ..Start::default() };
            let context = Context::of(
                conversation, transcript.index(), start, estimate(),
            );
            let alone_before = alone(&context);
            let lost_before = context.missing_pins();
            let mut paper = Paper::default();
            paper.snip.recent.rounds = 1;
            paper.collapse.recent.rounds = 1;
            paper.microcompact.keep = 0;
            let result = Pipeline::paper(paper).run(context, &Budget::of(50));
            prop_assert!(alone(&result.context).is_subset(&alone_before));
            prop_assert_eq!(&result.missing_pins, &lost_before);
            prop_assert!(result.context.tokens() <= result.tokens_before);
            let model = Model::plain(Family::NEWEST);
            let found = Inspection::of(&transcript, &chain, &client, model, usize::MAX)
                .expect("bytes can be read");
            let parts = found.context.categories.iter().map(|share| share.tokens);
            prop_assert_eq!(parts.sum::<u64>(), found.context.counted);
            let survey = Survey::of(&transcript, &chain, &client)
                .expect("bytes can be read");
            prop_assert!(survey.records == transcript.index().entries().len());
            prop_assert!(found.compactions.len() <= survey.compactions);
        }
    }
}
