//! `permissions` as text: the rules by kind, or what becomes of calls.

use std::io::Write;

use anstyle::Style;
use anyhow::Result;
use outcrop_loader::permissions::{
    Decision, Directory, Outcome, Permissions, Rule, RuleKind, Source,
};
use outcrop_loader::record::Evidence;
use outcrop_loader::session::Session;

use super::names::{count, padded, short, shortened, wrapped};
use super::{Output, style};

/// What the list ends with: what rules are, and what they are not.
const REMARKS: [&str; 4] = [
    "Deny, ask and allow rules are enforced by the client; CLAUDE.md, rules files and skills are \
     guidance that the model may not follow.",
    "What a user allows while a session runs is not restored when it is resumed, unless it was \
     saved as a rule.",
    "In print mode (-p) nobody can be asked: what asks is refused.",
    "A PreToolUse hook or a sandbox sees what a rule does not.",
];

fn source_of(session: &Session<'_>, source: &Source) -> String {
    match (source.file(), source.line()) {
        (Some(file), Some(line)) => format!("{}:{line}", short(session, file)),
        _ => source.to_string(),
    }
}

pub(crate) fn write_rules(
    output: &mut Output,
    session: &Session<'_>,
    permissions: &Permissions<'_, '_>,
) -> Result<()> {
    let (bold, dim, lost) = (style::HEADING, style::DIM, style::LOST);
    let counting = permissions
        .rules
        .iter()
        .filter(|rule| rule.ignored.is_none());
    let counting = counting.count();
    let all = permissions.rules.len();
    let place = output.place(session.cwd());
    let mode = &permissions.mode;
    writeln!(
        output,
        "{bold}{} in mode {}{bold:#}{}",
        count(counting, "rule counts", "rules count"),
        mode.name,
        match all - counting {
            0 => String::new(),
            ignored => format!(", {} not", count(ignored, "does", "do")),
        }
    )?;
    writeln!(
        output,
        "{dim}session in {place}, client {}{dim:#}",
        session.client().version
    )?;
    if let Some(source) = &mode.source {
        let source = source_of(session, source);
        writeln!(output, "{dim}the mode is set by {source}{dim:#}")?;
    }
    for ignored in &mode.ignored {
        paragraph(
            output,
            "",
            &shortened(session, &format!("Not the mode: {ignored}")),
            lost,
        )?;
    }
    for kind in RuleKind::ALL {
        let rules = permissions.rules.iter().filter(|rule| rule.kind == kind);
        write_kind(output, session, kind, &rules.collect::<Vec<_>>())?;
    }
    writeln!(output, "\n{bold}Directories that are open{bold:#}")?;
    for directory in &permissions.directories {
        write_directory(output, session, directory)?;
    }
    write_holes(output, &permissions.rules)?;
    writeln!(output)?;
    for remark in REMARKS {
        paragraph(output, "", remark, dim)?;
    }
    Ok(())
}

fn write_kind(
    output: &mut Output,
    session: &Session<'_>,
    kind: RuleKind,
    rules: &[&Rule],
) -> Result<()> {
    let (bold, dim, lost) = (style::HEADING, style::DIM, style::LOST);
    let (title, colour) = match kind {
        RuleKind::Deny => ("Deny", style::LOST),
        RuleKind::Ask => ("Ask", style::WARNING),
        RuleKind::Allow => ("Allow", style::GOOD),
    };
    if rules.is_empty() {
        return Ok(writeln!(
            output,
            "\n{bold}{title}{bold:#}\n  {dim}no rule{dim:#}"
        )?);
    }
    writeln!(output, "\n{bold}{title}{bold:#}")?;
    let width = rules.iter().map(|rule| rule.text.chars().count()).max();
    let width = width.unwrap_or_default().min(40);
    for rule in rules {
        let source = source_of(session, &rule.source);
        let tier = rule.source.tier();
        let text = padded(&rule.text, width);
        match &rule.ignored {
            None => writeln!(
                output,
                "  {colour}{text}{colour:#}  {tier}  {dim}{source}{dim:#}"
            )?,
            Some(why) => {
                writeln!(output, "  {dim}{text}  {tier}  {source}{dim:#}")?;
                let why = shortened(session, &format!("does not count: {why}"));
                paragraph(output, "      ", &why, lost)?;
            }
        }
    }
    Ok(())
}

