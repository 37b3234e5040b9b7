//! Long chains of odd shapes: each record is looked at a few times, not once for each other one.
//! Were it otherwise, this would take minutes.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use outcrop_compactor::chain::{Chain, LeafReason};
use outcrop_compactor::doctor::{About, examine};
use outcrop_compactor::transcript::Transcript;
use outcrop_loader::client::{Client, Version};

const COUNT: usize = 20_000;

fn client() -> Client {
    Client::of(Version::NEWEST).unwrap()
}

fn record(kind: &str, uuid: usize, parent: Option<usize>, second: usize) -> String {
    let parent = parent.map_or("null".to_owned(), |parent| format!("\"r{parent}\""));
    let time = format!(
        "2026-09-01T{:02}:{:02}:{:02}Z",
        second / 3_600,
        second / 60 % 60,
        second % 60
    );
    let rest = match kind {
        "user" => r#""message":{"role":"user","content":"M_U"}"#,
        "attachment" => r#""attachment":{"type":"date_change","newDate":"2026-09-01"}"#,
        _ => r#""data":{}"#,
    };
    format!(
        "{{\"type\":\"{kind}\",\"uuid\":\"r{uuid}\",\"parentUuid\":{parent},\"timestamp\":\"{time}\",{rest}}}\n"
    )
}

fn chain(text: &str) -> (usize, Chain, Vec<About>) {
    let transcript = Transcript::read(text.as_bytes()).unwrap();
    let client = client();
    let chain = Chain::of(&transcript, &client.behaviour.resume).unwrap();
    let examination = examine(&transcript, &client).unwrap();
    let findings = examination.findings.iter().map(|finding| finding.about);
    (
        transcript.index().entries().len(),
        chain,
        findings.collect(),
    )
}

#[test]
fn attachments_without_talk() {
    let circle = |number: usize| Some((number + COUNT - 1) % COUNT);
    let line = |number: usize| number.checked_sub(1);
    for parent in [circle as fn(usize) -> Option<usize>, line] {
        let records = (0..COUNT).map(|number| record("attachment", number, parent(number), 0));
        let (count, chain, _) = chain(&records.collect::<String>());
        assert_eq!(count, COUNT);
        assert_eq!(chain.leaf, Some(COUNT - 1));
        assert_eq!(chain.reason, LeafReason::LastInFile);
        assert_eq!(chain.walk.len(), COUNT);
    }
}

#[test]
fn talk_on_a_chain_of_progress() {
    let mut text = record("user", 0, None, 0);
    for number in 0..COUNT {
        let (progress, before) = (2 * number + 1, (2 * number).saturating_sub(1));
        text += &record("progress", progress, Some(before), 0);
        text += &record("user", progress + 1, Some(progress), 0);
    }
    let (_, chain, _) = chain(&text);
    // All hang on the first one.
    assert_eq!(chain.walk, [0, 2 * COUNT]);
    assert_eq!(chain.other_leaves.len(), COUNT - 1);
}

#[test]
fn parents_that_are_all_missing() {
    let records = (0..COUNT).map(|number| record("user", number, Some(number + COUNT), number));
    let (_, chain, findings) = chain(&records.collect::<String>());
    // The client goes on at the record before, a second older.
    assert_eq!(chain.walk.len(), COUNT);
    assert_eq!(chain.faults.len(), COUNT);
    let missing = findings
        .iter()
        .filter(|about| **about == About::MissingParent);
    assert_eq!(missing.count(), COUNT);
}

#[test]
fn islands_beside_a_broken_chain() {
    // A long branch that the walk does not reach, and a walk whose parent is missing.
    let mut text = String::new();
    for number in 0..COUNT {
        text += &record("user", number, number.checked_sub(1), number);
    }
    text += &record("user", COUNT + 1, Some(COUNT + 9), 2 * COUNT);
    let (_, chain, findings) = chain(&text);
    assert_eq!(chain.walk, [COUNT]);
    assert!(findings.contains(&About::MissingParent));
}
