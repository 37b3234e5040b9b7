//! Strategies for sessions.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use super::Options;
use super::steps::{MadeCall, MadeResult, Session, Step};
use super::texts::{code, prose};

/// Few, so that calls often concern the same file.
const FILES: &[&str] = &[
    "/home/dev/demo/src/core/parser.rs",
    "/home/dev/demo/src/io/socket.rs",
    "/home/dev/demo/docs/style.md",
    "/home/dev/demo/资料/缓存.md",
];

const COMMANDS: &[&str] = &[
    "cargo test ledger 2>&1 | tail -40",
    "git status --short",
    "sleep 9",
];

const ATTACHMENTS: &[&str] = &[
    "nested_memory",
    "file",
    "skill_listing",
    "task_reminder",
    "queued_command",
];

const SIDE: &[&str] = &[
    "file-history-snapshot",
    "permission-mode",
    "mode",
    "no-such-type",
];

const GARBAGE: &[&str] = &[
    "",
    "   ",
    "{\"type\":",
    "nonsense",
    "[1,2]",
    "17",
    "\0\0\0\0",
];

/// A small session with everything in it.
pub fn session() -> BoxedStrategy<Session> {
    session_of(&Options::default())
}

/// A session.
pub fn session_of(options: &Options) -> BoxedStrategy<Session> {
    let torn = options.faults;
    (vec(step(options), 1..=options.steps), any::<bool>())
        .prop_map(move |(steps, ends_torn)| Session {
            steps,
            torn: torn && ends_torn,
        })
        .boxed()
}

/// One step.
pub fn step(options: &Options) -> BoxedStrategy<Step> {
    // The first of them is a fault by itself: the client does not resume a session with it.
    let side = &SIDE[usize::from(!options.faults)..];
    let usual = prop_oneof![
        6 => prompt(),
        20 => answer(options),
        2 => attachment(),
        1 => prose(1..=2).prop_map(Step::Note),
        1 => (prose(1..=6), any::<bool>())
            .prop_map(|(summary, keep)| Step::Compaction { summary, keep }),
        1 => (1_usize..3).prop_map(Step::Rewind),
        1 => prose(1..=2).prop_map(Step::Sidechain),
        1 => select(side).prop_map(Step::Side),
        2 => Just(Step::TurnEnd),
    ];
    if !options.faults {
        return usual.boxed();
    }
    let faults = prop_oneof![
        prose(1..=1).prop_map(Step::OrphanResult),
        Just(Step::ApiError),
        select(GARBAGE).prop_map(Step::Garbage),
    ];
    prop_oneof![12 => usual, 1 => faults].boxed()
}

fn prompt() -> impl Strategy<Value = Step> {
    (prose(1..=4), any::<bool>(), prop::bool::weighted(0.1)).prop_map(|(text, listed, image)| {
        Step::Prompt {
            text,
            listed,
            image,
        }
    })
}

fn answer(options: &Options) -> impl Strategy<Value = Step> + use<> {
    (
        option::weighted(0.3, prose(1..=4)),
        option::weighted(0.5, prose(1..=3)),
        prop_oneof![
            1 => vec(call(options), 0..=0),
            4 => vec(call(options), 1..=1),
            2 => vec(call(options), 2..=4),
        ],
        any::<bool>(),
    )
        .prop_map(|(thinking, text, calls, reversed)| Step::Answer {
            thinking,
            text,
            calls,
            reversed,
        })
}

fn attachment() -> impl Strategy<Value = Step> {
    (select(ATTACHMENTS), prose(1..=4), any::<bool>())
        .prop_map(|(kind, text, system)| Step::Attachment { kind, text, system })
}

fn call(options: &Options) -> impl Strategy<Value = MadeCall> + use<> {
    let missing = if options.faults { 0.04 } else { 0.0 };
    (
        input(options.faults),
        result(options),
        prop::bool::weighted(missing),
    )
        .prop_map(|((name, input), result, missing)| MadeCall {
            name,
            input,
            result: (!missing).then_some(result),
        })
}

fn input(faults: bool) -> impl Strategy<Value = (&'static str, String)> {
    let file = || select(FILES);
    prop_oneof![
        6 => (file(), option::weighted(0.2, (1_u64..3, 1_u64..3))).prop_map(|(file, part)| {
            ("Read", match part {
                Some((offset, limit)) => json!({"file_path": file, "offset": offset, "limit": limit}),
                None => json!({"file_path": file}),
            })
        }),
        3 => select(COMMANDS)
            .prop_map(|command| ("Bash", json!({"command": command, "description": "run"}))),
        2 => (file(), code(200), code(200)).prop_map(|(file, old, new)| {
            ("Edit", json!({"file_path": file, "old_string": old, "new_string": new}))
        }),
        1 => (file(), code(800))
            .prop_map(|(file, content)| ("Write", json!({"file_path": file, "content": content}))),
        1 => Just(("Grep", json!({"pattern": "cursor", "path": "/home/dev/demo"}))),
        1 => Just(("Glob", json!({"pattern": "**/*.rs"}))),
        1 => Just(("WebFetch", json!({"url": "https://example.org/a", "prompt": "short"}))),
        1 => Just(("TodoWrite", json!({"todos": [
            {"content": "write tests", "status": "pending"},
            {"content": "done already", "status": "completed"}]}))),
        1 => Just(("mcp__tracker__list", json!({"query": "ledger", "limit": "many", "offset": -1}))),
        1 => Just(("BashOutput", json!({"bash_id": "b1"}))),
        1 => Just(("Odd", if faults { json!(["no", "object"]) } else { json!({}) })),
    ]
    .prop_map(|(name, input)| (name, input.to_string()))
}

fn result(options: &Options) -> impl Strategy<Value = MadeResult> + use<> {
    let text = prop_oneof![
        8 => code(options.result),
        3 => prose(1..=3),
        2 => code(options.long_result),
        1 => Just(String::new()),
        3 => Just("On branch main, nothing to commit. ".repeat(20)),
        1 => Just("<persisted-output>\nToo large. Whole text: /h/s/tool-results/t1.txt\n\n\
                   start\n</persisted-output>".to_owned()),
    ];
    (
        text,
        prop::bool::weighted(0.15),
        any::<bool>(),
        prop::bool::weighted(0.05),
    )
        .prop_map(|(text, is_error, listed, image)| MadeResult {
            text,
            is_error,
            listed,
            image,
        })
}