fn write_directory(
    output: &mut Output,
    session: &Session<'_>,
    directory: &Directory,
) -> Result<()> {
    let (dim, lost) = (style::DIM, style::LOST);
    let name = match &directory.source {
        None => directory.path.to_string(),
        Some(_) => short(session, &directory.path),
    };
    let source = match &directory.source {
        None => "the working directory".to_owned(),
        Some(source) => source_of(session, source),
    };
    writeln!(output, "  {name}  {dim}{source}{dim:#}")?;
    if let Some(why) = &directory.ignored {
        let why = shortened(session, &format!("does not count: {why}"));
        paragraph(output, "      ", &why, lost)?;
    }
    Ok(())
}

fn write_holes(output: &mut Output, rules: &[Rule]) -> Result<()> {
    let (bold, dim, warning) = (style::HEADING, style::DIM, style::WARNING);
    let mut evaded = rules
        .iter()
        .filter(|rule| !rule.holes.is_empty())
        .peekable();
    if evaded.peek().is_none() {
        return Ok(());
    }
    writeln!(output, "\n{bold}Known ways past your rules{bold:#}")?;
    let advices = evaded
        .clone()
        .flat_map(|rule| &rule.holes)
        .map(|hole| hole.advice);
    let mut advices: Vec<&str> = advices.collect();
    for rule in evaded {
        writeln!(output, "  {warning}{}{warning:#}", rule.text)?;
        for hole in &rule.holes {
            paragraph(output, "      ", &hole.form, style::PLAIN)?;
        }
    }
    advices.sort_unstable();
    advices.dedup();
    for advice in advices {
        paragraph(output, "  ", &format!("What helps: {advice}."), dim)?;
    }
    Ok(())
}

/// A text in lines, each behind an indent.
fn paragraph(output: &mut Output, indent: &str, text: &str, colour: Style) -> Result<()> {
    let width = output.columns.saturating_sub(indent.len());
    for line in wrapped(text, width) {
        writeln!(output, "{indent}{colour}{line}{colour:#}")?;
    }
    Ok(())
}

pub(crate) fn write_decisions(
    output: &mut Output,
    session: &Session<'_>,
    permissions: &Permissions<'_, '_>,
    decided: &[(&str, Decision)],
) -> Result<()> {
    for (index, (call, decision)) in decided.iter().enumerate() {
        if index > 0 {
            writeln!(output)?;
        }
        write_decision(output, session, permissions, call, decision)?;
    }
    Ok(())
}

fn write_decision(
    output: &mut Output,
    session: &Session<'_>,
    permissions: &Permissions<'_, '_>,
    call: &str,
    decision: &Decision,
) -> Result<()> {
    let (bold, dim) = (style::HEADING, style::DIM);
    let (colour, outcome) = match decision.outcome {
        Outcome::Runs => (style::GOOD, "runs without a question"),
        Outcome::Asks => (style::WARNING, "asks; in print mode it is refused"),
        Outcome::Denied => (style::LOST, "is denied"),
        Outcome::NotKnown => (style::WARNING, "is not known"),
    };
    writeln!(output, "{bold}{call}{bold:#} {colour}{outcome}{colour:#}")?;
    paragraph(
        output,
        "  ",
        &shortened(session, &decision.reason),
        style::PLAIN,
    )?;
    if let Some(rule) = decision.rule.and_then(|rule| permissions.rules.get(rule)) {
        let source = source_of(session, &rule.source);
        let kind = rule.kind.key();
        writeln!(output, "  {kind} {}  {dim}{source}{dim:#}", rule.text)?;
    }
    let mode = &permissions.mode.name;
    writeln!(
        output,
        "  {dim}mode {mode}, client {}{dim:#}",
        session.client().version
    )?;
    for step in &decision.steps {
        let mut text = shortened(session, &step.text);
        if let Some(rule) = step.rule.and_then(|rule| permissions.rules.get(rule)) {
            let source = source_of(session, &rule.source);
            text = format!("{text}: {} ({source})", rule.text);
        }
        let width = output.columns.saturating_sub(10);
        for (line, text) in wrapped(&text, width).iter().enumerate() {
            let stage = if line == 0 { step.stage } else { "" };
            writeln!(output, "    {dim}{stage:<5}{dim:#} {text}")?;
        }
    }
    for note in &decision.notes {
        paragraph(
            output,
            "  ",
            &format!("Note: {}.", shortened(session, note)),
            style::NOTE,
        )?;
    }
    match decision.evidence {
        Evidence::Observed => Ok(()),
        Evidence::Documented => Ok(writeln!(output, "  {dim}Documented, not observed.{dim:#}")?),
        Evidence::Assumed => Ok(writeln!(output, "  {dim}Assumed, not observed.{dim:#}")?),
    }
}
