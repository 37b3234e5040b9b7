//! What must hold of any session, and of one where all of it is known.

use outcrop_loader::client::Client;
use outcrop_loader::tokens::{Family, Model};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use super::*;
use crate::testing::session;

const MODEL: fn() -> Model = || Model::plain(Family::NEWEST);

fn inspected(text: &str, limit: usize) -> (Inspection, Vec<Vec<BlockRow>>) {
    let transcript = Transcript::read(text.as_bytes()).unwrap();
    let client = Client::newest();
    let chain = Chain::of(&transcript, &client.behaviour.resume).unwrap();
    let found = Inspection::of(&transcript, &chain, &client, MODEL(), limit).unwrap();
    let turns = found.turns.iter().map(|row| {
        let rows = turn(&transcript, &chain, &client, MODEL(), row.turn);
        rows.unwrap().unwrap()
    });
    let turns = turns.collect();
    (found, turns)
}

fn tokens(found: &Inspection, category: Category) -> (u64, usize) {
    let mut shares = found.context.categories.iter();
    let share = shares.find(|share| share.category == category);
    share.map_or((0, 0), |share| (share.tokens, share.blocks))
}

/// Two reads of one file in parallel, whose first result hangs beside the walk; then a compaction
/// that keeps the last answer, a third read, and a picture.
fn session_of_reads() -> String {
    let code = "let value = parse(input)?;\n".repeat(40);
    let code = serde_json::to_string(&code).unwrap();
    let usage = |tokens: u64| {
        format!(
            r#""usage":{{"input_tokens":10,"cache_creation_input_tokens":90,"cache_read_input_tokens":{},"output_tokens":100}}"#,
            tokens - 200
        )
    };
    let call = |uuid: &str, parent: &str, message: &str, call: &str, usage: &str| {
        format!(
            r#"{{"type":"assistant","uuid":"{uuid}","parentUuid":"{parent}","message":{{"id":"{message}","model":"claude-opus-5-5","role":"assistant","content":[{{"type":"tool_use","id":"{call}","name":"Read","input":{{"file_path":"/srv/a.rs"}}}}],{usage}}}}}"#
        )
    };
    let result = |uuid: &str, parent: &str, call: &str| {
        format!(
            r#"{{"type":"user","uuid":"{uuid}","parentUuid":"{parent}","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{call}","content":{code}}}]}}}}"#
        )
    };
    let answer = |uuid: &str, parent: &str, message: &str, text: &str, usage: &str| {
        format!(
            r#"{{"type":"assistant","uuid":"{uuid}","parentUuid":"{parent}","message":{{"id":"{message}","model":"claude-opus-5-5","role":"assistant","content":[{{"type":"text","text":"{text}"}}],{usage}}}}}"#
        )
    };
    [
        r#"{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"M_U1"}}"#.to_owned(),
        call("a1", "u1", "m1", "t1", &usage(20_000)),
        call("a2", "a1", "m1", "t2", &usage(20_000)),
        result("r1", "a1", "t1"),
        result("r2", "a2", "t2"),
        answer("a3", "r2", "m2", "M_A3", &usage(24_000)),
        r#"{"type":"system","subtype":"compact_boundary","uuid":"b","parentUuid":null,"logicalParentUuid":"a3","compactMetadata":{"trigger":"manual","preTokens":24000,"postTokens":9000,"preservedSegment":{"headUuid":"a3","anchorUuid":"s","tailUuid":"a3"}}}"#.to_owned(),
        r#"{"type":"user","uuid":"s","parentUuid":"b","isCompactSummary":true,"message":{"role":"user","content":"M_SUMMARY"}}"#.to_owned(),
        r#"{"type":"user","uuid":"u2","parentUuid":"s","message":{"role":"user","content":[{"type":"text","text":"M_U2"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0K"}}]}}"#.to_owned(),
        call("a4", "u2", "m3", "t3", &usage(12_000)),
        result("r3", "a4", "t3"),
    ]
    .join("\n")
}

#[test]
fn the_window_is_told_by_category_and_counted_from_the_last_usage() {
    let (found, _) = inspected(&session_of_reads(), 10);
    let anchor = found.context.anchor.unwrap();
    assert_eq!((anchor.line, anchor.sent, anchor.output), (10, 11_900, 100));
    let (result, _) = tokens(&found, Category::Results);
    assert_eq!(anchor.after, result);
    assert_eq!(found.context.tokens, 12_000 + result);
    let rest = found.context.not_in_transcript.unwrap();
    assert_eq!(rest + found.context.counted, found.context.tokens);
    assert_eq!(tokens(&found, Category::Images).1, 1);
    assert_eq!(tokens(&found, Category::Summary).1, 1);
    assert_eq!(tokens(&found, Category::Prompts).1, 1);
    assert_eq!(tokens(&found, Category::Answers).1, 1);
    assert_eq!((found.pictures, found.images[0].bytes), (1, 6));
}

