//! Refusals: by stop reason, error flag and subtype, and by nothing that anybody says.

use outcrop_compactor::poison::{Rule, Severity};
use serde_json::json;

use crate::story::{Story, examine_bytes};
use Severity::{Error, Notice, Warning};

/// An error about policy, in words of our own.
const POLICY: &str = "API Error: this request appears to violate our Usage Policy. Begin anew.";

#[test]
fn a_stop_reason() {
    let story = Story::new().turn(1).prompt("M_U2").refused("bio");
    assert_eq!(story.found(), [(Rule::Refusal, Error, 4)]);
    let poison = story.poison();
    assert!(poison.is_blocking());
    let finding = &poison.findings[0];
    assert_eq!(finding.record.as_deref(), Some("u4"));
    assert_eq!(finding.turn, Some(2));
    assert_eq!(
        finding.reason,
        "stop reason refusal, category bio, and no answer since"
    );
    assert_eq!(finding.excerpt.as_deref(), Some("I stop here."));
}

#[test]
fn an_error_about_policy() {
    let story = Story::new().turn(1).prompt("M_U2").error(POLICY);
    assert_eq!(story.found(), [(Rule::Refusal, Error, 4)]);
}

#[test]
fn the_clients_record_of_a_refusal() {
    let note = json!({"subtype": "model_refusal_no_fallback", "originalModel": "claude-opus-5-5",
        "apiRefusalCategory": "cyber", "refusedUserMessageUuid": "u3",
        "content": "The model declined."});
    let story = Story::new().turn(1).prompt("M_U2").record("system", note);
    assert_eq!(story.found(), [(Rule::Refusal, Error, 4)]);
    let reason = &story.poison().findings[0].reason;
    assert!(reason.contains("category cyber"), "{reason}");
}

/// What one request left is one refusal.
#[test]
fn records_of_one_request() {
    let note = json!({"subtype": "model_refusal_no_fallback", "apiRefusalCategory": "cyber"});
    let story = Story::new()
        .turn(1)
        .prompt("M_U2")
        .refused("cyber")
        .record("system", note)
        .error(POLICY);
    assert_eq!(story.found(), [(Rule::Refusal, Error, 4)]);
    assert_eq!(
        story.poison().findings[0].reason,
        "stop reason refusal, category cyber, model_refusal_no_fallback, an API error about \
         policy, and no answer since"
    );
}

#[test]
fn another_model_goes_on() {
    let note = json!({"subtype": "model_refusal_fallback", "apiRefusalCategory": "cyber",
        "fallbackModel": "claude-opus-4-8", "content": "Switched."});
    let story = Story::new()
        .prompt("M_U1")
        .record("system", note)
        .answer("M_A1");
    assert_eq!(story.found(), [(Rule::Refusal, Notice, 2)]);
}

/// The service took what it had refused, or a summary of it.
#[test]
fn the_session_went_on() {
    let story = Story::new().turn(1).prompt("M_U2").error(POLICY);
    assert_eq!(
        story.turn(3).found(),
        [(Rule::Refusal, Warning, 4)],
        "an answer"
    );
    let story = Story::new().turn(1).prompt("M_U2").error(POLICY).boundary();
    assert_eq!(story.found(), [(Rule::Refusal, Warning, 4)], "a summary");
}

#[test]
fn refusals_in_a_row() {
    let mut story = Story::new().turn(1);
    for _ in 0..3 {
        story = story.prompt("M_AGAIN").error(POLICY);
    }
    assert_eq!(
        story.found(),
        [
            (Rule::Refusal, Error, 4),
            (Rule::RepeatedRefusals, Error, 4),
            (Rule::Refusal, Error, 6),
            (Rule::Refusal, Error, 8),
        ]
    );
    assert_eq!(story.poison().findings[1].count, 3);
    let went_on = story.turn(5).found();
    assert_eq!(
        went_on.iter().map(|(_, severity, _)| *severity).max(),
        Some(Error),
        "three in the last turns"
    );
}

#[test]
fn refusals_between_answers() {
    let two = Story::new()
        .turn(1)
        .prompt("M_U2")
        .error(POLICY)
        .turn(3)
        .prompt("M_U4")
        .refused("bio")
        .turn(5);
    assert!(!two.poison().is_blocking());
    let three = two.prompt("M_U6").error(POLICY).turn(7);
    assert!(three.found().contains(&(Rule::RepeatedRefusals, Error, 4)));
    // They are history once many turns went well.
    let later = (8..20).fold(three, |story, number| story.turn(number));
    assert!(!later.poison().is_blocking());
}

/// Fault 14 of the reference script: a talk about refusals is no refusal.
#[test]
fn a_talk_about_refusals() {
    let mut story = Story::new();
    for _ in 0..6 {
        story = story
            .prompt("Why does the AUP error say \"appears to violate our Usage Policy\"? 违反政策")
            .answer(
                "stop_reason refusal, isApiErrorMessage, model_refusal_no_fallback: I can't \
                 assist with that is what a refusal loop says; policy violation, unsafe content.",
            )
            .call("Bash", json!({"command": "grep -n 'Usage Policy' log"}))
            .result(&format!("3: {POLICY}\n\"stop_reason\":\"refusal\""), true);
    }
    let story = story.answer("M_END");
    let findings = story.found();
    assert!(
        findings.iter().all(|(_, severity, _)| *severity < Error),
        "{findings:?}"
    );
    let rules: Vec<Rule> = findings.into_iter().map(|(rule, ..)| rule).collect();
    assert!(!rules.contains(&Rule::Refusal) && !rules.contains(&Rule::RepeatedRefusals));
}

#[test]
fn other_errors_are_none() {
    let mut story = Story::new().turn(1);
    for text in [
        "API Error: 529 Overloaded",
        "API Error: 429 This would exceed your organization's rate limit",
        "Please run /login",
        "API Error: Connection closed",
    ] {
        story = story.prompt("M_AGAIN").error(text);
    }
    assert_eq!(story.found(), []);
}

/// What was rewound, or is of a sub-agent, does not count.
#[test]
fn off_the_chain() {
    let error = json!({"isApiErrorMessage": true, "parentUuid": "u2", "message": {
        "role": "assistant", "model": "<synthetic>",
        "content": [{"type": "text", "text": POLICY}]}});
    let rewound = Story::new()
        .turn(1)
        .record("assistant", error)
        .record(
            "user",
            json!({"parentUuid": "u2", "message": {"role": "user", "content": "M_U2"}}),
        )
        .answer("M_A2");
    assert_eq!(rewound.found(), []);
}

/// The shape of a generator of transcripts: at the end so many prompts, each refused.
#[test]
fn a_generated_end() {
    let bytes = include_bytes!("generated.jsonl");
    let poison = examine_bytes(bytes);
    let refusals = poison
        .findings
        .iter()
        .filter(|finding| finding.rule == Rule::Refusal);
    let lines: Vec<u32> = refusals.map(|finding| finding.line).collect();
    assert_eq!(lines, [14, 16]);
    let many = poison
        .findings
        .iter()
        .filter(|finding| finding.rule != Rule::Refusal);
    let many: Vec<(Rule, usize)> = many.map(|finding| (finding.rule, finding.count)).collect();
    assert_eq!(many, [(Rule::RepeatedRefusals, 2)]);
    let safe = poison.last_safe.unwrap();
    assert_eq!((safe.uuid.as_str(), safe.line, safe.turn), ("g12", 12, 2));
}
