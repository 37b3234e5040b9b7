//! `show --all` for people: the blocks as a table, then what is in the lists.

use std::io::Write;

use anyhow::Result;
use outcrop_loader::record::Evidence;
use outcrop_loader::request::blocks::Block;
use outcrop_loader::request::fixed_cost::PATHS;
use outcrop_loader::request::hooks::HookState;
use outcrop_loader::request::mcp::{McpState, Sent};
use outcrop_loader::request::{ModelChoice, Section};
use outcrop_loader::session::Session;
use outcrop_loader::tokens::Tokens;

use super::lists;
use crate::render::blocks::{name, role};
use crate::render::names::{count, number, short, shortened};
use crate::render::tokens::tokens;
use crate::render::{Output, style};
use crate::start::{Sizes, Whole, total};

pub(crate) fn write(
    output: &mut Output,
    session: &Session<'_>,
    sizes: &Sizes,
    whole: &Whole,
) -> Result<()> {
    let (bold, dim) = (style::HEADING, style::DIM);
    let model = &whole.request.model;
    let by = match &model.choice {
        ModelChoice::Default => "the default".to_owned(),
        ModelChoice::Flag => "--model".to_owned(),
        ModelChoice::Variable { place: None } => "ANTHROPIC_MODEL".to_owned(),
        ModelChoice::Variable { place: Some(place) } | ModelChoice::Setting { place } => {
            shortened(session, &place.to_string())
        }
    };
    let window = usize::try_from(model.facts.window).unwrap_or(usize::MAX);
    writeln!(
        output,
        "\n{bold}The whole first request, in the order in which it is sent{bold:#}\n\
         {dim}   {} ({by}), a window of {} tokens{dim:#}\n",
        model.facts.name,
        number(window)
    )?;
    let (speaker, block) = ("spoken by", "block");
    writeln!(
        output,
        "   {dim}{speaker:<13}  {block:<19}  {:>7}  {:>10}  what{dim:#}",
        "tokens", "the client"
    )?;
    let mut all = Vec::new();
    for section in &whole.request.sections {
        let size = size_of(sizes, whole, section.block);
        all.extend(size);
        let own = section.own_characters.map(number).unwrap_or_default();
        let (role, name) = (role(section.role), name(section.block));
        let size = size.map(tokens).unwrap_or_default();
        let what = what(session, whole, section);
        let row = format!("   {role:<13}  {name:<19}  {size:>7}  {own:>10}  {what}");
        writeln!(output, "{}", row.trim_end())?;
    }
    let (files, sum) = ("of your files", tokens(total(all.into_iter())));
    writeln!(output, "   {dim}{:<13}  {files:<19}  {sum:>7}{dim:#}", "")?;
    write_cost(output, whole)?;
    lists::write(output, session, whole)
}

/// The line about what the client sends anyway.
fn write_cost(output: &mut Output, whole: &Whole) -> Result<()> {
    let dim = style::DIM;
    let cost = &whole.request.cost;
    let how = match cost.evidence {
        Evidence::Observed => "observed".to_owned(),
        _ => format!("assumed: as {} with {}", cost.measured, cost.model),
    };
    writeln!(
        output,
        "\n   Without any file of yours the client sends {} characters ({how}):\n   \
         system prompt {}, {} tools {}, messages {}.\n   \
         {dim}`the client` counts characters, since its own texts are not known here,\n   \
         for a working directory and a home folder of {PATHS} characters.{dim:#}",
        number(cost.total()),
        number(cost.system),
        number(cost.tools),
        number(cost.tools_json),
        number(cost.messages)
    )?;
    Ok(())
}

/// Tokens of what files and flags decide of a block.
pub(super) fn size_of(sizes: &Sizes, whole: &Whole, block: Block) -> Option<Tokens> {
    match block {
        Block::Instructions => Some(total(sizes.layers(0).iter().copied())),
        Block::SkillList => Some(total(whole.skills.iter().copied())),
        Block::AgentList => Some(total(whole.agents.iter().flatten().copied())),
        Block::Style => whole.style,
        Block::ReplacedPrompt => whole.replaced,
        Block::AppendedPrompt => whole.appended,
        _ => None,
    }
}

/// What a block holds, in few words.
fn what(session: &Session<'_>, whole: &Whole, section: &Section) -> String {
    let request = &whole.request;
    match section.block {
        Block::Tools => {
            let servers = lists::servers(whole, Sent::Inline).count();
            let built_in = format!("{} built in", request.tools.tools.len());
            match servers {
                0 => built_in,
                _ => format!("{built_in}, those of {}", lists::of_servers(servers)),
            }
        }
        Block::Instructions => {
            let start = session.deliveries().first();
            let layers = start.map_or(0, |one| one.layers.len());
            format!("{}, as above", count(layers, "layer", "layers"))
        }
        Block::GitStatus => git(whole),
        Block::StartHooks => {
            let running = lists::hooks(whole, "SessionStart");
            let running = running.filter(|hook| hook.state == HookState::Runs).count();
            let run = match &whole.ran {
                Some(_) => "run",
                None => "not run: --run-hooks",
            };
            format!("{} ({run})", count(running, "hook", "hooks"))
        }
        Block::PromptHooks => {
            let hooks = lists::hooks(whole, "UserPromptSubmit").count();
            count(hooks, "hook", "hooks")
        }
        Block::Style => {
            let style = &request.style;
            let chosen = style.chosen.as_deref().unwrap_or_default();
            let file = style.files.iter().find(|file| file.not_sent.is_none());
            match file {
                Some(file) => format!("{chosen}, {}", short(session, &file.path)),
                None => format!("{chosen}, the client's own"),
            }
        }
        Block::Language => {
            let language = request.texts.language.as_ref();
            language.map_or(String::new(), |set| {
                let place = shortened(session, &set.place.to_string());
                format!("{}, {place}", set.name)
            })
        }
        Block::DeferredTools => {
            let servers = lists::servers(whole, Sent::Names).count();
            let mut text = format!("{} built in, by name", request.tools.deferred.len());
            if servers > 0 {
                text += &format!(", those of {}", lists::of_servers(servers));
            }
            text
        }
        Block::AgentList => {
            let agents = &request.agents.agents;
            let own = agents.iter().filter(|agent| agent.description.is_none());
            let own = own.count();
            format!("{} of yours, {own} of the client's", agents.len() - own)
        }
        Block::McpInstructions => {
            let servers = request.mcp.servers.iter();
            let start = servers.filter(|server| server.state == McpState::Starts);
            format!("what {} may send", lists::of_servers(start.count()))
        }
        Block::SkillList => {
            let entries = &request.skills.entries;
            let bare = entries.iter().filter(|entry| entry.text.is_none()).count();
            let without = match bare {
                0 => String::new(),
                bare => format!(" ({} by name alone)", number(bare)),
            };
            let own = request.skills.own.len();
            format!(
                "{} of yours{without}, {own} of the client's",
                number(entries.len())
            )
        }
        _ => String::new(),
    }
}

fn git(whole: &Whole) -> String {
    let Some(status) = &whole.request.git_status else {
        return "status of at most 2,000 characters (--git asks)".to_owned();
    };
    let changes = count(status.status.lines().count(), "line", "lines");
    let cut = if status.cut { ", cut" } else { "" };
    let commits = count(status.commits.len(), "commit", "commits");
    let size = number(status.characters());
    format!(
        "{}, {changes} of status{cut}, {commits}: {size} characters",
        status.branch
    )
}
