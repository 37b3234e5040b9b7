//! `show --agent` for people: the blocks in order, then tools, differences, modes and limits.

use std::io::Write;

use anyhow::Result;
use outcrop_loader::session::Session;
use outcrop_loader::subagent::{Block, ModeRow, Part, Subagent};
use outcrop_loader::tokens::{Model, Tokens};
use rustc_hash::FxHashMap;
use unicode_width::UnicodeWidthStr;

use super::blocks::{name, role};
use super::names::{count, number, padded, short, shortened, wrapped};
use super::tokens::tokens;
use super::{Output, style};
use crate::start::total;

/// What is shown.
pub(crate) struct Shown<'s, 'h> {
    pub(crate) session: &'s Session<'h>,
    pub(crate) subagent: &'s Subagent,
    /// Of each text of a block.
    pub(crate) counts: &'s FxHashMap<&'s str, Tokens>,
    /// Of the layers of the start.
    pub(crate) layers: &'s [Tokens],
    pub(crate) model: Model,
}

pub(crate) fn write(output: &mut Output, shown: &Shown<'_, '_>) -> Result<()> {
    let Shown {
        session, subagent, ..
    } = *shown;
    let (dim, lost) = (style::DIM, style::LOST);
    let agent = &subagent.agent;
    let place = output.place(session.cwd());
    let title = format!("Sub-agent {} of a session started in {place}", agent.name);
    output.title(&title, session)?;
    let file = agent.path.as_ref().map(|path| {
        let line = agent
            .line
            .map_or_else(String::new, |line| format!(":{line}"));
        format!(", {}{line}", short(session, path))
    });
    let effort = subagent.effort.as_ref();
    let effort = effort.map_or_else(String::new, |effort| format!(", effort {effort}"));
    let text = format!(
        "{}{}; model {}, chosen by {}{effort}",
        agent.source.name(),
        file.unwrap_or_default(),
        subagent.model.name,
        subagent.model_by
    );
    for line in wrapped(&text, output.columns) {
        writeln!(output, "{dim}{line}{dim:#}")?;
    }
    if let Some(why) = &subagent.refused {
        let text = shortened(session, why);
        writeln!(output, "\n{lost}It does not start: {text}{lost:#}")?;
    }
    write_parts(output, shown)?;
    write_tools(output, subagent)?;
    let differs: Vec<String> = subagent
        .differs
        .iter()
        .map(|one| shortened(session, one))
        .collect();
    write_list(output, "Unlike the main session", &differs)?;
    let skipped = subagent.skipped_skills.iter();
    let skipped = skipped.map(|skill| format!("{}: {}", skill.name, skill.why));
    write_list(
        output,
        "Skills that are not preloaded",
        &skipped.collect::<Vec<_>>(),
    )?;
    let ignored = agent.fields.iter().filter(|field| !field.counts);
    let ignored = ignored.map(|field| format!("{}: {}", field.name, field.effect));
    write_list(output, "Keys without effect", &ignored.collect::<Vec<_>>())?;
    write_modes(output, &subagent.modes)?;
    write_limits(output, subagent)?;
    let known = subagent.parts.iter().filter_map(|part| size(shown, part));
    let all = tokens(total(known));
    let family = shown.model.family;
    writeln!(
        output,
        "\n{}, {all} tokens where files decide them ({family})",
        count(subagent.parts.len(), "block", "blocks")
    )?;
    Ok(())
}

fn size(shown: &Shown<'_, '_>, part: &Part) -> Option<Tokens> {
    if part.block == Block::Instructions {
        return Some(total(shown.layers.iter().copied()));
    }
    let is_known = part.block != Block::Task;
    let text = part
        .text
        .as_deref()
        .filter(|text| is_known && !text.is_empty())?;
    shown.counts.get(text).copied()
}

fn write_parts(output: &mut Output, shown: &Shown<'_, '_>) -> Result<()> {
    let dim = style::DIM;
    writeln!(
        output,
        "\n   {dim}{:<13}  {:<14}  {:>8}  from{dim:#}",
        "role", "block", "tokens"
    )?;
    for part in &shown.subagent.parts {
        let size = size(shown, part).map_or_else(String::new, tokens);
        let role = role(part.role);
        let line = format!(
            "   {role:<13}  {:<14}  {size:>8}  {}",
            name(part.block),
            from(shown, part)
        );
        writeln!(output, "{}", line.trim_end())?;
        if let Some(notice) = &part.notice {
            let lost = style::LOST;
            writeln!(
                output,
                "   {lost}{:44}cut: {} of {} lines are delivered{lost:#}",
                "",
                number(notice.kept_lines),
                number(notice.lines)
            )?;
        }
    }
    Ok(())
}

