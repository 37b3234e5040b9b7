//! `sessions` over files whose times are known.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where its world cannot be built"
)]

mod support;

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

/// 2026-09-01T10:00:00Z, in seconds since 1970.
const NOW: u64 = 1_788_256_800;
const DAY: u64 = 24 * 60 * 60;

const TALK: &str = r#"{"type":"user","uuid":"u1","parentUuid":null,"cwd":"/srv/shop","timestamp":"2026-08-01T10:00:00.000Z","message":{"role":"user","content":"M_U1 of ID"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","timestamp":"2026-08-01T10:00:09.000Z","message":{"id":"m1","model":"claude-opus-5-5","role":"assistant","content":[{"type":"text","text":"M_A1"}],"usage":{"input_tokens":5,"cache_creation_input_tokens":300,"cache_read_input_tokens":20000,"output_tokens":100}}}
"#;

fn put(path: &Path, text: &str, days_ago: u64) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    let time = UNIX_EPOCH + Duration::from_secs(NOW - days_ago * DAY);
    let file = File::options().write(true).open(path).unwrap();
    file.set_modified(time).unwrap();
}

fn outcrop(home: &Path, more: &[&str]) -> String {
    let mut command = support::outcrop(home);
    command.args(["sessions", "--all", "--client", "2.1.332", "--now"]);
    command.args(["2026-09-01T10:00:00Z", "--home"]).arg(home);
    command
        .arg("--managed")
        .arg(home.join("managed"))
        .args(more);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn world() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let config = home.path().join(".claude");
    let projects = config.join("projects");
    let talk = |id: &str| TALK.replace("ID", id);
    put(&projects.join("-srv-shop/aaaa0001.jsonl"), &talk("a"), 29);
    put(&projects.join("-srv-shop/bbbb0002.jsonl"), &talk("b"), 3);
    put(
        &projects.join("-srv-shop/bbbb0002/tool-results/t1.txt"),
        "M_STORED",
        40,
    );
    let torn = talk("c").replace("/srv/shop", "/srv/web") + r#"{"type":"user","uuid":"u2","par"#;
    put(&projects.join("-srv-web/cccc0003.jsonl"), &torn, 1);
    put(
        &projects.join("-srv-web/dddd0004.jsonl"),
        "{\"type\":\"mode\"}\n",
        60,
    );
    put(
        &projects.join("-srv-web/eeee0005/subagents/agent-x.jsonl"),
        &talk("x"),
        60,
    );
    put(
        &config.join("file-history/aaaa0001/0123456789abcdef@v1"),
        "M_OLD",
        29,
    );
    let history = "{\"sessionId\":\"aaaa0001\"}\n{\"sessionId\":\"aaaa0001\"}\n";
    put(&config.join("history.jsonl"), history, 0);
    home
}

#[test]
fn newest_first_with_days_until_they_go() {
    let home = world();
    let text = outcrop(home.path(), &["--verbose"]);
    let lines: Vec<&str> = text.lines().collect();
    let shop = lines.iter().position(|line| *line == "/srv/shop");
    let starts = |start: &str| lines.iter().position(|line| line.starts_with(start));
    let of = |start: &str| lines[starts(start).unwrap()];
    assert!(starts("cccc0003") < starts("bbbb0002") && starts("bbbb0002") < starts("aaaa0001"));
    assert!(
        shop > starts("cccc0003"),
        "the project with the newest session stands first"
    );
    assert!(
        of("aaaa0001").ends_with("20,405    – ok         1d"),
        "{text}"
    );
    assert!(
        of("bbbb0002").ends_with("20,405    – ok        27d"),
        "{text}"
    );
    assert!(
        of("cccc0003").ends_with("20,405    – torn      29d"),
        "{text}"
    );
    assert!(of("dddd0004").ends_with("–    – empty     due"), "{text}");
    assert!(text.contains("1 stored result, due"), "{text}");
    assert!(text.contains("1 file checkpoint"), "{text}");
    assert!(text.contains("2 inputs in history.jsonl"), "{text}");
    assert!(
        text.contains("1 folder of sessions whose transcript is gone"),
        "{text}"
    );
}

#[test]
fn json_tells_the_same() {
    let home = world();
    put(
        &home.path().join(".claude/settings.json"),
        r#"{"cleanupPeriodDays": 90}"#,
        0,
    );
    let text = outcrop(home.path(), &["--json"]);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["schema"], "outcrop/sessions@1");
    assert_eq!(
        value["retention"],
        serde_json::json!({"days": 90, "is_set": true})
    );
    let sessions = value["sessions"].as_array().unwrap();
    let ids: Vec<&str> = sessions
        .iter()
        .map(|session| session["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["cccc0003", "bbbb0002", "aaaa0001", "dddd0004"]);
    let [torn, stored, old, _] = &sessions[..] else {
        unreachable!("there are four");
    };
    assert_eq!(torn["health"], "torn");
    assert_eq!(
        torn["title"],
        serde_json::json!({"text": "M_U1 of c", "source": "prompt"})
    );
    assert_eq!(stored["persisted"]["deleted_in_days"], 50);
    assert_eq!(stored["context"]["total"], 20_405);
    assert_eq!(old["modified"], "2026-08-03T10:00:00Z");
    assert_eq!(old["started"], "2026-08-01T10:00:00Z");
    assert_eq!(
        (old["history"].as_u64(), old["deleted_in_days"].as_i64()),
        (Some(2), Some(61))
    );
    assert_eq!(value["orphans"].as_array().unwrap().len(), 1);
}
