//! What counts as said, done and open, one example each.

use outcrop_compactor::loss::{
    Action, CorrectionKind, Doubt, FactClass, Findings, OpenKind, State, constraints_in,
    decisions_in,
};
use serde_json::json;

use super::talk::Talk;

fn texts<T: serde::Serialize>(
    findings: &[outcrop_compactor::loss::Finding<T>],
    key: &str,
) -> Vec<String> {
    let findings = findings
        .iter()
        .map(|one| serde_json::to_value(one).unwrap());
    findings
        .map(|one| one[key].as_str().unwrap_or_default().to_owned())
        .collect()
}

fn only<T>(findings: &Findings<T>) -> &outcrop_compactor::loss::Finding<T> {
    assert_eq!(findings.len(), 1);
    findings.iter().next().unwrap()
}

#[test]
fn a_rule_is_kept_word_for_word() {
    let talk = Talk::default()
        .user("Never touch the\nlock file.")
        .says("ok");
    let kept = talk
        .clone()
        .summarised("The user said: \"Never touch the lock file\".");
    assert_eq!(kept.constraints.kept.len(), 1);
    let other = talk
        .clone()
        .summarised("Never touch the lock files of others.");
    assert_eq!(other.constraints.part.len(), 1);
    assert_eq!(only(&other.constraints).what.still_demands, Some(true));
    let lost = talk.summarised("A cart is being built.");
    assert_eq!(lost.constraints.lost.len(), 1);
}

#[test]
fn words_of_the_client_are_not_the_users() {
    let loss = Talk::default()
        .summary("The user said: never rebase.")
        .meta("You must not mention this.")
        .user("<system-reminder>\nAlways be brief.\n</system-reminder>")
        .user("<local-command-stdout>never</local-command-stdout>")
        .user("<command-name>/x</command-name><command-args>only use tabs</command-args>")
        .summarised("nothing");
    assert_eq!(texts(&loss.constraints.lost, "text"), ["only use tabs"]);
}

#[test]
fn a_queued_prompt_is_the_users() {
    let queued = json!({
        "attachment": { "type": "queued_command", "prompt": "Never rebase." }, "renderedRole": "system",
        "rendered": [{ "content": "<system-reminder>\nA note: Never rebase. You must answer this.\n</system-reminder>" }],
    });
    let loss = Talk::default()
        .user("go")
        .call("t1", "Bash", json!({ "command": "true" }))
        .result("t1", "ok", false)
        .add("attachment", json!(null), queued)
        .summarised("nothing");
    assert_eq!(texts(&loss.constraints.lost, "text"), ["Never rebase."]);
}

#[test]
fn choice_and_reason_are_told_apart() {
    let loss = Talk::default()
        .user("go")
        .says("We use SQLite for storage because the server offers no other database.")
        .summarised("We use SQLite for storage.");
    let decision = only(&loss.decisions);
    assert_eq!(loss.decisions.part.len(), 1);
    assert!(decision.what.choice_survives && !decision.what.reason_survives);
    assert_eq!(decision.what.choice, "We use SQLite for storage");
    assert_eq!(
        decision.what.reason,
        "because the server offers no other database"
    );
}

#[test]
fn reasons_that_come_first() {
    for (sentence, choice, reason) in [
        (
            "Since the API is frozen, we should add a wrapper.",
            "we should add a wrapper",
            "Since the API is frozen",
        ),
        (
            "因为接口已经冻结，我们采用包装函数。",
            "我们采用包装函数",
            "因为接口已经冻结",
        ),
        (
            "凍結されているので、ラッパーを使う。",
            "ラッパーを使う",
            "凍結されているので",
        ),
    ] {
        let loss = Talk::default().user(sentence).summarised("nothing");
        let decision = &only(&loss.decisions).what;
        assert_eq!((&*decision.choice, &*decision.reason), (choice, reason));
    }
}

#[test]
fn corrections_need_something_to_correct() {
    assert!(
        Talk::default()
            .user("No, use tabs.")
            .summarised("x")
            .corrections
            .is_empty()
    );
    let loss = Talk::default()
        .user("go")
        .says("done so")
        .user("No. Use tabs.")
        .summarised("x");
    assert_eq!(texts(&loss.corrections.lost, "text"), ["No. Use tabs."]);
    assert_eq!(loss.corrections.lost[0].place.turn, 2);
}

