//! What holds of any talk.

use outcrop_compactor::conversation::Message;
use outcrop_compactor::loss::{Finding, Findings, Loss, State};
use outcrop_compactor::testing::session;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use serde::Serialize;
use serde_json::json;

use super::talk::{Talk, loss, messages, text_at};

/// Pieces from which texts are made: forms of all kinds, and what surrounds them.
const PIECES: &[&str] = &[
    "Never run migrations yourself.",
    "must not",
    "don't",
    "No, ",
    "instead",
    "because the server is old",
    "since it is frozen, we keep it",
    "All tests pass.",
    "Done.",
    "fixed",
    "不要修改公共接口。",
    "因为接口冻结，我们保留它。",
    "不对，",
    "テストを消さないでください。",
    "凍結されているので、使う。",
    "違う、",
    "Niemals auf main pushen.",
    "weil",
    "Ne modifie pas l'API.",
    "parce que",
    "No modifiques nada.",
    "porque",
    "src/a.rs",
    "/w/b.ts:12:3",
    "C:\\x\\y.txt",
    "https://a.example/x?y=1",
    "`cargo test`",
    "\"quoted text\"",
    "E0382",
    "exit code 101",
    "250 ms",
    "1.2.3",
    "FooBar::new",
    "snake_case",
    "--flag-x",
    "3f2a9bc",
    "\n",
    "\n\n",
    "\t",
    " ",
    ". ",
    "```\n",
    "> ",
    "- ",
    "1. ",
    "é",
    "ß",
    "\u{301}",
    "😀",
    "\u{A0}",
    "“",
    "”",
    "「",
    "」",
    "x",
    "<system-reminder>",
    "</system-reminder>",
    "<pasted_content id=\"1\">",
    "[Request interrupted by user for tool use]",
    "<command-args>",
    "Exit code 1\n",
    "error: no such file",
    "_",
    "barcode 12",
    "a/b/c",
    "ok?",
    "!",
];

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => proptest::sample::select(PIECES).prop_map(str::to_owned),
        1 => "\\PC{0,6}",
    ];
    let glued = proptest::collection::vec((piece, any::<bool>()), 1..12);
    glued.prop_map(|pieces| {
        let pieces = pieces
            .into_iter()
            .map(|(piece, blank)| if blank { piece + " " } else { piece });
        pieces.collect()
    })
}

#[derive(Debug, Clone)]
enum Step {
    User(String),
    Says(String),
    Call {
        tool: usize,
        text: String,
        answer: Option<String>,
        is_error: bool,
    },
    Meta(String),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => text().prop_map(Step::User),
        3 => text().prop_map(Step::Says),
        3 => (0..6usize, text(), proptest::option::weighted(0.9, text()), any::<bool>())
            .prop_map(|(tool, text, answer, is_error)| Step::Call { tool, text, answer, is_error }),
        1 => text().prop_map(Step::Meta),
    ]
}

fn talk(steps: &[Step]) -> Talk {
    let mut talk = Talk::default();
    for (number, step) in steps.iter().enumerate() {
        let id = format!("t{number}");
        talk = match step {
            Step::User(text) => talk.user(text),
            Step::Says(text) => talk.says(text),
            Step::Meta(text) => talk.meta(text),
            Step::Call {
                tool,
                text,
                answer,
                is_error,
            } => {
                let (tool, input) = match tool {
                    0 => ("Bash", json!({ "command": text })),
                    1 => (
                        "Edit",
                        json!({ "file_path": text, "old_string": "a", "new_string": text }),
                    ),
                    2 => (
                        "TodoWrite",
                        json!({ "todos": [{ "content": text, "status": "pending" }] }),
                    ),
                    3 => ("TaskCreate", json!({ "subject": text })),
                    4 => ("Grep", json!({ "pattern": "x", "path": text })),
                    _ => ("ExitPlanMode", json!({ "plan": "p", "planFilePath": text })),
                };
                let talk = talk.call(&id, tool, input);
                match answer {
                    Some(answer) => talk.result(&id, answer, *is_error),
                    None => talk,
                }
            }
        };
    }
    talk
}

fn all_kept<T: std::fmt::Debug>(findings: &Findings<T>) -> Result<(), TestCaseError> {
    prop_assert!(
        findings.part.is_empty() && findings.lost.is_empty(),
        "{findings:?}"
    );
    Ok(())
}

fn none_kept<T: std::fmt::Debug>(findings: &Findings<T>) -> Result<(), TestCaseError> {
    prop_assert!(
        findings.part.is_empty() && findings.kept.is_empty(),
        "{findings:?}"
    );
    Ok(())
}

