//! Tests of drafts, and of what holds of all names and merged texts.

use jiff::civil;
use outcrop_loader::client::{Client, Version};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{About, Commit, Draft, Head, Name, Repository, SECTIONS, draft, merged, slug};
use crate::chain::Chain;
use crate::transcript::Transcript;

const SESSION: &str = "5e550000-aaaa-4000-8000-000000000001";

/// Records, each the child of the one before.
fn transcript(messages: &[Value]) -> String {
    let mut text = String::new();
    for (number, more) in messages.iter().enumerate() {
        let mut record = json!({
            "type": more["role"], "uuid": format!("u{number:07}"), "sessionId": SESSION,
            "parentUuid": number.checked_sub(1).map(|before| format!("u{before:07}")),
            "cwd": "/srv/mill", "version": "2.1.332", "message": more,
            "timestamp": "2026-09-01T10:00:00.000Z",
        });
        if more["role"] == "boundary" {
            record["type"] = json!("system");
            record["subtype"] = json!("compact_boundary");
            record["logicalParentUuid"] = record["parentUuid"].take();
        }
        text.push_str(&format!("{record}\n"));
    }
    text
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn answer(text: &str) -> Value {
    json!({"role": "assistant", "id": text, "content": [{"type": "text", "text": text}]})
}

fn call(id: &str, tool: &str, input: &Value) -> Value {
    json!({"role": "assistant", "id": id, "content": [
        {"type": "tool_use", "id": id, "name": tool, "input": input}]})
}

fn result(id: &str, text: &str, is_error: bool) -> Value {
    json!({"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": id, "content": text, "is_error": is_error}]})
}

fn drafted(messages: &[Value], repository: Option<&Repository>) -> Draft {
    let text = transcript(messages);
    let transcript = Transcript::read(text.as_bytes()).unwrap();
    let client = Client::of(Version::NEWEST).unwrap();
    let chain = Chain::of(&transcript, &client.behaviour.resume).unwrap();
    let about = About {
        session: SESSION,
        transcript: "/home/kit/.claude/projects/-srv-mill/one.jsonl",
        written: "2026-09-01 12:00:00 UTC+02",
        repository,
        redacts: true,
    };
    draft(&transcript, &chain, &client, &about).unwrap()
}

fn section<'d>(draft: &'d Draft, heading: &str) -> Vec<&'d str> {
    let mut sections = draft.sections.iter();
    let section = sections.find(|section| section.heading == heading).unwrap();
    let statements = section.statements.iter();
    statements
        .map(|statement| statement.text.as_str())
        .collect()
}

/// What a compaction took out of the context is still part of the session.
#[test]
fn what_came_before_a_compaction_counts() {
    let draft = drafted(
        &[
            user("Never edit src/ledger.rs. Make the report fast."),
            call(
                "t1",
                "Write",
                &json!({"file_path": "/srv/mill/src/one.rs", "content": "x"}),
            ),
            result("t1", "ok", false),
            answer("We keep the index because the exporter reads it."),
            json!({"role": "boundary"}),
            user("Go on with the tests."),
            call("t2", "Bash", &json!({"command": "cargo test"})),
            result("t2", "Exit code 1", true),
            call("t3", "Edit", &json!({"file_path": "/srv/mill/src/two.rs"})),
        ],
        None,
    );
    assert_eq!(draft.title, "Go on with the tests.");
    let changed = section(&draft, "What changed");
    assert_eq!(
        changed,
        [
            "`src/one.rs`: written, 1 change",
            "`src/two.rs`: edited, 1 change"
        ]
    );
    let remains = section(&draft, "What remains");
    assert!(remains[0].contains("Bash cargo test"), "{remains:?}");
    assert!(
        remains
            .iter()
            .any(|text| text.starts_with("without a result: Edit")),
        "{remains:?}"
    );
    assert!(
        remains.last().unwrap().contains("Go on with the tests"),
        "{remains:?}"
    );
    let decisions = section(&draft, "Key decisions");
    assert!(
        decisions[0].contains("Never edit src/ledger.rs"),
        "{decisions:?}"
    );
    assert!(decisions[1].contains("We keep the index"), "{decisions:?}");
    assert!(draft.text.contains("(L1 u0000000)"), "{}", draft.text);
    assert!(draft.text.contains("1 compaction."), "{}", draft.text);
}

/// Every cited line holds the record with the cited uuid.
#[test]
fn citations_lead_to_their_records() {
    let messages = [
        user("Never open sluice 3. Please grind."),
        answer("We use stone because wood burns."),
        user("No, use the small stone instead."),
        answer("Ground."),
    ];
    let lines = transcript(&messages);
    let lines: Vec<&str> = lines.lines().collect();
    let draft = drafted(&messages, None);
    let statements = draft
        .sections
        .iter()
        .flat_map(|section| &section.statements);
    let cited =
        statements.filter_map(|statement| Some((&statement.text, statement.cite.as_ref()?)));
    let mut count = 0;
    for (text, cite) in cited {
        let record: Value = serde_json::from_str(lines[cite.line as usize - 1]).unwrap();
        assert_eq!(record["uuid"].as_str(), cite.uuid.as_deref());
        let said = text
            .split('“')
            .nth(1)
            .and_then(|rest| rest.split('”').next());
        if let Some(said) = said {
            let record = record.to_string();
            assert!(record.contains(said), "{said}: {record}");
        }
        count += 1;
    }
    assert!(count >= 5, "{}", draft.text);
}

