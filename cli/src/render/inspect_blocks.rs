//! `inspect --turn`: the blocks of one turn.

use std::io::Write as _;

use anyhow::Result;
use outcrop_compactor::inspect::{BlockRow, Category};
use serde_json::json;

use super::names::{cut, cut_start, number};
use super::{Output, style};

/// One turn.
pub(crate) struct Turn<'a> {
    pub(crate) session: &'a str,
    pub(crate) number: usize,
    pub(crate) rows: &'a [BlockRow],
    pub(crate) tokenizer: &'a str,
}

pub(crate) fn write(output: &mut Output, turn: &Turn<'_>, as_json: bool) -> Result<()> {
    if as_json {
        return output.json(&json!({
            "schema": "outcrop/inspect-turn@1",
            "session": turn.session,
            "turn": turn.number,
            "tokenizer": turn.tokenizer,
            "blocks": turn.rows,
        }));
    }
    let (bold, dim) = (style::HEADING, style::DIM);
    let all: u64 = turn.rows.iter().map(|row| row.tokens).sum();
    writeln!(
        output,
        "{bold}Turn {}: {} tokens{bold:#}  {dim}{}{dim:#}\n",
        turn.number,
        number(all),
        turn.tokenizer
    )?;
    writeln!(
        output,
        "{dim}{:>8} {:>8} {:>4}  {:<13} what{dim:#}",
        "line", "tokens", "now", ""
    )?;
    let room = output.columns.saturating_sub(38);
    for row in turn.rows {
        let kind = match row.is_boundary {
            true => "compaction",
            false => row.category.name(),
        };
        let text = match row.category {
            Category::Calls | Category::Results => {
                what(row.name.as_deref(), row.about.as_deref(), room)
            }
            _ => {
                let parts = [row.name.as_deref(), row.about.as_deref()];
                let parts: Vec<&str> = parts.into_iter().flatten().collect();
                cut(&parts.join(": "), room)
            }
        };
        let failed = if row.is_error {
            style::LOST
        } else {
            style::PLAIN
        };
        writeln!(
            output,
            "{:>8} {:>8} {:>4}  {kind:<13} {failed}{text}{failed:#}",
            number(row.spot.line as usize),
            number(row.tokens),
            if row.spot.is_now { "yes" } else { "no" },
        )?;
    }
    Ok(())
}

/// A tool and what it was about, in a width; a path says most at its end.
pub(super) fn what(tool: Option<&str>, target: Option<&str>, room: usize) -> String {
    let tool = tool.unwrap_or("–");
    let Some(target) = target else {
        return cut(tool, room);
    };
    let tool = cut(tool, room / 2);
    let left = room.saturating_sub(tool.chars().count() + 1);
    if left < 6 {
        return cut(&format!("{tool} {target}"), room);
    }
    let is_path = target.contains(['/', '\\']) && !target.contains(' ');
    let target = match is_path {
        true => cut_start(target, left),
        false => cut(target, left),
    };
    format!("{tool} {target}")
}
