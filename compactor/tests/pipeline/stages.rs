//! What each stage does, one by one.

use outcrop_compactor::conversation::{Block, Message, Placed, Role};
use outcrop_compactor::pipeline::{
    Action, Budget, Change, Context, Pipeline, Recent, Recover, Stage, StageTrace, Why, tokens_of,
};
use outcrop_compactor::stages::{
    After, Collapse, Given, Limit, Microcompact, Paper, ResultBudget, Snip, Summary,
};
use outcrop_compactor::testing::{MadeCall, MadeResult, Session, Step};
use outcrop_compactor::transcript::{Transcript, record};
use serde_json::{Value, json};

use crate::world::{context, texts};

fn prompt(text: &str) -> Step {
    Step::Prompt {
        text: text.to_owned(),
        listed: false,
        image: false,
    }
}

fn say(text: &str) -> Step {
    Step::Answer {
        thinking: None,
        text: Some(text.to_owned()),
        calls: Vec::new(),
        reversed: false,
    }
}

fn calls(calls: Vec<MadeCall>) -> Step {
    Step::Answer {
        thinking: None,
        text: None,
        calls,
        reversed: false,
    }
}

fn made(name: &'static str, input: &Value, text: &str, is_error: bool) -> MadeCall {
    MadeCall {
        name,
        input: input.to_string(),
        result: Some(MadeResult {
            text: text.to_owned(),
            is_error,
            listed: false,
            image: false,
        }),
    }
}

fn call(name: &'static str, input: Value, text: &str) -> Step {
    calls(vec![made(name, &input, text, false)])
}

fn fail(name: &'static str, input: Value, text: &str) -> Step {
    calls(vec![made(name, &input, text, true)])
}

fn read(file: &str) -> Step {
    call("Read", json!({"file_path": file}), &lines(400))
}

/// A file's content of so many characters, as `Read` gives it.
fn lines(characters: usize) -> String {
    let line = "1\tlet cursor = 0;\n";
    line.repeat(characters / line.len() + 1)[..characters].to_owned()
}

fn transcript(steps: Vec<Step>) -> Transcript<Vec<u8>> {
    let session = Session { steps, torn: false };
    Transcript::read(session.write().bytes).expect("bytes can be read")
}

/// A stage that works on a session whatever its size.
fn run(stage: &dyn Stage, context: &mut Context<'_>) -> StageTrace {
    stage.run(context, &Budget::of(0))
}

fn sent(context: &Context<'_>) -> Vec<String> {
    texts(context).into_iter().map(|(_, text)| text).collect()
}

/// Nothing at the end is protected but what no answer has seen.
const NOTHING_RECENT: Recent = Recent {
    turns: 1,
    rounds: 1,
};

mod budget {
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
}

mod snip {
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
}

mod microcompact {
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
}

mod collapse {
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
}

mod summary {
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
}

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
