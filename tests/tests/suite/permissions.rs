//! Recorded decisions on tool calls, for both clients. The calls of a case are decided one by one:
//! files that one of them leaves behind are not followed, and whether a call that ran then failed is
//! not predicted. The servers of perm-mcp-* were live; that their tools exist is taken from there.

use outcrop_loader::host::MemoryHost;
use outcrop_loader::origin::Origin;
use outcrop_loader::path::AbsPath;
use outcrop_loader::permissions::{Outcome, call_of};
use outcrop_loader::session::{Session, ToolCall};
use outcrop_tests::case::Case;
use outcrop_tests::{case, memory};
use proptest::prelude::*;
use serde_json::{Value, json};

const CLIENTS: [&str; 2] = ["2.1.332", "2.1.197"];

/// Whether each call of a case was recorded to run.
fn recorded(case: &Case, client: &str) -> Vec<bool> {
    let expected = case.expected(client);
    let ran = |answer: &str| match answer {
        "run" | "run-failed" | "ok" | "forked" => true,
        "denied" | "error" => false,
        other => panic!("{}: {other}", case.name),
    };
    if let Some(calls) = expected.get("calls").and_then(Value::as_array) {
        return calls
            .iter()
            .map(|call| ran(call.as_str().unwrap()))
            .collect();
    }
    let steps = expected["steps"].as_array().unwrap();
    // A step without a result is a forked skill: its own requests follow.
    let steps = steps.iter().take(case.calls().len());
    let result = steps.map(|step| step["result"].as_str().unwrap_or("forked"));
    result.map(ran).collect()
}

/// Whether a call that did not run was denied, or would be asked about; our own cases tell it by
/// the client's answer.
fn refused(case: &Case, client: &str, index: usize) -> Option<Outcome> {
    match case.expected(client)["refused"][index].as_str()? {
        "deny" => Some(Outcome::Denied),
        "ask" => Some(Outcome::Asks),
        _ => None,
    }
}

#[test]
fn recorded_decisions() {
    let cases = case::load("permissions");
    let mut compared = 0;
    let mut wrong = Vec::new();
    for case in &cases {
        for client in CLIENTS {
            let host = memory::host(case);
            let session = memory::started(case, &host, client.parse().unwrap());
            let mut permissions = session.permissions();
            let calls = memory::calls(case, memory::ROOT);
            for (index, (call, ran)) in calls.iter().zip(recorded(case, client)).enumerate() {
                let decision = permissions.decide(call);
                let runs = decision.outcome.in_print() == Outcome::Runs;
                let refused = refused(case, client, index);
                permissions.shell_has_run |= ran && call.tool == "Bash";
                compared += 1;
                if runs != ran || refused.is_some_and(|refused| refused != decision.outcome) {
                    wrong.push(format!(
                        "{} {client} {} {}: ran {ran} {refused:?}, but {:?}: {}",
                        case.name, call.tool, call.input, decision.outcome, decision.reason
                    ));
                }
            }
        }
    }
    println!("recorded decisions: {compared} in {} cases", cases.len());
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(compared >= 8500, "{compared}");
}

/// Commands and paths of the kinds that rules speak of, and any text.
fn texts() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "touch a",
        "ls",
        "cat k/x",
        "rm -rf b",
        "FOO=1 ls",
        "$(ls)",
        "(ls)",
        "&&",
        ";",
        "|",
        "> f",
        "\"q",
        "'s'",
        "`x`",
        "${A}",
        "if true; then",
        "fi",
        "case x in",
        "<<E\nx\nE",
        "&",
        "timeout 5",
        "{",
        "}",
        "k/x",
        "../o",
        "~/h",
        "$X",
        "[[ a ]]",
        "for i in",
        "done",
        "sudo",
        "\\",
        "A=(1",
        "A+=(1 2)",
        "f() {",
        "function g",
        "echo $[1",
        "$((1",
        "for ((i=0;",
        "done < f",
        "\u{a0}",
        "declare -a L",
        "export X=$(ls)",
        "select x in a;",
        ")",
        "))",
    ]);
    let joined = prop::collection::vec(words, 1..6).prop_map(|words| words.join(" "));
    prop_oneof![3 => joined, 1 => any::<String>()]
}

