use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::*;

const BEFORE: &str = "<system-reminder>\nInvented first line.\n\n";
const AFTER: &str = "\n</system-reminder>";

fn recording(messages: Value) -> Recording {
    let body = json!({ "tools": [{ "name": "Read" }], "messages": messages });
    Recording {
        requests: vec![Request {
            target: "/v1/messages".to_owned(),
            user_agent: Some("claude-cli/2.1.332 (external)".to_owned()),
            body,
        }],
        refused: BTreeSet::new(),
    }
}

fn user(texts: &[&str]) -> Value {
    let blocks: Vec<Value> = texts
        .iter()
        .map(|text| json!({ "type": "text", "text": text }))
        .collect();
    json!({ "role": "user", "content": blocks })
}

fn call() -> Value {
    let block = json!({ "type": "tool_use", "id": "t", "name": "Read", "input": {} });
    json!({ "role": "assistant", "content": [block] })
}

fn result() -> Value {
    json!({ "type": "tool_result", "tool_use_id": "t", "content": "text" })
}

fn named(sections: &[Section]) -> Vec<(&str, &str)> {
    sections
        .iter()
        .map(|section| (section.path.as_str(), section.text.as_str()))
        .collect()
}

#[test]
fn the_start_is_read_with_what_stands_around_it() {
    let block = format!(
        "{BEFORE}Contents of /h/.claude/CLAUDE.md (my global notes (all projects)):\n\none\n\ntwo\n\n\
         Contents of /p (q)/CLAUDE.md (checked into the tree):\n\nthree{AFTER}"
    );
    let sent = Sent::of(&recording(json!([user(&[&block, "hi"])]))).unwrap();
    let wanted = [
        ("/h/.claude/CLAUDE.md", "one\n\ntwo"),
        ("/p (q)/CLAUDE.md", "three"),
    ];
    assert_eq!(named(&sent.startup), wanted);
    let scopes: Vec<_> = sent.startup.iter().map(|section| section.scope).collect();
    assert_eq!(scopes, [Some(Scope::User), Some(Scope::Project)]);
    let framing = sent.framing.unwrap();
    assert_eq!(
        (framing.before.as_str(), framing.after.as_str()),
        (BEFORE, AFTER)
    );
    assert_eq!(sent.version, Some(Version::new(2, 1, 332)));
}

/// Old clients put a heading before the texts and a date behind them (fact 0.2).
#[test]
fn old_clients_put_a_date_behind_the_texts() {
    let block = "<system-reminder>\nFirst.\n# claudeMd\nSecond.\n\n\
                 Contents of /p/CLAUDE.md (checked into the tree):\n\nT\n# currentDate\nnot yet\n\
                 # currentDate\nToday.\n</system-reminder>\n\n";
    let sent = Sent::of(&recording(json!([user(&[block, "hi"])]))).unwrap();
    assert_eq!(
        named(&sent.startup),
        [("/p/CLAUDE.md", "T\n# currentDate\nnot yet")]
    );
    let after = sent.framing.unwrap().after;
    assert_eq!(after, "\n# currentDate\nToday.\n</system-reminder>\n\n");
}

#[test]
fn a_cut_memory_index_has_its_notice_apart() {
    let block = format!(
        "{BEFORE}Contents of /m/MEMORY.md (my auto-memory):\n\n- a\n\n\
         > WARNING: MEMORY.md is long{AFTER}"
    );
    let sent = Sent::of(&recording(json!([user(&[&block])]))).unwrap();
    let section = &sent.startup[0];
    assert_eq!(section.text, "- a");
    assert_eq!(
        section.notice.as_deref(),
        Some("> WARNING: MEMORY.md is long")
    );
}

