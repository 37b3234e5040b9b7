//! The result as JSON.

use super::*;

/// The keys of design.md 3.
#[test]
fn a_result_has_the_documented_form() {
    let transcript = transcript(vec![
        prompt("Go."),
        call("Bash", json!({"command": "make"}), &"x".repeat(40_000)),
        say("Made."),
        Step::Prompt {
            text: "Look.".to_owned(),
            listed: true,
            image: true,
        },
    ]);
    let context = context(&transcript, Vec::new());
    let result = Pipeline::paper(Paper::default()).run(context, &Budget::of(167_000));
    let json = serde_json::to_value(&result).expect("results are plain data");
    let uuid = |number: u32| format!("00000000-0000-4000-8000-{number:012}");
    assert_eq!(json["before"]["messages"], 7);
    assert_eq!(json["before"]["anchor"], Value::Null);
    let budget = &json["stages"][0];
    assert_eq!(budget["stage"], "budget");
    assert_eq!(
        (&budget["enabled"], &budget["fired"]),
        (&json!(true), &json!(true))
    );
    let change = &budget["changes"][0];
    assert_eq!(change["uuid"], uuid(4));
    assert_eq!(change["block"], 0);
    assert_eq!(change["action"], "trimmed");
    assert_eq!(change["why"], "over-limit");
    assert_eq!(change["recover"], "transcript");
    assert_eq!(change["tokens_before"], 10_000);
    let messages = json["context"].as_array().expect("a list");
    let last = messages
        .iter()
        .find(|message| message["uuid"] == uuid(7))
        .expect("the prompt");
    assert_eq!(last["role"], "user");
    assert_eq!(
        last["blocks"],
        json!([
            {"type": "text", "text": "Look.", "tokens": 1, "line": 5},
            {"type": "image", "tokens": 2_000, "line": 5, "source":
                {"type": "base64", "media_type": "image/png", "data_chars": 96}},
        ])
    );
    let fixed: u64 = result.context.messages.iter().map(tokens_of).sum();
    assert_eq!(json["tokens"], fixed);
}
