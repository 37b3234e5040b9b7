//! `audit --all`: a row for each session.

use std::io::Write as _;

use anyhow::Result;

use super::audit::{summary, time};
use super::names::{count, number, padded};
use super::{Output, style};
use crate::commands::audit::{Audited, Basis};

pub(crate) fn write(output: &mut Output, rows: &[Audited]) -> Result<()> {
    let (bold, dim) = (style::HEADING, style::DIM);
    if rows.is_empty() {
        writeln!(output, "no sessions")?;
        return Ok(());
    }
    writeln!(
        output,
        "{bold}session   started               client   tokens  received{bold:#}"
    )?;
    let (mut tokens, mut differing, mut silent) = (0, 0, 0);
    for row in rows {
        let session = padded(row.listed.id.get(..8).unwrap_or(&row.listed.id), 8);
        let started = padded(&row.receipt.started.map_or_else(String::new, time), 20);
        let client = padded(&row.client.version.to_string(), 7);
        let sums = row.sums();
        tokens += sums.received;
        let received = number(sums.received);
        let (colour, what) = if row.receipt.evidence.is_none() {
            silent += 1;
            (style::PLAIN, "no evidence".to_owned())
        } else if row.comparison.differs() {
            differing += 1;
            (style::LOST, summary(row).join(", "))
        } else if matches!(row.basis, Basis::Nothing(_)) {
            let texts = count(row.comparison.texts.len(), "text", "texts");
            (style::PLAIN, format!("{texts}, not compared"))
        } else {
            let parts = summary(row).join(", ");
            let none = || "no instruction text, as predicted".to_owned();
            (style::GOOD, if parts.is_empty() { none() } else { parts })
        };
        writeln!(
            output,
            "{session}  {dim}{started}  {client}{dim:#}  {received:>6}  {colour}{what}{colour:#}"
        )?;
    }
    let sessions = count(rows.len(), "session", "sessions");
    let tokens = number(tokens);
    writeln!(
        output,
        "\n{sessions}, {} with differences, {} without evidence; {tokens} tokens received",
        number(differing),
        number(silent)
    )?;
    Ok(())
}
