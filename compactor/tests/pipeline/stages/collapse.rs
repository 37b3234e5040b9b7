//! Spans in one line.

use super::*;

const ONE_TURN: Recent = Recent {
    turns: 1,
    rounds: 10,
};

fn steps() -> Vec<Step> {
    vec![
        prompt("First."),
        read("/a"),
        fail("Bash", json!({"command": "make"}), &lines(800)),
        read("/a"),
        say("First is done."),
        prompt("Second."),
        read("/b"),
        say("Second is done."),
        prompt("Third."),
        read("/c"),
        say("Third is done."),
    ]
}

#[test]
fn finished_work_is_folded_and_what_was_said_stays() {
    let transcript = transcript(steps());
    let mut context = context(&transcript, Vec::new());
    let stage = Collapse {
        recent: ONE_TURN,
        ..Collapse::default()
    };
    let trace = run(&stage, &mut context);
    assert_eq!(trace.count(Action::Folded), 8);
    let sent = sent(&context);
    let id = context.folded();
    let tokens = context.folds.get(&id[0]).expect("it is folded").tokens;
    assert_eq!(
        sent[..3],
        [
            "First.".to_owned(),
            format!(
                "[folded as {}: 3 calls, {tokens} tokens: Read /a ×2, Bash make failed; \
                 transcript lines 2–7]",
                id[0]
            ),
            "First is done.".to_owned(),
        ]
    );
    assert_eq!(sent.len(), 9);
    let third = lines(400);
    assert_eq!(sent[6..], ["Third.", third.as_str(), "Third is done."]);
}

/// The same span has the same name in each run.
#[test]
fn folds_are_named_by_what_they_hold() {
    let ids = || {
        let transcript = transcript(steps());
        let mut context = context(&transcript, Vec::new());
        run(&Collapse::default(), &mut context);
        context.folded()
    };
    assert_eq!(ids(), ids());
    assert_eq!(ids().len(), 1);
}

#[test]
fn no_more_is_folded_than_needed() {
    let transcript = transcript(steps());
    let mut context = context(&transcript, Vec::new());
    let stage = Collapse {
        recent: ONE_TURN,
        ..Collapse::default()
    };
    let threshold = context.tokens() - 10;
    let trace = stage.run(&mut context, &Budget::of(threshold));
    assert_eq!(trace.count(Action::Folded), 6);
    assert!(context.tokens() < threshold);
}

/// A message of the user's that stands by itself behind a span does so again.
#[test]
fn what_stood_apart_from_a_fold_stands_apart_again() {
    let transcript = transcript(steps());
    let (_, mut conversation) = crate::world::conversation(&transcript);
    let is_result = |message: &Message| {
        let mut blocks = message.blocks.iter();
        blocks.any(|placed| matches!(placed.block, Block::Read(record::Block::ToolResult { .. })))
    };
    let behind = conversation.messages.iter().position(is_result);
    let apart = Message {
        role: Role::User,
        blocks: vec![Placed {
            block: Block::text("By itself.".to_owned()),
            from: None,
        }],
    };
    conversation
        .messages
        .insert(behind.expect("there are results") + 1, apart);
    let mut context = Context::of(
        conversation,
        transcript.index(),
        Start::default(),
        crate::world::estimate(),
    );
    let messages = |context: &Context<'_>| context.joined().len();
    let before = messages(&context);
    run(&Collapse::default(), &mut context);
    assert!(messages(&context) < before);
    for fold in context.folded() {
        assert!(context.expand(&fold));
    }
    assert_eq!(messages(&context), before);
}
