//! Recorded first requests of sub-agents, for both clients.

use outcrop_loader::client::{Client, Version};
use outcrop_loader::session::Session;
use outcrop_loader::subagent::{Block, Part, Role, Subagent, effective_mode};
use outcrop_tests::{case, memory};
use serde_json::{Value, json};

const CLIENTS: [&str; 2] = ["2.1.332", "2.1.197"];

/// A block as the recordings have it; they leave out the body of the definition, the client's
/// own text, and of the system prompt the environment and the state of the repository.
fn recorded(session: &Session<'_>, part: &Part) -> Option<Value> {
    let name = match part.block {
        Block::AgentBody | Block::ClientText => return None,
        Block::Environment | Block::GitStatus if part.role == Role::SystemPrompt => return None,
        Block::Task | Block::SkillHead | Block::SkillBody => "text",
        Block::AgentMemory => "agent_memory",
        Block::Instructions => "instructions",
        Block::GitStatus => "git_status",
        Block::Attribution => "attribution",
        Block::DeferredTools => "deferred_tools",
        Block::Environment => "environment",
        Block::Model => "model",
        Block::SkillList => "skill_list",
        Block::Date => "date",
        Block::ParentRequest | Block::ForkNote => "fork",
        other => panic!("no block of a sub-agent: {other:?}"),
    };
    let mut block = json!({"block": name, "role": part.role.name()});
    if name == "text" {
        let text = part.text.as_deref().unwrap_or_default();
        block["text"] = json!(text.replace(memory::ROOT, "{root}"));
    }
    if name == "instructions" {
        let layers = session.deliveries()[0].layers.iter();
        let files = layers.map(|layer| {
            let path = memory::relative(layer.name(), memory::ROOT);
            let path = match path.starts_with("managed/") {
                true => path,
                false => format!("{{root}}/{path}"),
            };
            json!({"path": path, "kind": layer.scope.name()})
        });
        block["files"] = files.collect();
    }
    Some(block)
}

fn system_prompt(subagent: &Subagent) -> String {
    let parts = subagent.parts.iter();
    let texts = parts.filter(|part| part.role == Role::SystemPrompt);
    let texts = texts.filter_map(|part| part.text.as_deref());
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
fn recorded_first_requests() {
    let mut compared = 0;
    for case in &case::load("agents") {
        for client in CLIENTS {
            let Some(want) = case.expected(client).get("subagent") else {
                continue;
            };
            let host = memory::host(case);
            let session = memory::started(case, &host, client.parse().unwrap());
            let input = &case.steps[0].input;
            let kind = input.get("subagent_type").and_then(Value::as_str);
            let task = input["prompt"].as_str().unwrap();
            let name = format!("{} {client}", case.name);
            let subagent = session.subagent(kind.unwrap_or("general-purpose"), Some(task));
            let subagent = subagent.unwrap_or_else(|error| panic!("{name}: {error}"));
            if want.is_null() {
                assert!(subagent.refused.is_some(), "{name}");
                compared += 1;
                continue;
            }
            assert_eq!(subagent.refused, None, "{name}");
            assert_eq!(json!(subagent.tools.inline), want["tools"], "{name}");
            let parts = subagent.parts.iter();
            let blocks: Value = parts.filter_map(|part| recorded(&session, part)).collect();
            let lines = |blocks: &Value| {
                let blocks = blocks.as_array().unwrap().iter();
                blocks.map(Value::to_string).collect::<Vec<_>>().join("\n")
            };
            assert_eq!(lines(&blocks), lines(&want["blocks"]), "{name}");
            if let Some(model) = want.get("model") {
                assert_eq!(&json!(subagent.model.name), model, "{name}");
            }
            let prompt = system_prompt(&subagent);
            for held in want["system_prompt_holds"].as_array().unwrap() {
                assert!(prompt.contains(held.as_str().unwrap()), "{name}: {held}");
            }
            let starts = want.get("system_prompt_starts_with_agent_body");
            if starts == Some(&json!(true)) {
                assert_eq!(subagent.parts[0].block, Block::AgentBody, "{name}");
            }
            compared += 1;
        }
    }
    println!("recorded sub-agents: {compared} passed");
    assert!(compared >= 98, "{compared}");
}

/// Calls that run in a mode, as the recording has them.
fn calls_in(mode: Option<&str>) -> &'static str {
    match mode {
        None => "no sub-agent (refused)",
        Some("bypassPermissions") => "YYYYYY",
        Some("acceptEdits" | "auto") => "YYY-Y-",
        Some(_) => "Y---Y-",
    }
}

/// The live client alone tells which calls run; files and flags decide the mode.
#[test]
fn recorded_modes() {
    let cases = case::load("agents");
    let case = cases
        .iter()
        .find(|case| case.name == "perm-subagent-matrix");
    let mut compared = 0;
    for client in CLIENTS {
        let version: Version = client.parse().unwrap();
        let behaviour = Client::of(version).unwrap().behaviour;
        let matrix = case.unwrap().expected(client)["matrix"]
            .as_object()
            .unwrap();
        for (parent, row) in matrix {
            for (own, want) in row.as_object().unwrap() {
                let own = Some(own.as_str()).filter(|own| *own != "None");
                let mode = effective_mode(parent, own, &behaviour);
                let got = calls_in(mode.as_deref());
                assert_eq!(&json!(got), want, "{client} {parent} {own:?}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 42 + 24);
}