#[test]
fn turns_are_told_with_the_compactions_between() {
    let (found, turns) = inspected(&session_of_reads(), 10);
    let rows = found
        .turns
        .iter()
        .map(|row| (row.tokens, row.growth, row.compactions));
    let rows: Vec<_> = rows.collect();
    assert_eq!(rows, [(Some(24_000), None, 0), (Some(12_000), None, 1)]);
    let compaction = &found.compactions[0];
    assert_eq!(
        (compaction.turn, compaction.is_within, compaction.kept),
        (1, false, Some(1))
    );
    // Both results of the calls that were made at once are there.
    let results = turns[0]
        .iter()
        .filter(|row| row.category == Category::Results);
    let lines: Vec<u32> = results.map(|row| row.spot.line).collect();
    assert_eq!(lines, [4, 5]);
    assert!(turns[0].iter().any(|row| row.is_boundary));
}

#[test]
fn a_file_that_is_read_again_unchanged_is_a_waste() {
    let (found, _) = inspected(&session_of_reads(), 10);
    let [again] = &found.duplicates[..] else {
        panic!("one result stands there again: {:?}", found.duplicates);
    };
    assert!(again.is_unchanged_read);
    assert_eq!(again.wasted, 2 * again.tokens);
    assert_eq!(again.wasted_now, 0);
    let lines: Vec<u32> = again.places.iter().map(|row| row.spot.line).collect();
    assert_eq!(lines, [4, 5, 11]);
    assert_eq!(again.places[0].target.as_deref(), Some("/srv/a.rs"));
    assert_eq!(found.largest.len(), 3);
    // A change anywhere, and it is another result.
    let changed = session_of_reads().replacen("parse(input)", "parse(other)", 1);
    let (found, _) = inspected(&changed, 10);
    assert_eq!(found.duplicates[0].places.len(), 2);
}

#[test]
fn lists_end_at_their_limit() {
    let (found, _) = inspected(&session_of_reads(), 1);
    assert_eq!((found.largest.len(), found.results), (1, 3));
    assert_eq!((found.duplicates.len(), found.duplicated), (1, 1));
    assert_eq!(found.turns[0].prompt, None);
    assert_eq!(found.turns[1].prompt.as_deref(), Some("M_U2"));
}

/// Numbers that no service reports, and a chain that goes round.
#[test]
fn absurd_numbers_are_only_numbers() {
    let text = session_of_reads()
        .replace(
            r#""output_tokens":100"#,
            r#""output_tokens":18446744073709551615"#,
        )
        .replace(
            r#""uuid":"u1","parentUuid":null"#,
            r#""uuid":"u1","parentUuid":"a3""#,
        );
    let (found, _) = inspected(&text, 10);
    assert_eq!(found.context.tokens, u64::MAX);
    assert_eq!(found.turns.len(), 2);
    let (found, turns) = inspected("", 10);
    assert_eq!((found.context.tokens, turns.len()), (0, 0));
}

proptest! {
    #![proptest_config(Config {
        cases: 96,
        rng_seed: RngSeed::Fixed(0x696e_7370),
        failure_persistence: None,
        ..Config::default()
    })]

    #[test]
    fn the_parts_make_up_the_whole(session in session()) {
        let written = session.write();
        let text = String::from_utf8_lossy(&written.bytes);
        let (found, turns) = inspected(&text, usize::MAX);
        let context = &found.context;
        let parts: u64 = context.categories.iter().map(|share| share.tokens).sum();
        prop_assert_eq!(parts, context.counted);
        let of_turns: u64 = found.turns.iter().map(TurnRow::tokens_now).sum();
        prop_assert_eq!(of_turns, context.counted);
        prop_assert_eq!(context.tokens, context.counted + context.not_in_transcript.unwrap_or(0));
        for share in &context.categories {
            let tools: u64 = share.tools.iter().map(|tool| tool.tokens).sum();
            prop_assert!(share.tools.is_empty() || tools <= share.tokens);
        }
        let results = turns.iter().flatten().filter(|row| row.category == Category::Results);
        prop_assert_eq!(results.count(), found.results);
        prop_assert_eq!(found.largest.len(), found.results);
        for pair in found.largest.windows(2) {
            prop_assert!(pair[0].tokens >= pair[1].tokens);
        }
        for again in &found.duplicates {
            prop_assert!(again.places.len() > 1 && again.wasted >= again.wasted_now);
        }
    }

    #[test]
    fn what_was_used_does_not_depend_on_the_order_of_files(
        answers in prop::collection::vec((0..6u8, 0..3usize, 1..1000u64), 0..24),
    ) {
        let line = |(id, _, output): &(u8, usize, u64)| {
            format!(
                r#"{{"type":"assistant","isSidechain":true,"uuid":"x","message":{{"id":"m{id}","content":[],"usage":{{"output_tokens":{output}}}}}}}"#
            )
        };
        let file = |of: usize| {
            let own = answers.iter().filter(|(_, file, _)| *file == of);
            let text: Vec<String> = own.map(line).collect();
            crate::transcript::Index::of(text.join("\n").as_bytes()).unwrap()
        };
        let empty = crate::transcript::Index::default();
        let files = [file(0), file(1), file(2)];
        let order = |order: [usize; 3]| {
            spending(&empty, order.map(|at| ("a", &files[at]))).total.requests
        };
        let ids: std::collections::BTreeSet<u8> = answers.iter().map(|(id, ..)| *id).collect();
        prop_assert_eq!(order([0, 1, 2]), ids.len());
        prop_assert_eq!(order([2, 0, 1]), ids.len());
    }
}
