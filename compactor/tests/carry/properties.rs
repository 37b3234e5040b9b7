//! What holds of every carry-over.

use outcrop_compactor::carry::{CarryError, Options};
use outcrop_compactor::testing::session;
use outcrop_compactor::transcript::Transcript;
use proptest::prelude::*;

use crate::world::{plan, text, unsound, written};

/// Sentences of the session that may be pinned.
fn pins(bytes: &[u8]) -> Vec<String> {
    let transcript = Transcript::read(bytes).unwrap();
    let uuids = transcript
        .index()
        .entries()
        .iter()
        .filter_map(|entry| entry.uuid);
    uuids
        .map(|uuid| transcript.index().text(uuid).to_owned())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn it_fits_alternates_and_is_resumed(
        session in session(),
        target in 300_u64..60_000,
        tail in 0_usize..20,
        pin in proptest::option::of(any::<prop::sample::Index>()),
    ) {
        let bytes = session.write().bytes;
        let all = pins(&bytes);
        let pin = pin.filter(|_| !all.is_empty()).map(|pin| pin.get(&all).clone());
        let options = Options {
            target,
            tail,
            pins: pin.into_iter().collect(),
            ..Options::default()
        };
        let plan = match plan(&bytes, &options) {
            Ok(plan) => plan,
            Err(CarryError::TooSmall { needed, .. }) => {
                prop_assert!(needed > target);
                return Ok(());
            }
            // Records of the client's hold no text to pin.
            Err(CarryError::NoRequest | CarryError::Unknown { .. }) => return Ok(()),
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        };
        prop_assert!(plan.tokens <= target, "{} of {target}", plan.tokens);
        prop_assert!(plan.tail <= tail);
        let roles: Vec<&str> = plan.messages.iter().map(|message| message.role.name()).collect();
        for (number, role) in roles.iter().enumerate() {
            let wanted = if number % 2 == 0 { "user" } else { "assistant" };
            prop_assert_eq!(*role, wanted);
        }
        prop_assert_eq!(unsound(&bytes, &plan), None);
        // No call and no result comes over, so none is without the other.
        for line in written(&bytes, &plan, "seed") {
            let record: serde_json::Value = serde_json::from_str(&line).unwrap();
            if let Some(blocks) = record["message"]["content"].as_array() {
                prop_assert!(blocks.iter().all(|block| block["type"] == "text"));
            }
        }
        let last = last_request(&plan, &bytes);
        prop_assert!(last.iter().all(|request| text(&plan).contains(request)));
        prop_assert_eq!(&plan, &crate::world::plan(&bytes, &options).unwrap());
    }
}

/// The texts of the last request, as they stand in the transcript.
fn last_request(plan: &outcrop_compactor::carry::Plan, bytes: &[u8]) -> Vec<String> {
    let transcript = Transcript::read(bytes).unwrap();
    let request = plan.verdicts.iter().rfind(|verdict| {
        verdict
            .reasons
            .contains(&outcrop_compactor::carry::Reason::LastRequest)
    });
    let entry = &transcript.index().entries()[request.unwrap().record];
    match transcript.record(entry).unwrap().content {
        outcrop_compactor::transcript::record::Content::Text(text) => vec![text],
        _ => Vec::new(),
    }
}
