//! Results over their limits.

use super::*;

fn trimmed(step: Step) -> Vec<Change> {
    let transcript = transcript(vec![prompt("Go."), step]);
    let mut context = context(&transcript, Vec::new());
    run(&ResultBudget::default(), &mut context).changes
}

/// Facts C3.1, C3.3 to C3.6.
#[test]
fn each_tool_has_its_limit() {
    let bash = json!({"command": "cargo test"});
    let text = |count| "x".repeat(count);
    for (step, over) in [
        (call("Bash", bash.clone(), &text(30_000)), false),
        (call("Bash", bash.clone(), &text(30_001)), true),
        (fail("Bash", bash.clone(), &text(10_040)), false),
        (fail("Bash", bash.clone(), &text(10_200)), true),
        (call("Grep", json!({"pattern": "x"}), &text(20_000)), false),
        (call("Grep", json!({"pattern": "x"}), &text(20_001)), true),
        (
            call("Read", json!({"file_path": "/a"}), &text(300_000)),
            false,
        ),
        (call("mcp__srv__list", json!({}), &text(50_000)), false),
        (call("mcp__srv__list", json!({}), &text(50_001)), true),
        (call("WebFetch", json!({"url": "u"}), &text(50_001)), true),
        // Characters are UTF-16 units.
        (call("Bash", bash.clone(), &"😀".repeat(15_000)), false),
        (call("Bash", bash.clone(), &"😀".repeat(15_001)), true),
        (
            call(
                "Bash",
                bash,
                &format!("<persisted-output>\n{}", text(60_000)),
            ),
            false,
        ),
    ] {
        let name = format!("{step:?}");
        assert_eq!(trimmed(step).len(), usize::from(over), "{}", &name[..80]);
    }
}

#[test]
fn a_long_result_keeps_its_beginning_and_tells_where_the_rest_is() {
    let text = format!("first line\n{}", "x".repeat(40_000));
    let transcript = transcript(vec![
        prompt("Go."),
        call("Bash", json!({"command": "make all"}), &text),
    ]);
    let mut context = context(&transcript, Vec::new());
    let trace = run(&ResultBudget::default(), &mut context);
    let change = &trace.changes[0];
    assert_eq!(
        (change.action, change.why),
        (Action::Trimmed, Why::OverLimit)
    );
    assert_eq!((change.line, change.block), (Some(3), 0));
    assert_eq!(change.recover, Recover::Transcript);
    assert_eq!(
        sent(&context)[1],
        "[Bash make all: 10 of 40011 characters; whole text: transcript line 3]\nfirst line"
    );
}

#[test]
fn a_long_failure_keeps_both_ends() {
    let text = format!("Exit code 1\n{}\nlast line", "é".repeat(20_000));
    let transcript = transcript(vec![
        prompt("Go."),
        fail("Bash", json!({"command": "make"}), &text),
    ]);
    let mut context = context(&transcript, Vec::new());
    run(&ResultBudget::default(), &mut context);
    let sent = &sent(&context)[1];
    assert!(sent.starts_with("Exit code 1\né"));
    assert!(sent.ends_with("é\nlast line"));
    assert!(sent.contains("\n[Bash make: 10000 of 20022 characters;"));
}

/// The limit of a whole message takes the largest results, and none of exempt tools.
#[test]
fn a_limit_for_all_results_of_a_message_takes_the_largest() {
    let bash = |text: usize| made("Bash", &json!({"command": "a"}), &"x".repeat(text), false);
    let file = made(
        "Read",
        &json!({"file_path": "/a"}),
        &"x".repeat(90_000),
        false,
    );
    let transcript = transcript(vec![
        prompt("Go."),
        calls(vec![bash(9_000), file, bash(20_000), bash(15_000)]),
    ]);
    let mut context = context(&transcript, Vec::new());
    let mut stage = ResultBudget::default();
    assert!(run(&stage, &mut context).changes.is_empty());
    stage.per_message = Some(30_000);
    let changes = run(&stage, &mut context).changes;
    let tokens: Vec<u64> = changes.iter().map(|change| change.tokens_before).collect();
    assert_eq!(tokens, [5_000]);
    assert_eq!(changes[0].why, Why::OverMessageLimit);
    stage.others = Limit::None;
    assert!(run(&stage, &mut context).changes.is_empty());
}

/// What stays is within the limit, and what was cut is not cut again, though the note makes it
/// longer.
#[test]
fn a_short_limit_is_kept_once() {
    let transcript = transcript(vec![
        prompt("Go."),
        call("Bash", json!({"command": "make"}), &"x".repeat(5_000)),
    ]);
    for (limit, left) in [(Limit::Start(40), 40), (Limit::Ends(40), 40)] {
        let mut context = context(&transcript, Vec::new());
        let mut stage = ResultBudget::default();
        stage.tools[0].1 = limit;
        assert!(run(&stage, &mut context).fired);
        let note = format!("[Bash make: {left} of 5000 characters;");
        assert!(sent(&context)[1].contains(&note), "{}", sent(&context)[1]);
        assert!(!run(&stage, &mut context).fired);
    }
}
