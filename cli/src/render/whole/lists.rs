//! The entries of the lists, with their sources, and what is not in them.

use std::io::Write;

use anyhow::Result;
use outcrop_loader::catalog::agents::AgentSource;
use outcrop_loader::catalog::{Absence, Bare, Entry, EntryKind, Note, Room};
use outcrop_loader::javascript;
use outcrop_loader::record::Trigger;
use outcrop_loader::request::hooks::{Hook, HookState};
use outcrop_loader::request::mcp::{McpServer, McpState, Sent};
use outcrop_loader::session::Session;
use outcrop_loader::tokens::Tokens;
use unicode_width::UnicodeWidthStr;

use crate::render::names::{count, number, padded, short, shortened};
use crate::render::tokens::tokens;
use crate::render::{Output, style};
use crate::start::Whole;

/// The hooks of an event that may say something.
pub(super) fn hooks<'w>(whole: &'w Whole, event: &'static str) -> impl Iterator<Item = &'w Hook> {
    let hooks = whole.request.hooks.hooks.iter();
    let speaks = |state: &HookState| matches!(state, HookState::Runs | HookState::Later);
    hooks.filter(move |hook| hook.event == event && speaks(&hook.state))
}

/// Servers whose tools are sent in this way.
pub(super) fn servers(whole: &Whole, sent: Sent) -> impl Iterator<Item = &McpServer> {
    let servers = whole.request.mcp.servers.iter();
    servers.filter(move |server| server.state == McpState::Starts && server.tools == sent)
}

pub(super) fn of_servers(servers: usize) -> String {
    count(servers, "MCP server", "MCP servers")
}

pub(super) fn write(output: &mut Output, session: &Session<'_>, whole: &Whole) -> Result<()> {
    write_skills(output, session, whole)?;
    write_announced(output, session, whole)?;
    write_absent(output, session, whole)?;
    write_agents(output, session, whole)?;
    write_hooks(output, session, whole)?;
    write_mcp(output, session, whole)
}

fn title(output: &mut Output, text: &str) -> Result<()> {
    let bold = style::HEADING;
    writeln!(output, "\n{bold}{text}{bold:#}")?;
    Ok(())
}

/// How wide a column of names is at most, in cells.
const NAMES: usize = 32;

fn column<'n>(names: impl Iterator<Item = &'n str>) -> usize {
    let widest = names.map(UnicodeWidthStr::width).max();
    widest.unwrap_or(0).min(NAMES)
}

fn write_skills(output: &mut Output, session: &Session<'_>, whole: &Whole) -> Result<()> {
    let skills = &whole.request.skills;
    if skills.entries.is_empty() {
        return Ok(());
    }
    title(output, "Skills and commands, as they are listed")?;
    if let Some(budget) = &skills.budget {
        let room = match &budget.from {
            Room::Variable => "SLASH_COMMAND_TOOL_CHAR_BUDGET".to_owned(),
            Room::Share { share, place, .. } => {
                let percent = share * 100.0;
                let place = place.as_deref().map(|place| shortened(session, place));
                let place = place.map_or(String::new(), |place| format!(", {place}"));
                format!("{percent} % of the window{place}")
            }
        };
        let over = budget.wanted > budget.room;
        let colour = if over { style::WARNING } else { style::DIM };
        let used = number(budget.used);
        let wanted = match over {
            true => format!("; with all texts it would be {}", number(budget.wanted)),
            false => String::new(),
        };
        writeln!(
            output,
            "   {colour}{used} of {} cells are taken ({room}){wanted}{colour:#}",
            number(budget.room)
        )?;
    }
    write_entries(output, session, &skills.entries, &whole.skills)
}

fn write_entries(
    output: &mut Output,
    session: &Session<'_>,
    entries: &[Entry],
    sizes: &[Tokens],
) -> Result<()> {
    let labels: Vec<String> = entries.iter().map(Entry::label).collect();
    let width = column(labels.iter().map(String::as_str));
    for ((entry, label), size) in entries.iter().zip(&labels).zip(sizes) {
        let (scope, name) = (style::of_scope(entry.scope), entry.scope.name());
        let kind = match entry.kind {
            EntryKind::Skill => "skill",
            EntryKind::Command => "command",
        };
        let (label, size) = (padded(label, width), tokens(*size));
        let file = short(session, &entry.path);
        writeln!(
            output,
            "   {scope}{name:<7}{scope:#}  {kind:<7}  {label}  {size:>6}  {file}"
        )?;
        write_loss(output, session, entry)?;
    }
    Ok(())
}

