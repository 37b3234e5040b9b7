//! What a list tells of small transcripts.

use outcrop_loader::client::Client;

use super::*;
use crate::chain::Chain;
use crate::transcript::Transcript;

const TALK: &str = r#"{"type":"user","uuid":"u0","parentUuid":null,"message":{"role":"user","content":"<command-name>/clear</command-name>"}}
{"type":"user","uuid":"u1","parentUuid":"u0","isMeta":true,"message":{"role":"user","content":"M_META"}}
{"type":"user","uuid":"u2","parentUuid":"u1","message":{"role":"user","content":[{"type":"text","text":"\n M_U2\twith  a\nsecond line"}]}}
{"type":"assistant","uuid":"a1","parentUuid":"u2","message":{"id":"m1","model":"claude-opus-5-5","role":"assistant","content":[{"type":"text","text":"M_A1"}],"usage":{"input_tokens":5,"cache_creation_input_tokens":300,"cache_read_input_tokens":20000,"output_tokens":100}}}
"#;

fn survey(text: &str) -> Survey {
    let transcript = Transcript::read(text.as_bytes()).unwrap();
    let client = Client::newest();
    let chain = Chain::of(&transcript, &client.behaviour.resume).unwrap();
    Survey::of(&transcript, &chain, &client).unwrap()
}

fn title(more: &str) -> (String, TitleSource) {
    let title = survey(&format!("{TALK}{more}")).title.unwrap();
    (title.text, title.source)
}

/// Facts I37, I50, I51, bug B095.
#[test]
fn the_users_title_is_the_strongest() {
    let prompt = ("M_U2 with a second line".to_owned(), TitleSource::Prompt);
    assert_eq!(title(""), prompt);
    let summary = r#"{"type":"summary","summary":"M_SUMMARY","leafUuid":"a1"}"#;
    let ai = r#"{"type":"ai-title","aiTitle":"M_AI"}"#;
    let custom = r#"{"type":"custom-title","customTitle":"M_OLD"}
{"type":"custom-title","customTitle":"M_OWN"}"#;
    let of = |text: &str, source| (text.to_owned(), source);
    assert_eq!(title(summary), of("M_SUMMARY", TitleSource::Summary));
    let lines = [ai, summary].join("\n");
    assert_eq!(title(&lines), of("M_AI", TitleSource::Ai));
    let lines = [custom, ai, summary].join("\n");
    assert_eq!(title(&lines), of("M_OWN", TitleSource::Custom));
    // The title of another session, from which this one went on, and an empty one.
    assert_eq!(title(&summary.replace("a1", "elsewhere")), prompt);
    assert_eq!(
        title(r#"{"type":"custom-title","customTitle":" "}"#),
        prompt
    );
}

#[test]
fn the_worst_fault_is_told() {
    let health = |text: String| survey(&text).health;
    assert_eq!(health(TALK.to_owned()), Health::Ok);
    assert_eq!(health(format!("{TALK}{{\"type\":\"us")), Health::Torn);
    assert_eq!(
        health(format!("nothing\n{TALK}{{\"type\":\"us")),
        Health::Damaged
    );
    assert_eq!(health(format!("\u{FEFF}{TALK}\r\n\n")), Health::Ok);
    let gap = TALK.replace(r#""parentUuid":"u1""#, r#""parentUuid":"gone""#);
    assert_eq!(health(gap.clone()), Health::Gap);
    assert_eq!(health(format!("nothing\n{gap}")), Health::Gap);
    assert_eq!(health(String::new()), Health::Empty);
    let side = TALK.replace(r#""type":"user""#, r#""isSidechain":true,"type":"user""#);
    let side = side.replace(
        r#""type":"assistant""#,
        r#""isSidechain":true,"type":"assistant""#,
    );
    assert_eq!(health(side), Health::Refused);
}

/// Bug B089: the last request, neither a sub-agent's nor an error's, and never the sum.
#[test]
fn the_context_is_that_of_the_last_main_request() {
    let context = |more: &str| survey(&format!("{TALK}{more}")).context.unwrap();
    let plain = context("");
    assert_eq!(
        (plain.sent, plain.output, plain.total),
        (20_305, 100, 20_405)
    );
    assert_eq!(plain.measure, Measure::Usage);
    let side = r#"{"type":"assistant","uuid":"s1","parentUuid":null,"isSidechain":true,"agentId":"x","message":{"id":"m9","role":"assistant","content":[],"usage":{"input_tokens":900000,"output_tokens":1}}}"#;
    assert_eq!(context(side), plain);
    let error = r#"{"type":"assistant","uuid":"e1","parentUuid":"a1","isApiErrorMessage":true,"message":{"id":"m8","model":"<synthetic>","role":"assistant","content":[{"type":"text","text":"M_ERROR"}],"usage":{"input_tokens":0,"output_tokens":0}}}"#;
    assert_eq!(context(error), plain);
    // What a compaction keeps was counted in a context that is gone.
    let compacted = r#"{"type":"system","subtype":"compact_boundary","uuid":"b","parentUuid":null,"logicalParentUuid":"a1","compactMetadata":{"preservedSegment":{"headUuid":"a1","anchorUuid":"s","tailUuid":"a1"}}}
{"type":"user","uuid":"s","parentUuid":"b","isCompactSummary":true,"message":{"role":"user","content":"M_SUMMARY 12"}}"#;
    let after = context(compacted);
    assert_eq!((after.total, after.measure), (4, Measure::Estimate));
    let survey = survey(&format!("{TALK}{compacted}"));
    assert_eq!((survey.compactions, survey.turns), (1, 1));
}

/// Facts 235 of docs/facts-sessions.md: of an answer of several rounds the last counts in newer
/// clients, the whole in older ones.
#[test]
fn the_last_round_of_an_answer_tells_the_size() {
    let rounds = TALK.replace(
        r#""output_tokens":100}"#,
        r#""output_tokens":100,"iterations":[{"input_tokens":1,"output_tokens":2},7,{"input_tokens":50,"cache_creation_input_tokens":0,"cache_read_input_tokens":900,"output_tokens":30}]}"#,
    );
    let total = |version: &str| {
        let transcript = Transcript::read(rounds.as_bytes()).unwrap();
        let client = Client::of(version.parse().unwrap()).unwrap();
        let chain = Chain::of(&transcript, &client.behaviour.resume).unwrap();
        Context::of(&transcript, &chain, &client.behaviour.counting).map(|context| context.total)
    };
    assert_eq!(total("2.1.332"), Some(980));
    // Records without a time count nothing there, so the older client is tried with the newer chain.
    let transcript = Transcript::read(rounds.as_bytes()).unwrap();
    let chain = Chain::of(&transcript, &Client::newest().behaviour.resume).unwrap();
    let older = Client::of("2.1.197".parse().unwrap()).unwrap();
    let context = Context::of(&transcript, &chain, &older.behaviour.counting);
    assert_eq!(context.map(|context| context.total), Some(20_405));
}
