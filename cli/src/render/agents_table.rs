//! `agents` for people: what is listed, what the client does with each key, what is not listed.

use std::io::Write;

use anyhow::Result;
use outcrop_loader::catalog::agents::{AbsentAgent, Agent, AgentAbsence, Agents, Field};
use outcrop_loader::session::Session;
use outcrop_loader::tokens::{Family, Tokens};
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use super::names::{count, number, padded, short, shortened, wrapped};
use super::tokens::tokens;
use super::{Output, style};
use crate::start::total;

/// The most that a name takes, in cells.
const NAME: usize = 32;

pub(crate) fn write(
    output: &mut Output,
    session: &Session<'_>,
    agents: &Agents,
    (family, sizes): (Family, &[Option<Tokens>]),
) -> Result<()> {
    let (bold, dim, lost) = (style::HEADING, style::DIM, style::LOST);
    let place = output.place(session.cwd());
    let title = format!("Agents of a session started in {place}");
    output.title(&title, session)?;
    if let Some(why) = agents.ends.as_ref().or(agents.silent.as_ref()) {
        let what = match agents.ends {
            Some(_) => "The client ends before it sends anything",
            None => "No agent is announced to the model",
        };
        let text = format!("{what}: {}", shortened(session, why));
        writeln!(output)?;
        for line in wrapped(&text, output.columns) {
            writeln!(output, "{lost}{line}{lost:#}")?;
        }
    }
    let names = agents.agents.iter().map(|agent| shown_name(agent).width());
    let width = names.max().unwrap_or(0).clamp(4, NAME);
    writeln!(
        output,
        "\n   {dim}{}  {:<8}  {:>6}  tools{dim:#}",
        padded("name", width),
        "source",
        "tokens"
    )?;
    for (agent, size) in agents.agents.iter().zip(sizes) {
        write_agent(output, session, agent, *size, width)?;
    }
    if !agents.absent.is_empty() {
        writeln!(output, "\n{bold}Not listed{bold:#}")?;
    }
    for absent in &agents.absent {
        write_absent(output, session, absent)?;
    }
    for (folder, why) in &agents.refused_plugins {
        let name = short(session, folder);
        let text = shortened(session, why);
        writeln!(
            output,
            "   {bold}{name}{bold:#}  plugin\n      {dim}{text}{dim:#}"
        )?;
    }
    let own = agents.agents.iter().filter(|agent| agent.path.is_none());
    let own = own.filter(|agent| agent.description.is_none()).count();
    let ignored = agents.agents.iter().flat_map(|agent| &agent.fields);
    let ignored = ignored.filter(|field| !field.counts).count();
    let all = total(sizes.iter().flatten().copied());
    let mut parts = vec![
        count(agents.agents.len(), "agent", "agents"),
        format!("{} built in", number(own)),
        format!("{} tokens for the others ({family})", tokens(all)),
    ];
    if !agents.absent.is_empty() {
        parts.push(format!("{} not listed", number(agents.absent.len())));
    }
    if ignored > 0 {
        parts.push(format!("{} without effect", count(ignored, "key", "keys")));
    }
    writeln!(output)?;
    for line in wrapped(&parts.join(", "), output.columns) {
        writeln!(output, "{line}")?;
    }
    Ok(())
}

/// Line breaks and the like are no part of a table.
fn shown_name(agent: &Agent) -> String {
    let clean = |c: char| if c.is_control() { '\u{FFFD}' } else { c };
    agent.name.chars().map(clean).collect()
}

fn write_agent(
    output: &mut Output,
    session: &Session<'_>,
    agent: &Agent,
    size: Option<Tokens>,
    width: usize,
) -> Result<()> {
    let (bold, dim) = (style::HEADING, style::DIM);
    let colour = agent.source.scope().map_or(style::PLAIN, style::of_scope);
    let name = padded(&shown_name(agent), width);
    let source = padded(agent.source.name(), 8);
    let size = size.map_or_else(String::new, tokens);
    let indent = width + 3 + 2 + 8 + 2 + 6 + 2;
    let label: String = agent.label.replace('\n', " ");
    let lines = wrapped(&label, output.columns.saturating_sub(indent).max(20));
    for (index, line) in lines.iter().enumerate() {
        match index {
            0 => writeln!(
                output,
                "   {bold}{name}{bold:#}  {colour}{source}{colour:#}  {size:>6}  {line}"
            )?,
            _ => writeln!(output, "{:indent$}{line}", "")?,
        }
    }
    if let Some(path) = &agent.path {
        let line = agent
            .line
            .map_or_else(String::new, |line| format!(":{line}"));
        let file = short(session, path);
        writeln!(output, "      {dim}{file}{line}{dim:#}")?;
    }
    for field in &agent.fields {
        write_field(output, session, field)?;
    }
    Ok(())
}

fn write_field(output: &mut Output, session: &Session<'_>, field: &Field) -> Result<()> {
    let colour = if field.counts {
        style::DIM
    } else {
        style::WARNING
    };
    let value = match &field.value {
        Value::String(text) => text.clone(),
        Value::Object(_) => "{…}".to_owned(),
        other => other.to_string(),
    };
    let key = format!("{}: {}", field.name, value.replace('\n', " "));
    let effect = shortened(session, &field.effect);
    let text = format!("{key}  – {effect}");
    let lines = wrapped(&text, output.columns.saturating_sub(8));
    for (index, line) in lines.iter().enumerate() {
        let indent = if index == 0 { 6 } else { 8 };
        writeln!(output, "{:indent$}{colour}{line}{colour:#}", "")?;
    }
    Ok(())
}

fn write_absent(output: &mut Output, session: &Session<'_>, absent: &AbsentAgent) -> Result<()> {
    let (bold, dim) = (style::HEADING, style::DIM);
    let file = absent.path.as_ref().map(|path| short(session, path));
    let name = absent.name.clone().or(file.clone());
    let name = name.unwrap_or_else(|| "--agents".to_owned());
    let source = absent.source.name();
    let file = match (&absent.name, file) {
        (Some(_), Some(file)) => format!("  {file}"),
        _ => String::new(),
    };
    writeln!(output, "   {bold}{name}{bold:#}  {source}{file}")?;
    let text = shortened(session, &why(&absent.absence));
    for line in wrapped(&text, output.columns.saturating_sub(6)) {
        writeln!(output, "      {dim}{line}{dim:#}")?;
    }
    Ok(())
}

/// The reason in a sentence.
fn why(absence: &AgentAbsence) -> String {
    match absence {
        AgentAbsence::Duplicate { of, because } => {
            format!("duplicate: {of} has the name; {because}")
        }
        AgentAbsence::Invalid { key, line, fault } => {
            let key = key.map_or_else(String::new, |key| format!("{key}: "));
            let line = line.map_or_else(String::new, |line| format!(" (line {line})"));
            format!("invalid: {key}{fault}{line}")
        }
        AgentAbsence::Denied { rule, place } => format!("denied: {rule} in {place}"),
        AgentAbsence::WrongExtension => "wrong extension: its name must end in .md".to_owned(),
        AgentAbsence::NotSelected { source } => {
            format!("not selected: --setting-sources does not name `{source}`")
        }
        AgentAbsence::Unreadable { error } => format!("unreadable: it {error}"),
    }
}