#[test]
fn interruptions_are_corrections() {
    let loss = Talk::default()
        .user("go")
        .call("t1", "Bash", json!({ "command": "rm x" }))
        .result("t1", "not now", true)
        .user("[Request interrupted by user for tool use]")
        .user("Keep the file x and go on.")
        .says("All tests pass.")
        .summarised("x");
    let correction = only(&loss.corrections);
    assert_eq!(correction.what.kind, CorrectionKind::Interrupted);
    assert_eq!(correction.what.text, "Keep the file x and go on.");
    assert_eq!(loss.claims_without_evidence[0].what.why, Doubt::Interrupted);
    // A call that the user stopped teaches nothing.
    assert!(loss.lessons.is_empty());
}

#[test]
fn the_file_ledger() {
    let loss = Talk::default()
        .user("go")
        .call("t1", "Read", json!({ "file_path": "/w/src/a.rs" }))
        .result("t1", "x", false)
        .call(
            "t2",
            "Edit",
            json!({ "file_path": "/w/src/a.rs", "old_string": "x", "new_string": "y" }),
        )
        .result("t2", "not found", true)
        .call(
            "t3",
            "Bash",
            json!({ "command": "cd src && cat b.rs > ../out.txt; ls" }),
        )
        .result("t3", "", false)
        .call("t4", "Grep", json!({ "pattern": "x", "path": "/w/docs" }))
        .result("t4", "", false)
        .call(
            "t5",
            "NotebookEdit",
            json!({ "notebook_path": "/w/n.ipynb", "new_source": "1" }),
        )
        .result("t5", "ok", false)
        .summarised("Edited src/a.rs, then docs; b.rs was read.");
    assert_eq!(texts(&loss.files.kept, "path"), ["/w/src/a.rs"]);
    let file = &loss.files.kept[0].what;
    assert_eq!((file.reads, file.changes, file.failures), (1, 1, 1));
    assert_eq!((file.last, file.last_failed), (Action::Edited, true));
    assert_eq!(texts(&loss.files.part, "path"), ["/w/src/b.rs", "/w/docs"]);
    assert_eq!(
        texts(&loss.files.lost, "path"),
        ["/w/out.txt", "/w/n.ipynb"]
    );
}

#[test]
fn tasks_and_calls_are_open() {
    let loss = Talk::default()
        .user("first")
        .call(
            "t1",
            "TaskCreate",
            json!({ "subject": "write tests", "description": "d" }),
        )
        .result("t1", "Task #1 created: write tests", false)
        .call(
            "t2",
            "TaskCreate",
            json!({ "subject": "write docs", "description": "d" }),
        )
        .result("t2", "Task #2 created: write docs", false)
        .call(
            "t3",
            "TaskUpdate",
            json!({ "taskId": "1", "status": "completed" }),
        )
        .result("t3", "ok", false)
        .call(
            "t4",
            "TaskUpdate",
            json!({ "taskId": "2", "status": "in_progress" }),
        )
        .result("t4", "ok", false)
        .user("the last request")
        .call("t5", "Bash", json!({ "command": "cargo test" }))
        .summarised("x");
    let open = &loss.open_items.items.lost;
    let kinds: Vec<(OpenKind, &str, Option<&str>)> = open
        .iter()
        .map(|item| {
            (
                item.what.kind,
                &*item.what.text,
                item.what.status.as_deref(),
            )
        })
        .collect();
    assert_eq!(
        kinds,
        [
            (OpenKind::Request, "the last request", None),
            (OpenKind::Task, "write docs", Some("in_progress")),
            (OpenKind::Call, "cargo test", Some("Bash")),
        ]
    );
}

