//! Public reports on what compaction loses: B077, B091, B092, B098 (B074, B076 and B103 are tests of
//! `loss::instructions`).

use outcrop_compactor::loss::{OpenKind, State};
use serde_json::json;

use super::talk::{Talk, loss, messages};

/// A talk, its boundary and what follows, as the reports have it: the first `from` records are
/// what the compaction saw.
fn around(talk: Talk, summary: &str) -> (Vec<u8>, usize) {
    let from = talk.records.len();
    let parent = talk.records[from - 1]["uuid"].clone();
    let mut talk = talk.add(
        "system",
        json!(null),
        json!({
            "subtype": "compact_boundary", "parentUuid": null, "logicalParentUuid": parent,
            "compactMetadata": { "trigger": "auto", "preTokens": 168_000 },
        }),
    );
    talk.records[from]
        .as_object_mut()
        .unwrap()
        .remove("message");
    (talk.summary(summary).user("go on").bytes(), from)
}

fn of(talk: Talk, summary: &str) -> outcrop_compactor::loss::Loss {
    let (bytes, from) = around(talk, summary);
    let before = messages(&bytes, 0..from);
    let after = messages(&bytes, from..from + 3);
    loss(&bytes, &before, &after)
}

/// A rule that was only said in the talk is at risk, whatever the summary makes of its words.
#[test]
fn b077_rules_of_the_conversation() {
    let talk = Talk::default()
        .user("Never run migrations yourself.")
        .says("Understood.");
    let loss = of(
        talk,
        "The cart module was refactored; next step is to run the migrations.",
    );
    assert!(loss.constraints.kept.is_empty());
    let [rule] = loss.constraints.part.as_slice() else {
        panic!("{:?}", loss.constraints);
    };
    assert_eq!(rule.place.uuid.as_deref(), Some("u0"));
    assert_eq!(
        (rule.place.line, rule.place.turn, rule.place.role),
        (Some(1), 1, "user")
    );
    assert_eq!(rule.what.still_demands, Some(false));
    let State::Part(part) = &rule.state else {
        panic!("{rule:?}");
    };
    assert_eq!(part.survives, ["run", "migrations"]);
    assert_eq!(part.missing, ["Never", "yourself"]);
    assert_eq!(part.found.uuid.as_deref(), Some("u3"));
}

#[test]
fn b091_the_to_do_list_vanishes() {
    let todos = json!({ "todos": [
        { "content": "write tests", "status": "pending" },
        { "content": "read the spec", "status": "completed" },
    ] });
    let talk = Talk::default()
        .user("plan")
        .call("t1", "TodoWrite", todos)
        .result("t1", "ok", false);
    let lost = of(talk.clone(), "Work on cart.");
    let is_todo = |kind| kind == OpenKind::Todo;
    let todos: Vec<&str> = lost
        .open_items
        .items
        .lost
        .iter()
        .filter(|item| is_todo(item.what.kind))
        .map(|item| &*item.what.text)
        .collect();
    assert_eq!(todos, ["write tests"]);
    let kept = of(talk, "Still to do: write tests.");
    let kept = &kept.open_items.items.kept;
    assert!(kept.iter().any(|item| is_todo(item.what.kind)));
}

#[test]
fn b092_the_plan_file_and_its_mode() {
    let path = "/home/dev/.claude/plans/calm-otter.md";
    let mut talk = Talk::default()
        .user("plan the cart")
        .call(
            "t1",
            "Write",
            json!({ "file_path": path, "content": "1. tests" }),
        )
        .result("t1", "ok", false);
    let side = json!({ "type": "permission-mode", "permissionMode": "plan", "sessionId": "s" });
    talk.records.insert(0, side);
    let loss = of(talk, "The user wants a cart.");
    let plan = loss
        .open_items
        .items
        .lost
        .iter()
        .find(|item| item.what.kind == OpenKind::Plan);
    assert_eq!(plan.unwrap().what.text, path);
    let mode = loss.open_items.permission_mode.unwrap();
    assert_eq!(
        (mode.mode.as_str(), mode.line, mode.told_after),
        ("plan", 1, false)
    );
}

/// That the request after a compaction is larger than its summary is no loss: what is attached
/// again counts as left.
#[test]
fn b098_what_is_attached_again_is_left() {
    let text = "The port is 8080 ms.";
    let talk = Talk::default()
        .call("t1", "Read", json!({ "file_path": "/w/CLAUDE.md" }))
        .result("t1", text, false);
    let from = talk.records.len();
    let talk = talk.summary("Short.").add(
        "attachment",
        json!(null),
        json!({
            "attachment": { "type": "instructions" }, "renderedRole": "user",
            "rendered": [{ "content": format!("<system-reminder>\n/w/CLAUDE.md\n{text}\n</system-reminder>") }],
        }),
    );
    let loss = talk.loss(from);
    assert_eq!(loss.files.kept.len(), 1);
    assert!(
        loss.facts.iter().all(|facts| facts.gone.is_empty()),
        "{:?}",
        loss.facts
    );
}
