//! The parts of the first request beside layers and lists, in worlds that are made here: odd files,
//! whatever a hook prints, sizes, programs that are missing.

use outcrop_loader::path::AbsPath;
use outcrop_loader::record::Evidence;
use outcrop_loader::request::fixed_cost::fixed_cost;
use outcrop_loader::request::hooks::{CAP, Exit, HookText, Outcome, PREVIEW, Start, heard};
use outcrop_loader::session::Session;
use outcrop_tests::case::Case;
use outcrop_tests::memory;
use proptest::prelude::*;

use crate::worlds::config;

const CLIENTS: [&str; 2] = ["2.1.332", "2.1.197"];

proptest! {
    #![proptest_config(config(512))]

    /// Whatever a hook prints, no more than the cap of it is sent, and judging it ends.
    #[test]
    fn nothing_over_the_cap_is_heard(
        event in prop::sample::select(vec!["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"]),
        code in 0..4_i32,
        head in "\\PC{0,12}",
        repeat in 0..3_000_usize,
        unit in prop::sample::select(vec!["a", "é\n", "😀", "{", "\\\"", "\r\n"]),
        as_json in any::<bool>(),
    ) {
        let text = format!("{head}{}", unit.repeat(repeat));
        let context = serde_json::json!({
            "hookSpecificOutput": { "hookEventName": event, "additionalContext": text }
        });
        let stdout = if as_json { context.to_string() } else { text };
        let outcome = Outcome { exit: Exit::Code(code), stdout, stderr: String::new() };
        for client in CLIENTS {
            let client = outcrop_loader::client::Client::of(client.parse().unwrap()).unwrap();
            for told in heard(event, &outcome, &client.behaviour).texts {
                let HookText { text, characters, kept_in_file, .. } = told;
                let sent = text.encode_utf16().count();
                prop_assert!(sent <= CAP);
                prop_assert_eq!(kept_in_file, characters > CAP);
                prop_assert!(!kept_in_file || sent <= PREVIEW);
                prop_assert!(kept_in_file || sent == characters);
            }
        }
    }
}

/// JSON of any form, often with the keys that matter.
fn json() -> impl Strategy<Value = serde_json::Value> {
    let keys = prop::sample::select(vec![
        "hooks",
        "SessionStart",
        "Stop",
        "Nope",
        "matcher",
        "type",
        "command",
        "args",
        "timeout",
        "mcpServers",
        "url",
        "env",
        "deny",
        "permissions",
        "outputStyle",
        "language",
        "model",
    ]);
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i32>().prop_map(Into::into),
        prop::sample::select(vec![
            "command", "stdio", "http", "", "(", "startup", "./x.sh", "Bash"
        ])
        .prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
            prop::collection::vec((keys.clone(), inner), 0..5).prop_map(|pairs| {
                let pairs = pairs
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value));
                serde_json::Value::Object(pairs.collect())
            }),
        ]
    })
}

proptest! {
    #![proptest_config(config(256))]

    /// Whatever stands in settings and servers' files, every part can be told, and what is wrong
    /// has a line.
    #[test]
    fn odd_files_are_told(settings in json(), hooks in json(), servers in json(), old in any::<bool>()) {
        let mut all = serde_json::json!({ "hooks": hooks });
        if let (Some(all), serde_json::Value::Object(more)) = (all.as_object_mut(), settings) {
            all.extend(more);
        }
        let case = Case {
            cwd: "proj".to_owned(),
            files: [
                ("home/.claude/settings.json".to_owned(), all.to_string()),
                ("proj/.mcp.json".to_owned(), serde_json::json!({ "mcpServers": servers }).to_string()),
            ].into(),
            ..Case::default()
        };
        let host = memory::host(&case);
        let client = CLIENTS[usize::from(old)].parse().unwrap();
        let session = Session::start(&host, memory::origin(&case, client));
        let (found, mcp) = (session.hooks(Start::Startup), session.mcp());
        for wrong in found.diagnostics.iter().chain(&mcp.diagnostics) {
            prop_assert!(wrong.line.is_some(), "{wrong:?}");
        }
        for hook in &found.hooks {
            prop_assert!(hook.kind != "command" || hook.command.is_some());
        }
        let told = serde_json::json!([
            found, mcp, session.output_style(), session.system_texts(), session.offered_tools(),
            session.model(), session.fixed_cost(),
        ]);
        prop_assert!(told.is_array());
    }
}

