//! Public reports of broken transcripts: each entry's expectation is a test under its id.
//!
//! An entry is asserted key by key. Where a client was seen to do something else than an entry
//! expects, the observation wins: the test gives what holds instead, and why. B151, about a session
//! that still runs, is a test of the command's own (`cli/src/start/new_file.rs`).

mod recorded;
mod seen;

use std::collections::{BTreeMap, BTreeSet};

use outcrop_compactor::conversation::Role;
use outcrop_compactor::doctor::About;
use outcrop_tests::case;
use serde_json::{Value, json};

use seen::{Seen, entry, usage};

fn check(id: &str) {
    check_instead(id, &[], &json!({}));
}

/// Checks an entry whose repair is asked for with more flags, or of which some keys are not what
/// a client was seen to do: `instead` has what holds.
fn check_instead(id: &str, flags: &[&str], instead: &Value) {
    let entry = entry(id);
    let mut files: Vec<(String, String)> = entry.files.into_iter().collect();
    files.extend(
        entry
            .generate
            .into_iter()
            .map(|(path, made)| (path, made.text())),
    );
    let [(path, text)] = <[_; 1]>::try_from(files).unwrap();
    let seen = Seen::of(text.into_bytes());
    let flags: Vec<&str> = entry
        .args
        .iter()
        .map(String::as_str)
        .chain(flags.iter().copied())
        .collect();
    let repaired = seen.repaired(&flags);
    let again = repaired.repaired(&flags);
    assert!(
        again.text == repaired.text,
        "{id}: a second repair changes nothing"
    );
    let mut checks = entry.check;
    checks.extend(instead.as_object().unwrap().clone());
    assert!(!checks.is_empty());
    for (key, want) in &checks {
        check_key(key, want, &path, &seen, &repaired);
    }
}

fn check_key(key: &str, want: &Value, path: &str, seen: &Seen, repaired: &Seen) {
    let chain = &seen.chain;
    let texts = |want: &Value| -> Vec<String> { serde_json::from_value(want.clone()).unwrap() };
    match key {
        "findings" => {
            let got = seen.findings();
            let want = want.as_array().unwrap();
            assert_eq!(got.len(), want.len(), "{got:#?}");
            for (want, got) in want.iter().zip(&got) {
                for (key, want) in want.as_object().unwrap() {
                    assert_eq!(&got[key], want, "{key} of {got}");
                }
            }
        }
        "lint" => {
            for lint in want.as_array().unwrap() {
                assert_eq!(lint["file"], path);
                let about = |finding: &Value| finding["about"] == lint["about"];
                assert!(seen.findings().iter().any(about), "{lint}");
            }
        }
        "records" | "distinct_records" => assert_eq!(json!(seen.examination.records), *want),
        "boundaries" => {
            let boundary = |value: &Value| *value == "compact_boundary";
            assert_eq!(
                json!(
                    seen.values("subtype")
                        .iter()
                        .filter(|value| boundary(value))
                        .count()
                ),
                *want
            );
            assert!(seen.examination.boundary.is_none());
        }
        "cleared_results" => {
            let findings = seen.findings();
            let cleared = findings
                .iter()
                .filter(|finding| finding["about"] == "cleared-tool-result");
            assert_eq!(
                json!(cleared.map(|finding| &finding["id"]).collect::<Vec<_>>()),
                *want
            );
        }
        "chosen_leaf" => {
            let (leaf, _) = seen.examination.leaf.as_ref().unwrap();
            assert_eq!(json!(leaf.record), *want);
        }
        "other_leaves" => {
            let others = seen
                .examination
                .branches
                .iter()
                .map(|branch| branch.record.clone().unwrap());
            assert_eq!(others.collect::<Vec<_>>(), texts(want));
        }
        "branches" => assert_eq!(json!(1 + seen.examination.branches.len()), *want),
        // It says in words what the other keys check.
        "note" => assert!(want.is_string()),
        "reachable" => assert_eq!(json!(seen.examination.reach.strict), *want),
        "unreachable" => assert_eq!(json!(seen.examination.reach.unreachable), *want),
        "before_boundary" => assert_eq!(json!(seen.examination.reach.before_boundary), *want),
        "effective" => {
            let effective: Vec<usize> = chain
                .boundary
                .into_iter()
                .chain(chain.records.clone())
                .collect();
            assert_eq!(seen.uuids(&effective), texts(want));
        }
        "pairs" => {
            let results: BTreeMap<String, String> = seen.results().into_iter().collect();
            assert_eq!(json!(results), *want);
        }
        "largest_record" => {
            let largest = seen.examination.largest.as_ref().unwrap();
            assert_eq!(json!(largest.mark.record), *want);
        }
        "assistant_messages" => {
            let messages = seen.conversation.messages.iter();
            let answers = messages.filter(|message| message.role == Role::Assistant);
            assert_eq!(json!(answers.count()), *want);
        }
        "usage_total" => assert_eq!(usage(seen), *want),
        "text_blocks" => {
            let talk = seen
                .records()
                .into_iter()
                .filter(|record| record["type"] == "assistant");
            let blocks = talk.map(|record| record["message"]["content"][0]["text"].clone());
            assert_eq!(json!(blocks.collect::<Vec<_>>()), *want);
        }
        _ => check_repaired(key, want, seen, repaired),
    }
}