#[test]
fn lessons_are_failures_with_a_success() {
    let loss = Talk::default()
        .user("go")
        .call("t1", "Bash", json!({ "command": "cargo tset" }))
        .result("t1", "Exit code 101\nerror: no such command: `tset`", true)
        .call("t2", "Bash", json!({ "command": "ls" }))
        .result("t2", "a", false)
        .call("t3", "Bash", json!({ "command": "cargo test" }))
        .result("t3", "ok", false)
        .call("t4", "Bash", json!({ "command": "npm test" }))
        .result("t4", "Exit code 1\nno script", true)
        .summarised("Tests run by cargo test now.");
    let lesson = only(&loss.lessons);
    assert_eq!(lesson.what.error, "error: no such command: `tset`");
    assert_eq!(lesson.what.worked.as_deref(), Some("cargo test"));
    let State::Part(part) = &lesson.state else {
        panic!("{lesson:?}");
    };
    assert_eq!(part.survives, ["cargo test"]);
}

#[test]
fn claims_lose_their_evidence() {
    let talk = |output: &str, is_error| {
        let talk = Talk::default()
            .user("go")
            .call("t1", "Bash", json!({ "command": "cargo test" }))
            .result("t1", output, is_error)
            .says("All tests pass.");
        let from = talk.records.len();
        (talk, from)
    };
    let why = |talk: &Talk, from| {
        let loss = talk.loss(from);
        loss.claims_without_evidence
            .iter()
            .map(|claim| claim.what.why)
            .collect::<Vec<_>>()
    };
    let (good, from) = talk("test result: ok. 3 passed; 0 failed", false);
    assert_eq!(
        why(&good.clone().summary("All tests pass."), from),
        [Doubt::Dropped]
    );
    let kept = good
        .clone()
        .call("t1", "Bash", json!({ "command": "cargo test" }))
        .result("t1", "test result: ok. 3 passed; 0 failed", false);
    assert_eq!(why(&kept, from), []);
    let stub = good
        .call("t1", "Bash", json!({ "command": "cargo test" }))
        .result("t1", "[cleared]", false);
    assert_eq!(why(&stub, from), [Doubt::Cleared]);
    for (output, is_error) in [
        ("Exit code 101\nfailed", true),
        ("Exit code 143\npartial", false),
        ("test result: FAILED. 1 passed; 2 failed", false),
    ] {
        let (bad, from) = talk(output, is_error);
        assert_eq!(why(&bad.summary("x"), from), [Doubt::Failed], "{output}");
    }
    let none = Talk::default()
        .user("go")
        .says("Everything works as expected.")
        .summary("x");
    assert_eq!(why(&none, 2), [Doubt::NoCall]);
}

#[test]
fn facts_count_once_and_most_mentioned_come_first() {
    let many: String = (0..30).map(|n| format!("value_{n} ")).collect();
    let loss = Talk::default()
        .user("Look at src/a.rs and src/b.rs.")
        .says("In src/b.rs the limit is 250ms; see src/c/d.rs.")
        .call("t1", "Read", json!({ "file_path": "/w/src/b.rs" }))
        .result("t1", &many, false)
        .summarised("The limit of 250ms in src/a.rs; d.rs too.");
    let of = |class| {
        loss.facts
            .iter()
            .find(|facts| facts.class == class)
            .unwrap()
    };
    let paths = of(FactClass::Path);
    assert_eq!(
        (paths.named.kept, paths.named.part, paths.named.lost),
        (1, 1, 2)
    );
    let listed: Vec<(&str, u32)> = paths
        .gone
        .iter()
        .map(|fact| (&*fact.what.text, fact.what.mentions))
        .collect();
    assert_eq!(
        listed,
        [("src/b.rs", 2), ("src/c/d.rs", 1), ("/w/src/b.rs", 1)]
    );
    assert_eq!(of(FactClass::Number).named.kept, 1);
    let names = of(FactClass::Identifier);
    assert_eq!(
        (names.seen.lost, names.gone.len(), names.more),
        (30, 20, 10)
    );
}

#[test]
fn sentences_of_a_text() {
    let text = "Never rebase. We keep it because it works. Go on.\n```\nnever\n```\n";
    assert_eq!(constraints_in(text), ["Never rebase."]);
    assert_eq!(decisions_in(text), ["We keep it because it works."]);
}
