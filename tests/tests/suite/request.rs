//! Recorded parts of the request beside instruction files and lists, for both clients.
//!
//! Hooks and git are run for real, in a temporary folder. No MCP server is: of those cases the
//! names of servers and how their tools are sent are compared, not schemas and instructions. Of a
//! denied tool it is compared that the request does not have it.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use outcrop_loader::host::DiskHost;
use outcrop_loader::path::AbsPath;
use outcrop_loader::record::Evidence;
use outcrop_loader::request::blocks::Block;
use outcrop_loader::request::fixed_cost::fixed_cost;
use outcrop_loader::request::git_status::GitOutput;
use outcrop_loader::request::hooks::{
    CAP, Exit, Form, Hook, HookSource, HookState, HookText, Outcome, PREVIEW, Start, heard,
};
use outcrop_loader::request::mcp::{McpState, Sent};
use outcrop_loader::request::style::Position;
use outcrop_loader::session::Session;
use outcrop_tests::case::{self, Case};
use outcrop_tests::{disk, memory};
use proptest::prelude::*;
use serde::Deserialize;

use crate::worlds::config;

const CLIENTS: [&str; 2] = ["2.1.332", "2.1.197"];

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    hooks: Option<Vec<Told>>,
    requests: Option<usize>,
    inline: Option<Vec<Inline>>,
    names_only: Option<Vec<String>>,
    tool_search: Option<bool>,
    instructions_run: Option<usize>,
    places: Option<Vec<Placed>>,
    /// An absent block is `null`.
    #[serde(default, deserialize_with = "present")]
    git_status: Option<Option<Git>>,
    tools: Option<Vec<String>>,
    deferred: Option<Vec<String>>,
    model: Option<String>,
    write_tool: Option<String>,
    /// The block about commits is there.
    attribution: Option<bool>,
    /// Permissions have a suite of their own.
    #[serde(rename = "calls")]
    _calls: Option<Vec<String>>,
}

