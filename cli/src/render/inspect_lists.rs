//! The lists of `inspect`: turns, what is large, what is there twice, pictures.

use std::io::Write as _;

use anyhow::Result;
use outcrop_compactor::inspect::{CompactionRow, Inspection, TurnRow};

use super::inspect::{Inspected, heading};
use super::inspect_blocks::what;
use super::names::{bytes, count, cut, number, padded};
use super::{Output, style};

/// The width of a turn's largest block.
const LARGEST: usize = 22;

pub(super) fn write(output: &mut Output, inspected: &Inspected<'_>) -> Result<()> {
    turns(output, inspected)?;
    largest(output, inspected.inspection)?;
    duplicates(output, inspected.inspection)?;
    images(output, inspected.inspection)
}

fn turns(output: &mut Output, inspected: &Inspected<'_>) -> Result<()> {
    let dim = style::DIM;
    let inspection = inspected.inspection;
    let (all, limit) = (&inspection.turns, inspected.limit);
    let hidden = all.len().saturating_sub(limit);
    heading(output, &format!("Turns ({})", number(all.len())))?;
    writeln!(
        output,
        "{dim}{:>6} {:>10} {:>9} {:>9}  {:<LARGEST$} prompt{dim:#}",
        "turn", "tokens", "growth", "of it now", "largest, characters"
    )?;
    let mut compactions = inspection.compactions.iter().peekable();
    if hidden > 0 {
        let mut before = 0;
        while compactions.next_if(|row| row.turn <= hidden).is_some() {
            before += 1;
        }
        let with = match before {
            0 => String::new(),
            before => format!(" with {}", count(before, "compaction", "compactions")),
        };
        let turns = count(hidden, "turn", "turns");
        writeln!(
            output,
            "{dim}       {turns} before{with} (--limit 0 shows all){dim:#}"
        )?;
    }
    for row in &all[hidden..] {
        while let Some(compaction) =
            compactions.next_if(|compaction| compaction.turn == row.turn && compaction.is_within)
        {
            compacted(output, compaction)?;
        }
        turn(output, row)?;
        while let Some(compaction) = compactions.next_if(|compaction| compaction.turn <= row.turn) {
            compacted(output, compaction)?;
        }
    }
    Ok(())
}

fn turn(output: &mut Output, row: &TurnRow) -> Result<()> {
    let growth = row.growth.map_or_else(String::new, |growth| {
        let size = number(growth.unsigned_abs());
        let sign = if growth < 0 { "−" } else { "+" };
        format!("{sign}{size}")
    });
    let largest = row.largest.as_ref().map_or_else(String::new, |largest| {
        let size = characters(largest.units);
        let room = LARGEST - size.chars().count() - 1;
        format!(
            "{} {size}",
            what(Some(&largest.name), largest.target.as_deref(), room)
        )
    });
    let room = output.columns.saturating_sub(LARGEST + 40);
    let now = match row.tokens_now() {
        0 => String::new(),
        tokens => number(tokens),
    };
    writeln!(
        output,
        "{:>6} {:>10} {growth:>9} {now:>9}  {} {}",
        row.turn,
        row.tokens.map_or_else(|| "–".to_owned(), number),
        padded(&largest, LARGEST),
        cut(row.prompt.as_deref().unwrap_or("–"), room),
    )?;
    Ok(())
}

/// `930`, `12k`.
fn characters(units: u64) -> String {
    match units {
        ..1_000 => units.to_string(),
        units => format!("{}k", units / 1_000),
    }
}

fn compacted(output: &mut Output, row: &CompactionRow) -> Result<()> {
    let note = style::NOTE;
    let trigger = row.trigger.as_deref().unwrap_or("no trigger told");
    let mut text = format!("compacted ({trigger})");
    let tokens = |tokens: Option<u64>| tokens.map_or_else(|| "?".to_owned(), number);
    if row.pre_tokens.is_some() || row.post_tokens.is_some() {
        let (pre, post) = (tokens(row.pre_tokens), tokens(row.post_tokens));
        text.push_str(&format!(", {pre} → {post}"));
    }
    if let Some(kept) = row.kept {
        text.push_str(&format!(", kept {}", count(kept, "record", "records")));
    }
    writeln!(
        output,
        "{note}       {text}, line {}{note:#}",
        number(u64::from(row.line))
    )?;
    Ok(())
}

fn largest(output: &mut Output, inspection: &Inspection) -> Result<()> {
    if inspection.largest.is_empty() {
        return Ok(());
    }
    let dim = style::DIM;
    heading(
        output,
        &format!("Largest results (of {})", number(inspection.results)),
    )?;
    writeln!(
        output,
        "{dim}{:>10} {:>4} {:>6} {:>8}  what{dim:#}",
        "tokens", "now", "turn", "line"
    )?;
    let room = output.columns.saturating_sub(33);
    for row in &inspection.largest {
        writeln!(
            output,
            "{:>10} {:>4} {:>6} {:>8}  {}",
            number(row.tokens),
            if row.spot.is_now { "yes" } else { "no" },
            row.spot.turn.map_or_else(String::new, number),
            number(row.spot.line as usize),
            what(row.tool.as_deref(), row.target.as_deref(), room),
        )?;
    }
    Ok(())
}

fn duplicates(output: &mut Output, inspection: &Inspection) -> Result<()> {
    if inspection.duplicates.is_empty() {
        return Ok(());
    }
    let dim = style::DIM;
    heading(
        output,
        &format!("The same result again ({})", number(inspection.duplicated)),
    )?;
    writeln!(
        output,
        "{dim}{:>10} {:>10} {:>6}  what, and on which lines{dim:#}",
        "wasted", "of it now", "copies"
    )?;
    let room = output.columns.saturating_sub(30);
    for duplicate in &inspection.duplicates {
        let lines = duplicate
            .places
            .iter()
            .map(|row| number(row.spot.line as usize));
        let lines: Vec<String> = lines.collect();
        let lines = match lines.len() {
            ..=3 => lines.join(" "),
            _ => format!("{} … {}", lines[..2].join(" "), lines[lines.len() - 1]),
        };
        let unchanged = if duplicate.is_unchanged_read {
            ", unchanged"
        } else {
            ""
        };
        let first = &duplicate.places[0];
        let behind = format!("{unchanged}: {lines}");
        let first = what(
            first.tool.as_deref(),
            first.target.as_deref(),
            room.saturating_sub(behind.chars().count()).max(12),
        );
        writeln!(
            output,
            "{:>10} {:>10} {:>6}  {first}{dim}{behind}{dim:#}",
            number(duplicate.wasted),
            number(duplicate.wasted_now),
            duplicate.places.len(),
        )?;
    }
    Ok(())
}

fn images(output: &mut Output, inspection: &Inspection) -> Result<()> {
    if inspection.images.is_empty() {
        return Ok(());
    }
    let dim = style::DIM;
    heading(output, &format!("Images ({})", number(inspection.pictures)))?;
    writeln!(
        output,
        "{dim}{:>10} {:>4} {:>6} {:>8}  what{dim:#}",
        "size", "now", "turn", "line"
    )?;
    let room = output.columns.saturating_sub(44);
    for row in &inspection.images {
        writeln!(
            output,
            "{:>10} {:>4} {:>6} {:>8}  {:<10} {}",
            bytes(row.bytes),
            if row.spot.is_now { "yes" } else { "no" },
            row.spot.turn.map_or_else(String::new, number),
            number(row.spot.line as usize),
            row.media_type,
            what(row.tool.as_deref(), row.target.as_deref(), room),
        )?;
    }
    Ok(())
}
