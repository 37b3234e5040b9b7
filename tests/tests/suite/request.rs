//! Recorded parts of the request beside instruction files and lists, for both clients.
//!
//! Hooks and git are run for real, in a temporary folder. No MCP server is: of those cases the
//! names of servers and how their tools are sent are compared, not schemas and instructions. Of a
//! denied tool it is compared that the request does not have it.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use outcrop_loader::host::DiskHost;
use outcrop_loader::request::blocks::Block;
use outcrop_loader::request::git_status::GitOutput;
use outcrop_loader::request::hooks::{
    Exit, Form, Hook, HookSource, HookState, HookText, Outcome, Start, heard,
};
use outcrop_loader::request::mcp::{McpState, Sent};
use outcrop_loader::request::style::Position;
use outcrop_loader::session::Session;
use outcrop_tests::case::{self, Case};
use outcrop_tests::{disk, memory};
use serde::Deserialize;

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
