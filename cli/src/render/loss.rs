//! What a compaction loses, for people.

use std::io::Write as _;

use anyhow::Result;
use outcrop_compactor::loss::{
    Counts, Doubt, Fate, Finding, Findings, InstructionFate, Loss, State,
};
use serde::Serialize;
use serde_json::json;

use super::names::{count, cut, number, padded};
use super::{Output, style};

/// How many of each kind are shown.
const SHOWN: usize = 5;

pub(super) fn write(output: &mut Output, loss: &Loss) -> Result<()> {
    let (bold, dim) = (style::HEADING, style::DIM);
    writeln!(
        output,
        "\n{bold}{:<18}{:>8}{:>9}{:>8}{bold:#}  {dim}by words: what is kept in part may say \
         less{dim:#}",
        "what is lost", "lost", "in part", "kept"
    )?;
    findings(output, "constraints", &loss.constraints, |found| {
        found.text.clone()
    })?;
    findings(output, "decisions", &loss.decisions, |found| {
        found.text.clone()
    })?;
    findings(output, "corrections", &loss.corrections, |found| {
        found.text.clone()
    })?;
    findings(output, "open items", &loss.open_items.items, |found| {
        format!("{}: {}", word(found.kind), found.text)
    })?;
    findings(output, "error lessons", &loss.lessons, |found| {
        let failed = found.failed.as_deref().unwrap_or_default();
        format!("{} {failed}: {}", found.tool, found.error)
    })?;
    findings(output, "files", &loss.files, |found| {
        format!("{} ({})", found.path, word(found.last))
    })?;
    for facts in &loss.facts {
        let Counts { kept, part, lost } = facts.named;
        let name = format!("facts: {}", word(facts.class));
        let only_seen = facts.seen.lost + facts.seen.part;
        let note = match only_seen {
            0 => String::new(),
            _ => format!(
                "  {dim}and {} that only results held{dim:#}",
                number(only_seen)
            ),
        };
        row(output, &name, [lost, part, kept], &note)?;
        if output.verbose {
            for fact in &facts.gone {
                line(output, fact, &fact.what.text)?;
            }
        }
    }
    claims(output, loss)
}

/// The name of a kind, as JSON has it, in words.
fn word(kind: impl Serialize) -> String {
    let name = json!(kind);
    name.as_str().unwrap_or_default().replace('-', " ")
}

fn row(output: &mut Output, name: &str, counts: [usize; 3], note: &str) -> Result<()> {
    let [lost, part, kept] = counts.map(number);
    writeln!(output, "{name:<18}{lost:>8}{part:>9}{kept:>8}{note}")?;
    Ok(())
}

/// One kind: how many, and the first that are not kept.
fn findings<T>(
    output: &mut Output,
    name: &str,
    findings: &Findings<T>,
    text: impl Fn(&T) -> String,
) -> Result<()> {
    if findings.is_empty() {
        return Ok(());
    }
    let counts = [&findings.lost, &findings.part, &findings.kept].map(Vec::len);
    row(output, name, counts, "")?;
    let shown = if output.verbose { usize::MAX } else { SHOWN };
    let gone = findings.lost.iter().chain(&findings.part);
    for finding in gone.take(shown) {
        line(output, finding, &text(&finding.what))?;
    }
    let more = (counts[0] + counts[1]).saturating_sub(shown);
    if more > 0 {
        let dim = style::DIM;
        writeln!(output, "{dim}    {more} more: -v{dim:#}")?;
    }
    Ok(())
}

/// A thing that is not kept, with its place.
fn line<T>(output: &mut Output, finding: &Finding<T>, text: &str) -> Result<()> {
    let (state, colour) = match finding.state {
        State::Kept { .. } => ("kept", style::PLAIN),
        State::Part(_) => ("part", style::WARNING),
        State::Lost => ("lost", style::LOST),
    };
    let place = finding.place.line;
    let place = place.map_or_else(String::new, |line| format!("line {line}"));
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let room = output.columns.saturating_sub(22);
    writeln!(
        output,
        "    {colour}{state}{colour:#}  {}  {}",
        padded(&place, 10),
        cut(&text, room)
    )?;
    Ok(())
}

fn claims(output: &mut Output, loss: &Loss) -> Result<()> {
    let claims = &loss.claims_without_evidence;
    if claims.is_empty() {
        return Ok(());
    }
    let dim = style::DIM;
    writeln!(
        output,
        "{}",
        count(
            claims.len(),
            "claim without evidence",
            "claims without evidence"
        )
    )?;
    let shown = if output.verbose { usize::MAX } else { SHOWN };
    for claim in claims.iter().take(shown) {
        let why = match claim.what.why {
            Doubt::Interrupted => "its call was interrupted",
            Doubt::Failed => "its call failed",
            Doubt::Dropped => "its evidence is gone",
            Doubt::Cleared => "its evidence is cleared",
            Doubt::NoCall => "no call came before it",
        };
        line(output, claim, &format!("{} ({why})", claim.what.text))?;
    }
    let more = claims.len().saturating_sub(shown);
    if more > 0 {
        writeln!(output, "{dim}    {more} more: -v{dim:#}")?;
    }
    Ok(())
}

/// What becomes of the instruction files.
pub(super) fn write_instructions(output: &mut Output, fates: &[InstructionFate]) -> Result<()> {
    if fates.is_empty() {
        return Ok(());
    }
    let (bold, dim) = (style::HEADING, style::DIM);
    writeln!(output, "\n{bold}Instruction files behind it{bold:#}")?;
    for fate in fates {
        let (what, colour) = match fate.fate {
            Fate::Returns => ("returns", style::PLAIN),
            Fate::Attached => ("put back as a file", style::PLAIN),
            Fate::GoneUntilMatchingRead => ("gone until a read that matches", style::LOST),
            Fate::GoneUntilReadBelow => ("gone until a read in its folder", style::LOST),
            Fate::Gone => ("gone for good", style::LOST),
            Fate::NotKnown => ("not known", style::WARNING),
        };
        let with = fate.with.as_ref();
        let with = with.map_or_else(String::new, |with| format!("  {dim}with {with}{dim:#}"));
        writeln!(
            output,
            "  {colour}{}{colour:#}  {}{with}",
            padded(what, 31),
            fate.path
        )?;
    }
    Ok(())
}
