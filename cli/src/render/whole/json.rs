//! `show --all --json`: the key `sections` of `outcrop/show@1` (docs/json.md).

use outcrop_loader::catalog::Entry;
use outcrop_loader::javascript;
use outcrop_loader::request::blocks::Block;
use outcrop_loader::session::Session;
use outcrop_loader::tokens::Tokens;
use serde_json::{Value, json};

use super::text::size_of;
use crate::start::{Sizes, Whole};

/// The blocks, each with what files decide of it.
pub(crate) fn sections(session: &Session<'_>, sizes: &Sizes, whole: &Whole) -> Value {
    let request = &whole.request;
    let sections = request.sections.iter().map(|section| {
        let mut value = json!({
            "block": section.block,
            "role": section.role,
            "own_characters": section.own_characters,
            "tokens": size_of(sizes, whole, section.block),
        });
        if let Some((key, more)) = more(session, whole, section.block) {
            value[key] = more;
        }
        value
    });
    sections.collect()
}

/// What holds for the request as a whole.
pub(crate) fn request(whole: &Whole) -> Value {
    let request = &whole.request;
    json!({
        "model": request.model,
        "fixed_cost": request.cost,
        "tools_removed": request.tools.removed,
        "skills_absent": request.skills.absent,
        "agents_absent": request.agents.absent,
        "plugins_refused": request.skills.refused_plugins,
        "style": request.style,
        "hooks": request.hooks,
        "hooks_run": whole.ran,
        "mcp": request.mcp,
        "announced": announced(whole),
        "no_git_status": request.no_git_status,
    })
}

fn more(session: &Session<'_>, whole: &Whole, block: Block) -> Option<(&'static str, Value)> {
    let request = &whole.request;
    Some(match block {
        Block::SkillList => (
            "list",
            json!({
                "entries": entries(&request.skills.entries, &whole.skills),
                "own": request.skills.own,
                "budget": request.skills.budget,
            }),
        ),
        Block::AgentList => {
            let agents = request.agents.agents.iter().zip(&whole.agents);
            let entries = agents.map(|(agent, size)| {
                json!({
                    "name": agent.name,
                    "source": agent.source,
                    "path": agent.path,
                    "tokens": size,
                    "line": agent.line(),
                })
            });
            ("entries", entries.collect())
        }
        Block::Instructions => {
            let start = session.deliveries().first();
            let layers = start.map_or(0, |start| start.layers.len());
            ("layers", json!(layers))
        }
        Block::Tools => ("tools", json!(request.tools.tools)),
        Block::DeferredTools => ("tools", json!(request.tools.deferred)),
        Block::Style => ("text", json!(request.style.text)),
        Block::Language => ("language", json!(request.texts.language)),
        Block::ReplacedPrompt => ("text", json!(request.texts.replaced)),
        Block::AppendedPrompt => ("text", json!(request.texts.appended)),
        Block::GitStatus => ("git_status", json!(request.git_status)),
        _ => return None,
    })
}

fn entries(entries: &[Entry], sizes: &[Tokens]) -> Value {
    let entries = entries.iter().zip(sizes).map(|(entry, size)| {
        let mut value = json!(entry);
        value["label"] = json!(entry.label());
        value["characters"] = json!(entry.text.as_deref().map(javascript::len));
        value["tokens"] = json!(size);
        value
    });
    entries.collect()
}

fn announced(whole: &Whole) -> Value {
    let lists = whole.announced.iter().zip(&whole.later);
    let lists = lists.map(|(list, sizes)| {
        json!({
            "delivery": list.delivery,
            "may_be_late": list.may_be_late,
            "entries": entries(&list.entries, sizes),
        })
    });
    lists.collect()
}
