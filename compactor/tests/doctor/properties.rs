//! Properties over made transcripts, whole and mutilated.

use std::collections::HashSet;

use outcrop_compactor::chain::Chain;
use outcrop_compactor::doctor::{About, ActionKind, Finding, Options, examine, repair};
use outcrop_compactor::testing::session;
use outcrop_compactor::transcript::{Kind, Transcript};
use outcrop_loader::client::Client;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

fn config() -> Config {
    Config {
        cases: 96,
        rng_seed: RngSeed::Fixed(0x6f75_7463_726f_7020),
        failure_persistence: None,
        ..Config::default()
    }
}

fn clients() -> [Client; 2] {
    ["2.1.332", "2.1.197"].map(|version| Client::of(version.parse().unwrap()).unwrap())
}

/// A change of a file's bytes; places are parts of its length or numbers of its lines.
#[derive(Debug, Clone)]
enum Harm {
    Cut(f64),
    DropLine(f64),
    RepeatLine(f64, f64),
    SwapLines(f64, f64),
    JoinLine(f64),
    Insert(f64, Vec<u8>),
    /// Another record's uuid in the place of a value.
    Reparent(f64, f64),
    Root(f64),
    Returns,
}

fn harm() -> impl Strategy<Value = Harm> {
    let at = || 0.0..1.0f64;
    let noise = prop_oneof![
        Just(b"\0\0\0".to_vec()),
        Just(b"\xEF\xBB\xBF".to_vec()),
        Just(b"\xFF".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"null\n".to_vec()),
        Just(b"{\"type\":\n".to_vec()),
        Just(br"\ud83d".to_vec()),
        proptest::collection::vec(any::<u8>(), 1..4),
    ];
    prop_oneof![
        at().prop_map(Harm::Cut),
        at().prop_map(Harm::DropLine),
        (at(), at()).prop_map(|(from, to)| Harm::RepeatLine(from, to)),
        (at(), at()).prop_map(|(one, other)| Harm::SwapLines(one, other)),
        at().prop_map(Harm::JoinLine),
        (at(), noise).prop_map(|(place, bytes)| Harm::Insert(place, bytes)),
        (at(), at()).prop_map(|(child, parent)| Harm::Reparent(child, parent)),
        at().prop_map(Harm::Root),
        Just(Harm::Returns),
    ]
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a part of a short length"
)]
fn part(of: usize, at: f64) -> usize {
    ((of as f64) * at) as usize
}

fn harmed(bytes: &[u8], harm: &Harm) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = bytes
        .split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    if lines.is_empty() {
        return bytes.to_vec();
    }
    let count = lines.len();
    let key = |line: &[u8], key: &str| -> Option<(usize, usize)> {
        let text = std::str::from_utf8(line).ok()?;
        let start = text.find(&format!("\"{key}\":"))? + key.len() + 3;
        let end = start + text[start..].find([',', '}'])?;
        Some((start, end))
    };
    match harm {
        Harm::Cut(at) => return bytes[..part(bytes.len(), *at)].to_vec(),
        Harm::DropLine(at) => {
            lines.remove(part(count, *at));
        }
        Harm::RepeatLine(from, to) => {
            let line = lines[part(count, *from)].clone();
            lines.insert(part(count, *to), line);
        }
        Harm::SwapLines(one, other) => lines.swap(part(count, *one), part(count, *other)),
        Harm::JoinLine(at) => {
            lines[part(count, *at)].pop();
        }
        Harm::Insert(at, noise) => {
            let mut bytes = bytes.to_vec();
            let place = part(bytes.len(), *at);
            bytes.splice(place..place, noise.iter().copied());
            return bytes;
        }
        Harm::Reparent(child, parent) => {
            let parent = &lines[part(count, *parent)];
            let parent = key(parent, "uuid").map(|(start, end)| parent[start..end].to_vec());
            let child = &mut lines[part(count, *child)];
            if let (Some(parent), Some((start, end))) = (parent, key(child, "parentUuid")) {
                child.splice(start..end, parent);
            }
        }
        Harm::Root(at) => {
            let child = &mut lines[part(count, *at)];
            if let Some((start, end)) = key(child, "parentUuid") {
                child.splice(start..end, *b"null");
            }
        }
        Harm::Returns => {
            for line in &mut lines {
                if line.pop_if(|byte| *byte == b'\n').is_some() {
                    line.extend(b"\r\n");
                }
            }
        }
    }
    lines.concat()
}

