//! Loops: errors of one kind, calls that fail, apologies and assent.

use outcrop_compactor::poison::{Rule, Severity};
use serde_json::json;

use crate::story::Story;
use Severity::{Error, Notice, Warning};

const PAIRING: &str =
    "API Error: 400 messages.9: `tool_use` ids t1 stand without `tool_result` blocks behind them";
const THINKING: &str = "API Error: 400 messages.3.content.1: invalid `signature` in `thinking`";
const LENGTH: &str = "Prompt is too long";

fn with_errors(text: &str, count: usize) -> Story {
    (0..count).fold(Story::new().turn(1), |story, _| {
        story.prompt("M_AGAIN").error(text)
    })
}

#[test]
fn errors_of_one_kind() {
    for (text, rule, severity) in [
        (PAIRING, Rule::ToolPairing, Error),
        (THINKING, Rule::ThinkingSignature, Error),
        // A carry-over is the way out of it.
        (LENGTH, Rule::PromptTooLong, Warning),
    ] {
        assert_eq!(with_errors(text, 1).found(), [], "once is no loop");
        let story = with_errors(text, 3);
        assert_eq!(story.found(), [(rule, severity, 4)]);
        assert_eq!(story.poison().findings[0].count, 3);
        assert_eq!(story.turn(5).found(), [(rule, Notice, 4)], "it ended");
        let apart = with_errors(text, 1).turn(3).prompt("M_U4").error(text);
        assert_eq!(apart.found(), [], "an answer between");
    }
    let mixed = with_errors(THINKING, 1)
        .prompt("M_AGAIN")
        .error(PAIRING)
        .prompt("M_AGAIN")
        .error(PAIRING);
    assert_eq!(mixed.found(), [(Rule::ToolPairing, Error, 6)]);
}

/// The words of such errors in a result, or in what somebody says, are none.
#[test]
fn errors_that_are_only_told() {
    let mut story = Story::new();
    for _ in 0..4 {
        story = story
            .prompt(PAIRING)
            .call("Bash", json!({"command": "tail log"}))
            .result(&format!("{PAIRING}\n{THINKING}\n{LENGTH}"), false)
            .answer(THINKING);
    }
    assert_eq!(story.found(), []);
}

fn failing(story: Story, count: usize, text: &str) -> Story {
    (0..count).fold(story, |story, number| {
        story
            .call("Bash", json!({"command": "make mill"}))
            .result(&text.replace('#', &number.to_string()), true)
    })
}

#[test]
fn a_call_that_fails() {
    let begin = || Story::new().turn(1).prompt("M_U2");
    assert_eq!(failing(begin(), 2, "Exit code 2").found(), []);
    let story = failing(begin(), 3, "Exit code 2");
    assert_eq!(story.found(), [(Rule::FailingCall, Warning, 5)]);
    let stuck = failing(begin(), 6, "Exit code 2\nno grain after # s");
    assert_eq!(stuck.found(), [(Rule::FailingCall, Error, 5)]);
    let poison = stuck.poison();
    assert_eq!(poison.findings[0].count, 6);
    assert_eq!(
        poison.findings[0].reason,
        "Bash failed 6 times with one input, at last with one answer, and did not succeed since"
    );
    assert_eq!(poison.last_safe.unwrap().uuid, "u2");
}

/// Work goes on between such failures, as when a test is made to pass.
#[test]
fn a_call_that_fails_in_other_ways() {
    let mut story = Story::new().prompt("M_U1");
    for text in [
        "no oats", "no rye", "no bran", "no salt", "no husk", "no chaff",
    ] {
        story = failing(story, 1, text)
            .call("Edit", json!({"file_path": "mill.txt"}))
            .result("ok", false);
    }
    assert_eq!(story.found(), [(Rule::FailingCall, Warning, 3)]);
}

#[test]
fn a_call_that_succeeds_at_last() {
    let story = failing(Story::new().prompt("M_U1"), 6, "Exit code 2")
        .call("Bash", json!({"command": "make mill"}))
        .result("ok", false);
    assert_eq!(story.found(), []);
    // Another input is another call, though it is as long.
    let other = failing(Story::new().prompt("M_U1"), 6, "Exit code 2")
        .call("Bash", json!({"command": "make bran"}))
        .result("ok", false);
    assert_eq!(other.found(), [(Rule::FailingCall, Error, 3)]);
}

#[test]
fn a_loop_of_long_ago_does_not_block() {
    let story = failing(Story::new().prompt("M_U1"), 6, "Exit code 2").answer("M_A1");
    let story = (2..6).fold(story, |story, number| story.turn(number));
    assert_eq!(story.found(), [(Rule::FailingCall, Warning, 3)]);
}

#[test]
fn calls_that_the_user_refuses() {
    let story = failing(
        Story::new().prompt("M_U1"),
        6,
        "The user doesn't want to proceed with this tool use.",
    );
    assert_eq!(story.found(), []);
}

fn answers(texts: &[&str]) -> Story {
    texts
        .iter()
        .fold(Story::new(), |story, text| story.prompt("M_U").answer(text))
}

#[test]
fn apologies() {
    for texts in [
        [
            "I'm sorry, that was wrong.",
            "My apologies! Again.",
            "I apologize for it.",
        ],
        [
            "抱歉，我弄错了。",
            "非常抱歉，这次好了。",
            "对不起，我再改。",
        ],
    ] {
        assert_eq!(answers(&texts).found(), [(Rule::Apologies, Warning, 2)]);
        assert_eq!(answers(&texts[..2]).found(), []);
        // The session left it behind.
        let mut left = texts.to_vec();
        left.extend(["M_A4", "M_A5", "M_A6", "M_A7", "M_A8"]);
        assert_eq!(answers(&left).found(), [(Rule::Apologies, Notice, 2)]);
        // Not close together.
        let apart = [texts[0], "M_A2", "M_A3", texts[1], "M_A5", "M_A6", texts[2]];
        assert_eq!(answers(&apart).found(), []);
    }
    let talk = [
        "The apology text says sorry.",
        "It prints \"sorry\" twice.",
        "No sorry left.",
    ];
    assert_eq!(answers(&talk).found(), []);
}

#[test]
fn assent() {
    for texts in [
        [
            "You're absolutely right!",
            "You are right, again.",
            "Good catch: fixed.",
        ],
        ["您说得对，我来改。", "你说得完全对。", "完全正确。"],
    ] {
        let story = answers(&texts);
        assert_eq!(story.found(), [(Rule::Agreement, Warning, 2)], "{texts:?}");
        assert_eq!(story.poison().findings[0].count, 3);
    }
    let talk = [
        "The right margin is 4.",
        "That is the correct file.",
        "Right-hand side first.",
    ];
    assert_eq!(answers(&talk).found(), []);
}
