use outcrop_loader::host::MemoryHost;
use outcrop_loader::javascript;
use outcrop_loader::origin::Origin;
use outcrop_loader::path::AbsPath;
use outcrop_loader::session::Session;
use serde_json::{Value, json};

use super::learn::of_outcomes;
use super::*;
use crate::recorder::{Recording, Request};
use crate::run::{End, Outcome};

fn outcome(blocks: &[&str], system: &str) -> Outcome {
    let blocks: Vec<Value> = blocks
        .iter()
        .map(|text| json!({ "type": "text", "text": text }))
        .collect();
    let body = json!({
        "model": "m",
        "tools": [{ "name": "Read", "description": "é" }],
        "system": [{ "type": "text", "text": system }],
        "messages": [{ "role": "user", "content": blocks }, { "role": "system", "content": "Lists of 2026-11-30 in /w/p." }],
    });
    let request = Request {
        target: "/v1/messages".to_owned(),
        user_agent: Some("claude-cli/2.1.332 (external)".to_owned()),
        body,
    };
    Outcome {
        recording: Recording {
            requests: vec![request],
            ..Recording::default()
        },
        end: End::Code(0),
        stdout: String::new(),
        stderr: String::new(),
    }
}

const START: &str = "<system-reminder>\nFirst line.\n\n";
const END: &str = "\n</system-reminder>";

fn learned() -> Profile {
    let texts = format!(
        "{START}Contents of /w/h/.claude/CLAUDE.md (global):\n\nu\n\n\
         Contents of /w/p/CLAUDE.md (checked into it):\n\np{END}"
    );
    let git = "<system-reminder>\nFirst.\n# gitStatus\nx\n</system-reminder>";
    let inside = outcome(
        &[&texts, git, "outcrop learns"],
        "At /w/p, memory -w-p.\n\ngitStatus: x",
    );
    let outside = outcome(&[&texts, "outcrop learns"], "At /w/p, memory -w-p.");
    of_outcomes(&inside, &outside, "/w/p", "/w/h").unwrap()
}

fn delivery(files: &[(&str, &str)]) -> Delivery {
    let abs = |text: &str| AbsPath::new(text).unwrap();
    let mut host = MemoryHost::new();
    host.dir(&abs("/far/away"));
    for (path, text) in files {
        host.file(&abs(path), text.as_bytes());
    }
    let session = Session::start(&host, Origin::new(abs("/far/away"), abs("/home/me")));
    session.deliveries()[0].clone()
}

#[test]
fn places_dates_and_the_state_of_the_repository_are_taken_out() {
    let profile = learned();
    assert_eq!(profile.repository.system, ["At {cwd}, memory {project}."]);
    assert_eq!(profile.elsewhere.system, profile.repository.system);
    let kinds: Vec<BlockKind> = profile
        .repository
        .blocks
        .iter()
        .map(|block| block.kind)
        .collect();
    let wanted = [
        BlockKind::Instructions,
        BlockKind::Git,
        BlockKind::Prompt,
        BlockKind::Client,
    ];
    assert_eq!(kinds, wanted);
    assert_eq!(profile.elsewhere.blocks.len(), 3);
    assert_eq!(
        profile.repository.blocks[3].text,
        "Lists of YYYY-MM-DD in {cwd}."
    );
    assert_eq!(
        profile.scopes().collect::<Vec<_>>(),
        [Scope::User, Scope::Project]
    );
}

#[test]
fn the_block_of_another_directory_is_made_from_it() {
    let profile = learned();
    let start = delivery(&[
        ("/far/away/CLAUDE.md", "T\n"),
        ("/home/me/.claude/CLAUDE.md", "É"),
    ]);
    let block = profile.instructions(&start).unwrap();
    let wanted = format!(
        "{START}Contents of /home/me/.claude/CLAUDE.md (global):\n\nÉ\n\n\
         Contents of /far/away/CLAUDE.md (checked into it):\n\nT{END}"
    );
    assert_eq!(block, wanted);
    assert_eq!(
        profile.framing_of(&start, javascript::len),
        Some(wanted.chars().count() - 2)
    );
}

/// Nothing is made up for a scope whose label was not seen.
#[test]
fn an_unknown_label_gives_no_block() {
    let start = delivery(&[("/far/away/CLAUDE.local.md", "L")]);
    assert_eq!(learned().instructions(&start), None);
    assert_eq!(learned().framing_of(&start, javascript::len), None);
}

/// Facts 0.2 and 0.6.
#[test]
fn with_nothing_to_deliver_only_old_clients_send_a_block() {
    let mut profile = learned();
    assert_eq!(profile.instructions(&delivery(&[])).as_deref(), Some(""));
    profile.framing.before = "<system-reminder>\nFirst.\n# claudeMd\nSecond.\n\n".to_owned();
    profile.framing.after = "\n# currentDate\nYYYY-MM-DD\n".to_owned();
    let block = profile.instructions(&delivery(&[]));
    let wanted = "<system-reminder>\nFirst.\n# currentDate\nYYYY-MM-DD\n";
    assert_eq!(block.as_deref(), Some(wanted));
}

#[test]
fn sizes_follow_the_directory() {
    let profile = learned();
    let place = Place {
        cwd: "/a",
        checkout: Some("/main"),
        home: "/h",
    };
    let sizes = profile.sizes(&place, javascript::len);
    assert_eq!(sizes.system, "At /a, memory -main.".len());
    assert_eq!(sizes.message, "Lists of YYYY-MM-DD in /a.".len());
    let tool = r#"{"description":"é","name":"Read"}"#;
    assert_eq!(sizes.tools, tool.chars().count());
    let place = Place {
        checkout: None,
        ..place
    };
    assert_eq!(
        profile.sizes(&place, javascript::len).system,
        "At /a, memory -a.".len()
    );
}

#[test]
fn a_profile_is_the_same_after_it_was_kept() {
    let profile = learned();
    let text = serde_json::to_string(&profile).unwrap();
    assert_eq!(serde_json::from_str::<Profile>(&text).unwrap(), profile);
}

/// A notice is known of an index that was seen, and of no other text.
#[test]
fn notices_of_cut_indexes_are_kept() {
    let memory = "/home/me/.claude/projects/-far-away/memory/MEMORY.md";
    let index = |last: &str| format!("{}{last}", "- line\n".repeat(205));
    let start = delivery(&[(memory, &index("end"))]);
    let mut profile = learned();
    let label = (Scope::AutoMemory, "auto-memory".to_owned());
    profile.framing.labels.push(label);
    assert_eq!(profile.instructions(&start), None);
    let seen = [Section {
        path: memory.to_owned(),
        scope: Some(Scope::AutoMemory),
        text: start.layers[0].text.clone(),
        notice: Some("> WARNING: MEMORY.md is long".to_owned()),
    }];
    assert!(profile.learn_notices(&start, &seen));
    assert!(!profile.learn_notices(&start, &seen), "it is known");
    let block = profile.instructions(&start).unwrap();
    assert!(block.ends_with("- line\n\n> WARNING: MEMORY.md is long\n</system-reminder>"));
    let other = delivery(&[(memory, &index("another end"))]);
    assert_eq!(profile.instructions(&other), None);
}
