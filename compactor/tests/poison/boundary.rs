//! Where a session was still sound.

use outcrop_compactor::poison::Boundary;
use serde_json::json;

use crate::story::Story;

const POLICY: &str = "API Error: this request appears to violate our Usage Policy.";

fn safe(story: &Story) -> Option<(String, usize)> {
    let safe = story.poison().last_safe;
    safe.map(|Boundary { uuid, turn, .. }| (uuid, turn))
}

#[test]
fn nothing_blocks() {
    assert_eq!(safe(&Story::new().turn(1)), None);
}

#[test]
fn before_the_prompt() {
    let story = Story::new().turn(1).turn(2).prompt("M_U3").error(POLICY);
    assert_eq!(safe(&story), Some(("u4".to_owned(), 2)));
}

/// A result in the midst of a turn was refused: the whole turn goes.
#[test]
fn before_the_result() {
    let story = Story::new()
        .turn(1)
        .prompt("M_U2")
        .call("Read", json!({"file_path": "a"}))
        .result("M_R1", false)
        .call("Read", json!({"file_path": "b"}))
        .result("M_TRIGGER", false)
        .error(POLICY);
    assert_eq!(safe(&story), Some(("u2".to_owned(), 1)));
    // Asking again brings the boundary no nearer.
    let again = story
        .prompt("M_AGAIN")
        .error(POLICY)
        .prompt("hi")
        .error(POLICY);
    assert_eq!(safe(&again), Some(("u2".to_owned(), 1)));
}

/// A turn without an answer, or with a call that has no result, is not complete.
#[test]
fn only_complete_turns() {
    let story = Story::new()
        .turn(1)
        .prompt("M_U2")
        .error("API Error: 529 Overloaded")
        .prompt("M_U3")
        .error(POLICY);
    assert_eq!(safe(&story), Some(("u2".to_owned(), 1)));
    let open = Story::new()
        .turn(1)
        .prompt("M_U2")
        .call("Read", json!({}))
        .prompt("M_U3")
        .refused("bio");
    assert_eq!(safe(&open), Some(("u2".to_owned(), 1)));
    let none = Story::new().prompt("M_U1").refused("bio");
    assert_eq!(safe(&none), None);
    assert!(none.poison().is_blocking());
}

/// What belongs to a turn's end belongs to what is kept.
#[test]
fn with_the_notes_of_a_turn() {
    let story = Story::new()
        .turn(1)
        .record(
            "system",
            json!({"subtype": "turn_duration", "durationMs": 9}),
        )
        .prompt("M_U2")
        .refused("bio");
    assert_eq!(safe(&story), Some(("u3".to_owned(), 1)));
}

/// A refusal that the session overcame is no reason to cut before it.
#[test]
fn before_the_first_that_blocks() {
    let story = Story::new()
        .turn(1)
        .prompt("M_U2")
        .error(POLICY)
        .turn(3)
        .turn(4)
        .prompt("M_U5")
        .error(POLICY);
    assert_eq!(safe(&story), Some(("u8".to_owned(), 4)));
}