fn calls() -> impl Strategy<Value = ToolCall> {
    let tool = prop::sample::select(vec![
        "Bash",
        "Read",
        "Write",
        "Edit",
        "WebFetch",
        "mcp__s__t",
    ]);
    (tool, texts()).prop_map(|(tool, text)| ToolCall {
        tool: tool.to_owned(),
        input: json!({ "command": text, "file_path": text, "url": text }),
    })
}

fn rules() -> impl Strategy<Value = Vec<String>> {
    let rule = prop::sample::select(vec![
        "Bash",
        "Bash(touch:*)",
        "Bash(rm *)",
        "Bash(ls)",
        "Bash(*a*)",
        "Read(k/**)",
        "Read",
        "Edit(**)",
        "Edit",
        "Write",
        "mcp__s",
        "mcp__s__t",
        "WebFetch(domain:*)",
        "Read(//**)",
        "Bash(",
        "",
        "Skill(x)",
        "Read(*.key)",
        "Edit(k)",
        "Bash(cat:*)",
    ]);
    prop::collection::vec(rule.prop_map(str::to_owned), 0..4)
}

fn modes() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "default",
        "acceptEdits",
        "plan",
        "dontAsk",
        "bypassPermissions",
        "x",
    ])
}

/// What becomes of a call in a session with these rules of the user.
fn outcome(
    client: &str,
    mode: &str,
    (allow, ask, deny): (&[String], &[String], &[String]),
    call: &ToolCall,
) -> Outcome {
    let abs = |path: &str| AbsPath::new(path).unwrap();
    let mut host = MemoryHost::new();
    host.file(&abs("/w/p/k/x"), *b"x");
    let settings = json!({ "permissions": { "allow": allow, "ask": ask, "deny": deny } });
    host.file(
        &abs("/w/h/.claude/settings.json"),
        settings.to_string().into_bytes(),
    );
    let mut origin = Origin::new(abs("/w/p"), abs("/w/h"));
    origin.managed = abs("/w/m");
    origin.client = outcrop_loader::client::Client::of(client.parse().unwrap()).unwrap();
    origin.flags.permission_mode = Some(mode.to_owned());
    let session = Session::start(&host, origin);
    let permissions = session.permissions();
    let decision = permissions.decide(call);
    assert_eq!(decision, permissions.decide(call));
    decision.outcome
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// More deny rules never let more run; more allow rules never let less run.
    #[test]
    fn rules_are_monotone(
        client in prop::sample::select(CLIENTS.to_vec()),
        mode in modes(),
        allow in rules(),
        ask in rules(),
        deny in rules(),
        more in rules(),
        call in calls(),
    ) {
        let with = |allow: &[String], deny: &[String]| {
            outcome(client, mode, (allow, &ask, deny), &call)
        };
        let before = with(&allow, &deny);
        let denied = with(&allow, &[deny.clone(), more.clone()].concat());
        prop_assert!(denied != Outcome::Runs || before == Outcome::Runs, "{before:?} {denied:?}");
        prop_assert!(before != Outcome::Denied || denied == Outcome::Denied);
        let allowed = with(&[allow, more].concat(), &deny);
        prop_assert!(before != Outcome::Runs || allowed == Outcome::Runs, "{before:?} {allowed:?}");
    }

    /// Every text is a call or none, and every call is decided.
    #[test]
    fn any_call_is_decided(text in texts(), client in prop::sample::select(CLIENTS.to_vec())) {
        let wrapped = format!("Bash({text})");
        for text in [text, wrapped] {
            if let Ok(call) = call_of(&text) {
                let none: &[String] = &[];
                outcome(client, "default", (none, none, none), &call);
            }
        }
    }
}