fn check_repaired(key: &str, want: &Value, seen: &Seen, repaired: &Seen) {
    let texts = |want: &Value| -> Vec<String> { serde_json::from_value(want.clone()).unwrap() };
    let strings = |key: &str| -> BTreeSet<String> {
        let values = repaired.values(key).into_iter();
        values
            .filter_map(|value| value.as_str().map(str::to_owned))
            .collect()
    };
    match key {
        "fixed_chain" => assert_eq!(repaired.uuids(&repaired.chain.records), texts(want)),
        "fixed_keeps_text" => {
            for text in texts(want) {
                assert!(strings("text").contains(&text), "{text}");
            }
            assert!(repaired.examination.findings.is_empty());
        }
        "fixed_results_in_order" => {
            let results = repaired.results().into_iter().map(|(id, _)| id);
            assert_eq!(results.collect::<Vec<_>>(), texts(want));
        }
        "siblings" => {
            let parents = texts(want);
            let parents = parents
                .iter()
                .map(|uuid| repaired.record(uuid)["parentUuid"].clone());
            let parents: Vec<Value> = parents.collect();
            assert!(
                parents.windows(2).all(|two| two[0] == two[1]),
                "{parents:?}"
            );
        }
        "fixed_parent" => {
            let moved = want.as_object().unwrap();
            for (uuid, parent) in moved {
                assert_eq!(repaired.record(uuid)["parentUuid"], *parent, "{uuid}");
            }
            // No other link is changed, but of what goes.
            for record in repaired.records() {
                let uuid = record["uuid"].as_str().unwrap();
                if !moved.contains_key(uuid) {
                    assert_eq!(
                        record["parentUuid"],
                        seen.record(uuid)["parentUuid"],
                        "{uuid}"
                    );
                }
            }
        }
        "rewrite_keeps_types" => {
            let mut kept = strings("type");
            kept.extend(strings("subtype"));
            for kind in texts(want) {
                assert!(kept.contains(&kind), "{kind}");
            }
        }
        "kept_permission_mode" => {
            let modes = repaired.values("permissionMode");
            assert_eq!(modes.last(), Some(want));
        }
        "rewrite_adds" => {
            let is_boundary = |record: &&Value| record["subtype"] == "compact_boundary";
            let records = repaired.records();
            let boundary = records.iter().find(is_boundary).unwrap();
            for path in texts(want) {
                let pointer = format!("/{}", path.replace('.', "/"));
                assert!(
                    boundary
                        .pointer(&pointer)
                        .is_some_and(|value| !value.is_null()),
                    "{path}"
                );
            }
            assert_eq!(boundary["compactMetadata"]["preTokens"], 1_030);
        }
        "fixed_contains" => {
            for text in texts(want) {
                assert!(strings("content").contains(&text), "{text}");
            }
        }
        "fixed_has_no" => {
            assert!(!strings("type").contains(want.as_str().unwrap()));
            assert!(
                strings("text")
                    .iter()
                    .any(|text| text.starts_with("[image removed: "))
            );
        }
        "fixed_thinking" => {
            for (uuid, count) in want.as_object().unwrap() {
                let record = repaired.record(uuid);
                let blocks = record["message"]["content"].as_array().unwrap();
                let thoughts = blocks.iter().filter(|block| block["type"] == "thinking");
                assert_eq!(json!(thoughts.count()), *count, "{uuid}");
            }
        }
        "second_run_equal" => {
            assert_eq!(*want, true);
            assert!(repaired.examination.findings.is_empty());
        }
        "unchanged_lines" => {
            let lines = |seen: &Seen| -> Vec<String> {
                let text = String::from_utf8(seen.text.clone()).unwrap();
                text.lines().map(str::to_owned).collect()
            };
            for line in want.as_array().unwrap() {
                let number = usize::try_from(line.as_u64().unwrap()).unwrap() - 1;
                assert_eq!(lines(seen)[number], lines(repaired)[number]);
            }
        }
        other => panic!("unknown check {other}"),
    }
}

