//! Public reports on what a compaction puts back: entries of the bug bank under their ids.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use outcrop_compactor::boundary::{
    Compacted, FileOutcome, Files, Given, SkillOutcome, Trigger, compact,
};
use outcrop_compactor::chain::Chain;
use outcrop_compactor::conversation::{Conversation, Resumed};
use outcrop_compactor::transcript::Transcript;
use outcrop_loader::client::Client;
use serde_json::{Value, json};

/// What is on the disk when the session is compacted.
struct Disk(BTreeMap<&'static str, String>);

impl Files for Disk {
    fn modified(&self, path: &str) -> Option<i64> {
        self.0.contains_key(path).then_some(0)
    }

    fn text(&self, path: &str) -> Option<String> {
        self.0.get(path).cloned()
    }
}

/// A session of calls, each with its result.
#[derive(Default)]
struct Session {
    lines: String,
    count: usize,
}

impl Session {
    fn add(&mut self, kind: &str, rest: &Value) {
        let uuid = |number: usize| format!("00000000-0000-4000-8000-{number:012}");
        let parent = self.count.checked_sub(1).map(uuid);
        let mut record = json!({
            "type": kind, "uuid": uuid(self.count), "parentUuid": parent, "isSidechain": false,
            "cwd": "/home/dev/shop", "timestamp": "2026-09-01T10:00:00.000Z",
        });
        let object = record.as_object_mut().unwrap();
        object.extend(rest.as_object().unwrap().clone());
        writeln!(self.lines, "{record}").unwrap();
        self.count += 1;
    }

    fn user(&mut self, content: &Value) {
        let message = json!({"role": "user", "content": content});
        self.add("user", &json!({"message": message}));
    }

    fn call(&mut self, name: &str, input: &Value, is_sidechain: bool) {
        let id = format!("toolu_{}", self.count);
        let call = json!([{"type": "tool_use", "id": id, "name": name, "input": input}]);
        let message = json!({"role": "assistant", "id": format!("msg_{}", self.count),
            "model": "claude-opus-5", "content": call});
        let answer = json!({"message": message, "isSidechain": is_sidechain});
        self.add("assistant", &answer);
        let result = json!([{"type": "tool_result", "tool_use_id": id, "content": "done"}]);
        let message = json!({"role": "user", "content": result});
        self.add(
            "user",
            &json!({"message": message, "isSidechain": is_sidechain}),
        );
    }

    /// The use of a skill: its call, and its text as the client puts it in.
    fn skill(&mut self, name: &str, body: &str, is_sidechain: bool) {
        self.call("Skill", &json!({"skill": name}), is_sidechain);
        let message = json!({"role": "user", "content": [{"type": "text", "text": body}]});
        let meta = json!({"message": message, "isMeta": true, "isSidechain": is_sidechain});
        self.add("user", &meta);
    }

    fn end(&mut self) -> Transcript<Vec<u8>> {
        let text = json!([{"type": "text", "text": "M_DONE"}]);
        let message = json!({"role": "assistant", "id": "msg_end", "model": "claude-opus-5",
            "content": text});
        self.add("assistant", &json!({"message": message}));
        Transcript::read(self.lines.clone().into_bytes()).unwrap()
    }
}

fn compacted(transcript: &Transcript<Vec<u8>>, disk: &Disk) -> Compacted {
    let resume = &Client::newest().behaviour.resume;
    let chain = Chain::of(transcript, resume).unwrap();
    let given = Given {
        trigger: Trigger::Auto,
        summary: "M_SUMMARY",
        prompt: None,
        focus: "",
        pre_tokens: 1,
        files: disk,
    };
    let tokens = |text: &str| text.len() as u64 / 4;
    let compacted = compact(transcript, &chain, resume, &given, tokens);
    compacted.unwrap().unwrap()
}

/// Files are put back as they are now, and one that is gone takes no place.
#[test]
fn b079_restored_files_have_the_size_that_they_have_now() {
    let mut session = Session::default();
    session.user(&json!("look"));
    for file in ["src/gone.rs", "gen/big.json", "src/a.rs"] {
        let path = format!("/home/dev/shop/{file}");
        session.call("Read", &json!({"file_path": path}), false);
    }
    let big = format!("{{\"k\":\"{}\"}}\n", "x".repeat(1_900));
    let disk = Disk(BTreeMap::from([
        ("/home/dev/shop/gen/big.json", big.clone()),
        ("/home/dev/shop/src/a.rs", "fn a(){}\n".to_owned()),
    ]));
    let compacted = compacted(&session.end(), &disk);
    let attached = compacted.files.iter();
    let mut attached: Vec<&str> = attached
        .filter(|file| file.outcome == FileOutcome::Attached)
        .map(|file| file.path.as_str())
        .collect();
    attached.sort_unstable();
    assert_eq!(
        attached,
        ["/home/dev/shop/gen/big.json", "/home/dev/shop/src/a.rs"]
    );
    let large = compacted
        .files
        .iter()
        .find(|file| file.path.ends_with("big.json"));
    assert_eq!(large.unwrap().tokens, Some(big.len() as u64 / 4));
    let gone = compacted
        .files
        .iter()
        .find(|file| file.path.ends_with("gone.rs"));
    assert!(gone.is_none_or(|file| file.outcome == FileOutcome::Gone));
}

/// Skills come back newest first until the budget is used up; the oldest is named as dropped.
#[test]
fn b080_the_skill_that_was_used_first_is_dropped() {
    let mut session = Session::default();
    session.user(&json!("use them"));
    for name in ["a", "b", "c", "d", "e", "f"] {
        let body: String = (1..=300)
            .map(|n| {
                format!("Rule {n} of skill {name}, spelled out at some length for the test.\n")
            })
            .collect();
        session.skill(name, &body, false);
    }
    let compacted = compacted(&session.end(), &Disk(BTreeMap::new()));
    let names = |outcome: SkillOutcome| -> Vec<&str> {
        let skills = compacted.skills.iter();
        let of_it = skills.filter(|skill| skill.outcome == outcome);
        of_it.map(|skill| skill.name.as_str()).collect()
    };
    assert_eq!(names(SkillOutcome::Kept), ["f", "e", "d", "c", "b"]);
    assert_eq!(names(SkillOutcome::Dropped), ["a"]);
}

/// What a sub-agent used does not come back in the conversation.
#[test]
fn b082_skills_of_side_chains_do_not_come_back() {
    let mut session = Session::default();
    session.user(&json!("let rev do it"));
    let side = session.count;
    session.skill("review", "Review body.\n", true);
    // The talk goes on beside the side chain.
    let uuid = format!("00000000-0000-4000-8000-{:012}", side - 1);
    let message = json!({"role": "assistant", "id": "msg_x", "model": "claude-opus-5",
        "content": [{"type": "text", "text": "M_REVIEWED"}]});
    session.add(
        "assistant",
        &json!({"message": message, "parentUuid": uuid}),
    );
    let compacted = compacted(&session.end(), &Disk(BTreeMap::new()));
    assert!(compacted.skills.is_empty(), "{:?}", compacted.skills);
}

/// A skill that a compaction dropped stays away when the session is resumed.
#[test]
fn b083_a_dropped_skill_is_not_back_after_a_resume() {
    let mut session = Session::default();
    session.user(&json!("plan it"));
    session.skill("long", "M_LONG_SKILL body.\n", false);
    session.add(
        "system",
        &json!({"subtype": "compact_boundary", "parentUuid": null,
            "compactMetadata": {"trigger": "auto", "preTokens": 168_000}}),
    );
    let summary = json!({"role": "user", "content": "Used skill long to plan."});
    session.add(
        "user",
        &json!({"message": summary, "isCompactSummary": true}),
    );
    session.user(&json!("go on"));
    let transcript = session.end();
    for client in [
        Client::newest(),
        Client::of("2.1.197".parse().unwrap()).unwrap(),
    ] {
        let chain = Chain::of(&transcript, &client.behaviour.resume).unwrap();
        let sent = Conversation::of(&transcript, &chain, &client, &Resumed::default()).unwrap();
        let sent = format!("{sent:?}");
        assert!(sent.contains("Used skill long to plan."));
        assert!(!sent.contains("M_LONG_SKILL"), "{sent}");
    }
}