/// An empty project, and a model.
fn with_model(model: &str) -> Case {
    Case {
        cwd: "proj".to_owned(),
        args: vec!["--model".to_owned(), model.to_owned()],
        ..Case::default()
    }
}

/// Sizes before any file against those of another run (fact C7), whose paths were 33 and 36
/// characters long, to the one or two characters that a process number may take.
#[test]
fn fixed_costs() {
    for (client, model, system, tools, messages) in [
        ("2.1.332", "default", 7_196, 31_058, 9_795),
        ("2.1.332", "claude-haiku-5-5", 9_772, 31_058, 9_849),
        ("2.1.332", "claude-sonnet-4-5", 28_423, 47_064, 10_348),
        ("2.1.332", "claude-unknown-9", 6_929, 31_058, 9_713),
        ("2.1.197", "default", 5_878, 62_870, 6_368),
        ("2.1.197", "claude-opus-4-8", 5_861, 62_857, 6_368),
        ("2.1.197", "claude-sonnet-4-6", 26_611, 80_764, 6_648),
        ("2.1.197", "claude-unknown-9", 5_777, 62_848, 6_368),
    ] {
        let case = with_model(model);
        let host = memory::host(&case);
        let session = Session::start(&host, memory::origin(&case, client.parse().unwrap()));
        let facts = session.model().facts;
        let cost = fixed_cost(session.client(), &facts, None, 33, 36);
        let near = |got: usize, wanted: usize| got.abs_diff(wanted) <= 2;
        assert!(near(cost.system, system), "{client} {model}: {cost:?}");
        assert!(near(cost.tools_json, tools), "{client} {model}: {cost:?}");
        assert!(near(cost.messages, messages), "{client} {model}: {cost:?}");
        assert_eq!(cost.evidence, Evidence::Observed, "{client} {model}");
    }
}

/// A version between two that were run has the sizes of the older one; other models' are taken
/// from the nearest row.
#[test]
fn fixed_costs_of_others() {
    let cost = |client: &str, model: &str| {
        let case = with_model(model);
        let host = memory::host(&case);
        let session = Session::start(&host, memory::origin(&case, client.parse().unwrap()));
        session.fixed_cost()
    };
    let between = cost("2.1.310", "default");
    assert_eq!(between.measured.to_string(), "2.1.309");
    assert_eq!(between.evidence, Evidence::Observed);
    let assumed = cost("2.1.250", "claude-sonnet-4-5");
    assert_eq!(
        (assumed.measured.to_string().as_str(), assumed.evidence),
        ("2.1.197", Evidence::Assumed)
    );
    let unknown = cost("2.1.332", "claude-unseen-3");
    assert_eq!(
        (unknown.model, unknown.evidence),
        ("claude-unknown-9", Evidence::Assumed)
    );
}

#[test]
fn missing_programs() {
    let file = |text: &str| text.to_owned();
    let hooks = serde_json::json!({ "hooks": { "Stop": [{ "hooks": [
        { "type": "command", "command": "$CLAUDE_PROJECT_DIR/there.sh --now" },
        { "type": "command", "command": "\"$CLAUDE_PROJECT_DIR\"/gone.sh | cat" },
        { "type": "command", "command": "python3 tools/gone.py" },
        { "type": "command", "command": "echo ./gone" },
        { "type": "command", "command": "A=/gone true" },
        { "type": "command", "command": "$UNKNOWN/gone" },
    ] }] } });
    let case = Case {
        cwd: "proj".to_owned(),
        files: [
            (file("proj/.claude/settings.json"), hooks.to_string()),
            (file("proj/there.sh"), String::new()),
            (
                file("proj/.mcp.json"),
                file(r#"{"mcpServers": {"s": {"command": "node", "args": ["./gone.js"]}}}"#),
            ),
        ]
        .into(),
        ..Case::default()
    };
    let host = memory::host(&case);
    let session = Session::start(&host, memory::origin(&case, "2.1.332".parse().unwrap()));
    let hooks = session.hooks(Start::Startup).hooks;
    let name = |path: &AbsPath| memory::relative(path.as_str(), memory::ROOT);
    let missing: Vec<Option<String>> = hooks
        .iter()
        .map(|hook| hook.missing.as_ref().map(name))
        .collect();
    let gone = |path: &str| Some(path.to_owned());
    let wanted = [
        None,
        gone("proj/gone.sh"),
        gone("proj/tools/gone.py"),
        None,
        None,
        None,
    ];
    assert_eq!(missing, wanted);
    let server = session.mcp().servers.remove(0);
    assert_eq!(server.missing.as_ref().map(name), gone("proj/gone.js"));
}