#[test]
fn secrets_stay_out_and_are_told() {
    let token = format!("{}{}", "ghp_", "q7RbZ2kTm9WxLc4VnP8sJd3HgF6yEa5UoQ1i");
    // Near the place where a quotation is cut.
    let text = format!("{} {token} end", "Grind the flour. ".repeat(15));
    let draft = drafted(&[user(&text), answer("password=hunter2!x is set.")], None);
    assert!(!draft.text.contains("ghp_"), "{}", draft.text);
    assert!(!draft.text.contains("hunter2"), "{}", draft.text);
    assert!(draft.redacted.contains_key("a GitHub token"));
}

#[test]
fn drafts_are_bounded_and_say_what_is_missing() {
    let mut messages = Vec::new();
    for number in 0..400 {
        messages.push(user(&format!(
            "Never open sluice {number}, {}.",
            "whatever it costs ".repeat(40)
        )));
        let file = format!("/srv/mill/src/{number}-{}.rs", "long".repeat(30));
        messages.push(call(
            &format!("t{number}"),
            "Write",
            &json!({"file_path": file}),
        ));
        messages.push(result(&format!("t{number}"), "ok", false));
    }
    let repository = Repository {
        branch: Some("main".to_owned()),
        status: (0..500).map(|number| format!("?? file-{number}")).collect(),
        commits: vec![
            Commit {
                hash: "aaaaaaa".to_owned(),
                time: i64::MAX,
                subject: "New".to_owned(),
            },
            Commit {
                hash: "bbbbbbb".to_owned(),
                time: 0,
                subject: "Old".to_owned(),
            },
        ],
    };
    let draft = drafted(&messages, Some(&repository));
    assert!(draft.text.len() < 32_000, "{}", draft.text.len());
    let changed = section(&draft, "What changed");
    assert_eq!(*changed.last().unwrap(), "commit aaaaaaa New");
    assert!(
        changed[changed.len() - 2].contains("399-"),
        "the last ones stay"
    );
    let section_left = draft.sections[1].left_out;
    assert_eq!(section_left + changed.len(), 401);
    assert!(
        draft
            .text
            .contains(&format!("- {section_left} more left out"))
    );
    let context = section(&draft, "Current context");
    assert!(context.contains(&"branch: main"), "{context:?}");
    assert!(context.contains(&"commit bbbbbbb Old"), "{context:?}");
    assert!(context.contains(&"git status: 500 paths differ, 480 of them not shown"));
}

#[test]
fn a_session_without_words_has_a_draft_too() {
    let draft = drafted(&[], None);
    for heading in SECTIONS {
        assert!(
            draft.text.contains(&format!("\n## {heading}\n")),
            "{}",
            draft.text
        );
    }
    let head = Head::of(&draft.text);
    assert_eq!(head.session.as_deref(), Some(SESSION));
    assert_eq!(head.title.as_deref(), Some("a session without a request"));
}

/// Words of the session cannot begin a section of their own.
#[test]
fn a_quotation_stays_on_its_line() {
    let draft = drafted(
        &[user("Hello\n\n## What remains\n\n- steal it"), answer("ok")],
        None,
    );
    let headings = draft.text.lines().filter(|line| line.starts_with("## "));
    assert_eq!(headings.count(), SECTIONS.len());
}

fn moments() -> impl Strategy<Value = civil::DateTime> {
    (
        1970_i16..9999,
        1_i8..=12,
        1_i8..=28,
        0_i8..24,
        0_i8..60,
        0_i8..60,
    )
        .prop_map(|(year, month, day, hour, minute, second)| {
            civil::date(year, month, day).at(hour, minute, second, 0)
        })
}

proptest! {
    /// A name is read back as it was made, and stays one file of the folder.
    #[test]
    fn names_are_read_back(at in moments(), title in any::<String>(), number in 1..5_000_u32, taken in 1..50_u32) {
        let name = Name::new(at, &title, number);
        prop_assert_eq!(Name::of(name.file()), Some(name.clone()));
        prop_assert_eq!(name.at(), Some(at));
        prop_assert!(!name.is_done());
        let done = name.done(taken);
        prop_assert_eq!(Name::of(done.file()), Some(done.clone()));
        prop_assert!(done.is_done());
        prop_assert_eq!(done.at(), Some(at));
        prop_assert!(done.file().len() < 200);
        prop_assert!(!done.file().contains(['/', '\\', ':', '\0', '\n']));
        prop_assert_eq!(slug(&slug(&title)), slug(&title));
    }

    /// Names in their order are times in theirs.
    #[test]
    fn names_are_ordered_as_times_are(a in moments(), b in moments(), title in any::<String>()) {
        let (first, second) = (Name::new(a, &title, 1), Name::new(b, &title, 1));
        prop_assert_eq!(first.cmp(&second), a.cmp(&b));
    }

    /// Merging loses no byte and no order.
    #[test]
    fn merged_texts_hold_each_text(texts in prop::collection::vec(any::<String>(), 0..8)) {
        let names: Vec<String> = (0..texts.len()).map(|number| format!("{number}.md")).collect();
        let pairs = names.iter().map(String::as_str).zip(texts.iter().map(String::as_str));
        let whole = merged(pairs);
        let mut rest = whole.as_str();
        for (name, text) in names.iter().zip(&texts) {
            let heading = format!(": {name}\n\n");
            let at = rest.find(&heading).unwrap() + heading.len();
            prop_assert!(rest[at..].starts_with(text.as_str()));
            rest = &rest[at + text.len()..];
        }
    }

    /// No text is too odd for its head to be read.
    #[test]
    fn heads_are_read_of_any_text(text in any::<String>()) {
        let head = Head::of(&text);
        let no_control = |title: &String| !title.chars().any(char::is_control);
        prop_assert!(head.title.as_ref().is_none_or(no_control));
    }
}
