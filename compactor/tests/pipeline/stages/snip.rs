//! Steps that nothing needs any more.

use super::*;

fn snipped(steps: Vec<Step>) -> (Vec<(Why, Option<u32>)>, Vec<String>) {
    let mut all = vec![prompt("Go.")];
    all.extend(steps);
    all.extend([say("Done."), prompt("And now?"), say("Now.")]);
    let transcript = transcript(all);
    let mut context = context(&transcript, Vec::new());
    let snip = Snip {
        recent: NOTHING_RECENT,
        ..Snip::default()
    };
    let trace = run(&snip, &mut context);
    let changes = trace.changes.iter();
    let found = changes.map(|change| (change.why, change.by_line)).collect();
    (found, sent(&context))
}

#[test]
fn a_read_goes_when_the_file_is_read_or_changed_later() {
    let edit = json!({"file_path": "/a", "old_string": "x", "new_string": "y"});
    let part = |input: &Value| call("Read", input.clone(), &lines(400));
    let first = json!({"file_path": "/a", "offset": 3, "limit": 9});
    let second = json!({"file_path": "/a", "offset": 4, "limit": 9});
    let by = Some((Why::Superseded, Some(5)));
    for (steps, expected) in [
        (vec![read("/a"), read("/a")], by),
        (vec![read("/a"), call("Edit", edit.clone(), "ok")], by),
        (
            vec![read("/a"), call("Write", json!({"file_path": "/a"}), "ok")],
            by,
        ),
        (vec![part(&first), read("/a")], by),
        (vec![part(&first), part(&first)], by),
        (vec![part(&first), part(&second)], None),
        (vec![read("/a"), part(&first)], None),
        (vec![read("/a"), read("/b")], None),
        (vec![read("/a"), fail("Edit", edit, "no")], None),
        // Older clients tell that nothing changed instead of the content (fact C3.7).
        (
            vec![
                read("/a"),
                call("Read", json!({"file_path": "/a"}), "unchanged"),
            ],
            None,
        ),
    ] {
        let (found, _) = snipped(steps.clone());
        let expected: Vec<_> = expected.into_iter().collect();
        assert_eq!(found.len(), expected.len() * 2, "{steps:?}");
        for found in found {
            assert_eq!(vec![found], expected, "{steps:?}");
        }
    }
}

#[test]
fn a_failed_call_goes_when_it_succeeds_later() {
    let make = |text| json!({"command": "make", "description": text});
    let long = "x".repeat(400);
    let (found, _) = snipped(vec![
        fail("Bash", make("build"), &long),
        fail("Bash", make("build again"), &long),
        call("Bash", make("and again"), "ok"),
    ]);
    assert_eq!(found, [(Why::Retried, Some(7)); 4]);
    let (found, _) = snipped(vec![
        fail("Bash", make("build"), &long),
        call("Bash", json!({"command": "make all"}), "ok"),
    ]);
    assert_eq!(found, []);
}

#[test]
fn repeated_calls_and_outdated_states_go() {
    let status = json!({"command": "git status"});
    let long = "x".repeat(400);
    let (found, _) = snipped(vec![
        call("Bash", status.clone(), &long),
        call("Bash", status.clone(), &long),
    ]);
    assert_eq!(found, [(Why::Repeated, Some(5)); 2]);
    let (found, _) = snipped(vec![
        call("Bash", status.clone(), &long),
        call("Bash", status, "other"),
    ]);
    assert_eq!(found, []);
    let todo = |text: &str| call("TodoWrite", json!({"todos": [{"content": text}]}), &long);
    let (found, _) = snipped(vec![todo("a"), todo("b")]);
    assert_eq!(found, [(Why::Outdated, Some(5)); 2]);
    let poll = |id: &str, text: &str| call("BashOutput", json!({"bash_id": id}), text);
    let (found, _) = snipped(vec![
        poll("b1", &long),
        poll("b2", &long),
        poll("b1", "done"),
    ]);
    assert_eq!(found, [(Why::Outdated, Some(7)); 2]);
}

#[test]
fn one_marker_stands_for_a_run_and_counts_it() {
    let (found, sent) = snipped(vec![
        read("/a"),
        read("/b"),
        call("Bash", json!({"command": "make"}), "made"),
        read("/a"),
        read("/b"),
    ]);
    assert_eq!(found.len(), 4);
    assert_eq!(sent[0], "Go.");
    let tokens = 2 * (100 + "Read{\"file_path\":\"/a\"}".len().div_ceil(4));
    assert_eq!(
        sent[1],
        format!(
            "[2 needless steps taken out, {tokens} tokens: Read /a, Read /b; \
             transcript lines 2–5]"
        )
    );
    assert_eq!(sent[2], "made");
}

/// What would cost more than it frees stays.
#[test]
fn a_marker_is_never_longer_than_what_it_stands_for() {
    let short = |text| call("Bash", json!({"command": "a"}), text);
    let (found, _) = snipped(vec![short("b"), short("b")]);
    assert_eq!(found, []);
}

#[test]
fn the_recent_and_the_pinned_stay() {
    let steps = vec![prompt("Go."), read("/a"), read("/a"), say("Done.")];
    let transcript = transcript(steps);
    let snip = Snip {
        recent: NOTHING_RECENT,
        ..Snip::default()
    };
    // With one turn only, all of it is recent.
    let mut all = context(&transcript, Vec::new());
    let two_turns = Snip::default();
    assert!(run(&two_turns, &mut all).changes.is_empty());
    let mut pinned = context(&transcript, vec!["let cursor".to_owned()]);
    let trace = run(&snip, &mut pinned);
    assert!(!trace.fired);
    let changes = trace.changes.iter();
    let kept: Vec<_> = changes.map(|change| (change.action, change.why)).collect();
    assert_eq!(kept, [(Action::Kept, Why::Pinned)]);
}

/// A thought goes when the calls after it do, and so does the whole answer.
#[test]
fn an_answer_that_keeps_only_its_thought_goes() {
    let transcript = transcript(vec![
        prompt("Go."),
        Step::Answer {
            thinking: Some("Let us see.".to_owned()),
            text: None,
            calls: vec![made(
                "Read",
                &json!({"file_path": "/a"}),
                &lines(400),
                false,
            )],
            reversed: false,
        },
        read("/a"),
        prompt("And now?"),
        say("Now."),
    ]);
    let mut context = context(&transcript, Vec::new());
    let snip = Snip {
        recent: NOTHING_RECENT,
        ..Snip::default()
    };
    let trace = run(&snip, &mut context);
    let why: Vec<Why> = trace.changes.iter().map(|change| change.why).collect();
    assert_eq!(why, [Why::LeftAlone, Why::Superseded, Why::Superseded]);
    let roles: Vec<Role> = context.joined().iter().map(|(role, _)| *role).collect();
    // The client's empty system message stays where it is.
    let (user, system, assistant) = (Role::User, Role::System, Role::Assistant);
    assert_eq!(roles, [user, system, assistant, user, assistant]);
}