/// The lists of findings hold what their names say, each text once, and places lead to the text.
fn sound<T: Serialize>(
    findings: &Findings<T>,
    key: &str,
    before: &[Message],
    after: &[Message],
) -> Result<(), TestCaseError> {
    let mut seen = Vec::new();
    for (name, list) in [
        ("kept", &findings.kept),
        ("part", &findings.part),
        ("lost", &findings.lost),
    ] {
        for finding in list {
            let value = serde_json::to_value(finding).unwrap();
            prop_assert_eq!(&value["state"], name);
            let text = value[key].as_str().unwrap().to_owned();
            let place = text_at(before, &finding.place);
            prop_assert!(place.contains(&text), "{:?} is not in {:?}", text, place);
            // The same call may be open twice.
            prop_assert!(
                !seen.contains(&(text.clone(), finding.place.message, finding.place.block))
                    || value["kind"] != "",
                "twice: {}",
                text
            );
            seen.push((text, finding.place.message, finding.place.block));
            found(finding, after)?;
        }
    }
    Ok(())
}

fn found<T>(finding: &Finding<T>, after: &[Message]) -> Result<(), TestCaseError> {
    let (place, needed) = match &finding.state {
        State::Kept { found } => (found, None),
        State::Part(part) => (&part.found, Some(&part.survives)),
        State::Lost => return Ok(()),
    };
    let text = text_at(after, place).to_lowercase();
    for word in needed.into_iter().flatten() {
        prop_assert!(
            text.contains(&word.to_lowercase()),
            "{:?} is not in {:?}",
            word,
            text
        );
    }
    Ok(())
}

fn check(bytes: &[u8], before: &[Message], after: &[Message]) -> Result<(), TestCaseError> {
    let same = loss(bytes, before, before);
    all_kept(&same.constraints)?;
    all_kept(&same.decisions)?;
    all_kept(&same.corrections)?;
    all_kept(&same.files)?;
    all_kept(&same.lessons)?;
    all_kept(&same.open_items.items)?;
    for facts in &same.facts {
        let counts = [
            facts.named.part,
            facts.named.lost,
            facts.seen.part,
            facts.seen.lost,
            facts.gone.len(),
            facts.more,
        ];
        prop_assert_eq!(counts, [0; 6], "{:?}", facts);
    }
    for claim in &same.claims_without_evidence {
        let why = serde_json::to_value(claim.what.why).unwrap();
        prop_assert!(why != "dropped" && why != "cleared", "{:?}", claim);
    }

    let none = loss(bytes, before, &[]);
    none_kept(&none.constraints)?;
    none_kept(&none.decisions)?;
    none_kept(&none.corrections)?;
    none_kept(&none.files)?;
    none_kept(&none.lessons)?;
    none_kept(&none.open_items.items)?;
    for facts in &none.facts {
        let counts = [
            facts.named.kept,
            facts.named.part,
            facts.seen.kept,
            facts.seen.part,
        ];
        prop_assert_eq!(counts, [0; 4], "{:?}", facts);
    }

    let part = loss(bytes, before, after);
    sound(&part.constraints, "text", before, after)?;
    sound(&part.decisions, "text", before, after)?;
    sound(&part.decisions, "choice", before, after)?;
    sound(&part.decisions, "reason", before, after)?;
    sound(&part.corrections, "text", before, after)?;
    sound(&part.open_items.items, "text", before, after)?;
    for facts in &part.facts {
        for fact in &facts.gone {
            let is_kept = matches!(fact.state, State::Kept { .. });
            prop_assert!(!is_kept);
            prop_assert!(
                text_at(before, &fact.place).contains(&fact.what.text),
                "{:?}",
                fact
            );
        }
        prop_assert_eq!(
            facts.gone.len() + facts.more,
            facts.named.part + facts.named.lost + facts.seen.part + facts.seen.lost
        );
    }
    for claim in &part.claims_without_evidence {
        prop_assert!(
            text_at(before, &claim.place).contains(&claim.what.text),
            "{:?}",
            claim
        );
    }
    // Whatever is left, each thing is in one list: together they are all there are.
    let sizes = |loss: &Loss| {
        [
            loss.constraints.len(),
            loss.decisions.len(),
            loss.corrections.len(),
            loss.files.len(),
            loss.lessons.len(),
        ]
    };
    prop_assert_eq!(sizes(&part), sizes(&same));
    prop_assert_eq!(sizes(&part), sizes(&none));
    Ok(())
}

fn config(cases: u32) -> Config {
    Config {
        cases,
        rng_seed: RngSeed::Fixed(6),
        failure_persistence: None,
        ..Config::default()
    }
}

#[test]
fn any_talk() {
    proptest!(config(256), |(steps in proptest::collection::vec(step(), 1..8), left in 0..8usize)| {
        let talk = talk(&steps);
        let bytes = talk.bytes();
        let count = talk.records.len();
        let before = messages(&bytes, 0..count);
        let after = messages(&bytes, count - left.min(count)..count);
        check(&bytes, &before, &after)?;
    });
}

/// Sessions with everything that was seen in transcripts, broken lines included.
#[test]
fn any_session() {
    proptest!(config(24), |(session in session(), left in 0..40usize)| {
        let bytes = session.write().bytes;
        let before = messages(&bytes, 0..usize::MAX);
        let after = before[before.len().saturating_sub(left)..].to_vec();
        check(&bytes, &before, &after)?;
    });
}