/// What of an entry is not listed as it is written.
fn write_loss(output: &mut Output, session: &Session<'_>, entry: &Entry) -> Result<()> {
    let (lost, pad) = (style::LOST, " ".repeat(21));
    let whole = number(entry.whole);
    match &entry.bare {
        Some(Bare::Budget) => writeln!(
            output,
            "{pad}{lost}its text of {whole} characters is dropped: there is no room{lost:#}"
        )?,
        Some(Bare::NameOnly { place }) => {
            let place = shortened(session, place);
            writeln!(output, "{pad}by name alone: skillOverrides, {place}")?;
        }
        None => {
            let sent = entry.text.as_deref().map_or(0, javascript::len);
            if sent < entry.whole {
                let sent = number(sent);
                writeln!(
                    output,
                    "{pad}{lost}cut: {sent} of {whole} characters are listed{lost:#}"
                )?;
            }
        }
    }
    if entry.note == Some(Note::Scope) {
        writeln!(
            output,
            "{pad}listed with its directory, since the name is taken"
        )?;
    }
    Ok(())
}

/// What reads add.
fn write_announced(output: &mut Output, session: &Session<'_>, whole: &Whole) -> Result<()> {
    for (list, sizes) in whole.announced.iter().zip(&whole.later) {
        let late = match list.may_be_late {
            true => " (it may be one request later)",
            false => "",
        };
        let when = match &session.deliveries()[list.delivery].trigger {
            Trigger::Read { path } => format!("When {} is read", short(session, path)),
            Trigger::Tool { tool, .. } => format!("When {tool} is called"),
            Trigger::Startup | Trigger::Prompt { .. } => "With the prompt".to_owned(),
        };
        title(output, &format!("{when}, announced besides{late}"))?;
        write_entries(output, session, &list.entries, sizes)?;
    }
    Ok(())
}

fn write_absent(output: &mut Output, session: &Session<'_>, whole: &Whole) -> Result<()> {
    let skills = &whole.request.skills;
    if skills.absent.is_empty() && skills.refused_plugins.is_empty() {
        return Ok(());
    }
    title(output, "Skills and commands that are not listed")?;
    let width = column(skills.absent.iter().map(|absent| absent.name.as_str()));
    for absent in &skills.absent {
        let (scope, name) = (style::of_scope(absent.scope), absent.scope.name());
        let (label, file) = (padded(&absent.name, width), short(session, &absent.path));
        let why = why(session, &absent.absence);
        writeln!(
            output,
            "   {scope}{name:<7}{scope:#}  {label}  {file}\n{:12}{why}",
            ""
        )?;
    }
    for (folder, why) in &skills.refused_plugins {
        let (folder, why) = (short(session, folder), shortened(session, why));
        writeln!(output, "   plugin   {folder}: {why}")?;
    }
    Ok(())
}

/// Why a skill or command is not listed.
pub(crate) fn why(session: &Session<'_>, absence: &Absence) -> String {
    match absence {
        Absence::NotForTheModel => "not for the model: disable-model-invocation".to_owned(),
        Absence::Waits { patterns } => {
            let patterns = patterns.join(", ");
            format!("waits for a read of a file that matches {patterns}")
        }
        Absence::Overridden { value, place } => {
            format!(
                "skillOverrides says `{value}`, {}",
                shortened(session, place)
            )
        }
        Absence::Duplicate { of } => format!("{} has the name", short(session, of)),
        Absence::NotDescribed => "a plugin's must have a description or when_to_use".to_owned(),
        Absence::BadName => "its name has characters that the client does not list".to_owned(),
        Absence::Unreadable { error } => format!("it {error}"),
    }
}