fn reached<S: outcrop_compactor::transcript::Source>(
    transcript: &Transcript<S>,
    client: &Client,
) -> HashSet<String> {
    let index = transcript.index();
    let chain = Chain::of(transcript, &client.behaviour.resume).unwrap();
    let records = chain.walk.iter().chain(&chain.records);
    records
        .filter_map(|record| index.entries()[*record].uuid)
        .map(|uuid| index.text(uuid).to_owned())
        .collect()
}

fn check(bytes: &[u8], client: &Client, options: Options) -> Result<(), TestCaseError> {
    let transcript = Transcript::read(bytes.to_vec()).unwrap();
    let before = examine(&transcript, client).unwrap();
    let repaired = repair(&transcript, &before, client, &options).unwrap();
    let mut new = Vec::new();
    prop_assert_eq!(repaired.write(&mut new).unwrap(), new.len() as u64);
    prop_assert_eq!(repaired.is_unchanged(), new == bytes);
    prop_assert_eq!(repaired.actions.is_empty(), new == bytes);

    // No record that a resume reaches is lost, but for those that are told of.
    let again = Transcript::read(new.clone()).unwrap();
    let dropped: HashSet<&String> = repaired
        .actions
        .iter()
        .filter(|action| matches!(action.kind, ActionKind::DropRecord))
        .filter_map(|action| action.record.as_ref())
        .collect();
    let now = reached(&again, client);
    for uuid in reached(&transcript, client) {
        prop_assert!(
            now.contains(&uuid) || dropped.contains(&uuid),
            "{} is not reached any more",
            uuid
        );
    }

    // Nothing that can be mended is left, and a second repair changes nothing.
    let after = examine(&again, client).unwrap();
    // Messages that a boundary keeps come back only where nothing else is lost for it.
    let left: Vec<_> = after
        .findings
        .iter()
        .filter(|finding| {
            let can_be =
                finding.is_mended() || (options.relink && finding.is_mended_by_relinking());
            can_be && finding.about != About::KeptMessagesMissing
        })
        .collect();
    prop_assert!(left.is_empty(), "left: {:#?}", left);
    prop_assert!(
        again.index().faults().is_empty(),
        "{:?}",
        again.index().faults()
    );
    let second = repair(&again, &after, client, &options).unwrap();
    prop_assert!(second.is_unchanged(), "{:#?}", second.actions);

    // No record appears that was not there, but for those that stood on several lines.
    let over_lines = |finding: &Finding| finding.about == About::RecordOverLines;
    if !before.findings.iter().any(over_lines) {
        prop_assert!(uuids(&again).is_subset(&uuids(&transcript)));
    }
    Ok(())
}

fn uuids<S: outcrop_compactor::transcript::Source>(transcript: &Transcript<S>) -> HashSet<String> {
    let index = transcript.index();
    let talk = index
        .entries()
        .iter()
        .filter(|entry| entry.kind != Kind::Other);
    talk.filter_map(|entry| entry.uuid)
        .map(|uuid| index.text(uuid).to_owned())
        .collect()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_repair_mends_and_loses_nothing(
        session in session(),
        harms in proptest::collection::vec(harm(), 0..5),
        relink in any::<bool>(),
        strip_thinking in any::<bool>(),
    ) {
        let mut bytes = session.write().bytes;
        for harm in &harms {
            bytes = harmed(&bytes, harm);
        }
        for client in clients() {
            check(&bytes, &client, Options { relink, strip_thinking })?;
        }
    }
}
