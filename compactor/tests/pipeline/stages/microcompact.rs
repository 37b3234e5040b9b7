//! Old results without their content.

use super::*;

fn steps(reads: usize) -> Vec<Step> {
    let mut steps = vec![prompt("Go.")];
    for number in 0..reads {
        steps.push(read(&format!("/f{number}")));
    }
    steps.push(say("Done."));
    steps
}

fn cleared(stage: &Microcompact, budget: &Budget, steps: Vec<Step>) -> Vec<Option<u32>> {
    let transcript = transcript(steps);
    let mut context = context(&transcript, Vec::new());
    let trace = stage.run(&mut context, budget);
    trace.changes.iter().map(|change| change.line).collect()
}

#[test]
fn the_newest_five_results_stay() {
    let lines = cleared(&Microcompact::default(), &Budget::of(0), steps(7));
    assert_eq!(lines, [Some(3), Some(5)]);
    let lines = cleared(&Microcompact::default(), &Budget::of(0), steps(5));
    assert_eq!(lines, []);
}

#[test]
fn an_hour_after_the_last_answer_it_works_whatever_the_size() {
    let transcript = transcript(steps(7));
    let entries = transcript.index().entries();
    let last = entries.last().and_then(|entry| entry.time).expect("a time");
    for (minutes, count) in [(59, 0), (60, 2), (6_000, 2)] {
        let budget = Budget {
            threshold: None,
            now: Some(last + minutes * 60_000),
        };
        let found = cleared(&Microcompact::default(), &budget, steps(7));
        assert_eq!(found.len(), count, "{minutes}");
    }
}

#[test]
fn it_works_by_count_or_by_size() {
    let none = Budget::default();
    let by = |above_count, above_tokens| Microcompact {
        above_count,
        above_tokens,
        ..Microcompact::default()
    };
    for (stage, count) in [
        (by(None, None), 0),
        (by(Some(7), None), 0),
        (by(Some(6), None), 2),
        (by(None, Some(700)), 0),
        (by(None, Some(699)), 2),
    ] {
        assert_eq!(cleared(&stage, &none, steps(7)).len(), count, "{stage:?}");
    }
}

#[test]
fn a_stub_tells_what_it_was_and_where_it_is() {
    let stub = "<persisted-output>\nKept in: /h/s/tool-results/t.txt\n\nstart";
    let transcript = transcript(vec![
        prompt("Go."),
        read("/a/b.rs"),
        call(
            "Bash",
            json!({"command": "make\nmore"}),
            &format!("{stub}{}", lines(900)),
        ),
        call("mcp__srv__list", json!({}), &lines(900)),
        say("Done."),
    ]);
    let mut context = context(&transcript, Vec::new());
    let stage = Microcompact {
        keep: 0,
        ..Microcompact::default()
    };
    let trace = run(&stage, &mut context);
    let recover: Vec<&Recover> = trace.changes.iter().map(|change| &change.recover).collect();
    let path = "/h/s/tool-results/t.txt".to_owned();
    assert_eq!(recover, [&Recover::Transcript, &Recover::File { path }]);
    let sent = sent(&context);
    assert_eq!(
        sent[1],
        "[Read /a/b.rs: result cleared, 100 tokens; transcript line 3]"
    );
    assert!(sent[2].starts_with("[Bash make…: result cleared, "));
    assert!(sent[2].ends_with(" tokens; file /h/s/tool-results/t.txt]"));
    assert_eq!(sent[3], lines(900));
}

/// What no answer has seen stays, however many.
#[test]
fn results_that_are_not_answered_yet_stay() {
    let mut steps = steps(0);
    steps.push(prompt("More."));
    let file = |number| json!({"file_path": format!("/f{number}")});
    let reads = (0..9).map(|number| made("Read", &file(number), &lines(400), false));
    steps.push(calls(reads.collect()));
    assert_eq!(cleared(&Microcompact::default(), &Budget::of(0), steps), []);
}