fn present<'d, D: serde::Deserializer<'d>>(
    deserializer: D,
) -> Result<Option<Option<Git>>, D::Error> {
    Deserialize::deserialize(deserializer).map(Some)
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Told {
    kind: String,
    text: Text,
    role: String,
}

/// A text, or the measures of a long one.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
enum Text {
    Whole(String),
    Measures {
        chars: usize,
        start: String,
        end: String,
    },
}

impl Text {
    /// A text in the form of another one.
    fn like(text: &str, other: Option<&Self>) -> Self {
        match other {
            Some(Self::Measures { start, end, .. }) => {
                let ends = |n: usize| text.len().saturating_sub(n);
                Self::Measures {
                    chars: text.chars().count(),
                    start: text[..start.len().min(text.len())].to_owned(),
                    end: text[ends(end.len())..].to_owned(),
                }
            }
            _ => Self::Whole(text.to_owned()),
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
struct Inline {
    name: String,
    description_chars: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Placed {
    text: String,
    r#where: String,
    at_end: Option<bool>,
    at_start: Option<bool>,
}

#[derive(Clone, Debug, Deserialize)]
struct Git {
    branch: String,
    main_branch: String,
    user: Option<String>,
    status: Text,
    cut: bool,
    commit_subjects: Vec<String>,
}

/// Runs what is recorded of cases that `wants` on real files, for both clients.
fn on_disk(
    wants: fn(&Expected) -> bool,
    check: impl Fn(&Session<'_>, &disk::World, &Expected, &str),
) {
    let mut compared = 0;
    for case in case::load("request") {
        for client in CLIENTS {
            let expected: Expected = serde_json::from_value(case.expected(client).clone()).unwrap();
            if !wants(&expected) {
                continue;
            }
            let world = disk::World::build(&case);
            let origin = world.origin(&case, client.parse().unwrap());
            let host = DiskHost::new();
            let session = Session::start(&host, origin);
            check(
                &session,
                &world,
                &expected,
                &format!("{} {client}", case.name),
            );
            compared += 1;
        }
    }
    println!("recorded parts: {compared} compared");
    assert!(compared > 0);
}

/// The same in memory.
fn in_memory(wants: fn(&Expected) -> bool, check: impl Fn(&Session<'_>, &Expected, &str)) {
    let mut compared = 0;
    let has = |case: &Case| wants(&serde_json::from_value(case.expected.clone()).unwrap());
    for case in case::load("request").iter().filter(|case| has(case)) {
        for client in CLIENTS {
            let expected: Expected = serde_json::from_value(case.expected(client).clone()).unwrap();
            let host = memory::host(case);
            let session = Session::start(&host, memory::origin(case, client.parse().unwrap()));
            check(&session, &expected, &format!("{} {client}", case.name));
            compared += 1;
        }
    }
    println!("recorded parts: {compared} compared");
    assert!(compared > 0);
}

/// What a hook's command does, run as the client runs it.
fn run(hook: &Hook, world: &disk::World, cwd: &str) -> Outcome {
    let root = world.root_text();
    let mut command = Command::new("sh");
    command
        .args(["-c", hook.command.as_deref().unwrap_or_default()])
        .current_dir(cwd)
        .env("HOME", Path::new(&root).join("home"))
        .env("CLAUDE_PROJECT_DIR", cwd)
        .stdin(Stdio::null());
    if let HookSource::Plugin { root, .. } = &hook.source {
        command.env("CLAUDE_PLUGIN_ROOT", root.as_str());
    }
    let output = command.output().unwrap();
    Outcome {
        exit: output.status.code().map_or(Exit::Failed, Exit::Code),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// What hooks do that run side by side, in the order in which they end.
fn run_all<'h>(hooks: &[&'h Hook], world: &disk::World, cwd: &str) -> Vec<(&'h Hook, Outcome)> {
    let (ended, ends) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        for hook in hooks {
            let ended = ended.clone();
            scope.spawn(move || ended.send((*hook, run(hook, world, cwd))).unwrap());
        }
    });
    drop(ended);
    ends.into_iter().collect()
}

#[test]
fn hooks() {
    on_disk(
        |expected| expected.hooks.is_some(),
        |session, world, expected, name| {
            let (mut plain, mut contexts, mut requests) = (Vec::new(), Vec::new(), 1);
            let behaviour = &session.client().behaviour;
            let hooks = session.hooks(Start::Startup).hooks;
            let run_now = |hook: &&Hook| {
                hook.state == HookState::Runs
                    || (hook.event == "UserPromptSubmit" && hook.state == HookState::Later)
            };
            let hooks: Vec<&Hook> = hooks.iter().filter(run_now).collect();
            for (hook, outcome) in run_all(&hooks, world, session.cwd().as_str()) {
                let event = hook.event.as_str();
                let heard = heard(event, &outcome, behaviour);
                if heard.no_request {
                    requests = 0;
                }
                for HookText {
                    form,
                    text,
                    kept_in_file,
                    ..
                } in heard.texts
                {
                    let text = if kept_in_file {
                        "persisted".to_owned()
                    } else {
                        text
                    };
                    match form {
                        Form::Plain => plain.push((event.to_owned(), text)),
                        _ => contexts.push((event.to_owned(), text)),
                    }
                }
            }
            let mut texts: Vec<(String, String)> = Vec::new();
            for (event, text) in plain {
                let source = if event == "SessionStart" {
                    ":startup"
                } else {
                    ""
                };
                texts.push((format!("{event}{source} hook success"), text));
            }
            // Those of one start stand in one line.
            if let Some((event, _)) = contexts.first() {
                let joined: Vec<&str> = contexts.iter().map(|(_, text)| text.as_str()).collect();
                let kind = format!("{event} hook additional context");
                texts.push((kind, joined.join("\n").trim_end_matches('\n').to_owned()));
            }
            let wanted = expected.hooks.as_ref().unwrap();
            let texts = texts.iter().enumerate().map(|(index, (kind, text))| Told {
                kind: kind.clone(),
                text: Text::like(text, wanted.get(index).map(|wanted| &wanted.text)),
                role: "system".to_owned(),
            });
            assert_eq!(&texts.collect::<Vec<_>>(), wanted, "{name}");
            assert_eq!(Some(requests), expected.requests, "{name}");
        },
    );
}

#[test]
fn servers() {
    in_memory(
        |expected| expected.inline.is_some(),
        |session, expected, name| {
            let mcp = session.mcp();
            let inline = expected.inline.as_ref().unwrap();
            let mut seen: BTreeSet<&str> = inline.iter().map(|tool| tool.name.as_str()).collect();
            let inline_names = seen.clone();
            seen.extend(expected.names_only.iter().flatten().map(String::as_str));
            for server in &mcp.servers {
                let own = |tool: &&&str| {
                    let rest = tool.strip_prefix(server.prefix.as_str());
                    rest.is_some_and(|rest| rest.starts_with('t'))
                };
                let tools: Vec<&&str> = seen.iter().filter(own).collect();
                match &server.state {
                    McpState::Starts if server.denied_tools.is_empty() => {
                        assert!(!tools.is_empty(), "{name}: {} starts", server.name);
                    }
                    McpState::Shadowed { .. } | McpState::Starts => {}
                    state => assert!(tools.is_empty(), "{name}: {} is {state:?}", server.name),
                }
                // `_meta` of a tool, which only the server tells, keeps it inline (fact C4.3).
                if server.state == McpState::Starts
                    && !tools.is_empty()
                    && !name.starts_with("mcp-always-load")
                {
                    let sent = if tools.iter().any(|tool| inline_names.contains(**tool)) {
                        Sent::Inline
                    } else {
                        Sent::Names
                    };
                    assert_eq!(server.tools, sent, "{name}: {}", server.name);
                }
            }
            let prefixes = mcp
                .servers
                .iter()
                .filter(|server| server.state == McpState::Starts);
            let prefixes: Vec<&str> = prefixes.map(|server| server.prefix.as_str()).collect();
            for tool in &seen {
                let known = prefixes.iter().any(|prefix| tool.starts_with(prefix));
                assert!(known, "{name}: {tool} has a server");
            }
            // Long descriptions and instructions are cut at the cap, with a mark of 13.
            for tool in inline {
                assert!(tool.description_chars <= mcp.cap + 13, "{name}");
            }
            assert!(expected.instructions_run.unwrap_or(0) <= mcp.cap, "{name}");
            let offered = session.offered_tools();
            let searches = offered.tools.iter().any(|tool| tool == "ToolSearch");
            assert_eq!(Some(searches), expected.tool_search, "{name}");
        },
    );
}

/// Which server of a name starts, told by the length of what it says.
#[test]
fn precedence_of_servers() {
    in_memory(
        |expected| {
            expected
                .inline
                .as_ref()
                .is_some_and(|tools| tools.len() > 3)
        },
        |session, expected, name| {
            for tool in expected.inline.as_ref().unwrap() {
                let mcp = session.mcp();
                let mut starts = mcp
                    .servers
                    .iter()
                    .filter(|server| server.state == McpState::Starts);
                let server = starts
                    .find(|server| tool.name.starts_with(&server.prefix))
                    .unwrap();
                let length = format!("\"desc\": {}}}", tool.description_chars);
                assert!(server.args[1].ends_with(&length), "{name}: {server:?}");
            }
        },
    );
}

#[test]
fn places_of_texts() {
    in_memory(
        |expected| expected.places.is_some(),
        |session, expected, name| {
            let mut got = Vec::new();
            let mut add = |text: &str, position: Position, times: usize| {
                let in_prompt = position != Position::SystemMessage;
                let placed = Placed {
                    text: text.to_owned(),
                    r#where: match in_prompt {
                        true => "system prompt block 2".to_owned(),
                        false => "message role system".to_owned(),
                    },
                    at_end: in_prompt.then_some(position == Position::SystemPromptEnd),
                    at_start: in_prompt.then_some(position == Position::SystemPromptStart),
                };
                got.extend(std::iter::repeat_n(placed, times));
            };
            let texts = session.system_texts();
            for text in texts.replaced.iter().chain(&texts.appended) {
                // A lone text is both the beginning and the end; the recordings have both.
                add(text.text.trim_end(), text.position, 1);
            }
            let style = session.output_style();
            if let (Some(text), Some(position)) = (&style.text, style.position) {
                let marker = text.lines().nth(1).unwrap();
                let marker = marker.split(' ').next().unwrap();
                add(marker, position, 1);
            }
            if let Some(language) = &texts.language {
                add(&language.name, language.position, 3);
            }
            let alone = texts.replaced.is_some() && texts.appended.is_none();
            let wanted = expected.places.iter().flatten();
            let wanted: Vec<Placed> = wanted
                .filter(|placed| placed.r#where != "message role user")
                .map(|placed| Placed {
                    at_end: placed.at_end.map(|at_end| at_end && !alone),
                    ..placed.clone()
                })
                .collect();
            assert_eq!(got, wanted, "{name}");
        },
    );
}

#[test]
fn git_status() {
    on_disk(
        |expected| expected.git_status.is_some(),
        |session, world, expected, name| {
            let Some(wanted) = expected.git_status.as_ref().unwrap() else {
                assert!(session.no_git_status().is_some(), "{name}");
                return;
            };
            assert_eq!(session.no_git_status(), None, "{name}");
            let root = world.root_text();
            let output = GitOutput::ask(|args| {
                let output = Command::new("git")
                    .arg("--no-optional-locks")
                    .args(args)
                    .current_dir(session.cwd().as_str())
                    .env("HOME", Path::new(&root).join("home"))
                    .env("GIT_CONFIG_NOSYSTEM", "1")
                    .env_remove("GIT_CONFIG_GLOBAL")
                    .output()
                    .unwrap();
                let text = String::from_utf8_lossy(&output.stdout).into_owned();
                output.status.success().then_some(text)
            });
            let status = session.git_status(&output);
            assert_eq!(status.branch, wanted.branch, "{name}");
            assert_eq!(status.main_branch, wanted.main_branch, "{name}");
            assert_eq!(status.user, wanted.user, "{name}");
            assert_eq!(
                Text::like(&status.status, Some(&wanted.status)),
                wanted.status,
                "{name}"
            );
            assert_eq!(status.cut, wanted.cut, "{name}");
            let subjects = status
                .commits
                .iter()
                .map(|commit| commit.split_once(' ').unwrap().1);
            assert!(subjects.eq(&wanted.commit_subjects), "{name}");
        },
    );
}

#[test]
fn attribution() {
    in_memory(
        |expected| expected.attribution.is_some(),
        |session, expected, name| {
            let request = session.first_request(None);
            let mut sections = request.sections.iter();
            let told = sections.any(|section| section.block == Block::Attribution);
            assert_eq!(Some(told), expected.attribution, "{name}");
        },
    );
}

#[test]
fn offered_tools() {
    in_memory(
        |expected| expected.tools.is_some() || expected.write_tool.is_some(),
        |session, expected, name| {
            let offered = session.offered_tools();
            if let Some(tools) = &expected.tools {
                assert_eq!(&offered.tools, tools, "{name}");
                assert_eq!(
                    Some(&offered.deferred),
                    expected.deferred.as_ref(),
                    "{name}"
                );
            }
            if expected.write_tool.as_deref() == Some("absent") {
                let is_write = |tool: &String| tool == "Write";
                assert!(!offered.tools.iter().any(is_write), "{name}");
                let mut removed = offered.removed.iter();
                assert!(removed.any(|removed| removed.name == "Write"), "{name}");
            }
        },
    );
}

#[test]
fn models() {
    in_memory(
        |expected| expected.model.is_some(),
        |session, expected, name| {
            assert_eq!(
                Some(&session.model().facts.name),
                expected.model.as_ref(),
                "{name}"
            );
        },
    );
}

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
        let case = Case {
            cwd: "proj".to_owned(),
            args: vec!["--model".to_owned(), model.to_owned()],
            ..Case::default()
        };
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
        let case = Case {
            cwd: "proj".to_owned(),
            args: vec!["--model".to_owned(), model.to_owned()],
            ..Case::default()
        };
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