fn write_agents(output: &mut Output, session: &Session<'_>, whole: &Whole) -> Result<()> {
    let agents = &whole.request.agents;
    let yours = || {
        let all = agents.agents.iter().zip(&whole.agents);
        all.filter(|(agent, _)| agent.source != AgentSource::BuiltIn)
    };
    if yours().next().is_none() && agents.absent.is_empty() {
        return Ok(());
    }
    title(output, "Agents of yours (`outcrop agents` tells more)")?;
    let width = column(yours().map(|(agent, _)| agent.name.as_str()));
    for (agent, size) in yours() {
        let file = agent.path.as_ref().map(|path| short(session, path));
        let file = file.unwrap_or_else(|| "--agents".to_owned());
        let (source, name) = (agent.source.name(), padded(&agent.name, width));
        let size = size.map(tokens).unwrap_or_default();
        writeln!(output, "   {source:<7}  {name}  {size:>6}  {file}")?;
    }
    if !agents.absent.is_empty() {
        let definitions = count(agents.absent.len(), "definition", "definitions");
        writeln!(output, "   {definitions} not listed")?;
    }
    Ok(())
}

/// The events whose hooks add text to the first request.
const SPEAKING: [&str; 2] = ["SessionStart", "UserPromptSubmit"];

fn write_hooks(output: &mut Output, session: &Session<'_>, whole: &Whole) -> Result<()> {
    let hooks = whole.request.hooks.hooks.iter();
    let mut hooks = hooks
        .filter(|hook| SPEAKING.contains(&hook.event.as_str()))
        .peekable();
    if hooks.peek().is_none() {
        return Ok(());
    }
    title(
        output,
        "Hooks that may add text, each at most 10,000 characters",
    )?;
    for hook in hooks {
        let command = hook.command.as_deref().unwrap_or(&hook.kind);
        let command = command.lines().next().unwrap_or_default();
        let source = shortened(session, &hook.source.to_string());
        let state = match &hook.state {
            HookState::Runs | HookState::Later => String::new(),
            HookState::OtherStart => ", not at this start".to_owned(),
            HookState::Same { of } => format!(", once with {}", shortened(session, of)),
            HookState::Off { by } => format!(", off: {}", shortened(session, by)),
            HookState::NotAtStart => ", not in print mode".to_owned(),
        };
        let event = &hook.event;
        writeln!(output, "   {event}  {command}\n      {source}{state}")?;
        if let Some(missing) = &hook.missing {
            write_missing(output, &short(session, missing))?;
        }
    }
    for ran in whole.ran.iter().flatten() {
        let command = ran.hook.command.as_deref().unwrap_or_default();
        writeln!(
            output,
            "   `{command}` was run; what it says is not to be trusted:"
        )?;
        for text in &ran.heard.texts {
            for line in text.text.lines() {
                writeln!(output, "   | {line}")?;
            }
        }
        if let Some(why) = ran.heard.why {
            writeln!(output, "   nothing reaches the model: {why}")?;
        }
        if ran.heard.no_request {
            writeln!(output, "   no request is sent")?;
        }
    }
    Ok(())
}

fn write_missing(output: &mut Output, file: &str) -> Result<()> {
    let lost = style::LOST;
    writeln!(output, "      {lost}{file} does not exist{lost:#}")?;
    Ok(())
}

fn write_mcp(output: &mut Output, session: &Session<'_>, whole: &Whole) -> Result<()> {
    let mcp = &whole.request.mcp;
    if mcp.servers.is_empty() {
        return Ok(());
    }
    title(
        output,
        "MCP servers; none is started, so sizes are not known",
    )?;
    let width = column(mcp.servers.iter().map(|server| server.name.as_str()));
    for server in &mcp.servers {
        let tools = match server.tools {
            Sent::Inline => "tools with their schemas".to_owned(),
            Sent::Names => "tools by name, schemas when asked for".to_owned(),
            Sent::BySize { percent } => {
                format!("tools with their schemas below {percent} % of the window")
            }
            Sent::NotSeen => "tools not seen in the first requests".to_owned(),
        };
        let state = match &server.state {
            McpState::Starts => tools,
            McpState::Shadowed { by } => format!("shadowed by {}", shortened(session, by)),
            McpState::Off { by } => format!("off: {}", shortened(session, by)),
            McpState::Denied { by } => format!("denied: {}", shortened(session, by)),
        };
        let (name, place) = (padded(&server.name, width), server.place());
        let place = shortened(session, &place);
        writeln!(output, "   {name}  {state}\n      {place}")?;
        if let Some(missing) = &server.missing {
            write_missing(output, &short(session, missing))?;
        }
    }
    Ok(())
}