#[test]
fn reads_of_new_and_old_clients_are_told_apart() {
    let lazy = |path: &str, text: &str, end: &str| {
        format!("<system-reminder>\nContents of {path}:\n\n{text}\n</system-reminder>{end}")
    };
    let (a, b) = (
        lazy("/p/a/CLAUDE.md", "A\n", "\n"),
        lazy("/p/a/b/CLAUDE.md", "B", ""),
    );
    let mut first = user(&[&a, &b]);
    first["content"].as_array_mut().unwrap().insert(0, result());
    let old = "Contents of /p/c/CLAUDE.md:\n\nC\n\n\nContents of /p/d.md:\n\nD\n\nAvailable agent types x";
    let second = json!({ "role": "user", "content": [result()] });
    let list = json!({ "role": "system", "content": old });
    let messages = json!([user(&["hi"]), call(), first, call(), second, list]);
    let sent = Sent::of(&recording(messages)).unwrap();
    assert_eq!(sent.calls.len(), 2);
    let wanted = [("/p/a/CLAUDE.md", "A\n"), ("/p/a/b/CLAUDE.md", "B")];
    assert_eq!(named(&sent.calls[0].sections), wanted);
    assert_eq!(
        named(&sent.calls[1].sections),
        [("/p/c/CLAUDE.md", "C\n"), ("/p/d.md", "D")]
    );
    assert!(sent.prompt.sections.is_empty() && sent.startup.is_empty() && sent.framing.is_none());
}

#[test]
fn unknown_forms_are_said() {
    let none = Recording::default();
    assert_eq!(Sent::of(&none), Err(Unknown::NoTurn { requests: 0 }));
    let no_list = recording(json!("text"));
    assert_eq!(Sent::of(&no_list), Err(Unknown::NoMessages { number: 1 }));
    let block = format!("{BEFORE}Contents of /p/CLAUDE.md (of another kind):\n\nT{AFTER}");
    let label = Unknown::Label {
        path: "/p/CLAUDE.md".to_owned(),
        label: "of another kind".to_owned(),
    };
    assert_eq!(Sent::of(&recording(json!([user(&[&block])]))), Err(label));
    // A text that is sent, but not as a section.
    let other = recording(json!([user(&["Contents of /p/CLAUDE.md\nT text"])]));
    let form = Unknown::Form {
        path: "/p/CLAUDE.md".to_owned(),
    };
    let missing = [("/p/CLAUDE.md", "T text")];
    assert_eq!(
        Sent::holds_elsewhere(&other, missing.into_iter()),
        Err(form)
    );
    assert_eq!(
        Sent::holds_elsewhere(&other, [("/p/x.md", "X")].into_iter()),
        Ok(())
    );
}

/// What looks like a heading inside a text does not end it, unless its label is a known one.
#[test]
fn texts_may_hold_what_looks_like_a_heading() {
    let text = "A\n\nContents of /x (of my own):\n\nB\n\nContents of somewhere:\n\nC";
    let block =
        format!("{BEFORE}Contents of /p/CLAUDE.md (checked into the tree):\n\n{text}{AFTER}");
    let sent = Sent::of(&recording(json!([user(&[&block])]))).unwrap();
    assert_eq!(named(&sent.startup), [("/p/CLAUDE.md", text)]);
}

/// Case agents-nested-hook: a list of texts in a form of its own, with and without tags.
#[test]
fn what_a_hook_adds_is_no_section() {
    let added =
        "Contents of /p/a/AGENTS.md:\n\nA\n\nContents of /p/a/x.md:\n\nX\nContents of /p/b:\n\nB";
    let list = json!({ "role": "system", "content": format!("tool.call hook additional context: {added}") });
    let mention = format!(
        "<system-reminder>\nprompt.mention hook additional context: {added}\n</system-reminder>"
    );
    let results = json!({ "role": "user", "content": [result()] });
    let messages = json!([user(&[&mention, "hi"]), call(), results, list]);
    let sent = Sent::of(&recording(messages)).unwrap();
    let wanted = [("/p/a/AGENTS.md", "A\n"), ("/p/a/x.md", "X"), ("/p/b", "B")];
    assert_eq!(named(&sent.prompt.by_hook), wanted);
    assert_eq!(named(&sent.calls[0].by_hook), wanted);
    assert!(sent.prompt.sections.is_empty() && sent.calls[0].sections.is_empty());
}