fn from(shown: &Shown<'_, '_>, part: &Part) -> String {
    if let Some(path) = &part.path {
        let file = short(shown.session, path);
        let is_empty = part.block == Block::AgentMemory && part.text.as_deref() == Some("");
        return if is_empty {
            format!("{file}, empty or missing")
        } else {
            file
        };
    }
    match part.block {
        Block::Instructions => {
            let layers = count(shown.layers.len(), "layer", "layers");
            format!("{layers}, as the main session")
        }
        Block::DeferredTools => {
            let names = shown.subagent.tools.deferred.len();
            format!("{}, and MCP tools", count(names, "name", "names"))
        }
        Block::SkillList => "as the main session".to_owned(),
        Block::Task => "what the parent writes".to_owned(),
        Block::ClientText => match part.characters {
            Some(characters) => format!("{} characters", number(characters)),
            None => String::new(),
        },
        _ => String::new(),
    }
}

fn write_tools(output: &mut Output, subagent: &Subagent) -> Result<()> {
    let bold = style::HEADING;
    let tools = &subagent.tools;
    writeln!(output, "\n{bold}Tools{bold:#}")?;
    let groups = [
        ("", &tools.inline),
        ("by name only: ", &tools.deferred),
        ("of MCP servers: ", &tools.servers),
        ("no tools of a sub-agent: ", &tools.unknown),
    ];
    for (title, names) in groups {
        if names.is_empty() {
            continue;
        }
        let text = format!("{title}{}", names.join(", "));
        for line in wrapped(&text, output.columns.saturating_sub(3)) {
            writeln!(output, "   {line}")?;
        }
    }
    if tools.inline.is_empty() {
        let what = match subagent.parts.first().map(|part| part.block) {
            Some(Block::ParentRequest) => "the parent's",
            _ => "none",
        };
        writeln!(output, "   {what}")?;
    }
    Ok(())
}

fn write_list(output: &mut Output, title: &str, items: &[String]) -> Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    let bold = style::HEADING;
    writeln!(output, "\n{bold}{title}{bold:#}")?;
    for item in items {
        for (index, line) in wrapped(item, output.columns.saturating_sub(5))
            .iter()
            .enumerate()
        {
            let indent = if index == 0 { 3 } else { 5 };
            writeln!(output, "{:indent$}{line}", "")?;
        }
    }
    Ok(())
}

fn write_modes(output: &mut Output, modes: &[ModeRow]) -> Result<()> {
    let (bold, dim) = (style::HEADING, style::DIM);
    writeln!(
        output,
        "\n{bold}Permission mode, by that of the parent{bold:#}"
    )?;
    let width = modes
        .iter()
        .map(|row| row.parent.width())
        .max()
        .unwrap_or(0);
    for row in modes {
        let mode = row
            .effective
            .as_deref()
            .unwrap_or("print mode refuses the call");
        let parent = padded(row.parent, width);
        let note = if row.observed { "" } else { "  not observed" };
        writeln!(output, "   {parent}  {mode}{dim}{note}{dim:#}")?;
    }
    Ok(())
}

fn write_limits(output: &mut Output, subagent: &Subagent) -> Result<()> {
    let returns = &subagent.returns;
    let when = match returns.in_background {
        true => "the text of its last message, when it ends; the parent goes on meanwhile",
        false => "the text of its last message; the parent waits for it",
    };
    let stored = format!(
        "above {} characters it is stored in a file, and {} of them are shown",
        number(returns.stored_above),
        number(returns.preview)
    );
    let mut items = vec![when.to_owned(), stored];
    if subagent.tools.has("Agent") {
        let levels = usize::from(subagent.levels);
        items.push(format!(
            "sub-agents may start others for {} below the main session",
            count(levels, "level", "levels")
        ));
    }
    if subagent.isolated {
        items.push("it works in a worktree of its own below .claude/worktrees".to_owned());
    }
    write_list(output, "What the parent receives, and limits", &items)
}
