//! Public reports on damaged sessions, entries of the bug bank under their ids: each is carried
//! over, and what is made reads as planned by both clients.

use std::collections::BTreeSet;
use std::fs;

use outcrop_compactor::carry::{self, CarryError, Identity, Options, Plan};
use outcrop_compactor::chain::Chain;
use outcrop_compactor::transcript::Transcript;
use outcrop_loader::client::Client;
use outcrop_tests::case;
use serde_json::Value;

/// The sessions of the bank by the report's id.
fn sessions() -> Vec<(String, Vec<u8>)> {
    let mut sessions = Vec::new();
    for bank in ["bugbank-doctor.json", "bugbank-sessions.json"] {
        let text = fs::read_to_string(case::cases_folder().join(bank)).unwrap();
        let entries: Vec<Value> = serde_json::from_str(&text).unwrap();
        for entry in entries {
            let id = entry["id"].as_str().unwrap();
            for (path, text) in entry["files"].as_object().unwrap() {
                let is_session = path.ends_with(".jsonl") && !path.contains("/subagents/");
                if let Some(text) = text.as_str().filter(|_| is_session) {
                    sessions.push((id.to_owned(), text.as_bytes().to_vec()));
                }
            }
        }
    }
    sessions
}

fn client(version: &str) -> Client {
    Client::of(version.parse().unwrap()).unwrap()
}

/// The plan of a session, whose result was read again; none where nobody asked anything.
fn carried(id: &str, bytes: &[u8]) -> Option<Plan> {
    let newest = client("2.1.332");
    let transcript = Transcript::read(bytes).unwrap();
    let chain = Chain::of(&transcript, &newest.behaviour.resume).unwrap();
    if chain.refused.is_some() {
        return None;
    }
    let plan = match carry::plan(&transcript, &chain, &newest, &Options::default()) {
        Ok(plan) => plan,
        Err(CarryError::NoRequest) => return None,
        Err(error) => panic!("{id}: {error}"),
    };
    let identity = Identity::of(&transcript, &chain, Identity::seeded(id));
    let lines = carry::lines(&plan, &identity).join("\n") + "\n";
    let made = Transcript::read(lines.as_bytes()).unwrap();
    for client in [newest, client("2.1.197")] {
        let unsound = carry::check(&made, &plan, &client).unwrap();
        assert_eq!(unsound, None, "{id} {}", client.version);
    }
    Some(plan)
}

#[test]
fn every_session_of_the_bank_is_carried_over_sound() {
    let sessions = sessions();
    let mut made = BTreeSet::new();
    for (id, bytes) in &sessions {
        if let Some(plan) = carried(id, bytes) {
            assert!(plan.tokens <= plan.target, "{id}");
            made.insert(id.as_str());
        }
    }
    println!("{} of {} sessions carried over", made.len(), sessions.len());
    // Those that kill a session: orphans, gaps, branches, torn lines, thoughts, images.
    for id in [
        "B104", "B106", "B107", "B109", "B110", "B114", "B117", "B120", "B122", "B125", "B126",
        "B131", "B132", "B134", "B135",
    ] {
        assert!(made.contains(id), "{id} is not carried over");
    }
}

fn of(id: &str) -> Plan {
    let (_, bytes) = sessions().into_iter().find(|(own, _)| own == id).unwrap();
    carried(id, &bytes).unwrap()
}

fn text(plan: &Plan) -> String {
    let blocks = plan.messages.iter().flat_map(|message| &message.blocks);
    blocks.cloned().collect::<Vec<_>>().join("\n")
}

/// B112: a cleaner lost the permission mode and the title.
#[test]
fn b112_mode_and_title_are_told() {
    let plan = of("B112");
    let header = &plan.messages[0].blocks[0];
    assert!(header.contains("Permission mode: acceptEdits"), "{header}");
    assert!(header.contains("Title: "), "{header}");
}

/// B134: a thought without signature makes a resumed session fail; what was said beside it stays.
#[test]
fn b134_thoughts_in_an_answer_stay_behind() {
    let (_, bytes) = sessions().into_iter().find(|(id, _)| id == "B134").unwrap();
    let said = text(&of("B134"));
    let mut thoughts = 0;
    for line in std::str::from_utf8(&bytes).unwrap().lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        for block in record["message"]["content"]
            .as_array()
            .into_iter()
            .flatten()
        {
            if let Some(thought) = block["thinking"].as_str() {
                thoughts += 1;
                assert!(!said.contains(thought), "{thought}");
            }
        }
    }
    assert!(thoughts > 0);
}

/// B135: one answer in several records, of which one is a thought.
#[test]
fn b135_a_record_that_is_a_thought_stays_behind() {
    let plan = of("B135");
    let mut verdicts = plan.verdicts.iter();
    let thought = verdicts.find(|verdict| verdict.reasons == [carry::Reason::Thinking]);
    assert_eq!(
        thought.map(|thought| thought.fate),
        Some(carry::Fate::Dropped)
    );
}

/// B110, B114: branches that were left are not mixed into the talk.
#[test]
fn b110_b114_one_branch_is_carried_over() {
    for id in ["B110", "B114"] {
        let (_, bytes) = sessions().into_iter().find(|(own, _)| own == id).unwrap();
        let transcript = Transcript::read(&*bytes).unwrap();
        let chain = Chain::of(&transcript, &client("2.1.332").behaviour.resume).unwrap();
        let told: BTreeSet<usize> = of(id).verdicts.iter().map(|told| told.record).collect();
        assert_eq!(told, chain.records.iter().copied().collect(), "{id}");
    }
}
