//! What stands for a whole conversation.

use super::*;

fn steps() -> Vec<Step> {
    vec![
        prompt("Never touch the ledger."),
        read("/a"),
        fail("Bash", json!({"command": "make"}), &lines(800)),
        call(
            "Edit",
            json!({"file_path": "/a", "new_string": lines(900)}),
            "ok",
        ),
        say("We go with B because A loses data. The rest is easy."),
        prompt("Go on."),
        read("/b"),
    ]
}

/// Boundary, summary, kept messages, attachments, hook results (paper.md 3.1).
#[test]
fn what_follows_a_summary_stands_in_its_order() {
    let transcript = transcript(steps());
    let mut context = context(&transcript, Vec::new());
    let message = |text: &str| Message {
        role: Role::User,
        blocks: vec![Placed {
            block: Block::Read(record::Block::Text(text.to_owned())),
            from: None,
        }],
    };
    let stage = Summary {
        summariser: Box::new(Given("What was.".to_owned())),
        after: After {
            attachments: vec![message("a plan")],
            hook_results: vec![message("a hook")],
        },
        ..Summary::default()
    };
    let before = context.tokens();
    let trace = run(&stage, &mut context);
    assert!(trace.fired);
    let file = lines(400);
    assert_eq!(
        sent(&context),
        ["What was.", "Go on.", &file, "a plan", "a hook"]
    );
    let boundary = context.boundary.clone().expect("it was summarised");
    assert_eq!(boundary.pre_tokens, before);
    assert_eq!(boundary.post_tokens, context.tokens());
    let entries = transcript.index().entries();
    let uuids: Vec<&str> = entries[9..11]
        .iter()
        .filter_map(|entry| entry.uuid.map(|uuid| transcript.index().text(uuid)))
        .collect();
    assert_eq!(boundary.kept, uuids);
    let kept = trace.changes.last().expect("all before is told");
    assert_eq!((kept.action, kept.why), (Action::Kept, Why::LastRequest));
}

#[test]
fn the_usual_summary_keeps_words_and_files() {
    let transcript = transcript(steps());
    let mut context = context(&transcript, vec!["easy".to_owned()]);
    run(&Summary::default(), &mut context);
    let summary = &sent(&context)[0];
    for line in [
        "[Summary of what came before; transcript lines 1–9]",
        "- Never touch the ledger.",
        "- We go with B because A loses data.",
        "- /a: Read, Edit",
        "- Bash make",
    ] {
        assert!(
            summary.lines().any(|other| other == line),
            "{line} in {summary}"
        );
    }
    assert!(summary.contains("easy"));
}

/// A summary that forgets a pin gets it.
#[test]
fn a_given_summary_holds_the_pins() {
    let transcript = transcript(steps());
    let mut context = context(&transcript, vec!["Never touch".to_owned()]);
    let stage = Summary {
        summariser: Box::new(Given("Nothing.".to_owned())),
        ..Summary::default()
    };
    run(&stage, &mut context);
    assert_eq!(sent(&context)[0], "Nothing.\n\nPinned:\nNever touch");
}

/// Where the last round is too large to stay, it does not.
#[test]
fn a_round_that_is_too_large_is_summarised_too() {
    let mut steps = steps();
    steps.push(call("Read", json!({"file_path": "/c"}), &lines(40_000)));
    let transcript = transcript(steps);
    let mut context = context(&transcript, Vec::new());
    let trace = Summary::default().run(&mut context, &Budget::of(2_000));
    assert!(trace.fired);
    assert!(context.tokens() < 2_000);
    assert_eq!(sent(&context).len(), 2);
    assert_eq!(sent(&context)[1], "Go on.");
    assert_eq!(context.boundary.expect("it was summarised").kept, [""; 0]);
}

/// A summary that would not make the context smaller is not made.
#[test]
fn a_summary_is_smaller_than_what_it_stands_for() {
    let transcript = transcript(steps());
    let mut context = context(&transcript, Vec::new());
    let stage = Summary {
        summariser: Box::new(Given(lines(80_000))),
        ..Summary::default()
    };
    let trace = run(&stage, &mut context);
    assert!(!trace.fired);
    assert_eq!(context.boundary, None);
}

/// A folded span is summarised by what it holds.
#[test]
fn the_files_of_folds_are_in_the_summary() {
    let transcript = transcript(steps());
    let mut paper = Paper::default();
    paper.snip.enabled = false;
    paper.microcompact.enabled = false;
    paper.collapse.recent = NOTHING_RECENT;
    let context = context(&transcript, Vec::new());
    let result = Pipeline::paper(paper).run(context, &Budget::of(0));
    assert!(!result.fits);
    assert!(result.stages[3].fired && result.stages[4].fired);
    assert!(sent(&result.context)[0].contains("\n- /a: Read, Edit\n"));
}

/// What was recorded before a summary does not count behind it; what is known to stand beside the
/// messages does (fact C4.13).
#[test]
fn a_summary_ends_the_recorded_usage() {
    let transcript = transcript(steps());
    for fixed in [0, 7_000] {
        let mut context = crate::world::anchored_with(&transcript, fixed);
        let usage = context.anchor().expect("answers have their usage").usage;
        assert!(usage > 18_000 && context.tokens() >= usage);
        let trace = run(&Summary::default(), &mut context);
        assert_eq!(trace.tokens_added, context.messages[0].blocks[0].tokens);
        let blocks: u64 = context.messages.iter().map(tokens_of).sum();
        assert_eq!(context.tokens(), fixed + blocks);
    }
}
