//! Properties over made transcripts, with refusals at random places.

use outcrop_compactor::chain::Chain;
use outcrop_compactor::poison::{Rule, Severity, examine};
use outcrop_compactor::testing::session;
use outcrop_compactor::transcript::Transcript;
use outcrop_loader::client::Client;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

fn config() -> Config {
    Config {
        cases: 96,
        rng_seed: RngSeed::Fixed(0x706f_6973_6f6e_2020),
        failure_persistence: None,
        ..Config::default()
    }
}

/// What an answer, or an error, becomes at some places.
const CHANGES: [(&str, &str); 2] = [
    (
        "API Error: try again.",
        "API Error: this request appears to violate our Usage Policy.",
    ),
    (
        r#""role":"assistant","#,
        r#""role":"assistant","stop_reason":"refusal","#,
    ),
];

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_last_safe_record_stands_before_what_blocks(
        session in session(),
        places in proptest::collection::vec(any::<prop::sample::Index>(), 0..3),
        change in 0..CHANGES.len(),
        cut in proptest::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = session.write().bytes;
        let (from, to) = CHANGES[change];
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        let found: Vec<usize> = text.match_indices(from).map(|(at, _)| at).collect();
        let mut chosen: Vec<usize> = Vec::new();
        if !found.is_empty() {
            chosen = places.iter().map(|place| found[place.index(found.len())]).collect();
            chosen.sort_unstable();
            chosen.dedup();
        }
        for at in chosen.iter().rev() {
            text.replace_range(*at..at + from.len(), to);
        }
        if !chosen.is_empty() {
            bytes = text.into_bytes();
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len() + 1));
        }
        for version in ["2.1.332", "2.1.197"] {
            let client = Client::of(version.parse().unwrap()).unwrap();
            let transcript = Transcript::read(&bytes[..]).unwrap();
            let index = transcript.index();
            let chain = Chain::of(&transcript, &client.behaviour.resume).unwrap();
            let poison = examine(&transcript, &chain, &client).unwrap();
            prop_assert_eq!(&poison, &examine(&transcript, &chain, &client).unwrap());
            let whole = chain.whole(index, &client.behaviour.resume);
            let place = |uuid: &str| {
                whole.iter().position(|record| {
                    index.is(index.entries()[*record].uuid, uuid)
                })
            };
            let blocking: Vec<_> = poison
                .findings
                .iter()
                .filter(|finding| finding.severity == Severity::Error)
                .collect();
            prop_assert_eq!(poison.is_blocking(), !blocking.is_empty());
            for finding in &poison.findings {
                prop_assert!(finding.severity <= finding.rule.worst());
                let lines = whole.iter().map(|record| index.entries()[*record].place.line);
                prop_assert!(lines.into_iter().any(|line| line == finding.line));
                let excerpt = finding.excerpt.as_deref().unwrap_or_default();
                prop_assert!(!excerpt.chars().any(char::is_control));
                if chosen.is_empty() {
                    prop_assert_ne!(finding.rule, Rule::Refusal);
                }
            }
            if let Some(safe) = &poison.last_safe {
                let first = blocking.first();
                prop_assert!(first.is_some());
                let at = whole.iter().position(|record| *record == safe.record);
                prop_assert!(at.is_some());
                prop_assert!(index.is(index.entries()[safe.record].uuid, &safe.uuid));
                if let Some(first) = first.and_then(|first| place(first.record.as_deref()?)) {
                    prop_assert!(at < Some(first));
                }
            }
        }
    }
}