macro_rules! reports {
    ($($name:ident $id:literal;)*) => {
        $(#[test]
        fn $name() {
            check($id);
        })*
    };
}

reports! {
    b094_cleared_results_are_no_compaction "B094";
    b100_a_boundary_without_anchors "B100";
    b101_a_boundary_without_metadata "B101";
    b104_a_result_without_its_call "B104";
    b106_the_end_inside_a_call "B106";
    b107_results_of_parallel_calls "B107";
    b112_records_of_state_stay "B112";
    b115_progress_is_no_branch "B115";
    b117_what_counts_after_a_compaction "B117";
    b118_the_record_before_a_boundary_is_gone "B118";
    b120_a_torn_last_line "B120";
    b122_two_records_on_one_line "B122";
    b123_a_block_of_nul "B123";
    b125_half_of_a_surrogate_pair "B125";
    b126_a_byte_order_mark "B126";
    b128_a_giant_line "B128";
    b129_an_image_that_is_too_large "B129";
    b131_an_image_of_another_type "B131";
    b132_empty_texts "B132";
    b134_thoughts_without_signature "B134";
    b135_thoughts_stripped "B135";
    b143_an_answer_of_two_records "B143";
    b150_a_second_repair_changes_nothing "B150";
}

/// Links are mended on request only; without it nothing changes.
#[test]
fn b109_a_missing_parent() {
    check("B109");
    let seen = Seen::of(
        entry("B109")
            .files
            .into_values()
            .next()
            .unwrap()
            .into_bytes(),
    );
    assert!(seen.repaired(&[]).text == seen.text);
    let repaired = seen.repaired(&["--relink"]);
    assert_eq!(repaired.record("u0021")["parentUuid"], "u0020");
    assert_eq!(repaired.examination.reach.strict, 22);
    assert_eq!(repaired.examination.reach.unreachable, 0);
}

#[test]
fn b110_no_link_goes_by_time() {
    check_instead("B110", &["--relink"], &json!({}));
}

/// Both clients were seen to go on from the branch on which the last note hangs, not from the
/// newest answer (docs/facts-sessions.md 116, case leaf-end-system-on-fork): the other branch is listed.
#[test]
fn b114_a_note_decides_the_branch() {
    check_instead(
        "B114",
        &[],
        &json!({"chosen_leaf": "u0004", "other_leaves": ["u0012"]}),
    );
}

/// The page of JSON forms names each kind of finding.
#[test]
fn each_kind_is_documented() {
    let page = std::fs::read_to_string(case::cases_folder().join("../../docs/json.md")).unwrap();
    for about in About::ALL {
        let row = format!("| `{}` | {} |", about.name(), about.what());
        assert!(page.contains(&row), "{row}");
    }
}
