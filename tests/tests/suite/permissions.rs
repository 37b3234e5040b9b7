//! Recorded decisions on tool calls, for both clients. Calls of a case are decided one by one: what
//! one of them leaves behind (files, the directory of the shell) is not followed, and no case of
//! these depends on it. Whether a call that ran then failed is not predicted.

use outcrop_loader::permissions::Outcome;
use outcrop_tests::case::Case;
use outcrop_tests::{case, memory};
use serde_json::Value;

const CLIENTS: [&str; 2] = ["2.1.332", "2.1.197"];

/// What each call was recorded to do: whether it ran.
fn recorded(case: &Case, client: &str) -> Vec<bool> {
    let expected = case.expected(client);
    let ran = |answer: &str| match answer {
        "run" | "run-failed" | "ok" | "forked" => true,
        "denied" | "error" | "asks" => false,
        other => panic!("{}: {other}", case.name),
    };
    if let Some(calls) = expected.get("calls").and_then(Value::as_array) {
        return calls
            .iter()
            .map(|call| ran(call.as_str().unwrap()))
            .collect();
    }
    let steps = expected["steps"].as_array().unwrap();
    // A step without a result is a forked skill: its own requests follow.
    let steps = steps.iter().take(case.calls().len());
    let result = steps.map(|step| step["result"].as_str().unwrap_or("forked"));
    result.map(ran).collect()
}

#[test]
fn recorded_decisions() {
    let cases = case::load("permissions");
    let mut calls = 0;
    let mut wrong = Vec::new();
    for case in &cases {
        for client in CLIENTS {
            let host = memory::host(case);
            let session = memory::started(case, &host, client.parse().unwrap());
            let mut permissions = session.permissions();
            for (call, ran) in memory::calls(case, memory::ROOT)
                .iter()
                .zip(recorded(case, client))
            {
                let decision = permissions.decide(call);
                let runs = decision.outcome.in_print() == Outcome::Runs;
                calls += 1;
                permissions.shell_has_run |= ran && call.tool == "Bash";
                let refused = refused(case, client, index);
                if runs != ran || refused.is_some_and(|refused| refused != decision.outcome) {
                    let input = call.input.to_string();
                    let (name, reason) = (&case.name, &decision.reason);
                    wrong.push(format!(
                        "{name} {client} {} {input}: ran {ran}, {reason}",
                        call.tool
                    ));
                }
            }
        }
    }
    println!("recorded decisions: {calls} in {} cases", cases.len());
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(calls >= 200);
}
